"""The ResourceConfig of a SageMaker training job."""

from __future__ import annotations

import math

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from ..encode import encode
from .format import Format

CLOUD = "aws"


def _resource_config(answer: Answer, _: Catalog) -> bytes:
    on_aws = [recommendation for recommendation in answer.recommendations if recommendation.cloud == CLOUD]
    if not on_aws:
        return encode({})
    first = on_aws[0]
    return encode(
        {
            "InstanceType": f"ml.{first.instance_type}",
            "InstanceCount": first.node_count,
            "VolumeSizeInGB": math.ceil(first.sizing.disk.size_gib),
        }
    )


RECOMMENDATIONS = Format("sagemaker", "application/vnd.plimsoll.sagemaker+json", _resource_config, cloud=CLOUD)
