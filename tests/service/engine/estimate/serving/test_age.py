"""Early releases of serving engines, which were new to some models."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.service.engine.estimate.machines import machine, throughput

from plimsoll_service.engine.workload import Workload

H200 = {"accelerator": "H200", "count": 8, "memory_gib": 2000, "interconnect": "nvlink", "interconnect_gb_s": 900}
R1 = {"model": "deepseek-r1", "precision": "fp8", "input_tokens": 3200, "output_tokens": 800, "concurrency": 32}


def rate(framework: str = "vllm", release: str | None = None, **asked: object) -> float:
    """Tokens a second on eight H200."""
    job = Workload("inference", framework=framework, framework_version=release, **{**R1, **asked})
    return throughput(job, machine(**H200))


def test_later_releases_are_no_slower() -> None:
    """From the first release with DeepSeek to those with its kernels, none is slower; the default is the latest."""
    rates = [rate(release=release) for release in ("0.6", "0.7.3", "0.8", "0.9", "0.10", "0.11", "0.30", None)]

    assert all(earlier <= later for earlier, later in pairwise(rates))
    assert rates[0] == rates[1] < rates[-1] / 3
    assert rates[-3] == rates[-1]


@pytest.mark.parametrize(
    ("framework", "asked"),
    [("tensorrt-llm", {}), ("vllm", {"model": "llama-3.1-70b"}), ("vllm", {"model": "mixtral-8x7b"})],
)
def test_no_release_is_slower_without_rows_that_say_so(framework: str, asked: dict[str, str]) -> None:
    """Dense models lost nothing in the releases of 2025, and TensorRT-LLM has no undoubted row of DeepSeek."""
    early = "0.17" if framework == "tensorrt-llm" else "0.8"

    assert rate(framework, early, **asked) == rate(framework, **asked)
