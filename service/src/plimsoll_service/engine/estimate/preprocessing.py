"""Preprocessing: read, decode, encode, write; processors and disk overlap, reading and writing share the disk.

S3-10: local NVMe 25% faster than SSD volumes, those 10% faster than efficiency disks, whose data sheets are a factor of
two apart: the frameworks' own converters are one process that takes a file after another and waits for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Feed, Job
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.drives import Drives, disk_of, plain_disk_need
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.kinds import Kinds, kinds_of
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import Bars, bars
from plimsoll_service.engine.estimate.outcome import Gathered, MemoryColumns, Outcome, bottleneck
from plimsoll_service.engine.estimate.plain_work import (
    Plain,
    bare_host_gib,
    device_columns,
    host_parts,
    plain_outcome,
)
from plimsoll_service.engine.estimate.precision import single_precision
from plimsoll_service.engine.estimate.ranges import unstudied
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.units import MIB

CONVERTER_PROCESSES = 1.0  # convert_imageset and im2rec as they come; vendors' tools (``tuned``) take every core
OPEN_SAMPLES_GIB = 0.25  # decoded samples in flight, per core: the loader's queue
CPU_COMPUTE = np.int32(bottleneck("cpu_compute"))


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What is known before the data are: candidates of one type in whatever number, and what each computes."""

    types: Kinds
    emulated: Flags
    device: MemoryColumns
    bars: Bars


@dataclass(frozen=True, eq=False)
class _Process:
    """What runs on a machine of each type: samples a second of its busy cores, and what they have in hand."""

    busy: Floats
    rate: Floats
    open_gib: Floats  # of samples in its hands


def _prepared(job: Job, machines: Machines, nodes: Floats) -> _Prepared:
    own = machines.catalog_row.max(initial=-1) + 1 + np.arange(len(machines))  # a described machine has no type
    types = kinds_of(np.where(machines.catalog_row >= 0, machines.catalog_row, own))
    single = single_precision(machines.take(types.rows))
    device = device_columns(machines, np.full(len(machines), np.nan))
    known = bars(job, machines, nodes, single.supported[types.of], device)
    return _Prepared(types, single.emulated[types.of], device, known)


def _process(job: Job, feed: Feed, machines: Machines) -> _Process:
    processes = machines.cores if job.tuned else np.minimum(machines.cores, CONVERTER_PROCESSES)
    busy = feeding.workers_within(machines, processes, bare_host_gib(job), OPEN_SAMPLES_GIB)
    return _Process(
        busy,
        feeding.decode_rate(feed, feeding.reference_cores(machines)) * busy / machines.cores,
        busy * OPEN_SAMPLES_GIB,
    )


def estimate(job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork) -> Outcome:
    """Samples a second of all machines, each with its part of the data."""
    machines = machines.on_processors()
    known = ground.of(lambda plain: _prepared(plain, machines.again(), nodes), "prepared")
    feed, of = job.feed, known.types.of
    assert feed is not None  # preprocessing always has data
    disk = disk_of(job, drives, plain_disk_need(job, drives.nodes))
    process = _process(job, feed, machines.take(known.types.rows))
    compute, busy = process.rate.take(of), process.busy.take(of)
    computing = 1 / compute
    requests = 0.0 if feed.sequential else disk_waits.UNHIDDEN_REQUESTS
    waiting = (requests * disk.latency_s).take(disk.of) / np.maximum(busy, 1.0)
    write_seconds = feed.written_bytes / feed.samples / (disk.mib_s * MIB)
    moving = (1 / feeding.read_rate(feed, disk) + write_seconds).take(disk.of)
    each = feeding.wait(computing + waiting, moving)
    disk_limit = disk_waits.named(each - computing - waiting > waiting)
    limit = np.where(disk_waits.disk_bound(each, computing), disk_limit, CPU_COMPUTE)
    wanted = np.minimum(1 / moving, compute)
    open_gib = Gathered(process.open_gib, of)
    work = Plain(
        rate=nodes / each,
        bottleneck=limit,
        bars=known.bars,
        emulated=known.emulated,
        devices=np.ones(len(machines)),
        device=known.device,
        host_gib=bare_host_gib(job) + open_gib.all(),
        host_parts=host_parts(job, open_gib),
        vcpus=feeding.vcpus_for(feeding.busy_vcpus(machines, wanted * feed.core_seconds), 1.0),
        disk=disk,
    )
    return plain_outcome(job, machines, nodes, work, unstudied(machines))
