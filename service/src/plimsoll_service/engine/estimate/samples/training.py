"""Training of models that are counted in samples: batch, step, and scaling in data parallel.

Scaling (throughput study, section 5): T_n = T_1 · (1 + h·log2 n) + softplus(t_ar − o·T_1).
Ring all-reduce moves 2·(n−1)/n of the gradients (Patarasuk and Yuan 2009).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from plimsoll_service.engine.clusters import Clusters
from plimsoll_service.engine.coefficients import Scaling
from plimsoll_service.engine.columns import Groups, Lazy, Lookup, groups_of, groups_of_pairs, joined, take
from plimsoll_service.engine.demand.job import Job, profile_of
from plimsoll_service.engine.estimate.arithmetic import fitted_arithmetic
from plimsoll_service.engine.estimate.input.disks import Drives
from plimsoll_service.engine.estimate.input.pipeline import busy_vcpus, process_of, training_vcpus
from plimsoll_service.engine.estimate.job_time import Run, finish, largest_within
from plimsoll_service.engine.estimate.measured_steps import Steps, cell_of, measured_together, steps_of
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.parallelism import SideBySide, device_counts, machines_working, side_by_side
from plimsoll_service.engine.estimate.ranges import ends
from plimsoll_service.engine.estimate.requirements import (
    SPREAD_TABLES,
    DeviceNeed,
    device_need,
    memory_of,
    model_on_host,
    obstacles,
)
from plimsoll_service.engine.estimate.roofline import Step
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places
from plimsoll_service.engine.known import kind_of_network
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.units import BITS_PER_BYTE


def parallel_step(
    fit: Scaling, machines: Machines, one: Floats, devices: Floats, nodes: Floats, gradient_bytes: Floats
) -> Floats:
    """Seconds of a step on ``devices`` of each of ``nodes`` machines, from that of one device."""
    inside = exchange_inside(fit, machines, devices, gradient_bytes)
    return exchanging_step(fit, one, devices * nodes, inside + exchange_between(fit, machines, nodes, gradient_bytes))


def exchanging_step(fit: Scaling, one: Floats, total: Floats, exchange: Floats) -> Floats:
    """Seconds of a step on ``total`` devices that exchange for so many seconds, partly while they compute."""
    excess = exchange - fit.overlap * one
    width = fit.softness * one
    exposed = width * np.logaddexp(0.0, excess / width)
    grown = one * (1 + fit.step_growth * np.log2(np.maximum(total, 1.0)))
    return np.where(total > 1, grown + exposed, one)


def exchanged_bytes(job: Job, profile: ModelProfile, element_bytes: Floats, batch: Floats, devices: Floats) -> Floats:
    """Gradient bytes of a step of ``batch`` on each of ``devices``; a global batch exchanges once for its passes."""
    fit, together = job.coefficients.scaling, job.workload.global_batch_size
    per_parameter = np.where(element_bytes >= 4, fit.gradient_bytes_fp32, fit.gradient_bytes_half)
    passes = 1.0 if together is None else np.maximum(1.0, together / (batch * devices))
    return per_parameter * (profile.parameters - profile.embedding_parameters) / passes


def exchange_inside(fit: Scaling, machines: Machines, devices: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among the devices of one machine."""
    contention = np.maximum(devices / 2, 1.0) ** fit.pcie_contention
    pcie = machines.pcie_gb_s * fit.pcie / contention
    bus = np.where(machines.link_gb_s > 0, np.fmax(machines.link_gb_s * fit.nvlink, pcie), pcie)
    ring = 2 * (devices - 1) / np.maximum(devices, 1.0)
    return np.where(devices > 1, ring * gradient_bytes / (bus * 1e9), 0.0)


