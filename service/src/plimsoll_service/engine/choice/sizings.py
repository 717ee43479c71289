"""Required resources of one machine of each shown option, as values of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, isnan, nan
from typing import Any

import numpy as np

from ..columns import take
from ..demand.job import Job
from ..estimate.input import disk_orders
from ..estimate.requirements import high_share, refused_share
from ..hardware import Disks, Places
from ..quantities import AcceleratorMemoryNeed, BatchSize, DiskSizing, Largest, MemoryNeed, Need, RootVolume, Sizing
from ..units import HOURS_PER_MONTH
from .details import Detail, on_device
from .estimating import Estimates
from .options import Options
from .rounding import figure, figures, known_figure

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
