"""From the devices' rate to the job's: input, start-up, checkpoints, memory, and the range of it all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind import TABULAR_TRAINING
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.device_memory import (
    DeviceNeed,
    largest_batch,
    recommended_share,
    usable_gib,
)
from plimsoll_service.engine.estimate.feeding import Disk, Volume
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import Bars, disk_columns, host_memory, obstacles, useful_rate
from plimsoll_service.engine.estimate.outcome import MemoryColumns, Outcome, bottleneck
from plimsoll_service.engine.estimate.ranges import Ends
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GIB, MIB, SECONDS_PER_HOUR

TYPICAL_BOOT_S = 40.0  # median from order to first line of the start script, over the rented machines that were timed
CHECKPOINT_MINUTES = 60.0  # between two, on demand, where the user says nothing
# What limits where data are decoded too slowly, without and with devices that wait for it.
INPUT_LIMITS = np.array([bottleneck("cpu_compute"), bottleneck("input_pipeline")], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Fed:
    """A rate after its input: samples a second of the candidate, and what limits it."""

    rate: Floats
    bottleneck: Ints
    undelayed: Floats  # the rate if no pass ever waited for the disk


@dataclass(frozen=True, eq=False)
class Supply:
    """How a candidate's data come in, whatever its devices take: seconds a sample, and what limits where that does."""

    decode: Floats
    read: Floats
    decode_limit: Ints
    read_limit: Ints


@dataclass(frozen=True, eq=False)
class Input:
    """What brings the data to the devices of each candidate: its cores and its disks."""

    job: Job
    machines: Machines
    nodes: Floats
    disk: Disk

    @cached_property
    def supply(self) -> Supply:
        """The same at every rate of the devices."""
        feed, disk = self.job.feed, self.disk
        assert feed is not None
        decode = 1 / (feeding.decode_rate(feed, self.machines) * self.nodes)
        kept = feed.format == "memory"  # already in the process: nothing is read
        of_disk = feed.sequential | (disk.mib_s * MIB <= disk.iops * feeding.READ_BYTES)
        return Supply(
            decode=decode,
            read=np.zeros_like(decode) if kept else 1 / (feeding.read_rate(feed, disk) * self.nodes),
            decode_limit=INPUT_LIMITS.take(self.machines.has_accelerator()),
            read_limit=disk_waits.named(of_disk),
        )

    def fed(self, device_rate: Floats, limit: Ints, host: Floats) -> Fed:
        """The devices' rate, held up by decoding and, in passes that read from disk, by the disk.

        ``host`` is what the process takes of the memory of each machine.
        """
        feed = self.job.feed
        if feed is None:
            return Fed(device_rate, limit, device_rate)
        supply, compute = self.supply, 1 / device_rate
        waited = feeding.wait(compute, supply.decode)
        step = np.where(self.machines.has_accelerator(), waited, compute + supply.decode)
        from_disk = disk_waits.reading(step, supply.read)
        cached = feeding.cached(feed, self.machines, host, self.nodes)
        if np.isnan(self.job.samples):
            mean = disk_waits.without_end(from_disk, step, cached)
        else:
            mean = disk_waits.over_passes(from_disk, step, cached, max(feed.passes, 1.0))
        input_limit = np.where(supply.decode > compute, supply.decode_limit, limit)
        return Fed(1 / mean, np.where(disk_waits.disk_bound(mean, step), supply.read_limit, input_limit), 1 / step)


@dataclass(frozen=True, eq=False)
class Run:
    """What is known of a training run before its data are: the pace of its devices, and what it needs."""

    devices: Floats  # of one machine
    batch: Floats
    rate: Floats  # samples a second that the devices of the whole candidate take
    bottleneck: Ints
    spread: Ends
    device: MemoryColumns
    model_gib: Floats | None  # in the host's memory
    emulated: Flags
    bars: Bars


