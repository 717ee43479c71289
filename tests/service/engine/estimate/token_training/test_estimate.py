"""Layout of a language model on devices in training: stated degrees count, others are chosen by memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.engine.estimate.machines import machine, scored
from tests.service.fitted import FITTED

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import HardwareEstimate
from plimsoll_service.engine.estimate.token_training.memory import TokenNeed
from plimsoll_service.engine.workload import CustomModel, Dataset, Hardware, Query, Workload
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

SIZER = Sizer(bundled(), FITTED, LivePrices(bundled()))
NODES = Hardware(accelerator="H100-SXM", count=8, node_count=8, vcpus=192, memory_gib=2000, network_gbps=3200)
ONE = replace(NODES, node_count=1)
DENSE = Workload(
    "training", model="llama-3-70b", tokens=1e9, sequence_length=4096, batch_size=1, global_batch_size=256,
    framework="megatron", precision="bf16", activation_recomputation="none",
)  # fmt: skip
EXPERTS = replace(DENSE, model="qwen3-30b-a3b")
SMALL = Workload("training", model="llama-3-8b", tokens=1e9, sequence_length=2048)
ONE_DEVICE = replace(ONE, accelerator="A100-80GB", count=1)
JUMP = 2.0  # the most that neighbours may differ by


def judge(workload: Workload, on: Hardware) -> HardwareEstimate:
    query = Query(workload)
    assert not faults_of(query, bundled_market(), (on,))
    return SIZER.estimate(query, on)


def rate(workload: Workload, on: Hardware) -> float:
    answer = judge(workload, on)
    assert answer.estimate is not None, answer.short
    return answer.estimate.throughput.value


def need(workload: Workload, on: Hardware) -> float:
    memory = judge(workload, on).sizing.accelerator_memory_gib
    assert memory is not None
    return memory.required


@pytest.mark.parametrize("degree", ["tensor_parallel", "pipeline_parallel"])
def test_sharing_a_replica_among_more_devices_takes_less_of_each(degree: str) -> None:
    """Weights, and with tensors also activations, are divided."""
    needs = [
        need(DENSE, replace(NODES, **{"tensor_parallel": 2, "pipeline_parallel": 2, degree: n})) for n in (2, 4, 8)
    ]
    assert needs == sorted(needs, reverse=True)
    assert needs[0] > needs[-1]


def test_experts_on_more_devices_take_less_of_each() -> None:
    """Each device keeps its share of the experts."""
    few, many = (need(EXPERTS, replace(NODES, expert_parallel=n)) for n in (8, 32))
    assert many < few


def test_sharing_layers_costs_time() -> None:
    """The exposed all-reduces of activations make eight devices slower than two on which the model fits."""
    two, eight = (
        rate(replace(SMALL, batch_size=8), replace(ONE, tensor_parallel=n, pipeline_parallel=1)) for n in (2, 8)
    )
    assert eight < two


def test_a_pipeline_idles_less_with_more_micro_batches() -> None:
    """The bubble is (stages − 1) of the micro-batches of a step."""
    piped = replace(NODES, tensor_parallel=4, pipeline_parallel=8)
    few, many = (rate(replace(DENSE, global_batch_size=size), piped) for size in (16, 256))
    assert many > few


def test_experts_in_other_machines_are_slower_than_in_the_own_one() -> None:
    """Tokens travel over NVLink inside a machine and over its network outside."""
    inside, outside = (rate(EXPERTS, replace(NODES, expert_parallel=n)) for n in (8, 64))
    assert outside < inside


def test_layers_are_shared_only_where_nothing_else_fits() -> None:
    """A model whose states fit spread out keeps whole layers; one too large for that is split inside machines."""
    fits = judge(replace(SMALL, framework="pytorch"), ONE)
    assert fits.fits
    large = Workload("training", model="llama-3.1-405b", tokens=1e9, sequence_length=16_384)
    assert judge(large, replace(NODES, node_count=32)).fits
    alone = replace(NODES, count=1, node_count=256)
    assert need(large, replace(NODES, node_count=32)) < need(large, alone)


def test_jax_keeps_inputs_of_layers_on_the_host_before_it_splits_layers() -> None:
    """Two sequences of 8,192 tokens of Llama 3.1 70B exceed 32 GB a chip, unless layers' inputs lie on the host."""
    work = replace(DENSE, model="llama-3.1-70b", sequence_length=8192, batch_size=2, global_batch_size=128)
    work = replace(work, framework="maxtext", activation_recomputation=None)
    chips = Hardware(accelerator="TPU-v6e", count=8, node_count=8, vcpus=180, memory_gib=720)
    assert judge(work, chips).fits
    assert "tensor parallel" not in layout(work, chips)


