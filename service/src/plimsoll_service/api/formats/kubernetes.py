"""The parts of a pod's specification that place it on the recommended machine."""

from __future__ import annotations

import math
import re
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .format import Format
from .machines import SPOT, Machine, machine_of, recommended_type, region_name
from .tpu_machines import tpu_machine
from .yaml_text import nothing, yaml_text

# Resource names by vendor of the accelerator; source: each device plugin's documentation.
_RESOURCES = {
    "NVIDIA": "nvidia.com/gpu",
    "AMD": "amd.com/gpu",
    "AWS": "aws.amazon.com/neuron",
    "Google": "google.com/tpu",
    "Intel Habana": "habana.ai/gaudi",
}


def devices(machine: Machine) -> dict[str, int]:
    """The devices of one machine by resource name; a share of a device counts as one, as in its plugin."""
    resource = _RESOURCES.get(machine.vendor or "")
    return {resource: math.ceil(machine.count)} if resource else {}


# How each managed Kubernetes marks its spot nodes; sources: EKS "Managed node groups", GKE "Spot VMs", AKS "Add a spot
# node pool", whose nodes also carry the label as a taint.
_SPOT = {
    "aws": {"eks.amazonaws.com/capacityType": "SPOT"},
    "gcp": {"cloud.google.com/gke-spot": "true"},
    "azure": {"kubernetes.azure.com/scalesetpriority": "spot"},
}
_TAINTED_SPOT = "azure"
_LABEL_VALUE = re.compile(
    r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
)  # source: Kubernetes, "Labels and Selectors"
# Resources that a node reserves, as (up to this size, share); source: GKE, "Node sizing: resource reservations".
_RESERVED_CPU = ((1.0, 0.06), (2.0, 0.01), (4.0, 0.005), (math.inf, 0.0025))
_RESERVED_MEMORY_GIB = ((4.0, 0.25), (8.0, 0.20), (16.0, 0.10), (128.0, 0.06), (math.inf, 0.02))
_EVICTION_GIB = 0.1
_MILLI = 1000
_MIB_PER_GIB = 1024


def _placement(answer: Answer, catalog: Catalog) -> str:
    if not answer.recommendations:
        return nothing(answer)
    first = answer.recommendations[0]
    device = devices(machine_of(first, catalog))
    return yaml_text(
        {
            "nodeSelector": _selector(first),
            "resources": {"requests": _requests(first) | device, "limits": device},
            "tolerations": [{"key": name, "operator": "Exists", "effect": "NoSchedule"} for name in device]
            + _spot_tolerations(first),
        }
    )


def _selector(first: Recommendation) -> dict[str, str]:
    tpu = tpu_machine(first.cloud, first.instance_type)
    labels = {
        "node.kubernetes.io/instance-type": tpu.machine_type if tpu else recommended_type(first),
        "topology.kubernetes.io/region": region_name(first) or "",
    }
    if tpu:
        # GKE refuses a pod with TPUs that lacks one of these labels.
        labels |= {"cloud.google.com/gke-tpu-accelerator": tpu.label, "cloud.google.com/gke-tpu-topology": tpu.topology}
    # The name of an operator's own machine may not be a valid label.
    return {name: value for name, value in labels.items() if _LABEL_VALUE.fullmatch(value)} | _spot_labels(first)


def _spot_labels(first: Recommendation) -> dict[str, str]:
    return _SPOT.get(first.cloud, {}) if first.purchase == SPOT else {}


def _spot_tolerations(first: Recommendation) -> list[dict[str, str]]:
    if first.cloud != _TAINTED_SPOT:
        return []
    return [
        {"key": name, "operator": "Equal", "value": value, "effect": "NoSchedule"}
        for name, value in _spot_labels(first).items()
    ]


def _requests(first: Recommendation) -> dict[str, Any]:
    """The requirements of the workload, limited to the allocatable part of a node of this size."""
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


KUBERNETES = Format("kubernetes", "application/vnd.plimsoll.kubernetes+yaml", _placement)
