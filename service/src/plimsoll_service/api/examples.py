"""Example requests of the contract; a test loads each of them."""

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
