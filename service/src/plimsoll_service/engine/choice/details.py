"""Figures of the candidates that an answer shows in full; each column is gathered once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.rounding import counted, figure
from plimsoll_service.engine.choice.software import Verdict
from plimsoll_service.engine.columns import Column, Lazy
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.generations import generation_of
from plimsoll_service.engine.hardware import (
    CLOSED,
    PEAKS,
    PREVIEW,
    PRIVATE,
    RESERVED,
    RETIRED,
    UNLISTED,
    Accelerators,
    Catalog,
    Places,
    Withdrawn,
)
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.rules import advice, constraint, estimate


class Detail(NamedTuple):
    """Figures behind the sizing, reasons and warnings of one candidate; memory in GiB."""

    plate: Nameplate
    page_cache: float
    host_parts: tuple[float, ...]  # of what is required, in the order of the outcome's
    device_parts: tuple[float, ...]
    nodes: float
    basis: int
    device: float  # required of one device
    usable_device: float
    host: float  # required
    recommended_host: float  # with the page cache that pays
    vcpus: float  # required
    devices: float
    batch: float
    largest_batch: float
    global_batch: float  # NaN of work without one
    lost_share: float  # of the devices' speed for want of input; NaN where that is unknown
    emulated: bool
    capacity: float
    product: int
    local_disk: bool
    disk_gib: float
    root_gib: float  # of the volume beside a local disk
    written_mib_s: float
    disk_iops: float
    disk_mib_s: float
    runs: Verdict


UNKNOWN = Lazy(lambda rows: np.full(len(rows), np.nan))


def details_of(estimates: Estimates, rows: Places, plates: Sequence[Nameplate]) -> list[Detail]:
    """Return the details of the candidates in these rows; ``plates`` are those of their machines."""
    outcome = estimates.outcome
    columns = (
        estimates.nodes,
        estimates.machines.basis,
        outcome.device.required,
        outcome.device.usable,
        outcome.host.required,
        Lazy(outcome.host.recommended),
        outcome.vcpus_required,
        outcome.devices_used,
        outcome.batch_used,
        outcome.batch_largest,
        UNKNOWN if outcome.together is None else outcome.together.samples,
        UNKNOWN if outcome.lost_share is None else outcome.lost_share,
        outcome.emulated,
        outcome.capacity,
        estimates.product,
        outcome.local_disk,
        outcome.disk.size_gib,
        outcome.disk.root_gib,
        Lazy(lambda rows: np.full(len(rows), outcome.disk.written_mib_s)),
        outcome.disk.iops,
        outcome.disk.throughput_mib_s,
    )
    host, device = (
        {name: part[rows].tolist() for name, part in parts.items()}
        for parts in (outcome.host.parts, on_device(outcome))
    )
    parts = host.get("page_cache", [0.0] * len(rows)), _by_row(host, len(rows)), _by_row(device, len(rows))
    gathered = (column[rows].tolist() for column in columns)
    runs = [estimates.grounds.of(row) for row in rows.tolist()]
    return [Detail(*one) for one in zip(plates, *parts, *gathered, runs, strict=True)]


def on_device(outcome: Outcome) -> dict[str, Column]:
    """Parts of the memory need of one device."""
    return {name: part for name, part in outcome.device.parts.items() if name != "host"}


def _by_row(parts: Mapping[str, list[float]], rows: int) -> list[tuple[float, ...]]:
    return list(zip(*parts.values(), strict=True)) if parts else [()] * rows


# Tuned image of each cloud; for other clouds, the image of the device manufacturer.
CLOUD_IMAGES = {
    "aws": "an AWS Deep Learning AMI or Container",
    "gcp": "a Google Deep Learning VM Image or Container",
    "azure": "an Azure Machine Learning curated environment or Data Science Virtual Machine",
    "alibaba": "an official image of Alibaba Cloud's Platform for AI (PAI)",
    "lambda": "Lambda Stack (installed in Lambda's own images)",
}

MAKER_IMAGES = {
    "NVIDIA": "a container from NVIDIA's NGC catalog",
    "AMD": "one of AMD's ROCm containers",
    "Intel Habana": "one of Habana's containers for Gaudi",
    "Google": "one of Google's images for TPU",
    "AWS": "an AWS Neuron container",
}

MANAGED_SERVICES = {
    "aws": "Amazon SageMaker AI training (also on managed spot capacity)",
    "gcp": "Vertex AI custom training",
    "azure": "Azure Machine Learning jobs",
    "alibaba": "PAI's Deep Learning Containers",
}

ARM = advice.ARM_SOFTWARE.note("the machine has an Arm processor; use programs and images that are built for Arm")

NOT_OFFERED = constraint.RETIRED.note("no longer offered to new customers")
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
    brain: float  # bf16
    half: float
    single: float
    byte: float
    fp64_share: float  # of the rate of FP32; 0 where they have no FP64
    matrix_units: bool
    image: Note | None
    fraction: Note | None
    superseded: Note | None


class Nameplate(NamedTuple):
    """Figures of a machine; shown ones are rounded as in an answer."""

    vcpus: float
    shown_vcpus: float
    shown_memory_gib: float
    disk_mib_s: float
    rented: bool  # an instance type, not a machine of the user's own
    chip: Chip | None
    managed: Note | None
    arm: Note | None
    of_type: tuple[Note, ...]


def nameplate_of(machines: Machines, row: int, catalog: Catalog) -> Nameplate:
    """Return the nameplate of one of the machines."""
    types, catalog_row = catalog.instance_types, machines.figure("catalog_row", row)
    rented, vcpus = catalog_row >= 0, machines.vcpus.item(row)
    cloud = types.cloud[catalog_row] if rented else None
    return Nameplate(
        vcpus=vcpus,
        shown_vcpus=figure(vcpus),
        shown_memory_gib=figure(machines.memory_gib.item(row)),
        disk_mib_s=machines.figure("disk_mib_s", row),
        rented=rented,
        chip=_chip(machines, row, catalog.accelerators, cloud),
        managed=_managed(cloud),
        arm=ARM if rented and types.architecture[catalog_row] == "arm64" else None,
        of_type=_of_type(catalog, catalog_row) if rented else (),
    )


def _chip(machines: Machines, row: int, accelerators: Accelerators, cloud: str | None) -> Chip | None:
    accelerator = machines.accelerator.item(row)
    if accelerator < 0:
        return None
    brain, half, single, byte, double = (
        accelerators.peak_tflops.item(accelerator, PEAKS.index(name))
        for name in ("bf16", "fp16", "fp32", "int8", "fp64")
    )
    generation, count = accelerators.generation[accelerator], machines.figure("count", row)
    return Chip(
        memory_gib=figure(machines.figure("device_memory_gib", row)),
        linked=machines.figure("link_gb_s", row) > 0,
        brain=brain,
        half=half,
        single=single,
        byte=byte,
        fp64_share=double / single if double > 0 and single > 0 else 0.0,
        matrix_units=generation_of(generation).matrix_units,
        image=_image(cloud, accelerators.vendor[accelerator]),
        fraction=advice.FRACTION.note(f"the machine has {count:.3g} of a device") if 0 < count < 1 else None,
        superseded=_superseded(generation),
    )


def _image(cloud: str | None, vendor: str) -> Note | None:
    image = CLOUD_IMAGES.get(cloud or "") or MAKER_IMAGES.get(vendor)
    if image is None:
        return None
    return advice.VENDOR_IMAGE.note(f"use {image}: it is tuned for this device")


def _managed(cloud: str | None) -> Note | None:
    if cloud not in MANAGED_SERVICES:
        return None
    return advice.MANAGED_TRAINING.note(f"{MANAGED_SERVICES[cloud]}: you pay only for the run; no price is known")


def _superseded(generation: str) -> Note | None:
    if not generation_of(generation).superseded:
        return None
    return advice.SUPERSEDED.note(f"the device belongs to the {generation} generation")


def _of_type(catalog: Catalog, row: int) -> tuple[Note, ...]:
    """Warnings about an instance type."""
    types = catalog.instance_types
    notes, withdrawn = [], types.withdrawn.item(row)
    if withdrawn >= 0:
        notes.append(constraint.RETIRED.note(_withdrawn(catalog.withdrawn, withdrawn)))
    elif types.retired.item(row):
        notes.append(NOT_OFFERED)
    share, vcpus = types.sustained_cpu.item(row), types.vcpus.item(row)
    if share < 1 and types.accelerator.item(row) < 0:
        baseline = (
            f"the baseline is {100 * share:.3g}% of {counted(vcpus, 'vCPU')}; the estimate counts only this share"
        )
        notes.append(estimate.BURSTABLE.note(baseline))
    return tuple(notes)


def _withdrawn(withdrawn: Withdrawn, row: int) -> str:
    """Text that says why a newcomer cannot order a type, since when, and who says so."""
    since = withdrawn.since[row]
    when = f" since {since}" if since[:1].isdigit() else f" {since}" if since else ""
    why = WITHDRAWN_TEXTS[withdrawn.status[row] or RETIRED]
    return f"{why}{when} (source: {withdrawn.source[row]}, {withdrawn.as_of[row]})"
