"""What the chosen replicas deliver at the asked load: requests, tokens, and how long each waits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.serving_curves import GRID, LOADS, Along, Curves, along, reached
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
    busy: Floats  # replicas
    replicas: Floats
    highest: Floats  # load of each
    there: Along
    curves: Curves
    waiting_ms: Floats

    def ttft_ms(self, rows: Places) -> Floats:
        """To the first token, median, of some machines."""
        return self.there.some(rows).of(self.curves.ttft) * MS + self.waiting_ms[rows]

    def tpot_ms(self, rows: Places) -> Floats:
        """Between two tokens, of some machines."""
        return self.there.some(rows).of(self.curves.tpot) * MS


def delivered(
    job: Job, model: Served, chosen: Configuration, curves: Curves, rates: Floats | None, nodes: Floats
) -> Delivered:
    """The figures at the asked rate or concurrency, or flat out; ``rates`` as ``rates_of`` tells."""
    replicas, asked = chosen.replicas * nodes, job.workload.requests_per_second
    highest = np.maximum(chosen.highest, 1.0)
    load = _operating_load(job, chosen, rates, replicas, highest)
    there = along(chosen.line, load)
    at_once = job.workload.concurrency
    busy = replicas if at_once is None else np.minimum(replicas, at_once)  # fewer users than replicas leave some idle
    most = chosen.carried * replicas
    waiting = _waiting_ms(job, model, chosen, curves, there, load, replicas, most)
    requests = there.of(curves.rate) * busy if asked is None else np.minimum(asked, most)
    return Delivered(
        load=load,
        tokens=requests * model.output_tokens,
        capacity=most * model.output_tokens,
        tail_ms=there.of(curves.ttft_p95) * MS + waiting,
        busy=busy,
        replicas=replicas,
        highest=highest,
        there=there,
        curves=curves,
        waiting_ms=waiting,
    )


def rates_of(job: Job, model: Served, curves: Curves) -> Floats | None:
    """Requests a second of each curve at the loads of the grid (Little's law), where a rate is asked."""
    if job.workload.requests_per_second is None:
        return None
    rates: Floats = GRID[:, None] / (curves.ttft + (model.output_tokens - 1) * curves.tpot)
    return rates


def _operating_load(job: Job, chosen: Configuration, rates: Floats | None, replicas: Floats, highest: Floats) -> Floats:
    """Running requests of each busy replica at the asked rate or concurrency, or flat out within what is allowed."""
    asked, at_once = job.workload.requests_per_second, job.workload.concurrency
    if rates is not None and asked is not None:
        return np.minimum(reached(rates, asked / replicas, chosen.line), highest)
    if at_once is not None:
        each: Floats = np.clip(at_once / replicas, 1.0, highest)
        return each
    return np.ones_like(highest) if lone_requests(job) else highest


def _waiting_ms(
    job: Job, model: Served, chosen: Configuration, curves: Curves, there: Along, load: Floats, replicas: Floats,
    most: Floats,
) -> Floats:  # fmt: skip
    """How long a request waits for its place, or in a queue that grows."""
    workload = job.workload
    waiting = np.zeros(len(load))
    if workload.concurrency is not None:
        answer_ms = there.of(curves.tpot) * MS * model.output_tokens
        waiting = _held_back(job, np.clip(chosen.most, load, LOADS[-1]), replicas) * answer_ms
    if workload.requests_per_second is not None:
        waiting = waiting + backlog_seconds(workload.requests_per_second, most) * MS
    return waiting


def _held_back(job: Job, places: Floats, replicas: Floats) -> Floats:
    """Requests that wait for a place, per place, where more are sent at once than the cache holds (Little's law)."""
    at_once = float(job.workload.concurrency or 0)
    waiting: Floats = np.maximum(at_once / replicas / places - 1.0, 0.0)
    return waiting
