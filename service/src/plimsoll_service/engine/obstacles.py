"""Codes of what stops work on hardware, and of what slows it."""

from __future__ import annotations

LOADING = "weights_loading"  # part of the memory of a host: weights on their way to the devices
# Reasons why a candidate cannot run the work at all; 0 is "it can".
OBSTACLES = ("", "precision", "accelerator_memory", "memory", "network", "disk", "specification", "accelerators")
BOTTLENECKS = (
    "accelerator_compute", "accelerator_memory_bandwidth", "launch_latency", "interconnect", "network",
    "input_pipeline", "cpu_compute", "memory_bandwidth", "disk_throughput", "disk_iops",
)  # fmt: skip


def obstacle(name: str) -> int:
    """The code of an obstacle."""
    return OBSTACLES.index(name)


def bottleneck(name: str) -> int:
    """The code of a bottleneck."""
    return BOTTLENECKS.index(name)
