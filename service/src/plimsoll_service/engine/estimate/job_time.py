"""From the devices' rate to the job's: input, start-up, checkpoints, memory, and the range of it all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind import TABULAR_TRAINING
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.device_memory import (
    DeviceNeed,
    Need,
    largest_batch,
    recommended_share,
    usable_gib,
)
from plimsoll_service.engine.estimate.feeding import Disk, Volume
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import device_memory, disk_columns, host_memory, obstacles, useful_rate
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.ranges import Ends
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import GIB, MIB, SECONDS_PER_HOUR

TYPICAL_BOOT_S = 40.0  # median from order to first line of the start script, over the rented machines that were timed
CHECKPOINT_MINUTES = 60.0  # between two, on demand, where the user says nothing


@dataclass(frozen=True, eq=False)
class Fed:
    """A rate after its input: samples a second of the candidate, and what limits it."""

    rate: Floats
    bottleneck: Ints
    undelayed: Floats  # the rate if no pass ever waited for the disk


def fed(job: Job, machines: Machines, nodes: Floats, disk: Disk, device_rate: Floats, limit: Ints, host: Floats) -> Fed:
    """The devices' rate, held up by decoding and, in passes that read from disk, by the disk."""
    feed = job.feed
    if feed is None:
        return Fed(device_rate, limit, device_rate)
    on_device = machines.has_accelerator()
    compute = 1 / device_rate
    decode = 1 / (feeding.decode_rate(feed, machines) * nodes)
    step = np.where(on_device, feeding.wait(compute, decode), compute + decode)
    kept = feed.format == "memory"  # already in the process: nothing is read
    read = np.zeros_like(decode) if kept else 1 / (feeding.read_rate(feed, disk) * nodes)
    from_disk = disk_waits.reading(step, read)
    cached = feeding.cached(feed, machines, host, nodes)
    if np.isnan(job.samples):
        mean = disk_waits.without_end(from_disk, step, cached)
    else:
        mean = disk_waits.over_passes(from_disk, step, cached, max(feed.passes, 1.0))
    disk_limit = disk_waits.named(feed.sequential | (disk.mib_s * MIB <= disk.iops * feeding.READ_BYTES))
    waits_for_disk = disk_waits.disk_bound(mean, step)
    input_limit = np.where(
        decode > compute, np.where(on_device, bottleneck("input_pipeline"), bottleneck("cpu_compute")), limit
    )
    return Fed(1 / mean, np.where(waits_for_disk, disk_limit, input_limit).astype(np.int32), 1 / step)


def finish(
    job: Job,
    machines: Machines,
    nodes: Floats,
    devices: Floats,
    numbers: Arithmetic,
    volume: Volume,
    *,
    batch: Floats,
    largest: Floats,
    need: Need,
    device_rate: Floats,
    limit: Ints,
    spread: Ends,
    floor_vcpus: float,
) -> Outcome:
    """A training job's outcome from the rate of its devices (samples a second of the whole candidate)."""
    on_device = machines.has_accelerator()
    device = device_memory(machines, need, batch)
    floor = np.where(on_device, floor_vcpus, 1.0)
    vcpus = feeding.vcpus_for(job.feed, machines, device_rate / nodes, devices, floor)
    host = host_memory(job, machines, devices, batch, np.fmin(vcpus, machines.vcpus), device)
    checkpoint_gib = checkpoint_size_gib(job)
    size = feeding.disk_need(job, nodes, model_bytes(job), feeding.CHECKPOINTS_KEPT * checkpoint_gib)
    disk = feeding.disk_of(job, machines, size, volume)
    run = fed(job, machines, nodes, disk, device_rate, limit, host.required)
    low, high = run.rate * spread.low, run.rate * spread.high
    hours = job_hours(job, machines, nodes, disk, devices, checkpoint_gib, device_rate / run.rate)
    nothing = np.full(len(machines), np.nan)
    per_sample = unit_factor(job)
    return Outcome(
        obstacle=obstacles(job, machines, nodes, numbers, disk, device, host),
        throughput=run.rate * per_sample,
        capacity=run.rate * per_sample,
        capacity_low=low * per_sample,
        capacity_high=high * per_sample,
        throughput_low=low * per_sample,
        throughput_high=high * per_sample,
        hours=hours(run.rate),
        hours_low=hours(high),
        hours_high=hours(low),
        checkpoint_hours=writing_seconds(disk, checkpoint_gib) / SECONDS_PER_HOUR,
        bottleneck=run.bottleneck,
        batch_used=batch,
        batch_largest=largest,
        vcpus_required=vcpus,
        host=host,
        device=device,
        disk=disk_columns(job, size, useful_rate(job, disk, run.undelayed / nodes)),
        local_disk=disk.local,
        emulated=numbers.emulated,
        devices_used=devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
    )


