"""A Karpenter NodePool with exactly the recommended machines."""

from __future__ import annotations

import math
import re
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .format import Consumer, Format
from .kubernetes import devices
from .machines import SPOT, Machine, machine_of, region_name
from .yaml_text import nothing, yaml_text

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
    return machine.whole and not machine.attached and not machine.tpu_slice


CONSUMER = Consumer(tuple(_NODE_CLASSES), _launches)


def _node_pool(answer: Answer, catalog: Catalog) -> str:
    first = CONSUMER.first(answer, catalog)
    if first is None:
        return nothing(answer)
    machine = machine_of(first, catalog)
    group, kind = _NODE_CLASSES[first.cloud]
    spec = {
        "nodeClassRef": {"group": group, "kind": kind, "name": _NODE_CLASS_NAME},
        "requirements": _requirements(first, machine),
        # The format `kubernetes` tolerates the same keys.
        "taints": [{"key": name, "value": "true", "effect": "NoSchedule"} for name in devices(machine)],
    }
    return yaml_text(
        {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "metadata": {"name": _name(first)},
            "spec": {"template": {"spec": spec}, "disruption": _DISRUPTION, "limits": _limits(first, machine)},
        }
    )


def _name(first: Recommendation) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", f"plimsoll-{first.instance_type}".lower())
    return plain[:_MOST_NAME].strip("-")


def _requirements(first: Recommendation, machine: Machine) -> list[dict[str, Any]]:
    wanted = {
        "node.kubernetes.io/instance-type": first.instance_type,
        "karpenter.sh/capacity-type": "spot" if first.purchase == SPOT else "on-demand",
        "kubernetes.io/arch": _ARCHITECTURES.get(machine.architecture or ""),
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/region": region_name(first),
    }
    return [{"key": name, "operator": "In", "values": [value]} for name, value in wanted.items() if value]


def _limits(first: Recommendation, machine: Machine) -> dict[str, str]:
    """The capacity of all machines together, which Karpenter does not exceed."""
    nodes, sizing = first.node_count, first.sizing
    return {
        "cpu": str(math.ceil(sizing.vcpus.provided * nodes)),
        "memory": f"{math.ceil(sizing.memory_gib.provided * nodes)}Gi",
        **{name: str(count * nodes) for name, count in devices(machine).items()},
    }


KARPENTER = Format("karpenter", "application/vnd.plimsoll.karpenter+yaml", _node_pool, CONSUMER)
