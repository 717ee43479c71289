"""How far measured figures lay from estimates that had not seen them, by kind of estimate and nearest evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

# How near the evidence is, nearest first: the basis of an estimate. What is calibrated has rows of the model itself, or
# only of its like; work or makers of devices without any row at all are modelled, with a range of their own.
# The user's own measurements are named in place of those where they are near; the range goes by the one without them.
BASES = ("measured", "calibrated", "calibrated", "modelled", "modelled", "anchored", "measured")
MEASURED, CALIBRATED, ALIKE, MODELLED, UNSTUDIED, ANCHORED, MEASURED_HERE = range(len(BASES))
SPREAD_BASES = 5  # those that have a spread


@dataclass(frozen=True)
class Spread:
    """10th and 90th percentile of measured ÷ estimated, on what the fit had not seen."""

    low: float
    high: float


TENSORRT, CAFFE = "tensorrt", "caffe"
# Everybody runs it as it comes, with no script of a vendor's around it: published runs of Whisper in it on two devices
# reached 0.82 to 1.24 times the estimate (faster-whisper, README, 2023; speaches-ai/speaches issue 169, 2024-12-02).
CTRANSLATE2 = "ctranslate2"
MEMORY = "memory"  # of a device
INFERENCE = "inference"
COMPILED_INFERENCE = "inference_compiled"  # on chips whose programs a compiler of their own makes


STOCK_INFERENCE, TUNED_INFERENCE = "inference_stock", "inference_tuned"
TUNED_ENCODER = "inference_tuned_encoder"  # one architecture in all sizes: much nearer to each other than vision is
BUILT_INFERENCE = "inference_tensorrt"  # an engine is built for the very network and device


def inference_on_matrix_units(tuned: bool, library: str, family: str) -> str:
    """Name of the range of inference on NVIDIA's devices with matrix units: by tuning, library and family of models.

    Caffe computes on their plain units, as on older devices (BVLC/caffe issue 4111: it has no 16 bits).
    """
    if library == CAFFE:
        return INFERENCE
    if not tuned or library == CTRANSLATE2:
        return STOCK_INFERENCE
    if library == TENSORRT:
        return BUILT_INFERENCE
    return TUNED_ENCODER if family == "encoder" else TUNED_INFERENCE


UNSTUDIED_SPREAD = Spread(1 / 2.9, 2.9)  # nothing measured: the widest class of the throughput study, section 3
# Moving bytes in and out of sockets whose cores can take more than they give: the same share of three mixes (all read,
# one word written for two read, one for one) on 466 rented machines over the estimate (docs/method.md).
STREAMING_SPREAD = Spread(0.74, 1.83)
# FP64 of dense factorizations on devices over the estimate at 0.7 of the peak: HPL of the TOP500 of June 2024 reached
# 36 to 43 TFLOP/s of the 67 of an H100, and 11 to 15 of the 19.5 of an A100 (glennklockwood.com/garden/hpl, read on
# 2026-11-29); eight H100 of one machine 365 of 536 (Voltage Park and AI @ Georgia Tech, benchmarks of 2025).
DENSE_SPREAD = Spread(36 / 67 / 0.7, 15 / 19.5 / 0.7)
# The lower quartile of such an estimate over its median: the 25th percentile of a normal distribution lies 0.6745
# standard deviations from its middle, the 10th 1.2816. Rule: unmeasured-device.
UNSTUDIED_QUARTILE = UNSTUDIED_SPREAD.low ** (0.6745 / 1.2816)
_UNSTUDIED = (UNSTUDIED_SPREAD,) * SPREAD_BASES


@dataclass(frozen=True, eq=False)
class Spreads:
    """Spreads by kind of estimate, one for each of the first ``SPREAD_BASES``.

    Scaling over devices adds ``scaling_error`` to ln of either end, and ``scaling_growth`` each time their number
    doubles. ``load_growth`` is what ln of either end of serving gains each time the load doubles beyond those measured.
    """

    of_kind: Mapping[str, tuple[Spread, ...]] = field(default_factory=dict)
    scaling_error: float = 0.0
    scaling_growth: float = 0.0
    load_growth: float = 0.0

    def of(self, name: str, otherwise: str = "") -> tuple[Spread, ...]:
        """The spreads of a kind of estimate; those of ``otherwise`` where it has none of its own."""
        return self.of_kind.get(name) or self.of_kind.get(otherwise, _UNSTUDIED)

    @cached_property
    def of_memory(self) -> tuple[Spread, ...]:
        """Memory is as large on any maker's device: without a measurement its spread is no wider than modelled."""
        found = self.of(MEMORY)
        return (*found[:UNSTUDIED], found[MODELLED])


def by_basis(known_model: Spread, new_model: Spread, modelled: Spread) -> tuple[Spread, ...]:
    """One spread for each of the first ``SPREAD_BASES``.

    Another laboratory's run of just what was measured errs no less than a new device does: both have the spread of a
    known model. Work that nobody studied is no better known than work that is modelled.
    """
    unstudied = Spread(min(modelled.low, UNSTUDIED_SPREAD.low), max(modelled.high, UNSTUDIED_SPREAD.high))
    return known_model, known_model, new_model, modelled, unstudied
