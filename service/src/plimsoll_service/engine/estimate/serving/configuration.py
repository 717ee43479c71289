"""Serving configuration of each machine: degree, stages, replicas, and the load of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from ...anchors import PROMPT, TOKEN
from ...clusters import Splits
from ...columns import Groups, columnar, groups_of, put, take
from ...demand.anchored import speed
from ...demand.job import Job, bounds_ms, lone_requests, targets_ms
from ...demand.served_model import NEURON, SGLANG, VLLM, Served
from ...hardware import Flags, Floats, Ints, Places, known_or
from ...machines import Machines
from ...models.profile import Transformer
from ...models.stored import FP8, GGUF, MXFP4
from ...models.transformers import BLOCK_ENGINES, splits_blocks, splits_evenly, splits_experts
from ...obstacles import obstacle
from ...units import GIB, MS
from ..outcome import MemoryColumns
from ..ranges import agreed_speed, checked_speed, ends, first_token_ends
from ..requirements import Obstacles, obstacles_of
from .curves import (
    GRID,
    LOADS,
    Curves,
    curves_of,
    endless_rate,
    faster,
    joined_curves,
    latency,
    parts_of,
    points_at,
    reached,
)
from .loads import error_of, higher, measured_loads
from .memory import device_room, longest_tokens, places_in_host, places_of
from .replica import CpuReplica, Replica, cpu_replica, replica

# Data-parallel attention is an engine's second layout: it is taken where it serves a tenth more, or where heads do not.
# A decision of this project, as two estimates within a tenth are alike everywhere.
WIDE_ENGINES, WIDE_GAIN = (VLLM, SGLANG), 1.1
CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1, 2, 4, 8, 16)
LAYER_DEGREES = (1, 2, 3, 4, 5, 6, 7, 8, 16)  # whole layers lie on any number of devices
# Machines that a replica may span, in stages, where the model does not fit one. Unasked only those whose devices are
# linked, and so many of them: the layout that vLLM's guide to distributed serving has for a model larger than a node.
SPANS, SPANNED_DEVICES = (2, 4), 8
# A machine is tight whose devices have less room beside the weights than these take: two that hold a replica together
# have half as much again for the cache as two with one each. A decision of this project.
TIGHT = 0.5
STAGES = (2, 4, 8)  # inside a machine, where heads do not divide over devices enough to hold the model
BELOW = 1 - 1e-9  # keeps a load that just meets a target from missing it in the last digit


@columnar
class LoadedReplica:
    """A replica on each group of hardware, with its curves."""

    degree: Floats  # devices that work on one step
    held: Floats  # devices of a replica
    wide: Floats  # 1 where attention is data-parallel
    highest: Floats  # load within the latency target; below 1 for none
    curves: Curves
    flooded: Floats  # requests a second of each load of the curves where more always wait


@columnar
class Configuration:
    """Replicas of each machine, and the load that they carry; ``line`` is their curve."""

    degree: Floats
    held: Floats
    wide: Floats  # 1 where attention is data-parallel
    span: Floats  # machines of a replica
    replicas: Floats  # of one machine: of one that several machines hold, each has its part
    most: Floats  # running requests of one replica, by KV memory
    highest: Floats  # of those, within the latency target; below 1 where there is none
    carried: Floats  # requests a second of one replica at that, or at one request
    possible: Floats  # requests a second of one replica whatever the targets
    capacity: Floats  # of one machine; 0 where none is in time, -1 where it cannot serve at all
    line: Places


Options = list[tuple[Places, Configuration]]  # machines, and one configuration of each


def configure(
    job: Job, model: Served, machines: Machines, nodes: Floats | None, splits: Splits, together: int
) -> tuple[Configuration, Curves]:
    """On devices the degree that serves most (or just fits); processors as one replica.

    Where a machine's devices do not hold a replica as one, they do in stages; where none does, a few machines together,
    as in all rows from ``together`` on.
    """
    best, curves, worth = _nothing(model, machines, splits), [NOTHING], np.full(len(machines), UNSERVED)

    def choose(some: Curves, options: Options, gain: float = 1.0) -> None:
        nonlocal best
        before = sum(each.count for each in curves)
        curves.append(some)
        for rows, one in options:
            worthy = _worth(job, one, some, machines.take(rows), None if nodes is None else nodes[rows])
            so_far = worth[rows]
            better = np.flatnonzero(worthy > np.where(so_far > 0, so_far * gain, so_far))
            chosen = rows[better]
            worth[chosen] = worthy[better]
            best = put(best, chosen, take(replace(one, line=one.line + before), better))

    choose(*_on_processors(job, model, machines))
    choose(*_on_devices(job, model, machines, splits))
    # Requests may be divided, in place of heads, over devices that hold whole experts each: a latent cache is one head,
    # which each device keeps whole otherwise. docs.vllm.ai: Data Parallel Deployment; docs.sglang.io: DP, DPA and
    # sgl-router.
    divides = model.dims.latent is not None and model.dims.moe is not None and model.engine_name in WIDE_ENGINES
    if splits.tensor is None and divides:
        choose(*_on_devices(job, model, machines, splits, wide=True), gain=WIDE_GAIN)
    for stages in STAGES if splits.pipeline is None and not model.in_turn else ():
        unserved = np.flatnonzero(machines.has_accelerator() & (machines.devices >= stages) & (worth == UNSERVED))
        if len(unserved):
            some, options = _on_devices(job, model, machines.take(unserved), replace(splits, pipeline=stages))
            choose(some, [(unserved[rows], one) for rows, one in options])
    worth[together:] = UNSERVED
    joined = machines.has_accelerator() & (machines.network_gbps > 0)
    for span in SPANS:  # machines that cannot hold a replica alone, and of which so many may hold one together
        so_many = _spanned_unasked(machines) if nodes is None else nodes >= span
        unserved = np.flatnonzero(joined & (worth == UNSERVED) & so_many)
        if len(unserved):
            some, options = _over_machines(job, model, machines.take(unserved), splits, span)
            choose(some, [(unserved[rows], one) for rows, one in options])
    return best, joined_curves(curves)


def _spanned_unasked(machines: Machines) -> Flags:
    return (machines.devices >= SPANNED_DEVICES) & (machines.link_gb_s > 0) & (machines.network_gbps > 0)


def tight_machines(model: Served, machines: Machines, nodes: Floats | None, splits: Splits) -> Places:
    """Machines that hold a replica, but have little room for its cache, and of which two may hold one together."""
    if splits.pipeline is not None or model.in_turn:
        return NONE
    share = model.total_bytes / (GIB * machines.devices * _device_gib(model, machines))
    tight = _spanned_unasked(machines) & (share > TIGHT) & (share < 1)
    return np.flatnonzero(tight if nodes is None else tight & (nodes >= SPANS[0]))


def _degrees(model: Served, splits: Splits) -> tuple[int, ...]:
    """The degree that was asked, else those that divide the heads evenly."""
    if splits.tensor is not None:
        return (splits.tensor,)
    if model.in_turn:
        return LAYER_DEGREES
    blocks = model.quantization == FP8 and model.engine_name in BLOCK_ENGINES
    return tuple(
        n
        for n in DEGREES
        if model.engine_name == NEURON  # whose compiler pads the heads
        or (splits_evenly(model.dims, n) and (not blocks or keeps_blocks(model.dims, n)))
    )


def keeps_blocks(dims: Transformer, n: int) -> bool:
    """Whether blocks of 8-bit weights stay whole: as experts are cut, or as each device holds whole ones."""
    return not splits_blocks(dims, n) or splits_experts(dims, n)


UNSERVED = -1.0  # merit of what cannot serve at all
SECOND_CHOICE = 1e-9  # puts any rate below the difference of a machine, in the same order
NONE = np.empty(0, dtype=np.intp)
NOTHING = replace(Curves(*(np.ones((len(LOADS), 1)) for _ in fields(Curves))), waited=np.zeros((len(LOADS), 1)))


def _nothing(model: Served, machines: Machines, splits: Splits) -> Configuration:
    """Machines that cannot serve the model at all: one replica of no load, over as many devices as tensors can be."""
    ones, degree = np.ones(len(machines)), np.ones(len(machines))
    for n in _degrees(model, splits):
        degree = np.where(machines.has_accelerator() & (machines.devices >= n), float(n), degree)
    held, work = degree * (splits.pipeline or 1), ones if model.in_turn else degree
    lines = np.zeros(len(machines), dtype=np.intp)
    return Configuration(work, held, 0 * ones, ones, ones, -ones, -ones, ones, ones, -ones, lines)


def at_a_rate(job: Job) -> bool:
    """Whether requests come one by one, at a given rate."""
    return job.workload.requests_per_second is not None


def endless(job: Job) -> bool:
    """Whether more requests always wait: neither users nor a target of speed bound the load."""
    return job.workload.concurrency is None and not targets_ms(job) and not lone_requests(job)


def _worth(job: Job, one: Configuration, curves: Curves, machines: Machines, nodes: Floats | None) -> Floats:
    """Merit of a configuration, of which the highest is chosen: requests a second that one machine serves at the most.

    For users, first how few machines hold them and the spare replicas, then how fast those serve. Where no load is in
    time, how little late one request is; where so many ``nodes`` do not carry a rate in time, how little late they are.
    """
    rate, users = job.workload.requests_per_second, 1 if lone_requests(job) else job.workload.concurrency
    without = np.where(one.capacity < 0, UNSERVED, np.minimum(one.highest, 0.0))
    if users is None:
        late = without if rate is None or nodes is None else _late(job, one, curves, rate / nodes, without)
        in_time = one.capacity > 0 if rate is None or nodes is None else one.capacity >= rate / nodes * BELOW
        return np.where(in_time, one.capacity, late)
    each = machines.at_once_or(users)
    if nodes is not None and rate is None:
        each = each / nodes
    most = np.maximum(one.highest, 1.0)
    load = np.clip(each / one.replicas, 1.0, most)
    delivered = points_at(one.line, load).of(curves.rate) * np.minimum(one.replicas, np.maximum(each, 1.0))
    needed = np.maximum(np.ceil(each / (most * one.replicas)), 1.0)
    if job.workload.spare_replicas:
        needed = needed + np.ceil(job.workload.spare_replicas / one.replicas)
    return np.where(one.capacity > 0, 1 / needed + SECOND_CHOICE * delivered, without)


def _late(job: Job, one: Configuration, curves: Curves, rate: Floats, without: Floats) -> Floats:
    """Merit, below 0, of what carries a machine's ``rate`` too late: the more, the less late its middle is.

    What does not carry it at all comes behind, and last what is late for one request.
    """
    each = rate / one.replicas
    there = points_at(one.line, np.minimum(reached(curves.arriving, each, one.line), np.maximum(one.most, 1.0)))
    of = {"latency_ms": curves.ttft_p95, "tpot_ms": curves.tpot_p95, "end_to_end_ms": curves.whole_p95}
    times = [there.of(of[name]) * MS / target for name, target in bounds_ms(job).items()]
    used = np.maximum.reduce([np.zeros_like(each), *times])
    carried = np.where(one.possible >= each, -used / (1 + used) / 4, one.possible / each / 4 - 1 / 2)
    return np.where(one.capacity > 0, carried, without)


def _on_processors(job: Job, model: Served, machines: Machines) -> tuple[Curves, Options]:
    """Processors that hold the model."""
    most = places_in_host(job, model, machines)
    rows = np.flatnonzero(~machines.has_accelerator() & (most >= 1))
    if not len(rows):
        return NOTHING, []
    groups = machines.take(rows).hardware_groups
    some = machines.take(rows[groups.rows])
    loaded = _loaded(job, model, cpu_replica(model, some), some)
    one = _configuration(loaded, groups.of, np.minimum(most[rows], CPU_MOST), np.ones(len(rows)), at_a_rate(job))
    return loaded.curves, [(rows, one)]


def _on_devices(
    job: Job, model: Served, machines: Machines, splits: Splits, wide: bool = False
) -> tuple[Curves, Options]:
    """Devices that hold the model, at each degree; groups of hardware × degrees are computed together."""
    stages = float(splits.pipeline or 1)
    degrees = _degrees(model, splits)
    if wide:
        degrees = tuple(n for n in degrees if n > 1 and splits_experts(model.dims, n))
    able = list(_able(model, machines, degrees, stages, stages))
    return _at_degrees(job, model, machines, machines.hardware_groups, able, stages, 1.0, wide)


def _over_machines(job: Job, model: Served, machines: Machines, splits: Splits, span: int) -> tuple[Curves, Options]:
    """So many machines that hold the model together: tensors split inside each, layers held in turn.

    What as many devices as one machine has can hold has no need of several.
    """
    stages = float(splits.pipeline or span)
    if stages % span or stages > model.dims.layers:
        return NOTHING, []
    able = []
    for n, rows in _able(model, machines, _degrees(model, splits), stages, stages / span):
        beyond = rows[machines.devices[rows] < n * stages]
        if len(beyond):
            able.append((n, beyond))
    _, network = np.unique(machines.network_gbps, return_inverse=True)
    groups = groups_of(machines.hardware_groups.of * (int(network.max(initial=0)) + 1) + network)
    return _at_degrees(job, model, machines, groups, able, stages, float(span))


def _at_degrees(
    job: Job, model: Served, machines: Machines, groups: Groups, able: list[tuple[int, Places]], stages: float,
    span: float, wide: bool = False,
) -> tuple[Curves, Options]:  # fmt: skip
    if not able:
        return NOTHING, []
    places = [np.unique(groups.of[rows]) for _, rows in able]
    degree = np.repeat([float(n) for n, _ in able], [len(each) for each in places])
    some = machines.take(groups.rows[np.concatenate(places)])
    on = replica(model, some, degree, job.half_falls_back, stages, span, wide)
    loaded = _loaded(job, model, on, some)
    most = known_or(places_of(job, device_room(model, some, on.n, on.held, on.wide, longest_tokens(job))), -1.0)
    options: Options = []
    before = 0
    for (_, rows), each in zip(able, places, strict=True):
        of = before + np.searchsorted(each, groups.of[rows])
        replicas = np.floor(machines.devices[rows] * span / loaded.held[of]) / span
        options.append((rows, _configuration(loaded, of, most[of], replicas, at_a_rate(job), span)))
        before += len(each)
    return loaded.curves, options


def _able(
    model: Served, machines: Machines, degrees: tuple[int, ...], stages: float, inside: float
) -> Iterator[tuple[int, Places]]:
    """Machines whose devices hold a replica, ``inside`` of its stages each, at each degree where there are any."""
    on_device = machines.has_accelerator()
    device_gib = _device_gib(model, machines)
    for n in degrees:
        roomy = device_gib * GIB * n * stages > model.total_bytes
        rows = np.flatnonzero(on_device & (machines.devices >= n * inside) & roomy)
        if len(rows):
            yield n, rows


def _device_gib(model: Served, machines: Machines) -> Floats:
    """Memory of one device that the server may use; NaN without one."""
    return machines.device_memory_gib * machines.usable_memory_share * model.memory_share


def _loaded(job: Job, model: Served, on: Replica | CpuReplica, machines: Machines) -> LoadedReplica:
    running = GRID[:, None]
    checked = checked_speed(job, machines)
    prompts, tokens = (checked * speed(job, machines, what) for what in (PROMPT, TOKEN))
    tokens = tokens * agreed_speed(job, machines)
    parts = faster(parts_of(job, model, on, running), prompts, tokens)
    times = latency(model, parts)
    flooded = endless_rate(model, parts, isinstance(on, CpuReplica)) * speed(job, machines)
    rate = flooded if endless(job) else times.rate(running, model.output_tokens) * speed(job, machines)
    ones = np.ones(len(machines))
    degree, held, wide = (on.n, on.held, on.wide) if isinstance(on, Replica) else (ones, ones, 0 * ones)
    curves = curves_of(times, rate, model.output_tokens, at_a_rate=job.workload.requests_per_second is not None)
    # Of a job, whose users nobody states: the batch that its script is set to.
    batch = job.workload.batch_size if job.workload.concurrency is None else None
    highest = np.minimum(_highest(job, machines, curves), batch or LOADS[-1])
    return LoadedReplica(degree, held, wide, highest, curves, flooded)


def _configuration(
    loaded: LoadedReplica, of: Places, most: Floats, replicas: Floats, at_a_rate: bool, span: float = 1.0
) -> Configuration:
    """The configuration of machines of those groups; memory for a part of a request runs none."""
    most, spans = np.floor(most), np.full(len(of), span)
    highest = np.minimum(most, loaded.highest[of])
    carried = points_at(of, np.maximum(highest, 1.0)).of(loaded.curves.rate)
    full = points_at(of, np.clip(most, 1.0, LOADS[-1]))
    possible = np.minimum(full.of(loaded.curves.rate), full.of(loaded.flooded))
    if at_a_rate:
        carried = _carried_at_a_rate(loaded, of, most, highest, possible)
    carried = np.minimum(carried, possible)
    capacity = np.where(highest >= 1, carried * replicas, np.where(most >= 1, 0.0, -1.0))
    shape = loaded.degree[of], loaded.held[of], loaded.wide[of], spans
    return Configuration(*shape, replicas, most, highest, carried, possible, capacity, of)


def _carried_at_a_rate(loaded: LoadedReplica, of: Places, most: Floats, highest: Floats, full: Floats) -> Floats:
    """Requests a second at the highest load, of which one is the request itself; beyond the places others wait."""
    wanted = loaded.highest[of]
    within = points_at(of, np.maximum(highest, 1.0)).of(loaded.curves.arriving)
    beyond = full * np.minimum(most, wanted - 1) / np.maximum(most, 1.0)
    return np.maximum(np.where(wanted <= most, within, beyond), 0.0)


def _highest(job: Job, machines: Machines, curves: Curves) -> Floats:
    """The highest load that is, at the high end of its range, within every target.

    Machines that the user has are within an assumed one at its middle: nobody asked to pay for surer ones. Where none
    is, -1 to 0: the less, the later a lone request.
    """
    targets = bounds_ms(job)
    if not targets:
        return np.full(len(machines), LOADS[-1])
    error = error_of(job, GRID[:, None], measured_loads(job, machines))
    first = higher(first_token_ends(job, machines, curves.front[0]).high[:], error)
    each = higher(ends(job, machines, "tpot").high[:], error)
    slow = {
        "latency_ms": curves.ttft_p95 * first,
        "tpot_ms": curves.tpot_p95 * np.where(("tpot_ms" in job.assumed_targets) & machines.owned, 1.0, each),
        "end_to_end_ms": curves.ttft_p95 * first + (curves.whole_p95 - curves.ttft_p95) * each,
    }
    late = np.maximum.reduce([slow[name] * MS / target for name, target in targets.items()])
    in_time = np.logical_and.accumulate(late <= 1.0, axis=0).sum(axis=0)
    rising = np.maximum.accumulate(late, axis=0)
    until = reached(rising, np.ones(len(machines)), np.arange(len(machines)))
    within = np.maximum(until * BELOW, 1.0)
    if not at_a_rate(job):  # a rate keeps a mean of requests running; else they are whole ones
        within = np.floor(within)
    within = np.where(in_time == 0, -np.fmin(late[0] / (1 + late[0]), BELOW), within)
    return np.where(in_time == len(LOADS), LOADS[-1], within)


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
    if job.precision == "fp4" and job.workload.quantization != GGUF:
        widened = half & (job.workload.quantization == MXFP4)  # by kernels for weights alone
        return ~on_device | (np.isnan(machines.peak("fp4")) & ~widened)
    if job.precision == "fp8":
        return ~on_device | ~half
    if job.precision == "fp64":
        return np.full(len(machines), True)
    return on_device & ~half & np.isnan(machines.peak("fp32"))  # weights alone are unpacked, to fp32 without 16 bits


def _would_span(model: Served, machines: Machines, nodes: Floats | None) -> Flags:
    """Given machines that might hold a replica together, if the rate of their network were known."""
    if nodes is None:
        return np.full(len(machines), False)
    every = _device_gib(model, machines) * machines.devices * nodes
    return (nodes >= SPANS[0]) & ~(machines.network_gbps > 0) & (every * GIB > model.total_bytes)


def load_free_obstacles(
    job: Job, model: Served, machines: Machines, nodes: Floats | None, chosen: Configuration, host: MemoryColumns
) -> Obstacles:
    """Obstacles to serving the model whatever the load."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    weak[(host.required > machines.memory_gib) | (~on_device & (chosen.most < 1))] = obstacle("memory")
    unserved = on_device & (chosen.most < 1)
    weak[unserved] = obstacle("accelerator_memory")
    weak[unserved & _would_span(model, machines, nodes)] = obstacle("network")
    strong[_unsupported(job, machines)] = obstacle("precision")
    strong[on_device & ~machines.rated] = obstacle("specification")
    return obstacles_of(weak, strong)


def obstacles_at_load(known: Obstacles, large: Flags, lacking_disk: Flags | None) -> Ints:
    """The obstacle of each machine at a load; a disk only where there is no other."""
    found = known.weak
    if lacking_disk is not None:
        found = np.where(lacking_disk & (found == 0), np.int32(obstacle("disk")), found)
    found = np.where(large & (found != obstacle("network")), np.int32(obstacle("accelerator_memory")), found)
    found[known.barred] = known.strong
    return found
