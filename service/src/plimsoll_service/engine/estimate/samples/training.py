"""Training of models that are counted in samples: batch, step, and how many devices take part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...clusters import Clusters, Drives, SideBySide, device_counts, machines_working, side_by_side
from ...columns import Column, Groups, Lazy, Lookup, groups_of, groups_of_pairs, joined, select, take
from ...demand.anchored import speed
from ...demand.global_batch import LEAST_SPEED, chosen, equal_micro_batches, sensible, share_of
from ...demand.host_process import HELD_DATA_VCPUS, TRAINING_VCPUS, busy_vcpus, holds_data, process_of
from ...demand.job import Job, profile_of
from ...demand.software import measured_points
from ...hardware import Flags, Floats, Ints, Places
from ...known import kind_of_network
from ...machines import Machines
from ...models.families import family_of
from ...models.profile import ModelProfile
from ...obstacles import bottleneck
from .. import requirements
from ..arithmetic import Arithmetic, fitted_arithmetic
from ..job_time import Run, finish, largest_within
from ..measured_steps import Steps, measured_together, steps_of
from ..outcome import GlobalBatch, Outcome, looked_up
from ..ranges import Ends, ends, no_faster
from ..roofline import Step
from . import layouts

# Largest batch that is chosen unasked, per device: beyond it the published rows gain under 5%.
CUSTOMARY_BATCH = 256.0
CUSTOMARY_TOKENS = 16_384.0  # the same for sequences: batch × length
CUSTOMARY_ROWS = 65_536.0  # and for rows of a table
CUSTOMARY_DENSE = 1024.0  # and for rows of dense layers alone (dreamquark-ai/tabnet, README: default batch)


def choose_batch(
    job: Job, profile: ModelProfile, machines: Machines, need: requirements.DeviceNeed, devices: Floats
) -> Floats:
    """The batch per device: as asked, else the network's script's, or the largest power of two, that surely fits."""
    if job.workload.batch_size is not None:
        return machines.at_once_or(job.workload.batch_size)
    largest = np.maximum(largest_within(job, machines, need, requirements.sure_share(job, machines)), 1.0)
    if job.workload.global_batch_size is not None:
        return equal_micro_batches(job.workload.global_batch_size, devices, largest)
    most = _most(job, profile)
    chosen = 2.0 ** np.floor(np.log2(np.minimum(largest, most)))
    if profile.script_batch is not None:
        chosen = np.where(largest >= most, most, chosen)
    return np.minimum(chosen, share_of(job, devices))


def _most(job: Job, profile: ModelProfile) -> float:
    """The largest batch that is chosen unasked; of fewer samples there is none."""
    most = customary_batch(profile)
    return max(most if job.feed is None else min(most, job.feed.samples), 1.0)


def customary_batch(profile: ModelProfile) -> float:
    """The largest batch taken unasked."""
    if profile.script_batch is not None:
        return float(profile.script_batch)
    if profile.family == "mlp":
        return CUSTOMARY_DENSE
    if family_of(profile.family).data == "table" or profile.sequential:  # steps of a sequence wait for each other
        return CUSTOMARY_ROWS
    length = profile.reference.sequence_length
    if profile.transformer is not None and length and profile.reference.image_size is None:
        return max(1.0, CUSTOMARY_TOKENS / length)
    return CUSTOMARY_BATCH


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: steps of each hardware group, and memory by batch of each memory group."""

    hardware: Groups
    steps: Steps  # a row a hardware group
    memory: Groups
    sized: Machines  # a row a memory group
    shared: Floats  # likewise: devices of an experiment
    placed: layouts.Placed  # likewise

    @property
    def need(self) -> requirements.DeviceNeed:
        """The need of one device of each memory group."""
        return self.placed.need


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that the chosen batches decide."""

    prepared: Prepared
    run: Run


@dataclass(frozen=True, eq=False)
class _Sized:
    """The batch per device, and a step of it; a row a candidate."""

    batch: Floats
    step: Step


@dataclass(frozen=True, eq=False)
class _Throughput:
    """How many devices of each machine take part, at which batch, and the samples a second of them all."""

    devices: Floats
    batch: Floats
    rate: Floats
    bottleneck: Ints


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """Steps, and memory by batch."""
    profile, machines = profile_of(job), clusters.machines
    hardware = machines.hardware_groups
    some = machines.take(hardware.rows)
    numbers = fitted_arithmetic(job, profile, some)
    memory = _memory_groups(job, profile, machines, clusters.fixed_nodes, take(numbers, hardware.of))
    sized = machines.take(memory.rows)
    shared = _of_a_run(job, machines.devices, clusters.fixed_nodes)[memory.rows]
    steps, of = steps_of(job, profile, some, numbers), hardware.of[memory.rows]
    element_bytes, named = numbers.element_bytes.take(of), clusters.splits.named

    def placed_for(asked: Job) -> layouts.Placed:
        return layouts.placed_of(asked, profile, sized, shared, element_bytes, named)

    placed = placed_for(job)
    if chosen(job) and job.workload.activation_recomputation in (None, "auto"):
        placed = _roomier(job, sized, shared, placed_for, steps.take(of), placed)
    return Prepared(hardware=hardware, steps=steps, memory=memory, sized=sized, shared=shared, placed=placed)


# Speed that must be left for a batch of several samples and free memory. People give up about a fifth where they
# compute activations again (huggingface.co/docs/transformers, gradient checkpointing, read on 2026-11-28).
ROOMY_SPEED = 0.85


def _roomier(
    job: Job, sized: Machines, shared: Floats, placed_for: Callable[[Job], layouts.Placed], steps: Steps,
    placed: layouts.Placed,
) -> layouts.Placed:  # fmt: skip
    """The network with its activations computed again where that makes a batch of one larger at about the same speed.

    Rule: roomier-batch.
    """
    profile = steps.profile
    batch = choose_batch(job, profile, sized, placed.need, shared)
    lone = (batch == 1) & (placed.laid.recomputed == 0) & sized.has_accelerator()
    if not np.any(lone):
        return placed
    recomputing = replace(job, workload=replace(job.workload, activation_recomputation="full"))
    again = placed_for(recomputing)
    larger = choose_batch(job, profile, sized, again.need, shared)
    alike = (again.laid.stage == placed.laid.stage) & (again.laid.offload == placed.laid.offload)
    kept = steps.rate(larger) / again.slower >= ROOMY_SPEED * steps.rate(batch) / placed.slower
    larger_batch = replace(again, laid=replace(again.laid, roomier=np.ones(len(batch))))
    return select(lone & alike & (larger > 1) & kept, larger_batch, placed)


def plan_key(job: Job, clusters: Clusters, prepared: Prepared) -> tuple[bytes, ...]:
    """The batches per device, a row a memory group; where they are apart, those of a single device behind."""
    profile, sized, need = profile_of(job), prepared.sized, prepared.need
    batch = choose_batch(job, profile, sized, need, prepared.shared)
    if job.workload.global_batch_size is None:
        return (batch.tobytes(),)
    nodes = clusters.fixed_nodes[prepared.memory.rows]
    alone = choose_batch(job, profile, sized, need, _of_a_run(job, np.ones(len(nodes)), nodes))
    return batch.tobytes(), alone.tobytes()


def plan(job: Job, clusters: Clusters, prepared: Prepared, key: tuple[bytes, ...]) -> Plan:
    """The run at those batches."""
    batches = [np.frombuffer(batch) for batch in key]
    return Plan(prepared, _run(job, clusters.machines, clusters.fixed_nodes, prepared, batches[0], batches[-1]))


def estimate(job: Job, clusters: Clusters, plan: Plan, drives: Drives) -> tuple[Outcome, Floats]:
    """Each candidate with all its devices, or with one where the exchange would cost more than it brings."""
    known, nodes = plan.prepared, clusters.fixed_nodes
    of, floor = known.memory.of, HELD_DATA_VCPUS if holds_data(job.feed) else TRAINING_VCPUS
    filled = 1.0 if requirements.runs_as_stated(job, clusters.splits.named) else None

    def largest(rows: Any) -> Floats:
        some, need = of[rows], known.need
        few = requirements.DeviceNeed(need.fixed[some], need.per_sample[some], {})
        return largest_within(job, known.sized.take(some), few, filled)

    return finish(job, clusters.machines, nodes, plan.run, drives, largest=Lazy(largest), floor=floor), nodes


def _memory_groups(job: Job, profile: ModelProfile, machines: Machines, nodes: Floats, numbers: Arithmetic) -> Groups:
    """Groups with the same batch: by the device, or without one by the memory and the bytes of an element.

    Where a run has so many devices that they take less than they could, or share its states, also by their number.
    """
    if job.workload.global_batch_size is not None or layouts.fetches_alone(job):  # by the devices of a run
        return groups_of(np.arange(len(machines)))
    device = machines.alike
    if profile.architecture == requirements.SPREAD_TABLES:
        device = groups_of_pairs(device, machines.devices).of.astype(np.int32)
    host = machines.memory_alike * 2 + numbers.emulated
    alike = np.where(machines.has_accelerator(), device + int(host.max(initial=0)) + 1, host)
    shared, groups = _of_a_run(job, machines.devices, nodes), groups_of(alike)
    many = chosen(job) & (shared * customary_batch(profile) > job.batch_limit)
    some, few = machines.take(groups.rows), numbers.element_bytes[groups.rows]
    spread = layouts.spread_where(job, profile, some, shared[groups.rows], few)
    many = many | (spread.take(groups.of) if isinstance(spread, np.ndarray) else spread)
    return groups_of_pairs(alike, np.where(many, shared, 0.0)) if np.any(many) else groups


def _of_a_run(job: Job, devices: Floats, nodes: Floats) -> Floats:
    """Devices of one experiment, on all its machines."""
    return side_by_side(job.experiments, devices, nodes).of_a_run


def _run(job: Job, machines: Machines, nodes: Floats, known: Prepared, batch: Floats, alone: Floats) -> Run:
    """The faster plan of each candidate at those batches of each memory group, with its needs and its range."""
    shared = _fastest(known, machines, nodes, batch, alone)
    of, numbers, name = known.memory.of, known.steps.numbers, f"{kind_of_network(known.steps.profile)}_training"
    device = requirements.memory_of(known.need.on_device(known.sized, batch), of)
    devices = np.where(machines.has_accelerator(), shared.devices, 0.0)
    model, rate = _on_host(known, batch, devices), shared.rate * speed(job, machines)
    return Run(
        devices=devices,
        batch=Lookup(batch, of) if alone is batch else shared.batch,
        rate=rate,
        busy=busy_vcpus(machines, rate / machines_working(job.experiments, devices, nodes)),
        bottleneck=shared.bottleneck,
        spread=_spread(known, machines, shared, nodes, name),
        device=device,
        process=process_of(job, devices, shared.batch, model, requirements.weights_loading(job, machines)),
        emulated=numbers.emulated[known.hardware.of],
        obstacles=requirements.obstacles(job, machines, nodes, numbers.supported[known.hardware.of], device),
        together=_global_batch(job, known, batch, shared, nodes),
        layout=looked_up(known.placed.laid, of),
    )


def _spread(known: Prepared, machines: Machines, shared: _Throughput, nodes: Floats, name: str) -> Ends:
    """The range of each candidate's rate; of a network of the user's own, not beyond the devices' peak."""
    job = known.steps.job
    found = ends(job, machines, name, "cpu_training", _of_a_run(job, shared.devices, nodes))
    if job.known_model:
        return found
    at_peak = known.steps.terms.at_peak.take(known.hardware.of)
    return no_faster(found, shared.devices * nodes / (at_peak * shared.rate * speed(job, machines)))


