"""Machines that the software of a workload runs on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.answer import Recommendation
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

SOLVE = Workload("hpc", flops=1e17, precision="fp32")
TRAIN = Workload("training", model="resnet-50")
ADAPT = Workload("training", model="llama-3.2-1b", method="qlora", tokens=1e6)
SERVE = Workload("inference", model="llama-3.2-1b")
EXPERTS = Workload("inference", model="qwen3-30b-a3b", quantization="fp8", concurrency=4)
OLD = replace(TRAIN, framework="tensorflow", framework_version="1.15")
GRAVITON = {"architecture": "arm64", "processor": "AWS Graviton2"}


def status(workload: Workload, constraints: Constraints | None = None, **machine: object) -> str:
    """The status of the only machine, or the name under which it is rejected."""
    answer = ask(Query(workload, constraints or Constraints(max_nodes=1)), made_up(Box(memory_gib=200, **machine)))
    if not answer.recommendations:
        [rejected] = answer.rejected
        return rejected
    return answer.recommendations[0].runs.status


@pytest.mark.parametrize("chip", ["Inferentia", "Inferentia2", "Trainium1", "Qualcomm-AI100"])
def test_chips_for_networks_do_not_simulate(chip: str) -> None:
    """Their compilers take networks alone, so that an hpc job never lands on one, whatever its peak."""
    assert "software" == status(SOLVE, accelerator=chip)


@pytest.mark.parametrize(
    ("chip", "expected"), [("A100-40GB", "supported"), ("MI300X", "software"), (None, "supported")]
)
def test_what_hpc_programs_are_written_for(chip: str | None, expected: str) -> None:
    """Programs are written for CUDA and processors; for AMD's devices they must be ported."""
    assert expected == status(SOLVE, accelerator=chip)


