"""Memory of served models, worked out by hand from their published dimensions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine
from tests.service.engine.estimate.serving.test_estimate import EIGHT, LLAMA, ONE, job, run, served_by

from plimsoll_service.engine.clusters import UNSAID, Splits
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.estimate.serving.configuration import keeps_blocks
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.obstacles import OBSTACLES
from plimsoll_service.engine.workload import Workload
from plimsoll_service.evidence import models

GIB = 2**30
WITHIN = 0.02
USERS, INPUT, OUTPUT = 8, 1500, 500
HALF, BYTE = 2.0, 1.0
PACKED = 0.5 + (16 + 4) / 8 / 128  # AWQ: a 16-bit scale and a 4-bit zero point for 128 weights
MICROSCALED = 0.5 + 1 / 32  # MXFP4: a byte of scale for 32 weights


@dataclass(frozen=True)
class Published:
    """A model's config.json as published: what its weights and cache follow from."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    words: int
    tied: bool = False
    experts: int = 0  # routed, of ``inner`` each
    expert_layers: int = 0
    dense_inner: int = 0  # of layers without experts
    shared: int = 0
    latent: tuple[int, int, int, int, int] | None = None  # query rank, KV rank, rotary, plain part, value
    window: int = 0
    windowed: float = 0.0  # share of the layers

    def attention(self) -> float:
        """Parameters of one layer's attention."""
        if self.latent is None:
            return self.hidden * self.head * (2 * self.heads + 2 * self.kv_heads)
        query, rank, rotary, plain, value = self.latent
        down = self.hidden * (query + rank + rotary)
        up = self.heads * (query * (plain + rotary) + rank * (plain + value))
        return down + up + self.heads * value * self.hidden

    def of_experts(self) -> float:
        return self.expert_layers * self.experts * 3 * self.hidden * self.inner

    def of_layers(self) -> float:
        """Parameters of all layers without the routed experts."""
        dense = (self.layers - self.expert_layers) * (self.dense_inner or self.inner)
        beside = self.expert_layers * (3 * self.shared + self.experts) * self.hidden
        return self.layers * self.attention() + 3 * self.hidden * dense + beside

    def tables(self) -> float:
        return (1 if self.tied else 2) * self.words * self.hidden

    def kept(self, tokens: int) -> float:
        """Elements of the cache of a context."""
        seen = tokens if not self.window else tokens * (1 - self.windowed) + min(tokens, self.window) * self.windowed
        each = 2 * self.kv_heads * self.head if self.latent is None else self.latent[1] + self.latent[2]
        return self.layers * each * seen


# Sources: config.json of each repository on huggingface.co, by name; DeepSeek-V3 also arXiv 2412.19437.
LLAMA_8B = Published(32, 4096, 32, 8, 128, 14336, 128256)  # meta-llama/Llama-3.1-8B
LLAMA_70B = Published(80, 8192, 64, 8, 128, 28672, 128256)  # meta-llama/Llama-3.3-70B-Instruct
LLAMA_405B = Published(126, 16384, 128, 8, 128, 53248, 128256)  # meta-llama/Llama-3.1-405B
QWEN_7B = Published(28, 3584, 28, 4, 128, 18944, 152064)  # Qwen/Qwen2.5-7B
QWEN_72B = Published(80, 8192, 64, 8, 128, 29568, 152064)  # Qwen/Qwen2.5-72B
PHI_4 = Published(40, 5120, 40, 10, 128, 17920, 100352)  # microsoft/phi-4
MISTRAL_7B = Published(32, 4096, 32, 8, 128, 14336, 32768)  # mistralai/Mistral-7B-v0.3
GEMMA_2_9B = Published(42, 3584, 16, 8, 256, 14336, 256000, True, window=4096, windowed=0.5)  # google/gemma-2-9b
MIXTRAL = Published(32, 4096, 32, 8, 128, 14336, 32000, experts=8, expert_layers=32)  # mistralai/Mixtral-8x7B-v0.1
QWEN_MOE = Published(48, 2048, 32, 4, 128, 768, 151936, experts=128, expert_layers=48)  # Qwen/Qwen3-30B-A3B
DEEPSEEK = Published(  # deepseek-ai/DeepSeek-V3
    61, 7168, 128, 128, 128, 2048, 129280, experts=256, expert_layers=58, dense_inner=18432, shared=2048,
    latent=(1536, 512, 64, 128, 128),
)  # fmt: skip
GPT_OSS = Published(36, 2880, 64, 8, 64, 2880, 201088, experts=128, expert_layers=36, window=128, windowed=0.5)
# openai/gpt-oss-120b

