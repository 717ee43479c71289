"""The few options that an answer shows as the contract's values: their sizing and their estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, inf, isfinite, isnan

import numpy as np

from plimsoll_service.engine.choice.options import Options, per_million
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.choice.shown import figure, figures, known_figure, ranges
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import volumes
from plimsoll_service.engine.estimate.device_memory import refused_share
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.outcome import BOTTLENECKS
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.hardware import Disks, Flags, Floats
from plimsoll_service.engine.quantities import (
    AcceleratorMemoryNeed,
    BatchSize,
    DiskSizing,
    Estimate,
    MemoryNeed,
    Need,
    Range,
    Rate,
    Serving,
    Sizing,
    Spot,
)
from plimsoll_service.engine.spreads import BASES, SPREADS
from plimsoll_service.engine.units import HOURS_PER_MONTH

Ends = tuple[Floats, Floats, Floats]  # value, low and high


def unit_of(job: Job) -> str:
    """What is counted a second."""
    if job.kind == kind.HPC:
        return "gflop/s"
    return "tokens/s" if job.by_tokens or job.kind == kind.SERVING else "samples/s"


def sizings_of(job: Job, scored: Scored, options: Options, shown: Places, disks: Disks) -> list[Sizing]:
    """What one machine of each shown option must have; the price of its disk is that of the option's region."""
    rows = options.candidate[shown].astype(np.intp)
    most = volumes.limits(disks, scored.product[rows], scored.outcome.disk.size_gib[rows])
    hourly = options.disk_usd_per_hour[shown].tolist()
    moved = zip(rows.tolist(), hourly, most.iops.tolist(), most.mib_s.tolist(), strict=True)
    return [
        _sizing(job, scored, row, disk_of(job, scored, row, disks, usd_per_hour, iops, mib_s))
        for row, usd_per_hour, iops, mib_s in moved
    ]


def _sizing(job: Job, scored: Scored, row: int, disk: DiskSizing) -> Sizing:
    outcome, machines = scored.outcome, scored.machines
    host = {name: figure(size) for name, part in outcome.host.parts.items() if (size := part[row]) > 0}
    batch = outcome.batch_used.item(row)
    return Sizing(
        vcpus=Need(figure(outcome.vcpus_required.item(row)), figure(machines.vcpus.item(row))),
        memory_gib=MemoryNeed(figure(outcome.host.required.item(row)), figure(machines.memory_gib.item(row)), host),
        accelerator_memory_gib=_device_memory(job, scored, row),
        disk=disk,
        batch_size=BatchSize(int(batch), int(outcome.batch_largest.item(row))) if 0 < batch < inf else None,
    )


def _device_memory(job: Job, scored: Scored, row: int) -> AcceleratorMemoryNeed | None:
    device = scored.outcome.device
    required = device.required.item(row)
    if not isfinite(required):
        return None
    sizes = {name: part[row] for name, part in device.parts.items() if name != "host"}
    return AcceleratorMemoryNeed(
        required=figure(required),
        provided=figure(scored.machines.device_memory_gib.item(row)),
        low=figure(required * refused_share(job)),
        high=figure(required * SPREADS["memory"][scored.machines.basis.item(row)].high),
        breakdown={name: figure(size) for name, size in sizes.items() if 0 < size < inf},
    )


def disk_of(
    job: Job, scored: Scored, row: int, disks: Disks, usd_per_hour: float, most_iops: float, most_mib_s: float
) -> DiskSizing:
    """The disk to order: the machine's own NVMe, or the cloud's product with what must be bought for it."""
    need = scored.outcome.disk
    size, iops, mib_s = float(ceil(need.size_gib.item(row))), need.iops.item(row), need.throughput_mib_s.item(row)
    if scored.outcome.local_disk.item(row):
        return DiskSizing("nvme", "local NVMe", figure(size), known_figure(iops), known_figure(mib_s), 0.0)
    product, asked = scored.product.item(row), job.workload.disk.type or "auto"
    moved = min(_known(iops), most_iops)
    attached = min(_known(mib_s), most_mib_s, _known(scored.machines.disk_mib_s.item(row), inf))
    if product < 0:
        return DiskSizing(asked, None, figure(size), figure(moved), figure(attached), None)
    return DiskSizing(
        type=disks.type[product] or asked,
        product=disks.product[product],
        size_gib=figure(size),
        iops=figure(max(moved, _known(disks.iops_base.item(product)))),
        throughput_mib_s=figure(max(attached, _known(disks.throughput_base_mib_s.item(product)))),
        usd_per_month=figure(usd_per_hour * HOURS_PER_MONTH),
    )


