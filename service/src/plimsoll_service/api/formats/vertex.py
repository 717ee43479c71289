"""A Vertex AI custom job (``CustomJobSpec``), or a model with the machines of its endpoint for a service."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .. import data_files
from .commands import HEALTH, OWN_IMAGE, PORT, command, image, off_an_endpoint
from .format import Consumer
from .launch import Launch
from .machines import Machine, machine_type, tpu_machine
from .yaml_text import requests_format

_MACHINES: dict[str, Any] = data_files.table("formats/vertex_machines.yaml")
_LARGEST_N2 = 80  # vCPUs; Compute Engine has larger ones
_LARGEST_WITH_P100 = 32  # vCPUs; four of these GPUs allow 208 GB of memory, less than n1-standard-64 has
_LOCAL_SSD_CHOICE = "-nolssd"  # a variant in Compute Engine that Vertex AI has no name for
# Families with TPUs; the first TPUs have no machine type in Vertex AI.
_TPU_FAMILIES = ("ct5lp-hightpu", "ct6e-standard", "tpu7x-standard")
_FIRST_TPUS = {"v2-8": "TPU_V2", "v3-8": "TPU_V3"}
_CORES_OF_FIRST_TPUS = 8  # two per chip, as on the same page


def _launches(machine: Machine) -> bool:
    """Whether Vertex AI trains on the machine."""
    if _tpu(machine):
        return True
    if machine.attached:
        return _large_enough(machine) and _provided_for(machine)
    if machine.family in _MACHINES["gpus"]:
        return machine.whole and not machine.instance_type.endswith(_LOCAL_SSD_CHOICE)
    return machine.accelerator is None and _large_enough(machine)


def _machine_spec(machine: Machine) -> dict[str, Any]:
    """The MachineSpec of the machine."""
    tpu = _tpu(machine)
    if tpu:
        return tpu
    spec: dict[str, Any] = {"machineType": machine_type(machine.instance_type)}
    name = _gpu(machine)
    return spec | ({"acceleratorType": name, "acceleratorCount": int(machine.count)} if name else {})


def _tpu(machine: Machine) -> dict[str, Any]:
    name = machine.instance_type
    if name in _FIRST_TPUS:
        count = _CORES_OF_FIRST_TPUS
        return {"machineType": "cloud-tpu", "acceleratorType": _FIRST_TPUS[name], "acceleratorCount": count}
    host = tpu_machine(machine.cloud, name)
    if host is None or host.machine_type.rpartition("-")[0] not in _TPU_FAMILIES:
        return {}
    return {"machineType": host.machine_type, "tpuTopology": host.topology}


def _gpu(machine: Machine) -> str | None:
    if machine.attached:
        return str(_MACHINES["attached"][machine.accelerator][0])
    name: str | None = _MACHINES["gpus"].get(machine.family)
    return name


def _large_enough(machine: Machine) -> bool:
    least = _MACHINES["processors"].get(machine.family or "")
    size = _vcpus(machine)
    most = _LARGEST_N2 if (machine.family or "").startswith("n2-") else math.inf
    return least is not None and size is not None and least <= size <= most


def _provided_for(machine: Machine) -> bool:
    """Whether it has enough GPUs for its processors."""
    if machine.accelerator not in _MACHINES["attached"]:
        return False
    size, each = _vcpus(machine) or 0, _MACHINES["attached"][machine.accelerator][1]
    return size <= each * machine.count and (machine.accelerator != "P100" or size <= _LARGEST_WITH_P100)


def _vcpus(machine: Machine) -> int | None:
    """The number of vCPUs, from the name."""
    size = machine_type(machine.instance_type).rpartition("-")[2]
    return int(size) if size.isdecimal() else None


# Source: Vertex AI's DiskSpec. Its images need 100 GB, the default; 64,000 GB is the limit.
_LEAST_GB, _MOST_GB = 100, 64_000
_DISK_TYPES = {"hdd": "pd-standard"}
_DEFAULT_DISK_TYPE = "pd-ssd"
_HYPERDISK = "hyperdisk-balanced"
_NAME = "plimsoll"
# Each machine's place among them; source: Vertex AI, "Understand the CLUSTER_SPEC environment variable".
_CLUSTER = "import json,os;c=json.loads(os.environ['CLUSTER_SPEC']);"
_RANK = "t=c['task'];print(t['index']+(t['type']!='workerpool0'))"
_MASTER = "print(c['cluster']['workerpool0'][0].split(':')[0])"
_PLACE = f'export NODE_RANK=$(python3 -c "{_CLUSTER}{_RANK}") MASTER_ADDR=$(python3 -c "{_CLUSTER}{_MASTER}"); '
_SHELL = ["/bin/sh", "-c"]


def _against(launch: Launch) -> str | None:
    if not launch.service and launch.one.node_count > 1 and tpu_machine(launch.one.cloud, launch.one.instance_type):
        return "Vertex AI makes one slice of several hosts with TPUs"
    return off_an_endpoint(launch, "Vertex AI", spot=True)


CONSUMER = Consumer("Vertex AI", ("gcp",), _launches, against=_against)


def _requests(launch: Launch, told: tuple[str, ...]) -> dict[str, Any]:
    said = launch.environment() | {"PLIMSOLL": "; ".join(told)}
    environment = [{"name": name, "value": value} for name, value in said.items()]
    return (_endpoint if launch.service else _job)(launch, environment)


def _notes(launch: Launch) -> Iterator[str]:
    if launch.service and launch.disk_gib > _LEAST_GB:
        yield f"an endpoint's boot disk has {_LEAST_GB} GB: read the weights from Cloud Storage"


def _job(launch: Launch, environment: list[dict[str, str]]) -> dict[str, Any]:
    """A CustomJobSpec; the first pool is the only primary replica, the others are workers."""
    nodes = launch.one.node_count
    run = (_PLACE if launch.span > 1 else "") + command(launch)
    container = {"imageUri": OWN_IMAGE, "command": _SHELL, "args": [run], "env": environment}
    pool = {"machineSpec": _machine_spec(launch.machine), "diskSpec": _disk(launch), "containerSpec": container}
    counts = (1, nodes - 1) if nodes > 1 else (1,)
    spec: dict[str, Any] = {"workerPoolSpecs": [{**pool, "replicaCount": count} for count in counts]}
    return spec | ({"scheduling": {"strategy": "SPOT"}} if launch.spot else {})


def _endpoint(launch: Launch, environment: list[dict[str, str]]) -> dict[str, Any]:
    """The requests ``UploadModelRequest`` and ``DeployModelRequest``, without parent, endpoint and model."""
    container = {
        "imageUri": image(launch),
        "command": _SHELL,
        "args": [command(launch)],
        "env": environment,
        "ports": [{"containerPort": PORT}],
        "healthRoute": HEALTH,
        "predictRoute": "/v1/chat/completions",
    }
    resources = {
        "machineSpec": _machine_spec(launch.machine),
        "minReplicaCount": launch.units,
        "maxReplicaCount": launch.units,
        "spot": launch.spot,
    }
    return {
        "uploadModel": {"model": {"displayName": _NAME, "containerSpec": container}},
        "deployModel": {"deployedModel": {"displayName": _NAME, "dedicatedResources": resources}},
    }


def _disk(launch: Launch) -> dict[str, Any]:
    """The boot disk, which holds the data too: custom jobs mount no other disk."""
    size = max(launch.disk_gib, launch.volume_gib)
    kind = _DISK_TYPES.get(launch.one.sizing.disk.type, _DEFAULT_DISK_TYPE)
    return {
        "bootDiskType": _HYPERDISK if launch.machine.family in _MACHINES["hyperdisk"] else kind,
        "bootDiskSizeGb": min(max(size, _LEAST_GB), _MOST_GB),
    }


VERTEX = requests_format("vertex", CONSUMER, _requests, _notes)