def finish(
    job: Job, machines: Machines, nodes: Floats, run: Run, volume: Volume, *, largest: Floats, floor: float
) -> Outcome:
    """A training job's outcome from the rate of its devices; they need ``floor`` vCPUs each at least."""
    least = np.where(machines.has_accelerator(), floor, 1.0)
    vcpus = feeding.vcpus_for(job.feed, machines, run.rate / nodes, run.devices, least)
    host = host_memory(job, machines, run.devices, run.batch, np.fmin(vcpus, machines.vcpus), run.model_gib)
    checkpoint_gib = checkpoint_size_gib(job)
    size = feeding.disk_need(job, nodes, model_bytes(job), feeding.CHECKPOINTS_KEPT * checkpoint_gib)
    disk = feeding.disk_of(job, machines, size, volume)
    held = Input(job, machines, nodes, disk).fed(run.rate, run.bottleneck, host.required)
    factor = unit_factor(job)
    rate, low, high = held.rate, held.rate * run.spread.low, held.rate * run.spread.high
    writing = writing_seconds(disk, checkpoint_gib)
    hours = job_hours(job, machines, nodes, writing, run.devices, run.rate, held.rate)
    nothing = np.full(len(machines), np.nan)
    made, least_made, most_made = (rate, low, high) if factor == 1 else (rate * factor, low * factor, high * factor)
    return Outcome(
        obstacle=obstacles(run.bars, machines, disk, host),
        throughput=made,
        capacity=made,
        capacity_low=least_made,
        capacity_high=most_made,
        throughput_low=least_made,
        throughput_high=most_made,
        hours=hours(rate),
        hours_low=hours(high),
        hours_high=hours(low),
        checkpoint_hours=writing / SECONDS_PER_HOUR,
        bottleneck=held.bottleneck,
        batch_used=run.batch,
        batch_largest=largest,
        vcpus_required=vcpus,
        host=host,
        device=run.device,
        disk=disk_columns(job, size, useful_rate(job, disk, held.undelayed / nodes)),
        local_disk=disk.local,
        emulated=run.emulated,
        devices_used=run.devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
    )


def retimed(job: Job, machines: Machines, nodes: Floats, outcome: Outcome) -> Outcome:
    """The outcome of work that reads no data, for another amount of it: only its time is another."""
    made = (outcome.capacity, outcome.capacity_low, outcome.capacity_high)
    rate, low, high = made if unit_factor(job) == 1 else tuple(one / unit_factor(job) for one in made)
    writing = outcome.checkpoint_hours * SECONDS_PER_HOUR
    hours = job_hours(job, machines, nodes, writing, outcome.devices_used, rate, rate)
    return outcome.changed(hours=hours(rate), hours_low=hours(high), hours_high=hours(low))


def unit_factor(job: Job) -> float:
    """Tokens a sample, where the answer counts tokens; else 1."""
    if not job.by_tokens or job.profile is None:
        return 1.0
    return float(job.profile.reference.sequence_length or 1)


def job_hours(
    job: Job,
    machines: Machines,
    nodes: Floats,
    writing: Floats,
    devices: Floats,
    unfed: Floats,
    rate: Floats,
) -> Callable[[Floats], Floats]:
    """Hours by rate: start-up, then all samples of all experiments (in rounds, where they do not all run at once).

    While a checkpoint is written, for ``writing`` seconds, the run stands still. The devices could take ``unfed`` and
    get ``rate``: a last round with some of them idle is fed that much better.
    """
    samples = job.samples if job.experiments == 1 else job.samples * _rounds(job, nodes, devices, unfed / rate)
    boot = np.where(np.isnan(machines.boot_seconds), TYPICAL_BOOT_S, machines.boot_seconds)
    interval = (job.workload.checkpoint_interval_minutes or CHECKPOINT_MINUTES) * 60
    standing = 1 + writing / interval

    def hours(rate: Floats) -> Floats:
        taken: Floats = (boot + samples / rate * standing) / SECONDS_PER_HOUR
        return taken

    return hours


def _rounds(job: Job, nodes: Floats, devices: Floats, spare: Floats) -> Floats:
    """What all experiments take over one that has all devices to itself."""
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
