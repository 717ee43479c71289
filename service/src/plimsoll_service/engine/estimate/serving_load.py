"""How much load a replica carries: the running batch is raised until the cache is full or an answer is late."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import take
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.estimate.serving_devices import Replica, replica, sequences
from plimsoll_service.engine.estimate.serving_latency import endless_rate, latency, parts_of
from plimsoll_service.engine.estimate.serving_model import NEURON, Served, kv_gib_per_sequence
from plimsoll_service.engine.estimate.serving_processors import CpuReplica, cpu_replica
from plimsoll_service.engine.estimate.splits import Splits
from plimsoll_service.engine.hardware import Flags, Floats, Ints, known_or
from plimsoll_service.engine.units import GIB

# Running requests of a replica that are tried; engines admit 256 to 2,048 unless told otherwise.
LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0, 1024.0, 2048.0)
CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1, 2, 4, 8, 16)
BELOW = 1 - 1e-9  # keeps what just meets a target from missing it in the last digit


@dataclass(frozen=True, eq=False)
class Curve:
    """A replica at each load of LOADS (second axis): seconds to first token (median, 95th) and a token, requests/s."""

    ttft: Floats
    ttft_p95: Floats
    tpot: Floats
    rate: Floats  # of so many users, each sending its next when it is answered, or with always more waiting


@dataclass(frozen=True, eq=False)
class Configuration:
    """The chosen way to serve on each machine."""

    degree: Floats  # devices that work on one step
    held: Floats  # devices of a replica
    replicas: Floats  # of one machine
    most: Floats  # running requests of one replica, by KV memory
    highest: Floats  # of those, within the latency target; below 1 where there is none
    capacity: (
        Floats  # requests a second of one machine at that; 0 where none is in time, -1 where it cannot serve at all
    )
    curve: Curve


def configure(job: Job, model: Served, machines: Machines, nodes: Floats | None, splits: Splits) -> Configuration:
    """On devices the degree that serves most (or just fits); processors as one replica. Only what fits is walked."""
    best = _nothing(len(machines))
    hosts = _rows(~machines.has_accelerator() & (_sequences_in_host(job, model, machines) >= 1))
    _put(best, hosts, _on_processors(job, model, machines.take(hosts)))
    stages = float(splits.pipeline or 1)
    for n in _degrees(model, splits):
        held = n * stages
        able = machines.has_accelerator() & (machines.devices >= held)
        able &= machines.device_memory_gib * held * model.fit.device.memory_share * GIB > model.total_bytes
        rows = _rows(able)
        if not len(rows):
            continue
        other = _on_devices(job, model, machines.take(rows), n, stages)
        each = None if nodes is None else nodes[rows]
        better = _rows(_worth(job, other, each) > _worth(job, take(best, rows), each))
        _put(best, rows[better], take(other, better))
    return best


def _degrees(model: Served, splits: Splits) -> tuple[int, ...]:
    """The degree that was asked, else those that divide the attention heads evenly."""
    if splits.tensor is not None:
        return (splits.tensor,)
    return tuple(n for n in DEGREES if model.dims.heads % n == 0 or model.layer_split or model.engine_name == NEURON)


def _rows(chosen: Flags) -> Ints:
    return np.flatnonzero(chosen).astype(np.int32)


def _nothing(count: int) -> Configuration:
    """Machines that cannot serve the model at all: one replica of no load."""
    flat = [np.ones((count, len(LOADS))) for _ in range(4)]
    ones = np.ones(count)
    return Configuration(ones.copy(), ones.copy(), ones.copy(), -ones, -ones, -ones, Curve(*flat))


def _put(into: Configuration, rows: Ints, values: Configuration) -> None:
    """Overwrites the given rows of freshly made columns."""
    for name in ("degree", "held", "replicas", "most", "highest", "capacity"):
        getattr(into, name)[rows] = getattr(values, name)
    for name in ("ttft", "ttft_p95", "tpot", "rate"):
        getattr(into.curve, name)[rows] = getattr(values.curve, name)


def endless(job: Job) -> bool:
    """Whether more requests always wait: neither users nor a latency bound what is sent."""
    return job.workload.concurrency is None and job.workload.latency_ms is None and not lone_requests(job)


def _worth(job: Job, one: Configuration, nodes: Floats | None) -> Floats:
    """What a way to serve is chosen by: requests a second of a machine at the asked concurrency, else the most."""
    at_once = 1.0 if lone_requests(job) else job.workload.concurrency
    if at_once is None:
        return one.capacity
    each = at_once / (1.0 if nodes is None else nodes)
    load = np.clip(each / one.replicas, 1.0, np.maximum(one.highest, 1.0))
    delivered = at(one.curve.rate, load) * np.minimum(one.replicas, np.maximum(each, 1.0))
    return np.where(one.capacity > 0, delivered, one.capacity)


def _on_devices(job: Job, model: Served, machines: Machines, n: int, stages: float) -> Configuration:
    degree = np.full(len(machines), float(n))
    on = replica(model, machines, degree, job.half_falls_back, stages)
    most = known_or(sequences(model, on), -1.0)
    return _configuration(job, model, on, machines, most, np.floor(machines.devices / on.held))


def _on_processors(job: Job, model: Served, machines: Machines) -> Configuration:
    most = np.minimum(_sequences_in_host(job, model, machines), CPU_MOST)
    return _configuration(job, model, cpu_replica(model, machines), machines, most, np.ones(len(machines)))


def _configuration(
    job: Job, model: Served, on: Replica | CpuReplica, machines: Machines, most: Floats, replicas: Floats
) -> Configuration:
    running = np.array(LOADS)[:, None]
    parts = parts_of(job, model, on, running)
    times = latency(model, parts)
    rate = endless_rate(model, parts) if endless(job) else times.rate(running, model.output_tokens)
    curve = Curve(*(values.T for values in (times.first, times.first_p95, times.each, rate)))
    highest = _highest(job, machines, curve, most)
    carried = at(curve.rate, np.maximum(highest, 1.0)) * replicas
    capacity = np.where(highest >= 1, carried, np.where(most >= 1, 0.0, -1.0))
    ones = np.ones(len(machines))
    degree, held = (on.n, on.held) if isinstance(on, Replica) else (ones, ones)
    return Configuration(degree.copy(), held.copy(), replicas, most, highest, capacity, curve)


def _sequences_in_host(job: Job, model: Served, machines: Machines) -> Floats:
    """Running requests whose cache fits beside the weights in the host's memory."""
    room = machines.memory_gib - feeding.SYSTEM_GIB - job.host_base_gib - model.total_bytes / GIB
    sequences: Floats = room / kv_gib_per_sequence(model)
    return sequences


