"""A job given as operations and memory traffic on one machine: the roofline of Williams et al. 2009.

Without ``bytes`` it is dense linear algebra, which reuses its operands and runs at a share of the peak.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.clusters import Clusters
from plimsoll_service.engine.columns import Lazy, take
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
from plimsoll_service.engine.estimate.requirements import obstacles, usable_gib
from plimsoll_service.engine.hardware import Floats

# Share of the peak that dense matrix products reach: Rmax ÷ Rpeak of the TOP500's systems lies about 0.7.
DENSE_SHARE = 0.7
GFLOP = 1e9
STREAM_SHARE = 0.85  # STREAM triad over the listed bandwidth (McCalpin 1995)
# Computing and moving, each on cores and on devices.
LIMITS = np.array(
    [
        [bottleneck("cpu_compute"), bottleneck("accelerator_compute")],
        [bottleneck("memory_bandwidth"), bottleneck("accelerator_memory_bandwidth")],
    ],
    dtype=np.int32,
)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide, of all devices of a machine or of all its cores."""

    compute: Floats  # FLOP/s
    stream: Floats  # bytes a second
    working_set: Floats
    use: DeviceUse


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The rates of computing and moving, and the memory that is needed."""
    machines, kinds = clusters.machines, clusters.machines.hardware_groups
    numbers = take(arithmetic(machines.take(kinds.rows), job.precision), kinds.of)
    on_device, devices = machines.has_accelerator(), np.maximum(machines.devices, 1.0)
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * 1e9
    working_set, usable = np.full(len(machines), job.workload.memory_gib or 0.0), usable_gib(machines)
    memory = device_columns(np.where(on_device & ~np.isnan(usable), working_set / devices, np.nan), usable)
    barred = obstacles(job, machines, clusters.fixed_nodes, numbers.supported, memory)
    return Prepared(
        compute=numbers.peak * devices * DENSE_SHARE,
        stream=bandwidth * devices * STREAM_SHARE,
        working_set=working_set,
        use=DeviceUse(numbers.emulated, memory, barred),
    )


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """Time from the slower of computing and moving; without ``flops`` only the rate is known. Rates in GFLOP/s."""
    machines, nodes, compute = clusters.machines, clusters.fixed_nodes, known.compute
    on_device, devices = machines.has_accelerator(), np.maximum(machines.devices, 1.0)
    moved, operations = job.workload.bytes, job.workload.flops
    stream = known.stream * (operations / moved if moved and operations else np.inf)
    bare = bare_process(job, len(machines))
    work = PlainWork(
        rate=np.minimum(compute, stream) / GFLOP,
        bottleneck=Lazy(lambda rows: LIMITS[1 * ~(compute[rows] <= stream[rows]), 1 * on_device[rows]]),
        use=known.use,
        devices=devices,
        host_gib=bare.gib(job) + known.working_set,
        host_parts=host_parts(job, bare, known.working_set),
        vcpus=Lazy(lambda rows: np.where(on_device[rows], devices[rows], machines.vcpus[rows])),
        disk=disk_of(job, drives, plain_disk_need(job, drives.nodes)),
    )
    return plain_outcome(job, machines, nodes, work), nodes
