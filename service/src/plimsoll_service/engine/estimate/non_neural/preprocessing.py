"""Preprocessing: read, decode, encode, write; processors and disk overlap, reading and writing share the disk.

S3-10: local NVMe 25% faster than SSD volumes, those 10% faster than efficiency disks, whose data sheets are a factor of
two apart: the frameworks' own converters are one process that takes a file after another and waits for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...clusters import Clusters, Drives
from ...columns import Groups, Lazy, groups_of
from ...demand.anchored import speed
from ...demand.host_process import busy_vcpus, vcpus_for, workers_within
from ...demand.job import Feed, Job
from ...hardware import Floats, Ints
from ...machines import Machines
from ...obstacles import bottleneck
from ...units import MIB
from ..input import disks, pipeline
from ..outcome import Outcome
from .common import DeviceUse, PlainWork, bare_process, devices_idle, host_parts, plain_disk, plain_outcome

CONVERTER_PROCESSES = 1.0  # convert_imageset and im2rec as they come; vendors' tools (``tuned``) take every core
OPEN_SAMPLES_GIB = 0.25  # decoded samples in flight, or blocks of a table, per core: the loader's queue
CPU_COMPUTE = np.int32(bottleneck("cpu_compute"))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: one machine of each type, and machines on their processors."""

    use: DeviceUse
    types: Groups  # candidates of one type in whatever number
    some: Machines  # one of each type
    cores: Floats  # of those


@dataclass(frozen=True, eq=False)
class _Converter:
    """Converter on a machine of each type: busy cores, samples a second, and samples in memory."""

    busy: Floats
    rate: Floats
    open_gib: Floats  # of decoded samples


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The types of machines, with their accelerators left idle."""
    machines = clusters.machines
    own = machines.catalog_row.max(initial=-1) + 1 + np.arange(len(machines))  # a described machine has no type
    types = groups_of(np.where(machines.catalog_row >= 0, machines.catalog_row, own))
    some = machines.take(types.rows)
    use = devices_idle(job, machines.on_processors, clusters.fixed_nodes)
    return Prepared(use, types, some, some.reference_cores)


def _converter(job: Job, feed: Feed, known: Prepared) -> _Converter:
    cores = known.some.cores
    processes = cores if job.tuned else np.minimum(cores, CONVERTER_PROCESSES)
    held = bare_process(job, len(cores)).gib(job)
    busy = workers_within(known.some, processes, held, OPEN_SAMPLES_GIB)
    together = known.cores * busy / cores if job.tuned else known.some.core_speed * busy  # one leaves threads idle
    return _Converter(busy, 1 / pipeline.decode_seconds(feed, together), busy * OPEN_SAMPLES_GIB)


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """Samples a second of all machines, each with its part of the data."""
    machines, nodes = clusters.machines.on_processors, clusters.fixed_nodes
    feed, of, bare = job.feed, known.types.of, bare_process(job, len(machines))
    assert feed is not None  # preprocessing always has data
    disk, converter = plain_disk(job, drives), _converter(job, feed, known)
    compute = converter.rate.take(of)
    # Each of the busy processes of a type waits for its requests.
    requests = 0.0 if feed.sequential else pipeline.UNHIDDEN_REQUESTS
    waiting = (requests * disk.latency_s).take(disk.of) / np.maximum(converter.busy, 1.0).take(of)
    computing = 1 / compute
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
        busy = busy_vcpus(machines.take(rows), wanted * feed.core_seconds)
        return vcpus_for(busy if job.tuned else np.fmin(busy, CONVERTER_PROCESSES), 1.0)

    held = Lazy(lambda rows: converter.open_gib.take(of[rows]))
    work = PlainWork(
        rate=nodes / each * speed(job, machines),
        bottleneck=Lazy(bottleneck_of),
        use=known.use,
        devices=np.ones(len(machines)),
        host_gib=bare.gib(job) + held[:],
        host_parts=host_parts(job, bare, held),
        vcpus=Lazy(vcpus),
        disk=disk,
    )
    outcome = plain_outcome(job, machines, nodes, work)
    return outcome.changed(disk_share=Lazy(lambda rows: 1 - computing[rows] / each[rows])), nodes
