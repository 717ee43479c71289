"""Advice on how to run a choice: image, precision, and cautions about its processor and devices."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from ..demand import kind
from ..demand.job import Job
from ..known import HALF_PRECISIONS
from ..models.stored import AWQ, GPTQ
from ..rules import Remark, RuleId
from ..support import PORTED, SUPPORTED
from ..units import BYTES
from .details import Detail
from .nameplates import Chip
from .rounding import precision_words
from .software import Verdict

DEVICE_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)

SERVED_KINDS = (kind.INFERENCE, kind.SERVING)

SINGLE_PRECISIONS = ("fp32", "tf32")
SINGLE_PRECISION_ALONE = ("caffe",)  # BVLC/caffe issue 4111: half precision was given up on 2017-04-14

# Devices made for FP64 run it at 1/3 (K80) of FP32 or more, others at 1/32 or less.
FULL_FP64_SHARE = 0.25


def advice_of(job: Job, one: Detail) -> Iterator[Remark]:
    """Advice for this machine: image, managed service, precision, share of a device."""
    plate, chip = one.plate, one.plate.chip
    if chip is not None and job.kind in DEVICE_KINDS:
        yield from _image_of(job, chip, one.runs) if not job.tuned else ()
        yield from _precision(job, chip, one.emulated)
    if job.training and plate.managed is not None:
        yield plate.managed
    if chip is None:
        return
    if chip.fraction is not None:
        yield chip.fraction
    if job.precision == "fp64" and chip.fp64_share >= FULL_FP64_SHARE:
        units = " on the matrix units" if chip.fp64_matrix else ""
        yield RuleId("fp64-devices").note(f"FP64 runs{units} at {100 * chip.fp64_share:.0f}% of the FP32 rate")


def _image_of(job: Job, chip: Chip, runs: Verdict) -> Iterator[Remark]:
    """What image to use: that of an old release, or of ended software; else that of the cloud or the maker.

    What must be ported needs a build of its own, which its warning names.
    """
    if not runs.of_release and (chip.image is None or job.framework.image is None):
        yield from () if chip.image is None else (chip.image,)
    elif runs.status == SUPPORTED if runs.of_release else runs.status != PORTED:
        yield RuleId("vendor-image").note(f"use {runs.needed if runs.of_release else job.framework.image}")


def caution_of(job: Job, one: Detail) -> Iterator[Remark]:
    """Warnings about the processor and the devices of a machine."""
    chip = one.plate.chip
    if one.plate.arm is not None:
        yield one.plate.arm
    if chip is None:
        return
    if chip.superseded is not None and job.kind in DEVICE_KINDS:
        yield chip.superseded
    if chip.compiler is not None and job.kind in SERVED_KINDS:
        yield chip.compiler
    if job.precision == "fp64" and 0 < chip.fp64_share < FULL_FP64_SHARE:
        yield RuleId("fp64-devices").note(f"FP64 runs at 1/{1 / chip.fp64_share:.0f} of the FP32 rate")


def computed_in(job: Job, chip: Chip | None) -> str:
    """Return the precision of the computation: fp16 if bf16 is a default that the device lacks."""
    lacking = chip is not None and isnan(chip.brain) and not isnan(chip.half)
    return "fp16" if job.precision == "bf16" and job.half_falls_back and lacking else job.precision


def _precision(job: Job, chip: Chip, emulated: bool) -> Iterator[Remark]:
    """Matrix units in training, or faster precisions with fewer bits in inference."""
    precision = computed_in(job, chip)
    if not job.training and job.workload.quantization in (AWQ, GPTQ) and chip.float8 > chip.half:
        rate = f"FP8 has {chip.float8 / chip.half:.2g} × the peak rate of FP16, in which 4-bit weights compute"
        yield RuleId("reduced-precision-inference").note(f"{rate}; state quantization fp8 to use it")
    elif not job.training:
        yield from _fewer_bits(job, precision, chip)
    elif not chip.matrix_units or job.program in SINGLE_PRECISION_ALONE:
        return
    elif precision in HALF_PRECISIONS and not emulated:
        yield RuleId("mixed-precision").note(f"{precision_words(precision)} runs on the matrix units of this device")
    elif precision in SINGLE_PRECISIONS and chip.half > chip.single:
        gain = f"{chip.half / chip.single:.2g} × the peak rate of FP32"
        yield RuleId("mixed-precision").note(f"mixed precision has {gain} on this device")


def _fewer_bits(job: Job, precision: str, chip: Chip) -> Iterator[Remark]:
    if BYTES[precision] <= BYTES["int8"]:
        return
    current, remedy = chip.half if precision in HALF_PRECISIONS else chip.single, ""
    peaks = [("FP16", chip.half), ("INT8", chip.byte)]
    serving = job.kind == kind.SERVING
    denoises = job.profile is not None and job.profile.family == "diffusion"
    # Programs compute in it on any such model (huggingface/diffusers, docs/source/en/quantization/torchao.md, read
    # 2026-11-28: "float8" from compute capability 8.9 on); INT8 needs a calibrated one.
    if (serving or denoises) and chip.float8 > current:
        peaks, remedy = [("FP8", chip.float8)], "; state quantization fp8 to use it" if serving else ""
    if faster := [f"{name} has {peak / current:.2g} ×" for name, peak in peaks if peak > current]:
        yield RuleId("reduced-precision-inference").note(
            f"{' and '.join(faster)} the peak rate of {precision_words(precision)}{remedy}"
        )
