"""Required resources of one machine of each shown option, as values of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, isnan, nan
from typing import Any

import numpy as np

from plimsoll_service.engine.choice.details import Detail, on_device
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.rounding import figure, figures, known_figure
from plimsoll_service.engine.columns import take
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.input import disk_orders
from plimsoll_service.engine.estimate.requirements import high_share, refused_share
from plimsoll_service.engine.hardware import Disks, Places
from plimsoll_service.engine.quantities import (
    AcceleratorMemoryNeed,
    BatchSize,
    DiskSizing,
    Largest,
    MemoryNeed,
    Need,
    RootVolume,
    Sizing,
)
from plimsoll_service.engine.units import HOURS_PER_MONTH

Names = tuple[str, ...]


def sizings_of(
    job: Job, estimates: Estimates, options: Options, shown: Places, disks: Disks, details: Sequence[Detail]
) -> list[Sizing]:
    """Return the required resources of one machine of each shown option, with the disk price of the option's region."""
    host, device = tuple(estimates.outcome.host.parts), tuple(on_device(estimates.outcome))
    usd_per_hour, roots_gib = options.disk_usd_per_hour[shown].tolist(), _roots_gib(disks, details)
    return [
        _sizing(one, host, device, needed, _disk(job, one, disks, usd, root_gib))
        for one, needed, usd, root_gib in zip(details, _needed(job, details), usd_per_hour, roots_gib, strict=True)
    ]


def _needed(job: Job, details: Sequence[Detail]) -> list[Any]:
    """vCPUs, host memory, memory of one device with its range, and all parts of both, rounded as shown."""
    low = refused_share(job)
    return figures(
        np.array(
            [
                (
                    one.vcpus,
                    one.host,
                    one.recommended_host,
                    one.device,
                    one.device * low,
                    one.device * high_share(job, one.basis),
                    *one.host_parts,
                    *one.device_parts,
                )
                for one in details
            ]
        )
    )


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


def _disk(job: Job, one: Detail, disks: Disks, usd_per_hour: float, root_gib: float) -> DiskSizing:
    """Disk to order: the machine's own NVMe, or the cloud's product with the size and speed to buy."""
    size_gib, iops, mib_s = figure(ceil(one.disk_gib)), one.disk_iops, one.disk_mib_s
    if one.local_disk:
        root = _root_volume(one, disks, usd_per_hour, root_gib)
        return DiskSizing("nvme", "local NVMe", size_gib, known_figure(iops), known_figure(mib_s), 0.0, root)
    asked, product = job.workload.disk.type or "auto", one.product
    wanted = _known(iops), min(_known(mib_s), _known(one.plate.disk_mib_s, inf))
    moved, attached = map(figure, _moved(disks, product, one.disk_gib, *wanted))
    if product < 0:
        return DiskSizing(asked, None, size_gib, moved, attached, None)
    kind, monthly = disks.type[product] or asked, figure(usd_per_hour * HOURS_PER_MONTH)
    return DiskSizing(kind, disks.product[product], size_gib, moved, attached, monthly)


def _root_volume(one: Detail, disks: Disks, usd_per_hour: float, size_gib: float) -> RootVolume | None:
    """Volume beside a local disk: it holds what the machine starts from, and the checkpoints."""
    if one.product < 0:
        return None
    _, mib_s = _moved(disks, one.product, size_gib, 0.0, _written_mib_s(one))
    monthly = figure(usd_per_hour * HOURS_PER_MONTH)
    return RootVolume(disks.product[one.product], figure(ceil(size_gib)), known_figure(mib_s), monthly)


def _roots_gib(disks: Disks, details: Sequence[Detail]) -> list[float]:
    """Size of each volume beside a local disk."""
    if not any(one.local_disk for one in details):
        return [nan] * len(details)
    product, held, written = zip(*[(one.product, one.root_gib, _written_mib_s(one)) for one in details], strict=True)
    terms = take(disk_orders.volume_prices(disks), np.array(product))
    sizes = disk_orders.size_moving(terms, np.array(held), np.zeros(len(details)), np.array(written))
    return list(sizes.tolist())


def _written_mib_s(one: Detail) -> float:
    return min(one.written_mib_s, _known(one.plate.disk_mib_s, inf))


def _moved(disks: Disks, product: int, size_gib: float, iops: float, mib_s: float) -> tuple[float, float]:
    """IOPS and MiB per second of a volume: those required, within its limits, and at least the included ones."""
    included = disk_orders.volume_prices(disks)
    least = included.iops_base.item(product), included.mib_s_base.item(product)
    free = least if product >= 0 else (disk_orders.PLAIN_IOPS, disk_orders.PLAIN_MIB_S)
    if iops > free[0] or mib_s > free[1]:  # speed that is bound by the size is not always included
        most = disk_orders.limits(disks, np.array([product]), np.array([size_gib]))
        iops, mib_s = min(iops, most.iops.item()), min(mib_s, most.mib_s.item())
    return max(iops, least[0]), max(mib_s, least[1])


def _known(value: float, otherwise: float = 0.0) -> float:
    return otherwise if isnan(value) else value