def unit_factor(job: Job) -> float:
    """Tokens a sample, where the answer counts tokens; else 1."""
    if not job.by_tokens or job.profile is None:
        return 1.0
    return float(job.profile.reference.sequence_length or 1)


def job_hours(
    job: Job,
    machines: Machines,
    nodes: Floats,
    disk: Disk,
    devices: Floats,
    checkpoint_gib: float,
    spare: Floats | float = 1.0,
) -> Callable[[Floats], Floats]:
    """Hours by rate: start-up, then all samples of all experiments (in rounds, where they do not all run at once).

    While a checkpoint is written the run stands still: a share of the time between two. ``spare`` is how much faster
    the devices are than their input: a last round with some of them idle is fed that much better.
    """
    samples = job.samples * _rounds(job, nodes, devices, spare)
    boot = np.where(np.isnan(machines.boot_seconds), TYPICAL_BOOT_S, machines.boot_seconds)
    interval = (job.workload.checkpoint_interval_minutes or CHECKPOINT_MINUTES) * 60
    standing = 1 + writing_seconds(disk, checkpoint_gib) / interval

    def hours(rate: Floats) -> Floats:
        taken: Floats = (boot + samples / rate * standing) / SECONDS_PER_HOUR
        return taken

    return hours


def _rounds(job: Job, nodes: Floats, devices: Floats, spare: Floats | float) -> Floats | float:
    """What all experiments take over one that has all devices to itself."""
    if job.experiments == 1:
        return 1.0
    at_once = np.minimum(job.experiments, np.maximum(devices * nodes, 1.0))
    rounds = np.floor(job.experiments / at_once)
    rest = job.experiments - rounds * at_once
    taken: Floats = rounds * at_once + np.where(rest > 0, np.maximum(rest, at_once / spare), 0.0)
    return taken


def writing_seconds(disk: Disk, checkpoint_gib: float) -> Floats:
    """Seconds to write one checkpoint."""
    seconds: Floats = checkpoint_gib * GIB / (disk.mib_s * MIB)
    return seconds


def model_bytes(job: Job) -> float:
    """Bytes of the weights on disk, in 16 bits for models of half a billion parameters and more, else in 32."""
    if job.profile is None:
        return 0.0
    return job.profile.parameters * (2.0 if job.profile.parameters >= 5e8 else 4.0)


def checkpoint_size_gib(job: Job) -> float:
    """What a checkpoint holds: as said, else weights and optimizer in fp32 (LoRA: its adapters only)."""
    if job.workload.checkpoint_gib is not None:
        return job.workload.checkpoint_gib
    if job.profile is None or not job.training or job.method in ("lora", "qlora") or job.kind == TABULAR_TRAINING:
        return 0.0
    _, single, _ = next(row for row in TRAINING_MEMORY.state_bytes if row[0] == job.optimizer)
    return job.profile.parameters * (single - 4.0) / GIB


def largest_within(job: Job, machines: Machines, need: DeviceNeed) -> Floats:
    """The largest batch that a recommendation may have; on processors beside the process and its pinned batches."""
    share = recommended_share(job)
    ones = np.ones(1)  # the same on every machine
    process, _ = feeding.process_gib(job, ones, ones * 0, ones)
    pinned, _ = feeding.process_gib(job, ones, ones, ones)
    beside = DeviceNeed(need.fixed, need.per_sample + pinned - process, need.parts)
    on_host = largest_batch(beside, machines.memory_gib * share - process)
    return np.where(machines.has_accelerator(), largest_batch(need, usable_gib(machines) * share), on_host)
