# /// script
# requires-python = ">=3.11"
# dependencies = ["azure-ai-ml==1.35.2"]
# ///
"""Read Azure ML jobs and online deployments by the loaders of its SDK."""

import io
import json
import sys

from azure.ai.ml import load_job, load_online_deployment
from azure.ai.ml.entities import Command, ManagedOnlineDeployment


def fault(text: str) -> str:
    """Fault of a document; empty if there is none."""
    try:
        load = load_online_deployment if "managedOnlineDeployment" in text else load_job
        found = load(io.StringIO(text))
    except Exception as error:
        return f"{error}: {text}"
    return "" if isinstance(found, (Command, ManagedOnlineDeployment)) else f"nothing that starts: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
