# /// script
# requires-python = ">=3.11"
# dependencies = ["dstack==0.22.5"]
# ///
"""Read dstack tasks and services by dstack's own models, and ask its backends whether they support several nodes."""

import json
import sys
from pathlib import Path

import dstack
import yaml
from dstack._internal.core.models.configurations import (
    ServiceConfiguration,
    TaskConfiguration,
    parse_apply_configuration,
)

# Source text, since importing a backend needs the cloud's own packages.
BACKENDS = Path(dstack.__file__).parent / "_internal" / "core" / "backends"
FOLDERS = {"lambda": "lambdalabs"}
SEVERAL_NODES = "ComputeWithMultinodeSupport"


def lacking(task):
    """Backends of a task on several nodes for which dstack has no such tasks."""
    if task.get("nodes", 1) == 1:
        return []
    sources = {name: BACKENDS / FOLDERS.get(name, name) / "compute.py" for name in task["backends"]}
    return [name for name, source in sources.items() if SEVERAL_NODES not in source.read_text()]


def fault(text: str) -> str:
    """Fault of a document; empty if there is none."""
    try:
        found = parse_apply_configuration(yaml.load(text, yaml.CSafeLoader))
    except Exception as error:
        return f"{error}: {text}"
    if without := lacking(yaml.load(text, yaml.CSafeLoader)):
        return f"no several nodes on {', '.join(without)}: {text}"
    return "" if isinstance(found, (ServiceConfiguration, TaskConfiguration)) else f"nothing that starts: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
