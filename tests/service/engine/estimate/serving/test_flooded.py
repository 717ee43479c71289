"""Servers with always more requests waiting: what a machine serves at the most, beside published runs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.choice.anchoring import anchored_job_of
from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.estimate.serving.configuration import WIDE_GAIN
from plimsoll_service.engine.quantities import Estimate
from plimsoll_service.engine.workload import Hardware, Query, Workload


def estimate(
    devices: str, count: int, model: str, framework: str, *, split: int | None = None, **asked: Any
) -> Estimate:
    """Estimate of that model on those devices, for as much as they serve unless a load is asked."""
    market, query = bundled_market(), Query(Workload("inference", model=model, framework=framework, **asked))
    hardware = Hardware(accelerator=devices, count=count, vcpus=192, memory_gib=2000, tensor_parallel=split)
    job = anchored_job_of(query, market)
    found = evaluate(job, market, hardware, select(job, market, own_machines((), market))).estimate
    assert found is not None
    return found


# Output tokens a second of all devices, with all requests sent at once: docs.gpustack.ai, Performance Lab, 2025-10 to
# 2025-11 (vLLM 0.10.2 to 0.11.0, SGLang 0.5.3).
@pytest.mark.parametrize(
    ("devices", "count", "model", "framework", "lengths", "precision", "published"),
    [
        ("H200", 8, "deepseek-r1", "vllm", (4000, 200), "fp8", 754),
        ("H200", 8, "deepseek-r1", "vllm", (2000, 100), "fp8", 844),
        ("H200", 8, "glm-4.6", "vllm", (4000, 200), "bf16", 795),
        ("H200", 4, "glm-4.6", "sglang", (2000, 100), "fp8", 827),
        ("H100-SXM", 4, "qwen3-235b-a22b", "vllm", (4000, 182), "fp8", 718),
        ("H100-SXM", 4, "qwen3-235b-a22b", "vllm", (2000, 99), "fp8", 895),
        ("H100-SXM", 2, "gpt-oss-120b", "vllm", (2000, 100), None, 1623),
    ],
)
def test_a_flooded_server_reads_prompts_as_fast_as_published(
    devices: str, count: int, model: str, framework: str, lengths: tuple[int, int], precision: str | None,
    published: float,
) -> None:  # fmt: skip
    asked = {"input_tokens": lengths[0], "output_tokens": lengths[1], "precision": precision}
    found = estimate(devices, count, model, framework, split=count, **asked)

    assert found.throughput.value == pytest.approx(published, rel=0.2)


def test_data_parallel_attention_gathers_all_tokens_in_a_machine() -> None:
    """SGLang 0.5.6 serves 978 tokens/s of DeepSeek-V3.2 so on 8 H200, 4,000 tokens in and 200 out.

    gpustack/gpustack docs/performance-lab/deepseek-v3.2/h200.md, 2025-12. With tensor parallelism, SGLang 0.5.3 serves
    767 of DeepSeek-R1; its ``--enable-dp-attention`` has no effect without ``--dp-size`` (SGLang: server_args.py).
    """
    found = estimate("H200", 8, "deepseek-v3", "sglang", input_tokens=4000, output_tokens=200)
    r1 = estimate("H200", 8, "deepseek-r1", "sglang", input_tokens=4000, output_tokens=200)

    assert found.serving is not None
    assert 8 == found.serving.attention_data_parallel
    assert found.throughput.value == pytest.approx(978, rel=0.15)
    assert r1.throughput.value < 1.4 * 767


@pytest.mark.parametrize("load", [{"concurrency": 4000}, {"requests_per_second": 1000.0}])
def test_no_load_makes_a_server_serve_more_than_its_most(load: dict[str, Any]) -> None:
    """In the same layout; a layout that gains little is not taken where nothing has to be in time."""
    for split, more in ((8, 1 + 1e-9), (None, WIDE_GAIN)):
        most, loaded = (
            estimate("H200", 8, "deepseek-r1", "sglang", split=split, input_tokens=2000, output_tokens=100, **asked)
            for asked in ({}, load)
        )
        assert loaded.throughput.value <= most.throughput.value * more


def test_tuned_and_vendors_engines_are_as_fast_as_they_were_measured_without_an_end() -> None:
    """The bundled runs without an end are of such engines, so that the fit needs no more."""
    stock, tuned = (
        estimate("H200", 8, "llama-3.3-70b", "vllm", tuning=tuning, input_tokens=2000, output_tokens=100)
        for tuning in ("stock", "tuned")
    )

    assert tuned.throughput.value > 1.2 * stock.throughput.value


def test_prompts_cost_steps_on_sixteen_devices_of_one_machine_too() -> None:
    """No engine reads prompts apart unless it is told to (docs.vllm.ai, Expert Parallel Deployment, v0.12.0)."""
    asked: dict[str, Any] = {"precision": "fp8", "concurrency": 64, "output_tokens": 600, "split": 16}
    short, long = (
        estimate("A100-40GB", 16, "qwen3-235b-a22b", "vllm", input_tokens=tokens, **asked) for tokens in (100, 3000)
    )

    assert short.serving is not None
    assert long.serving is not None
    assert 16 == long.serving.attention_data_parallel
    assert long.serving.tpot_ms.value > 1.1 * short.serving.tpot_ms.value


# NVIDIA/TensorRT-LLM docs, v0.17: Llama 3.1 70B in FP8, 1,000 tokens in and out (trtllm in /v1/evidence).
@pytest.mark.parametrize(("count", "published"), [(4, 1209), (8, 1334)])
def test_exchanges_over_pcie_hold_back_tensor_parallel_devices(count: int, published: float) -> None:
    """Eight L40S without links serve hardly more than four."""
    asked: dict[str, Any] = {"precision": "fp8", "input_tokens": 1000, "output_tokens": 1000}
    found = estimate("L40S", count, "llama-3.1-70b", "tensorrt-llm", split=count, **asked)

    assert found.throughput.value == pytest.approx(published, rel=0.25)


def test_what_devices_exchange_is_no_launching_of_kernels() -> None:
    """Of what neither reads nor computes, the larger part is named; long prompts compute their attention."""
    flooded = estimate("H200", 8, "deepseek-r1", "sglang", input_tokens=4000, output_tokens=200)
    alone = estimate("H200", 8, "deepseek-r1", "sglang", concurrency=4, input_tokens=100, output_tokens=2000)
    long = estimate("B200", 1, "qwen3-8b", "vllm", concurrency=5, input_tokens=100_000, output_tokens=500)

    assert ("interconnect", "launch_latency", "accelerator_compute") == tuple(
        one.bottleneck for one in (flooded, alone, long)
    )
