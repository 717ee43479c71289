"""A job given as operations and memory traffic: the roofline of Williams et al. 2009.

Without ``bytes`` it is dense linear algebra, which reuses its operands and runs at a share of the peak. On several
machines its matrix is spread over a square grid of them, which exchange panels (HPL: scalability analysis, netlib.org).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plimsoll_service.engine.clusters import Clusters
from plimsoll_service.engine.columns import Lazy, Lookup, groups_of_pairs, take
from plimsoll_service.engine.demand.anchored import speed
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
from plimsoll_service.engine.estimate.ranges import Ends, over_devices, unstudied
from plimsoll_service.engine.estimate.requirements import obstacles, usable_gib
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import BITS_PER_BYTE, GB, GIB, GIGA

# Share of the peak that dense matrix products reach: Rmax ÷ Rpeak of the TOP500's systems lies about 0.7.
DENSE_SHARE = 0.7
NETWORK = np.int32(bottleneck("network"))
WORD_BYTES = 8.0  # of a matrix in double precision
LU_FLOPS = 2 / 3  # of the factorisation of a matrix, over the cube of its order
# Words that a machine of a square grid sends, over the square of the order: (3P + Q) / (2·P·Q) with P = Q = √machines.
SENT_WORDS = 2.0
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
    spread: Ends


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The rates of computing and moving, and the memory that is needed."""
    machines, kinds = clusters.machines, clusters.machines.hardware_groups
    numbers = take(arithmetic(machines.take(kinds.rows), job.precision), kinds.of)
    on_device, devices = machines.has_accelerator(), np.maximum(machines.devices, 1.0)
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * GB
    working_set, usable = (job.workload.memory_gib or 0.0) / clusters.fixed_nodes, usable_gib(machines)
    memory = device_columns(np.where(on_device & ~np.isnan(usable), working_set / devices, np.nan), usable)
    barred = obstacles(job, machines, clusters.fixed_nodes, numbers.supported, memory)
    return Prepared(
        compute=numbers.peak * devices * DENSE_SHARE,
        stream=bandwidth * devices * STREAM_SHARE,
        working_set=working_set,
        use=DeviceUse(numbers.emulated, memory, barred),
        spread=_ends(job, machines, clusters.fixed_nodes),
    )


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """Time from the slower of computing and moving, and then of exchanging; without ``flops`` only the rate is known.

    Rates in GFLOP/s, of all machines together.
    """
    machines, nodes, compute = clusters.machines, clusters.fixed_nodes, known.compute
    on_device, devices = machines.has_accelerator(), np.maximum(machines.devices, 1.0)
    moved, operations = job.workload.bytes, job.workload.flops
    stream = known.stream * (operations / moved if moved and operations else np.inf)
    bare = bare_process(job, len(machines))
    working = 1 / (nodes * np.minimum(compute, stream))  # seconds an operation
    exchange = _exchange_seconds(job, machines, nodes)

    def limit(rows: Any) -> Ints:
        own = LIMITS[1 * ~(compute[rows] <= stream[rows]), 1 * on_device[rows]]
        return np.where(exchange[rows] > working[rows], NETWORK, own)

    work = PlainWork(
        rate=speed(job, machines) / (working + exchange) / GIGA,
        bottleneck=Lazy(limit),
        use=known.use,
        devices=devices,
        host_gib=bare.gib(job) + known.working_set,
        host_parts=host_parts(job, bare, known.working_set),
        vcpus=Lazy(lambda rows: np.where(on_device[rows], devices[rows], machines.vcpus[rows])),
        disk=disk_of(job, drives, plain_disk_need(job, drives.nodes)),
    )
    return plain_outcome(job, machines, nodes, work, known.spread), nodes


def _exchange_seconds(job: Job, machines: Machines, nodes: Floats) -> Floats:
    """Seconds that the machines exchange, for each operation; none on one.

    The matrix is as large as the operations or the working set allow, whichever is smaller: a job of more operations
    than one factorisation of that matrix is several of them.
    """
    order = ((job.workload.flops or np.inf) / LU_FLOPS) ** (1 / 3)
    if job.workload.memory_gib:
        order = min(order, (job.workload.memory_gib * GIB / WORD_BYTES) ** 0.5)
    words = SENT_WORDS / (LU_FLOPS * order * np.sqrt(nodes))
    return np.where(nodes > 1, words * WORD_BYTES * BITS_PER_BYTE / (machines.network_gbps * GB), 0.0)


def _ends(job: Job, machines: Machines, nodes: Floats) -> Ends:
    """The range of work that nobody measured but the user, wider on several machines by the error of scaling."""
    one, groups = unstudied(job, machines), groups_of_pairs(np.zeros(len(nodes), dtype=np.int32), nodes)
    if job.anchoring is not None:
        groups = groups_of_pairs(groups.of.astype(np.int32), one.low[:])
    rows = groups.rows
    low, high = over_devices(job.coefficients.spreads, one.low[rows], one.high[rows], nodes[rows])
    return Ends(Lookup(low, groups.of), Lookup(high, groups.of))
