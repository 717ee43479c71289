"""Serving configuration of each machine: degree, replicas, the load of each, and the memory that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.clusters import Splits
from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.columns import put, take
from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate.input import pipeline
from plimsoll_service.engine.estimate.outcome import MemoryColumns, obstacle
from plimsoll_service.engine.estimate.ranges import ends
from plimsoll_service.engine.estimate.requirements import Obstacles, obstacles_of, recommended_share
from plimsoll_service.engine.estimate.serving.curves import (
    GRID,
    LOADS,
    Curves,
    endless_rate,
    joined_curves,
    latency,
    parts_of,
    points_at,
    reached,
)
from plimsoll_service.engine.estimate.serving.model import NEURON, Served, kv_gib_per_sequence
from plimsoll_service.engine.estimate.serving.replica import CpuReplica, Replica, cpu_replica, replica, sequences
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places, known_or
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import GB, GIB

CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1, 2, 4, 8, 16)
BELOW = 1 - 1e-9  # keeps a load that just meets a target from missing it in the last digit


@dataclass(frozen=True, eq=False)
class LoadedReplica:
    """A replica on each group of hardware, with its curves."""

    degree: Floats  # devices that work on one step
    held: Floats  # devices of a replica
    highest: Floats  # load within the latency target; below 1 for none
    curves: Curves


@dataclass(frozen=True, eq=False)
class Configuration:
    """Replicas of each machine, and the load that they carry; ``line`` is their curve."""

    degree: Floats
    held: Floats
    replicas: Floats  # of one machine
    most: Floats  # running requests of one replica, by KV memory
    highest: Floats  # of those, within the latency target; below 1 where there is none
    carried: Floats  # requests a second of one replica at that, or at one request
    capacity: Floats  # of one machine; 0 where none is in time, -1 where it cannot serve at all
    line: Places


Options = list[tuple[Places, Configuration]]  # machines, and one configuration of each


def configure(
    job: Job, model: Served, machines: Machines, nodes: Floats | None, splits: Splits
) -> tuple[Configuration, Curves]:
    """On devices the degree that serves most (or just fits); processors as one replica."""
    best, curves, worth = _nothing(len(machines)), [NOTHING], np.full(len(machines), -1.0)
    for some, options in (_on_processors(job, model, machines), _on_devices(job, model, machines, splits)):
        before = sum(each.count for each in curves)
        curves.append(some)
        for rows, one in options:
            worthy = _worth(job, one, some, None if nodes is None else nodes[rows])
            better = np.flatnonzero(worthy > worth[rows])
            chosen = rows[better]
            worth[chosen] = worthy[better]
            best = put(best, chosen, take(replace(one, line=one.line + before), better))
    return best, joined_curves(curves)


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
    """Whether more requests always wait: neither users nor a latency bound the load."""
    return job.workload.concurrency is None and job.workload.latency_ms is None and not lone_requests(job)


def _worth(job: Job, one: Configuration, curves: Curves, nodes: Floats | None) -> Floats:
    """Requests a second of a machine at the asked concurrency, else the most: the highest is chosen.

    One that holds as many is better than any that does not. Under a rate the number of machines is not known yet.
    """
    at_once = 1.0 if lone_requests(job) else job.workload.concurrency
    if at_once is None:
        return one.capacity
    each = at_once / (1.0 if nodes is None or job.workload.requests_per_second is not None else nodes)
    most = np.maximum(one.highest, 1.0)
    load = np.clip(each / one.replicas, 1.0, most)
    delivered = points_at(one.line, load).of(curves.rate) * np.minimum(one.replicas, np.maximum(each, 1.0))
    delivered *= np.where(each / one.replicas <= most, 1.0, SECOND_CHOICE)
    return np.where(one.capacity > 0, delivered, one.capacity)


def _on_processors(job: Job, model: Served, machines: Machines) -> tuple[Curves, Options]:
    """Processors that hold the model."""
    most = _sequences_in_host(job, model, machines)
    rows = np.flatnonzero(~machines.has_accelerator() & (most >= 1))
    if not len(rows):
        return NOTHING, []
    groups = machines.take(rows).hardware_groups
    some = machines.take(rows[groups.rows])
    loaded = _loaded(job, model, cpu_replica(model, some), some)
    one = _configuration(loaded, groups.of, np.minimum(most[rows], CPU_MOST), np.ones(len(rows)))
    return loaded.curves, [(rows, one)]


def _on_devices(job: Job, model: Served, machines: Machines, splits: Splits) -> tuple[Curves, Options]:
    """Devices that hold the model, at each degree; groups of hardware × degrees are computed together."""
    groups, stages = machines.hardware_groups, float(splits.pipeline or 1)
    able = list(_able(model, machines, _degrees(model, splits), stages))
    if not able:
        return NOTHING, []
    places = [np.unique(groups.of[rows]) for _, rows in able]
    degree = np.repeat([float(n) for n, _ in able], [len(each) for each in places])
    some = machines.take(groups.rows[np.concatenate(places)])
    on = replica(model, some, degree, job.half_falls_back, stages)
    loaded, most = _loaded(job, model, on, some), known_or(sequences(model, on), -1.0)
    options: Options = []
    before = 0
    for (_, rows), each in zip(able, places, strict=True):
        of = before + np.searchsorted(each, groups.of[rows])
        options.append((rows, _configuration(loaded, of, most[of], np.floor(machines.devices[rows] / loaded.held[of]))))
        before += len(each)
    return loaded.curves, options


def _able(model: Served, machines: Machines, degrees: tuple[int, ...], stages: float) -> Iterator[tuple[int, Places]]:
    """Machines whose devices hold a replica, at each degree where there are any."""
    on_device = machines.has_accelerator()
    for n in degrees:
        held = n * stages
        roomy = machines.device_memory_gib * held * model.fit.device.memory_share * GIB > model.total_bytes
        rows = np.flatnonzero(on_device & (machines.devices >= held) & roomy)
        if len(rows):
            yield n, rows


def _loaded(job: Job, model: Served, on: Replica | CpuReplica, machines: Machines) -> LoadedReplica:
    running = GRID[:, None]
    parts = parts_of(job, model, on, running)
    times = latency(model, parts)
    rate = endless_rate(model, parts) if endless(job) else times.rate(running, model.output_tokens)
    ones = np.ones(len(machines))
    degree, held = (on.n, on.held) if isinstance(on, Replica) else (ones, ones)
    curves = Curves(times.first, times.first_p95, times.each, rate)
    return LoadedReplica(degree, held, _highest(job, machines, curves), curves)


def _configuration(loaded: LoadedReplica, of: Places, most: Floats, replicas: Floats) -> Configuration:
    """The configuration of machines of those groups; memory for a part of a request runs none."""
    most = np.floor(most)
    highest = np.minimum(most, loaded.highest[of])
    carried = points_at(of, np.maximum(highest, 1.0)).of(loaded.curves.rate)
    capacity = np.where(highest >= 1, carried * replicas, np.where(most >= 1, 0.0, -1.0))
    return Configuration(loaded.degree[of], loaded.held[of], replicas, most, highest, carried, capacity, of)


def _sequences_in_host(job: Job, model: Served, machines: Machines) -> Floats:
    """Running requests whose cache fits beside the weights in the host's memory."""
    room = machines.memory_gib - pipeline.SYSTEM_GIB - job.host_base_gib - model.total_bytes / GIB
    return room / kv_gib_per_sequence(model)


