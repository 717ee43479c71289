"""Requests to AWS Batch that make a compute environment with its queue, and submit a job to it."""

from __future__ import annotations

import math
from base64 import b64encode
from typing import Any

from . import support
from .commands import LOCAL_DISK_SETUP, OWN_IMAGE, command
from .format import Consumer
from .launch import DATA, Launch
from .yaml_text import requests_format

_TOOL = "aws-batch"
_NAME = "plimsoll"
_MIB_PER_GIB = 1024
_LEAST_GIB = 30  # of the root volume: the image of the container service
_BOUNDARY = "plimsoll"
# Each machine's place; source: AWS Batch, "Multi-node parallel jobs", environment variables.
_PLACE = (
    "export NODE_RANK=$AWS_BATCH_JOB_NODE_INDEX"
    " MASTER_ADDR=${AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS:-$(hostname -i)}; "
)


def _against(launch: Launch) -> str | None:
    if launch.service:
        return "AWS Batch runs jobs, and no services"
    if launch.span > 1 and (launch.spot or not support.able(_TOOL, "aws", "multi_node")):
        return "AWS Batch has no several machines together on spot"
    return None


# Containers of AWS Batch are given GPUs of NVIDIA, whole ones.
CONSUMER = Consumer(
    "AWS Batch", ("aws",), lambda machine: machine.whole and machine.vendor in (None, "NVIDIA"), against=_against
)


def _requests(launch: Launch, told: tuple[str, ...]) -> dict[str, Any]:
    return {
        "CreateLaunchTemplate": _template(launch),
        "CreateComputeEnvironment": _environment(launch),
        "CreateJobQueue": {
            "jobQueueName": _NAME,
            "priority": 1,
            "computeEnvironmentOrder": [{"order": 1, "computeEnvironment": _NAME}],
        },
        "RegisterJobDefinition": _definition(launch, told),
        "SubmitJob": {"jobName": _NAME, "jobQueue": _NAME, "jobDefinition": _NAME} | _array(launch),
    }


def _template(launch: Launch) -> dict[str, Any]:
    """The root volume, and the commands that mount the local disks when the machine starts."""
    volume = {"VolumeSize": max(launch.volume_gib, _LEAST_GIB), "VolumeType": "gp3"}
    found: dict[str, Any] = {"BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": volume}]}
    if launch.local_disk:
        part = f"--{_BOUNDARY}\nContent-Type: text/x-shellscript\n\n#!/bin/bash\n{LOCAL_DISK_SETUP}--{_BOUNDARY}--\n"
        text = f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n{part}'
        found["UserData"] = b64encode(text.encode()).decode()
    return {"LaunchTemplateName": _NAME, "LaunchTemplateData": found}


def _environment(launch: Launch) -> dict[str, Any]:
    first = launch.one
    strategy = "SPOT_CAPACITY_OPTIMIZED" if launch.spot else "BEST_FIT_PROGRESSIVE"
    return {
        "computeEnvironmentName": _NAME,
        "type": "MANAGED",
        "computeResources": {
            "type": "SPOT" if launch.spot else "EC2",
            "allocationStrategy": strategy,
            "minvCpus": 0,
            "maxvCpus": math.ceil(first.sizing.vcpus.provided * first.node_count),
            "instanceTypes": [first.instance_type],
            "subnets": ["your-subnet"],
            "securityGroupIds": ["your-security-group"],
            "instanceRole": "ecsInstanceRole",
            "launchTemplate": {"launchTemplateName": _NAME},
        },
    }


def _definition(launch: Launch, told: tuple[str, ...]) -> dict[str, Any]:
    container = _container(launch, told)
    if launch.span == 1:
        return {"jobDefinitionName": _NAME, "type": "container", "containerProperties": container}
    every = {"targetNodes": "0:", "container": container}
    nodes = {"numNodes": launch.span, "mainNode": 0, "nodeRangeProperties": [every]}
    return {"jobDefinitionName": _NAME, "type": "multinode", "nodeProperties": nodes}


def _container(launch: Launch, told: tuple[str, ...]) -> dict[str, Any]:
    sizing = launch.one.sizing
    needs = {
        "VCPU": max(math.floor(min(sizing.vcpus.required, sizing.vcpus.provided)), 1),
        "MEMORY": math.floor(min(sizing.memory_gib.required, sizing.memory_gib.provided) * _MIB_PER_GIB),
        **({"GPU": launch.devices} if launch.devices else {}),
    }
    said = launch.environment() | {"PLIMSOLL": "; ".join(told)}
    return {
        "image": OWN_IMAGE,
        "command": ["/bin/sh", "-c", (_PLACE if launch.span > 1 else "") + command(launch)],
        "resourceRequirements": [{"type": name, "value": str(value)} for name, value in needs.items()],
        "environment": [{"name": name, "value": value} for name, value in said.items()],
        "volumes": [{"name": "data", "host": {"sourcePath": DATA}}],
        "mountPoints": [{"sourceVolume": "data", "containerPath": DATA}],
    }


def _array(launch: Launch) -> dict[str, Any]:
    """Machines that work apart are jobs of an array."""
    apart = launch.one.node_count if launch.span == 1 else 1
    return {"arrayProperties": {"size": apart}} if apart > 1 else {}


AWS_BATCH = requests_format("aws_batch", CONSUMER, _requests)
