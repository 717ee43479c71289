"""An Azure Machine Learning command job on serverless compute, or a managed online deployment for a service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import data_files
from .commands import HEALTH, OWN_IMAGE, PORT, command, off_an_endpoint
from .format import Consumer
from .launch import Launch
from .yaml_text import of_the_user, yaml_format

_SCHEMAS = "https://azuremlschemas.azureedge.net/latest"
_IMAGE = "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04"  # the base image of Azure ML's own examples
_SERIES, _ENDPOINTS = (frozenset(said.split()) for said in data_files.table("formats/azureml_series.yaml").values())
_NAME = "plimsoll"


CONSUMER = Consumer(
    "Azure ML",
    ("azure",),
    launches=lambda machine: machine.family in _SERIES,
    # The list of endpoints is read for machines with accelerators; the others are those of jobs.
    serves=lambda machine: machine.family in (_SERIES if machine.accelerator is None else _ENDPOINTS),
    against=lambda launch: off_an_endpoint(launch, "Azure ML"),
)


def _notes(launch: Launch) -> Iterator[str]:
    if launch.service:
        yield "the image's entry point is to run $COMMAND"
    yield from of_the_user(launch, OWN_IMAGE if launch.service else None)


def _job(launch: Launch) -> dict[str, Any]:
    # Azure ML starts a process for each device, and tells each its place.
    each = {"type": "pytorch", "process_count_per_instance": max(launch.devices, 1)}
    run = "python train.py" if launch.span > 1 else command(launch)
    return {
        "$schema": f"{_SCHEMAS}/commandJob.schema.json",
        "type": "command",
        "command": run,
        "environment": {"image": _IMAGE},
        "environment_variables": launch.environment(),
        **({"distribution": each} if launch.span > 1 else {}),
        "resources": {"instance_type": launch.one.instance_type, "instance_count": launch.one.node_count},
        "queue_settings": {"job_tier": "spot" if launch.spot else "standard"},
    }


def _deployment(launch: Launch) -> dict[str, Any]:
    """A managed online deployment, for an existing endpoint."""
    route = {"port": PORT, "path": HEALTH}
    return {
        "$schema": f"{_SCHEMAS}/managedOnlineDeployment.schema.json",
        "name": _NAME,
        "endpoint_name": _NAME,
        "environment": {
            "image": OWN_IMAGE,
            "inference_config": {
                "liveness_route": route,
                "readiness_route": route,
                "scoring_route": {"port": PORT, "path": "/v1/chat/completions"},
            },
        },
        "environment_variables": launch.environment() | {"COMMAND": command(launch)},
        "instance_type": launch.one.instance_type,
        "instance_count": launch.units,
    }


AZUREML = yaml_format("azureml", CONSUMER, lambda launch: (_deployment if launch.service else _job)(launch), _notes)