def _on_host(known: Prepared, batch: Floats, devices: Floats) -> Column | None:
    """GiB of the model in the host's memory: where there is no device, or where its states are not on them."""
    on_host, of = requirements.model_on_host(known.sized, known.need.required(batch)), known.memory.of
    if known.placed.plain:
        return None if on_host is None else Lookup(on_host, of)
    states = known.placed.host_gib.take(of) * devices
    return states if on_host is None else states + on_host.take(of)


def _global_batch(job: Job, known: Prepared, batch: Floats, shared: _Throughput, nodes: Floats) -> GlobalBatch:
    """Global batch of each plan; not sensible if it is too large, or if devices idle so that it is not."""
    per_run = _of_a_run(job, shared.devices, nodes)
    asked = job.workload.global_batch_size
    samples = shared.batch * per_run if asked is None else np.full(len(nodes), float(asked))
    few = sensible(job, samples, per_run)
    if not chosen(job):
        return GlobalBatch(samples, few)
    # Devices of one machine share a recommender's tables: TorchRec's own run is of eight A100 at such a batch.
    together = (nodes == 1) & (known.steps.profile.architecture == requirements.SPREAD_TABLES)
    return GlobalBatch(samples, few & (together | _busy(job, known, batch).take(known.memory.of)))


def _busy(job: Job, known: Prepared, batch: Floats) -> Flags:
    """Whether the devices of each memory group keep most of the speed that they have at a batch of their choice."""
    alone = choose_batch(job, known.steps.profile, known.sized, known.need, np.ones(len(batch)))
    busy = np.ones(len(batch), dtype=bool)
    rows = np.flatnonzero(batch < alone)
    if len(rows):
        steps = known.steps.take(known.hardware.of[known.memory.rows[rows]])
        busy[rows] = steps.rate(batch[rows]) >= LEAST_SPEED * steps.rate(alone[rows])
    return busy


