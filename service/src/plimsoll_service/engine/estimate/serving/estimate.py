"""Serving a language model: degree, running batch, replicas, and machines for a rate.

For each machine and degree the largest load that meets the latency target, and fits the KV cache, is the load that a
replica can carry; the asked rate or concurrency then gives replicas and machines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...anchors import TOKEN
from ...clusters import Clusters, Drives
from ...columns import Groups, Lazy, Lookup, changed, groups_of, groups_of_pairs, take
from ...demand.anchored import speed
from ...demand.host_process import INFERENCE_VCPUS
from ...demand.job import Job, dimensions_of, targets_ms
from ...demand.served_model import Served, served
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ...obstacles import bottleneck
from ...units import GB, MS
from ..input.disks import disk_columns, disk_need, disk_of
from ..outcome import MemoryColumns, Outcome, Ranged, ServingColumns
from ..ranges import Ends, agreed_speed, checked_speed, ends, first_token_ends, served_ends
from ..requirements import Obstacles, memory_of, recommended_usable_share
from .configuration import (
    CPU_MOST,
    WIDE_GAIN,
    Configuration,
    configure,
    emulated,
    load_free_obstacles,
    obstacles_at_load,
    tight_machines,
)
from .curves import Curves, points_at, reached
from .delivered import Delivered, Slots, crowded, delivered, highest_rate, its_range, replicas_of, slots_of
from .loads import error_of, higher, lower, measured_loads
from .memory import ROUNDING, DeviceRoom, device_room, host_memory, longest_context, longest_tokens
from .replica import computing_seconds, decode_step, host_factor, passed_seconds, replica, touched_experts

WAITED = frozenset(("latency_ms", "end_to_end_ms"))  # targets that a wait for a slot is part of
ROUNDS, MORE = 40, 0.05  # tries with so many more machines, at least one, until no wait is too long


# On devices reading, launching, computing, the engine's work for each request on the host, preparing images there, and
# exchanging; on processors, which launch nothing, reading and computing.
BOTTLENECKS = np.array(
    [
        bottleneck(name)
        for name in (
            "accelerator_memory_bandwidth", "launch_latency", "accelerator_compute", "cpu_compute", "input_pipeline",
            "interconnect", "memory_bandwidth", "cpu_compute",
        )
    ],
    dtype=np.int32,
)  # fmt: skip
ON_CORES_READING, ON_CORES_COMPUTING = len(BOTTLENECKS) - 2, len(BOTTLENECKS) - 1


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: the configuration, its needs, and ranges; a row for each of ``groups``.

    The ``tight`` candidates stand once more behind the others, with replicas over several machines each.
    """

    groups: Groups  # candidates that serve alike
    tight: Places
    nodes: Floats | None  # None where the rate sets them
    at_once: Floats | None  # requests in service, where they are given
    model: Served
    on_device: Flags
    chosen: Configuration
    slots: Slots
    curves: Curves
    rates: Floats | None  # of those curves, where a rate is asked
    lone_ms: Floats  # latency of a request that has a replica to itself
    rate: Ends
    first: Ends
    each: Ends  # token
    measured: Floats  # the most requests at once of a replica that was measured
    surely: Floats  # requests a second of a replica at the low end, whatever the targets
    room: DeviceRoom
    emulated: Flags
    read_bytes: Floats  # a second, of a replica
    hastened: Floats  # speed of a step over the formula's
    largest_part: Callable[[Places, Floats], Ints]  # of a step on the devices of those groups under those loads
    late: Flags  # no load meets the latency: more machines would not either
    host: MemoryColumns  # of every candidate
    obstacles: Obstacles  # likewise
    roomy: Flags  # the cache holds a request in the memory that a recommendation may use
    alone: Prepared | None = None  # without the tight candidates' second rows, where there are any

    def later(self, figure: Callable[[Places], NDArray[Any]]) -> Lazy:
        """A figure of the groups, computed for the machines that are shown."""
        return Lazy(lambda rows: figure(self.groups.of[rows]))

    def with_rows(self, rows: Places | slice) -> Prepared:
        """With the candidates of those rows in place of all."""
        of, barred = self.groups.of[rows], self.obstacles.barred
        few = barred < len(of)  # the same in both places: they are of the machine, not of the layout
        return changed(
            self,
            groups=Groups(self.groups.rows, of),
            host=take(self.host, rows),
            obstacles=Obstacles(self.obstacles.weak[rows], barred[few], self.obstacles.strong[few]),
        )


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The configuration of each machine, in the number that a given concurrency takes."""
    model, concurrency = served(job, dimensions_of(job)), job.workload.concurrency
    if clusters.splits.tensor is not None and not model.layer_split:
        model = replace(model, in_turn=False)
    tight = tight_machines(model, clusters.machines, clusters.nodes, clusters.splits)
    clusters = _once_more(clusters, tight)
    known = _prepared(job, model, clusters, tight)
    if clusters.nodes is not None or concurrency is None or job.workload.requests_per_second is not None:
        return known
    # So many machines may serve their share of the users in a better way than one machine as many as it holds.
    needed = _machines_needed(job, known).take(known.groups.of)
    return _prepared(job, model, replace(clusters, nodes=needed), tight)


def _once_more(clusters: Clusters, rows: Places) -> Clusters:
    """The clusters, and those rows once more behind them."""
    if not len(rows):
        return clusters
    every, nodes = np.concatenate([np.arange(len(clusters.machines)), rows]), clusters.nodes
    return Clusters(clusters.machines.take(every), None if nodes is None else nodes[every], clusters.splits)


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes."""
    nodes = _machines_in_time(job, known) if known.nodes is None else known.nodes
    if known.alone is not None:
        better = _wider(job, known, nodes, clusters)
        known = known.with_rows(_laid_out(known, better, len(clusters.machines))) if better.any() else known.alone
    return _outcome(job, known, clusters.machines, nodes, drives), nodes.take(known.groups.of)


