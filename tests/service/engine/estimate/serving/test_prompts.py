"""Prompts: how many are read in a second, on devices and by llama.cpp on processors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.estimate.machines import machine
from tests.service.engine.estimate.serving.test_estimate import EIGHT, LLAMA, ONE, model_of, run

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.estimate.serving.replica import (
    computing_seconds,
    cpu_prefill_seconds,
    cpu_replica,
    prefill_seconds,
    replica,
)
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.workload import Workload

LABELS = replace(LLAMA, input_tokens=1000, requests=100_000, tpot_ms="none")
GGUF = Workload(
    "inference", model="llama-3.2-3b", framework="llama.cpp", precision="int4", input_tokens=128, output_tokens=128
)


def prompts_per_second(workload: Workload, machines: Machines) -> float:
    """Requests that the machine answers in a second."""
    return float(run(workload, machines).capacity[0]) / (workload.output_tokens or 1)


@pytest.mark.parametrize("accelerator", ["H100-SXM", "A100-80GB", "L40S"])
@pytest.mark.parametrize("output_tokens", [1, 5])
@pytest.mark.parametrize("load", [{}, {"requests": None, "concurrency": 200}])
def test_labels_take_the_time_of_their_prompts(accelerator: str, output_tokens: int, load: dict[str, object]) -> None:
    """With hardly a step to hide beside, a prompt takes its products at the share of the peak that prompts reach."""
    labels = replace(LABELS, output_tokens=output_tokens, **load)
    box = machine(**{**ONE, "accelerator": accelerator})
    most = 1 / computing_seconds(model_of(labels), replica(model_of(labels), box, np.ones(1)))

    assert 0.5 * most[0] < prompts_per_second(labels, box) <= most[0] * (1 + 1e-9)


def test_beside_long_answers_prompts_are_hidden_in_part() -> None:
    """The bound on prompts leaves answers of hundreds of tokens as they were measured."""
    chat = replace(LABELS, output_tokens=200)
    box = machine(**EIGHT)
    most = 8 / computing_seconds(model_of(chat), replica(model_of(chat), box, np.ones(1)))

    assert prompts_per_second(chat, box) < 0.6 * most[0]


@pytest.mark.parametrize("accelerator", ["B200", "B300"])
@pytest.mark.parametrize(
    ("model", "weights", "at_least", "at_most"),
    [
        (
            "qwen2.5-72b",
            {"precision": "int4", "quantization": "awq"},
            0.9,
            1.15,
        ),  # as FlashAttention-2: 362 against 346
        ("qwen2.5-72b", {"precision": "bf16"}, 1.7, 2.3),
        ("gpt-oss-120b", {"precision": "fp4", "quantization": "mxfp4"}, 1.7, 2.3),
        ("kimi-k2-thinking", {"precision": "int4"}, 1.7, 2.3),  # published so: kernels of TensorRT-LLM
    ],
)
def test_kernels_that_unpack_weights_gain_little_on_data_centre_blackwell(
    accelerator: str, model: str, weights: dict[str, str], at_least: float, at_most: float
) -> None:
    """They compute as on Hopper, where other products are twice as fast."""
    served = model_of(replace(LABELS, model=model, framework="vllm", **weights))
    times = [
        computing_seconds(served, replica(served, machine(**{**ONE, "accelerator": name}), np.ones(1)))[0]
        for name in ("H100-SXM", accelerator)
    ]

    assert at_least <= times[0] / times[1] <= at_most


def rented(market: Market, name: str) -> Machines:
    """One type of the bundled catalog."""
    return market.machines.take(np.array([[plate.name for plate in market.nameplates].index(name)]))


def read_per_second(name: str, **asked: object) -> float:
    """Tokens of a prompt that a rented machine reads in a second."""
    model = model_of(replace(GGUF, **asked))
    box = rented(bundled_market(), name)
    return float(128 / cpu_prefill_seconds(model, cpu_replica(model, box))[0])


@pytest.mark.parametrize(("name", "gain"), [("m7g.8xlarge", 2.4), ("m6g.8xlarge", 1.9), ("m7i.8xlarge", 1.0)])
def test_llama_cpp_reads_prompts_on_arm_with_its_kernels_of_2026(name: str, gain: float) -> None:
    """With matrix instructions, with dot products alone, and on x86, whose kernels are those of the measured build."""
    assert gain == pytest.approx(read_per_second(name) / read_per_second(name, framework_version="2025"), rel=0.1)


def test_weights_in_16_bits_are_not_repacked() -> None:
    """The kernels are those of quantised weights."""
    whole = {"precision": "bf16"}

    assert read_per_second("m7g.8xlarge", **whole) == read_per_second("m7g.8xlarge", **whole, framework_version="2025")


def test_a_published_run_on_graviton_lies_near_the_estimate() -> None:
    """296 tokens/s of Llama 3.2 3B on m7g.8xlarge (ggml-org/llama.cpp, pull request 29256, 2026-09-22)."""
    assert 296.5 == pytest.approx(read_per_second("m7g.8xlarge"), rel=0.1)


@pytest.mark.parametrize(
    ("accelerator", "model", "published"),
    [("RTX-2080-Ti", "llama-2-13b", 1494), ("RTX-3080", "llama-3.1-8b", 3807)],
)
def test_published_runs_of_llama_cpp_on_cards_lie_near_the_estimate(
    accelerator: str, model: str, published: float
) -> None:
    """A prompt of 512 tokens (geerlingguy/ai-benchmarks issue 46; dmatora/LLM-inference-speed-benchmarks issue 12)."""
    asked = model_of(replace(GGUF, model=model, input_tokens=512))
    seconds = prefill_seconds(asked, replica(asked, machine(**{**ONE, "accelerator": accelerator}), np.ones(1)))

    assert published == pytest.approx(512 / seconds[0], rel=0.15)


def test_a_very_long_prompt_takes_as_long_as_published() -> None:
    """Llama-3-8B reads 300,000 tokens in 3 min on an A100 (microsoft/MInference issue 84, 2024-11-18)."""
    model = model_of(replace(LLAMA, framework="vllm", input_tokens=300_000, output_tokens=1))
    on = replica(model, machine(**{**ONE, "accelerator": "A100-80GB"}), np.ones(1))

    assert prefill_seconds(model, on)[0] == pytest.approx(180, rel=0.1)
