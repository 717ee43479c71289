"""Example requests of the contract, one of them refused; a test sends each of them."""

from __future__ import annotations

from importlib import resources
from typing import Any

import orjson

_EXAMPLES: dict[str, dict[str, Any]] = orjson.loads((resources.files(__package__) / "examples.json").read_bytes())

RECOMMENDATION = _EXAMPLES["recommendation"]
BATCH = _EXAMPLES["batch"]
ESTIMATE = _EXAMPLES["estimate"]
COMPARISON = _EXAMPLES["comparison"]

# Parameters of routes without a body.
QUESTION = _EXAMPLES["question"]
ACCELERATOR = _EXAMPLES["accelerator"]
INSTANCE_TYPE = _EXAMPLES["instance_type"]
INSTANCE_TYPES = _EXAMPLES["instance_types"]
PRICES = _EXAMPLES["prices"]
EVIDENCE = _EXAMPLES["evidence"]
FEW = _EXAMPLES["few"]
RULE = _EXAMPLES["rule"]
KIND_OF_PROBLEM = _EXAMPLES["kind_of_problem"]

REFUSED = _EXAMPLES["refused"]
REFUSAL = _EXAMPLES["refusal"]
