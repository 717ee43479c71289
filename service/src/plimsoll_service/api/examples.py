"""Example requests of the contract, one of them refused; a test sends each of them."""

from __future__ import annotations

from typing import Any

_WORKLOAD: dict[str, Any] = {
    "task": "training",
    "framework": "pytorch",
    "model": "resnet50",
    "precision": "mixed",
    "dataset": {"name": "imagenet-1k", "format": "lmdb"},
    "epochs": 90,
}

RECOMMENDATION: dict[str, Any] = {
    "workload": {**_WORKLOAD, "deadline": "48h", "budget_usd": 300},
    "constraints": {"clouds": ["aws", "gcp"], "purchase": ["on_demand", "spot"]},
    "objective": "cost",
    "limit": 5,
}
BATCH: dict[str, Any] = {"requests": [RECOMMENDATION, {"workload": {"task": "hpc", "precision": "fp64"}}]}
ESTIMATE: dict[str, Any] = {
    "workload": _WORKLOAD,
    "on": {"cloud": "aws", "instance_type": "p3.2xlarge", "node_count": 1},
}
COMPARISON: dict[str, Any] = {
    "workload": _WORKLOAD,
    "on": [
        {"label": "one T4", "accelerator": "T4", "count": 1, "vcpus": 8, "memory_gib": 32, "usd_per_hour": 0.75},
        {"label": "one A10G", "accelerator": "A10G", "count": 1, "vcpus": 8, "memory_gib": 32, "usd_per_hour": 1.21},
    ],
}

# Parameters of routes without a body.
QUESTION: dict[str, Any] = {
    "task": "training",
    "framework": "pytorch",
    "model": "resnet50",
    "precision": "mixed",
    "dataset_name": "imagenet-1k",
    "dataset_format": "lmdb",
    "epochs": 90,
    "deadline": "48h",
    "budget_usd": 300,
    "clouds": ["aws", "gcp"],
    "purchase": ["on_demand", "spot"],
    "objective": "cost",
    "limit": 5,
}
ACCELERATOR: dict[str, Any] = {"name": "A10G"}
INSTANCE_TYPE: dict[str, Any] = {"cloud": "aws", "name": "p3.2xlarge"}
INSTANCE_TYPES: dict[str, Any] = {"cloud": ["aws"], "accelerator": ["A10G"], "limit": 5}
PRICES: dict[str, Any] = {"cloud": "aws", "region": "us-east-1", "instance_type": "g5.xlarge"}
EVIDENCE: dict[str, Any] = {"model": ["resnet50"], "task": ["training"], "doubtful": False, "limit": 5}
FEW: dict[str, Any] = {"limit": 5}
RULE: dict[str, Any] = {"id": "vcpus-per-accelerator"}
KIND_OF_PROBLEM: dict[str, Any] = {"slug": "invalid-field"}

REFUSED: dict[str, Any] = {"workload": {"task": "training", "epochs": -1}}
REFUSAL: dict[str, Any] = {
    "type": "/problems/invalid-field",
    "title": "The request has invalid fields",
    "status": 422,
    "detail": "1 fault: /workload/epochs: must be above 0 and at most 1e+15, not -1",
    "instance": "/v1/recommendations",
    "errors": [{"pointer": "/workload/epochs", "detail": "must be above 0 and at most 1e+15, not -1"}],
}
