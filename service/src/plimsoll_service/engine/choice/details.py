"""Figures of the candidates that an answer shows in full, gathered once for all of them, and what each requires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, inf, isfinite, isnan, nan
from typing import Any, NamedTuple

import numpy as np

from ..columns import Column, Lazy, take
from ..demand.job import Job
from ..estimate.input import disk_orders
from ..estimate.outcome import ColdStart, Outcome, TrainingLayout
from ..estimate.requirements import high_share, refused_share
from ..hardware import Disks, Places
from ..quantities import AcceleratorMemoryNeed, BatchSize, DiskSizing, Largest, MemoryNeed, Need, RootVolume, Sizing
from ..units import HOURS_PER_MONTH, MS
from .estimating import Estimates
from .nameplates import Nameplate
from .options import Options
from .rounding import figure, figures, known_figure
from .software import Verdict


class Detail(NamedTuple):
    """Figures behind the sizing, reasons and warnings of one candidate; memory in GiB."""

    plate: Nameplate
    page_cache: float
    kv_cache: float  # on each device
    host_model: float  # weights that stay in the host's memory
    host_parts: tuple[float, ...]  # of what is required, in the order of the outcome's
    device_parts: tuple[float, ...]
    nodes: float
    basis: int
    shown_basis: int
    hardware: int  # the accelerator, or −1 less the vector class of processors
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
    disk_share: float  # of the time, that the disk adds; NaN of other work than preprocessing
    side_by_side: float  # runs on each machine; NaN of other work than a tabular learner's training
    emulated: bool
    capacity: float
    capacity_low: float
    max_concurrency: float  # of all replicas; NaN of other work than serving of language models
    product: int
    local_disk: bool
    disk_gib: float
    root_gib: float  # of the volume beside a local disk
    written_mib_s: float
    disk_iops: float
    disk_mib_s: float
    longest_context: float  # tokens; NaN of other work than serving of language models
    most_requests: float  # likewise
    tensor_parallel: float  # likewise, and the three below
    stages: float
    divided: float  # devices that the requests are divided over; 1 where heads are
    span: float  # machines of a replica
    first_s: float  # to the first token and to the end of the answer, 95th percentile
    answer_s: float
    load: float  # requests that a replica runs
    measured_load: float  # the most of one that was measured
    start: tuple[float, ...]  # seconds of each part of the cold start; empty of work without one
    by_hour: tuple[float, ...]  # machines of each hour of a day; empty without one
    layout: tuple[float, ...]  # of the trained model in memory; empty of other work
    runs: Verdict


# Figures by the names that they have in the outcome.
OF_OUTCOME = ("capacity", "capacity_low", "disk_share", "emulated", "local_disk", "lost_share")
OF_SERVING = ("load", "longest_context", "max_concurrency", "measured_load", "most_requests", "tensor_parallel")


def details_of(estimates: Estimates, rows: Places, plates: Sequence[Nameplate]) -> list[Detail]:
    """Return the details of the candidates in these rows; ``plates`` are those of their machines."""
    outcome, disk = estimates.outcome, estimates.outcome.disk
    chips, vectors = estimates.machines.accelerator, estimates.machines.vector
    columns: dict[str, Any] = {
        "nodes": estimates.nodes,
        "basis": estimates.machines.basis,
        "shown_basis": estimates.machines.shown_basis,
        "hardware": Lazy(lambda rows: np.where(chips[rows] >= 0, chips[rows], -1 - vectors[rows])),
        "device": outcome.device.required,
        "usable_device": outcome.device.usable,
        "host": outcome.host.required,
        "recommended_host": Lazy(outcome.host.recommended),
        "vcpus": outcome.vcpus_required,
        "devices": outcome.devices_used,
        "batch": outcome.batch_used,
        "largest_batch": outcome.batch_largest,
        "global_batch": None if outcome.together is None else outcome.together.samples,
        "side_by_side": outcome.runs,
        "product": estimates.product,
        "disk_gib": disk.size_gib,
        "root_gib": disk.root_gib,
        "written_mib_s": disk.written_mib_s,
        "disk_iops": disk.iops,
        "disk_mib_s": disk.throughput_mib_s,
        **{name: getattr(outcome, name) for name in OF_OUTCOME},
        **_served(outcome),
    }
    host, device = (
        {name: part[rows].tolist() for name, part in parts.items()}
        for parts in (outcome.host.parts, on_device(outcome))
    )
    starts, layouts, day = outcome.cold_start, outcome.layout, estimates.day
    gathered: dict[str, Sequence[Any]] = {
        name: [one] * len(rows) if isinstance(one, float) else one[rows].tolist()
        for name, one in columns.items()
        if one is not None
    } | {
        "plate": plates,
        "page_cache": host.get("page_cache", [0.0] * len(rows)),
        "kv_cache": device.get("kv_cache", [0.0] * len(rows)),
        "host_model": host.get("model", [0.0] * len(rows)),
        "host_parts": _by_row(host, len(rows)),
        "device_parts": _by_row(device, len(rows)),
        "start": _by_row({} if starts is None else _parts(starts, rows), len(rows)),
        "by_hour": [()] * len(rows) if day is None else list(map(tuple, day.nodes[:, rows].T.tolist())),
        "layout": _by_row({} if layouts is None else _parts(layouts, rows), len(rows)),
        "runs": [estimates.grounds.of(row) for row in rows.tolist()],
    }
    unknown = [nan] * len(rows)
    return [Detail(*one) for one in zip(*[gathered.get(name, unknown) for name in Detail._fields], strict=True)]


def _parts(columns: ColdStart | TrainingLayout, rows: Places) -> dict[str, list[float]]:
    return {name: part[rows].tolist() for name, part in vars(columns).items()}


def _served(outcome: Outcome) -> dict[str, Column]:
    """What a language model's layout holds, the layout, and the times of its answers."""
    serving = outcome.serving
    if serving is None:
        return {}
    return {
        **{name: getattr(serving, name) for name in OF_SERVING},
        "stages": serving.pipeline_parallel,
        "divided": serving.attention_data_parallel,
        "span": serving.nodes_per_replica,
        "first_s": Lazy(lambda rows: outcome.latency_ms[rows] / MS),
        "answer_s": Lazy(lambda rows: serving.end_to_end_p95_ms[rows] / MS),
    }