def _known(value: float, otherwise: float = 0.0) -> float:
    return otherwise if isnan(value) else value


def estimates_of(
    job: Job, scored: Scored, options: Options, shown: Places, spots: Mapping[int, Spot]
) -> list[Estimate]:
    """The estimate of each shown option, with cost where it has a price; ``spots`` are by row of the options."""
    outcome, rows = scored.outcome, options.candidate[shown].astype(np.intp)
    inference = job.kind in kind.INFERENCE_KINDS
    timed = np.isfinite(outcome.hours[rows]) & (not inference)
    priced = np.isfinite(options.usd_per_hour[shown])
    rates = _at(rows, outcome.throughput, outcome.throughput_low, outcome.throughput_high)
    columns = zip(
        [BASES[code] for code in scored.machines.basis[rows].tolist()],
        [BOTTLENECKS[code] for code in outcome.bottleneck[rows].tolist()],
        _rates(job, rates),
        _capacities(job, scored, rows) if inference else [None] * len(rows),
        _where(timed, _at(shown, options.hours, options.hours_low, options.hours_high)),
        _where(timed & priced, _at(shown, options.cost, options.cost_low, options.cost_high)),
        *_unending(priced & ~timed, options.whole_usd_per_hour[shown], rates),
        _latencies(scored, rows) if inference and outcome.serving is None else [None] * len(rows),
        _servings(scored, rows),
        [spots.get(option) for option in shown.tolist()],
        strict=True,
    )
    return [Estimate(*parts) for parts in columns]


def _at(rows: Places, value: Floats, low: Floats, high: Floats) -> Ends:
    return value[rows], low[rows], high[rows]


def _where(holds: Flags, ends: Ends) -> list[Range | None]:
    """The ranges of the rows in which they have a meaning."""
    if not holds.any():
        return [None] * len(holds)
    return [one if held else None for one, held in zip(ranges(*ends), holds.tolist(), strict=True)]


def _rates(job: Job, ends: Ends) -> list[Rate]:
    unit = unit_of(job)
    return [Rate(value, low, high, unit) for value, low, high in zip(*map(figures, ends), strict=True)]


def _capacities(job: Job, scored: Scored, rows: Places) -> list[Rate]:
    outcome = scored.outcome
    return _rates(job, _at(rows, outcome.capacity, outcome.capacity_low, outcome.capacity_high))


def _unending(holds: Flags, usd_per_hour: Floats, rates: Ends) -> tuple[list[Range | None], list[Range | None]]:
    """USD an hour and USD per million units, of what has no end."""
    value, slow, fast = rates
    dear_last = (per_million(usd_per_hour, value), per_million(usd_per_hour, fast), per_million(usd_per_hour, slow))
    return _where(holds, (usd_per_hour, usd_per_hour, usd_per_hour)), _where(holds, dear_last)


def _latencies(scored: Scored, rows: Places) -> list[Range | None]:
    outcome = scored.outcome
    ends = _at(rows, outcome.latency_ms, outcome.latency_low_ms, outcome.latency_high_ms)
    return _where(np.isfinite(ends[0]), ends)


def _servings(scored: Scored, rows: Places) -> Sequence[Serving | None]:
    outcome, columns = scored.outcome, scored.outcome.serving
    if columns is None:
        return [None] * len(rows)
    machines = scored.machines.take(rows)
    first, each = columns.ttft_ms[rows], columns.tpot_ms[rows]
    of_first, of_each = metric_ends(machines, "ttft"), metric_ends(machines, "tpot")
    parts = zip(
        figures(columns.concurrency[rows]),
        figures(columns.max_concurrency[rows]),
        ranges(first, first * of_first.low, first * of_first.high),
        ranges(*_at(rows, outcome.latency_ms, outcome.latency_low_ms, outcome.latency_high_ms)),
        ranges(each, each * of_each.low, each * of_each.high),
        columns.tensor_parallel[rows].astype(int).tolist(),
        columns.replicas[rows].astype(int).tolist(),
        strict=True,
    )
    return [Serving(*one) for one in parts]
