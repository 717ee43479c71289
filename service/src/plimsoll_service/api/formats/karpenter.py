"""A Karpenter NodePool with exactly the recommended machines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...engine.answer import Recommendation
from . import support
from .format import Consumer
from .kubernetes import devices
from .launch import Launch
from .machines import SPOT, Machine, region_name
from .yaml_text import yaml_format

# Group and kind of each provider's node class, which holds facts of the cluster (image, network, disk). Sources:
# karpenter.sh; learn.microsoft.com, AKS node auto provisioning; cloudpilot-ai/karpenter-provider-gcp, -alibabacloud.
_NODE_CLASSES = {
    "aws": ("karpenter.k8s.aws", "EC2NodeClass"),
    "azure": ("karpenter.azure.com", "AKSNodeClass"),
    "gcp": ("karpenter.k8s.gcp", "GCENodeClass"),
    "alibaba": ("karpenter.k8s.alibabacloud", "ECSNodeClass"),
}
_NODE_CLASS_NAME = "default"  # the name in the providers' guides
_ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}
_MOST_NAME = 63  # characters of a label; the name of the pool becomes one
# By default Karpenter moves running jobs to cheaper nodes.
_DISRUPTION = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m"}


def _launches(machine: Machine) -> bool:
    return machine.whole and not machine.attached and not machine.tpu_slice and _listed(machine)


def _listed(machine: Machine) -> bool:
    """Whether the provider has machines with such accelerators; lists are of machines with accelerators alone."""
    listed = support.words("karpenter", machine.cloud, "instance_type")
    return machine.accelerator is None or not listed or machine.instance_type.partition("-")[0] in listed


CONSUMER = Consumer("Karpenter", tuple(_NODE_CLASSES), _launches)


def _node_pool(launch: Launch) -> dict[str, Any]:
    first, machine = launch.one, launch.machine
    group, kind = _NODE_CLASSES[first.cloud]
    spec = {
        "nodeClassRef": {"group": group, "kind": kind, "name": _NODE_CLASS_NAME},
        "requirements": _requirements(first, machine),
        # The format `kubernetes` tolerates the same keys.
        "taints": [{"key": name, "value": "true", "effect": "NoSchedule"} for name in devices(machine)],
    }
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": _name(first)},
        "spec": {"template": {"spec": spec}, "disruption": _DISRUPTION, "limits": _limits(first, machine)},
    }


def _notes(launch: Launch) -> Iterator[str]:
    kind = _NODE_CLASSES[launch.one.cloud][1]
    yield "the format kubernetes is what runs on these nodes"
    if launch.local_disk and launch.one.cloud == "aws":
        yield f"the {kind} {_NODE_CLASS_NAME} needs instanceStorePolicy: RAID0"
        yield f"and a root volume of {launch.volume_gib} GiB"
    elif launch.local_disk:
        yield f"the {kind} {_NODE_CLASS_NAME} is to use the local disks for ephemeral storage"
    else:
        yield f"the {kind} {_NODE_CLASS_NAME} needs a root volume of {launch.volume_gib} GiB"
    if launch.span > 1 and launch.one.cloud == "aws":
        yield f"the {kind} {_NODE_CLASS_NAME} needs EFA interfaces and a placement group, where the machine has EFA"


def _name(first: Recommendation) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", f"plimsoll-{first.instance_type}".lower())
    return plain[:_MOST_NAME].strip("-")


def _requirements(first: Recommendation, machine: Machine) -> list[dict[str, Any]]:
    others = [
        one.instance_type
        for one in first.alternatives
        if (one.node_count, one.purchase, one.region) == (first.node_count, first.purchase, first.region)
        and _launches(replace(machine, instance_type=one.instance_type))
    ]
    wanted = {
        "karpenter.sh/capacity-type": "spot" if first.purchase == SPOT else "on-demand",
        "kubernetes.io/arch": _ARCHITECTURES.get(machine.architecture or ""),
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/region": region_name(first),
    }
    alone = [{"key": name, "operator": "In", "values": [value]} for name, value in wanted.items() if value]
    types = [first.instance_type, *others]
    return [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": types}, *alone]


def _limits(first: Recommendation, machine: Machine) -> dict[str, str]:
    """The capacity of all machines together, which Karpenter does not exceed."""
    nodes, sizing = first.node_count, first.sizing
    return {
        "cpu": str(math.ceil(sizing.vcpus.provided * nodes)),
        "memory": f"{math.ceil(sizing.memory_gib.provided * nodes)}Gi",
        **{name: str(count * nodes) for name, count in devices(machine).items()},
    }


KARPENTER = yaml_format("karpenter", CONSUMER, _node_pool, _notes)