FOUR_SMALL = {**ONE, "accelerator": "T4", "count": 4}
B200 = {**EIGHT, "accelerator": "B200"}
CASES = [
    # name, dimensions, machine, devices, bytes of layers, of experts, of the token tables
    ("llama-3.1-8b", LLAMA_8B, ONE, 1, HALF, HALF, HALF),
    ("meta-llama/Llama-3.1-8B-Instruct-FP8", LLAMA_8B, ONE, 1, BYTE, BYTE, HALF),
    ("llama-3.3-70b", LLAMA_70B, EIGHT, 4, HALF, HALF, HALF),
    ("llama-3.1-405b", LLAMA_405B, B200, 8, HALF, HALF, HALF),
    ("qwen2.5-7b", QWEN_7B, EIGHT, 2, HALF, HALF, HALF),
    ("Qwen/Qwen2.5-72B-Instruct-AWQ", QWEN_72B, EIGHT, 2, PACKED, PACKED, HALF),
    ("phi-4", PHI_4, EIGHT, 2, HALF, HALF, HALF),
    ("mistral-7b-v0.3", MISTRAL_7B, ONE, 1, HALF, HALF, HALF),
    ("gemma-2-9b", GEMMA_2_9B, ONE, 1, HALF, HALF, HALF),
    ("mixtral-8x7b", MIXTRAL, EIGHT, 4, HALF, HALF, HALF),
    ("qwen3-30b-a3b", QWEN_MOE, EIGHT, 8, HALF, HALF, HALF),
    ("deepseek-v3", DEEPSEEK, {**EIGHT, "accelerator": "H200"}, 8, BYTE, BYTE, HALF),
    ("gpt-oss-120b", GPT_OSS, ONE, 1, HALF, MICROSCALED, HALF),
]


@pytest.mark.parametrize(("name", "published", "facts", "devices", "layers", "experts", "tables"), CASES)
def test_weights_and_cache_are_those_worked_out_by_hand(
    name: str, published: Published, facts: dict[str, object], devices: int, layers: float, experts: float,
    tables: float,
) -> None:  # fmt: skip
    """On each device lie its part of the weights, and of eight requests' cache in 16 bits at full length."""
    asked = Workload("inference", model=name, concurrency=USERS, input_tokens=INPUT, output_tokens=OUTPUT)
    outcome = run(asked, machine(**facts), Splits(tensor=devices))
    weights = published.of_layers() * layers + published.of_experts() * experts + published.tables() * tables
    copies = devices if published.latent else max(1, devices / published.kv_heads)  # heads that are kept twice
    cache = USERS / float(outcome.serving.replicas[0]) * published.kept(INPUT + OUTPUT) * HALF * copies / devices

    assert 0 == int(outcome.obstacle[0])
    assert weights / devices / GIB == pytest.approx(float(outcome.device.parts["weights"][0]), rel=WITHIN)
    assert cache / GIB == pytest.approx(float(outcome.device.parts["kv_cache"][0]), rel=WITHIN)


def test_the_parts_are_the_need_and_leave_the_margin_of_a_recommendation() -> None:
    """Weights, cache, activations, graphs and the server sum up to what is required, whatever the load."""
    for users in (1, 40, 5000, None):
        need = run(replace(LLAMA, concurrency=users), machine(**ONE)).device
        assert float(need.required[0]) == pytest.approx(sum(float(part[0]) for part in need.parts.values()))
        assert float(need.required[0]) <= 0.9 * 79.18 * (1 + 1e-6)


@pytest.mark.parametrize(
    ("accelerator", "reported"), [("T4", 14.56), ("L4", 22.04), ("A10G", 22.06), ("H100-SXM", 79.18)]
)
def test_devices_have_the_memory_that_their_driver_reports(accelerator: str, reported: float) -> None:
    """Correction of errors and the driver take their part of the nameplate; the server takes 92% of the rest."""
    need = run(replace(LLAMA, model="llama-3.2-1b"), machine(**{**ONE, "accelerator": accelerator})).device
    assert reported * 0.92 == pytest.approx(float(need.usable[0]), rel=1e-6)


