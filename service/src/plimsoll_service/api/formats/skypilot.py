"""A SkyPilot task's resources."""

from __future__ import annotations

import math
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .facts import machine_type, region_name
from .format import Format
from .yaml_text import nothing, yaml_text

# SkyPilot's names of Google Cloud's GPUs where they are not the catalog's; source: docs.skypilot.co, compute/gpus.
_ACCELERATORS = {"V100-16GB": "V100", "A100-40GB": "A100", "H100-SXM": "H100"}


def _task(answer: Answer, _: Catalog) -> str:
    if not answer.recommendations:
        return nothing(answer)
    first = answer.recommendations[0]
    return yaml_text({"num_nodes": first.node_count, "resources": _resources(first)})


def _resources(first: Recommendation) -> dict[str, Any]:
    region = region_name(first)
    place = {"cloud": first.cloud} | ({"region": region} if region else {})
    resources: dict[str, Any] = {**place, "instance_type": machine_type(first)}
    accelerator = first.accelerator
    # On Google Cloud a GPU is attached to a machine and must be named; elsewhere the instance type says it.
    if accelerator and first.cloud == "gcp":
        resources["accelerators"] = {_ACCELERATORS.get(accelerator.name, accelerator.name): accelerator.count}
    return resources | {"use_spot": first.purchase == "spot", "disk_size": math.ceil(first.sizing.disk.size_gib)}


RECOMMENDATIONS = Format("skypilot", "application/vnd.plimsoll.skypilot+yaml", _task)