def _fastest(known: Prepared, machines: Machines, nodes: Floats, batch: Floats, alone: Floats) -> _Throughput:
    """The faster plan of each candidate; ``alone`` is the batch where one device takes part."""
    counts, sized = device_counts(machines), _sized(known, batch)
    rows, behind = counts.rows, counts.rows[counts.candidates :]
    sizes = take(sized, rows) if alone is batch else joined([sized, take(_sized(known, alone), behind)])
    hardware = known.hardware.of[rows]
    placed = None if known.placed.plain else take(known.placed, known.memory.of[rows])
    runs = _Runs(known.steps, hardware, machines.take(rows), nodes[rows], counts.devices, placed)
    both = _together(runs, runs.slowed(runs.crowded(sizes)))
    allowed = True if placed is None else placed.spread == 0  # whether one device could do the work alone
    rate: Floats = both.rate / runs.shares.rounds(known.steps.job.experiments)
    if placed is not None and layouts.fetches_alone(known.steps.job):
        rate[(placed.host_gib > 0) & (runs.shares.of_a_run > 1)] = 0.0
    return take(both, counts.best(rate, allowed))


def _sized(known: Prepared, batch: Floats) -> _Sized:
    """A step of each candidate, at the batch of its memory group."""
    values, which = np.unique(batch, return_inverse=True)
    hardware = known.hardware.of
    alike = groups_of(hardware * len(values) + which[known.memory.of])
    some = known.steps.take(hardware[alike.rows])
    each = batch[known.memory.of]
    return _Sized(each, take(some.step(each[alike.rows]), alike.of))


