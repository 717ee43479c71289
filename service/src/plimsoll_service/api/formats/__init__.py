"""The formats of answers by name, in the order of the contract. A new format is one file and one line here."""

from __future__ import annotations

from typing import Any

from . import (
    aws_batch,
    azureml,
    dstack,
    karpenter,
    kubernetes,
    kueue,
    ray,
    runs_on,
    sagemaker,
    skypilot,
    slurm,
    tabular,
    variables,
    vertex,
)
from .format import JSON, Format


def _by_name(*formats: Format[Any]) -> dict[str, Format[Any]]:
    return {form.name: form for form in formats}


ONLY_JSON = _by_name(JSON)
COLLECTION = _by_name(JSON, tabular.TABLE_COLLECTION, tabular.CSV_COLLECTION)
RECOMMENDATIONS = _by_name(
    JSON,
    tabular.TABLE,
    tabular.CSV,
    variables.ENV,
    variables.TFVARS,
    skypilot.SKYPILOT,
    kubernetes.KUBERNETES,
    sagemaker.SAGEMAKER,
    karpenter.KARPENTER,
    vertex.VERTEX,
    azureml.AZUREML,
    dstack.DSTACK,
    slurm.SLURM,
    ray.RAY,
    aws_batch.AWS_BATCH,
    kueue.KUEUE,
    runs_on.RUNS_ON,
)