LARGE = Workload("training", model="qwen2.5-72b", method="qlora", tokens=1e8, sequence_length=2048)
ADA = Hardware(accelerator="RTX-4090", count=4, vcpus=64, memory_gib=256)


def layout(workload: Workload, on: Hardware) -> str:
    """The layout as text; empty if each device has a whole copy."""
    found = [note.text for note in judge(workload, on).reasons if note.rule == "training-layout"]
    return found[0] if found else ""


@pytest.mark.parametrize(
    "framework", ["peft", "axolotl", "trl", "llama-factory", "unsloth", "transformers", "torchtune"]
)
@pytest.mark.parametrize("method", ["lora", "qlora"])
def test_libraries_for_adapters_split_no_layer(framework: str, method: str) -> None:
    """Their distributed training is FSDP or ZeRO-3; none splits layers with 4-bit weights."""
    for on in (ADA, replace(ADA, accelerator="A100-40GB", count=8), replace(ADA, accelerator="L4", count=8)):
        assert "tensor parallel" not in layout(replace(LARGE, framework=framework, method=method), on)


def test_devices_that_hold_the_layers_in_sequence_work_one_at_a_time() -> None:
    """``device_map`` over four devices is as fast as one of them would be, however many batches a step has."""
    work = replace(LARGE, framework="axolotl", batch_size=1)
    assert "one after another" in layout(work, ADA)
    one = rate(replace(work, model="qwen2.5-7b"), replace(ADA, count=1))
    assert one / 12 < rate(work, ADA) < one / 8
    assert rate(replace(work, global_batch_size=64), ADA) == pytest.approx(rate(work, ADA), rel=0.05)


def test_a_stated_sharding_is_followed_or_does_not_fit() -> None:
    """Nothing else is taken in its place: neither split layers nor layers in sequence, nor experts apart."""
    spread = replace(LARGE, framework="axolotl", sharding="zero3")
    assert not judge(spread, ADA).fits
    assert "over 8 devices (zero3)" in layout(spread, replace(ADA, accelerator="A100-40GB", count=8))
    experts = replace(EXPERTS, batch_size=None, activation_recomputation="auto", sharding="zero3")
    assert "over 64 devices (zero3)" in layout(experts, NODES)


def test_spread_weights_in_4_bits_travel_in_4_bits() -> None:
    """Without NVLink, gathering a quarter of the bytes takes less time and less memory than 16 bits do."""
    pcie = replace(ADA, accelerator="L40S", count=8)
    four, sixteen = (replace(LARGE, method=name, batch_size=1, framework="peft") for name in ("qlora", "lora"))
    parts = [judge(work, pcie).sizing.accelerator_memory_gib for work in (four, sixteen)]
    assert parts[0] is not None
    assert parts[1] is not None
    assert parts[0].breakdown["buffers"] < parts[1].breakdown["buffers"]
    assert rate(four, pcie) > rate(sixteen, pcie)


def test_gptq_weights_take_longer_to_unpack_than_those_of_bitsandbytes() -> None:
    """Plain tensor kernels unpack them (AutoGPTQ); beside long sequences that weighs less, and the name can say it."""
    work = Workload("training", model="qwen2.5-14b", method="qlora", framework="peft", tokens=1e8, batch_size=1)
    packed = replace(work, quantization="gptq")
    ratios = []
    for length in (256, 2048):
        short, slow = (rate(replace(one, sequence_length=length), ONE_DEVICE) for one in (work, packed))
        ratios.append(slow / short)
    assert ratios[0] < ratios[1] < 1
    named = replace(work, model="qwen2.5-14b-instruct-gptq-int4", sequence_length=256)
    assert rate(named, ONE_DEVICE) == rate(replace(packed, sequence_length=256), ONE_DEVICE)


def test_adapters_on_more_matrices_take_more_time_on_long_sequences() -> None:
    """Each moves its matrix's inputs and outputs again: copies, dropout, scaling and sums."""
    work = Workload("training", model="llama-3-8b", method="lora", tokens=1e8, sequence_length=4096, batch_size=1)
    few, many = (rate(replace(work, lora_targets=name), ONE_DEVICE) for name in ("attention", "all"))
    assert 0.75 * few < many < 0.95 * few


