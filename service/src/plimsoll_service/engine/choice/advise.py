"""Advice on software, precision and ways of renting for one candidate: notes that change nothing in the choice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.hardware_columns import WITHOUT_MATRIX_UNITS
from plimsoll_service.engine.estimate.precision import BYTES, HALF_PRECISIONS
from plimsoll_service.engine.hardware import PEAKS, Accelerators, Catalog, InstanceTypes
from plimsoll_service.engine.rules import advice, estimate

# The tuned image that each cloud offers; elsewhere the device's maker has one.
CLOUD_IMAGES = {
    "aws": "an AWS Deep Learning AMI or Container",
    "gcp": "a Google Deep Learning VM Image or Container",
    "azure": "an Azure Machine Learning curated environment or Data Science Virtual Machine",
    "alibaba": "an official image of Alibaba Cloud's Platform for AI (PAI)",
    "lambda": "Lambda Stack, which the cloud's own images carry",
}
MAKER_IMAGES = {
    "NVIDIA": "a container of NVIDIA's NGC catalog",
    "AMD": "one of AMD's ROCm containers",
    "Intel Habana": "one of Habana's containers for Gaudi",
    "Google": "one of Google's images for TPU",
    "AWS": "an AWS Neuron container",
}
MANAGED_SERVICES = {
    "aws": "Amazon SageMaker AI training, also on managed spot capacity",
    "gcp": "Vertex AI custom training",
    "azure": "Azure Machine Learning jobs",
    "alibaba": "PAI's Deep Learning Containers",
}
DEVICE_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)
SINGLE_PRECISIONS = ("fp32", "tf32")
SUPERSEDED_GENERATIONS = ("Kepler", "Maxwell")
# Devices made for FP64 run it at 1/3 (K80) or 1/2 of FP32, others at 1/32 or less.
FULL_FP64_SHARE = 0.25
NOTES_KEPT = 1 << 10  # of one wording: what was said last of machines and ranks is mostly said again
ARM = advice.ARM_SOFTWARE.note("the processor is an Arm one")


def advice_of(job: Job, scored: Scored, row: int, catalog: Catalog) -> Iterator[Note]:
    """Reasons to run it another way on this machine: image, managed service, precision, share."""
    cloud, device = _cloud(scored, row, catalog.instance_types), on_device(scored, row)
    if device and job.kind in DEVICE_KINDS:
        image = None if job.tuned else _image(cloud, catalog.accelerators.vendor[scored.machines.accelerator.item(row)])
        if image is not None:
            yield image
        note = _precision(job, scored, row, catalog.accelerators)
        if note is not None:
            yield note
    if job.training and cloud in MANAGED_SERVICES:
        yield _managed(cloud)
    if device and 0 < (count := scored.machines.figure("count", row)) < 1:
        yield advice.FRACTION.note(f"{count:.3g} of a device is rented")
    if _wide(job, device) and (share := _fp64_share(scored, row, catalog.accelerators)) >= FULL_FP64_SHARE:
        yield estimate.FP64.note(f"FP64 at {share:.2g} of the rate of FP32")


def caution_of(job: Job, scored: Scored, row: int, catalog: Catalog) -> Iterator[Note]:
    """What to know of a machine's processor and device before renting it."""
    catalog_row, device = scored.machines.figure("catalog_row", row), on_device(scored, row)
    if catalog_row >= 0 and catalog.instance_types.architecture[catalog_row] == "arm64":
        yield ARM
    if device and job.kind in DEVICE_KINDS:
        generation = catalog.accelerators.generation[scored.machines.accelerator.item(row)]
        if generation in SUPERSEDED_GENERATIONS:
            yield advice.SUPERSEDED.note(f"a device of the {generation} generation")
    if _wide(job, device) and 0 < (share := _fp64_share(scored, row, catalog.accelerators)) < FULL_FP64_SHARE:
        yield estimate.FP64.note(f"FP64 at 1/{1 / share:.0f} of the rate of FP32")


def on_device(scored: Scored, row: int) -> bool:
    """Whether the candidate's machine has an accelerator."""
    return bool(scored.machines.accelerator.item(row) >= 0)


def _cloud(scored: Scored, row: int, types: InstanceTypes) -> str | None:
    catalog_row = scored.machines.figure("catalog_row", row)
    return types.cloud[catalog_row] if catalog_row >= 0 else None


@cache  # of a few clouds and makers
def _image(cloud: str | None, vendor: str) -> Note | None:
    image = CLOUD_IMAGES.get(cloud or "") or MAKER_IMAGES.get(vendor)
    if image is None:
        return None
    return advice.VENDOR_IMAGE.note(f"{image} is tuned for this device; a bare installation is not")


@cache  # of a few clouds
def _managed(cloud: str) -> Note:
    return advice.MANAGED_TRAINING.note(f"{MANAGED_SERVICES[cloud]}: bills the run alone; no price known here")


def _precision(job: Job, scored: Scored, row: int, accelerators: Accelerators) -> Note | None:
    """Matrix units used or left idle in training; fewer bits that the device would run faster in inference."""
    accelerator = scored.machines.accelerator.item(row)
    half, single, byte = _peaks(accelerator, accelerators, "fp16", "fp32", "int8")
    if not job.training:
        return _fewer_bits(job.precision, half, single, byte)
    if accelerators.generation[accelerator] in WITHOUT_MATRIX_UNITS:
        return None
    if job.precision in HALF_PRECISIONS and not scored.outcome.emulated.item(row):
        return _on_matrix_units(job.precision)
    return _idle_matrix_units(half / single) if job.precision in SINGLE_PRECISIONS and half > single else None


def _peaks(accelerator: int, accelerators: Accelerators, *precisions: str) -> list[float]:
    """Peak rates of a device; NaN where it lacks the precision."""
    return [accelerators.peak_tflops.item(accelerator, PEAKS.index(name)) for name in precisions]


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


def _wide(job: Job, device: bool) -> bool:
    return device and job.precision == "fp64"


def _fp64_share(scored: Scored, row: int, accelerators: Accelerators) -> float:
    """The device's FP64 rate over its FP32 rate; 0 where it has none."""
    double, single = _peaks(scored.machines.accelerator.item(row), accelerators, "fp64", "fp32")
    return double / single if double > 0 and single > 0 else 0.0
