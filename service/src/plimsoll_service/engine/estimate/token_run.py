"""One micro-batch of language-model training on every machine: what its terms are computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import TokenTraining
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.token_layout import Layout, sequence_length
from plimsoll_service.engine.estimate.token_memory import Trained
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer


@dataclass(frozen=True, eq=False)
class TokenRun:
    """A job, the model's dimensions, the machines, and how the model lies on ``inside`` devices of each."""

    job: Job
    dims: Transformer
    what: Trained
    machines: Machines
    numbers: Arithmetic
    layout: Layout
    inside: Floats  # devices of one machine that take part

    @property
    def fit(self) -> TokenTraining:
        return self.job.coefficients.token_training

    @property
    def tokens(self) -> Floats:
        """Of one replica's micro-batch."""
        tokens: Floats = self.layout.sequences * sequence_length(self.job)
        return tokens

    @property
    def bandwidth(self) -> Floats:
        """Bytes a second of one device's memory."""
        return self.machines.bandwidth_gb_s * 1e9

    @property
    def half_peak(self) -> Floats:
        """TFLOP/s of one device in 16 bits; of those without, at the precision of the products."""
        half = np.fmax(self.machines.peak("fp16"), self.machines.peak("bf16"))
        return np.where(np.isnan(half), self.numbers.peak / 1e12, half)

    @property
    def recomputed(self) -> Floats:
        """The share of a forward pass that is done again."""
        fit = self.fit
        return fit.recomputation * (self.layout.recomputed + fit.selective * self.layout.selective)