@pytest.mark.parametrize(
    ("workload", "machine", "expected"),
    [
        (TRAIN, {"accelerator": "T4"}, "supported"),
        (TRAIN, {"accelerator": "TPU-v5e"}, "software"),
        (TRAIN, {"accelerator": "Trainium1"}, "software"),
        (TRAIN, {"accelerator": "T4G", **GRAVITON}, "software"),
        (TRAIN, {"accelerator": "T4", **GRAVITON}, "software"),
        # tensorflow/tensorflow issue 62695, 2023-12-26, and apache/mxnet issue 20251, 2021-05-06: no wheels for Arm.
        (OLD, {"accelerator": "T4"}, "supported"),
        (OLD, {"accelerator": "T4G", **GRAVITON}, "software"),
        (replace(TRAIN, framework="mxnet"), {"accelerator": "T4G", **GRAVITON}, "software"),
        (replace(TRAIN, framework="caffe"), {"accelerator": "T4G", **GRAVITON}, "software"),
        # Statements on devices beside x86 processors alone say nothing about Arm.
        (replace(TRAIN, framework="maxtext"), {"accelerator": "GH200", **GRAVITON}, "untested"),
        (Workload("training", model="xgboost"), {"accelerator": "T4G", **GRAVITON}, "supported"),
        (TRAIN, {"accelerator": "V520"}, "software"),
        (replace(TRAIN, framework="jax"), {"accelerator": "TPU-v5e"}, "supported"),
        (replace(TRAIN, framework="pytorch-xla"), {"accelerator": "TPU-v5e"}, "supported"),
        (replace(TRAIN, framework="tensorflow"), {"accelerator": "Trainium1"}, "software"),
        (replace(TRAIN, framework="keras"), {"accelerator": "Trainium1"}, "software"),
        (replace(TRAIN, framework="neuron"), {"accelerator": "Trainium1"}, "supported"),
        (replace(TRAIN, framework="deepspeed"), {"accelerator": "T4"}, "untested"),
        (ADAPT, {"accelerator": "A10G"}, "supported"),
        (ADAPT, {"accelerator": "TPU-v5e"}, "software"),
        (ADAPT, {"accelerator": "Trainium1"}, "software"),
        (replace(ADAPT, framework="unsloth"), {"accelerator": "MI300X"}, "untested"),
        (replace(ADAPT, framework="axolotl"), {"accelerator": "T4"}, "software"),
        (replace(ADAPT, framework="peft"), {"accelerator": "T4"}, "supported"),
        (SERVE, {"accelerator": "L4"}, "supported"),
        (SERVE, {"accelerator": "V100-16GB"}, "software"),
        (replace(SERVE, framework_version="0.14"), {"accelerator": "V100-16GB"}, "supported"),
        (replace(SERVE, framework_version="0.21"), {"accelerator": "V100-16GB"}, "software"),
        (SERVE, {"accelerator": "Inferentia2"}, "software"),
        (replace(SERVE, framework="neuron"), {"accelerator": "Inferentia2"}, "supported"),
        (replace(SERVE, framework="neuron", model="phi-2"), {"accelerator": "Inferentia2"}, "ported"),
        (replace(SERVE, model="llama-3-8b"), {"accelerator": "TPU-v6e"}, "supported"),
        (replace(SERVE, model="gemma-2-2b"), {"accelerator": "TPU-v6e"}, "untested"),
        (replace(SERVE, framework="llama.cpp"), {"accelerator": "V100-16GB"}, "supported"),
        (SERVE, {"accelerator": "GH200", **GRAVITON}, "supported"),
        (replace(SERVE, framework="tgi"), {"accelerator": "GH200", **GRAVITON}, "software"),
        (replace(SERVE, framework="tgi"), {"accelerator": "H100-SXM"}, "supported"),
        (Workload("inference", model="bge-m3", framework="tei"), {"accelerator": "GH200", **GRAVITON}, "software"),
        (Workload("inference", model="bge-m3", framework="tei"), {"accelerator": None, **GRAVITON}, "supported"),
        (
            Workload("inference", model="whisper-small", framework="faster-whisper"),
            {"accelerator": "GH200", **GRAVITON},
            "software",
        ),
        (replace(SERVE, precision="int4"), {"accelerator": "L4"}, "supported"),
        (replace(SERVE, precision="int4"), {"accelerator": "MI300X"}, "software"),
        (replace(SERVE, quantization="bitsandbytes"), {"accelerator": "MI300X"}, "untested"),
        (replace(SERVE, quantization="gguf"), {"accelerator": "MI300X"}, "supported"),
        (replace(SERVE, kv_cache_precision="fp8"), {"accelerator": "H100-SXM"}, "supported"),
        (replace(SERVE, kv_cache_precision="fp8"), {"accelerator": "L40S"}, "supported"),
        # vllm-project/vllm issue 26431: the default back end refuses fp8e4nv before compute capability 8.9.
        (replace(SERVE, kv_cache_precision="fp8"), {"accelerator": "A100-80GB"}, "software"),
        (replace(SERVE, kv_cache_precision="int8"), {"accelerator": "H100-SXM"}, "software"),
        (replace(SERVE, model="gemma-3-4b", quantization="awq"), {"accelerator": "T4"}, "software"),
        (replace(SERVE, model="gemma-3-4b"), {"accelerator": "A10G"}, "supported"),
        (replace(SERVE, precision="int4", framework="tensorrt-llm"), {"accelerator": "T4"}, "software"),
        (replace(SERVE, model="gemma-2-2b", framework="pytorch"), {"accelerator": "T4"}, "software"),
        (replace(SERVE, model="gemma-2-2b", framework="pytorch"), {"accelerator": "L4"}, "supported"),
        (replace(SERVE, model="gemma-2-2b", precision="fp16"), {"accelerator": "L4"}, "software"),
        (replace(SERVE, model="gemma-2-2b", precision="fp32"), {"accelerator": "T4"}, "supported"),
        (Workload("inference", model="resnet-50", framework="tensorrt"), {"accelerator": None}, "software"),
        (Workload("training", model="xgboost"), {"accelerator": None, **GRAVITON}, "supported"),
        (replace(EXPERTS, framework="sglang"), {"accelerator": "A100-80GB"}, "software"),
        (replace(EXPERTS, framework="sglang"), {"accelerator": "H100-SXM"}, "supported"),
        (replace(EXPERTS, framework="vllm"), {"accelerator": "A100-80GB"}, "supported"),
        (replace(EXPERTS, framework="sglang", model="qwen3-8b"), {"accelerator": "A100-80GB"}, "supported"),
    ],
)
def test_a_machine_is_recommended_where_the_software_runs(
    workload: Workload, machine: dict[str, object], expected: str
) -> None:
    """Framework, method, precision, device and processor decide together; what runs nowhere near is rejected."""
    assert expected == status(workload, **machine)


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(allow_porting=True),
        Constraints(accelerators=("Trainium1",)),
        Constraints(instance_types=("box",)),
        Constraints(instance_families=("p3",)),
    ],
)
def test_porting_is_asked_for(constraints: Constraints) -> None:
    """A port is recommended, with a warning, where porting is allowed or the machine is named."""
    assert "ported" == status(TRAIN, constraints, accelerator="Trainium1")


def test_what_runs_nowhere_is_not_recommended_by_name() -> None:
    """Naming a machine does not make software run on it."""
    named = Constraints(accelerators=("TPU-v5e",), allow_porting=True)
    assert "software" == status(replace(ADAPT, framework="unsloth"), named, accelerator="TPU-v5e")


def test_machines_of_your_own_are_named() -> None:
    """Software that must be ported counts on them, and software that cannot run there does not."""
    mine = Hardware(accelerator="Trainium1", count=1, vcpus=8, memory_gib=64, usd_per_hour=0.01, label="mine")

    def clouds(workload: Workload) -> set[str]:
        answer = ask(Query(workload, Constraints(own_machines=(mine,))), made_up(Box()))
        return {one.cloud for one in answer.recommendations}

    assert ({"aws", "own"}, {"aws"}) == (clouds(TRAIN), clouds(replace(TRAIN, framework="keras")))


