"""Tabular learners that answer: rows walk the trees on all cores, each call to predict costs its own time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.coefficients_boosting import REFERENCE_GZIP_MB_S
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.drives import Disk, Drives
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import disk_columns
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.estimate.plain_work import idle, plain_outcome
from plimsoll_service.engine.estimate.ranges import unstudied
from plimsoll_service.engine.estimate.tabular import COMPUTE, plain_of, whole_disk
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.spreads import UNSTUDIED_SPREAD

TREE_LEVEL_NS = 5.0  # a level of a tree at inference: between 1.9 (XGBoost) and 16 (LightGBM), own measurement
# What a call to predict takes besides its rows (checks, conversion, threads), µs on a reference core; of a forest also
# at each tree. Own measurement on 2026-11-21, medians of one row through scikit-learn's interface on a core 1.5 times
# the reference: XGBoost 3.2 97, LightGBM 4.7 325, scikit-learn 1.9's forest 150 and 27 a tree, its linear model 82.
CALL_US = {"xgboost": 145.0, "lightgbm": 490.0, "random-forest": 225.0, "logistic-regression": 125.0}
CALL_TREE_US = {"random-forest": 40.0}


def inference(
    job: Job, machines: Machines, nodes: Floats | None, drives: Drives, ground: Groundwork
) -> tuple[Outcome, Floats]:
    """Rows a second: each walks every tree (or one product), all cores side by side.

    Requests are calls of a row each; where nobody waits for one, rows are answered by the table, and no call counts.
    """
    used = ground.of(lambda plain: idle(plain, machines.again(), np.ones(1) if nodes is None else nodes), "idle")
    machines = used.machines
    trees, depth = float(job.workload.trees or 1), float(job.workload.depth or 1)
    features = float(job.workload.features or 1)
    scalar = machines.gzip_mb_s / REFERENCE_GZIP_MB_S
    steps = trees * depth if job.profile is not None and job.profile.family == "tree" else features
    row = steps * TREE_LEVEL_NS * 1e-9 / scalar
    answer = row + (CALL_US[job.learner] + trees * CALL_TREE_US.get(job.learner, 0.0)) * 1e-6 / scalar
    machine_rate = machines.cores / (answer if _one_by_one(job) else row)
    rate = job.workload.requests_per_second
    if nodes is None:
        low = UNSTUDIED_SPREAD.low
        wanted = np.zeros(len(machines)) if rate is None else rate / (machine_rate * low)
        nodes = np.maximum(1.0, np.ceil(wanted))
    disk = whole_disk(job, drives.unshared())
    work = plain_of(job, used, disk, machine_rate * nodes, np.full(len(machines), COMPUTE), 0.0)
    outcome = plain_outcome(job, machines, nodes, work, unstudied(machines))
    return _served(outcome, job, answer, nodes, disk), nodes


def _one_by_one(job: Job) -> bool:
    """Whether somebody waits for each row."""
    workload = job.workload
    waited = (workload.requests_per_second, workload.concurrency, workload.latency_ms)
    return any(figure is not None for figure in waited)


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
        throughput_low=np.minimum(delivered, outcome.throughput_low[:]),
        throughput_high=delivered if rate is not None else outcome.throughput_high,
        disk=disk_columns(job, disk, delivered / nodes),
        latency_ms=latency,
        latency_low_ms=latency * spread.low,
        latency_high_ms=latency * spread.high,
        lone_latency_ms=latency,
    )
