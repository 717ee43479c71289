"""PyTorch's devices in use: names, a wait for them, and peaks of their memory. Torch is never imported here."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

GIB = 2**30


@dataclass(frozen=True)
class Devices:
    """Devices of one kind that hold memory of this process."""

    name: str
    count: int
    wait: Callable[[], None]
    peaks: Callable[[], dict[str, float]]
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """The processes of a distributed run; ``local`` are those of one machine."""

    processes: int = 1
    local: int = 1
    first: bool = True

    @property
    def nodes(self) -> int:
        """Machines of the group."""
        return max(1, self.processes // self.local)


def devices_of(torch: Any) -> Devices | None:
    """Return the devices on which this process has memory; ``None`` if it computes on processors."""
    for kind in ("cuda", "xpu"):
        api = getattr(torch, kind, None)
        if api is None or not api.is_available():
            continue
        used = [place for place in range(api.device_count()) if api.max_memory_allocated(place) > 0]
        if used:
            return Devices(
                str(api.get_device_name(used[0])),
                len(used),
                partial(_wait, api, used),
                partial(_peaks, api, used),
                _runtime(torch),
            )
    return _apple(torch)


def group_of(torch: Any) -> Group:
    """Return the process group of ``torch.distributed``, or a group of one."""
    distributed = getattr(torch, "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return Group()
    processes = int(distributed.get_world_size())
    # Set by torchrun and the launchers that follow it.
    local = os.environ.get("LOCAL_WORLD_SIZE", "")
    return Group(processes, int(local) if local.isdigit() else processes, distributed.get_rank() == 0)


def _wait(api: Any, used: list[int]) -> None:
    for place in used:
        api.synchronize(place)


def _peaks(api: Any, used: list[int]) -> dict[str, float]:
    """Peaks of the fullest device: tensors, the allocator's memory, and the driver's figure (with the context)."""
    found = {
        "allocated_gib": max(api.max_memory_allocated(place) for place in used) / GIB,
        "reserved_gib": max(api.max_memory_reserved(place) for place in used) / GIB,
    }
    ask = getattr(api, "mem_get_info", None)
    if ask is not None:
        free_and_total = [ask(place) for place in used]
        driver = max(total - free for free, total in free_and_total) / GIB
        # The allocator may have given memory back since its peak.
        found["driver_gib"] = max(driver, found["reserved_gib"])
    return found


def _runtime(torch: Any) -> dict[str, str]:
    said = {"cuda": getattr(torch.version, "cuda", None), "hip": getattr(torch.version, "hip", None)}
    return {name: str(version) for name, version in said.items() if version}


def _apple(torch: Any) -> Devices | None:
    api = getattr(torch, "mps", None)
    backend = getattr(getattr(torch, "backends", None), "mps", None)
    if api is None or backend is None or not backend.is_available() or api.current_allocated_memory() <= 0:
        return None
    return Devices(_apple_chip(), 1, api.synchronize, lambda: {"driver_gib": api.driver_allocated_memory() / GIB})


def _apple_chip() -> str:
    """The chip's name, such as "Apple M2 Max", as the system calls it."""
    done = subprocess.run(
        ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "Apple"