def test_expert_parallelism_is_said() -> None:
    """Megatron-LM keeps each device's share of the experts where it is."""
    work = replace(EXPERTS, model="deepseek-v3", batch_size=None, activation_recomputation="auto")
    said = layout(work, replace(NODES, accelerator="B200", node_count=16))
    assert "pipeline stages" in said
    assert "expert parallel 8" in said


def test_a_batch_that_nobody_stated_surely_fits() -> None:
    """It fits at the upper end of the need's range; the largest one goes by the middle, as before."""
    work = Workload(
        "training", framework="deepspeed", model="mistral-nemo-12b", method="full", precision="bf16", tokens=2e8,
        sequence_length=5120, sharding="zero3", global_batch_size=64,
    )  # fmt: skip
    answer = judge(work, ONE)
    memory, batches = answer.sizing.accelerator_memory_gib, answer.sizing.batch_size
    assert memory is not None
    assert batches is not None
    assert memory.high <= 0.99 * 80
    assert (2, 3) == (batches.used, batches.largest)
    assert "tight-memory" not in {note.rule for note in answer.warnings}


def step(workload: Workload, on: Hardware) -> float:
    """Samples of a step."""
    answer = judge(workload, on)
    assert answer.estimate is not None, answer.short
    assert answer.estimate.training is not None
    return answer.estimate.training.global_batch_size


def test_pre_training_takes_steps_of_the_usual_size() -> None:
    """Three billion parameters: a million tokens a step by accumulation, on one device as on eight."""
    work = Workload("training", framework="torchtitan", model="llama-3.2-3b", tokens=6e10, sequence_length=8192)
    assumed = {one.field: one.value for one in judge(work, ONE).assumptions}
    assert 2**20 / 8192 == assumed["global_batch_size"]
    assert [128, 128, 120] == [step(work, replace(ONE, count=count)) for count in (1, 8, 6)]
    assert 256 == step(work, replace(NODES, node_count=32)), "each of 256 devices takes at least one sequence"


def test_tuning_all_weights_of_a_published_model_takes_small_steps() -> None:
    """A quarter of a million tokens: ``full`` says that it is not trained from scratch."""
    work = Workload("training", framework="megatron", model="deepseek-v3", method="full", tokens=1e9)
    work = replace(work, sequence_length=4096)
    assert 2**18 / 4096 == step(work, replace(NODES, accelerator="B200", node_count=16))


def test_a_corpus_is_pre_training_though_the_model_is_published() -> None:
    """A trillion tokens tune nothing: a step of 4 million."""
    work = Workload("training", framework="megatron", model="llama-3.1-70b", method="full", tokens=1.4e12)
    assert 2**22 / 8192 == step(replace(work, sequence_length=8192), NODES)


@pytest.mark.parametrize("stated", [
    {"batch_size": 1}, {"global_batch_size": 16}, {"method": "lora"}, {"tokens": None, "dataset": Dataset(samples=1e5)},
])  # fmt: skip
def test_no_step_is_assumed_where_one_is_stated_or_follows(stated: dict[str, Any]) -> None:
    """Stated batches are followed; adapters and sets of one's own take what the machine makes of them."""
    work = replace(SMALL, framework="pytorch", **stated)
    assert "global_batch_size" not in {one.field for one in judge(work, ONE).assumptions}


def test_a_stated_split_is_followed_without_a_warning() -> None:
    """Tensor, pipeline and expert parallelism of a training by tokens all count."""
    answer = judge(EXPERTS, replace(NODES, tensor_parallel=2, pipeline_parallel=2, expert_parallel=4))
    assert "parallelism-not-modelled" not in {note.rule for note in answer.warnings}


@pytest.mark.parametrize("method", ["full", "lora", "qlora"])
@pytest.mark.parametrize(("field", "values"), [
    ("batch_size", (1, 2, 3, 4, 6, 8)), ("sequence_length", (512, 1024, 2048, 4096, 8192)),
])  # fmt: skip
def test_neighbours_differ_little(method: str, field: str, values: tuple[int, ...]) -> None:
    """No jump over 2 × between neighbouring batches and sequence lengths."""
    rates = [rate(replace(SMALL, method=method, **{field: value}), ONE) for value in values]
    assert all(1 / JUMP <= later / earlier <= JUMP for earlier, later in pairwise(rates))


