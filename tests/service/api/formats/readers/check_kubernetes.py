# /// script
# requires-python = ">=3.11"
# dependencies = ["kubernetes-validate==1.37.0"]
# ///
"""Reads placements as parts of a pod, by the OpenAPI schema that Kubernetes publishes."""

import json
import sys

import kubernetes_validate
import yaml

VERSION = "1.31"


def fault(text: str) -> str:
    """What is wrong with a placement; nothing if it is none."""
    placement = yaml.safe_load(text)
    container = {"name": "job", "image": "busybox", "resources": placement.pop("resources")}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "job"},
        "spec": {"containers": [container], **placement},
    }
    try:
        kubernetes_validate.validate(pod, VERSION, strict=True)
    except Exception as error:
        return f"{error}: {text}"
    return ""


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
