# /// script
# requires-python = ">=3.11"
# dependencies = ["azure-ai-ml==1.35.2"]
# ///
"""Reads Azure ML jobs by the loader of its SDK."""

import io
import json
import sys

from azure.ai.ml import load_job
from azure.ai.ml.entities import Command


def fault(text: str) -> str:
    """What is wrong with a job; nothing if it is none."""
    try:
        found = load_job(io.StringIO(text))
    except Exception as error:
        return f"{error}: {text}"
    return "" if isinstance(found, Command) else f"no command job: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