def test_a_batch_that_does_not_fit_is_refused_and_the_largest_is_named() -> None:
    """Measured: Llama 2 7B with LoRA at four sequences of 1,304 tokens ran out of 40 GB; two fitted."""
    work = Workload(
        "training", model="llama-2-7b", framework="litgpt", method="lora", lora_rank=8, precision="bf16", tokens=1e6,
        sequence_length=1304, batch_size=4, global_batch_size=128, activation_recomputation="none",
    )  # fmt: skip
    answer = judge(work, Hardware(accelerator="A100-40GB", count=1, vcpus=32, memory_gib=256))
    assert not answer.fits
    assert answer.sizing.batch_size is not None
    assert 2 == answer.sizing.batch_size.largest


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 6, 8, 12])
@pytest.mark.parametrize("memory_gib", [80.0, 141.0, 180.0])
def test_a_batch_that_fits_is_no_larger_than_the_largest(batch: int, memory_gib: float) -> None:
    """Also where gradients, which come as activations go, decide how much is needed."""
    device = {80.0: "H100-SXM", 141.0: "H200", 180.0: "B200"}[memory_gib]
    work = Workload("training", model="mistral-7b", tokens=1e9, sequence_length=2048, batch_size=batch)
    answer = judge(work, Hardware(accelerator=device, count=2, vcpus=64, memory_gib=512))
    memory, batches = answer.sizing.accelerator_memory_gib, answer.sizing.batch_size
    assert memory is not None
    assert batches is not None
    recommended = memory.required <= 0.9 * 0.99 * memory_gib * (1 - 1e-4)  # known model; usable of the nameplate
    assert (batches.used <= batches.largest) >= recommended


def test_the_largest_batch_is_what_the_need_is_solved_for() -> None:
    """The most tokens within a device's memory need just that memory, whether gradients accumulate or not."""
    for accumulates in (False, True):
        for gradients in (0.0, 1.0, 20.0):
            each = np.array([0.002])
            need = TokenNeed(
                weights=np.array([10.0]), gradients=np.array([gradients]), optimizer=np.array([20.0]),
                buffers=np.array([1.0]), activation_per_token=each, logits_per_token=each / 4, context=1.2,
                reserve=1.05, accumulates=np.array([accumulates]),
            )  # fmt: skip
            most = need.tokens_within(np.array([70.0]))
            assert need.required(most)[0] == pytest.approx(70.0)


@pytest.mark.parametrize(("method", "most"), [("full", 1.3), ("lora", 1.6), ("qlora", 1.6)])
def test_recomputing_with_adapters_costs_a_whole_forward_pass(method: str, most: float) -> None:
    """Half as much again as a forward and a backward pass of frozen weights; of full training the fit takes less."""
    work = replace(SMALL, method=method, precision="bf16", batch_size=1, global_batch_size=1, framework="torchtune")
    plain, again = (rate(replace(work, activation_recomputation=how), ONE_DEVICE) for how in ("none", "full"))

    assert most - 0.25 < plain / again < most


IMAGES = replace(SMALL, model="qwen2.5-vl-7b", method="lora", precision="bf16", batch_size=1, tokens=None)
TOWER_PARAMETERS, LANGUAGE_PARAMETERS, PATCHES = 669e6, 7615e6, 4  # config.json of Qwen/Qwen2.5-VL-7B-Instruct


@pytest.mark.parametrize("form", [None, "jpeg", "png"])
def test_training_on_images_passes_their_frozen_encoder(form: str | None) -> None:
    """Each patch of each token once, beside a forward and a backward pass of frozen weights."""
    work = replace(IMAGES, dataset=Dataset(samples=1e5, format=form))
    seen, read = (rate(replace(work, model=name), ONE_DEVICE) for name in ("qwen2.5-vl-7b", "qwen2.5-7b"))

    assert read / seen == pytest.approx(1 + PATCHES * TOWER_PARAMETERS / LANGUAGE_PARAMETERS / 2, rel=0.1)
    assert seen < read / 1.08


def test_training_on_text_leaves_the_encoder_out_but_holds_it() -> None:
    """The same speed as without it; its weights lie on the device in 16 bits."""
    work = replace(IMAGES, dataset=Dataset(samples=1e5, format="text"))
    plain = replace(work, model="qwen2.5-7b")

    assert rate(work, ONE_DEVICE) == pytest.approx(rate(plain, ONE_DEVICE))
    assert need(work, ONE_DEVICE) - need(plain, ONE_DEVICE) == pytest.approx(
        1.05 * 2 * TOWER_PARAMETERS / 2**30, abs=1e-3
    )


