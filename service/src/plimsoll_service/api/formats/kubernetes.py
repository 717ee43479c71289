"""A Kubernetes manifest: a Deployment, a LeaderWorkerSet where a replica is several machines, or a Job."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ...engine.answer import Recommendation
from . import support
from .commands import HEALTH, PORT, command, image
from .format import Consumer
from .launch import DATA, Launch
from .machines import OWN, SPOT, Machine, recommended_type, region_name, tpu_machine
from .yaml_text import of_the_user, yaml_format

_TOOL = "kubernetes"
_NAME = "plimsoll"
_LABELS = {"app": _NAME}
_RETRIES_OF_SPOT = 20  # pods that are started anew after interruptions
_PROBE_SECONDS = 10
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 (of the pod)
_LEAST_TRIES = 30
# Source: Kubernetes, "Indexed Job with pod-to-pod communication".
_IN_A_JOB = f"export NODE_RANK=$JOB_COMPLETION_INDEX MASTER_ADDR={_NAME}-0.{_NAME}; "
# Source: LeaderWorkerSet, labels and environment variables.
_IN_A_SET = "export NODE_RANK=$LWS_WORKER_INDEX MASTER_ADDR=$LWS_LEADER_ADDRESS; "

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


def _against(launch: Launch) -> str | None:
    cloud = launch.one.cloud
    if cloud != OWN and not support.able(_TOOL, cloud, "node_pool"):
        return f"{cloud} has no managed Kubernetes"
    return None


CONSUMER = Consumer("Kubernetes", (*support.clouds(_TOOL, "node_pool"), OWN), against=_against)


def workload(launch: Launch) -> dict[str, Any]:
    """The object that runs the pods."""
    kind = _replicated if launch.service and launch.span > 1 else _deployment if launch.service else _job
    return kind(launch)


def notes(launch: Launch) -> Iterator[str]:
    """Additions that the cluster and the user have to make."""
    where = "local disks" if launch.local_disk else "root volume"
    yield f"each node's ephemeral storage: {launch.disk_gib} GiB on its {where}"
    if launch.service:
        yield f"reach it with: kubectl expose {'lws' if launch.span > 1 else 'deployment'} {_NAME} --port {PORT}"
    elif launch.span > 1:
        yield f"first: kubectl create service clusterip {_NAME} --clusterip=None (the pods find each other by it)"
    if launch.span > 1 and launch.one.cloud == "aws":
        yield "machines with EFA: add vpc.amazonaws.com/efa to the limits, as many as each has"
    if launch.service and launch.span > 1:
        yield "the cluster needs LeaderWorkerSet: a replica is several machines"
    yield from of_the_user(launch, image(launch))


def _deployment(launch: Launch) -> dict[str, Any]:
    """A service: one pod for each replica of the model, or for each machine."""
    serving = launch.one.estimate.serving
    replicas = serving.replicas if serving and launch.split else launch.units
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": _NAME},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": _LABELS},
            "template": _template(launch, launch.copies, ""),
        },
    }


def _replicated(launch: Launch) -> dict[str, Any]:
    """A service of which each replica is several machines; the first of them answers."""
    leader, worker = (_template(launch, 1, _IN_A_SET) for _ in range(2))
    for unheard in ("ports", "startupProbe"):
        del worker["spec"]["containers"][0][unheard]
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": _NAME},
        "spec": {
            "replicas": launch.units,
            "leaderWorkerTemplate": {
                "size": launch.span,
                "leaderTemplate": leader,
                "workerTemplate": worker,
            },
        },
    }


def _job(launch: Launch) -> dict[str, Any]:
    """A job on one machine, or an indexed one with a pod for each machine."""
    nodes = launch.one.node_count
    several = {"completions": nodes, "parallelism": nodes, "completionMode": "Indexed"} if nodes > 1 else {}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": _NAME},
        "spec": {
            **several,
            "backoffLimit": _RETRIES_OF_SPOT if launch.spot else 0,
            "template": _template(launch, 1, _IN_A_JOB if launch.span > 1 else ""),
        },
    }


def _template(launch: Launch, copies: int, place: str) -> dict[str, Any]:
    """A pod of one machine, or of one of its replicas."""
    used = {name: max(launch.devices // copies, 1) for name in devices(launch.machine)}
    container = {
        "name": "main",
        "image": image(launch),
        "command": ["/bin/sh", "-c", place + command(launch, launch.copies if copies == 1 else 1)],
        "env": [{"name": name, "value": value} for name, value in launch.environment().items()],
        "resources": {"requests": _requests(launch, copies) | used, "limits": used},
        "volumeMounts": [{"name": "data", "mountPath": DATA}, {"name": "shm", "mountPath": _SHARED_MEMORY}],
    }
    if launch.service:
        container["ports"] = [{"containerPort": PORT}]
        container["startupProbe"] = _probe(launch)
    spec = {
        **({} if launch.service else {"restartPolicy": "Never"}),
        **({"subdomain": _NAME} if place == _IN_A_JOB else {}),
        "nodeSelector": node_labels(launch.one),
        "tolerations": [{"key": name, "operator": "Exists", "effect": "NoSchedule"} for name in used]
        + _spot_tolerations(launch.one),
        "containers": [container],
        "volumes": [{"name": "data", "emptyDir": {}}, {"name": "shm", "emptyDir": {"medium": "Memory"}}],
    }
    return {"metadata": {"labels": _LABELS}, "spec": spec}


def _probe(launch: Launch) -> dict[str, Any]:
    serving = launch.one.estimate.serving
    start = (serving.cold_start_seconds if serving else None) or 0.0
    # Twice the estimated start: the weights may come slower than estimated.
    tries = max(math.ceil(2 * start / _PROBE_SECONDS), _LEAST_TRIES)
    return {
        "httpGet": {"path": HEALTH, "port": PORT},
        "periodSeconds": _PROBE_SECONDS,
        "failureThreshold": tries,
    }


def node_labels(first: Recommendation) -> dict[str, str]:
    """Labels of the nodes of this machine."""
    if first.cloud == OWN:
        return {}  # its nodes have no label that names the machine
    tpu = tpu_machine(first.cloud, first.instance_type)
    labels = {
        "node.kubernetes.io/instance-type": tpu.machine_type if tpu else recommended_type(first),
        "topology.kubernetes.io/region": region_name(first) or "",
    }
    if tpu:
        # GKE refuses a pod with TPUs that lacks one of these labels.
        labels |= {"cloud.google.com/gke-tpu-accelerator": tpu.label, "cloud.google.com/gke-tpu-topology": tpu.topology}
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


def _requests(launch: Launch, copies: int) -> dict[str, Any]:
    """Resources that the estimate uses, at most the allocatable part of such a node; the share of one of ``copies``."""
    vcpus, memory = launch.one.sizing.vcpus, launch.one.sizing.memory_gib
    cpu = min(vcpus.required, vcpus.provided - _reserved(vcpus.provided, _RESERVED_CPU))
    gib = min(memory.required, memory.provided - _reserved(memory.provided, _RESERVED_MEMORY_GIB) - _EVICTION_GIB)
    return {
        "cpu": f"{math.floor(cpu * _MILLI / copies)}m",
        "memory": f"{math.floor(max(gib, 0.0) * _MIB_PER_GIB / copies)}Mi",
        "ephemeral-storage": f"{max(launch.disk_gib // copies, 1)}Gi",
    }


def _reserved(size: float, steps: tuple[tuple[float, float], ...]) -> float:
    reserved, below = 0.0, 0.0
    for top, share in steps:
        reserved += max(min(size, top) - below, 0.0) * share
        below = top
    return reserved


KUBERNETES = yaml_format("kubernetes", CONSUMER, workload, notes)
