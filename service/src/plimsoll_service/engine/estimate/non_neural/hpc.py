"""A job given as operations and memory traffic on one machine: the roofline of Williams et al. 2009.

Without ``bytes`` it is dense linear algebra, which reuses what it loads and runs at a share of the peak.
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import arithmetic
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.input.disks import Drives, disk_of, plain_disk_need
from plimsoll_service.engine.estimate.non_neural.common import (
    Plain,
    bare_gib,
    bare_process,
    device_columns,
    host_parts,
    plain_outcome,
)
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.ranges import unstudied
from plimsoll_service.engine.estimate.requirements import bars, usable_gib
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.machines import Machines

# Share of the peak that dense matrix products reach: Rmax ÷ Rpeak of the TOP500's systems lies about 0.7.
DENSE_SHARE = 0.7

GFLOP = 1e9

STREAM_SHARE = 0.85  # STREAM triad over the listed bandwidth (McCalpin 1995)


def estimate(job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork) -> Outcome:
    """Time from the slower of computing and moving; without ``flops`` only the rate is known. Rates in GFLOP/s."""
    numbers = ground.of(lambda plain: arithmetic(machines.again(), plain.precision), "numbers")
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * 1e9
    compute = numbers.peak * devices * DENSE_SHARE
    moved, operations = job.workload.bytes, job.workload.flops
    intensity = operations / moved if moved and operations else np.inf
    stream = bandwidth * devices * STREAM_SHARE * intensity
    limit = np.where(
        compute <= stream,
        np.where(on_device, bottleneck("accelerator_compute"), bottleneck("cpu_compute")),
        np.where(on_device, bottleneck("accelerator_memory_bandwidth"), bottleneck("memory_bandwidth")),
    ).astype(np.int32)
    working_set = np.full(len(machines), job.workload.memory_gib or 0.0)
    usable = usable_gib(machines)
    used = on_device & ~np.isnan(usable)
    device, bare = device_columns(np.where(used, working_set / devices, np.nan), usable), bare_process(job)
    work = Plain(
        rate=np.minimum(compute, stream) / GFLOP,
        bottleneck=limit,
        bars=bars(job, machines, nodes, numbers.supported, device),
        emulated=numbers.emulated,
        devices=devices,
        device=device,
        host_gib=bare_gib(job, bare) + working_set,
        host_parts=host_parts(job, bare, working_set),
        vcpus=np.where(on_device, devices, machines.vcpus),
        disk=disk_of(job, drives, plain_disk_need(job, drives.nodes)),
    )
    return plain_outcome(job, machines, nodes, work, unstudied(machines))
