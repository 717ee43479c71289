"""How much load a replica carries: the running batch is raised until the cache is full or an answer is late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.kinds import hardware_kinds
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import put, take
from plimsoll_service.engine.estimate.ranges import ends
from plimsoll_service.engine.estimate.serving_curves import GRID, LOADS, Curves, along, reached, side_by_side
from plimsoll_service.engine.estimate.serving_devices import Replica, replica, sequences
from plimsoll_service.engine.estimate.serving_latency import endless_rate, latency, parts_of
from plimsoll_service.engine.estimate.serving_model import NEURON, Served, kv_gib_per_sequence
from plimsoll_service.engine.estimate.serving_processors import CpuReplica, cpu_replica
from plimsoll_service.engine.estimate.splits import Splits
from plimsoll_service.engine.hardware import Floats, known_or
from plimsoll_service.engine.units import GIB

CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1, 2, 4, 8, 16)
BELOW = 1 - 1e-9  # keeps what just meets a target from missing it in the last digit


@dataclass(frozen=True, eq=False)
class Way:
    """A way to serve on hardware of some kinds; ``highest`` is the load within the latency target, below 1 for none."""

    degree: Floats  # devices that work on one step
    held: Floats  # devices of a replica
    highest: Floats
    curves: Curves


@dataclass(frozen=True, eq=False)
class Configuration:
    """The chosen way to serve on each machine; ``line`` is its curve."""

    degree: Floats
    held: Floats
    replicas: Floats  # of one machine
    most: Floats  # running requests of one replica, by KV memory
    highest: Floats  # of those, within the latency target; below 1 where there is none
    carried: Floats  # requests a second of one replica at that, or at one request
    capacity: Floats  # of one machine; 0 where none is in time, -1 where it cannot serve at all
    line: Places


Tried = tuple[Places, Configuration]  # machines, and what they do in a way


def configure(
    job: Job, model: Served, machines: Machines, nodes: Floats | None, splits: Splits
) -> tuple[Configuration, Curves]:
    """On devices the degree that serves most (or just fits); processors as one replica. Only what fits is walked."""
    best, curves, worth = _nothing(len(machines)), [NOTHING], np.full(len(machines), -1.0)
    for some, tried in (_on_processors(job, model, machines), _on_devices(job, model, machines, splits)):
        before = sum(each.count for each in curves)
        curves.append(some)
        for rows, one in tried:
            worthy = _worth(job, one, some, None if nodes is None else nodes[rows])
            better = np.flatnonzero(worthy > worth[rows])
            chosen = rows[better]
            worth[chosen] = worthy[better]
            best = put(best, chosen, take(replace(one, line=one.line + before), better))
    return best, side_by_side(curves)


def _degrees(model: Served, splits: Splits) -> tuple[int, ...]:
    """The degree that was asked, else those that divide the attention heads evenly."""
    if splits.tensor is not None:
        return (splits.tensor,)
    return tuple(n for n in DEGREES if model.dims.heads % n == 0 or model.layer_split or model.engine_name == NEURON)


SECOND_CHOICE = 1e-9  # puts any rate below all others, in the same order
NOTHING = Curves(*(np.ones((len(LOADS), 1)) for _ in range(4)))


def _nothing(count: int) -> Configuration:
    """Machines that cannot serve the model at all: one replica of no load."""
    ones = np.ones(count)
    return Configuration(ones, ones, ones, -ones, -ones, ones, -ones, np.zeros(count, dtype=np.intp))


def endless(job: Job) -> bool:
    """Whether more requests always wait: neither users nor a latency bound what is sent."""
    return job.workload.concurrency is None and job.workload.latency_ms is None and not lone_requests(job)


def _worth(job: Job, one: Configuration, curves: Curves, nodes: Floats | None) -> Floats:
    """What a way to serve is chosen by: requests a second of a machine at the asked concurrency, else the most.

    One that holds as many is better than any that does not. Under a rate the machines are not known before the way.
    """
    at_once = 1.0 if lone_requests(job) else job.workload.concurrency
    if at_once is None:
        return one.capacity
    each = at_once / (1.0 if nodes is None or job.workload.requests_per_second is not None else nodes)
    most = np.maximum(one.highest, 1.0)
    load = np.clip(each / one.replicas, 1.0, most)
    delivered = along(one.line, load).of(curves.rate) * np.minimum(one.replicas, np.maximum(each, 1.0))
    delivered *= np.where(each / one.replicas <= most, 1.0, SECOND_CHOICE)
    return np.where(one.capacity > 0, delivered, one.capacity)


def _on_processors(job: Job, model: Served, machines: Machines) -> tuple[Curves, list[Tried]]:
    """Processors that hold the model."""
    most = _sequences_in_host(job, model, machines)
    rows = np.flatnonzero(~machines.has_accelerator() & (most >= 1))
    if not len(rows):
        return NOTHING, []
    kinds = hardware_kinds(machines.take(rows))
    some = machines.take(rows[kinds.rows])
    way = _way(job, model, cpu_replica(model, some), some)
    one = _configuration(way, kinds.of, np.minimum(most[rows], CPU_MOST), np.ones(len(rows)))
    return way.curves, [(rows, one)]


def _on_devices(job: Job, model: Served, machines: Machines, splits: Splits) -> tuple[Curves, list[Tried]]:
    """Devices that hold the model, at each degree; kinds of hardware × degrees are worked out together."""
    kinds, stages = hardware_kinds(machines), float(splits.pipeline or 1)
    able = list(_able(model, machines, _degrees(model, splits), stages))
    if not able:
        return NOTHING, []
    places = [np.unique(kinds.of[rows]) for _, rows in able]
    degree = np.repeat([float(n) for n, _ in able], [len(each) for each in places])
    some = machines.take(kinds.rows[np.concatenate(places)])
    on = replica(model, some, degree, job.half_falls_back, stages)
    way, most = _way(job, model, on, some), known_or(sequences(model, on), -1.0)
    tried, before = [], 0
    for (_, rows), each in zip(able, places, strict=True):
        of = before + np.searchsorted(each, kinds.of[rows])
        tried.append((rows, _configuration(way, of, most[of], np.floor(machines.devices[rows] / way.held[of]))))
        before += len(each)
    return way.curves, tried


def _able(model: Served, machines: Machines, degrees: tuple[int, ...], stages: float) -> Iterator[tuple[int, Places]]:
    """Machines whose devices hold a replica, at each degree where there are any."""
    on_device = machines.has_accelerator()
    for n in degrees:
        held = n * stages
        roomy = machines.device_memory_gib * held * model.fit.device.memory_share * GIB > model.total_bytes
        rows = np.flatnonzero(on_device & (machines.devices >= held) & roomy)
        if len(rows):
            yield n, rows


def _way(job: Job, model: Served, on: Replica | CpuReplica, machines: Machines) -> Way:
    running = GRID[:, None]
    parts = parts_of(job, model, on, running)
    times = latency(model, parts)
    rate = endless_rate(model, parts) if endless(job) else times.rate(running, model.output_tokens)
    ones = np.ones(len(machines))
    degree, held = (on.n, on.held) if isinstance(on, Replica) else (ones, ones)
    curves = Curves(times.first, times.first_p95, times.each, rate)
    return Way(degree, held, _highest(job, machines, curves), curves)


def _configuration(way: Way, of: Places, most: Floats, replicas: Floats) -> Configuration:
    """What machines do whose hardware is of those kinds; the memory that is left of a last request runs none."""
    most = np.floor(most)
    highest = np.minimum(most, way.highest[of])
    carried = along(of, np.maximum(highest, 1.0)).of(way.curves.rate)
    capacity = np.where(highest >= 1, carried * replicas, np.where(most >= 1, 0.0, -1.0))
    return Configuration(way.degree[of], way.held[of], replicas, most, highest, carried, capacity, of)


def _sequences_in_host(job: Job, model: Served, machines: Machines) -> Floats:
    """Running requests whose cache fits beside the weights in the host's memory."""
    room = machines.memory_gib - feeding.SYSTEM_GIB - job.host_base_gib - model.total_bytes / GIB
    sequences: Floats = room / kv_gib_per_sequence(model)
    return sequences


def _highest(job: Job, machines: Machines, curves: Curves) -> Floats:
    """The highest load that is, at the high end of its range, within the latency target; below 1 where none is."""
    target = job.workload.latency_ms
    if target is None:
        return np.full(len(machines), LOADS[-1])
    late = curves.ttft_p95 * ends(job.coefficients.spreads, machines, "ttft").high * 1e3
    in_time = np.logical_and.accumulate(late <= target, axis=0).sum(axis=0)
    rising = np.maximum.accumulate(late, axis=0)
    until = reached(rising, np.full(len(machines), target), np.arange(len(machines)))
    within = np.where(in_time == 0, -1.0, np.maximum(until * BELOW, 1.0))
    if job.workload.requests_per_second is None:  # a rate keeps a mean of requests running; else they are whole ones
        within = np.floor(within)
    return np.where(in_time == len(LOADS), LOADS[-1], within)
