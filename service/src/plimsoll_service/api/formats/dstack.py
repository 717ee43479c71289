"""A dstack task, or a service, on exactly the recommended machine."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...engine.answer import Recommendation
from . import support
from .commands import OWN_IMAGE, PORT, command, image, on_several_ports
from .format import Consumer
from .launch import DATA, Launch
from .machines import FLEXIBLE, NO_REGION, Machine, machine_type, region_name
from .yaml_text import of_the_user, yaml_format

# dstack's names of accelerator vendors; source: dstack.ai, reference/dstack.yml/task.
_VENDORS = {"NVIDIA": "nvidia", "AMD": "amd", "Google": "google", "Intel Habana": "intel"}
_TPU_VENDOR = "google"
_ARCHITECTURES = {"x86_64": "x86", "arm64": "arm"}


_TOOL = "dstack"
_PLACE = "export NODE_RANK=$DSTACK_NODE_RANK MASTER_ADDR=$DSTACK_MASTER_NODE_IP"
_ANY_SIZE = 1_000_000  # GB; more than any volume has


def _launches(machine: Machine) -> bool:
    known = machine.vendor is None or machine.vendor in _VENDORS
    as_offered = machine.tpu_slice == (_VENDORS.get(machine.vendor or "") == _TPU_VENDOR)
    return known and as_offered and machine.whole and FLEXIBLE not in machine.instance_type and _listed(machine)


def _listed(machine: Machine) -> bool:
    """Whether dstack takes machines of this name, or on Google Cloud any with such a GPU."""
    patterns = support.words(_TOOL, machine.cloud, "instance_type")
    unknown = support.words(_TOOL, machine.cloud, "no_accelerator")
    with_gpu = bool(unknown and machine.accelerator) and machine.accelerator not in unknown
    return not patterns or with_gpu or any(re.match(pattern, machine.instance_type) for pattern in patterns)


def _against(launch: Launch) -> str | None:
    cloud = launch.one.cloud
    if launch.service and launch.span > 1:
        return "a replica of dstack is one machine"
    if not launch.service and launch.one.node_count > 1 and not support.able(_TOOL, cloud, "multi_node"):
        return f"dstack has no several machines on {cloud}"
    if launch.spot and not support.able(_TOOL, cloud, "spot"):
        return f"dstack has no spot on {cloud}"
    if _disk_gb(launch) > support.number(_TOOL, cloud, "most_disk_gb", _ANY_SIZE):
        return f"dstack has no volume of this size on {cloud}"
    return on_several_ports(launch)


# Clouds of the catalog that are backends of dstack 0.22 and use the same names of machines.
CONSUMER = Consumer("dstack", ("aws", "azure", "gcp", "lambda", "nebius", "oci", "verda"), _launches, against=_against)


def _run(launch: Launch) -> dict[str, Any]:
    first, machine = launch.one, launch.machine
    kind = (
        {"type": "service", "port": PORT, "replicas": launch.units}
        if launch.service
        else {"type": "task", "nodes": first.node_count}
    )
    regions = _regions(launch)
    own = {} if image(launch) == OWN_IMAGE else {"image": image(launch)}
    return {
        **kind,
        **own,
        "env": [f"{name}={value}" for name, value in launch.environment().items()],
        "commands": [f"mkdir -p {DATA}", *([_PLACE] if launch.span > 1 else []), command(launch)],
        "backends": [first.cloud],
        **({"regions": regions} if regions else {}),
        "instance_types": [_instance_type(machine), *_others(first, machine)],
        "spot_policy": "spot" if launch.spot else "on-demand",
        "resources": _resources(launch, machine),
    }


def _notes(launch: Launch) -> Iterator[str]:
    if launch.local_disk:
        yield "dstack does not mount local NVMe: the disk is a root volume of the same size, which may be slower"
    yield from of_the_user(launch)


def _regions(launch: Launch) -> list[str]:
    """The region, and others of the same cloud unless the data are in this one."""
    first = region_name(launch.one)
    if first is None:
        return []
    if "region" in str(launch.workload.get("dataset", "")):
        return [first]
    return [first, *(each.region for each in launch.one.other_regions if each.region not in NO_REGION)]


def _others(first: Recommendation, machine: Machine) -> list[str]:
    """Other machines with the same hardware, as many and bought in the same way."""
    if machine.tpu_slice or machine.attached:
        return []
    return [
        _instance_type(replace(machine, instance_type=one.instance_type))
        for one in first.alternatives
        if (one.node_count, one.purchase) == (first.node_count, first.purchase)
        and _launches(replace(machine, instance_type=one.instance_type))
    ]


def _disk_gb(launch: Launch) -> int:
    least = support.number(_TOOL, launch.one.cloud, "least_disk_gb", 1)
    return max(launch.disk_gib, launch.volume_gib, least)


def _instance_type(machine: Machine) -> str:
    name = machine_type(machine.instance_type)
    # The catalog joins Nebius' platform and preset with an underscore.
    return name.replace("_", " ") if machine.cloud == "nebius" else name


def _resources(launch: Launch, machine: Machine) -> dict[str, Any]:
    """Lower bounds that the machine meets; dstack's defaults (2 processors, 8 GB) exclude small ones."""
    sizing = launch.one.sizing
    vcpus = max(math.floor(min(sizing.vcpus.required, sizing.vcpus.provided)), 1)
    memory = math.floor(min(sizing.memory_gib.required, sizing.memory_gib.provided))
    return {
        "cpu": {"arch": _ARCHITECTURES.get(machine.architecture or "", "x86"), "count": f"{vcpus}.."},
        "memory": f"{memory}GB..",
        "gpu": _gpu(machine),
        "disk": f"{_disk_gb(launch)}GB..",
    }


def _gpu(machine: Machine) -> dict[str, Any] | int:
    if machine.accelerator is None:
        return 0
    vendor = _VENDORS[machine.vendor or ""]
    if machine.tpu_slice:
        return {"vendor": vendor, "name": machine.instance_type, "count": 1}
    # The instance type implies the accelerator, except where it is attached.
    name = {"name": machine.accelerator.partition("-")[0]} if machine.attached else {}
    return {"vendor": vendor, **name, "count": int(machine.count)}


DSTACK = yaml_format("dstack", CONSUMER, _run, _notes)