def _wider(job: Job, known: Prepared, nodes: Floats, clusters: Clusters) -> Flags:
    """Which of the tight candidates are better with a replica over several machines than with one on each.

    It is where the load takes fewer machines so (of given ones: where they do not carry it else), or where without a
    load as many machines serve a tenth more.
    """
    first, sized, workload = len(clusters.machines), clusters.nodes is None, job.workload
    alone, together = known.groups.of[known.tight], known.groups.of[first:]
    if not sized and workload.requests_per_second is None and workload.concurrency is None:
        rate = known.chosen.carried * replicas_of(known.chosen, nodes)
        return rate[together] > WIDE_GAIN * rate[alone]
    needed = _at_the_peak(job, known, nodes) if sized else _machines_in_time(job, known)
    needed = needed + np.ceil((workload.spare_replicas or 0) / known.chosen.replicas)
    needed = np.where(known.roomy, needed, np.inf)
    return (needed[together] < needed[alone]) & (sized | (needed[alone] > nodes[alone]))


def _laid_out(known: Prepared, better: Flags, first: int) -> Places:
    """The row of each candidate, behind the ``first`` ones where it is a tight one that is better so."""
    rows = np.arange(first)
    rows[known.tight[better]] = first + better.nonzero()[0]
    return rows


def _at_the_peak(job: Job, known: Prepared, nodes: Floats) -> Floats:
    """Machines for the highest rate of a day, where there is one: each hour has the layout of the peak."""
    by_hour = job.workload.requests_per_second_by_hour
    if by_hour is None:
        return nodes
    return _machines_in_time(replace(job, workload=replace(job.workload, requests_per_second=max(by_hour))), known)


def _prepared(job: Job, model: Served, clusters: Clusters, tight: Places) -> Prepared:
    machines, nodes, users = clusters.machines, clusters.nodes, job.workload.concurrency
    together = len(machines) - len(tight)
    configured, curves = configure(job, model, machines, nodes, clusters.splits, together)
    host = host_memory(job, model, machines, configured.span)
    groups = _groups(machines, configured)
    groups = groups if nodes is None else groups_of_pairs(groups.of.astype(np.int32), nodes)
    some, chosen = machines.take(groups.rows), take(configured, groups.rows)
    on_device = some.has_accelerator()
    bandwidth = np.where(on_device, some.bandwidth_gb_s, some.cpu_bandwidth_gb_s) * GB
    slots, rate = slots_of(chosen.most, chosen.possible, chosen.line, curves), served_ends(job, some)
    measured, longest = measured_loads(job, some), longest_tokens(job)
    room = device_room(model, some, chosen.degree, chosen.held, chosen.wide, longest)
    prepared = Prepared(
        groups=groups,
        tight=tight,
        nodes=None if nodes is None else nodes.take(groups.rows),
        at_once=None if users is None else some.at_once_or(users),
        model=model,
        on_device=on_device,
        chosen=chosen,
        slots=slots,
        curves=curves,
        rates=None if job.workload.requests_per_second is None else curves.arriving,
        lone_ms=curves.ttft_p95[0].take(chosen.line) * MS,
        rate=rate,
        first=first_token_ends(job, some, curves.front[0].take(chosen.line)),
        each=ends(job, some, "tpot"),
        measured=measured,
        surely=_surely(job, chosen, slots, curves, rate, measured),
        room=room,
        emulated=emulated(job, some),
        read_bytes=chosen.degree * bandwidth,
        hastened=checked_speed(job, some) * agreed_speed(job, some) * speed(job, some, TOKEN) / model.slower_steps,
        largest_part=_largest_parts(job, model, some, chosen),
        late=(chosen.highest < 1) & (chosen.most >= 1),
        host=host,
        obstacles=load_free_obstacles(job, model, machines, nodes, configured, host),
        roomy=room.places(room.usable * recommended_usable_share(job)) >= 1,
    )
    return changed(prepared, alone=prepared.with_rows(slice(together))) if len(tight) else prepared