def _highest(job: Job, machines: Machines, curves: Curves) -> Floats:
    """The highest load that is, at the high end of its range, within the latency target; below 1 where none is."""
    target = job.workload.latency_ms
    if target is None:
        return np.full(len(machines), LOADS[-1])
    late = curves.ttft_p95 * ends(job.coefficients.spreads, machines, "ttft").high[:] * 1e3
    in_time = np.logical_and.accumulate(late <= target, axis=0).sum(axis=0)
    rising = np.maximum.accumulate(late, axis=0)
    until = reached(rising, np.full(len(machines), target), np.arange(len(machines)))
    within = np.where(in_time == 0, -1.0, np.maximum(until * BELOW, 1.0))
    if job.workload.requests_per_second is None:  # a rate keeps a mean of requests running; else they are whole ones
        within = np.floor(within)
    return np.where(in_time == len(LOADS), LOADS[-1], within)


ROUNDING = 1 - 1e-9  # keeps a need that just fits from exceeding the room in the last digit


@dataclass(frozen=True, eq=False)
class DeviceRoom:
    """GiB on each device of a replica: fixed parts, the cache of one request, and room for caches."""

    weights: Floats
    overhead: Floats
    request: Floats
    room: Floats
    usable: Floats

    def at(self, chosen: Configuration, load: Floats) -> MemoryColumns:
        """The need at that load. The cache takes the room that is left: requests below full length share it."""
        cache = self.request * np.maximum(load, 1.0)
        cache = np.where(load <= chosen.most, np.fmin(cache, self.room), cache)
        parts = {"weights": self.weights, "kv_cache": cache, "framework": self.overhead}
        return MemoryColumns(self.weights + cache + self.overhead, self.usable, parts)


