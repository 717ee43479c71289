"""Preprocessing: read, decode, encode, write; processors and disk overlap, reading and writing share the disk.

S3-10: local NVMe 25% faster than SSD volumes, those 10% faster than efficiency disks, whose data sheets are a factor of
two apart: the frameworks' own converters are one process that takes a file after another and waits for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plimsoll_service.engine.columns import Gathered, Kinds, Worked, kinds_of
from plimsoll_service.engine.demand.job import Feed, Job
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.input import disks, pipeline
from plimsoll_service.engine.estimate.input.disks import Disk, Drives, disk_of, plain_disk_need
from plimsoll_service.engine.estimate.non_neural.common import (
    Idle,
    Plain,
    bare_gib,
    bare_process,
    host_parts,
    idle,
    plain_outcome,
)
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.ranges import unstudied
from plimsoll_service.engine.hardware import Floats, Ints, Places
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import MIB

CONVERTER_PROCESSES = 1.0  # convert_imageset and im2rec as they come; vendors' tools (``tuned``) take every core

OPEN_SAMPLES_GIB = 0.25  # decoded samples in flight, per core: the loader's queue

CPU_COMPUTE = np.int32(bottleneck("cpu_compute"))


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What is known before the data are: machines on their processors, and one of each type."""

    on: Idle
    types: Kinds  # candidates of one type in whatever number
    some: Machines  # one of each type
    cores: Floats  # of those


@dataclass(frozen=True, eq=False)
class _Process:
    """What runs on a machine of each type: samples a second of its busy cores, and what they have in hand."""

    busy: Floats
    rate: Floats
    open_gib: Floats  # of samples in its hands


def _prepared(job: Job, machines: Machines, nodes: Floats) -> _Prepared:
    own = machines.catalog_row.max(initial=-1) + 1 + np.arange(len(machines))  # a described machine has no type
    types = kinds_of(np.where(machines.catalog_row >= 0, machines.catalog_row, own))
    some = machines.take(types.rows)
    return _Prepared(idle(job, machines, nodes), types, some, pipeline.reference_cores(some))


def _process(job: Job, feed: Feed, known: _Prepared, held_gib: float) -> _Process:
    cores = known.some.cores
    processes = cores if job.tuned else np.minimum(cores, CONVERTER_PROCESSES)
    busy = pipeline.workers_within(known.some, processes, held_gib, OPEN_SAMPLES_GIB)
    return _Process(busy, pipeline.decode_rate(feed, known.cores) * busy / cores, busy * OPEN_SAMPLES_GIB)


def estimate(job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork) -> Outcome:
    """Samples a second of all machines, each with its part of the data."""
    known = ground.of(lambda plain: _prepared(plain, machines.again(), nodes), "prepared")
    feed, of, on, bare = job.feed, known.types.of, known.on, bare_process(job)
    assert feed is not None  # preprocessing always has data
    disk, held_gib = disk_of(job, drives, plain_disk_need(job, drives.nodes)), bare_gib(job, bare)
    process = _process(job, feed, known, held_gib)
    compute = process.rate.take(of)
    computing, waiting = 1 / compute, _waiting(feed, disk, process.busy, of)
    write_seconds = feed.written_bytes / feed.samples / (disk.mib_s * MIB)
    moving = (1 / disks.read_rate(feed, disk) + write_seconds).take(disk.of)
    processing = computing + waiting
    each = pipeline.wait(processing, moving)

    def bottleneck_of(rows: Any) -> Ints:
        disk_limit = pipeline.named(each[rows] - computing[rows] - waiting[rows] > waiting[rows])
        return np.where(pipeline.disk_bound(each[rows], computing[rows]), disk_limit, CPU_COMPUTE)

    @np.errstate(divide="ignore")  # a described machine's disk takes no time
    def vcpus(rows: Any) -> Floats:
        wanted = np.minimum(1 / moving[rows], compute[rows])
        return pipeline.vcpus_for(pipeline.busy_vcpus(on.machines.take(rows), wanted * feed.core_seconds), 1.0)

    work = Plain(
        rate=nodes / each,
        bottleneck=Worked(bottleneck_of),
        bars=on.bars,
        emulated=on.emulated,
        devices=np.ones(len(machines)),
        device=on.device,
        host_gib=(held_gib + process.open_gib).take(of),
        host_parts=host_parts(job, bare, Gathered(process.open_gib, of)),
        vcpus=Worked(vcpus),
        disk=disk,
    )
    return plain_outcome(job, on.machines, nodes, work, unstudied(machines))


def _waiting(feed: Feed, disk: Disk, busy: Floats, of: Places) -> Floats:
    """Seconds a sample that each of the ``busy`` processes of a type waits for requests."""
    requests = 0.0 if feed.sequential else pipeline.UNHIDDEN_REQUESTS
    return (requests * disk.latency_s).take(disk.of) / np.maximum(busy, 1.0).take(of)
