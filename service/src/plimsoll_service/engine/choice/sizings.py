"""What one machine of the few options that an answer shows must have, as the contract's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, inf, isfinite, isnan

import numpy as np

from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.choice.shown import figure, known_figure
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import volumes
from plimsoll_service.engine.estimate.device_memory import refused_share
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.outcome import Column
from plimsoll_service.engine.hardware import Disks
from plimsoll_service.engine.quantities import (
    AcceleratorMemoryNeed,
    BatchSize,
    DiskSizing,
    MemoryNeed,
    Need,
    Sizing,
)
from plimsoll_service.engine.spreads import SPREADS
from plimsoll_service.engine.units import HOURS_PER_MONTH

Breakdown = dict[str, float]


def sizings_of(job: Job, scored: Scored, options: Options, shown: Places, disks: Disks) -> list[Sizing]:
    """What one machine of each shown option must have; the price of its disk is that of the option's region."""
    rows, outcome = options.candidate[shown].astype(np.intp), scored.outcome
    on_device = {name: part for name, part in outcome.device.parts.items() if name != "host"}
    columns = zip(
        rows.tolist(),
        outcome.vcpus_required[rows].tolist(),
        _breakdowns(outcome.host.parts, rows),
        _breakdowns(on_device, rows),
        _disks(job, scored, rows, disks, options.disk_usd_per_hour[shown].tolist()),
        strict=True,
    )
    return [_sizing(job, scored, *one) for one in columns]


def _sizing(
    job: Job, scored: Scored, row: int, vcpus: float, host: Breakdown, device: Breakdown, disk: DiskSizing
) -> Sizing:
    outcome, machines = scored.outcome, scored.machines
    batch = outcome.batch_used.item(row)
    return Sizing(
        vcpus=Need(figure(vcpus), figure(machines.vcpus.item(row))),
        memory_gib=MemoryNeed(figure(outcome.host.required.item(row)), figure(machines.memory_gib.item(row)), host),
        accelerator_memory_gib=_device_memory(job, scored, row, device),
        disk=disk,
        batch_size=BatchSize(int(batch), int(outcome.batch_largest.item(row))) if 0 < batch < inf else None,
    )


def _device_memory(job: Job, scored: Scored, row: int, breakdown: Breakdown) -> AcceleratorMemoryNeed | None:
    required = scored.outcome.device.required.item(row)
    if not isfinite(required):
        return None
    return AcceleratorMemoryNeed(
        required=figure(required),
        provided=figure(scored.machines.figure("device_memory_gib", row)),
        low=figure(required * refused_share(job)),
        high=figure(required * SPREADS["memory"][scored.machines.basis.item(row)].high),
        breakdown=breakdown,
    )


def _breakdowns(parts: Mapping[str, Column], rows: Places) -> list[Breakdown]:
    """What memory is made of, row by row; without what takes none."""
    if not parts:
        return [{} for _ in rows]
    sizes = zip(*(part[rows].tolist() for part in parts.values()), strict=True)
    return [{name: figure(size) for name, size in zip(parts, row, strict=True) if 0 < size < inf} for row in sizes]


def _disks(job: Job, scored: Scored, rows: Places, disks: Disks, usd_per_hour: list[float]) -> Iterator[DiskSizing]:
    """The disk to order: the machine's own NVMe, or the cloud's product with what must be bought for it."""
    need, asked = scored.outcome.disk, job.workload.disk.type or "auto"
    needs = (need.size_gib[rows].tolist(), need.iops[rows].tolist(), need.throughput_mib_s[rows].tolist())
    local, products = scored.outcome.local_disk[rows].tolist(), scored.product[rows].tolist()
    columns = zip(rows.tolist(), local, products, *needs, usd_per_hour, strict=True)
    for row, own, product, exact_gib, iops, mib_s, usd in columns:
        size_gib = figure(ceil(exact_gib))
        if own:
            yield DiskSizing("nvme", "local NVMe", size_gib, known_figure(iops), known_figure(mib_s), 0.0)
            continue
        wanted = _known(iops), min(_known(mib_s), _known(scored.machines.figure("disk_mib_s", row), inf))
        moved, attached = map(figure, _moved(disks, product, exact_gib, *wanted))
        if product < 0:
            yield DiskSizing(asked, None, size_gib, moved, attached, None)
        else:
            kind, monthly = disks.type[product] or asked, figure(usd * HOURS_PER_MONTH)
            yield DiskSizing(kind, disks.product[product], size_gib, moved, attached, monthly)


def _moved(disks: Disks, product: int, size_gib: float, iops: float, mib_s: float) -> tuple[float, float]:
    """Requests and MiB a second of a volume: those wanted, as far as it moves them, and at least the included ones."""
    included = volumes.terms_of(disks)
    least = included.iops_base.item(product), included.mib_s_base.item(product)
    free = least if product >= 0 else (volumes.PLAIN_IOPS, volumes.PLAIN_MIB_S)
    if iops > free[0] or mib_s > free[1]:  # what size sets a bound to is not always free
        most = volumes.limits(disks, np.array([product]), np.array([size_gib]))
        iops, mib_s = min(iops, most.iops.item()), min(mib_s, most.mib_s.item())
    return max(iops, least[0]), max(mib_s, least[1])


def _known(value: float, otherwise: float = 0.0) -> float:
    return otherwise if isnan(value) else value
