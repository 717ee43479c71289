"""llama.cpp on accelerators: releases of today against published runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import ask, bundled_market

from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

WORK = Workload(
    "inference", framework="llama.cpp", quantization="gguf", concurrency=1, input_tokens=64, output_tokens=512,
    tpot_ms=1000,
)  # fmt: skip


def tokens_per_second(work: Workload, accelerator: str) -> float:
    """Answers of one request on an own machine."""
    machine = Hardware(label="own", accelerator=accelerator, count=1, memory_gib=64, usd_per_hour=0.5)
    [one] = ask(Query(work, Constraints(clouds=("own",), own_machines=(machine,))), bundled_market()).recommendations
    assert one.estimate.serving is not None
    assert one.estimate.serving.tpot_ms is not None
    return 1000.0 / one.estimate.serving.tpot_ms.value


@pytest.mark.parametrize(
    ("model", "accelerator", "published"),
    [
        ("qwen3-30b-a3b", "RTX-4090", 206.0),  # ggml-org/llama.cpp pull request 15631, 2025-08, Q4_0
        ("qwen3-30b-a3b", "RTX-3090", 167.0),  # smeltcore.com, 2026-06-27, RTX 3090 Ti
        ("gemma-3-4b", "RTX-3090", 189.0),  # calebcoffie.com/benchmarks, read 2026-11-28
        ("qwen3-8b", "RTX-5090", 222.0),  # CambrianTech/continuum pull request 1627, 2026-06-15
    ],
)
def test_a_lone_request_on_cuda_is_as_fast_as_published(model: str, accelerator: str, published: float) -> None:
    """CUDA graphs and fused kernels: what a release of 2024 took to launch each layer is halved."""
    assert published == pytest.approx(tokens_per_second(replace(WORK, model=model), accelerator), rel=0.2)


def test_fused_kernels_are_for_one_token() -> None:
    """The steps of two requests took twice as long on an RTX 4090 (ggml-org/llama.cpp pull request 15631, 2025-08)."""
    one = tokens_per_second(replace(WORK, model="qwen3-30b-a3b"), "RTX-4090")
    two = tokens_per_second(replace(WORK, model="qwen3-30b-a3b", concurrency=2), "RTX-4090")

    assert 1.5 < one / two < 2.2
