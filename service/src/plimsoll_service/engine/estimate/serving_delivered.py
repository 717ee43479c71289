"""What the chosen replicas deliver at the asked load: requests, tokens, and how long each waits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate.outcome import ServingColumns
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.serving_load import LOADS, Configuration, at, interpolate
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
    columns: ServingColumns


def delivered(job: Job, model: Served, chosen: Configuration, nodes: Floats) -> Delivered:
    """The figures at the asked rate or concurrency, or flat out."""
    replicas, asked = chosen.replicas * nodes, job.workload.requests_per_second
    load = _operating_load(job, model, chosen, replicas)
    busy = np.minimum(replicas, job.workload.concurrency or np.inf)  # fewer users than replicas leave some idle
    highest = np.maximum(chosen.highest, 1.0)
    most = at(chosen.curve.rate, highest) * replicas
    each = at(chosen.curve.tpot, load) * MS
    held_back = _held_back(job, np.clip(chosen.most, load, LOADS[-1]), replicas) * model.output_tokens * each
    waiting = held_back + backlog_seconds(asked, most) * MS
    requests = at(chosen.curve.rate, load) * busy if asked is None else np.minimum(asked, most)
    return Delivered(
        load=load,
        tokens=requests * model.output_tokens,
        capacity=most * model.output_tokens,
        tail_ms=at(chosen.curve.ttft_p95, load) * MS + waiting,
        columns=ServingColumns(
            concurrency=load * busy,
            max_concurrency=np.floor(highest) * replicas,
            ttft_ms=at(chosen.curve.ttft, load) * MS + waiting,
            tpot_ms=each,
            tensor_parallel=chosen.degree,
            replicas=replicas,
        ),
    )


def _operating_load(job: Job, model: Served, chosen: Configuration, replicas: Floats) -> Floats:
    """Running requests of each busy replica at the asked rate or concurrency, or flat out within what is allowed."""
    highest = np.maximum(chosen.highest, 1.0)
    if job.workload.requests_per_second is not None:
        each, loads = job.workload.requests_per_second / replicas, np.array(LOADS)
        rates = loads / (chosen.curve.ttft + (model.output_tokens - 1) * chosen.curve.tpot)  # Little's law
        carried: Floats = np.minimum(interpolate(rates, loads, each), highest)
        return carried
    if job.workload.concurrency is not None:
        at_once: Floats = np.clip(job.workload.concurrency / replicas, 1.0, highest)
        return at_once
    flat_out: Floats = np.ones_like(highest) if lone_requests(job) else highest
    return flat_out


def _held_back(job: Job, places: Floats, replicas: Floats) -> Floats:
    """Requests that wait for a place, per place, where more are sent at once than the cache holds (Little's law)."""
    at_once = float(job.workload.concurrency or 0)
    waiting: Floats = np.maximum(at_once / replicas / places - 1.0, 0.0)
    return waiting