def recommended(accelerator: str) -> Recommendation:
    constraints = Constraints(allow_porting=True, max_nodes=1)
    return ask(Query(TRAIN, constraints), made_up(Box(accelerator=accelerator))).recommendations[0]


@pytest.mark.parametrize(
    ("accelerator", "rule"),
    [("TPU-v5e", "ported-software"), ("A10G", None), ("L4", None)],
)
def test_a_port_carries_a_warning(accelerator: str, rule: str | None) -> None:
    """The warning is the statement of the table, with the words of ``runs``."""
    one = recommended(accelerator)
    found = {note.rule: note.text for note in one.warnings if note.rule.endswith("-software")}
    assert ({rule: one.runs.why} if rule else {}) == found


def test_programs_that_work_together_are_named_together() -> None:
    """QLoRA with Unsloth needs three of them, and each says what it requires."""
    answer = ask(Query(replace(ADAPT, framework="unsloth")), made_up(Box()))
    assert (
        "Unsloth, PyTorch and bitsandbytes with 4-bit weights run on V100-16GB; PyTorch requires the CUDA 12.6 wheel, "
        "as the default one starts at Turing; bitsandbytes with 4-bit weights requires a build for CUDA 12"
    ) == answer.recommendations[0].runs.why


def test_the_source_says_why() -> None:
    """The statement names program, device and what it takes, and its source has a date."""
    one = recommended("V100-16GB").runs
    assert "PyTorch runs on V100-16GB; it requires the CUDA 12.6 wheel, as the default one starts at Turing" == one.why
    assert "2026" in one.source


@pytest.mark.parametrize(
    ("model", "expected"),
    [("llama-3.2-1b", "supported"), ("gpt-oss-20b", "software"), ("smollm3-3b", "untested")],
)
def test_a_trainer_runs_the_models_that_it_lists(model: str, expected: str) -> None:
    """torchtune has recipes for some families of models; an issue says that one is not among them."""
    work = Workload("training", framework="torchtune", model=model, method="lora", tokens=1e6)

    assert expected == status(work, accelerator="H100-SXM")


def test_preprocessing_with_spark_names_spark() -> None:
    """The note says that both preprocessing and Spark run there, because one does not imply the other."""
    prepare = Workload("preprocessing", "spark", dataset=Dataset(samples=1e6, size_bytes=1e10, format="csv"))
    [first, *_] = ask(Query(prepare), made_up(Box(accelerator=None, memory_gib=64, **GRAVITON))).recommendations

    assert "preprocessing and Spark run on Arm processors" == first.runs.why
    assert "spark.apache.org" in first.runs.source


@pytest.mark.parametrize(("chip", "expected"), [("L40S", "supported"), ("TPU-v6e", "software")])
def test_a_model_that_newer_releases_dropped_is_told(chip: str, expected: str) -> None:
    """vLLM serves Llama 3.2's models of images up to release 0.10.2; the remark says which to install."""
    work = Workload("inference", framework="vllm", model="llama-3.2-11b-vision", concurrency=4)
    assert expected == status(work, accelerator=chip)


@pytest.mark.parametrize("task", ["preprocessing", "training"])
@pytest.mark.parametrize(
    ("framework", "machine", "expected"),
    [
        ("caffe", GRAVITON, "untested"),
        ("caffe", {}, "supported"),
        ("mxnet", GRAVITON, "supported"),
        ("mxnet", {}, "supported"),
    ],
)
def test_one_table_decides_for_preparing_and_for_training(
    task: str, framework: str, machine: dict[str, object], expected: str
) -> None:
    """A framework's own converter runs where the framework does."""
    data = Dataset(samples=1e6, size_bytes=1e10, format="jpeg")
    work = Workload(task, framework, model="alexnet" if task == "training" else None, dataset=data, epochs=None)
    assert expected == status(work, accelerator=None, **machine)


@pytest.mark.parametrize(("chip", "expected"), [("RTX-PRO-6000", "untested"), ("L4", "supported")])
def test_the_oldest_driver_of_catboost_does_not_vouch_for_new_devices(chip: str, expected: str) -> None:
    """Its build has machine code up to 9.0, and an issue reports a crash on Blackwell."""
    table = Dataset(samples=1e7, size_bytes=7e9, format="csv")
    work = Workload("training", model="catboost", trees=2000, features=80, dataset=table)
    assert expected == status(work, accelerator=chip)


@pytest.mark.parametrize(
    ("framework", "precision", "where"),
    [("llama.cpp", "int4", "llama.cpp runs on processors"), ("vllm", "bf16", "vLLM runs on processors with AVX-512")],
)
def test_instructions_are_named_where_software_asks_for_them(framework: str, precision: str, where: str) -> None:
    """llama.cpp runs on any processor; vLLM has a wheel for AVX-512."""
    served = replace(SERVE, framework=framework, precision=precision, concurrency=1, tpot_ms="none")
    box = Box(accelerator=None, vcpus=32, memory_gib=128, processor="Intel Xeon Platinum 8370C")
    [found] = ask(Query(served), made_up(box)).recommendations

    assert where == found.runs.why.split(";")[0]