def _highest(job: Job, machines: Machines, curve: Curve, most: Floats) -> Floats:
    """The highest load within the KV cache and, at the high end of its range, within the latency target."""
    highest = np.minimum(most, LOADS[-1])
    if job.workload.latency_ms is None:
        return highest
    late = curve.ttft_p95 * metric_ends(machines, "ttft").high[:, None] * 1e3
    target = job.workload.latency_ms
    in_time = np.logical_and.accumulate(late <= target, axis=1).sum(axis=1)
    reached = interpolate(np.maximum.accumulate(late, axis=1), np.array(LOADS), np.full(len(most), target))
    reached = np.where(in_time == len(LOADS), LOADS[-1], np.where(in_time == 0, -1.0, np.maximum(reached * BELOW, 1.0)))
    return np.minimum(highest, reached)


def interpolate(rising: Floats, loads: Floats, wanted: Floats) -> Floats:
    """Row by row the load at which ``rising`` reaches ``wanted``; at least 1, at most the highest."""
    above = np.clip((rising < wanted[:, None]).sum(axis=1), 1, rising.shape[1] - 1)
    rows = np.arange(len(wanted))
    low, high = rising[rows, above - 1], rising[rows, above]
    share = np.clip((wanted - low) / np.maximum(high - low, 1e-30), 0.0, 1.0)
    found: Floats = loads[above - 1] + share * (loads[above] - loads[above - 1])
    return np.maximum(found, 1.0)


def at(curve: Floats, load: Floats) -> Floats:
    """The value of each row's curve at that load, between grid points by a straight line."""
    loads = np.array(LOADS)
    above = np.clip(np.searchsorted(loads, load), 1, len(loads) - 1)
    rows = np.arange(len(load))
    share = (load - loads[above - 1]) / (loads[above] - loads[above - 1])
    value: Floats = curve[rows, above - 1] + np.clip(share, 0.0, 1.0) * (curve[rows, above] - curve[rows, above - 1])
    return value
