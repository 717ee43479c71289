"""A SkyPilot task's resources."""

from __future__ import annotations

import math
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .format import Format
from .yaml_text import nothing, yaml_text

# SkyPilot's names where they are not the catalog's; source: `sky show-gpus --all` of SkyPilot's documentation.
_ACCELERATORS = {
    "V100-16GB": "V100",
    "A100-40GB": "A100",
    "H100-SXM": "H100",
    "P100-SXM2": "P100",
    "RTX-4090": "RTX4090",
    "RTX-3090": "RTX3090",
    "RTX-5090": "RTX5090",
    "RTX-A6000": "RTXA6000",
    "RTX-6000-Ada": "RTX6000-Ada",
    "Trainium1": "Trainium",
}


def _task(answer: Answer, _: Catalog) -> str:
    if not answer.recommendations:
        return nothing(answer)
    first = answer.recommendations[0]
    return yaml_text({"num_nodes": first.node_count, "resources": _resources(first)})


def _resources(first: Recommendation) -> dict[str, Any]:
    resources: dict[str, Any] = {"cloud": first.cloud, "region": first.region, "instance_type": first.instance_type}
    accelerator = first.accelerator
    # On Google Cloud a GPU is attached to a machine and must be named; elsewhere the instance type says it.
    if accelerator and first.cloud == "gcp":
        resources["accelerators"] = {_ACCELERATORS.get(accelerator.name, accelerator.name): accelerator.count}
    return resources | {"use_spot": first.purchase == "spot", "disk_size": math.ceil(first.sizing.disk.size_gib)}


RECOMMENDATIONS = Format("skypilot", "application/vnd.plimsoll.skypilot+yaml", _task)