@pytest.mark.parametrize(("model", "lowest"), [("gpt2", 0.695), ("gpt2-xl", 0.768)])
def test_a_script_that_is_not_compiled_is_within_the_range(model: str, lowest: float) -> None:
    """Kernels that run one by one cost a small model more; trainers that were measured have the range of their rows."""
    box = machine(accelerator="A100-80GB", vcpus=16, memory_gib=256)

    def low(framework: str, tuning: str) -> float:
        workload = Workload("training", model=model, method="full", tokens=1e9, framework=framework, tuning=tuning)
        outcome = scored(workload, box).outcome
        return float(outcome.throughput_low[0] / outcome.throughput[0])

    assert lowest == pytest.approx(low("pytorch", "stock"), rel=0.01)
    assert low("pytorch", "stock") < min(low("pytorch", "tuned"), low("torchtune", "stock"))


def test_unsloth_recomputes_activations_unless_told_not_to() -> None:
    """Its loader's default (models/loader.py): a 14B model needs no 60 GiB for two sequences on a large card."""
    work = Workload("training", framework="unsloth", model="qwen2.5-14b", method="qlora", tokens=6e7, batch_size=2)
    on = Hardware(accelerator="H100-SXM", count=1, vcpus=26, memory_gib=200)
    usual, kept = judge(work, on), judge(replace(work, activation_recomputation="none"), on)
    needs = [one.sizing.accelerator_memory_gib for one in (usual, kept)]

    assert "activations are recomputed" == layout(work, on)
    assert all(needs)
    assert needs[0].required < 25 < 45 < needs[1].required


def test_sinks_are_trained_in_the_eager_way_by_transformers() -> None:
    """gpt-oss-20b with LoRA, 1,000 samples of 2,048 tokens: 18 minutes on an H100 (OpenAI's cookbook, 2025-08)."""
    work = Workload("training", framework="trl", model="gpt-oss-20b", method="lora", tokens=1e6, sequence_length=2048)
    on = Hardware(accelerator="H100-SXM", count=1, vcpus=26, memory_gib=240)
    longer, fused = replace(work, sequence_length=8192, batch_size=1), replace(work, framework="unsloth")

    assert rate(work, on) / 2048 == pytest.approx(1000 / (18 * 60), rel=0.35)
    assert rate(fused, on) > 2 * rate(work, on)
    assert need(longer, on) > need(replace(longer, framework="unsloth"), on)
    texts = ["; ".join(note.text for note in judge(one, on).reasons) for one in (work, fused)]
    assert [True, False] == ["attention with sinks runs without a fused kernel" in text for text in texts]


def test_a_configuration_with_sinks_is_trained_as_the_model_of_that_name() -> None:
    """The configuration of gpt-oss-20b has sinks too, whatever it is called."""
    config = {
        "model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088,
        "num_local_experts": 32, "num_experts_per_tok": 4, "max_position_embeddings": 131072, "sliding_window": 128,
    }  # fmt: skip
    work = Workload("training", framework="trl", model="gpt-oss-20b", method="lora", tokens=1e6, sequence_length=2048)
    on = Hardware(accelerator="H100-SXM", count=1, vcpus=26, memory_gib=240)

    assert rate(work, on) == pytest.approx(rate(replace(work, model=CustomModel(config=config)), on), rel=0.02)


QLORA_70B = Workload(
    "training", framework="pytorch", model="llama-2-70b", method="qlora", tokens=1024 * 2048.0, sequence_length=2048,
    batch_size=2, offload="parameters",
)  # fmt: skip
RECOMPUTED: dict[str, Any] = {"activation_recomputation": "full"}
TWO_CARDS = Hardware(accelerator="RTX-4090", count=2, vcpus=32, memory_gib=128)


