"""Inference of models that are counted in samples: batch under a latency target, machines for a rate or for users.

The devices of all machines share one queue of requests, and answer in batches (see ``batch_queue.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...clusters import Clusters, Drives
from ...columns import Groups, Lazy, Lookup, groups_of, groups_of_pairs, take
from ...demand import kind
from ...demand.anchored import speed
from ...demand.host_process import INFERENCE_VCPUS, busy_vcpus, least_vcpus, process_gib, process_of, vcpus_for
from ...demand.job import Job, lone_requests, most_nodes, profile_of
from ...demand.requests import HTTP_US, bring_rows, request_seconds
from ...demand.software import (
    compiles_diffusion,
    device_tuning,
    holds_half_on_cores,
    spreads_tables,
    stock_precision,
    swaps_parts,
    wide_products,
)
from ...frameworks import WHISPER
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ...models.families import family_of
from ...models.profile import ModelProfile
from ...obstacles import bottleneck
from ...spreads import (
    COMPILED_INFERENCE,
    CTRANSLATE2,
    INFERENCE,
    MEASURED,
    STOCK_INFERENCE,
    TENSORRT,
    inference_on_matrix_units,
)
from ...units import MS
from ..arithmetic import fitted_arithmetic
from ..batch_queue import BatchService, Operation, asked_load, limit_seconds, machines_needed, operation
from ..input.disks import disk_columns, disk_need, disk_of
from ..input.pipeline import FedRate, InputPipeline
from ..job_time import largest_within, model_bytes, ranged
from ..measured_steps import Steps, steps_of
from ..outcome import MemoryColumns, Outcome
from ..processor_step import cores_at_work
from ..ranges import Ends, basis, ends, no_faster, over_http
from ..requirements import (
    SPREAD_TABLES,
    DeviceNeed,
    beside_recordings,
    device_need,
    hears_in_batches,
    host_memory,
    model_on_host,
    moving_seconds,
    obstacles,
    parts_in_turn,
    weights_loading,
)
from ..roofline import Step, StepTerms

BATCHES = tuple(2.0**power for power in range(9))  # 1 … 256: beyond it the published rows gain under 5%
SEGMENTS_OF_16_GB = 12.0  # that Whisper's large models take in CTranslate2 beside a long recording (``requirements``)
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


def batches_of(profile: ModelProfile) -> tuple[float, ...]:
    """The batches that are tried where none is asked."""
    return ROW_BATCHES if family_of(profile.family).data == "table" else BATCHES


def batches_tried(job: Job, profile: ModelProfile) -> tuple[float, ...]:
    """Those that may be chosen: the asked one, the smallest for a request alone, else as many as may be at once."""
    asked = job.workload.batch_size
    if asked is not None or lone_requests(job):
        return (float(asked or 1),)
    most = np.inf if job.workload.concurrency is None else float(job.workload.concurrency)
    sizes = {*batches_of(profile), *((SEGMENTS_OF_16_GB,) if hears_in_batches(job, profile) else ())} - {1.0}
    return (1.0, *(size for size in sorted(sizes) if size <= most))


def batch_steps(
    steps: Steps,
    hardware: Groups,
    batches: tuple[float, ...],
    faster: Floats | float = 1.0,
    host: Floats | float = 0.0,
    swapping: Floats | float = 0.0,
    windows: float = 1.0,
) -> BatchSteps:
    """The steps of those batches, so much ``faster``, with seconds of the ``host`` and of ``swapping`` beside them.

    Batches of several take a device's step for so many ``windows``.

    ``steps`` has a row a kind of hardware.
    """
    each = [steps.step(np.full(len(hardware), batch)) for batch in batches]
    together = Step(*(np.stack(column) for column in zip(*(vars(one).values() for one in each), strict=True)))
    sizes = np.array(batches)
    limits = np.where(host > together.seconds, bottleneck("cpu_compute"), together.bottleneck)
    limits = np.where(swapping > together.seconds, bottleneck("interconnect"), limits).astype(np.int32)
    times = np.where(sizes > 1, windows, 1.0)[:, None]
    seconds = (times * together.seconds + host + swapping) / faster
    whole = replace(together, seconds=seconds, bottleneck=limits)
    return BatchSteps(sizes, whole, hardware.of)


def _beside(job: Job, profile: ModelProfile) -> float:
    """Seconds of the process on each sample before and after the device's step."""
    return job.framework.segment_s if profile.name in WHISPER else request_seconds(job)


