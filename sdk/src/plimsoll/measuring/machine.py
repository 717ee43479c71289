"""Facts about the machine of a run: devices, processor, memory, versions. It uses no network and imports nothing."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from plimsoll import names
from plimsoll._version import __version__
from plimsoll.measuring import torch_devices

GIB = 2**30
_PROCESSORS = Path("/proc/cpuinfo")
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")
FRAMEWORKS = ("torch", "tensorflow", "jax", "keras", "transformers", "lightning", "accelerate", "deepspeed", "mxnet")


@dataclass(frozen=True)
class Machine:
    """Used part of the machine: ``devices`` of this process's group, of ``processes`` processes."""

    on: dict[str, Any]
    devices: int = 1
    processes: int = 1
    first: bool = True
    versions: dict[str, str] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    wait: Callable[[], None] = lambda: None
    peaks: Callable[[], dict[str, float]] = dict

    @property
    def memory(self) -> dict[str, float]:
        """Peaks of the fullest device's memory, GiB: of the driver, and of the framework."""
        return self.peaks()

    def memory_gib(self) -> float | None:
        """Peak of the fullest device, GiB: the driver's figure, which includes the context, or else the framework's."""
        peaks = self.peaks()
        return peaks.get("driver_gib", peaks.get("reserved_gib"))


def machine_here(modules: Mapping[str, ModuleType] = sys.modules) -> Machine:
    """Return this machine; only frameworks that are already imported are asked."""
    torch = modules.get("torch")
    found = torch_devices.devices_of(torch) if torch is not None else None
    host = host_here()
    unseen = ["the cloud and the instance type: give on={'cloud': …, 'instance_type': …}"]
    if "cpu" not in host:
        unseen.append("the kind of processor")
    if torch is None:
        unseen.append("whether a device had finished: only PyTorch is waited for; read a result in each step")
    group = torch_devices.group_of(torch)
    nodes = {"node_count": group.nodes} if group.nodes > 1 else {}
    versions = versions_of(modules)
    if found is None:
        return Machine(host | nodes, group.processes, group.processes, group.first, versions, unseen)
    each_node = max(found.count, group.local)
    on = names.accelerators(found.name, each_node) | host | nodes
    return Machine(
        on, each_node * group.nodes, group.processes, group.first, versions | found.versions, unseen, found.wait,
        found.peaks,
    )  # fmt: skip


def host_here() -> dict[str, Any]:
    """Return ``on`` of the processor, with the threads and the memory that this process may use."""
    vcpus = min(_allowed(), _quota(_text(_QUOTA)))
    memory = min(_memory(), _limit(_text(_MEMORY_LIMIT)))
    found: dict[str, Any] = names.processor(_processor(_text(_PROCESSORS)))
    found["vcpus"] = int(vcpus) if vcpus == int(vcpus) else vcpus
    if memory < float("inf"):
        found["memory_gib"] = round(memory / GIB, 1)
    return found


def versions_of(modules: Mapping[str, ModuleType]) -> dict[str, str]:
    """Return the versions of Python, of this package, and of the frameworks that are imported."""
    found = {"python": platform.python_version(), "plimsoll": __version__}
    for name in FRAMEWORKS:
        version = getattr(modules.get(name), "__version__", None)
        if version is not None:
            found[name] = str(version)
    return found


def _processor(cpuinfo: str) -> str:
    lines = (line.partition(":") for line in cpuinfo.splitlines())
    return next((value.strip() for name, _, value in lines if name.strip() == "model name"), platform.processor())


def _allowed() -> float:
    return float(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _quota(text: str) -> float:
    """Processors that the container's quota allows (cgroup v2: "quota period", or "max")."""
    quota, _, period = text.strip().partition(" ")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() else float("inf")


def _memory() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def _limit(text: str) -> float:
    return float(text) if text.strip().isdigit() else float("inf")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
