"""From the devices' rate to the job's: input, start-up, checkpoints, memory, and the range of it all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..clusters import Drives, machines_working
from ..coefficients import TRAINING_MEMORY
from ..columns import EVERY, Column, Lazy, Lookup, changed, columnar
from ..demand.adapters import adapted
from ..demand.host_process import Process, least_vcpus, process_gib, vcpus_for
from ..demand.job import Job
from ..demand.kind import NEURAL_TRAINING, TABULAR_TRAINING
from ..hardware import Flags, Floats, Ints
from ..machines import Machines
from ..units import GIB, MIB, SECONDS_PER_HOUR
from . import requirements
from .input.disks import Disk, disk_columns, disk_need, disk_of, filled_mib_s
from .input.pipeline import InputPipeline
from .outcome import GlobalBatch, MemoryColumns, Outcome, TrainingLayout
from .ranges import Ends

# A fresh machine pulls the framework's container: 10 GB take 4 to 5 minutes (union.ai, "We cut container cold boot from
# minutes to seconds", read 2026-11-23; Google's deep-learning image took 3 min 50 s). Rule: start-up.
IMAGE_PULL_SECONDS = 270.0
# Between two checkpoints on demand, where the user says nothing: an hour, and longer where writing takes over a
# twentieth of it. The interval that costs least is longer still where machines seldom fail (Young 1974).
CHECKPOINT_MINUTES, CHECKPOINT_SHARE = 60.0, 0.05


@columnar
class Run:
    """A training run whatever its data: the rate of its devices, and their needs."""

    devices: Floats  # of one machine; 0 where it has none
    batch: Column
    rate: Floats  # samples a second that the devices of the whole candidate take
    busy: Floats  # vCPUs of one machine that bring those in, for each second of a core that a sample takes
    bottleneck: Ints
    spread: Ends
    device: MemoryColumns
    process: Process  # on each machine
    emulated: Flags
    obstacles: requirements.Obstacles
    together: GlobalBatch | None = None
    layout: TrainingLayout | None = None


def finish(
    job: Job, machines: Machines, nodes: Floats, run: Run, drives: Drives, *, largest: Column, floor: float
) -> Outcome:
    """A training job's outcome from the rate of its devices; they need ``floor`` vCPUs each at least."""
    least = least_vcpus(run.devices, floor)
    vcpus = vcpus_for(None if job.feed is None else run.busy * job.feed.core_seconds, least)
    host = requirements.host_memory(job, machines, run.process, np.fmin(vcpus, machines.vcpus))
    checkpoint_gib = checkpoint_size_gib(job)
    moved_gib = max(checkpoint_gib, model_bytes(job) / GIB if adapted(job) else 0.0)
    disk = disk_of(job, drives, disk_need(job, drives.nodes, model_bytes(job), checkpoint_gib), moved_gib)
    working = machines_working(job.experiments, run.devices, nodes)
    cores = machines.reference_cores * working
    data = InputPipeline(job, machines, cores, disk, working)
    held = data.fed(run.rate, run.bottleneck, host.required)
    rate, factor = held.rate, unit_factor(job)
    low, high = ranged(rate, run.spread.low), ranged(rate, run.spread.high)
    writing = writing_seconds(disk, checkpoint_gib)
    slowdown = checkpoint_slowdown(job, writing).take(disk.of)
    start = start_seconds(job, machines, disk)
    hours = job_hours(job, start, nodes, slowdown, run.devices, run.rate, rate)
    # The disk of one machine must bring in what all take if none waits; more requests would only be paid for.
    wanted = Lazy(lambda rows: np.fmin(1 / held.step[rows] / working[rows], data.delivered[rows]))
    ordered = disk_columns(job, disk, wanted, moved_gib)
    nothing = np.full(len(machines), np.nan)
    made = rate if factor == 1 else rate * factor
    least_made, most_made = Lazy(lambda rows: low[rows] * factor), Lazy(lambda rows: high[rows] * factor)
    return Outcome(
        obstacle=run.obstacles.with_data(machines, disk.lacking, host),
        throughput=made,
        capacity=made,
        capacity_low=least_made,
        capacity_high=most_made,
        throughput_low=least_made,
        throughput_high=most_made,
        hours=hours(rate),
        hours_low=Lazy(lambda rows: hours(high[rows], rows)),
        hours_high=Lazy(lambda rows: hours(low[rows], rows)),
        checkpoint_hours=Lookup(writing / SECONDS_PER_HOUR, disk.of),
        bottleneck=held.bottleneck,
        batch_used=run.batch,
        batch_largest=largest,
        vcpus_required=vcpus,
        host=host if held.cache_gib is None else changed(host, cache=held.cache_gib),
        device=run.device,
        disk=ordered,
        local_disk=Lookup(disk.local, disk.of),
        emulated=run.emulated,
        devices_used=Lazy(lambda rows: np.maximum(run.devices[rows], 1.0)),
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
        together=run.together,
        layout=run.layout,
        lost_share=Lazy(lambda rows: 1 - rate[rows] / run.rate[rows]),
        start_seconds=start,
        filled_mib_s=filled_mib_s(disk, ordered),
    )


