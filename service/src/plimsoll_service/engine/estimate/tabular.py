"""Tabular learners: passes over a matrix of rows × features, bound by memory traffic or by cores.

Gradient boosting by histograms touches every value once per level of a tree (Chen and Guestrin 2016, section 3;
Ke et al. 2017, section 2.1); a forest's trees and a linear model's passes likewise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.coefficients_boosting import (
    REFERENCE_GB_S,
    REFERENCE_GZIP_MB_S,
    VALUE_NS,
    Boosting,
)
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import recommended_share, usable_gib
from plimsoll_service.engine.estimate.drives import Disk, Drives, disk_of, plain_disk_need
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import bars, disk_columns
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck, select
from plimsoll_service.engine.estimate.plain_work import Plain, bare_host_gib, device_columns, host_parts, plain_outcome
from plimsoll_service.engine.estimate.precision import Support, single_precision
from plimsoll_service.engine.estimate.ranges import ends, unstudied
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.spreads import UNSTUDIED_SPREAD
from plimsoll_service.engine.units import GB, GIB

VALUE_BYTES = 1.0  # a binned value
GRADIENT_BYTES = 8.0  # gradient and hessian of a row, read once a level
PARALLEL_EXPONENT = 0.9  # of the cores, for what has no row: forests and linear models
TREE_LEVEL_NS = 5.0  # a level of a tree at inference: between 1.9 (XGBoost) and 16 (LightGBM), own measurement
COMPUTE, MEMORY, INPUT, DISK, DEVICE_MEMORY = (
    np.int32(bottleneck(name))
    for name in ("cpu_compute", "memory_bandwidth", "input_pipeline", "disk_throughput", "accelerator_memory_bandwidth")
)
LEAST_LEAF_ROWS = 20.0  # LightGBM's own bound; XGBoost's weight bound does much the same


def training(job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork) -> Outcome:
    """Rows a second through the whole training (all trees, or all passes), on cores or, where faster, on a GPU."""
    feed, profile = job.feed, job.profile
    assert feed is not None
    assert profile is not None  # a job of this kind always has rows and a learner
    features = float(job.workload.features or 1)
    held_gib = feed.samples * features * _bytes_per_value(job) / GIB
    compute, traffic = _on_cores(job, machines, feed.samples)
    on_gpu = _on_gpu(job, machines, feed.samples, held_gib)
    on_cores = compute + traffic
    faster = on_gpu < on_cores
    rented = machines
    machines = machines.changed(accelerator=np.where(faster, machines.accelerator, np.int32(-1)))
    disk = disk_of(job, drives, plain_disk_need(job, drives.nodes))
    parse = feeding.decode_seconds(feed, feeding.reference_cores(machines))
    load = feeding.wait(parse, (1 / feeding.read_rate(feed, disk)).take(disk.of))
    work_seconds = np.where(faster, on_gpu, on_cores)
    cores = np.where(compute >= traffic, COMPUTE, MEMORY)
    limit = np.where(
        load > work_seconds, np.where(parse >= load * 0.5, INPUT, DISK), np.where(faster, DEVICE_MEMORY, cores)
    )
    support = select(
        faster, *ground.of(lambda _: (single_precision(rented), single_precision(rented.on_processors())), "support")
    )
    work = _plain(
        job, machines, nodes, _whole(job, drives), 1 / (work_seconds + load), limit, held_gib, faster, support
    )
    return plain_outcome(job, machines, nodes, work, ends(machines, kind.TABULAR_TRAINING))


def _on_cores(job: Job, machines: Machines, rows: float) -> tuple[Floats, Floats]:
    """Seconds per row of computing (leaves included) and of memory traffic."""
    features, passes = float(job.workload.features or 1), _passes(job)
    boosting = _boosting(job)
    speed = machines.gzip_mb_s / REFERENCE_GZIP_MB_S
    if boosting is None:
        core = VALUE_NS[job.profile.name if job.profile is not None else "random-forest"] * 1e-9 / speed
        stream = passes * (features * VALUE_BYTES + GRADIENT_BYTES) / (machines.cpu_bandwidth_gb_s * GB)
        return passes * features * core / machines.cores**PARALLEL_EXPONENT, stream
    compute = passes * features * boosting.value_ns * 1e-9 / speed / machines.cores**boosting.cores_exponent
    leaf = (boosting.leaf_us + boosting.leaf_core_us * machines.cores) * 1e-6
    moved = passes * (features * boosting.value_bytes + GRADIENT_BYTES)
    return compute + _leaves(job, rows) * leaf / rows, moved / (machines.cpu_bandwidth_gb_s * GB)


def _on_gpu(job: Job, machines: Machines, rows: float, held_gib: float) -> Floats:
    """Seconds per row on one device; infinite for what no GPU does well, and where the table does not fit."""
    fit = job.coefficients.xgboost_on_gpu
    seconds = np.full(len(machines), np.inf)
    if job.profile is None or job.profile.name != "xgboost":
        return seconds
    places = np.flatnonzero(machines.nvidia)
    passes, features, some = _passes(job), float(job.workload.features or 1), machines.take(places)
    value = fit.value_ns * 1e-9 * (REFERENCE_GB_S / some.bandwidth_gb_s) ** fit.bandwidth_exponent
    found = passes * (features * value + fit.level_ms * 1e-3 / rows)
    room = usable_gib(some) * recommended_share(job)  # fuller, and the cores would do what the device may not
    able = (held_gib <= room) & ~np.isnan(found)
    seconds[places[able]] = found[able]
    return seconds


def _leaves(job: Job, rows: float) -> float:
    """Leaves of all trees: a full tree's, or what the rows allow."""
    full: float = 2.0 ** float(job.workload.depth or 1)
    return float(job.workload.trees or 1) * min(full, max(rows / LEAST_LEAF_ROWS, 1.0))


