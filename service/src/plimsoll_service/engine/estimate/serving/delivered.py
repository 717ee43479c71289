"""What the replicas of a machine deliver at a load: tokens a second, latencies, and waits for a slot.

A slot is a request that the engines run at once. Waits are as in M/M/c, since the lengths of answers vary: of the
requests that wait the time is exponential, and how many wait follows Sakasegawa (1977), load ^ (sqrt(2 (c + 1)) − 1).
"""

from __future__ import annotations

import numpy as np

from ...columns import Lazy, columnar, take
from ...demand.job import Job, lone_requests
from ...demand.served_model import Served
from ...hardware import Flags, Floats, Places
from ...units import MS
from ...waits import backlog_seconds
from ..outcome import Ranged
from ..ranges import Ends
from .configuration import Configuration
from .curves import LOADS, CurvePoints, Curves, points_at, reached

SLOWEST, SLOWER = 0.05, 0.5  # shares of the requests


@columnar
class Slots:
    """Slots of a replica: how many, seconds of a request and requests a second where all are taken.

    Up to ``free`` requests a second of a replica hardly any waits, in however many replicas.
    """

    count: Floats
    stay: Floats
    rate: Floats
    free: Floats


@columnar
class Waits:
    """Seconds that the slowest twentieth of the requests waits for a slot, and half of them."""

    long: Floats
    usual: Floats


def slots_of(most: Floats, possible: Floats, line: Places, curves: Curves) -> Slots:
    """Slots of replicas whose memory holds so many requests; no target bounds what an engine takes on."""
    count = np.clip(most, 1.0, LOADS[-1])
    stay = points_at(line, count).of(curves.whole)
    rate = np.minimum(count / stay, possible)
    free = np.where(most >= 1, rate * SLOWEST ** (1 / _exponent(count)), np.inf)  # what does not fit serves nobody
    return Slots(count, stay, rate, free)


def _exponent(count: Floats) -> Floats:
    return np.sqrt(2 * (count + 1)) - 1


def crowded(slots: Slots, asked: float, replicas: Floats) -> Places:
    """Rows where one in twenty requests at that rate waits for a slot."""
    rows = (slots.free * replicas < asked).nonzero()[0]
    if not len(rows):
        return rows
    load = asked / (slots.rate[rows] * replicas[rows])
    return rows[load ** _exponent(slots.count[rows] * replicas[rows]) > SLOWEST]


def waits_at_rate(slots: Slots, asked: float, replicas: Floats) -> Waits:
    """Waits of requests at that rate for the slots of so many replicas; in a queue that grows after an hour of it."""
    rows = crowded(slots, asked, replicas)
    long, usual = np.zeros(len(replicas)), np.zeros(len(replicas))
    count, rate = slots.count[rows] * replicas[rows], slots.rate[rows] * replicas[rows]
    load = np.minimum(asked / rate, 1.0)
    waiting = _exponent(count) * np.log(load)  # of the share that waits, the logarithm
    each = np.where(load < 1, slots.stay[rows] / (count * np.maximum(1 - load, 1e-12)), 0.0)  # none where a queue grows
    grown = backlog_seconds(asked, rate)
    for wait, beyond in ((long, SLOWEST), (usual, SLOWER)):
        wait[rows] = grown + np.maximum(waiting - np.log(beyond), 0.0) * each
    return Waits(long, usual)


@columnar
class Delivered:
    """Tokens a second of all replicas, delivered and possible, and the latencies at the load of each replica."""

    load: Floats
    tokens: Floats
    capacity: Floats
    possible: Floats  # the same whatever the targets
    tail_ms: Floats  # to the first token, 95th percentile
    busy: Floats  # replicas
    replicas: Floats
    highest: Floats  # load of each
    there: CurvePoints
    curves: Curves
    waiting_ms: Floats  # of the slowest twentieth, for a place
    usual_ms: Lazy  # of half of the requests
    running: Lazy  # requests that run on all replicas, in the mean

    def ttft_ms(self, rows: Places) -> Floats:
        """To the first token, median, of some machines."""
        return np.asarray(take(self.there, rows).of(self.curves.ttft) * MS + self.usual_ms[rows])

    def tpot_ms(self, rows: Places) -> Floats:
        """Between two tokens, of some machines."""
        return take(self.there, rows).of(self.curves.tpot) * MS

    def tpot_p95_ms(self, rows: Places) -> Floats:
        """Between two tokens, 95th percentile, of some machines."""
        return take(self.there, rows).of(self.curves.tpot_p95) * MS

    def whole_p95_ms(self, rows: Places) -> Floats:
        """To the end of the answer, 95th percentile, of some machines."""
        return take(self.there, rows).of(self.curves.whole_p95) * MS + self.waiting_ms[rows]