def device_room(job: Job, model: Served, machines: Machines, chosen: Configuration) -> DeviceRoom:
    """Memory of each device of a replica; NaN on machines without one.

    A server reserves as much of the device as it is told to: 0.9 in vLLM unless said, which is also the margin of a
    recommendation; more only where not even one request finds room in that.
    """
    on_device, fit = machines.has_accelerator(), model.fit.device
    weights = np.where(on_device, model.total_bytes / GIB / chosen.held, np.nan)
    overhead = np.where(on_device, fit.overhead_gb * GB / GIB, np.nan)
    usable = machines.device_memory_gib * fit.memory_share
    request = kv_gib_per_sequence(model) / np.where(on_device, chosen.held, np.nan)
    least, reserved = weights + overhead + request, machines.device_memory_gib * recommended_share(job)
    return DeviceRoom(
        weights=weights,
        overhead=overhead,
        request=request,
        room=(np.minimum(np.maximum(least, reserved), usable) - weights - overhead) * ROUNDING,
        usable=usable,
    )


def host_memory(job: Job, model: Served, machines: Machines) -> MemoryColumns:
    """The server's process, through which the weights are loaded; on processors the model and its cache stay there."""
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    framework = job.host_base_gib * devices
    held = np.where(on_device, 0.0, model.total_bytes / GIB + kv_gib_per_sequence(model))
    loading = np.where(on_device, model.total_bytes / GIB, 0.0)
    system = np.full(len(machines), pipeline.SYSTEM_GIB)
    parts = {"system": system, "framework": framework, "model": held, "weights_loading": loading}
    return MemoryColumns(framework + held + loading + system, machines.memory_gib, parts)


def emulated(job: Job, machines: Machines) -> Flags:
    """Machines that run the asked precision through another: 8-bit weights on devices without, bf16 through fp32."""
    on_device = machines.has_accelerator()
    if job.precision == "fp8" or (job.precision == "bf16" and not job.half_falls_back):
        return on_device & np.isnan(machines.peak(job.precision))
    return np.zeros(len(machines), dtype=bool)


def _unsupported(job: Job, machines: Machines) -> Flags:
    """Machines where nothing replaces the precision: 4-bit floats without their units, 8-bit floats on processors."""
    on_device = machines.has_accelerator()
    half = ~np.isnan(np.fmax(machines.peak("fp16"), machines.peak("bf16")))
    if job.precision == "fp4":
        return ~on_device | np.isnan(machines.peak("fp4"))
    if job.precision == "fp8":
        return ~on_device | ~half
    if job.precision in ("int8", "int4"):  # weights alone: they are unpacked, to fp32 where a device has no 16 bits
        return on_device & ~half & np.isnan(machines.peak("fp32"))
    if job.precision == "fp64":
        return np.full(len(machines), True)
    return on_device & ~half & np.isnan(machines.peak("fp32"))


def load_free_obstacles(job: Job, machines: Machines, chosen: Configuration, host: MemoryColumns) -> Obstacles:
    """Obstacles to serving the model whatever the load."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    weak[(host.required > machines.memory_gib) | (~on_device & (chosen.most < 1))] = obstacle("memory")
    weak[on_device & (chosen.most < 1)] = obstacle("accelerator_memory")
    strong[_unsupported(job, machines)] = obstacle("precision")
    strong[on_device & ~machines.rated] = obstacle("specification")
    return obstacles_of(weak, strong)


def too_large(on_device: Flags, device: MemoryColumns) -> Flags:
    """Machines that have less than the low end of the need."""
    return on_device & (device.required * TRAINING_MEMORY.low > device.usable)


def obstacles_at_load(known: Obstacles, large: Flags, lacking_disk: Flags | None) -> Ints:
    """The obstacle of each machine at a load; a disk only where there is no other."""
    found = known.weak
    if lacking_disk is not None:
        found = np.where(lacking_disk & (found == 0), np.int32(obstacle("disk")), found)
    found = np.where(large, np.int32(obstacle("accelerator_memory")), found)
    found[known.barred] = known.strong
    return found
