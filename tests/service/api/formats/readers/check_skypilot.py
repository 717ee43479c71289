# /// script
# requires-python = ">=3.11"
# dependencies = ["skypilot==0.14.1"]
# ///
"""Read SkyPilot tasks as SkyPilot does: by its schemas, the names of its clouds, and its own parser for TPUs."""

import json
import os
import sys
import tempfile

# SkyPilot writes into the home directory as soon as it is imported.
os.environ |= {"HOME": tempfile.mkdtemp(), "SKYPILOT_DISABLE_USAGE_COLLECTION": "1"}

import yaml
from sky import Task
from sky.clouds import CloudImplementationFeatures as Feature
from sky.utils import common_utils, registry, schemas

UNSUPPORTED = "_CLOUD_UNSUPPORTED_FEATURES"
SERVICE = schemas.get_service_schema()


def features(task):
    """Features of the cloud that a task needs."""
    resources = task["resources"]
    if task["num_nodes"] > 1:
        yield Feature.MULTI_NODE
    if resources["use_spot"]:
        yield Feature.SPOT_INSTANCE
    if "disk_tier" in resources:
        yield Feature.CUSTOM_DISK_TIER
    if "network_tier" in resources:
        yield Feature.CUSTOM_NETWORK_TIER
    if "ports" in resources:
        yield Feature.OPEN_PORTS


def fault(text: str) -> str:
    """Fault of a task; empty if there is none."""
    try:
        task = yaml.load(text, yaml.CSafeLoader)
        common_utils.validate_schema(task, schemas.get_task_schema(), "task: ")
        common_utils.validate_schema(task["resources"], schemas.get_resources_schema(), "resources: ")
        common_utils.validate_schema(task.get("service", {"replicas": 1, "readiness_probe": "/"}), SERVICE, "service: ")
        lacking = vars(type(registry.CLOUD_REGISTRY.from_str(task["resources"]["cloud"]))).get(UNSUPPORTED, ())
        if needed := [feature.name for feature in features(task) if feature in lacking]:
            return f"not on this cloud: {needed}: {text}"
        # Instance types are looked up in SkyPilot's catalog, which it fetches; TPUs it knows by heart.
        if "instance_type" not in task["resources"]:
            Task.from_yaml_config(task)
    except Exception as error:
        return f"{error}: {text}"
    return ""


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
