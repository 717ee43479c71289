"""Requests to SageMaker: ``CreateTrainingJob`` for a job, and a model with its endpoint for a service."""

from __future__ import annotations

import math
from typing import Any

from .. import data_files
from .commands import OWN_IMAGE, command, off_an_endpoint
from .format import Consumer
from .launch import Launch
from .yaml_text import requests_format

_GB_PER_GIB = 1.073741824
_NAME = "plimsoll"
# What the account has and no answer knows.
_ROLE = "arn:aws:iam::000000000000:role/your-role"
_PORT = 8080  # of an endpoint's container; source: SageMaker, "Custom inference code with hosting services"
_OUTPUT = "s3://your-bucket/output"
_MOST_SECONDS = 28 * 24 * 3600  # of a training job; source: CreateTrainingJob, StoppingCondition
_MOST_START_SECONDS = 3600  # of a container's start; source: ProductionVariant
_LONGEST = 512  # characters of a variable; source: CreateTrainingJob, Environment
# Each machine's place among them; source: SageMaker, "How Amazon SageMaker Provides Training Information".
_PLACE = (
    'export MASTER_ADDR=algo-1 NODE_RANK=$(python3 -c "import json;'
    "c=json.load(open('/opt/ml/input/config/resourceconfig.json'));print(c['hosts'].index(c['current_host']))\"); "
)


def _types(file: str) -> frozenset[str]:
    sizes = data_files.table(f"formats/{file}")
    return frozenset(f"{family}.{size}" for family, named in sizes.items() for size in named.split())


_TRAINING, _ENDPOINTS = _types("sagemaker_types.yaml"), _types("sagemaker_endpoint_types.yaml")


CONSUMER = Consumer(
    "SageMaker",
    ("aws",),
    launches=lambda machine: machine.instance_type in _TRAINING,
    serves=lambda machine: machine.instance_type in _ENDPOINTS,
    against=lambda launch: off_an_endpoint(launch, "SageMaker"),
)


def _requests(launch: Launch, told: tuple[str, ...]) -> dict[str, Any]:
    environment = launch.environment() | {"PLIMSOLL": " ; ".join(told)[:_LONGEST]}
    return (_endpoint if launch.service else _training_job)(launch, environment)


def _training_job(launch: Launch, environment: dict[str, str]) -> dict[str, Any]:
    """The request ``CreateTrainingJob``."""
    seconds = _seconds(launch)
    # Twice the time of the work: machines of spot may have to be waited for.
    waiting = {"MaxWaitTimeInSeconds": min(2 * seconds, _MOST_SECONDS)} if launch.spot else {}
    return {
        "TrainingJobName": _NAME,
        "RoleArn": _ROLE,
        "AlgorithmSpecification": {
            "TrainingImage": OWN_IMAGE,
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["/bin/sh", "-c", 'eval "$COMMAND"'],
        },
        "OutputDataConfig": {"S3OutputPath": _OUTPUT},
        "ResourceConfig": {
            "InstanceType": f"ml.{launch.one.instance_type}",
            "InstanceCount": launch.one.node_count,
            "VolumeSizeInGB": _volume(launch),
        },
        "EnableManagedSpotTraining": launch.spot,
        "StoppingCondition": {"MaxRuntimeInSeconds": seconds, **waiting},
        "Environment": environment | {"COMMAND": (_PLACE if launch.span > 1 else "") + command(launch)},
    }


def _endpoint(launch: Launch, environment: dict[str, str]) -> dict[str, Any]:
    """The three requests that make an endpoint, in their order, by operation."""
    serving = launch.one.estimate.serving
    start = 2 * ((serving.cold_start_seconds if serving else None) or _MOST_START_SECONDS)
    variant = {
        "VariantName": "all",
        "ModelName": _NAME,
        "InstanceType": f"ml.{launch.one.instance_type}",
        "InitialInstanceCount": launch.units,
        "ContainerStartupHealthCheckTimeoutInSeconds": min(max(round(start), 60), _MOST_START_SECONDS),
    }
    # Machines with local disks get no volume.
    volume = {} if launch.machine.local_disk_gb else {"VolumeSizeInGB": launch.volume_gib}
    container = {
        "Image": OWN_IMAGE,
        "Environment": environment | {"COMMAND": command(launch, port=_PORT)},
    }
    return {
        "CreateModel": {"ModelName": _NAME, "ExecutionRoleArn": _ROLE, "PrimaryContainer": container},
        "CreateEndpointConfig": {"EndpointConfigName": _NAME, "ProductionVariants": [variant | volume]},
        "CreateEndpoint": {"EndpointName": _NAME, "EndpointConfigName": _NAME},
    }


def _seconds(launch: Launch) -> int:
    hours = launch.one.estimate.time_hours
    return _MOST_SECONDS if hours is None else min(max(math.ceil(hours.high * 3600), 60), _MOST_SECONDS)


def _volume(launch: Launch) -> int:
    """The size in GB; a machine with local disks gets no volume, so that the size is limited to theirs."""
    own = math.floor(launch.machine.local_disk_gb / _GB_PER_GIB)
    return min(launch.disk_gib, own) if own else launch.disk_gib


_TO_RUN = ("the image's entry point is to run $COMMAND",)
SAGEMAKER = requests_format("sagemaker", CONSUMER, _requests, lambda launch: _TO_RUN if launch.service else ())
