"""Experts that the tokens of a step are sent to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.served_model import Served, served
from plimsoll_service.engine.estimate.serving.replica import (
    decode_seconds,
    prefill_seconds,
    replica,
    touched_experts,
)
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.models import find

MS = 1e3


def model_of(name: str, context: int = 1000) -> Served:
    asked = job_of(Query(Workload("inference", model=name, framework="vllm", input_tokens=context, output_tokens=1)))
    assert asked.profile is not None
    assert asked.profile.transformer is not None
    return served(asked, asked.profile.transformer)


@pytest.mark.parametrize(
    ("device", "count", "running", "context", "measured_ms"),
    [
        ("H100-SXM", 1, 4, 340, 7.99),
        ("H100-SXM", 1, 15, 4067, 12.37),
        ("H100-SXM", 1, 29, 2050, 14.92),
        ("H100-SXM", 2, 4, 340, 5.54),
        ("A100-80GB", 1, 4, 340, 11.14),
        ("A100-80GB", 1, 29, 4067, 27.99),
        ("A100-80GB", 1, 55, 2050, 31.45),
    ],
)
def test_a_step_of_gpt_oss_takes_as_long_as_measured(
    device: str, count: int, running: int, context: int, measured_ms: float
) -> None:
    """Median intervals between tokens in vLLM 0.10.2 and 0.11.0 (gpustack/gpustack docs/performance-lab)."""
    on = replica(
        model_of("gpt-oss-120b", context),
        machine(
            accelerator=device, count=count, vcpus=64, memory_gib=500, interconnect="nvlink", interconnect_gb_s=900
        ),
        np.array([float(count)]),
    )
    step_ms = MS * decode_seconds(model_of("gpt-oss-120b", context), on, np.array([float(running)]))[0]

    assert step_ms == pytest.approx(measured_ms, rel=0.15)


@pytest.mark.parametrize("name", ["gpt-oss-120b", "qwen3-30b-a3b", "qwen3-235b-a22b", "qwen3-coder-480b-a35b"])
def test_tokens_of_a_step_prefer_the_same_experts(name: str) -> None:
    """One token is sent to as many experts as it activates, and many tokens to fewer than if they chose evenly."""
    model = model_of(name)
    moe = model.dims.moe
    assert moe is not None
    evenly = replace(model, dims=replace(model.dims, moe=replace(moe, spread=1.0)))

    assert touched_experts(model, 1.0) == pytest.approx(model.experts * moe.active / moe.experts)
    assert touched_experts(model, 16.0) < 0.75 * touched_experts(evenly, 16.0)
    assert touched_experts(model, 1e5) == pytest.approx(model.experts)


def test_training_that_evens_out_the_load_sends_tokens_evenly() -> None:
    """DeepSeek-V3 balances its experts (arXiv 2412.19437, section 2.1.2)."""
    profile = find("deepseek-v3")
    assert profile is not None
    assert profile.transformer is not None
    assert profile.transformer.moe is not None
    assert profile.transformer.moe.spread == 1.0


# Whole latencies in vLLM, seconds: vllm-project/vllm pull requests 3240 (2024-03-06) and 4002 (2024-04-11), with tuned
# kernels, and vllm-ci in /v1/evidence.
@pytest.mark.parametrize(
    ("name", "device", "count", "running", "tokens", "measured_s"),
    [
        ("mixtral-8x7b", "A100-80GB", 2, 4, (1000, 50), 1.449),
        ("mixtral-8x7b", "A100-80GB", 2, 8, (1000, 50), 2.034),
        ("mixtral-8x7b", "A100-80GB", 2, 16, (1000, 50), 2.893),
        ("mixtral-8x22b", "A100-80GB", 4, 8, (32, 128), 5.427),
        ("mixtral-8x22b", "A100-80GB", 4, 32, (32, 128), 6.894),
        ("mixtral-8x22b", "A100-80GB", 8, 16, (32, 128), 4.047),
        ("mixtral-8x7b", "H200", 2, 8, (32, 128), 1.917),
    ],
)
def test_wide_experts_are_read_as_fast_as_dense_layers(
    name: str, device: str, count: int, running: int, tokens: tuple[int, int], measured_s: float
) -> None:
    """A static batch: all prompts together, then a step for each further token."""
    model = replace(model_of(name), input_tokens=float(tokens[0]), output_tokens=float(tokens[1]))
    link = {"A100-80GB": 600, "H200": 900}[device]
    facts = {"vcpus": 64, "memory_gib": 500, "interconnect": "nvlink", "interconnect_gb_s": link}
    on = replica(model, machine(accelerator=device, count=count, **facts), np.array([float(count)]))
    users = np.array([float(running)])
    whole = prefill_seconds(model, on, users) + (tokens[1] - 1) * decode_seconds(model, on, users)

    assert whole[0] == pytest.approx(measured_s, rel=0.12)