@pytest.mark.parametrize("stored", ["fp8", "int8"])
def test_a_cache_of_eight_bits_is_half_as_large(stored: str) -> None:
    """The cache is in 16 bits, for weights of 8 bits too, unless it is asked for in fewer."""
    asked = replace(LLAMA, precision="fp8", concurrency=32)
    usual, said, small = (
        float(run(replace(asked, kv_cache_precision=name), machine(**ONE)).device.parts["kv_cache"][0])
        for name in (None, "auto", stored)
    )
    assert usual == said
    assert small == pytest.approx(usual / 2)


def test_the_longest_context_must_fit() -> None:
    """A cache holds one request of the longest context, also where shorter ones run; where it cannot, nothing runs."""
    small = machine(**{**ONE, "accelerator": "L4"})
    few, enough, too_long = (
        run(replace(LLAMA, model="llama-3.1-8b", concurrency=1, max_model_len=length), small)
        for length in (None, 20_000, 60_000)
    )
    assert float(few.device.parts["kv_cache"][0]) < 0.1
    assert float(enough.device.parts["kv_cache"][0]) == pytest.approx(20_000 * LLAMA_8B.kept(1) * HALF / GIB)
    assert 0 == int(enough.obstacle[0])
    assert int(too_long.obstacle[0]) > 0


