"""Preprocessing: read, decode, encode, write; processors and disk overlap, reading and writing share the disk.

S3-10: local NVMe 25% faster than SSD volumes, those 10% faster than efficiency disks, whose data sheets are a factor of
two apart: the frameworks' own converters are one process that takes a file after another and waits for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Feed, Job
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.feeding import Volume
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.kinds import Kinds, kinds_of
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Gathered, Outcome, bottleneck
from plimsoll_service.engine.estimate.plain_work import Plain, host_only, plain_outcome
from plimsoll_service.engine.estimate.precision import Support, single_precision
from plimsoll_service.engine.estimate.ranges import unstudied
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import MIB

CONVERTER_PROCESSES = 1.0  # convert_imageset and im2rec as they come; vendors' tools (``tuned``) take every core
OPEN_SAMPLES_GIB = 0.25  # decoded samples in flight, per core: the loader's queue


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What is known before the data are: candidates of one type in whatever number, and what each computes."""

    types: Kinds
    single: Support


@dataclass(frozen=True, eq=False)
class _Process:
    """What runs on a machine of each type: samples a second of its busy cores, and what that takes of memory."""

    busy: Floats
    rate: Floats
    host_gib: Floats
    host_parts: dict[str, Floats]


def _prepared(machines: Machines) -> _Prepared:
    own = machines.catalog_row.max(initial=-1) + 1 + np.arange(len(machines))  # a described machine has no type
    types = kinds_of(np.where(machines.catalog_row >= 0, machines.catalog_row, own))
    single = single_precision(machines.take(types.rows))
    return _Prepared(types, Support(single.supported[types.of], single.emulated[types.of]))


def _process(job: Job, feed: Feed, machines: Machines) -> _Process:
    base_gib, _ = host_only(job, machines, np.zeros(len(machines)))
    processes = machines.cores if job.tuned else np.minimum(machines.cores, CONVERTER_PROCESSES)
    busy = feeding.workers_within(machines, processes, base_gib, OPEN_SAMPLES_GIB)
    host_gib, parts = host_only(job, machines, busy * OPEN_SAMPLES_GIB)
    return _Process(busy, feeding.decode_rate(feed, machines) * busy / machines.cores, host_gib, parts)


def estimate(job: Job, machines: Machines, nodes: Floats, volume: Volume, ground: Groundwork) -> Outcome:
    """Samples a second of all machines, each with its part of the data."""
    machines = machines.on_processors()
    known = ground.of(lambda _: _prepared(machines.again()), "prepared")
    feed, of = job.feed, known.types.of
    assert feed is not None  # preprocessing always has data
    size = feeding.plain_disk_need(job, nodes)
    disk = feeding.disk_of(job, machines, size, volume)
    process = _process(job, feed, machines.take(known.types.rows))
    compute, busy = process.rate.take(of), process.busy.take(of)
    computing = 1 / compute
    requests = 0.0 if feed.sequential else disk_waits.UNHIDDEN_REQUESTS
    waiting = requests * disk.latency_s / np.maximum(busy, 1.0)
    read_seconds = 1 / feeding.read_rate(feed, disk)
    write_seconds = feed.written_bytes / feed.samples / (disk.mib_s * MIB)
    moving = read_seconds + write_seconds
    each = feeding.wait(computing + waiting, moving)
    disk_limit = disk_waits.named(each - computing - waiting > waiting)
    limit = np.where(disk_waits.disk_bound(each, computing), disk_limit, bottleneck("cpu_compute")).astype(np.int32)
    wanted = np.minimum(1 / moving, compute)
    work = Plain(
        rate=nodes / each,
        bottleneck=limit,
        supported=known.single.supported,
        emulated=known.single.emulated,
        devices=np.ones(len(machines)),
        device_gib=np.full(len(machines), np.nan),
        host_gib=process.host_gib.take(of),
        host_parts={name: Gathered(part, of) for name, part in process.host_parts.items()},
        vcpus=feeding.vcpus_for(feed, machines, wanted, np.zeros(len(machines)), np.ones(len(machines))),
        size_gib=size,
        disk=disk,
        uses_device=np.zeros(len(machines), dtype=bool),
    )
    return plain_outcome(job, machines, nodes, work, unstudied(machines))
