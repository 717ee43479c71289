"""A service that answers in batches: the time to answer by rate or users, and the machines that answer in time.

The devices of all machines share one queue. Each runs one batch after another (a processor several side by side), and
takes the requests that wait, up to the largest batch that it may run. Rules: batch-queue, users-in-batches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..demand.job import Job, answer_target_ms, lone_requests
from ..hardware import Flags, Floats, Places
from ..units import MS
from ..waits import BATCHES, FULLEST, MEDIAN, TAIL, Waits, backlog_seconds

LARGEST = BATCHES[-1]  # batch of the table
MIDDLE = 0.5  # load below which a batch beyond the table's largest is not what a request waits for
# Batches vary around the one that the load makes: their step is taken around one twice as large, which errs least over
# steps that bend as those of devices do (median 1.5% of the 95th percentile, one in 20 by more than 15%, at most 32%).
WIDER = 2.0
RESIDUAL = (0.5, 0.95)  # of the gap between two devices that become free: where users wait, at any point of it
HALVINGS = 8  # of a load
AS_FAST = 1.05  # a larger batch for less than that takes more memory, and each answer longer. Rule: batch-chosen
AS_SOON = 1.05  # what is said to be as soon: the queue's own error, above, is often as large
BELOW = 1 - 1e-12  # keeps a load that machines just carry from taking one more


@dataclass(frozen=True, eq=False)
class Cells:
    """Machines, each at one largest batch: places in the columns and rows of a service."""

    place: Places
    machine: Places

    def take(self, some: Places) -> Cells:
        """Some of them."""
        return Cells(self.place[some], self.machine[some])


@dataclass(frozen=True, eq=False)
class BatchService:
    """One machine's service: a row a batch that its devices may take, from 1 on; a column a machine."""

    waits: Waits
    batches: Floats  # by row, rising
    steps: Floats  # seconds of each batch on one device, its data brought in
    allowed: Flags  # as the largest batch
    servers: Floats  # of one machine
    stock: Floats | None = None  # seconds as ``steps``, of the software that this one was made of
    beside: Floats | float = 0.0  # seconds of each request that no other waits for, by machine

    def _beside(self, machine: Places) -> Floats:
        """Seconds of a request beside its batch, of each of those machines."""
        each: Floats = np.broadcast_to(self.beside, len(self.servers))[machine]
        return each

    @cached_property
    def rates(self) -> Floats:
        """Requests a second of one machine in batches of each size."""
        return self.batches[:, None] * self.servers / self.steps

    @cached_property
    def _carried(self) -> Floats:
        """Requests a second of one device that batches of up to each size carry."""
        return np.maximum.accumulate(self.batches[:, None] / self.steps, axis=0)

    @cached_property
    def _growth(self) -> Floats:
        """Seconds that one more request adds to a step of each batch: between those before and after it."""
        if len(self.batches) == 1:
            return np.zeros_like(self.steps)
        between = np.diff(self.steps, axis=0) / np.diff(self.batches)[:, None]
        return np.concatenate([between[:1], (between[:-1] + between[1:]) / 2, between[-1:]])

    @property
    def alone(self) -> Floats:
        """Seconds of a request alone on each machine."""
        seconds: Floats = self.steps[0] + self.beside
        return seconds

    def all(self, place: Places) -> Cells:
        """Every machine at its batch."""
        return Cells(place, np.arange(len(self.servers)))

    def fastest(self) -> Places:
        """The place of the smallest batch that carries as much as any, but for a twentieth. Rule: batch-chosen.

        It carries no less than the batch that the stock software would take.
        """
        rates = np.where(self.allowed, self.rates, -1.0)
        enough = rates * AS_FAST >= rates.max(axis=0)
        if self.stock is not None:
            stock = replace(self, steps=self.stock, stock=None)
            least = stock.rates[stock.fastest(), np.arange(len(self.servers))]
            enough &= rates >= np.minimum(least, rates.max(axis=0))
        place: Places = enough.argmax(axis=0)
        return place

    def most(self) -> Floats:
        """Requests a second of one machine in the batches that carry most."""
        most: Floats = np.where(self.allowed, self.rates, 0.0).max(axis=0)
        return most

    def seconds(self, cells: Cells, nodes: Floats, rate: Floats, quantile: int = TAIL) -> Floats:
        """Time to answer of so many machines at a rate of requests, one by one; beyond the fullest, as there.

        Around the batch that the load makes, a step takes a fixed time and an equal time for each request.
        """
        servers, batch = self.servers[cells.machine] * nodes, self.batches[cells.place]
        each = np.minimum(rate / servers, FULLEST * batch / self.steps[cells.place, cells.machine])
        made, step = self._made(cells, each)
        wide = np.minimum(WIDER * made, batch)
        wide_step, more = self._step_at(cells.machine, wide)
        more = np.maximum(more, 0.0)
        growing = more * made / (np.maximum(wide_step - more * wide, 0.0) + more * made)  # elasticity of the step
        fixed = made * (1 - growing) / (made * (1 - growing) + growing)
        load = each * step * ((1 - growing) / batch + growing / made)
        as_if = each * step * ((1 - growing) / LARGEST + growing / made)
        load = np.where(batch > LARGEST, np.maximum(load, np.minimum(as_if, MIDDLE)), load)
        waited = step * self.waits.ratio(quantile, fixed, np.minimum(batch, LARGEST), servers, load)
        return waited + self._beside(cells.machine)

    def _made(self, cells: Cells, each: Floats) -> tuple[Floats, Floats]:
        """The batch that a rate at each device makes, and its step: as many requests as arrive in that time."""
        high = np.minimum(np.sum(self._carried[:, cells.machine] < each, axis=0), cells.place)  # the first to carry it
        low, machine = np.maximum(high - 1, 0), cells.machine
        smaller, step, next_step = self.batches[low], self.steps[low, machine], self.steps[high, machine]
        apart = np.maximum(self.batches[high] - smaller, 1.0)
        slope = (next_step - step) / apart
        made = each * (step - slope * smaller) / np.maximum(1 - each * slope, 1e-9)
        share = np.clip((made - smaller) / apart, 0.0, 1.0) * (high > low)
        return smaller + share * apart, step + share * (next_step - step)

    def _step_at(self, machine: Places, taken: Floats) -> tuple[Floats, Floats]:
        """Seconds of a step between the known ones, and those that one more request adds."""
        high = np.minimum(np.searchsorted(self.batches, taken), len(self.batches) - 1)
        low = np.maximum(high - 1, 0)
        share = (taken - self.batches[low]) / np.maximum(self.batches[high] - self.batches[low], 1.0)
        step, more = (
            one[low, machine] * (1 - share) + one[high, machine] * share for one in (self.steps, self._growth)
        )
        return step, more

    def seconds_of_users(self, cells: Cells, nodes: Floats, users: float, quantile: int = TAIL) -> Floats:
        """Time to answer of so many users, each of whom sends the next request when the last one is answered.

        With a device for each, nobody waits. Else a request waits for the next device that becomes free.
        """
        servers = self.servers[cells.machine] * nodes
        made = np.clip(users / (servers + RESIDUAL[MEDIAN]), 1.0, self.batches[cells.place])
        in_turn = users / (self._carried[cells.place, cells.machine] * servers)  # Little's law
        waiting = np.maximum(self._step_at(cells.machine, made)[0] * (1 + RESIDUAL[quantile] / servers), in_turn)
        return np.where(users <= servers, self.steps[0, cells.machine], waiting) + self._beside(cells.machine)