def _largest_parts(
    job: Job, model: Served, machines: Machines, chosen: Configuration
) -> Callable[[Places, Floats], Ints]:
    """The place in ``BOTTLENECKS`` of what takes most of a step on devices; computed for what is shown.

    Each request brings its prompt once, so that a step has its share of it.
    """
    positions = 1.0 if model.drafting is None else model.drafting.tokens + 1.0

    whole = replica(model, machines, chosen.degree, job.half_falls_back)
    every = changed(whole, stages=whole.stages if model.in_turn else chosen.held / chosen.degree, wide=chosen.wide)

    def largest(rows: Places, load: Floats) -> Ints:
        on = every.take(rows)
        step, prompts = decode_step(model, on, load, positions), load / on.stages / model.output_tokens
        computing = step.products + step.unpacking + prompts * computing_seconds(model, on)
        preparing = prompts * model.imaging_s * model.prompt * host_factor(model, on.machines)
        passed = step.passed + prompts * passed_seconds(model, on)
        parts = (step.weights + step.cache, step.fixed, computing, step.host, preparing, passed)
        return np.asarray(np.argmax(np.stack(np.broadcast_arrays(*parts)), axis=0), dtype=np.int32)

    return largest


def _groups(machines: Machines, chosen: Configuration) -> Groups:
    """Machines with the same hardware, split alike; of processors also those with memory for as many requests."""
    split = chosen.line * (int(chosen.replicas.max(initial=0)) + 1) + np.ceil(chosen.replicas)
    room = np.where(chosen.most >= CPU_MOST, 0, np.where(chosen.most < 1, 1, machines.memory_alike + 2))
    apart = groups_of(np.where(machines.has_accelerator(), split.astype(np.intp) + int(room.max(initial=0)) + 1, room))
    return groups_of(machines.hardware_groups.of * len(apart) + apart.of)


def _machines_needed(job: Job, known: Prepared) -> Floats:
    """Machines for the asked rate at the low end of the rate of each, or for the asked concurrency; else one."""
    rate, at_once, chosen = job.workload.requests_per_second, known.at_once, known.chosen
    if rate is not None:
        surely = np.minimum(chosen.capacity, known.surely * chosen.replicas)
        needed = rate / np.maximum(surely, 1e-12)
    elif at_once is not None:
        needed = at_once / (np.maximum(np.floor(chosen.highest), 1e-9) * chosen.replicas)
    else:
        return chosen.span
    together = np.maximum(1.0, np.ceil(needed / chosen.span)) * chosen.span
    return np.where(known.late | (chosen.most < 1), chosen.span, together)


def least_machines(job: Job, known: Prepared) -> Floats:
    """Machines of each candidate that may carry the load in its better layout; infinite where no load is in time."""
    needed = _machines_needed(job, known) if known.nodes is None else known.nodes
    every = np.where(known.late | (known.chosen.most < 1), np.inf, needed).take(known.groups.of)
    least, together = np.split(every, [len(every) - len(known.tight)])
    least[known.tight] = np.minimum(least[known.tight], together)
    return least


def _surely(
    job: Job, chosen: Configuration, slots: Slots, curves: Curves, rate: Ends, measured: Floats
) -> Floats:  # fmt: skip
    """Requests a second of a replica at the low end, whatever the targets: no fewer than at a measured load."""
    low = rate.low[:]
    full = chosen.possible * lower(low, error_of(job, slots.count, measured))
    within = points_at(chosen.line, np.minimum(slots.count, measured)).of(curves.rate)
    return np.maximum(full, np.minimum(within, chosen.possible) * low)


