"""Whether a served model fits: memory of devices and host, and precisions that a machine lacks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import recommended_share
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import Bars, bars_of
from plimsoll_service.engine.estimate.outcome import MemoryColumns, obstacle
from plimsoll_service.engine.estimate.serving_load import Configuration
from plimsoll_service.engine.estimate.serving_model import Served, kv_gib_per_sequence
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GB, GIB

ROUNDING = 1 - 1e-9  # keeps the sum of what fits exactly from exceeding it in the last digit


@dataclass(frozen=True, eq=False)
class DeviceRoom:
    """GiB on each device of a replica: what does not change with the load, one request's cache, and room for caches."""

    weights: Floats
    overhead: Floats
    request: Floats
    room: Floats
    usable: Floats

    def at(self, chosen: Configuration, load: Floats) -> MemoryColumns:
        """The need at that load. The cache is given what is left: requests that are not at full length share it."""
        cache = self.request * np.maximum(load, 1.0)
        cache = np.where(load <= chosen.most, np.fmin(cache, self.room), cache)
        parts = {"weights": self.weights, "kv_cache": cache, "framework": self.overhead}
        return MemoryColumns(self.weights + cache + self.overhead, self.usable, parts)


def device_room(job: Job, model: Served, machines: Machines, chosen: Configuration) -> DeviceRoom:
    """What there is and what is needed on each device of a replica; NaN on machines without one.

    A server reserves as much of the device as it is told to: 0.9 in vLLM unless said, which is also the margin of a
    recommendation; more only where not even one request finds room in that.
    """
    on_device, fit = machines.has_accelerator(), model.fit.device
    weights = np.where(on_device, model.total_bytes / GIB / chosen.held, np.nan)
    overhead = np.where(on_device, fit.overhead_gb * GB / GIB, np.nan)
    usable = machines.device_memory_gib * fit.memory_share
    request = kv_gib_per_sequence(model) / np.where(on_device, chosen.held, np.nan)
    least, reserved = weights + overhead + request, machines.device_memory_gib * recommended_share(job)
    return DeviceRoom(
        weights=weights,
        overhead=overhead,
        request=request,
        room=(np.minimum(np.maximum(least, reserved), usable) - weights - overhead) * ROUNDING,
        usable=usable,
    )


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


def serving_bars(job: Job, machines: Machines, chosen: Configuration, host: MemoryColumns) -> Bars:
    """What keeps each machine from serving the model whatever the load."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    weak[(host.required > machines.memory_gib) | (~on_device & (chosen.most < 1))] = obstacle("memory")
    weak[on_device & (chosen.most < 1)] = obstacle("accelerator_memory")
    strong[_unsupported(job, machines)] = obstacle("precision")
    strong[on_device & ~machines.rated] = obstacle("specification")
    return bars_of(weak, strong)


def too_large(on_device: Flags, device: MemoryColumns) -> Flags:
    """Where not even the low end of the need is there."""
    large: Flags = on_device & (device.required * TRAINING_MEMORY.low > device.usable)
    return large


def obstacles(known: Bars, large: Flags, disk: Disk) -> Ints:
    """What keeps each machine from serving at that load; a disk only where nothing else does."""
    found = known.weak
    if disk.fits is not None:
        found = np.where(disk.fits.take(disk.of) | (found > 0), found, np.int32(obstacle("disk")))
    found = np.where(large, np.int32(obstacle("accelerator_memory")), found)
    found[known.barred] = known.strong
    return found