@dataclass(frozen=True, eq=False)
class Load:
    """The load of a service: a rate or users; ``low``: the low end of each machine's rate, as a factor."""

    low: Floats
    rate: float | None = None
    users: float | None = None

    def least(self, service: BatchService) -> Floats:
        """Machines that carry it at each batch; infinite at batches that may not be the largest."""
        needed = np.ones_like(service.steps)
        if self.rate is not None:
            needed = np.ceil(self.rate / (service.rates * self.low * FULLEST) * BELOW)
        return np.where(service.allowed & ~np.isnan(needed), np.maximum(needed, 1.0), np.inf)

    def late_seconds(self, service: BatchService, cells: Cells, nodes: Floats) -> Floats:
        """Time to answer at the low end of the rate of the machines."""
        low = self.low[cells.machine]
        if self.rate is not None:
            return service.seconds(cells, nodes, self.rate / low) / low
        return service.seconds_of_users(cells, nodes, float(self.users or 1)) / low


def asked_load(job: Job, low: Floats) -> Load:
    """The load that a job asks for, if any."""
    users = job.workload.concurrency
    return Load(low, job.workload.requests_per_second, None if users is None else float(users))


def limit_seconds(job: Job) -> float | None:
    """Seconds within which an answer is asked; a request alone is answered as soon as it can be."""
    target = answer_target_ms(job)
    return None if target is None or lone_requests(job) else target / MS


def machines_needed(service: BatchService, load: Load, limit: float | None, most: int) -> Floats:
    """The fewest machines over all batches that carry the load and answer in time, at the low end of each rate.

    Where an idle machine is late already, those that carry it; one more than ``most`` where so many are too few.
    """
    least = load.least(service)
    fewest: Floats = least.min(axis=0)
    if limit is None:
        return fewest
    hopeful = (service.alone / load.low <= limit) & (fewest <= most)
    found = np.where(hopeful, most + 1.0, fewest)
    _fewer(service, load, limit, least, Cells(least.argmin(axis=0)[hopeful], np.flatnonzero(hopeful)), found)
    rest = Cells(*np.nonzero(hopeful & (least < found)))  # batches that may take fewer still
    sooner = load.late_seconds(service, rest, found[rest.machine] - 1) <= limit
    _fewer(service, load, limit, least, rest.take(np.flatnonzero(sooner)), found)
    return found


