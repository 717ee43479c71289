"""Whether a served model fits: memory of devices and host, and precisions that a machine lacks."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import MemoryColumns, obstacle
from plimsoll_service.engine.estimate.serving_load import Configuration
from plimsoll_service.engine.estimate.serving_model import Served, kv_gib_per_sequence
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GB, GIB

ROUNDING = 1 - 1e-9  # keeps the sum of what fits exactly from exceeding it in the last digit


def device_memory(model: Served, machines: Machines, chosen: Configuration, load: Floats) -> MemoryColumns:
    """GiB on each device of a replica at that load."""
    on_device = machines.has_accelerator()
    n, fit = chosen.held, model.fit.device
    weights = np.where(on_device, model.total_bytes / GIB / n, np.nan)
    cache = np.where(on_device, kv_gib_per_sequence(model) * np.maximum(load, 1.0) / n, np.nan)
    overhead = np.where(on_device, fit.overhead_gb * GB / GIB, np.nan)
    usable = machines.device_memory_gib * fit.memory_share
    # The cache is given what is left: requests that are not at their full length share it.
    cache = np.where(load <= chosen.most, np.fmin(cache, (usable - weights - overhead) * ROUNDING), cache)
    parts = {"weights": weights, "kv_cache": cache, "framework": overhead}
    return MemoryColumns(weights + cache + overhead, usable, parts)


def host_memory(job: Job, model: Served, machines: Machines) -> MemoryColumns:
    """The server's process; on processors the model and its cache are there too."""
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    framework = job.host_base_gib * devices
    held = np.where(on_device, 0.0, model.total_bytes / GIB + kv_gib_per_sequence(model))
    system = np.full(len(machines), feeding.SYSTEM_GIB)
    return MemoryColumns(
        framework + held + system, machines.memory_gib, {"system": system, "framework": framework, "model": held}
    )


def emulated(job: Job, machines: Machines) -> Flags:
    """Where the asked precision runs through another: 8-bit weights on devices without, bf16 through fp32."""
    on_device = machines.has_accelerator()
    if job.precision == "fp8":
        emulated: Flags = on_device & np.isnan(machines.peak("fp8"))
    elif job.precision == "bf16" and not job.half_falls_back:
        emulated = on_device & np.isnan(machines.peak("bf16"))
    else:
        emulated = np.zeros(len(machines), dtype=bool)
    return emulated


def _unsupported(job: Job, machines: Machines) -> Flags:
    """Where nothing can stand in: 4-bit floats without their units, 8-bit floats on processors."""
    on_device = machines.has_accelerator()
    half = ~np.isnan(np.fmax(machines.peak("fp16"), machines.peak("bf16")))
    if job.precision == "fp4":
        return ~on_device | np.isnan(machines.peak("fp4"))
    if job.precision == "fp8":
        return ~on_device | ~half
    if job.precision in ("int8", "int4"):  # weights alone: processors unpack them, as llama.cpp does
        return on_device & ~half
    if job.precision == "fp64":
        return np.full(len(machines), True)
    return on_device & ~half & np.isnan(machines.peak("fp32"))


def obstacles(
    job: Job,
    machines: Machines,
    chosen: Configuration,
    device: MemoryColumns,
    host: MemoryColumns,
    disk: Flags,
) -> Ints:
    on_device = machines.has_accelerator()
    found = np.zeros(len(machines), dtype=np.int32)
    found[~disk] = obstacle("disk")
    found[(host.required > machines.memory_gib) | (~on_device & (chosen.most < 1))] = obstacle("memory")
    low = device.required * TRAINING_MEMORY.low > device.usable
    found[on_device & ((chosen.most < 1) | low)] = obstacle("accelerator_memory")
    found[_unsupported(job, machines)] = obstacle("precision")
    found[on_device & ~np.any(machines.peak_tflops > 0, axis=1)] = obstacle("specification")
    return found