def _service(job: Job, known: Prepared, supply: InputPipeline, largest: Floats, rows: Places) -> BatchService:
    """The service of the machines in those rows; no batch is above the ``largest``, but the first that is tried."""
    options, copies = known.steps, known.copies
    at_once = options.steps.at_once[0, options.of[rows]]
    if job.workload.batch_size is not None:
        may = options.batches[:, None] == supply.machines.at_once_or(job.workload.batch_size)[rows]
    else:
        may = (options.batches[:, None] <= largest[rows]) | (options.batches == known.tried[0])[:, None]
        may &= np.isin(options.batches, known.tried)[:, None]
    steps = _steps(options, supply, copies, rows) * at_once
    stock = None if known.stock is None else _steps(known.stock, supply, copies, rows) * at_once
    beside = _on_the_way(job, supply.machines)[rows]
    return BatchService(job.coefficients.waits, options.batches, steps, may, copies[rows] * at_once, stock, beside)


def _on_the_way(job: Job, machines: Machines) -> Floats:
    """Seconds of one core of each machine for a request over HTTP that brings rows. Rule: http-request."""
    seconds = HTTP_US * 1e-6 if bring_rows(job.workload, profile_of(job)) else 0.0
    return seconds * machines.cores / machines.reference_cores


def _steps(options: BatchSteps, supply: InputPipeline, copies: Floats, rows: Places) -> Floats:
    """Seconds of the steps of the machines in those rows, which wait for their data; a row a batch."""
    if supply.job.feed is None:
        return options.steps.seconds[:, options.of[rows]]
    each = [(batch, options.at(place)) for place, batch in enumerate(options.batches.tolist())]
    return np.array(
        [np.maximum(one.seconds, batch * copies / _fed(supply, copies, batch, one).rate) for batch, one in each]
    )[:, rows]