def _fewer(service: BatchService, load: Load, limit: float, least: Floats, cells: Cells, found: Floats) -> None:
    """Lower the numbers of machines that are ``found`` to those at which some batches answer in time."""
    below, above = least[cells.place, cells.machine] - 1, found[cells.machine]
    while len(some := np.flatnonzero(above - below > 1)):
        middle = np.floor((below[some] + above[some]) / 2)
        late = load.late_seconds(service, cells.take(some), middle) > limit
        below[some], above[some] = np.where(late, middle, below[some]), np.where(late, above[some], middle)
    np.minimum.at(found, cells.machine, above)


def soonest(service: BatchService, load: Load, nodes: Floats, most: float, limit: float | None = None) -> Places:
    """The place of each machine's batch: of those that carry the load the first to answer, else the one with most.

    Of batches as soon but for a twentieth (within the ``limit`` of seconds, if that is met) it is the smallest. Where
    more than ``most`` machines are needed, nobody asks how soon.
    """
    cells = Cells(*np.nonzero((load.least(service) <= nodes) & (nodes <= most)))
    late = np.full(service.steps.shape, np.inf)
    late[cells.place, cells.machine] = load.late_seconds(service, cells, nodes[cells.machine])
    best = late.min(axis=0)
    near = AS_SOON * best if limit is None else np.minimum(AS_SOON * best, np.maximum(best, limit))
    first: Places = (late <= near).argmax(axis=0)
    return np.where(np.isfinite(best), first, service.fastest())


@dataclass(frozen=True, eq=False)
class Operation:
    """How each machine number runs: the batch by its place, requests a second, and the time to answer."""

    place: Places
    delivered: Floats
    capacity: Floats
    seconds: Floats  # 95th percentile
    late_seconds: Floats  # the same at the low end of its rate
    lone_seconds: Floats  # of a request alone
    seconds_at: Callable[[Floats], Floats]  # the same at other rates of the machines, as factors


def operation(service: BatchService, load: Load, nodes: Floats, limit: float | None, most: float = np.inf) -> Operation:
    """The operation at the load; without one as fast as the limit of seconds allows, else flat out."""
    if load.rate is not None:
        return _under_rate(service, load, nodes, most, limit)
    if load.users is not None:
        return _under_users(service, load, nodes, most, limit)
    if limit is not None:
        return _within(service, load.low, nodes, limit)
    cells = service.all(service.fastest())  # the next batch always waits, and an answer takes a step of it
    capacity = service.rates[cells.place, cells.machine] * nodes
    return _paced(service, cells.place, capacity, capacity, service.steps[cells.place, cells.machine], load.low)


def _under_rate(service: BatchService, load: Load, nodes: Floats, most: float, limit: float | None) -> Operation:
    """At a rate of requests; a queue that grows has the wait after an hour of it."""
    cells, rate = service.all(soonest(service, load, nodes, most, limit)), float(load.rate or 0)
    carried, capacity = service.rates[cells.place, cells.machine] * nodes, service.most() * nodes * FULLEST

    def at(pace: Floats) -> Floats:
        return service.seconds(cells, nodes, rate / pace) / pace + backlog_seconds(rate, carried * pace)

    delivered, seconds = np.minimum(rate, capacity), at(np.ones(len(nodes)))
    return Operation(cells.place, delivered, capacity, seconds, at(load.low), service.alone, at)


def _under_users(service: BatchService, load: Load, nodes: Floats, most: float, limit: float | None) -> Operation:
    """With so many users at once."""
    cells, users = service.all(soonest(service, load, nodes, most, limit)), float(load.users or 1)
    mean, slow = (service.seconds_of_users(cells, nodes, users, quantile) for quantile in (MEDIAN, TAIL))
    capacity = service.most() * nodes
    return _paced(service, cells.place, np.minimum(users / mean, capacity), capacity, slow, load.low)


def _within(service: BatchService, low: Floats, nodes: Floats, limit: float) -> Operation:
    """At the highest rate of requests, one by one, that is answered in time at the low end of the rate of each.

    Where an idle machine is late already, one request at a time.
    """
    cells = Cells(*np.nonzero(service.allowed & (service.alone / low <= limit)))
    in_time, count = limit * low[cells.machine], nodes[cells.machine]
    full = service.rates[cells.place, cells.machine] * count
    below, above = np.zeros(len(full)), np.full(len(full), FULLEST)
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        late = service.seconds(cells, count, middle * full) > in_time
        below, above = np.where(late, below, middle), np.where(late, middle, above)
    reached = np.zeros(service.steps.shape)
    reached[cells.place, cells.machine] = below * full
    place, most = reached.argmax(axis=0), reached.max(axis=0)
    answered = service.seconds(service.all(place), nodes, most)
    one_by_one = np.where(most > 0, most, service.rates[0] * nodes)
    return _paced(service, place, one_by_one, one_by_one, np.where(most > 0, answered, service.alone), low)


def _paced(
    service: BatchService, place: Places, delivered: Floats, capacity: Floats, seconds: Floats, low: Floats
) -> Operation:
    """The operation of a load that follows the rate of the machines."""
    return Operation(place, delivered, capacity, seconds, seconds / low, service.alone, lambda pace: seconds / pace)