def _together(runs: _Runs, sized: _Sized) -> _Throughput:
    def rates(rows: Ints, batch: Floats) -> Floats:
        some = runs.take(rows)
        return _rate(some, batch, some.steps.take(some.hardware).step(batch))[0] / some.shares.at_once

    rate, limit = _rate(runs, sized.batch, sized.step)
    if not measured_points(runs.job):  # nothing of just this work was measured
        return _Throughput(runs.devices, sized.batch, rate, limit)
    steps = replace(runs.steps, machines=runs.machines, numbers=take(runs.steps.numbers, runs.hardware))
    shares = runs.shares
    whole = np.where(shares.together == 1, runs.devices, 1.0)  # a part of a machine was not measured
    measured = (
        measured_together(steps, whole, shares.machines, sized.batch, rate / shares.at_once, rates) * shares.at_once
    )
    return _Throughput(runs.devices, sized.batch, measured, limit)


def _rate(runs: _Runs, batch: Floats, one: Step) -> tuple[Floats, Ints]:
    """Samples a second of all devices of each candidate, and their bottleneck."""
    rate, limit = batch / one.seconds, one.bottleneck.copy()
    several = np.flatnonzero(runs.devices * runs.nodes > 1)
    if len(several):
        some, each = runs.take(several), batch[several]
        seconds, limit[several] = some.step_seconds(take(one, several), each)
        rate[several] = some.samples_per_step(each) / seconds
    return rate, limit