def _fed(supply: InputPipeline, copies: Floats, batch: Floats | float, step: BatchStep) -> FedRate:
    """Samples a second of each machine with its data brought in."""
    host = process_gib(supply.job, copies, batch, INFERENCE_VCPUS * copies)
    return supply.fed(batch * copies / step.seconds, step.bottleneck, host)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: support of the precision, memory by batch, and the steps of the batches."""

    hardware: Groups
    supported: Flags
    emulated: Flags
    need: DeviceNeed
    steps: BatchSteps
    tried: tuple[float, ...]  # batches that may be the largest
    spread: Ends
    copies: Floats  # of the model on each machine; one where its devices hold it together
    stock: BatchSteps | None  # steps of the stock software that tuned software was made of


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """Memory and steps by batch."""
    profile = profile_of(job)
    hardware = clusters.machines.hardware_groups
    tried, asked = batches_tried(job, profile), job.workload.batch_size
    if asked is not None:
        tried = tuple(np.unique(clusters.machines.at_once_or(asked)).tolist()) or tried  # where there is no machine
    some = clusters.machines.take(hardware.rows)
    numbers = fitted_arithmetic(job, profile, some)
    steps = steps_of(job, profile, some, numbers, batches_of(profile))
    alone = _alone(job, profile, some, numbers.element_bytes, tried[0], clusters.nodes is not None)
    swapping = moving_seconds(job, profile, some, alone)
    # A device takes smaller batches while fewer requests wait than the largest that is tried.
    sizes = tuple(sorted({*(size for size in batches_of(profile) if size < max(tried)), *tried}))
    host = np.array(sizes)[:, None] * np.full(len(some), _beside(job, profile))
    # Windows of Whisper for each 30 s of a long recording overlap where software batches them.
    windows = job.framework.windows if profile.name in WHISPER and not job.serves else 1.0

    def run_of(those: Steps) -> BatchSteps:
        return batch_steps(those, hardware, sizes, speed(job, some), host, swapping, windows)

    run = run_of(steps)
    spread = _spread(job, profile, clusters.machines, run, steps.terms)
    stock = None
    if job.tuned and job.framework.library not in (TENSORRT, CTRANSLATE2) and not over_http(job):
        stock = run_of(steps.others[0])  # which tuned software was made of, and can still run as
        spread = _no_worse_than_stock(clusters.machines, steps.others[0], spread, run, stock)
        stock = run_of(next(one for one in steps.others if one.job.precision == stock_precision(job)))
    if host.any():
        batch = 0 if job.serves else -1  # a request alone, whose device takes longest, or the largest batch
        share = np.minimum(host[batch] / run.steps.seconds[batch], 1.0)
        spread = _beside_host(job, spread, share.take(hardware.of))
    need, copies = _need(job, profile, clusters.machines, hardware, numbers.element_bytes, alone, tried[0])
    return Prepared(
        hardware=hardware,
        supported=numbers.supported.take(hardware.of),
        emulated=(numbers.emulated & ~(holds_half_on_cores(job) & ~some.has_accelerator())).take(hardware.of),
        need=need,
        steps=run,
        tried=tried,
        spread=spread,
        copies=copies,
        stock=stock,
    )


def _spread(job: Job, profile: ModelProfile, machines: Machines, run: BatchSteps, terms: StepTerms) -> Ends:
    """The range of the rates, at most to the peak of matrix units, or where no fit to the network has the say.

    Elsewhere fast convolutions take fewer operations than are counted.
    """
    if over_http(job):
        return ends(job, machines, kind.TABULAR_TRAINING, kind.TABULAR_TRAINING)
    # Compiled denoisers were measured beside stock ones. Servers that pack texts are run as they come: published runs
    # of two on L4 and A10G reached 0.93 to 1.06 times the estimate (see ``_fall_of_wide`` in ``roofline``).
    stock = compiles_diffusion(job, profile) or wide_products(job, profile)
    tuned = device_tuning(job) == "tuned" and not stock
    found = ends(
        job,
        machines,
        INFERENCE,
        on_matrix_units=inference_on_matrix_units(tuned, job.framework.library, profile.family),
        on_compiled=COMPILED_INFERENCE,
    )
    each = run.steps.seconds / run.batches[:, None]
    soonest = np.maximum(terms.at_peak, terms.on_matrix)
    return no_faster(found, (each.min(axis=0) / soonest).take(run.of))


def _no_worse_than_stock(machines: Machines, stock: Steps, tuned: Ends, run: BatchSteps, stock_run: BatchSteps) -> Ends:
    """The range of tuned software, which at its low end is no slower than stock software at that of its own.

    ``run`` and ``stock_run`` are the steps of both.
    """
    seen = machines.changed(basis=basis(stock.job, machines))
    own = _spread(stock.job, stock.profile, seen, stock_run, stock.terms)
    share = np.minimum((run.steps.seconds / stock_run.steps.seconds).min(axis=0), 1.0).take(run.of)
    return Ends(np.maximum(tuned.low[:], own.low[:] * share), tuned.high)


def _beside_host(job: Job, spread: Ends, share: Floats) -> Ends:
    """The range where the process alone takes a ``share`` of a step: it errs as stock scripts on measured devices."""
    measured = job.coefficients.spreads.of(STOCK_INFERENCE, INFERENCE)[MEASURED]
    pairs = (measured.low, spread.low[:]), (measured.high, spread.high[:])
    return Ends(*(1 / (share / host + (1 - share) / device) for host, device in pairs))


def _alone(
    job: Job, profile: ModelProfile, machines: Machines, element_bytes: Floats, least: float, named: bool
) -> DeviceNeed:
    """The need of a device that holds all that it works with, or of a pipeline whose parts take turns there.

    The whole is held where the smallest batch surely fits beside it; on hardware that is ``named``, where it fits.
    """
    whole = device_need(job, profile, machines, element_bytes, np.ones(len(machines)))
    if not swaps_parts(job, profile):
        return whole
    fits = largest_within(job, machines, whole, 1.0 if named else None) >= least
    return parts_in_turn(job, profile, machines, element_bytes, whole, fits, least)


def _need(
    job: Job,
    profile: ModelProfile,
    machines: Machines,
    hardware: Groups,
    element_bytes: Floats,
    by_hardware: DeviceNeed,
    least: float,
) -> tuple[DeviceNeed, Floats]:
    """The need of one device of each machine, and the copies of the model there. Rule: spread-tables.

    ``least``: the smallest batch, beside which one device must hold the tables or they are spread over all.
    """
    alone, devices = take(by_hardware, hardware.of), np.maximum(machines.devices, 1.0)
    if profile.architecture != SPREAD_TABLES or not spreads_tables(job):
        return alone, devices
    holders = np.where(largest_within(job, machines, alone) >= least, 1.0, devices)
    return device_need(job, profile, machines, element_bytes.take(hardware.of), holders), devices / holders


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes."""
    machines, shared = clusters.machines, drives.unshared() if job.serves else drives
    disk = disk_of(job, shared, disk_need(job, shared.nodes, model_bytes(job), 0.0))
    supply = InputPipeline(job, machines, machines.reference_cores, disk)
    largest = beside_recordings(job, profile_of(job), known.need, largest_within(job, machines, known.need))
    groups = _alike(job, clusters, known, largest)
    service = _service(job, known, supply, largest, groups.rows)
    load, limit = asked_load(job, known.spread.low[groups.rows]), limit_seconds(job)
    sized, most = clusters.nodes is None, most_nodes(job)
    nodes = machines_needed(service, load, limit, most) if clusters.nodes is None else clusters.nodes[groups.rows]
    run = operation(service, load, nodes, limit, most if sized else np.inf)
    return _outcome(job, supply, known, largest, run, nodes, groups), nodes[groups.of]


