"""Data-parallel attention: each device has the whole cache of its own requests, and whole experts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.choice.anchoring import anchored_job_of
from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.quantities import Serving
from plimsoll_service.engine.workload import Hardware, Query, Workload

B200 = Hardware(accelerator="B200", count=8, vcpus=160, memory_gib=1800)
AGENTS: dict[str, Any] = {"input_tokens": 20000, "output_tokens": 800, "prefix_cache_hit_rate": 0.8}


def on(hardware: Hardware, **asked: Any) -> Evaluated:
    """An inference workload on that hardware."""
    market, query = bundled_market(), Query(Workload("inference", **{**AGENTS, **asked}))
    assert faults_of(query, market, (hardware,)) == ()
    job = anchored_job_of(query, market)
    return evaluate(job, market, hardware, select(job, market, own_machines((), market)))


def served(hardware: Hardware, **asked: Any) -> Serving:
    """Serving layout on the hardware."""
    found = on(hardware, **asked)
    assert found.estimate is not None
    assert found.estimate.serving is not None
    return found.estimate.serving


@pytest.mark.parametrize("framework", ["vllm", "sglang"])
def test_a_latent_cache_is_kept_once_where_it_fills_the_devices(framework: str) -> None:
    """Split by heads, each device keeps all of it: eight hold hardly more requests than one."""
    divided = served(B200, model="kimi-k2", framework=framework, concurrency=100)
    by_heads = served(Hardware(**{**vars(B200), "tensor_parallel": 8}), model="kimi-k2", framework=framework)

    assert (divided.attention_data_parallel, divided.expert_parallel, divided.tensor_parallel) == (8, 8, 8)
    assert (by_heads.attention_data_parallel, by_heads.expert_parallel) == (1, 1)
    assert divided.max_concurrency is not None
    assert by_heads.max_concurrency is not None
    assert divided.max_concurrency > 3 * by_heads.max_concurrency


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("kimi-k2", {"concurrency": 4}),  # heads serve few requests sooner
        ("kimi-k2", {"concurrency": 20, "framework": "tensorrt-llm"}),
        ("qwen3-235b-a22b", {"concurrency": 100}),  # key-value heads divide
    ],
)
def test_heads_are_divided_where_nothing_is_gained(model: str, asked: dict[str, Any]) -> None:
    assert served(B200, model=model, **{"framework": "vllm", **asked}).attention_data_parallel == 1


def test_a_rate_that_is_carried_too_late_has_the_layout_that_is_least_late() -> None:
    """Of one node; a looser target does not change it."""
    node = Hardware(accelerator="H200", count=8, vcpus=128, memory_gib=1600)
    short = {"input_tokens": 3000, "output_tokens": 800, "prefix_cache_hit_rate": None}
    asked = {"model": "deepseek-v3", "framework": "sglang", "requests_per_second": 3, "latency_ms": 2500, **short}
    late, loose = served(node, **asked, tpot_ms=48), served(node, **asked, tpot_ms=54)
    by_heads = served(Hardware(**{**vars(node), "tensor_parallel": 8}), **asked, tpot_ms=48)

    assert (late.attention_data_parallel, loose.attention_data_parallel) == (8, 8)
    assert late.tpot_p95_ms is not None
    assert by_heads.tpot_p95_ms is not None
    assert late.tpot_p95_ms.high > 48
    assert late.tpot_p95_ms.value < by_heads.tpot_p95_ms.value


def test_models_without_experts_have_no_such_layout() -> None:
    assert served(B200, model="llama-3.1-70b", framework="vllm", concurrency=8).attention_data_parallel is None


def test_each_device_holds_all_attention_and_a_lone_prompt_passes_one() -> None:
    """Each device has all attention weights, and a lone prompt's first token is later."""
    found = (on(B200, model="kimi-k2", framework="vllm", concurrency=users) for users in (4, 100))
    needs = [one.sizing.accelerator_memory_gib for one in found]
    few, many = (need.breakdown["weights"] for need in needs if need is not None)
    assert many - few == pytest.approx(9.55, rel=0.05)  # GiB: 7/8 of 11.7 billion parameters of a byte

    alone = served(B200, model="kimi-k2", framework="vllm", concurrency=4)
    shared = served(B200, model="kimi-k2", framework="vllm", concurrency=100)
    assert alone.ttft_ms is not None
    assert shared.ttft_ms is not None
    assert shared.ttft_ms.value > alone.ttft_ms.value
