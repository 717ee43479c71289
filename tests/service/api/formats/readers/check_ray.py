# /// script
# requires-python = ">=3.11"
# dependencies = ["ray==2.60.0", "jsonschema==4.25.1", "pyyaml"]
# ///
"""Read Ray's cluster files by the schema that Ray's autoscaler uses."""

import json
import sys
from pathlib import Path

import jsonschema
import ray
import yaml

SCHEMA = json.loads((Path(ray.__file__).parent / "autoscaler" / "ray-schema.json").read_text())
VALID = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)  # the schema itself is looked at once


def fault(text: str) -> str:
    """Fault of a cluster file; empty if there is none."""
    try:
        cluster = yaml.load(text, yaml.CSafeLoader)
        VALID.validate(cluster)
        kinds = cluster["available_node_types"]
        if cluster["head_node_type"] not in kinds:
            return f"no type of the head: {text}"
    except Exception as error:
        return f"{error}: {text}"
    return ""


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
