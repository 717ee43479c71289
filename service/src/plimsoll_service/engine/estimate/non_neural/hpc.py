"""A job given as operations and memory traffic on one machine: the roofline of Williams et al. 2009.

Without ``bytes`` it is dense linear algebra, which reuses what it loads and runs at a share of the peak.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.columns import take
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import arithmetic
from plimsoll_service.engine.estimate.input.disks import Drives, disk_of, plain_disk_need
from plimsoll_service.engine.estimate.non_neural.common import (
    DeviceUse,
    PlainWork,
    bare_process,
    device_columns,
    host_parts,
    plain_outcome,
)
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.parallelism import Clusters
from plimsoll_service.engine.estimate.requirements import bars, usable_gib
from plimsoll_service.engine.hardware import Flags, Floats

# Share of the peak that dense matrix products reach: Rmax ÷ Rpeak of the TOP500's systems lies about 0.7.
DENSE_SHARE = 0.7
GFLOP = 1e9
STREAM_SHARE = 0.85  # STREAM triad over the listed bandwidth (McCalpin 1995)


@dataclass(frozen=True, eq=False)
class Prepared:
    """How the machines compute at the precision: FLOP/s of one device, or of all cores."""

    peak: Floats
    supported: Flags
    emulated: Flags


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The arithmetic of each machine."""
    kinds = clusters.machines.kinds
    numbers = arithmetic(clusters.machines.take(kinds.rows), job.precision)
    return take(Prepared(numbers.peak, numbers.supported, numbers.emulated), kinds.of)


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """Time from the slower of computing and moving; without ``flops`` only the rate is known. Rates in GFLOP/s."""
    machines, nodes = clusters.machines, clusters.fixed_nodes
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * 1e9
    compute = known.peak * devices * DENSE_SHARE
    moved, operations = job.workload.bytes, job.workload.flops
    intensity = operations / moved if moved and operations else np.inf
    stream = bandwidth * devices * STREAM_SHARE * intensity
    limit = np.where(
        compute <= stream,
        np.where(on_device, bottleneck("accelerator_compute"), bottleneck("cpu_compute")),
        np.where(on_device, bottleneck("accelerator_memory_bandwidth"), bottleneck("memory_bandwidth")),
    ).astype(np.int32)
    working_set = np.full(len(machines), job.workload.memory_gib or 0.0)
    usable, bare = usable_gib(machines), bare_process(job, len(machines))
    memory = device_columns(np.where(on_device & ~np.isnan(usable), working_set / devices, np.nan), usable)
    work = PlainWork(
        rate=np.minimum(compute, stream) / GFLOP,
        bottleneck=limit,
        use=DeviceUse(known.emulated, memory, bars(job, machines, nodes, known.supported, memory)),
        devices=devices,
        host_gib=bare.gib(job) + working_set,
        host_parts=host_parts(job, bare, working_set),
        vcpus=np.where(on_device, devices, machines.vcpus),
        disk=disk_of(job, drives, plain_disk_need(job, drives.nodes)),
    )
    return plain_outcome(job, machines, nodes, work), nodes
