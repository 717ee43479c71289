"""Inference of models that are counted in samples: batch under a latency target, machines for a rate.

Every device answers for itself, at the batch with the highest rate that meets the latency and fits. A request waits
for the batch that is running and, under load, for those before it: 95th percentile =
step · (1 + 0.95) + 3 · step · ρ / (2·(1 − ρ)) (mean wait of an M/D/1 queue; the 95th percentile of an exponential tail
is 3 times its mean).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.clusters import Clusters
from plimsoll_service.engine.columns import Groups, Lazy, Lookup, take
from plimsoll_service.engine.demand.job import Job, lone_requests, profile_of
from plimsoll_service.engine.estimate.arithmetic import fitted_arithmetic
from plimsoll_service.engine.estimate.input import pipeline
from plimsoll_service.engine.estimate.input.disks import Disk, Drives, disk_columns, disk_need, disk_of
from plimsoll_service.engine.estimate.input.pipeline import INFERENCE_VCPUS, FedRate, InputPipeline
from plimsoll_service.engine.estimate.job_time import largest_within, model_bytes, ranged
from plimsoll_service.engine.estimate.measured_steps import Steps, steps_of
from plimsoll_service.engine.estimate.outcome import MemoryColumns, Outcome, backlog_seconds
from plimsoll_service.engine.estimate.ranges import Ends, ends
from plimsoll_service.engine.estimate.requirements import (
    DeviceNeed,
    device_need,
    host_memory,
    model_on_host,
    obstacles,
    weights_loading,
)
from plimsoll_service.engine.estimate.roofline import Step
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile

RUNNING_BATCH_WAIT = 0.95
TAIL = 3.0
FULLEST = 0.95  # load at which a queue is still finite in practice
BATCHES = tuple(2.0**power for power in range(9))  # 1 … 256: beyond it the published rows gain under 5%
ROW_BATCHES = tuple(4.0**power for power in range(9))  # 1 … 65,536, where a sample is a row of a table


@dataclass(frozen=True, eq=False)
class BatchStep:
    """A step of one batch on each machine (see ``Step``)."""

    seconds: Floats
    bottleneck: Lookup
    at_once: Floats


@dataclass(frozen=True, eq=False)
class BatchSteps:
    """The step of each batch that may be chosen: a row a batch, a column a kind of hardware."""

    batches: Floats
    steps: Step
    of: Places  # the kind of every machine

    def at(self, place: int | Places) -> BatchStep:
        """Every machine's step of the batch in that place, or in its own."""
        steps, cell = self.steps, place * self.steps.seconds.shape[1] + self.of
        return BatchStep(steps.seconds.take(cell), Lookup(steps.bottleneck.ravel(), cell), steps.at_once.take(cell))


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """How each candidate runs: batch, samples a second of one machine, latency unloaded and at the load."""

    batch: Floats
    machine_rate: Floats
    step_seconds: Floats
    bottleneck: Ints | Lookup | Lazy
    lone_seconds: Floats  # a step of the smallest batch
    most_rate: Floats  # samples a second of one machine at the best batch that it may run


def batches_of(profile: ModelProfile) -> tuple[float, ...]:
    """The batches that are tried where none is asked."""
    return ROW_BATCHES if family_of(profile.family).data == "table" else BATCHES


def batches_tried(job: Job, profile: ModelProfile) -> tuple[float, ...]:
    """Those that may be chosen: the asked one, the smallest for a request alone, else as many as may be at once."""
    asked = job.workload.batch_size
    if asked is not None or lone_requests(job):
        return (float(asked or 1),)
    most = np.inf if job.workload.concurrency is None else float(job.workload.concurrency)
    return (1.0, *(size for size in batches_of(profile)[1:] if size <= most))


def batch_steps(steps: Steps, hardware: Groups, batches: tuple[float, ...]) -> BatchSteps:
    """The steps of those batches; ``steps`` has a row a kind of hardware."""
    each = [steps.step(np.full(len(hardware), batch)) for batch in batches]
    together = Step(*(np.stack(column) for column in zip(*(vars(one).values() for one in each), strict=True)))
    return BatchSteps(np.array(batches), together, hardware.of)


@dataclass(frozen=True, eq=False)
class BatchRates:
    """Samples a second of one machine at each batch that may be chosen, and the largest batch that it may run."""

    rates: tuple[Floats, ...]
    largest: Floats


