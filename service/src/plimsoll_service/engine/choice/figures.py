"""Rows of columns as the contract's values: ranges, sizing and estimate of one option."""

from __future__ import annotations

from math import isfinite

import numpy as np

from plimsoll_service.engine.choice.options import Options, per_million
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.choice.shown import figure, ranged
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import volumes
from plimsoll_service.engine.estimate.device_memory import refused_share
from plimsoll_service.engine.estimate.outcome import BOTTLENECKS
from plimsoll_service.engine.estimate.ranges import Ends, metric_ends
from plimsoll_service.engine.hardware import Disks, known_or
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


def unit_of(job: Job) -> str:
    """What is counted a second."""
    if job.kind == kind.HPC:
        return "gflop/s"
    return "tokens/s" if job.by_tokens or job.kind == kind.SERVING else "samples/s"


def sizing_of(job: Job, scored: Scored, row: int, disks: Disks, disk_usd_per_hour: float) -> Sizing:
    """What one machine of the candidate must have; the price of its disk is that of the option's region."""
    outcome, machines = scored.outcome, scored.machines
    host = {name: figure(part[row]) for name, part in outcome.host.parts.items() if part[row] > 0}
    has_batch = isfinite(outcome.batch_used[row]) and outcome.batch_used[row] > 0
    return Sizing(
        vcpus=Need(figure(outcome.vcpus_required[row]), figure(machines.vcpus[row])),
        memory_gib=MemoryNeed(figure(outcome.host.required[row]), figure(machines.memory_gib[row]), host),
        accelerator_memory_gib=_device_memory(job, scored, row),
        disk=disk_of(job, scored, row, disks, disk_usd_per_hour),
        batch_size=BatchSize(int(outcome.batch_used[row]), int(outcome.batch_largest[row])) if has_batch else None,
    )


def _device_memory(job: Job, scored: Scored, row: int) -> AcceleratorMemoryNeed | None:
    device = scored.outcome.device
    required = float(device.required[row])
    if not isfinite(required):
        return None
    parts = {name: figure(part[row]) for name, part in device.parts.items() if isfinite(part[row]) and part[row] > 0}
    parts.pop("host", None)
    return AcceleratorMemoryNeed(
        required=figure(required),
        provided=figure(scored.machines.device_memory_gib[row]),
        low=figure(required * refused_share(job)),
        high=figure(required * SPREADS["memory"][int(scored.machines.basis[row])].high),
        breakdown=parts,
    )


def disk_of(job: Job, scored: Scored, row: int, disks: Disks, usd_per_hour: float) -> DiskSizing:
    """The disk to order: the machine's own NVMe, or the cloud's product with what must be bought for it."""
    need = scored.outcome.disk
    size = float(np.ceil(need.size_gib[row]))
    if scored.outcome.local_disk[row]:
        return DiskSizing(
            "nvme", "local NVMe", figure(size), _or_none(need.iops[row]), _or_none(need.throughput_mib_s[row]), 0.0
        )
    product = scored.product[row : row + 1]
    most = volumes.limits(disks, product, need.size_gib[row : row + 1])
    iops = float(np.fmin(known_or(need.iops[row]), most.iops[0]))
    attached = np.fmin(most.mib_s[0], scored.machines.disk_mib_s[row])
    mib_s = float(np.fmin(known_or(need.throughput_mib_s[row]), attached))
    known = int(product[0]) >= 0
    asked = job.workload.disk.type or "auto"
    return DiskSizing(
        type=(disks.type[int(product[0])] or asked) if known else asked,
        product=disks.product[int(product[0])] if known else None,
        size_gib=figure(size),
        iops=figure(max(iops, float(known_or(disks.iops_base[int(product[0])])) if known else iops)),
        throughput_mib_s=figure(
            max(mib_s, float(known_or(disks.throughput_base_mib_s[int(product[0])])) if known else mib_s)
        ),
        usd_per_month=figure(usd_per_hour * HOURS_PER_MONTH) if known else None,
    )


def _or_none(value: float) -> float | None:
    return figure(value) if isfinite(value) else None


def estimate_of(job: Job, scored: Scored, row: int, options: Options, option: int, spot: Spot | None) -> Estimate:
    """The estimate of a candidate, with cost where its option has a price."""
    outcome = scored.outcome
    rate = Rate(
        figure(outcome.throughput[row]),
        figure(outcome.throughput_low[row]),
        figure(outcome.throughput_high[row]),
        unit_of(job),
    )
    inference = job.kind in kind.INFERENCE_KINDS
    priced = isfinite(options.usd_per_hour[option])
    timed = not inference and isfinite(outcome.hours[row])
    return Estimate(
        basis=BASES[int(scored.machines.basis[row])],
        bottleneck=BOTTLENECKS[int(outcome.bottleneck[row])],
        throughput=rate,
        capacity=_capacity(job, scored, row) if inference else None,
        time_hours=_time(options, option) if timed else None,
        cost_usd=ranged(options.cost[option], options.cost_low[option], options.cost_high[option])
        if priced and timed
        else None,
        usd_per_hour=_hourly(options, option) if priced and not timed else None,
        usd_per_million=_millionth(scored, row, options, option) if priced and not timed else None,
        latency_ms=_latency(scored, row) if inference and outcome.serving is None else None,
        serving=_serving(scored, row),
        spot=spot,
    )


def _capacity(job: Job, scored: Scored, row: int) -> Rate:
    outcome = scored.outcome
    value, low, high = (figure(end[row]) for end in (outcome.capacity, outcome.capacity_low, outcome.capacity_high))
    return Rate(value, low, high, unit_of(job))


def _time(options: Options, option: int) -> Range:
    return ranged(options.hours[option], options.hours_low[option], options.hours_high[option])


def _hourly(options: Options, option: int) -> Range:
    whole = float(options.whole_usd_per_hour[option])
    return ranged(whole, whole, whole)


def _millionth(scored: Scored, row: int, options: Options, option: int) -> Range:
    outcome = scored.outcome
    whole = options.whole_usd_per_hour[option]
    ends = (
        per_million(whole, rate[row]) for rate in (outcome.throughput, outcome.throughput_high, outcome.throughput_low)
    )
    return ranged(*(float(end) for end in ends))


def _latency(scored: Scored, row: int) -> Range | None:
    outcome = scored.outcome
    if not isfinite(outcome.latency_ms[row]):
        return None
    return ranged(outcome.latency_ms[row], outcome.latency_low_ms[row], outcome.latency_high_ms[row])


def _serving(scored: Scored, row: int) -> Serving | None:
    outcome = scored.outcome
    columns = outcome.serving
    if columns is None:
        return None
    one = scored.machines.take(np.array([row]))
    ttft, tpot = metric_ends(one, "ttft"), metric_ends(one, "tpot")

    def milliseconds(value: float, ends: Ends) -> Range:
        low, high = float(ends.low[0]), float(ends.high[0])
        return ranged(value, value * low, value * high)

    return Serving(
        concurrency=figure(columns.concurrency[row]),
        max_concurrency=figure(columns.max_concurrency[row]),
        ttft_ms=milliseconds(float(columns.ttft_ms[row]), ttft),
        ttft_p95_ms=ranged(outcome.latency_ms[row], outcome.latency_low_ms[row], outcome.latency_high_ms[row]),
        tpot_ms=milliseconds(float(columns.tpot_ms[row]), tpot),
        tensor_parallel=int(columns.tensor_parallel[row]),
        replicas=int(columns.replicas[row]),
    )
