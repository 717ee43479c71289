# /// script
# requires-python = ">=3.11"
# dependencies = ["dstack==0.22.5"]
# ///
"""Reads dstack tasks by dstack's own models."""

import json
import sys

import yaml
from dstack._internal.core.models.configurations import TaskConfiguration, parse_apply_configuration


def fault(text: str) -> str:
    """What is wrong with a task; nothing if it is none."""
    try:
        found = parse_apply_configuration(yaml.safe_load(text))
    except Exception as error:
        return f"{error}: {text}"
    return "" if isinstance(found, TaskConfiguration) else f"no task: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