def delivered(
    job: Job, model: Served, chosen: Configuration, slots: Slots, curves: Curves, rates: Floats | None, nodes: Floats,
    at_once: Floats | None,
) -> Delivered:  # fmt: skip
    """The figures at the asked rate or concurrency, or at full load; ``rates`` and ``at_once`` as in ``Prepared``."""
    replicas, asked = replicas_of(chosen, nodes), job.workload.requests_per_second
    highest = np.maximum(chosen.highest, 1.0)
    load = _operating_load(job, chosen, slots, rates, replicas, highest, at_once)
    there = points_at(chosen.line, load)
    busy = replicas if at_once is None else np.minimum(replicas, at_once)  # fewer users than replicas leave some idle
    most = chosen.carried * replicas
    waits = _waits(job, model, slots, curves, there, replicas, at_once)
    requests = np.minimum(there.of(curves.rate), chosen.possible) * busy
    if asked is not None:
        requests = np.minimum(asked, slots.rate * replicas)
    return Delivered(
        load=load,
        tokens=requests * model.output_tokens,
        capacity=most * model.output_tokens,
        possible=chosen.possible * replicas * model.output_tokens,
        tail_ms=there.of(curves.ttft_p95) * MS + waits.long * MS,
        busy=busy,
        replicas=replicas,
        highest=highest,
        there=there,
        curves=curves,
        waiting_ms=waits.long * MS,
        usual_ms=Lazy(lambda rows: waits.usual[rows] * MS),
        running=Lazy(lambda rows: (load[rows] - (asked is not None)) * busy[rows]),
    )


def replicas_of(chosen: Configuration, nodes: Floats) -> Floats:
    """Replicas of so many machines; those that hold one together are counted whole, and at least one is."""
    whole = np.maximum(np.floor(nodes / chosen.span), 1.0) * chosen.span
    return np.rint(chosen.replicas * whole)


def _operating_load(
    job: Job, chosen: Configuration, slots: Slots, rates: Floats | None, replicas: Floats, highest: Floats,
    at_once: Floats | None,
) -> Floats:  # fmt: skip
    """Running requests of each busy replica at the asked rate or concurrency, or as many as are allowed.

    More are asked of a machine that is too slow for them than are allowed: it runs as many as it has slots.
    """
    asked = job.workload.requests_per_second
    if rates is not None and asked is not None:
        return np.minimum(reached(rates, asked / replicas, chosen.line), slots.count)
    if at_once is not None:
        return np.minimum(np.maximum(at_once / replicas, 1.0), slots.count)
    return np.ones_like(highest) if lone_requests(job) else highest


def _waits(
    job: Job, model: Served, slots: Slots, curves: Curves, there: CurvePoints, replicas: Floats, at_once: Floats | None
) -> Waits:
    """Wait of the requests for a slot of any replica."""
    asked = job.workload.requests_per_second
    nothing = np.zeros(len(replicas))
    waits = Waits(nothing, nothing) if asked is None else waits_at_rate(slots, asked, replicas)
    if at_once is None:
        return waits
    # Users wait where more send at once than there are slots, each taking as long as an answer (Little's law).
    answer = there.of(curves.tpot) * model.output_tokens
    held = np.maximum(at_once / replicas / slots.count - 1.0, 0.0) * answer
    return Waits(waits.long + held, waits.usual + held)


def highest_rate(
    job: Job, model: Served, chosen: Configuration, curves: Curves, run: Delivered, load: Floats, groups: Places
) -> Floats:  # fmt: skip
    """Tokens a second that an answer shows as the most: within the targets at the middle of the estimate.

    ``load``: requests that a replica of each of the groups runs within the targets. Fleets are sized by the slow end
    of the times, whose rate lies below. Where a load is beyond even that, the targets are missed, and the rate is what
    the replicas reach whatever they are.
    """
    sure, line = run.capacity[groups], chosen.line[groups]
    if job.workload.requests_per_second is not None:
        rate = np.minimum(points_at(line, load).of(curves.arriving), chosen.possible[groups])
        sure = np.maximum(sure, rate * run.replicas[groups] * model.output_tokens)
    return np.where(_late(run, groups), run.possible[groups], sure)


def its_range(job: Job, run: Delivered, sure: Floats, rate: Ends, value: Floats, groups: Places) -> Ranged:
    """It and its ends; ``sure``: tokens a second at the low end whatever the targets, ``rate``: the range of a rate."""
    low = value * rate.low[groups]
    if job.workload.requests_per_second is not None:
        within = np.minimum(run.capacity[groups], sure[groups])
        low = np.minimum(value, np.where(_late(run, groups), sure[groups], within))
    return value, low, value * rate.high[groups]


def _late(run: Delivered, groups: Places) -> Flags:
    """Whether the load is beyond the targets."""
    return run.tokens[groups] > run.capacity[groups]
