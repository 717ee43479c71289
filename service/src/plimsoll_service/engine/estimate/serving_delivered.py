"""What the chosen replicas deliver at the asked load: requests, tokens, and how long each waits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.serving_curves import GRID, LOADS, Curves, along, reached
from plimsoll_service.engine.estimate.serving_load import Configuration
from plimsoll_service.engine.estimate.serving_model import Served
from plimsoll_service.engine.hardware import Floats

MS = 1e3


@dataclass(frozen=True, eq=False)
class Delivered:
    """Tokens a second of all replicas, what could be, and the latencies at the load of each replica."""

    load: Floats
    tokens: Floats
    capacity: Floats
    tail_ms: Floats  # to the first token, 95th percentile
    tpot_ms: Floats
    columns: tuple[Floats, ...]  # as ``ServingColumns`` names them


def delivered(job: Job, model: Served, chosen: Configuration, curves: Curves, nodes: Floats) -> Delivered:
    """The figures at the asked rate or concurrency, or flat out."""
    replicas, asked = chosen.replicas * nodes, job.workload.requests_per_second
    highest = np.maximum(chosen.highest, 1.0)
    load = _operating_load(job, model, chosen, curves, replicas, highest)
    there = along(chosen.line, load)
    busy = np.minimum(replicas, job.workload.concurrency or np.inf)  # fewer users than replicas leave some idle
    most = chosen.carried * replicas
    each = there.of(curves.tpot) * MS
    waiting = _waiting_ms(job, chosen, load, replicas, each * model.output_tokens, most)
    requests = there.of(curves.rate) * busy if asked is None else np.minimum(asked, most)
    return Delivered(
        load=load,
        tokens=requests * model.output_tokens,
        capacity=most * model.output_tokens,
        tail_ms=there.of(curves.ttft_p95) * MS + waiting,
        tpot_ms=each,
        columns=(
            load * busy,
            np.floor(highest) * replicas,
            there.of(curves.ttft) * MS + waiting,
            each,
            chosen.degree,
            replicas,
        ),
    )


def _operating_load(
    job: Job, model: Served, chosen: Configuration, curves: Curves, replicas: Floats, highest: Floats
) -> Floats:
    """Running requests of each busy replica at the asked rate or concurrency, or flat out within what is allowed."""
    if job.workload.requests_per_second is not None:
        rates = GRID[:, None] / (curves.ttft + (model.output_tokens - 1) * curves.tpot)  # Little's law
        return np.minimum(reached(rates, job.workload.requests_per_second / replicas, chosen.line), highest)
    if job.workload.concurrency is not None:
        at_once: Floats = np.clip(job.workload.concurrency / replicas, 1.0, highest)
        return at_once
    return np.ones_like(highest) if lone_requests(job) else highest


def _waiting_ms(
    job: Job, chosen: Configuration, load: Floats, replicas: Floats, answer_ms: Floats, most: Floats
) -> Floats | float:
    """How long a request waits for its place, or in a queue that grows."""
    workload = job.workload
    waiting: Floats | float = 0.0
    if workload.concurrency is not None:
        waiting = _held_back(job, np.clip(chosen.most, load, LOADS[-1]), replicas) * answer_ms
    if workload.requests_per_second is not None:
        waiting = waiting + backlog_seconds(workload.requests_per_second, most) * MS
    return waiting


def _held_back(job: Job, places: Floats, replicas: Floats) -> Floats:
    """Requests that wait for a place, per place, where more are sent at once than the cache holds (Little's law)."""
    at_once = float(job.workload.concurrency or 0)
    waiting: Floats = np.maximum(at_once / replicas / places - 1.0, 0.0)
    return waiting
