"""A Kueue flavour of the machine, and the Kubernetes object that waits for it in a queue.

Source: Kueue, "Resource Flavor" and "Run A Kubernetes Job" (kueue.x-k8s.io/v1beta2).
"""

from __future__ import annotations

from typing import Any

from .kubernetes import CONSUMER, node_labels, notes, workload
from .launch import Launch
from .yaml_text import yaml_format

_NAME = "plimsoll"
_QUEUE = "kueue.x-k8s.io/queue-name"
_NOTE = (
    f"the cluster needs Kueue, a LocalQueue {_NAME}, and quotas of the flavor {_NAME} in its ClusterQueue for what the "
    "pods request; pods are admitted with no other flavor, since their node selector is that of this one"
)


def _objects(launch: Launch) -> tuple[dict[str, Any], ...]:
    queued = workload(launch)
    queued["metadata"]["labels"] = {_QUEUE: _NAME}
    if queued["kind"] == "Job":
        queued["spec"] = {"suspend": True} | queued["spec"]  # until it is admitted
    return _flavor(launch), queued


def _flavor(launch: Launch) -> dict[str, Any]:
    labels = node_labels(launch.one)
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ResourceFlavor",
        "metadata": {"name": _NAME},
        "spec": {"nodeLabels": labels} if labels else {},
    }


KUEUE = yaml_format("kueue", CONSUMER, _objects, lambda launch: (_NOTE, *notes(launch)))