@dataclass(frozen=True, eq=False)
class _Runs:
    """How the devices of a candidate share one run, or independent experiments."""

    steps: Steps  # a row a hardware group
    hardware: Places  # of each candidate that group
    machines: Machines
    nodes: Floats
    devices: Floats
    placed: layouts.Placed | None = None  # None where all of them lie as they would on one device

    @property
    def job(self) -> Job:
        return self.steps.job

    @cached_property
    def shares(self) -> SideBySide:
        return side_by_side(self.job.experiments, self.devices, self.nodes)

    def take(self, rows: Ints | Places) -> _Runs:
        """The given candidates, in that order."""
        placed = None if self.placed is None else take(self.placed, rows)
        chosen = self.machines.take(rows)
        return _Runs(self.steps, self.hardware[rows], chosen, self.nodes[rows], self.devices[rows], placed)

    def crowded(self, sized: _Sized) -> _Sized:
        """The steps of processes that share cores: each starts its kernels from a thread of its own, which is busy.

        Rule: process-cores.
        """
        sharing = self.devices / np.maximum(self.machines.cores, 1.0)
        rows = np.flatnonzero(sharing > 1)
        if not len(rows):
            return sized
        terms, hardware = self.steps.terms, self.hardware[rows]
        started = terms.launches.take(hardware) * terms.factor.take(hardware)
        seconds = sized.step.seconds.copy()
        seconds[rows] = np.sqrt(seconds[rows] ** 2 + started**2 * (sharing[rows] ** 2 - 1))
        return _Sized(sized.batch, replace(sized.step, seconds=seconds))

    def slowed(self, sized: _Sized) -> _Sized:
        """The steps with what is computed again, and fetched from the host's memory."""
        if self.placed is None:
            return sized
        waiting = layouts.held_up(self.placed, self.machines, self.devices, self.job.coefficients.scaling.pcie)
        host = self.steps.terms.host.take(self.hardware) * sized.batch  # does nothing twice
        seconds = (sized.step.seconds - host) * self.placed.slower + host + waiting
        return _Sized(sized.batch, replace(sized.step, seconds=seconds))

    def step_seconds(self, one: Step, batch: Floats) -> tuple[Floats, Ints]:
        """Seconds of a step on all devices; experiments side by side exchange nothing."""
        per_run, nodes = self.shares.devices, self.shares.machines
        fit = self.job.coefficients.scaling
        element_bytes = self.steps.numbers.element_bytes.take(self.hardware)
        gradients = layouts.exchanged_bytes(self.job, self.steps.profile, element_bytes, batch, per_run * nodes)
        if self.placed is not None:
            gradients = gradients * self.placed.gathering
        rows = layouts.table_bytes(
            self.steps.profile, batch
        )  # all to all moves as much of these as a ring does of gradients
        inside = layouts.exchange_inside(fit, self.machines, per_run, gradients + rows)
        between = layouts.exchange_between(fit, self.machines, nodes, gradients + rows * per_run)
        together = layouts.exchanging_step(fit, one.seconds, per_run * nodes, inside + between)
        exchange = np.where(between > inside, bottleneck("network"), bottleneck("interconnect"))
        return together, np.where(together - one.seconds > one.seconds, exchange, one.bottleneck).astype(np.int32)

    def samples_per_step(self, batch: Floats) -> Floats:
        """Samples of all runs together in one step."""
        return batch * self.shares.devices * self.shares.machines * self.shares.at_once