def batch_rates(options: BatchSteps, supply: InputPipeline, largest: Floats) -> BatchRates:
    """The rates with the data brought in; no batch is above the ``largest``, but the first."""
    devices = np.maximum(supply.machines.devices, 1.0)
    batches = enumerate(options.batches.tolist())
    return BatchRates(tuple(_fed(supply, devices, batch, options.at(place)).rate for place, batch in batches), largest)


def choose(job: Job, options: BatchSteps, supply: InputPipeline, cautious: Floats, rates: BatchRates) -> OperatingPoint:
    """The batch with the highest rate whose unloaded latency meets the target; the smallest where none does.

    At a given rate a larger batch only delays answers, unless fewer machines then carry it. ``cautious`` is the low end
    of each machine's rate, as a factor.
    """
    devices = np.maximum(supply.machines.devices, 1.0)
    place, most_rate = _best(job, options, devices, cautious, rates)
    batch, step = options.batches.take(place), options.at(place)
    run = _fed(supply, devices, batch, step)
    lone = _slowed(devices, options.batches.item(0), options.at(0), rates.rates[0])
    return OperatingPoint(batch, run.rate, _slowed(devices, batch, step, run.rate), run.bottleneck, lone, most_rate)


def _best(job: Job, options: BatchSteps, devices: Floats, cautious: Floats, rates: BatchRates) -> tuple[Places, Floats]:
    """The place of each machine's batch, and the highest rate that any batch allows."""
    limit, asked = job.workload.latency_ms, job.workload.requests_per_second
    place, best = np.zeros(len(devices), dtype=np.intp), rates.rates[0]
    most_rate, needed = best, machines_needed(asked, cautious, best)
    for number, rate in enumerate(rates.rates[1:], 1):
        batch = options.batches.item(number)
        allowed = batch <= rates.largest
        if limit is not None:
            seconds = _slowed(devices, batch, options.at(number), rate)
            allowed &= ~(latency_seconds(seconds, 0.0) / cautious > limit / 1e3)
        better = allowed & (rate > best)
        if asked is not None:
            fewer = machines_needed(asked, cautious, rate)
            better &= fewer < needed
            needed = np.where(better, fewer, needed)
        most_rate = np.where(allowed, np.fmax(most_rate, rate), most_rate)
        best = np.where(better, rate, best)
        place[better] = number
    return place, most_rate


def machines_needed(asked: float | None, cautious: Floats, rate: Floats) -> Floats:
    """Machines that carry the asked rate at the low end of the rate of each; one where none is asked."""
    if asked is None:
        return np.ones(len(rate))
    wanted = asked / (rate * cautious * FULLEST)
    return np.maximum(1.0, np.ceil(np.nan_to_num(wanted, posinf=1e9)))


def _fed(supply: InputPipeline, devices: Floats, batch: Floats | float, step: BatchStep) -> FedRate:
    """Samples a second of each machine with its data brought in."""
    host = pipeline.process_gib(supply.job, devices, batch, INFERENCE_VCPUS * devices)
    return supply.fed(batch * devices / step.seconds, step.bottleneck, host)


def _slowed(devices: Floats, batch: Floats | float, step: BatchStep, rate: Floats) -> Floats:
    """Seconds of a step that waits for its data."""
    return np.maximum(step.seconds, batch * devices / rate) * step.at_once


def latency_seconds(step_seconds: Floats, load: Floats | float) -> Floats:
    """95th percentile of the time to answer, at a load between 0 and 1."""
    bounded = np.minimum(load, FULLEST)
    seconds: Floats = step_seconds * (1 + RUNNING_BATCH_WAIT + TAIL * bounded / (2 * (1 - bounded)))
    return seconds


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: support of the precision, memory by batch, and the steps of the batches."""

    supported: Flags
    emulated: Flags
    need: DeviceNeed
    steps: BatchSteps
    spread: Ends


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """Memory and steps by batch."""
    profile, hardware = profile_of(job), clusters.machines.hardware_groups
    some = clusters.machines.take(hardware.rows)
    numbers = fitted_arithmetic(job, profile, some)
    steps = steps_of(job, profile, some, numbers, batches_of(profile))
    return Prepared(
        supported=numbers.supported.take(hardware.of),
        emulated=numbers.emulated.take(hardware.of),
        need=take(device_need(job, profile, some, numbers.element_bytes), hardware.of),
        steps=batch_steps(steps, hardware, batches_tried(job, profile)),
        spread=ends(job.coefficients.spreads, clusters.machines, "inference"),
    )


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes."""
    machines, nodes, shared = clusters.machines, clusters.nodes, drives.unshared() if job.serves else drives
    disk = disk_of(job, shared, disk_need(job, shared.nodes, model_bytes(job), 0.0))
    supply = InputPipeline(job, machines, pipeline.reference_cores(machines), disk)
    rates = batch_rates(known.steps, supply, largest_within(job, machines, known.need))
    chosen = choose(job, known.steps, supply, known.spread.low[:], rates)
    if nodes is None:
        nodes = machines_needed(job.workload.requests_per_second, known.spread.low[:], chosen.machine_rate)
    return _outcome(job, machines, nodes, known, rates.largest, chosen, disk), nodes