def test_the_largest_context_and_number_of_requests_just_fit() -> None:
    """The largest load that the answer states fits in the recommended margin, and a little more does not."""
    card = machine(**{**ONE, "accelerator": "L4"})
    outcome = run(replace(LLAMA, model="llama-3.1-8b", concurrency=1), card)
    longest = int(outcome.serving.longest_context[np.arange(1)][0])
    most = int(outcome.serving.most_requests[np.arange(1)][0])
    for asked, fits in (
        (replace(LLAMA, model="llama-3.1-8b", concurrency=1, input_tokens=longest - 1, output_tokens=1), True),
        (replace(LLAMA, model="llama-3.1-8b", concurrency=most), True),
        (replace(LLAMA, model="llama-3.1-8b", concurrency=1, input_tokens=longest * 11 // 10, output_tokens=1), False),
    ):
        need = run(asked, card).device
        assert fits == bool(float(need.required[0]) <= 0.9 * 22.04 * (1 + 1e-6))


def test_a_model_larger_than_a_machine_is_served_by_two_in_stages() -> None:
    """DeepSeek in FP8 takes two machines of eight H100: tensors split inside each, layers held in turn."""
    asked = Workload("inference", model="deepseek-v3", concurrency=16)
    eight = machine(**EIGHT, network_gbps=3200)
    alone, together = run(asked, eight), run_on(asked, eight, 2.0)
    unlinked = run_on(asked, machine(**EIGHT, network_gbps=np.nan), 2.0)
    assert [OBSTACLES[int(one.obstacle[0])] for one in (alone, together, unlinked)] == [
        "accelerator_memory", "", "network",
    ]  # fmt: skip
    serving = together.serving
    assert (8, 2, 2, 1) == tuple(
        int(column[0])
        for column in (serving.tensor_parallel, serving.pipeline_parallel, serving.nodes_per_replica, serving.replicas)
    )
    assert float(together.host.parts["weights_loading"][0]) == pytest.approx(
        float(alone.host.parts["weights_loading"][0]) / 2
    )


def test_a_slow_network_between_the_stages_is_paid_for() -> None:
    """Activations pass from machine to machine: over a slow network the first token comes later."""
    asked = Workload("inference", model="deepseek-v3", concurrency=16, input_tokens=8000)
    slow, fast = (run_on(asked, machine(**EIGHT, network_gbps=gbps), 2.0) for gbps in (10, 3200))
    assert float(slow.serving.ttft_ms[np.arange(1)][0]) > float(fast.serving.ttft_ms[np.arange(1)][0])
    assert float(slow.throughput[0]) < float(fast.throughput[0])


def run_on(workload: Workload, one: Machines, nodes: float) -> Outcome:
    """Outcome of a workload on that number of machines."""
    with np.errstate(all="ignore"):
        return served_by(job(workload), one, np.array([nodes]), UNSAID)[0]


def test_stages_hold_what_the_heads_cannot_be_divided_over() -> None:
    """Ten key-value heads are split over two of four T4, not over four: two stages of two hold the model."""
    serving = run(Workload("inference", model="phi-4", concurrency=4), machine(**FOUR_SMALL)).serving
    assert (2, 2, 1) == tuple(
        int(column[0]) for column in (serving.tensor_parallel, serving.pipeline_parallel, serving.nodes_per_replica)
    )


def test_llama_cpp_takes_what_the_driver_reports() -> None:
    """It reserves no share ahead: 40 GiB of weights lie on one card of 48 GB, where vLLM has no room for as many."""
    facts = {"accelerator": "RTX-A6000", "vcpus": 32, "memory_gib": 256}
    asked = Workload("inference", model="llama-3.3-70b", framework="llama.cpp", precision="int4", concurrency=1)
    usable = [
        float(run(replace(asked, **more), machine(**facts)).device.usable[0]) for more in ({}, {"framework": "vllm"})
    ]
    assert 0 == int(run(asked, machine(**facts)).obstacle[0])
    assert usable[1] == pytest.approx(0.92 * usable[0])


def test_layers_lie_on_any_number_of_cards() -> None:
    """llama.cpp splits whole layers: three cards of 24 GB hold what two do not."""
    long = {"concurrency": 1, "max_model_len": 32_768}
    asked = Workload("inference", model="llama-3.3-70b", framework="llama.cpp", precision="int4", **long)
    facts = {"accelerator": "RTX-3090", "vcpus": 32, "memory_gib": 256}
    two, three = (run(asked, machine(**facts, count=count)) for count in (2, 3))
    assert 0 < int(two.obstacle[0])
    assert 0 == int(three.obstacle[0])
    assert 3 == int(three.devices_used[np.arange(1)][0])


@pytest.mark.parametrize(("experts", "inner", "devices", "whole"), [
    (128, 1536, 4, True), (128, 1536, 8, True), (160, 2560, 8, True), (60, 1408, 8, False),
])  # fmt: skip
def test_blocks_of_8_bit_weights_stay_whole(experts: int, inner: int, devices: int, whole: bool) -> None:
    """An eighth of an expert of 1,536 is no whole block of 128, so each of eight devices has whole experts."""
    known = models.find("qwen3-235b-a22b")
    assert known is not None
    dims = known.transformer
    assert dims is not None
    assert dims.moe is not None
    mixture = replace(dims, moe=replace(dims.moe, experts=experts, feed_forward=inner))
    assert whole == keeps_blocks(mixture, devices)


def test_transformers_reads_all_prompts_of_a_batch_at_once() -> None:
    """20 prompts of 700 tokens of Phi-3 mini (3,072 wide, 8,192 inside): 14,000 × (4 × 3,072 + 3 × 8,192) × 2 bytes."""
    asked = replace(LLAMA, model="phi-3-mini-4k", framework="huggingface", concurrency=20, input_tokens=700)
    need = run(asked, machine(**ONE)).device
    scores = 256 * 32_064 * 4.0
    expected = (14_000 * (4 * 3_072 + 3 * 8_192) * 2 + scores) / GIB

    assert expected == pytest.approx(float(need.parts["activations"][0]), rel=WITHIN)


def test_a_server_reads_a_chunk_of_the_prompts() -> None:
    """What vLLM takes up in a step does not grow with the requests."""
    few, many = (
        run(replace(LLAMA, model="phi-3-mini-4k", framework="vllm", concurrency=users), machine(**ONE)).device
        for users in (1, 20)
    )
    assert float(few.parts["activations"][0]) == float(many.parts["activations"][0])


def test_vllm_keeps_the_whole_context_of_chunked_layers() -> None:
    """Llama 4 Scout takes up to 3.6 million tokens on 8 H200 (blog.vllm.ai, 2025-04-05).

    SGLang keeps only the chunk of three layers of four.
    """
    card = machine(**{**EIGHT, "accelerator": "H200"})
    vllm, sglang = (
        int(
            run(replace(LLAMA, model="llama-4-scout", framework=engine, concurrency=1), card, Splits(tensor=8))
            .serving.longest_context[np.arange(1)][0]
        )
        for engine in ("vllm", "sglang")
    )  # fmt: skip

    assert 3.6e6 == pytest.approx(vllm, rel=0.2)
    assert sglang > 2 * vllm