@pytest.mark.parametrize(
    ("work", "seconds", "peak_gib"),
    [
        (QLORA_70B, 4399, 14.92),
        (replace(QLORA_70B, model="yi-34b", batch_size=4), 2061, 22.98),
        (replace(QLORA_70B, model="yi-34b", offload="none", sharding="zero3"), 2072, 23.05),
        (replace(QLORA_70B, model="llama-2-7b", method="lora", batch_size=10, **RECOMPUTED), 482, 22.69),
    ],
)
def test_two_cards_with_weights_in_the_host_take_as_long_as_published(
    work: Workload, seconds: float, peak_gib: float
) -> None:
    """1,024 samples of 2,048 tokens on two RTX 4090 (AnswerDotAI/fsdp_qlora, benchmarks_03_2024.md, March 2024)."""
    estimate = judge(work, TWO_CARDS).estimate
    assert estimate is not None
    assert estimate.time_hours is not None
    assert estimate.time_hours.value == pytest.approx(seconds / 3600, rel=0.25)
    assert need(work, TWO_CARDS) == pytest.approx(peak_gib, rel=0.12)


def test_the_host_holds_one_copy_of_what_is_offloaded() -> None:
    """Four bits a parameter of 70 billion, whether two or four devices share them; not a copy for each."""
    kept = [judge(QLORA_70B, replace(TWO_CARDS, count=n)).sizing.memory_gib.breakdown["model"] for n in (2, 4)]
    assert kept == pytest.approx([35, 35], rel=0.05)


def test_thirteen_billion_parameters_train_on_a_v100_with_the_optimizer_in_the_host() -> None:
    """ZeRO-Offload trains 13 billion parameters on one V100 of 32 GB (arXiv 2101.06840, section 6): 2 bytes each."""
    work = Workload("training", framework="deepspeed", model="llama-2-13b", method="full", tokens=1e7)
    card = Hardware(accelerator="V100-32GB", count=1, vcpus=32, memory_gib=512)
    assert [False, True] == [judge(replace(work, offload=what), card).fits for what in ("none", "optimizer")]


def test_small_cards_with_few_watts_fall_behind_their_datasheet() -> None:
    """Large products reached 57 of 121 TFLOP/s on L4 (72 W), 122 of 150 on A40 (300 W).

    zzc0721/torch-performance-test-data, issues 120, 2026-01-12, and 185, 2026-07-22.
    """
    work = Workload(
        "training", model="llama-3-8b", method="lora", tokens=1e7, batch_size=1, activation_recomputation="full"
    )

    def speed(accelerator: str) -> float:
        on = Hardware(accelerator=accelerator, count=1, vcpus=16, memory_gib=128)
        estimate = SIZER.estimate(Query(work), on).estimate
        assert estimate is not None
        return estimate.throughput.value

    assert 0.55 < speed("L4") / (121 / 149.7 * speed("A40")) < 0.75
    assert 0.75 < speed("A10") / (125 / 149.7 * speed("A40")) < 0.95


def test_unsloth_holds_a_copy_on_each_device() -> None:
    """Its guide to several devices starts copies (unsloth.ai, multi-gpu-training-with-unsloth, read 2026-11-28)."""
    work = Workload("training", framework="unsloth", model="llama-3-8b", method="lora", tokens=1e7, batch_size=1)
    on = Hardware(accelerator="A10G", count=4, vcpus=48, memory_gib=192)
    shared = SIZER.estimate(Query(replace(work, framework="peft")), on).sizing.accelerator_memory_gib
    copied = SIZER.estimate(Query(work), on).sizing.accelerator_memory_gib
    assert shared is not None
    assert copied is not None
    assert copied.breakdown["weights"] > 3 * shared.breakdown["weights"]


@pytest.mark.parametrize(
    ("framework", "tuning", "method", "wide"),
    [
        ("huggingface", "stock", "full", True),
        ("llama-factory", "stock", "full", True),
        ("fsdp", "stock", "full", True),
        ("huggingface", "tuned", "full", False),
        ("huggingface", "stock", "lora", False),
        ("torchtitan", "stock", "full", False),
        ("megatron", "tuned", "full", False),
    ],
)
def test_whole_runs_of_stock_scripts_may_be_slow(framework: str, tuning: str, method: str, wide: bool) -> None:
    """OpenThinker-7B took 20 h where the formula says 10 (huggingface.co/open-thoughts, model card, 2025-01-28)."""
    work = Workload(
        "training", model="qwen2.5-7b", framework=framework, tuning=tuning, method=method, tokens=5.6e9,
        sequence_length=16384, sharding="zero3",
    )  # fmt: skip
    answer = judge(work, replace(NODES, node_count=4))
    assert answer.estimate is not None
    assert answer.estimate.time_hours is not None
    assert wide == (answer.estimate.time_hours.high > 2 * answer.estimate.time_hours.value)
