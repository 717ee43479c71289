"""The notes on how a model lies in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.service.engine.catalogs import Box, ask, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

DATA = Dataset(size_bytes=1e9, samples=1e4)
WHISPER = Workload("training", model="whisper-large-v3", framework="huggingface", method="full", batch_size=16,
                   dataset=DATA)  # fmt: skip
LLAMA = Workload("training", model="llama-3-8b", tokens=1e8, sequence_length=4096)
RECOMPUTED = "activations are recomputed"


@pytest.mark.parametrize(
    ("workload", "device", "count", "expected"),
    [
        (WHISPER, "H200", 8, []),
        (WHISPER, "A100-40GB", 8, [RECOMPUTED]),
        (WHISPER, "V100-32GB", 8, [f"{RECOMPUTED}; optimizer states are sharded over 8 devices (zero1)"]),
        (LLAMA, "H100-SXM", 8, ["weights, gradients and optimizer states are sharded over 8 devices (zero3)"]),
        (LLAMA, "B300", 1, []),
    ],
)
def test_the_reason_says_what_the_script_must_be_set_to(
    workload: Workload, device: str, count: int, expected: list[str]
) -> None:
    """Whole copies on each device need no note."""
    box = Box("box", accelerator=device, count=count, vcpus=128, memory_gib=2000, interconnect="nvlink",
              interconnect_gb_s=900)  # fmt: skip
    one = ask(Query(workload, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
    assert expected == [note.text for note in one.reasons if note.rule == "training-layout"]


@pytest.mark.parametrize(("length", "warned"), [(4608, True), (4096, False)])
def test_a_batch_whose_need_may_exceed_the_device_is_warned_of(length: int, warned: bool) -> None:
    """By the high end of the need: 16 bytes a parameter and the activations of two sequences nearly fill a B200."""
    work = Workload("training", model="mistral-7b", framework="deepspeed", method="full", precision="bf16", tokens=3e8,
                    sequence_length=length, batch_size=2, activation_recomputation="none")  # fmt: skip
    query, market = Query(work), made_up(Box("box", accelerator="B200", vcpus=128, memory_gib=2000))
    job, own = job_of(query), own_machines((), market)
    on = Hardware(cloud="aws", instance_type="box")
    one = evaluate(job, market, on, select(job, market, own))
    need = one.sizing.accelerator_memory_gib
    assert need is not None
    assert need.required < need.provided
    assert warned == ("tight-memory" in {note.rule for note in one.warnings})
    assert any("16 bytes a parameter" in note.text for note in one.reasons if note.rule == "token-training-memory")


@pytest.mark.parametrize(("memory_gib", "warned"), [(32, True), (36, False)])
def test_a_host_that_weights_nearly_fill_while_they_load_is_warned_of(memory_gib: int, warned: bool) -> None:
    """30.5 GiB with the process: 95% of 32 GiB and 85% of 36. Rule: tight-host-memory."""
    work = Workload("inference", model="qwen2.5-14b", framework="vllm", input_tokens=1000, output_tokens=200)
    found = ask(Query(work), made_up(Box("box", accelerator="L40S", vcpus=16, memory_gib=memory_gib)))
    texts = [note.text for note in found.recommendations[0].warnings if note.rule == "tight-host-memory"]

    assert [text.startswith("needs 30.5 GiB of the host's 32.0 GiB") for text in texts] == [True] * warned


def test_a_table_that_nearly_fills_the_host_is_not_weights_that_load() -> None:
    """Boosting on 50 million rows of 100 values has no weights. Rule: tight-host-memory."""
    rows = Dataset(samples=5e7, size_bytes=2e10, format="parquet")
    query = Query(Workload("training", model="xgboost", trees=500, depth=8, features=100, dataset=rows))
    market = made_up(Box("box", accelerator=None, count=0, vcpus=32, memory_gib=64))
    job, own = job_of(query), own_machines((), market)
    one = evaluate(job, market, Hardware(cloud="aws", instance_type="box"), select(job, market, own))
    texts = [note.text for note in one.warnings if note.rule == "tight-host-memory"]

    assert [text.split(" of the host's ")[1] for text in texts] == [
        "64.0 GiB at its peak; keep other programs off the machine"
    ]


@pytest.mark.parametrize(("memory_gib", "fits"), [(64, True), (32, False)])
def test_parts_that_take_turns_lie_in_the_host_s_memory(memory_gib: int, fits: bool) -> None:
    """FLUX in 16 bits, 32 GiB of weights, on a device of 32 GB. Rule: parts-in-turn."""
    work = Workload(
        "inference", model="flux.1-dev", framework="huggingface", precision="bf16", requests_per_second=0.01
    )
    found = ask(Query(work), made_up(Box("box", accelerator="RTX-5090", vcpus=16, memory_gib=memory_gib)))
    texts = [note.text for one in found.recommendations for note in one.reasons if note.rule == "parts-in-turn"]

    assert [text.split(" GiB of weights")[0] for text in texts] == ["the host's memory holds 32.3"] * fits
    assert found.rejected.get("memory", 0) == 1 - fits


@pytest.mark.parametrize(
    ("workload", "processes"),
    [
        (Workload("inference", model="xtts-v2", framework="pytorch", requests_per_second=0.1), 4),
        (Workload("inference", model="whisper-large-v3-turbo", framework="huggingface", requests_per_second=0.2), 4),
        (
            Workload(
                "inference", model="whisper-large-v3", framework="faster-whisper", requests_per_second=0.2, batch_size=4
            ),
            4,
        ),
        (Workload("inference", model="xtts-v2", framework="pytorch", requests_per_second=0.1, tuning="tuned"), None),
        (Workload("inference", model="bert-base", framework="pytorch", requests_per_second=1.0), None),
    ],
)
def test_processes_that_a_device_holds_beside_one_another(workload: Workload, processes: int | None) -> None:
    """As memory and vCPUs allow, of models that one process leaves idle. Rule: processes-per-device."""
    found = ask(Query(workload), made_up(Box("box", accelerator="A10G", vcpus=4, memory_gib=64))).recommendations[0]
    texts = [note.text for note in found.reasons if note.rule == "processes-per-device"]

    begins = [] if processes is None else [f"each device has room for {processes} processes"]
    assert [text.split(";")[0] for text in texts] == begins


@pytest.mark.parametrize(("tuning", "said"), [("stock", True), ("tuned", False)])
def test_the_process_in_front_of_an_engine_is_named(tuning: str, said: bool) -> None:
    """A text to embed is a request of its own, unless several processes take them."""
    work = Workload("inference", model="bge-m3", framework="vllm", requests_per_second=20.0, tuning=tuning)
    found = ask(Query(work), made_up(Box("box", accelerator="L4", vcpus=8, memory_gib=32))).recommendations[0]

    assert said == any(
        "API process of the engine" in note.text for note in found.reasons if note.rule == "http-request"
    )


BERT = Workload("training", model="bert-large", framework="pytorch", batch_size=8, sequence_length=384, dataset=DATA)
LORA = Workload("training", model="flan-t5-xl", framework="huggingface", method="lora", dataset=DATA)
OWN_CODE = Workload("training", model="llama-2-7b", framework="deepspeed", method="full", tokens=1e8)


@pytest.mark.parametrize(("quantization", "unpacks"), [("bitsandbytes", True), ("awq", False)])
def test_weights_that_each_step_unpacks_are_said_to_be_slower_than_others(quantization: str, unpacks: bool) -> None:
    """Other formats of 4 bits are read by kernels of their own."""
    served = Workload("inference", model="qwen2.5-32b", framework="vllm", concurrency=1, quantization=quantization)
    box = Box("box", accelerator="A100-80GB", count=1, vcpus=32, memory_gib=240)
    one = ask(Query(served, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
    [stored] = [note.text for note in one.reasons if note.rule == "stored-weights"]

    assert unpacks == ("each step unpacks them; awq and gptq weights" in stored)


@pytest.mark.parametrize(
    ("workload", "rule", "on", "elsewhere"),
    [
        (BERT, "through-the-host", {"accelerator": "T4"}, {"accelerator": "A10"}),
        (BERT, "process-cores", {"accelerator": "T4", "vcpus": 2}, {"accelerator": "T4"}),
        (LORA, "roomier-batch", {"accelerator": "V100-16GB", "count": 1}, {"accelerator": "A100-40GB", "count": 1}),
    ],
)
def test_a_rule_of_training_is_said_where_it_applies(
    workload: Workload, rule: str, on: dict[str, Any], elsewhere: dict[str, Any]
) -> None:
    """Cards without peer access, processes that share a core, and activations computed again for a larger batch."""
    said = []
    for asked in (on, elsewhere):
        box = Box("box", **{"count": 2, "vcpus": 32, "memory_gib": 240, **asked})
        one = ask(Query(workload, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
        said.append(rule in {note.rule for note in (*one.reasons, *one.warnings)})
    assert said == [True, False]


@pytest.mark.parametrize(
    ("workload", "said"),
    [
        (OWN_CODE, True),
        (replace(OWN_CODE, tuning="tuned"), False),
        (replace(OWN_CODE, method="lora"), False),
        (replace(OWN_CODE, framework="torchtune"), False),
    ],
)
def test_models_whose_kernels_nobody_fused_are_named(workload: Workload, said: bool) -> None:
    """Full training with the models of Transformers, in DeepSpeed or the Trainer. Rule: stock-models."""
    box = Box("box", accelerator="A100-80GB", count=8, vcpus=96, memory_gib=1300, interconnect="nvlink",
              interconnect_gb_s=600)  # fmt: skip
    one = ask(Query(workload, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
    assert said == ("stock-models" in {note.rule for note in one.reasons})
