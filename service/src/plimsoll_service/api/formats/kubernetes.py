"""The parts of a pod's specification that place it on the recommended machine."""

from __future__ import annotations

import math
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .facts import machine_type, region_name
from .format import Format
from .yaml_text import nothing, yaml_text

# Extended resource names of the vendors' device plugins, by vendor of the accelerator; each plugin's documentation.
_DEVICE_RESOURCES = {
    "NVIDIA": "nvidia.com/gpu",
    "AMD": "amd.com/gpu",
    "AWS": "aws.amazon.com/neuron",
    "Google": "google.com/tpu",
    "Intel Habana": "habana.ai/gaudi",
}
# What a node keeps for itself, as (up to this size, share); source: GKE, "Node sizing: resource reservations".
_RESERVED_CPU = ((1.0, 0.06), (2.0, 0.01), (4.0, 0.005), (math.inf, 0.0025))
_RESERVED_MEMORY_GIB = ((4.0, 0.25), (8.0, 0.20), (16.0, 0.10), (128.0, 0.06), (math.inf, 0.02))
_EVICTION_GIB = 0.1
_MILLI = 1000
_MIB_PER_GIB = 1024


def _placement(answer: Answer, catalog: Catalog) -> str:
    if not answer.recommendations:
        return nothing(answer)
    first = answer.recommendations[0]
    device = _device(first, catalog)
    requests = _requests(first)
    tolerations = [{"key": name, "operator": "Exists", "effect": "NoSchedule"} for name in device]
    return yaml_text(
        {
            "nodeSelector": _selector(first),
            "resources": {"requests": requests | device, "limits": device},
            "tolerations": tolerations,
        }
    )


def _selector(first: Recommendation) -> dict[str, str]:
    region = region_name(first)
    machine = {"node.kubernetes.io/instance-type": machine_type(first)}
    return machine | ({"topology.kubernetes.io/region": region} if region else {})


def _device(first: Recommendation, catalog: Catalog) -> dict[str, int]:
    """The devices to ask for; a share of one counts as one, as its plugin has it."""
    accelerator = first.accelerator
    if accelerator is None or accelerator.name not in catalog.accelerators.name:
        return {}
    vendor = catalog.accelerators.vendor[catalog.accelerators.name.index(accelerator.name)]
    resource = _DEVICE_RESOURCES.get(vendor)
    return {resource: math.ceil(accelerator.count)} if resource else {}


def _requests(first: Recommendation) -> dict[str, Any]:
    """What the workload requires, but no more than a node of this size can give."""
    vcpus, memory = first.sizing.vcpus, first.sizing.memory_gib
    cpu = min(vcpus.required, vcpus.provided - _reserved(vcpus.provided, _RESERVED_CPU))
    gib = min(memory.required, memory.provided - _reserved(memory.provided, _RESERVED_MEMORY_GIB) - _EVICTION_GIB)
    return {"cpu": f"{math.floor(cpu * _MILLI)}m", "memory": f"{math.floor(max(gib, 0.0) * _MIB_PER_GIB)}Mi"}


def _reserved(size: float, steps: tuple[tuple[float, float], ...]) -> float:
    reserved, below = 0.0, 0.0
    for top, share in steps:
        reserved += max(min(size, top) - below, 0.0) * share
        below = top
    return reserved


RECOMMENDATIONS = Format("kubernetes", "application/vnd.plimsoll.kubernetes+yaml", _placement)