def _boosting(job: Job) -> Boosting | None:
    """The fitted learner; ``None`` for forests and linear models."""
    name = job.profile.name if job.profile is not None else ""
    return {"xgboost": job.coefficients.xgboost, "lightgbm": job.coefficients.lightgbm}.get(name)


def inference(
    job: Job, machines: Machines, nodes: Floats | None, drives: Drives, ground: Groundwork
) -> tuple[Outcome, Floats]:
    """Rows a second: each walks every tree (or one product), all cores side by side."""
    support = ground.of(lambda _: single_precision(machines.on_processors()), "support")
    machines = machines.on_processors()
    trees, depth = float(job.workload.trees or 1), float(job.workload.depth or 1)
    features = float(job.workload.features or 1)
    scalar = machines.gzip_mb_s / REFERENCE_GZIP_MB_S
    steps = trees * depth if job.profile is not None and job.profile.family == "tree" else features
    seconds = steps * TREE_LEVEL_NS * 1e-9 / scalar
    machine_rate = machines.cores / seconds
    rate = job.workload.requests_per_second
    if nodes is None:
        low = UNSTUDIED_SPREAD.low
        wanted = np.zeros(len(machines)) if rate is None else rate / (machine_rate * low)
        nodes = np.maximum(1.0, np.ceil(wanted))
    limit = np.full(len(machines), COMPUTE)
    disk = _whole(job, drives)
    work = _plain(job, machines, nodes, disk, machine_rate * nodes, limit, 0.0, machines.has_accelerator(), support)
    outcome = plain_outcome(job, machines, nodes, work, unstudied(machines))
    return _served(outcome, job, seconds, nodes, disk), nodes


def _whole(job: Job, drives: Drives) -> Disk:
    """The disk of a machine that has all data."""
    alone = drives.unshared()
    return disk_of(job, alone, plain_disk_need(job, alone.nodes))


def _passes(job: Job) -> float:
    """How often every value is read: a pass a level of each tree, or an epoch of a linear model."""
    if job.profile is not None and job.profile.family == "tree":
        return float(job.workload.trees or 1) * float(job.workload.depth or 1)
    return float(job.workload.epochs or 1)


def _bytes_per_value(job: Job) -> float:
    tree = job.profile.tree if job.profile is not None else None
    return tree.bytes_per_value if tree is not None else 8.0  # float64, scikit-learn's own


def _plain(
    job: Job,
    machines: Machines,
    nodes: Floats,
    disk: Disk,
    rate: Floats,
    limit: Ints,
    held_gib: float,
    on_gpu: Flags,
    support: Support,
) -> Plain:
    held, device = np.full(len(machines), held_gib), device_columns(machines, np.where(on_gpu, held_gib, np.nan))
    return Plain(
        rate=rate,
        bottleneck=limit,
        bars=bars(job, machines, nodes, support.supported, device),
        emulated=support.emulated,
        devices=np.ones(len(machines)),
        device=device,
        host_gib=bare_host_gib(job) + held,
        host_parts=host_parts(job, held),
        vcpus=np.ones(len(machines)),
        disk=disk,
    )


def _served(outcome: Outcome, job: Job, seconds: Floats, nodes: Floats, disk: Disk) -> Outcome:
    """The outcome with the latency of one row, and no more delivered than is asked."""
    spread = UNSTUDIED_SPREAD
    latency = seconds * 1e3
    rate = job.workload.requests_per_second
    delivered = outcome.capacity if rate is None else np.minimum(outcome.capacity, rate)
    if job.workload.concurrency is not None:
        delivered = np.minimum(delivered, job.workload.concurrency / seconds)
    return replace(
        outcome,
        throughput=delivered,
        throughput_low=np.minimum(delivered, outcome.throughput_low),
        throughput_high=delivered if rate is not None else outcome.throughput_high,
        disk=disk_columns(job, disk, delivered / nodes),
        latency_ms=latency,
        latency_low_ms=latency * spread.low,
        latency_high_ms=latency * spread.high,
        lone_latency_ms=latency,
    )
