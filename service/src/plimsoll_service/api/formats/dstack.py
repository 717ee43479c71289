"""A dstack task on exactly the recommended machine."""

from __future__ import annotations

import math
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .format import Consumer, Format
from .machines import FLEXIBLE, LOCAL_DISK, SPOT, Machine, machine_of, machine_type, region_name
from .yaml_text import COMMAND, nothing, yaml_text

# dstack's names of accelerator vendors; source: dstack.ai, reference/dstack.yml/task.
_VENDORS = {"NVIDIA": "nvidia", "AMD": "amd", "Google": "google", "Intel Habana": "intel"}
_TPU_VENDOR = "google"
_ARCHITECTURES = {"x86_64": "x86", "arm64": "arm"}


def _launches(machine: Machine) -> bool:
    known = machine.vendor is None or machine.vendor in _VENDORS
    as_offered = machine.tpu_slice == (_VENDORS.get(machine.vendor or "") == _TPU_VENDOR)
    return known and as_offered and machine.whole and FLEXIBLE not in machine.instance_type


# Clouds of the catalog that are backends of dstack 0.22 and use the same names of machines.
CONSUMER = Consumer(("aws", "azure", "gcp", "lambda", "nebius", "oci", "verda"), _launches)


def _task(answer: Answer, catalog: Catalog) -> str:
    first = CONSUMER.first(answer, catalog)
    if first is None:
        return nothing(answer)
    machine, region = machine_of(first, catalog), region_name(first)
    place = {"backends": [first.cloud]} | ({"regions": [region]} if region else {})
    return yaml_text(
        {
            "type": "task",
            "nodes": first.node_count,
            **place,
            "instance_types": [_instance_type(machine)],
            "spot_policy": "spot" if first.purchase == SPOT else "on-demand",
            "commands": [COMMAND],
            "resources": _resources(first, machine),
        }
    )


def _instance_type(machine: Machine) -> str:
    name = machine_type(machine.instance_type)
    # The catalog joins Nebius' platform and preset with an underscore.
    return name.replace("_", " ") if machine.cloud == "nebius" else name


def _resources(first: Recommendation, machine: Machine) -> dict[str, Any]:
    """Lower bounds that the machine meets; dstack's defaults (2 processors, 8 GB) exclude small ones."""
    sizing = first.sizing
    vcpus = max(math.floor(min(sizing.vcpus.required, sizing.vcpus.provided)), 1)
    memory = math.floor(min(sizing.memory_gib.required, sizing.memory_gib.provided))
    disk = sizing.disk
    return {
        "cpu": {"arch": _ARCHITECTURES.get(machine.architecture or "", "x86"), "count": f"{vcpus}.."},
        "memory": f"{memory}GB..",
        "gpu": _gpu(machine),
        # A local disk comes with the machine; only the root volume is ordered, in any size.
        "disk": "1GB.." if disk.type == LOCAL_DISK else f"{max(math.ceil(disk.size_gib), 1)}GB..",
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


DSTACK = Format("dstack", "application/vnd.plimsoll.dstack+yaml", _task, CONSUMER)
