"""A SkyPilot task's resources."""

from __future__ import annotations

import math
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .format import Consumer, Format
from .machines import ATTACHED, LOCAL_DISK, SPOT, Machine, machine_of, region_name
from .yaml_text import nothing, yaml_text

# SkyPilot's names of Google Cloud's GPUs where they differ from the catalog's; source: docs.skypilot.co, compute/gpus.
_ACCELERATORS = {"V100-16GB": "V100", "A100-40GB": "A100", "H100-SXM": "H100", "RTX-PRO-6000": "RTXPRO6000"}
_MEGA = ("a3-megagpu-8g", "H100-MEGA")  # a GPU name of its own for one machine; same source
# TPUs that SkyPilot rents are slices of Cloud TPU; source: docs.skypilot.co, reference/tpu.
_TPU = "tpu-"
_TPU_VENDOR = "Google"


def _launches(machine: Machine) -> bool:
    return machine.whole and machine.tpu_slice == (machine.vendor == _TPU_VENDOR)


# Clouds of the catalog for which SkyPilot 0.14 has a module (sky.clouds).
CONSUMER = Consumer(
    ("aws", "azure", "gcp", "oci", "lambda", "nebius", "verda", "hyperbolic", "runpod"), _launches
)  # fmt: skip


def _task(answer: Answer, catalog: Catalog) -> str:
    first = CONSUMER.first(answer, catalog)
    if first is None:
        return nothing(answer)
    return yaml_text({"num_nodes": first.node_count, "resources": _resources(first, machine_of(first, catalog))})


def _resources(first: Recommendation, machine: Machine) -> dict[str, Any]:
    region = region_name(first)
    place = {"cloud": first.cloud} | ({"region": region} if region else {})
    disk = first.sizing.disk
    # A local disk comes with the machine; the size is that of the ordered volume.
    volume = {} if disk.type == LOCAL_DISK else {"disk_size": max(math.ceil(disk.size_gib), 1)}
    return place | _hardware(machine) | {"use_spot": first.purchase == SPOT} | volume


def _hardware(machine: Machine) -> dict[str, Any]:
    if machine.tpu_slice:
        return {"accelerators": {f"{_TPU}{machine.instance_type}": 1}}
    found: dict[str, Any] = {"instance_type": machine.instance_type.partition(ATTACHED)[0]}
    # On Google Cloud a GPU is attached to a machine and must be named; elsewhere the instance type implies it.
    if machine.accelerator and machine.cloud == "gcp":
        name, own_name = machine.accelerator, dict((_MEGA,)).get(machine.instance_type)
        found["accelerators"] = {own_name or _ACCELERATORS.get(name, name): int(machine.count)}
    return found


SKYPILOT = Format("skypilot", "application/vnd.plimsoll.skypilot+yaml", _task, CONSUMER)
