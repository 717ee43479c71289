"""One micro-batch of language-model training on every machine: what its terms are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plimsoll_service.engine.coefficients import TokenTraining
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.kinds import Kinds, hardware_kinds
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.token_layout import Layout, sequence_length
from plimsoll_service.engine.estimate.token_memory import Trained
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.units import BITS_PER_BYTE


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

    @cached_property
    def hardware(self) -> Kinds:
        """The few kinds of devices."""
        return hardware_kinds(self.machines)

    @cached_property
    def tokens(self) -> Floats:
        """Of one replica's micro-batch."""
        tokens: Floats = self.layout.sequences * sequence_length(self.job)
        return tokens

    @cached_property
    def bandwidth(self) -> Floats:
        """Bytes a second of one device's memory."""
        return self.machines.bandwidth_gb_s * 1e9

    @cached_property
    def links(self) -> tuple[Floats, Floats]:
        """Bytes a second of a device to its neighbour inside, and of a whole machine to another."""
        machines, scaling = self.machines, self.job.coefficients.scaling
        pcie = machines.pcie_gb_s * scaling.pcie / np.maximum(self.inside / 2, 1.0) ** scaling.pcie_contention
        within = np.where(machines.link_gb_s > 0, machines.link_gb_s * self.fit.nvlink_share, pcie)
        between = machines.network_gbps / BITS_PER_BYTE * self.fit.network_share
        return within * 1e9, between * 1e9

    @cached_property
    def half_peak(self) -> Floats:
        """TFLOP/s of one device in 16 bits; of those without, at the precision of the products."""
        some = self.machines.take(self.hardware.rows)
        half = np.fmax(some.peak("fp16"), some.peak("bf16")).take(self.hardware.of)
        return np.where(np.isnan(half), self.numbers.peak / 1e12, half)

    @cached_property
    def recomputed(self) -> Floats:
        """The share of a forward pass that is done again."""
        fit = self.fit
        return fit.recomputation * (self.layout.recomputed + fit.selective * self.layout.selective)