def _at_load(job: Job, known: Prepared, load: Floats) -> Prepared:
    """With the ranges at those loads; most of them are asked for a few machines alone."""
    error = error_of(job, load, known.measured)

    def wider(one: Ends) -> Ends:
        return Ends(
            Lazy(lambda rows: lower(one.low[rows], error[rows])), Lazy(lambda rows: higher(one.high[rows], error[rows]))
        )

    return changed(known, rate=wider(known.rate), first=wider(known.first), each=wider(known.each))


def _machines_in_time(job: Job, known: Prepared) -> Floats:
    """Machines for the asked load on which also the wait for a slot, which all replicas share, is within a target."""
    nodes, rate, targets = _machines_needed(job, known), job.workload.requests_per_second, targets_ms(job)
    if rate is None or not targets.keys() & WAITED:
        return nodes
    replicas = known.chosen.replicas * nodes
    few = crowded(known.slots, rate, replicas)
    few = few[known.chosen.highest[few] >= 1]
    if not len(few):
        return nodes
    chosen, slots = take(known.chosen, few), take(known.slots, few)
    at_once = None if known.at_once is None else known.at_once[few]
    for _ in range(ROUNDS):
        run = delivered(job, known.model, chosen, slots, known.curves, known.rates, nodes[few], at_once)
        late = _waits_too_long(job, known, run, few, targets)
        if not late.any():
            break
        more, span = few[late], chosen.span[late]
        nodes[more] += np.maximum(1.0, np.floor(nodes[more] * MORE / span)) * span
    return nodes


def _waits_too_long(
    job: Job, known: Prepared, run: Delivered, groups: Places, targets: Mapping[str, float]
) -> Flags:  # fmt: skip
    """Which of the groups, with what they deliver, miss a target of the first token or of the whole answer."""
    error, every = error_of(job, run.load, known.measured[groups]), np.arange(len(groups))
    first, each = higher(known.first.high[groups], error), higher(known.each.high[groups], error)
    whole = _whole_at(run, every, first, each)
    missed: Flags = run.tail_ms * first > targets.get("latency_ms", np.inf)
    return missed | (whole > targets.get("end_to_end_ms", np.inf))


def _outcome(job: Job, known: Prepared, machines: Machines, nodes: Floats, drives: Drives) -> Outcome:
    model, chosen, of = known.model, known.chosen, known.groups.of
    run = delivered(job, model, chosen, known.slots, known.curves, known.rates, nodes, known.at_once)
    sure = known.surely * run.replicas * model.output_tokens
    known = _at_load(job, known, run.load)
    rate, first = known.rate, known.first
    memory = known.room.at(run.load)
    too_large = known.on_device & (memory.required > memory.usable * ROUNDING)  # to be reserved
    shared = drives.unshared() if job.serves else drives
    disk = disk_of(job, shared, disk_need(job, shared.nodes, model.total_bytes, 0.0))
    nothing = np.full(len(machines), np.nan)
    fixed = job.workload.requests_per_second is not None  # delivers the asked rate, where it can
    # Targets are held against the slow end of the times already: the slow end of the rate only bounds what is possible.
    low = np.minimum(run.capacity, sure) if fixed else run.capacity * rate.low[:]
    tokens = run.tokens.take(of)

    later = known.later
    return Outcome(
        obstacle=obstacles_at_load(known.obstacles, too_large.take(of), disk.lacking),
        throughput=tokens,
        capacity=run.capacity.take(of),
        capacity_low=Lookup(low, of),
        capacity_high=later(lambda groups: run.capacity[groups] * rate.high[groups]),
        throughput_low=Lookup(np.minimum(run.tokens, sure) if fixed else run.tokens * rate.low[:], of),
        throughput_high=tokens if fixed else later(lambda groups: run.tokens[groups] * rate.high[groups]),
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=Lookup(nothing, disk.of),
        bottleneck=later(lambda groups: _bottleneck(known, run, groups)),
        batch_used=later(lambda groups: np.maximum(1.0, np.floor(run.load[groups]))),
        batch_largest=later(lambda groups: np.maximum(np.floor(chosen.most[groups]), 0.0)),
        vcpus_required=Lazy(lambda rows: _vcpus(machines, rows)),
        host=known.host,
        device=memory_of(memory, of),
        disk=disk_columns(job, disk, nothing),
        local_disk=Lookup(disk.local, disk.of),
        emulated=Lookup(known.emulated, of),
        devices_used=later(
            lambda groups: np.where(known.on_device[groups], chosen.held[groups] * chosen.replicas[groups], 0.0)
        ),
        latency_ms=run.tail_ms.take(of),
        latency_low_ms=later(lambda groups: run.tail_ms[groups] * first.low[groups]),
        latency_high_ms=Lookup(run.tail_ms * first.high[:], of),
        lone_latency_ms=Lookup(known.lone_ms, of),
        serving=_serving_columns(job, known, run, sure, machines),
    )


