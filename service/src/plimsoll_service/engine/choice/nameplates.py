"""Statements about a machine that hold for any work: rounded figures, and notes on its type and devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..answer import AcceleratorChoice
from ..generations import generation_of
from ..hardware import CLOSED, PEAKS, PREVIEW, PRIVATE, RESERVED, RETIRED, UNLISTED, Accelerators, Catalog, Withdrawn
from ..machines import GENERIC, VECTOR_CLASSES, Machines
from ..rules import Remark, RuleId
from .rounding import counted, figure

# Tuned image of each cloud; for other clouds, the image of the device manufacturer.
CLOUD_IMAGES = {
    "aws": "an AWS Deep Learning AMI or Container",
    "gcp": "a Google Deep Learning VM Image or Container",
    "azure": "an Azure Machine Learning curated environment or Data Science Virtual Machine",
    "alibaba": "an official image of Alibaba Cloud's Platform for AI (PAI)",
    "lambda": "Lambda Stack (installed in Lambda's own images)",
}

TPU = "Google"  # vendor of TPU, which no image of a cloud for GPUs runs on
MAKER_IMAGES = {
    "NVIDIA": "a container from NVIDIA's NGC catalog",
    "AMD": "one of AMD's ROCm containers",
    "Intel Habana": "one of Habana's containers for Gaudi",
    "Google": "one of Google's images for TPU",
    "AWS": "an AWS Neuron container",
}

COMPILED = {
    vendor: RuleId("compiled-shapes").note(
        f"{compiler} compiles the model for fixed shapes; compile each batch and input size before you serve; "
        "that takes many minutes, so keep the result for the next start"
    )
    for vendor, compiler in (
        ("Intel Habana", "Gaudi's graph compiler"),
        ("Google", "XLA"),
        ("AWS", "AWS Neuron"),
        ("Qualcomm", "the Cloud AI SDK"),
    )
}

MANAGED = {
    cloud: RuleId("managed-training").note(f"{service}: you pay only for the run; no price is known")
    for cloud, service in (
        ("aws", "Amazon SageMaker AI training (also on managed spot capacity)"),
        ("gcp", "Vertex AI custom training"),
        ("azure", "Azure Machine Learning jobs"),
        ("alibaba", "PAI's Deep Learning Containers"),
    )
}

ARM = RuleId("arm-software").note("the machine has an Arm processor; use programs and images that are built for Arm")

# Whose shares of NVIDIA's devices are vGPUs, by their documentation. Rule: vgpu-driver.
VGPU_CLOUDS = ("gcp", "azure")
VGPU = RuleId("vgpu-driver").note(
    "a share of a device is a vGPU: it needs the vGPU (GRID) guest driver that the cloud provides, not the usual one"
)
LISTING = RuleId("marketplace").note(
    "a marketplace's listing: several at once may not be had; its network and disk are unknown"
)
FRACTION, SUPERSEDED = RuleId("fractional-device"), RuleId("superseded-for-learning")
NOT_OFFERED = RuleId("retired-types").note("no longer offered to new customers")
WITHDRAWN_TEXTS = {
    RETIRED: "the provider retired it",
    CLOSED: "the provider closed it to new customers",
    PREVIEW: "the provider withdrew this preview",
    UNLISTED: "the provider has a price for it but does not list it among its sizes; ask whether you can order it",
    PRIVATE: "its name looks like a type for a single customer; ask whether you can order it",
    RESERVED: "you need a capacity reservation to run it on demand",
}


class Chip(NamedTuple):
    """The devices of a machine; peak rates in TFLOP/s or TOP/s, NaN where they lack the precision."""

    memory_gib: float  # to the digits that an answer shows
    linked: bool
    staged: bool  # they reach each other through the memory of the host alone
    unified: bool  # they share the memory of their processor
    brain: float  # bf16
    half: float
    single: float
    byte: float  # int8
    float8: float
    fp64_share: float  # of the rate of FP32, by the faster of plain and matrix units; 0 where they have no FP64
    fp64_matrix: bool  # the matrix units are the faster of both
    matrix_units: bool
    image: Remark | None
    fraction: Remark | None
    superseded: Remark | None
    compiler: Remark | None  # of a chip that runs compiled graphs alone
    workers: int  # of the device in training


class Nameplate(NamedTuple):
    """Figures of a machine; shown ones are rounded as in an answer."""

    cloud: str  # empty for a described machine
    name: str
    label: str | None  # of a machine of the user's own
    accelerator: AcceleratorChoice | None
    vcpus: float
    cores: float  # that can be used all the time
    shown_vcpus: float
    shown_memory_gib: float
    disk_mib_s: float
    rented: bool  # an instance type, not a machine of the user's own
    chip: Chip | None
    managed: Remark | None
    arm: Remark | None
    of_type: tuple[Remark, ...]


def nameplate_of(machines: Machines, row: int, catalog: Catalog, listing: bool = False) -> Nameplate:
    """Return the nameplate of one of the machines; ``listing``: a single host of a marketplace."""
    types, catalog_row = catalog.instance_types, machines.figure("catalog_row", row)
    rented, vcpus = catalog_row >= 0, machines.vcpus.item(row)
    cloud = types.cloud[catalog_row] if rented else None
    return Nameplate(
        cloud=cloud or "",
        name=types.name[catalog_row] if rented else "",
        label=None,
        accelerator=_accelerator(machines, row, catalog.accelerators),
        vcpus=vcpus,
        cores=machines.cores.item(row),
        shown_vcpus=figure(vcpus),
        shown_memory_gib=figure(machines.memory_gib.item(row)),
        disk_mib_s=machines.figure("disk_mib_s", row),
        rented=rented,
        chip=_chip(machines, row, catalog.accelerators, cloud),
        managed=MANAGED.get(cloud or ""),
        arm=ARM if rented and types.architecture[catalog_row] == "arm64" else None,
        of_type=tuple(_of_type(machines, row, catalog, listing)) if rented else (),
    )


def _accelerator(machines: Machines, row: int, accelerators: Accelerators) -> AcceleratorChoice | None:
    accelerator = machines.accelerator.item(row)
    if accelerator < 0:
        return None
    count, memory_gib = machines.figure("count", row), machines.figure("device_memory_gib", row)
    return AcceleratorChoice(accelerators.name[accelerator], figure(count), figure(memory_gib))


def _chip(machines: Machines, row: int, accelerators: Accelerators, cloud: str | None) -> Chip | None:
    accelerator = machines.accelerator.item(row)
    if accelerator < 0:
        return None
    brain, half, single, byte, float8, plain, matrix = (
        accelerators.peak_tflops.item(accelerator, PEAKS.index(name))
        for name in ("bf16", "fp16", "fp32", "int8", "fp8", "fp64", "fp64_tensor")
    )
    double = max((rate for rate in (plain, matrix) if rate > 0), default=0.0)  # as ``arithmetic`` takes it
    generation, count = accelerators.generation[accelerator], machines.figure("count", row)
    known = generation_of(generation)
    return Chip(
        memory_gib=figure(machines.figure("device_memory_gib", row)),
        linked=machines.figure("link_gb_s", row) > 0,
        staged=bool(machines.staged[row]),
        unified=bool(machines.unified[row]),
        brain=brain,
        half=half,
        single=single,
        byte=byte,
        float8=float8,
        fp64_share=double / single if single > 0 else 0.0,
        fp64_matrix=double > 0 and not plain >= double,
        matrix_units=known.matrix_units,
        image=_image(cloud, accelerators.vendor[accelerator], generation),
        fraction=FRACTION.note(f"the machine has {count:.3g} of a device") if 0 < count < 1 else None,
        superseded=SUPERSEDED.note(f"the device belongs to the {generation} generation") if known.superseded else None,
        compiler=COMPILED.get(accelerators.vendor[accelerator]),
        workers=known.workers,
    )


def _image(cloud: str | None, vendor: str, generation: str) -> Remark | None:
    known = generation_of(generation)
    if known.runtime is not None:
        runtime = f"use TPU software version {known.runtime}"
        return RuleId("vendor-image").note(f"{runtime}: TPU machines have their own images")
    image = MAKER_IMAGES[TPU] if vendor == TPU else CLOUD_IMAGES.get(cloud or "") or MAKER_IMAGES.get(vendor)
    if image is None:
        return None
    if known.last_cuda is not None:
        cuda = f"with CUDA {known.last_cuda}; those with a later one do not run here"
        return RuleId("vendor-image").note(f"use {image} {cuda}")
    return RuleId("vendor-image").note(f"use {image}: it is tuned for this device")


INSTRUCTIONS = {
    "none": "no AVX2", "avx2": "AVX2", "avx512f": "AVX-512 without dot products", "avx512_vnni": "AVX-512 with VNNI",
    "avx512_bf16": "AVX-512 with BF16", "amx": "AMX", "neon": "NEON", "sve": "SVE", "sve2": "SVE2",
}  # fmt: skip


def _of_type(machines: Machines, row: int, catalog: Catalog, listing: bool) -> Iterator[Remark]:
    """Warnings about an instance type, and about a processor that does the work alone and whose model nobody states."""
    types, one = catalog.instance_types, machines.figure("catalog_row", row)
    processor, vector = types.processor.item(one), VECTOR_CLASSES[machines.vector.item(row)]
    known = processor >= 0 and catalog.processors.microarchitecture[processor] != GENERIC
    accelerator, part = types.accelerator.item(one), types.accelerator_count.item(one)
    if not known and machines.accelerator.item(row) < 0 and vector in INSTRUCTIONS:
        taken = f"the estimate takes one with {INSTRUCTIONS[vector]}; it may be older or newer"
        yield RuleId("unknown-processor").note(f"the model of the processor is unknown; {taken}")
    if listing:
        yield LISTING
    withdrawn, share = types.withdrawn.item(one), types.sustained_cpu.item(one)
    if withdrawn >= 0:
        yield RuleId("retired-types").note(_withdrawn(catalog.withdrawn, withdrawn))
    elif types.retired.item(one):
        yield NOT_OFFERED
    if 0 < part < 1 and catalog.accelerators.vendor[accelerator] == "NVIDIA" and types.cloud[one] in VGPU_CLOUDS:
        yield VGPU
    if share < 1 and accelerator < 0:
        baseline = f"the baseline is {100 * share:.3g}% of {counted(types.vcpus.item(one), 'vCPU')}"
        yield RuleId("burstable-baseline").note(f"{baseline}; the estimate counts only this share")


def _withdrawn(withdrawn: Withdrawn, row: int) -> str:
    """Text that says why a newcomer cannot order a type, since when, and who says so."""
    since = withdrawn.since[row]
    when = f" since {since}" if since[:1].isdigit() else f" {since}" if since else ""
    why = WITHDRAWN_TEXTS[withdrawn.status[row] or RETIRED]
    return f"{why}{when} (source: {withdrawn.source[row]}, {withdrawn.as_of[row]})"
