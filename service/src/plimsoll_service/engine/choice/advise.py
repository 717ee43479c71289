"""Advice on software, precision and ways of renting for one candidate: notes that change nothing in the choice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import isnan

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.nameplate import Chip
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import BYTES, HALF_PRECISIONS
from plimsoll_service.engine.rules import advice, estimate

DEVICE_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)
SINGLE_PRECISIONS = ("fp32", "tf32")
# Devices made for FP64 run it at 1/3 (K80) or 1/2 of FP32, others at 1/32 or less.
FULL_FP64_SHARE = 0.25
NOTES_KEPT = 1 << 10  # of one wording: what was said last of machines and ranks is mostly said again


def advice_of(job: Job, one: Detail) -> Iterator[Note]:
    """Reasons to run it another way on this machine: image, managed service, precision, share."""
    plate, chip = one.plate, one.plate.chip
    if chip is not None and job.kind in DEVICE_KINDS:
        if chip.image is not None and not job.tuned:
            yield chip.image
        note = _precision(job, chip, one.emulated)
        if note is not None:
            yield note
    if job.training and plate.managed is not None:
        yield plate.managed
    if chip is None:
        return
    if chip.fraction is not None:
        yield chip.fraction
    if job.precision == "fp64" and chip.fp64_share >= FULL_FP64_SHARE:
        yield estimate.FP64.note(f"FP64 at {chip.fp64_share:.2g} of the rate of FP32")


def caution_of(job: Job, one: Detail) -> Iterator[Note]:
    """What to know of a machine's processor and device before renting it."""
    chip = one.plate.chip
    if one.plate.arm is not None:
        yield one.plate.arm
    if chip is None:
        return
    if chip.superseded is not None and job.kind in DEVICE_KINDS:
        yield chip.superseded
    if job.precision == "fp64" and 0 < chip.fp64_share < FULL_FP64_SHARE:
        yield estimate.FP64.note(f"FP64 at 1/{1 / chip.fp64_share:.0f} of the rate of FP32")


def computed_in(job: Job, chip: Chip | None) -> str:
    """The precision that a device computes in: fp16 stands in for bf16 that was not asked for and that it lacks."""
    lacking = chip is not None and isnan(chip.brain) and not isnan(chip.half)
    return "fp16" if job.precision == "bf16" and job.half_falls_back and lacking else job.precision


def _precision(job: Job, chip: Chip, emulated: bool) -> Note | None:
    """Matrix units used or left idle in training; fewer bits that the device would run faster in inference."""
    precision = computed_in(job, chip)
    if not job.training:
        return _fewer_bits(precision, chip.half, chip.single, chip.byte)
    if not chip.matrix_units:
        return None
    if precision in HALF_PRECISIONS and not emulated:
        return _on_matrix_units(precision)
    idle = precision in SINGLE_PRECISIONS and chip.half > chip.single
    return _idle_matrix_units(chip.half / chip.single) if idle else None


@lru_cache(maxsize=NOTES_KEPT)
def _on_matrix_units(precision: str) -> Note:
    return advice.MIXED_PRECISION.note(f"{precision} runs on the matrix units of this device")


@lru_cache(maxsize=NOTES_KEPT)
def _idle_matrix_units(gain: float) -> Note:
    return advice.MIXED_PRECISION.note(f"mixed precision has {gain:.2g} × the peak rate of FP32 here")


@lru_cache(maxsize=NOTES_KEPT)
def _fewer_bits(precision: str, half: float, single: float, byte: float) -> Note | None:
    if BYTES[precision] <= BYTES["int8"]:
        return None
    current = half if precision in HALF_PRECISIONS else single
    faster = [f"{name} {peak / current:.2g} ×" for name, peak in (("fp16", half), ("int8", byte)) if peak > current]
    if not faster:
        return None
    return advice.REDUCED_PRECISION.note(f"peak rate over that of {precision}: {', '.join(faster)}")
