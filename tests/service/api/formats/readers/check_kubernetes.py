# /// script
# requires-python = ">=3.11"
# dependencies = ["kubernetes-validate==1.37.0"]
# ///
"""Read manifests by the OpenAPI schema that Kubernetes publishes; for a LeaderWorkerSet, its pods."""

import json
import sys

import kubernetes_validate
import yaml

VERSION = "1.31"


def fault(text: str) -> str:
    """Fault of a manifest; empty if there is none."""
    try:
        for part in parts(yaml.load(text, yaml.CSafeLoader)):
            kubernetes_validate.validate(part, VERSION, strict=True)
    except Exception as error:
        return f"{error}: {text}"
    return ""


def parts(manifest):
    """Parts of a manifest that Kubernetes itself knows."""
    if manifest["kind"] != "LeaderWorkerSet":
        return [manifest]
    templates = manifest["spec"]["leaderWorkerTemplate"]
    pods = [templates["leaderTemplate"], templates["workerTemplate"]]
    return [{"apiVersion": "v1", "kind": "Pod", **pod} for pod in pods]


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
