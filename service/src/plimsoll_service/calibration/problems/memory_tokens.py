"""Peaks of language-model training: held against the closed form, of which nothing is fitted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from plimsoll_service.calibration.problems.memory_rows import PEAK
from plimsoll_service.calibration.problems.token_training_rows import STATED_CARD, layouts_of
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.coefficients import TOKEN_TRAINING, TRAINING_MEMORY
from plimsoll_service.evidence.measurement import Measurement

# What a source's figure leaves out of what a device must have: the allocator's reserve, the context of the framework.
ALLOCATED = ("litgpt", "torchtune")  # what was given out
RESERVED = ("torchtitan",)  # what the allocator holds


@dataclass(frozen=True)
class TokenPeak:
    """A measured peak as a device's need, and the engine's figure for it, both in GiB."""

    row: Measurement
    family: str
    measured: float
    required: float

    @property
    def log_error(self) -> float:
        return float(np.log(self.required / self.measured))


def token_peaks(measurements: Iterable[Measurement], market: Market) -> list[TokenPeak]:
    """Every undoubted peak of a training by tokens."""
    wanted = [
        row for row in measurements
        if row.metric == PEAK and row.task == "training" and row.doubt in ("", STATED_CARD)
    ]  # fmt: skip
    return [
        TokenPeak(row, family, _as_needed(row), float(layout.need_gib[0]))
        for row, family, layout in layouts_of(wanted, market)
    ]


def _as_needed(row: Measurement) -> float:
    if row.source in ALLOCATED:
        return row.value * TOKEN_TRAINING.reserve + TRAINING_MEMORY.context_gib
    return row.value + TRAINING_MEMORY.context_gib if row.source in RESERVED else row.value
