# /// script
# requires-python = ">=3.11"
# dependencies = ["google-cloud-aiplatform==2.7.0"]
# ///
"""Read jobs and endpoints of Vertex AI into the messages of its client; an unknown field or name is a fault."""

import json
import sys

from google.cloud.aiplatform_v1.types import CustomJobSpec, DeployModelRequest, UploadModelRequest


def fault(text: str) -> str:
    """Fault of a specification; empty if there is none."""
    try:
        if "uploadModel" in (requests := json.loads(text)):
            UploadModelRequest.from_json(json.dumps(requests["uploadModel"]), ignore_unknown_fields=False)
            DeployModelRequest.from_json(json.dumps(requests["deployModel"]), ignore_unknown_fields=False)
            return ""
        found = CustomJobSpec.from_json(text, ignore_unknown_fields=False)
    except Exception as error:
        return f"{error}: {text}"
    alone = bool(found.worker_pool_specs) and found.worker_pool_specs[0].replica_count == 1
    return "" if alone else f"not one primary replica: {text}"


with open(sys.argv[1]) as documents, open(sys.argv[2], "w") as faults:
    json.dump([fault(text) for text in json.load(documents)], faults)