def on_device(outcome: Outcome) -> dict[str, Column]:
    """Parts of the memory need of one device."""
    return {name: part for name, part in outcome.device.parts.items() if name != "host"}


def _by_row(parts: Mapping[str, list[float]], rows: int) -> list[tuple[float, ...]]:
    return list(zip(*parts.values(), strict=True)) if parts else [()] * rows


Names = tuple[str, ...]


def sizings_of(
    job: Job, estimates: Estimates, options: Options, shown: Places, disks: Disks, details: Sequence[Detail]
) -> list[Sizing]:
    """Return the required resources of one machine of each shown option, with the disk price of the option's region."""
    host, device = tuple(estimates.outcome.host.parts), tuple(on_device(estimates.outcome))
    usd_per_hour, volumes = options.disk_usd_per_hour[shown].tolist(), _volumes(disks, details)
    return [
        _sizing(one, host, device, needed, _disk(job, one, disks, usd, *volume))
        for one, needed, usd, volume in zip(details, _needed(job, details), usd_per_hour, volumes, strict=True)
    ]


def _needed(job: Job, details: Sequence[Detail]) -> list[Any]:
    """vCPUs, host memory, memory of one device with its range, and all parts of both, rounded as shown."""
    low = refused_share(job)
    of_device = ((one.device, one.device * low, one.device * high_share(job, one.basis)) for one in details)
    rows = (
        (one.vcpus, one.host, one.recommended_host, *device, *one.host_parts, *one.device_parts)
        for one, device in zip(details, of_device, strict=True)
    )
    return figures(np.array(list(rows)))


