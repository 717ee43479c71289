"""A job given as operations and memory traffic: the roofline of Williams et al. 2009.

Without ``bytes`` it is dense linear algebra, which reuses its operands and runs at a share of the peak. On several
machines its matrix is spread over a square grid of them, which exchange panels (HPL: scalability analysis, netlib.org).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...clusters import Clusters, Drives
from ...columns import Lazy, take
from ...demand.anchored import left_of_range, speed
from ...demand.job import Job
from ...hardware import Flags, Floats, Ints
from ...machines import Machines
from ...obstacles import bottleneck
from ...spreads import DENSE_SPREAD, STREAMING_SPREAD, UNSTUDIED_SPREAD
from ...units import BITS_PER_BYTE, GB, GIB, GIGA
from ..arithmetic import arithmetic
from ..outcome import Outcome
from ..ranges import Ends, no_faster, over_devices
from ..requirements import obstacles, usable_gib
from .common import DeviceUse, PlainWork, bare_process, device_columns, host_parts, plain_disk, plain_outcome

# Share of the peak that dense matrix products reach: Rmax ÷ Rpeak of the TOP500's systems lies about 0.7.
DENSE_SHARE = 0.7
NETWORK = np.int32(bottleneck("network"))
WORD_BYTES = 8.0  # of a matrix in double precision
LU_FLOPS = 2 / 3  # of the factorisation of a matrix, over the cube of its order
# Words that a machine of a square grid sends, over the square of the order: (3P + Q) / (2·P·Q) with P = Q = √machines.
SENT_WORDS = 2.0
STREAM_SHARE = 0.85  # STREAM triad over the listed bandwidth (McCalpin 1995)
# Times its part of a socket's bandwidth that a rented machine reads at the most, however much its cores could: 94% of
# 1,791 types with half a socket or less read as much, whatever their neighbours did: docs/method.md has the figures.
ADVANTAGE = 2.0
# Of the bandwidth that one core can take alone, the share that the slowest of the measured kernels took: a sparse
# matrix of 7 entries a row, out of order. docs/method.md has the measurement.
SLOWEST_KERNEL_SHARE = 0.3
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
    sockets_full: Flags  # the cores suffice for any kernel to take all that the sockets can move
    idle: Floats  # times ``stream`` that the cores take while their neighbours take nothing
    peak_over_stream: Floats  # the memory's peak over ``stream``


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """The rates of computing and moving, and the memory that is needed."""
    machines, kinds = clusters.machines, clusters.machines.hardware_groups
    numbers = take(arithmetic(machines.take(kinds.rows), job.precision), kinds.of)
    on_device, devices = machines.has_accelerator(), np.maximum(machines.devices, 1.0)
    counted = np.fmin(machines.cpu_bandwidth_gb_s, ADVANTAGE * machines.cpu_share_gb_s)
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, counted) * GB
    working_set, usable = (job.workload.memory_gib or 0.0) / clusters.fixed_nodes, usable_gib(machines)
    held = np.where(on_device & ~np.isnan(usable), working_set / devices, np.nan)
    memory = device_columns(held, usable, job.coefficients.memory.context_gib)
    barred = obstacles(job, machines, clusters.fixed_nodes, numbers.supported, memory)
    return Prepared(
        compute=numbers.peak * devices * DENSE_SHARE,
        stream=bandwidth * devices * STREAM_SHARE,
        working_set=working_set,
        use=DeviceUse(numbers.emulated, memory, barred),
        sockets_full=~on_device & (machines.cores * SLOWEST_KERNEL_SHARE >= machines.cpu_bandwidth_cores),
        idle=np.where(on_device, 1.0, machines.cpu_bandwidth_gb_s / counted),
        peak_over_stream=np.where(on_device, 1.0, machines.cpu_peak_gb_s / counted) / STREAM_SHARE,
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that the operations for each moved byte decide."""

    prepared: Prepared
    stream: Floats  # FLOP/s at which their bytes are moved
    spread: Ends


def intensity(job: Job, _clusters: Clusters, _prepared: Prepared) -> float:
    """Operations for each byte that is moved; infinite where one of both is not stated."""
    moved, operations = job.workload.bytes, job.workload.flops
    return operations / moved if moved and operations else np.inf


def plan(job: Job, clusters: Clusters, prepared: Prepared, intensity: float) -> Plan:
    """The rate of moving, and the range, at that intensity."""
    stream, nodes = prepared.stream * intensity, clusters.fixed_nodes
    spread = _ends(job, clusters.machines, nodes, prepared, stream)
    return Plan(prepared, stream, spread)


def estimate(job: Job, clusters: Clusters, plan: Plan, drives: Drives) -> tuple[Outcome, Floats]:
    """Time from the slower of computing and moving, and then of exchanging; without ``flops`` only the rate is known.

    Rates in GFLOP/s, of all machines together.
    """
    machines, nodes, known, stream = clusters.machines, clusters.fixed_nodes, plan.prepared, plan.stream
    on_device, devices, compute = machines.has_accelerator(), np.maximum(machines.devices, 1.0), known.compute
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
        disk=plain_disk(job, drives),
    )
    return plain_outcome(job, machines, nodes, work, plan.spread), nodes


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


def _ends(job: Job, machines: Machines, nodes: Floats, known: Prepared, stream: Floats) -> Ends:
    """The ends of the slower of computing and moving, wider on several machines by the error of scaling.

    Nobody measured the share of the peak that the user's program reaches, but of dense FP64 on devices (``bytes`` left
    out). What streams out of full sockets was. Between busy and idle neighbours, a part of a socket has its own share,
    or all that its cores can take.
    """
    wide, narrow, compute, idle = UNSTUDIED_SPREAD, STREAMING_SPREAD, known.compute, known.idle
    dense = np.isinf(stream) & machines.has_accelerator() & (job.precision == "fp64")
    left = left_of_range(job, machines, job.kind)
    shares = np.ones((2, len(machines))) if left is None else left
    slow = np.where(known.sockets_full, np.where(idle > 1, 1 / ADVANTAGE, narrow.low), wide.low)
    fast = np.where(known.sockets_full, narrow.high * idle, np.maximum(wide.high, idle))
    low, high = (
        (np.minimum(compute * one, stream * other) / np.minimum(compute, stream)) ** share
        for one, other, share in (
            (np.where(dense, DENSE_SPREAD.low, wide.low), slow, shares[0]),
            (np.where(dense, DENSE_SPREAD.high, wide.high), fast, shares[1]),
        )
    )
    low, high = over_devices(job.coefficients.spreads, low, high, nodes)
    # Neither memory nor units do more than their peak.
    at_peak = np.minimum(compute / DENSE_SHARE, stream * known.peak_over_stream) / np.minimum(compute, stream)
    return no_faster(Ends(low, high), at_peak)