def ranged(rate: Floats, end: Column) -> Lazy:
    """An end of the range of a rate."""
    return Lazy(lambda rows: rate[rows] * end[rows])


def unit_factor(job: Job) -> float:
    """Tokens a sample, where the answer counts tokens; else 1."""
    if not job.by_tokens or job.profile is None:
        return 1.0
    return float(job.profile.reference.sequence_length or 1)


def checkpoint_slowdown(job: Job, writing: Floats) -> Floats:
    """Factor on the time of a run on demand that stands still for ``writing`` seconds at each checkpoint."""
    stated = job.workload.checkpoint_interval_minutes
    if stated is not None:
        return 1 + writing / (stated * 60)
    return 1 + np.minimum(writing / (CHECKPOINT_MINUTES * 60), CHECKPOINT_SHARE)


def start_seconds(job: Job, machines: Machines, disk: Disk) -> Floats:
    """Seconds from the order until the work begins: boot, the container of work on devices, weights to start from.

    A machine of the user's own, which is never ordered, has its container.
    """
    boot = machines.boot_seconds
    if job.kind not in NEURAL_TRAINING:
        return boot
    pulled = np.where(machines.has_accelerator() & (boot > 0), IMAGE_PULL_SECONDS, 0.0)
    if not adapted(job):
        return boot + pulled
    return boot + pulled + (model_bytes(job) / (disk.filling_mib_s * MIB)).take(disk.of)


def job_hours(
    job: Job, start: Floats, nodes: Floats, slowdown: Floats, devices: Floats, unfed: Floats, rate: Floats
) -> Callable[..., Floats]:
    """Hours by rate: start-up, then all samples of all experiments, with the ``slowdown`` by checkpoints.

    Experiments go in rounds, where they do not all run at once. The devices could take ``unfed`` and get ``rate``: a
    last round with some of them idle is fed that much better. Rates of some candidates alone go with their rows.
    """
    samples = job.samples if job.experiments == 1 else job.samples * _rounds(job, nodes, devices, unfed / rate)
    work = samples * slowdown

    def hours(rate: Floats, rows: Any = EVERY) -> Floats:
        taken: Floats = (work[rows] / rate + start[rows]) / SECONDS_PER_HOUR
        return taken

    return hours


def _rounds(job: Job, nodes: Floats, devices: Floats, spare: Floats) -> Floats:
    """Time of all experiments over that of one which has all devices to itself."""
    at_once = np.minimum(job.experiments, np.maximum(devices * nodes, 1.0))
    rounds = np.floor(job.experiments / at_once)
    rest = job.experiments - rounds * at_once
    fed = nodes * np.ceil(rest / nodes)  # a machine's cores and disk bring in no other's data
    return rounds * at_once + np.where(rest > 0, np.maximum(fed, at_once / spare), 0.0)


def writing_seconds(disk: Disk, checkpoint_gib: float) -> Floats:
    """Seconds to write one checkpoint on each kind of disk."""
    return checkpoint_gib * GIB / (disk.written_mib_s * MIB)


def model_bytes(job: Job) -> float:
    """Bytes of the weights on disk: as published, with a recommender's tables and the encoders beside a network."""
    profile = job.profile
    if profile is None:
        return 0.0
    tables = requirements.spread_parameters(profile)
    beside = requirements.TABLE_BYTES * tables + requirements.FROZEN_BYTES * profile.frozen_parameters
    own = profile.parameters - tables
    return (requirements.stored_bytes(own) if profile.file_bytes is None else profile.file_bytes * own) + beside


def checkpoint_size_gib(job: Job) -> float:
    """Size of a checkpoint: as said, else weights and optimizer in fp32 (LoRA: its adapters only)."""
    if job.workload.checkpoint_gib is not None:
        return job.workload.checkpoint_gib
    if job.profile is None or not job.training or adapted(job) or job.kind == TABULAR_TRAINING:
        return 0.0
    _, single, _ = next(row for row in TRAINING_MEMORY.state_bytes if row[0] == job.optimizer)
    dense = (job.profile.parameters - requirements.spread_parameters(job.profile)) * (single - 4.0)
    return (dense + requirements.table_bytes_in_training(job, job.profile)) / GIB


def largest_within(
    job: Job, machines: Machines, need: requirements.DeviceNeed, filled: Floats | float | None = None
) -> Floats:
    """The largest batch that a recommendation may have, or that fills so much of a device.

    On processors it lies beside the process and its pinned batches.
    """
    share = requirements.recommended_memory_share(job)
    on_device = requirements.usable_gib(machines) * (share if filled is None else filled)
    process, pinned = process_gib(job, np.ones(2), np.array([0.0, 1.0]), np.ones(2))  # the same on every machine
    beside = requirements.DeviceNeed(need.fixed, need.per_sample + pinned - process, need.parts)
    on_host = requirements.largest_batch(beside, machines.memory_gib * share - process)
    return np.where(machines.has_accelerator(), requirements.largest_batch(need, on_device), on_host)