def exchange_between(fit: Scaling, machines: Machines, nodes: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among machines over the network; NaN where its speed is unknown."""
    bus = machines.network_gbps / BITS_PER_BYTE * fit.network
    ring = 2 * (nodes - 1) / np.maximum(nodes, 1.0)
    return np.where(nodes > 1, ring * gradient_bytes / (bus * 1e9), 0.0)


# Largest batch that is chosen unasked, per device: beyond it the published rows gain under 5%.
CUSTOMARY_BATCH = 256.0
CUSTOMARY_TOKENS = 16_384.0  # the same for sequences: batch × length
CUSTOMARY_ROWS = 65_536.0  # and for rows of a table


def choose_batch(job: Job, profile: ModelProfile, machines: Machines, need: DeviceNeed, devices: Floats) -> Floats:
    """The batch per device: as asked, else the largest power of two that fits well."""
    if job.workload.batch_size is not None:
        return np.full(len(machines), float(job.workload.batch_size))
    largest = np.maximum(largest_within(job, machines, need), 1.0)
    if job.workload.global_batch_size is not None:
        return np.minimum(np.maximum(1.0, np.floor(job.workload.global_batch_size / devices)), largest)
    return 2.0 ** np.floor(np.log2(np.minimum(largest, _most(job, profile))))


def _most(job: Job, profile: ModelProfile) -> float:
    """The largest batch that is chosen unasked; of fewer samples there is none."""
    most = customary_batch(profile)
    return max(most if job.feed is None else min(most, job.feed.samples), 1.0)


def customary_batch(profile: ModelProfile) -> float:
    """The largest batch taken unasked."""
    if profile.script_batch is not None:
        return float(profile.script_batch)
    if family_of(profile.family).data == "table":
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
    need: DeviceNeed  # likewise


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
    memory = _memory_groups(job, profile, machines, numbers.emulated[hardware.of])
    sized = machines.take(memory.rows)
    return Prepared(
        hardware=hardware,
        steps=steps_of(job, profile, some, numbers),
        memory=memory,
        sized=sized,
        need=device_need(job, profile, sized, numbers.element_bytes[hardware.of[memory.rows]]),
    )


def plan_key(job: Job, clusters: Clusters, prepared: Prepared) -> tuple[bytes, ...]:
    """The batches per device, a row a memory group; where they are apart, those of a single device behind."""
    profile, sized, need = profile_of(job), prepared.sized, prepared.need
    nodes = clusters.fixed_nodes[prepared.memory.rows]
    batch = choose_batch(job, profile, sized, need, _of_a_run(job, sized.devices, nodes))
    if job.workload.global_batch_size is None:
        return (batch.tobytes(),)
    alone = choose_batch(job, profile, sized, need, _of_a_run(job, np.ones(len(nodes)), nodes))
    return batch.tobytes(), alone.tobytes()


def plan(job: Job, clusters: Clusters, prepared: Prepared, key: tuple[bytes, ...]) -> Plan:
    """The run at those batches."""
    batches = [np.frombuffer(batch) for batch in key]
    return Plan(prepared, _run(job, clusters.machines, clusters.fixed_nodes, prepared, batches[0], batches[-1]))


def estimate(job: Job, clusters: Clusters, plan: Plan, drives: Drives) -> tuple[Outcome, Floats]:
    """Each candidate with all its devices, or with one where the exchange would cost more than it brings."""
    known, nodes = plan.prepared, clusters.fixed_nodes
    of, floor = known.memory.of, training_vcpus(job.feed)
    largest = Lazy(lambda rows: largest_within(job, known.sized, known.need).take(of[rows]))
    return finish(job, clusters.machines, nodes, plan.run, drives, largest=largest, floor=floor), nodes


def _memory_groups(job: Job, profile: ModelProfile, machines: Machines, emulated: Flags) -> Groups:
    """Groups with the same batch: by the device, or without one by the memory and the bytes of an element."""
    if job.workload.global_batch_size is not None:  # by the devices that share it
        return groups_of(np.arange(len(machines)))
    device = machines.alike
    if profile.architecture == SPREAD_TABLES:
        device = groups_of_pairs(device, machines.devices).of.astype(np.int32)
    host = machines.memory_alike * 2 + emulated
    return groups_of(np.where(machines.has_accelerator(), device + int(host.max(initial=0)) + 1, host))


def _of_a_run(job: Job, devices: Floats, nodes: Floats) -> Floats:
    """Devices of one experiment, on all its machines."""
    return side_by_side(job.experiments, devices, nodes).of_a_run


def _run(job: Job, machines: Machines, nodes: Floats, known: Prepared, batch: Floats, alone: Floats) -> Run:
    """The faster plan of each candidate at those batches of each memory group, with its needs and its range."""
    shared = _fastest(known, machines, nodes, batch, alone)
    of, numbers, name = known.memory.of, known.steps.numbers, f"{kind_of_network(known.steps.profile)}_training"
    device = memory_of(known.need.on_device(known.sized, batch), of)
    on_host = model_on_host(known.sized, known.need.required(batch))
    model = None if on_host is None else Lookup(on_host, of)
    devices = np.where(machines.has_accelerator(), shared.devices, 0.0)
    return Run(
        devices=devices,
        batch=Lookup(batch, of) if alone is batch else shared.batch,
        rate=shared.rate,
        busy=busy_vcpus(machines, shared.rate / machines_working(job.experiments, devices, nodes)),
        bottleneck=shared.bottleneck,
        spread=ends(job.coefficients.spreads, machines, name, "cpu_training", _of_a_run(job, shared.devices, nodes)),
        device=device,
        process=process_of(job, devices, shared.batch, model),
        emulated=numbers.emulated[known.hardware.of],
        obstacles=obstacles(job, machines, nodes, numbers.supported[known.hardware.of], device),
    )


def _fastest(known: Prepared, machines: Machines, nodes: Floats, batch: Floats, alone: Floats) -> _Throughput:
    """The faster plan of each candidate; ``alone`` is the batch where one device takes part."""
    counts, sized = device_counts(machines), _sized(known, batch)
    rows, behind = counts.rows, counts.rows[counts.candidates :]
    sizes = take(sized, rows) if alone is batch else joined([sized, take(_sized(known, alone), behind)])
    hardware = known.hardware.of[rows]
    runs = _Runs(known.steps, hardware, machines.take(rows), nodes[rows], counts.devices)
    both = _together(runs, sizes)
    return take(both, counts.best(both.rate / runs.shares.rounds(known.steps.job.experiments)))


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
    if not cell_of(runs.job):  # nothing of just this work was measured
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

    @property
    def job(self) -> Job:
        return self.steps.job

    @cached_property
    def shares(self) -> SideBySide:
        return side_by_side(self.job.experiments, self.devices, self.nodes)

    def take(self, rows: Ints | Places) -> _Runs:
        """The given candidates, in that order."""
        return _Runs(self.steps, self.hardware[rows], self.machines.take(rows), self.nodes[rows], self.devices[rows])

    def step_seconds(self, one: Step, batch: Floats) -> tuple[Floats, Ints]:
        """Seconds of a step on all devices; experiments side by side exchange nothing."""
        per_run, nodes = self.shares.devices, self.shares.machines
        fit = self.job.coefficients.scaling
        element_bytes = self.steps.numbers.element_bytes.take(self.hardware)
        gradients = exchanged_bytes(self.job, self.steps.profile, element_bytes, batch, per_run * nodes)
        inside = exchange_inside(fit, self.machines, per_run, gradients)
        between = exchange_between(fit, self.machines, nodes, gradients)
        together = exchanging_step(fit, one.seconds, per_run * nodes, inside + between)
        exchange = np.where(between > inside, bottleneck("network"), bottleneck("interconnect"))
        return together, np.where(together - one.seconds > one.seconds, exchange, one.bottleneck).astype(np.int32)

    def samples_per_step(self, batch: Floats) -> Floats:
        """Samples of all runs together in one step."""
        return batch * self.shares.devices * self.shares.machines * self.shares.at_once
