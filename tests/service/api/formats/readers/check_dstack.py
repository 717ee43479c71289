# /// script
# requires-python = ">=3.11"
# dependencies = ["dstack==0.22.5"]
# ///
"""Reads dstack tasks and services by dstack's own models."""

import json
import sys

import yaml
from dstack._internal.core.models.configurations import (
    ServiceConfiguration,
    TaskConfiguration,
    parse_apply_configuration,
)


def fault(text: str) -> str:
    """What is wrong with a document; nothing if it is none of them."""
    try:
        found = parse_apply_configuration(yaml.safe_load(text))
    except Exception as error:
        return f"{error}: {text}"
    return "" if isinstance(found, (ServiceConfiguration, TaskConfiguration)) else f"nothing that starts: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
