"""Tabular learners on processors: passes over a matrix of rows × features, bound by memory traffic or by cores.

Gradient boosting by histograms touches every value once per level of a tree (Chen and Guestrin 2016, section 3;
Ke et al. 2017, section 2.1); a forest's trees and a linear model's passes likewise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import Volume
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import disk_columns
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.plain_work import Plain, host_only, plain_outcome
from plimsoll_service.engine.estimate.precision import arithmetic
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.spreads import SPREADS
from plimsoll_service.engine.units import GIB

# Nanoseconds of one core to take in one value, a level of a tree (of a linear model: a pass). XGBoost and LightGBM:
# geometric mean of LightGBM's documentation (docs/Experiments.rst of 2020-03-08: Higgs, 500 trees of 255 leaves,
# 16 threads of E5-2690 v4, 165.6 and 130.1 s, which is 1.3 and 1.0) and of an own measurement (0.9 and 1.5). The
# others: own alone. Own: 2026-11-21, XGBoost 3.2, LightGBM 4.7 and scikit-learn on 0.1 to 2 million rows of 28,
# 4-core x86 VM whose core is 1.5 times the reference.
VALUE_NS = {"xgboost": 1.1, "lightgbm": 1.2, "random-forest": 15.0, "logistic-regression": 2.4}
REFERENCE_GZIP_MB_S = 28.0  # one thread of the core that the figures are for; the machine's own scales them
VALUE_BYTES = 1.0  # a binned value
GRADIENT_BYTES = 8.0  # gradient and hessian of a row, read once a level
PARALLEL_EXPONENT = 0.9  # of the cores: boosting synchronises every level
TREE_LEVEL_NS = 5.0  # a level of a tree at inference: between 1.9 (XGBoost) and 16 (LightGBM), measured as above


def training(job: Job, machines: Machines, nodes: Floats, volume: Volume) -> Outcome:
    """Rows a second through the whole training (all trees, or all passes)."""
    feed, profile = job.feed, job.profile
    assert feed is not None
    assert profile is not None  # a tabular job always has rows and a learner
    machines = machines.on_processors()
    features = float(job.workload.features or 1)
    passes = _passes(job)
    core = VALUE_NS.get(profile.name, VALUE_NS["xgboost"]) * 1e-9 * REFERENCE_GZIP_MB_S / machines.gzip_mb_s
    compute = passes * features * core / machines.cores**PARALLEL_EXPONENT
    traffic = passes * (features * VALUE_BYTES + GRADIENT_BYTES) / (machines.cpu_bandwidth_gb_s * 1e9)
    size = feeding.plain_disk_need(job, nodes)
    disk = feeding.disk_of(job, machines, size, volume)
    parse = 1 / feeding.decode_rate(feed, machines)
    load = feeding.wait(parse, 1 / feeding.read_rate(feed, disk))
    each = np.maximum(compute, traffic) + load
    limit = np.where(
        load > np.maximum(compute, traffic),
        np.where(parse >= load * 0.5, bottleneck("input_pipeline"), bottleneck("disk_throughput")),
        np.where(compute >= traffic, bottleneck("cpu_compute"), bottleneck("memory_bandwidth")),
    ).astype(np.int32)
    work = _plain(job, machines, volume, 1 / each, limit, feed.samples * features * _bytes_per_value(job))
    return plain_outcome(job, machines, nodes, work)


def inference(job: Job, machines: Machines, nodes: Floats | None, volume: Volume) -> tuple[Outcome, Floats]:
    """Rows a second: each walks every tree (or one product), all cores side by side."""
    machines = machines.on_processors()
    trees, depth = float(job.workload.trees or 1), float(job.workload.depth or 1)
    features = float(job.workload.features or 1)
    scalar = machines.gzip_mb_s / REFERENCE_GZIP_MB_S
    steps = trees * depth if job.profile is not None and job.profile.family == "tree" else features
    seconds = steps * TREE_LEVEL_NS * 1e-9 / scalar
    machine_rate = machines.cores / seconds
    rate = job.workload.requests_per_second
    if nodes is None:
        low = SPREADS["unstudied"].low
        wanted = np.zeros(len(machines)) if rate is None else rate / (machine_rate * low)
        nodes = np.maximum(1.0, np.ceil(wanted))
    limit = np.full(len(machines), bottleneck("cpu_compute"), dtype=np.int32)
    work = _plain(job, machines, volume, machine_rate * nodes, limit, 0.0)
    return _served(plain_outcome(job, machines, nodes, work), job, seconds, nodes), nodes


def _passes(job: Job) -> float:
    """How often every value is read: a pass a level of each tree, or an epoch of a linear model."""
    if job.profile is not None and job.profile.family == "tree":
        return float(job.workload.trees or 1) * float(job.workload.depth or 1)
    return float(job.workload.epochs or 1)


def _bytes_per_value(job: Job) -> float:
    tree = job.profile.tree if job.profile is not None else None
    return tree.bytes_per_value if tree is not None else 8.0  # float64, scikit-learn's own


def _plain(job: Job, machines: Machines, volume: Volume, rate: Floats, limit: Ints, held_bytes: float) -> Plain:
    host_gib, parts = host_only(job, machines, np.full(len(machines), held_bytes / GIB))
    size = feeding.plain_disk_need(job, np.ones(len(machines)))
    return Plain(
        rate=rate,
        bottleneck=limit,
        numbers=arithmetic(machines, "fp32"),
        devices=np.ones(len(machines)),
        device_gib=np.full(len(machines), np.nan),
        host_gib=host_gib,
        host_parts=parts,
        vcpus=np.ones(len(machines)),
        size_gib=size,
        disk=feeding.disk_of(job, machines, size, volume),
        uses_device=np.zeros(len(machines), dtype=bool),
    )


def _served(outcome: Outcome, job: Job, seconds: Floats, nodes: Floats) -> Outcome:
    """The outcome with the latency of one row, and no more delivered than is asked."""
    spread = SPREADS["unstudied"]
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
        disk=disk_columns(job, outcome.disk.size_gib, delivered / nodes),
        latency_ms=latency,
        latency_low_ms=latency * spread.low,
        latency_high_ms=latency * spread.high,
        lone_latency_ms=latency,
    )
