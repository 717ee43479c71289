"""The figures of the few candidates that an answer shows in full: each column is gathered once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.nameplate import Nameplate
from plimsoll_service.engine.columns import Column
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.hardware import Places


class Detail(NamedTuple):
    """What sizes, reasons and warnings of one candidate are made of; memory in GiB."""

    plate: Nameplate
    page_cache: float
    host_parts: tuple[float, ...]  # of what is required, in the order of the outcome's
    device_parts: tuple[float, ...]
    nodes: float
    basis: int
    device: float  # required of one device
    usable_device: float
    host: float  # required
    vcpus: float  # required
    devices: float
    batch: float
    largest_batch: float
    emulated: bool
    capacity: float
    product: int
    local_disk: bool
    disk_gib: float
    disk_iops: float
    disk_mib_s: float


def details_of(estimates: Estimates, rows: Places, plates: Sequence[Nameplate]) -> list[Detail]:
    """The details of the candidates in these rows, whose machines have these nameplates."""
    outcome = estimates.outcome
    columns = (
        estimates.nodes,
        estimates.machines.basis,
        outcome.device.required,
        outcome.device.usable,
        outcome.host.required,
        outcome.vcpus_required,
        outcome.devices_used,
        outcome.batch_used,
        outcome.batch_largest,
        outcome.emulated,
        outcome.capacity,
        estimates.product,
        outcome.local_disk,
        outcome.disk.size_gib,
        outcome.disk.iops,
        outcome.disk.throughput_mib_s,
    )
    host, device = (
        {name: part[rows].tolist() for name, part in parts.items()}
        for parts in (outcome.host.parts, on_device(outcome))
    )
    parts = host.get("page_cache", [0.0] * len(rows)), _by_row(host, len(rows)), _by_row(device, len(rows))
    gathered = (column[rows].tolist() for column in columns)
    return [Detail(*one) for one in zip(plates, *parts, *gathered, strict=True)]


def on_device(outcome: Outcome) -> dict[str, Column]:
    """What memory of one device is made of."""
    return {name: part for name, part in outcome.device.parts.items() if name != "host"}


def _by_row(parts: Mapping[str, list[float]], rows: int) -> list[tuple[float, ...]]:
    return list(zip(*parts.values(), strict=True)) if parts else [()] * rows
