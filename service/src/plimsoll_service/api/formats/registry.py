"""All formats by name, in the order in which they are offered."""

from __future__ import annotations

from typing import Any

from . import (
    azureml,
    csv_rows,
    dstack,
    env,
    json_body,
    karpenter,
    kubernetes,
    sagemaker,
    skypilot,
    table,
    tfvars,
    vertex,
)
from .format import Format


def _by_name(*formats: Format[Any]) -> dict[str, Format[Any]]:
    return {form.name: form for form in formats}


ONLY_JSON = _by_name(json_body.JSON)
COLLECTION = _by_name(json_body.JSON, table.COLLECTION, csv_rows.COLLECTION)
RECOMMENDATIONS = _by_name(
    json_body.JSON,
    table.RECOMMENDATIONS,
    csv_rows.RECOMMENDATIONS,
    env.RECOMMENDATIONS,
    tfvars.RECOMMENDATIONS,
    skypilot.RECOMMENDATIONS,
    kubernetes.RECOMMENDATIONS,
    sagemaker.RECOMMENDATIONS,
    karpenter.RECOMMENDATIONS,
    vertex.RECOMMENDATIONS,
    azureml.RECOMMENDATIONS,
    dstack.RECOMMENDATIONS,
)
