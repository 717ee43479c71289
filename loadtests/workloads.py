"""The example workloads, and any number of different ones like them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Body = dict[str, Any]

EXAMPLES_DIRECTORY = Path(__file__).parent.parent / "tests" / "examples"
EXAMPLES: dict[str, Body] = {
    path.stem: json.loads(path.read_text()) for path in sorted(EXAMPLES_DIRECTORY.glob("[a-f]_*.json"))
}
# How the n-th workload differs from its example: always in the amount of work, so that no answer can be reused, and so
# little that the hundred-thousandth is still one like it.
CHANGES: dict[str, Callable[[Body, int], None]] = {
    "a_resnet50_imagenet": lambda workload, n: workload["dataset"].update(samples=1_000_000 + n),
    "b_llama3_8b_lora": lambda workload, n: workload.update(tokens=30_000_000 + 1_000 * n),
    "c_llama3_70b_serving": lambda workload, n: workload.update(requests_per_second=10 + n * 0.0001),
    "d_imagenet_to_lmdb": lambda workload, n: workload["dataset"].update(size=f"{100 + n * 0.001:.3f}GB"),
    "e_xgboost_100gb": lambda workload, n: workload["dataset"].update(samples=200_000_000 + 1_000 * n),
    "f_fp64_hpc": lambda workload, n: workload.update(flops=1e19 + 1e14 * n),
}


def variant(example: str, number: int) -> Body:
    """The request body of the example's ``number``-th variant."""
    body = copy.deepcopy(EXAMPLES[example])
    CHANGES[example](body["workload"], number)
    return body