def _outcome(
    job: Job,
    machines: Machines,
    nodes: Floats,
    known: Prepared,
    largest: Floats,
    chosen: OperatingPoint,
    disk: Disk,
) -> Outcome:
    devices, spread = np.maximum(machines.devices, 1.0), known.spread
    capacity = chosen.most_rate * nodes
    delivered, load = _load(job, chosen.machine_rate * nodes, chosen, devices * nodes)
    backlog = backlog_seconds(job.workload.requests_per_second, chosen.machine_rate * nodes)
    alone = float(job.workload.concurrency or np.inf) <= chosen.batch * devices * nodes
    own = np.where(alone, chosen.step_seconds, latency_seconds(chosen.step_seconds, load))
    latency = (own + backlog) * 1e3
    device = known.need.on_device(machines, chosen.batch)
    rate = delivered / nodes
    host = _on_host(job, machines, known, chosen, devices)
    barred = obstacles(job, machines, np.ones(1), known.supported, device)
    nothing, low = np.full(len(machines), np.nan), ranged(capacity, spread.low)
    fixed = job.workload.requests_per_second is not None
    return Outcome(
        obstacle=barred.with_data(machines, disk.lacking, host),
        throughput=delivered,
        capacity=capacity,
        capacity_low=low,
        capacity_high=ranged(capacity, spread.high),
        throughput_low=Lazy(lambda rows: np.minimum(delivered[rows], low[rows]))
        if fixed
        else ranged(delivered, spread.low),
        throughput_high=delivered if fixed else ranged(delivered, spread.high),
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=Lookup(np.full(1, np.nan), disk.of * 0),
        bottleneck=chosen.bottleneck,
        batch_used=chosen.batch,
        batch_largest=largest,
        vcpus_required=_vcpus(job, machines, rate),
        host=host,
        device=device,
        disk=disk_columns(job, disk, rate),
        local_disk=Lookup(disk.local, disk.of),
        emulated=known.emulated,
        devices_used=devices,
        latency_ms=latency,
        latency_low_ms=Lazy(lambda rows: latency[rows] / spread.high[rows]),
        latency_high_ms=Lazy(lambda rows: latency[rows] / spread.low[rows]),
        lone_latency_ms=Lazy(lambda rows: latency_seconds(chosen.lone_seconds[rows], 0.0) * 1e3),
    )


def _on_host(job: Job, machines: Machines, known: Prepared, chosen: OperatingPoint, devices: Floats) -> MemoryColumns:
    """Memory of the host, where each device has a process of its own."""
    model = model_on_host(machines, known.need.required(chosen.batch))
    process = pipeline.process_of(job, devices, chosen.batch, model, weights_loading(job, machines))
    return host_memory(job, machines, process, INFERENCE_VCPUS * devices)


def _vcpus(job: Job, machines: Machines, rate: Floats) -> Floats:
    """vCPUs of one machine that bring in ``rate`` samples a second."""
    busy = None if job.feed is None else pipeline.busy_vcpus(machines, rate * job.feed.core_seconds)
    return pipeline.vcpus_for(busy, pipeline.least_vcpus(machines.devices, INFERENCE_VCPUS))


def _load(job: Job, capacity: Floats, chosen: OperatingPoint, devices: Floats) -> tuple[Floats, Floats]:
    """Delivered rate and load of the devices: at the asked rate, for so many at once, or at full load."""
    if job.workload.requests_per_second is not None:
        rate = float(job.workload.requests_per_second)
        return np.minimum(rate, capacity * FULLEST), rate / capacity
    if job.workload.concurrency is not None:
        at_once = float(job.workload.concurrency)
        closed = at_once / (chosen.step_seconds * np.maximum(1.0, at_once / (chosen.batch * devices)))
        return np.minimum(closed, capacity), np.zeros(len(capacity))
    return capacity, np.zeros(len(capacity))