def _serving_columns(
    job: Job, known: Prepared, run: Delivered, sure: Floats, machines: Machines
) -> ServingColumns:  # fmt: skip
    chosen, of, later = known.chosen, known.groups.of, known.later

    def longest(rows: Places) -> Floats:
        return longest_context(job, known.model, machines.take(rows), take(known.room, of[rows]))

    def highest(rows: Places) -> Ranged:
        groups = of[rows]
        load = _middle_load(job, known, run, groups)
        value = highest_rate(job, known.model, chosen, known.curves, run, load, groups)
        return its_range(job, run, sure, known.rate, value, groups)

    return ServingColumns(
        concurrency=later(lambda groups: run.running[groups]),
        # Under a rate the highest load is a mean: as many more may run at times as make it a whole number.
        max_concurrency=later(lambda groups: np.ceil(run.highest[groups]) * run.replicas[groups]),
        expected_concurrency=later(
            lambda groups: np.floor(_middle_load(job, known, run, groups)) * run.replicas[groups]
        ),
        ttft_ms=later(run.ttft_ms),
        tpot_ms=later(run.tpot_ms),
        tpot_p95_ms=later(run.tpot_p95_ms),
        tpot_p95_high_ms=later(lambda groups: run.tpot_p95_ms(groups) * known.each.high[groups]),
        end_to_end_p95_ms=later(run.whole_p95_ms),
        end_to_end_p95_high_ms=later(
            lambda groups: _whole_at(run, groups, known.first.high[groups], known.each.high[groups])
        ),
        tensor_parallel=Lookup(chosen.degree, of),
        replicas=Lookup(run.replicas, of),
        nodes_per_replica=Lookup(chosen.span, of),
        pipeline_parallel=Lookup(chosen.held / chosen.degree, of),
        attention_data_parallel=Lookup(np.where(chosen.wide > 0, chosen.degree, 1.0), of),
        longest_context=Lazy(longest),
        most_requests=Lazy(lambda rows: np.maximum(np.floor(chosen.most[of[rows]]), 0.0) * run.replicas[of[rows]]),
        possible=later(lambda groups: run.possible[groups]),
        possible_low=Lookup(sure, of),
        highest_rate=highest,
        load=Lookup(run.load, of),
        measured_load=Lookup(known.measured, of),
    )


def _middle_load(job: Job, known: Prepared, run: Delivered, groups: Places) -> Floats:
    """Requests that a replica runs within the targets at the middle of their ranges."""
    curves, line, most = known.curves, known.chosen.line[groups], known.slots.count[groups]
    of_target = {"latency_ms": curves.ttft_p95, "tpot_ms": curves.tpot_p95, "end_to_end_ms": curves.whole_p95}
    loads = [
        reached(of_target[name].take(line, axis=1) * MS, np.array(target), np.arange(len(line)))
        for name, target in targets_ms(job).items()
    ]
    return np.maximum(np.minimum.reduce([most, *loads]), run.highest[groups])


def _whole_at(run: Delivered, groups: Places, first: Floats, each: Floats) -> Floats:
    """Time to the end at ends of the ranges of the time to the first token and of each after it, both at once."""
    until = run.tail_ms[groups]
    return until * first + (run.whole_p95_ms(groups) - until) * each


def _vcpus(machines: Machines, rows: Places) -> Floats:
    """vCPUs for the devices of some machines; without devices all of them serve."""
    devices = np.maximum(machines.devices[rows], 1.0)
    return np.where(machines.accelerator[rows] >= 0, INFERENCE_VCPUS * devices, machines.vcpus[rows])


def _bottleneck(known: Prepared, run: Delivered, groups: Places) -> Ints:
    """Which part of a decode step weighs most: see ``_largest_parts``; on processors reading, or computing."""
    some, model = np.atleast_1d(groups), known.model
    load, step = run.load[some], run.tpot_ms(some) / MS * known.hastened[some]
    weights = model.dense_weights + touched_experts(model, load) * model.expert_bytes
    read = (weights + load * (model.kv_bytes * model.input_tokens)) / known.read_bytes[some]
    places = np.where(read > step / 2, ON_CORES_READING, ON_CORES_COMPUTING)
    on_device = known.on_device[some].nonzero()[0]
    places[on_device] = known.largest_part(some[on_device], load[on_device])
    return BOTTLENECKS.take(places.reshape(np.shape(groups)))