def _alike(job: Job, clusters: Clusters, known: Prepared, largest: Floats) -> Groups:
    """Machines that serve alike; where each reads from its own disk, every one is another."""
    machines = clusters.machines
    if job.feed is not None and job.feed.format != "memory":
        return groups_of(np.arange(len(machines)))
    columns = [machines.devices, known.spread.low[:], np.minimum(largest, known.tried[-1])]
    if job.feed is not None:
        columns.append(machines.reference_cores)
    alike = known.hardware
    for column in columns if clusters.nodes is None else [*columns, clusters.nodes]:
        alike = groups_of_pairs(alike.of.astype(np.int32), column)
    return alike


def _outcome(
    job: Job, supply: InputPipeline, known: Prepared, largest: Floats, run: Operation, each: Floats, groups: Groups
) -> Outcome:
    machines, disk, spread, of = supply.machines, supply.disk, known.spread, groups.of
    devices, batch = np.maximum(machines.devices, 1.0), known.steps.batches[run.place][of]
    capacity, delivered = run.capacity[of], run.delivered[of]
    device, host = known.need.on_device(machines, batch), _on_host(job, machines, known, batch, devices)
    barred = obstacles(job, machines, np.ones(1), known.supported, device)
    nothing, low, rate = np.full(len(machines), np.nan), ranged(capacity, spread.low), delivered / each[of]
    fixed, latency = job.workload.requests_per_second is not None, run.seconds[of] * MS
    # Of the small rows of a table, millions fit; no more than these are of use.
    of_rows = family_of(profile_of(job).family).data == "table"
    most = float(max(ROW_BATCHES[-1], job.workload.batch_size or 0)) if of_rows else np.inf
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
        bottleneck=_bottleneck(supply, known, run.place[of], batch),
        batch_used=batch,
        batch_largest=np.minimum(largest, most),
        vcpus_required=_vcpus(job, machines, rate),
        host=host,
        device=device,
        disk=disk_columns(job, disk, rate),
        local_disk=Lookup(disk.local, disk.of),
        emulated=known.emulated,
        devices_used=devices,
        latency_ms=latency,
        latency_low_ms=Lazy(lambda rows: (run.seconds_at(spread.high[groups.rows]) * MS)[of[rows]]),
        latency_high_ms=Lookup(run.late_seconds * MS, of),
        lone_latency_ms=Lookup(run.lone_seconds * MS, of),
    )


def _bottleneck(supply: InputPipeline, known: Prepared, place: Places, batch: Floats) -> Ints | Lookup | Lazy:
    """What bounds the rate of each machine at its batch."""
    step = known.steps.at(place)
    if supply.job.feed is None:
        return step.bottleneck
    return _fed(supply, known.copies, batch, step).bottleneck


def _on_host(job: Job, machines: Machines, known: Prepared, batch: Floats, devices: Floats) -> MemoryColumns:
    """Memory of the host, where each device has a process of its own, which holds weights that take turns there."""
    model, loading = model_on_host(machines, known.need.required(batch)), weights_loading(job, machines)
    swapped = known.need.swapped
    if swapped is not None:
        model = swapped * devices if model is None else model + swapped * devices
        loading = np.where(swapped > 0, 0.0, loading)
    process = process_of(job, devices, batch, model, loading)
    return host_memory(job, machines, process, INFERENCE_VCPUS * devices)


def _vcpus(job: Job, machines: Machines, rate: Floats) -> Floats:
    """vCPUs of one machine that bring in ``rate`` samples a second; those at work where they do it themselves."""
    busy = None if job.feed is None else busy_vcpus(machines, rate * job.feed.core_seconds)
    needed = vcpus_for(busy, least_vcpus(machines.devices, INFERENCE_VCPUS))
    working = np.ceil(cores_at_work(job, machines) * machines.vcpus / machines.cores)
    return np.where(machines.has_accelerator(), needed, working)