def _sizing(one: Detail, host: Names, device: Names, needed: Sequence[float], disk: DiskSizing) -> Sizing:
    vcpus, host_gib, with_cache, device_gib, low, high, *parts = needed
    plate, split = one.plate, len(host)
    provided = nan if plate.chip is None else plate.chip.memory_gib
    of_device = AcceleratorMemoryNeed(device_gib, provided, low, high, _breakdown(device, parts[split:]))
    return Sizing(
        vcpus=Need(vcpus, plate.shown_vcpus),
        memory_gib=MemoryNeed(host_gib, plate.shown_memory_gib, with_cache, _breakdown(host, parts[:split])),
        accelerator_memory_gib=of_device if isfinite(one.device) else None,
        disk=disk,
        batch_size=BatchSize(int(one.batch), int(one.largest_batch)) if 0 < one.batch < inf else None,
        largest=Largest(int(one.longest_context), int(one.most_requests)) if isfinite(one.longest_context) else None,
    )


def _breakdown(names: Names, sizes: Sequence[float]) -> dict[str, float]:
    """Parts of the memory need, without empty ones."""
    return {name: size for name, size in zip(names, sizes, strict=True) if 0 < size < inf}


def _disk(
    job: Job, one: Detail, disks: Disks, usd_per_hour: float, size_gib: float, iops: float, mib_s: float
) -> DiskSizing:
    """Disk to order: the machine's own NVMe with its volume, or the cloud's product with the size and speed to buy."""
    held_gib, monthly = figure(ceil(one.disk_gib)), figure(usd_per_hour * HOURS_PER_MONTH)
    name = None if one.product < 0 else disks.product[one.product]
    if one.local_disk:
        speed = known_figure(one.disk_iops), known_figure(one.disk_mib_s)
        root = None if name is None else RootVolume(name, figure(ceil(size_gib)), known_figure(mib_s), monthly)
        return DiskSizing("nvme", "local NVMe", held_gib, *speed, 0.0, root)
    asked = job.workload.disk.type or "auto"
    if name is None:
        return DiskSizing(asked, None, held_gib, figure(iops), figure(mib_s), None)
    return DiskSizing(disks.type[one.product] or asked, name, held_gib, figure(iops), figure(mib_s), monthly)


def _volumes(disks: Disks, details: Sequence[Detail]) -> Sequence[tuple[float, float, float]]:
    """GiB, IOPS and MiB per second of each volume: that of the data, or the one beside a local disk.

    They are those required, within the volume's limits, and at least the included ones. A volume beside a local disk
    holds what the machine starts from, and the checkpoints.
    """
    product, *columns = zip(*map(_volume, details), strict=True)
    rows, (size_gib, iops, mib_s), included = np.array(product), np.array(columns), disk_orders.volume_prices(disks)
    beside = np.array([one.local_disk for one in details]).nonzero()[0]
    if len(beside):
        terms = take(included, rows[beside])
        size_gib[beside] = disk_orders.size_moving(terms, size_gib[beside], iops[beside], mib_s[beside])
    wanted, least = np.array([iops, mib_s]), np.array([included.iops_base[rows], included.mib_s_base[rows]])
    free = np.where(rows < 0, [[disk_orders.PLAIN_IOPS], [disk_orders.PLAIN_MIB_S]], least)
    few = (np.logical_or.reduce(wanted > free) & (rows >= 0)).nonzero()[0]  # of an unknown product, as they are needed
    if len(few):  # speed that is bound by the size is not always included
        most = disk_orders.limits(disks, rows[few], size_gib[few])
        wanted[:, few] = np.fmin(wanted[:, few], [most.iops, most.mib_s])
    return list(zip(size_gib.tolist(), *np.maximum(wanted, least).tolist(), strict=True))


def _volume(one: Detail) -> tuple[int, float, float, float]:
    """Product, GiB, IOPS and MiB per second that the volume needs, no faster than the machine's way to its disks."""
    attached = _known(one.plate.disk_mib_s, inf)
    if one.local_disk:
        return one.product, one.root_gib, 0.0, min(one.written_mib_s, attached)
    return one.product, one.disk_gib, _known(one.disk_iops), min(_known(one.disk_mib_s), attached)


def _known(value: float, otherwise: float = 0.0) -> float:
    return otherwise if isnan(value) else value
