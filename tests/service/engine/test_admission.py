"""Refusals, their places and their texts; all faults at once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.admission import faults_of, faults_of_terms
from plimsoll_service.engine.workload import (
    Commitment,
    Constraints,
    Dataset,
    Discount,
    Hardware,
    Query,
    Quota,
    Terms,
    Workload,
)

TRAIN = Workload("training", model="resnet-50")
SERVE = Workload("inference", model="llama-3-8b")
AGREED = {"cloud": "aws", "kind": "reserved"}


def faults(workload: Workload, on: tuple[Hardware, ...] = (), **constraints: object) -> dict[str, str]:
    found = faults_of(Query(workload, Constraints(**constraints)), bundled_market(), on)
    assert len({fault.pointer for fault in found}) == len(found)
    return {fault.pointer: fault.detail for fault in found}


@pytest.mark.parametrize("workload", [TRAIN, SERVE, Workload("preprocessing"), Workload("hpc"), Workload("training")])
def test_a_plain_question_has_no_fault(workload: Workload) -> None:
    """A task, alone or with a model, is enough."""
    assert {} == faults(workload)


AT_DAY = "/workload/requests_per_second_by_hour"
WORKLOAD_FAULTS = [
    (Workload("preprocessing", hours_of_audio=1000), "/workload/hours_of_audio", "state dataset.samples"),
    (Workload("training", model="resnt50"), "/workload/model", "did you mean"),
    (Workload("training", framework="pytorh"), "/workload/framework", "'pytorch'"),
    (Workload("training", dataset=Dataset(name="imagnet-1k")), "/workload/dataset/name", "imagenet"),
    (Workload("training", model="gpt2", tokens=1e9, epochs=3), "/workload/epochs", "not both"),
    (Workload("training", batch_size=64, global_batch_size=32), "/workload/batch_size", "must divide"),
    (Workload("training", batch_size=7, global_batch_size=32), "/workload/batch_size", "must divide"),
    (Workload("training", model="resnet50", precision="fp8"), "/workload/precision", "linear layers"),
    (Workload("training", model="resnet50", method="qlora"), "/workload/method", "use lora"),
    (Workload("training", model="gpt2", tokens=1e9, lora_rank=8), "/workload/lora_rank", "method lora"),
    (Workload("training", model="gpt2", method="full", lora_targets="all"), "/workload/lora_targets", "method lora"),
    (Workload("training", precision="int8"), "/workload/precision", "inference"),
    (Workload("training", model="gpt2", tokens=1e9, quantization="gptq"), "/workload/quantization", "method qlora"),
    (
        Workload("training", model="gpt2", tokens=1e9, method="qlora", quantization="awq"),
        "/workload/quantization",
        "gptq or bitsandbytes",
    ),
    (
        Workload("inference", model="gpt2", concurrency=4, requests_per_second=1),
        "/workload/concurrency",
        "not both",
    ),
    (Workload("hpc", bytes=1e12), "/workload/bytes", "requires flops"),
    (Workload("hpc", deadline_hours=4), "/workload/deadline", "state flops"),
    (Workload("training", model="bert-base", framework="xgboost"), "/workload/framework", "does not support"),
    (Workload("training", model="resnet50", framework="NeMo"), "/workload/framework", "NeMo does not support"),
    (Workload("training", model="unet", image_size=(64, 128, 128)), "/workload/image_size", "2 sides"),
    (
        Workload("training", model="qwen2.5-vl-7b", image_size=(448, 448)),
        "/workload/image_size",
        "tokens in sequence_length",
    ),
    (Workload("training", interruptions_per_hour=0.1), "/workload/interruptions_per_hour", "spot"),
    (
        Workload("preprocessing", checkpoint_interval_minutes=10),
        "/workload/checkpoint_interval_minutes",
        "checkpoint_gib",
    ),
    (Workload("inference", model="llama-3-8b", budget_usd=5), "/workload/budget_usd", "max_usd_per_hour"),
    (
        Workload("inference", model="llama-3-8b", batch_size=5, concurrency=5),
        "/workload/batch_size",
        "one of them",
    ),
    (Workload("inference", model="bert-base", deadline_hours=5), "/workload/deadline", "requests_per_second"),
    (Workload("inference", model="llama-3-8b", deadline_hours=5), "/workload/deadline", "requests_per_second"),
    (Workload("inference", model="llama-3-8b", dataset=Dataset(samples=9)), "/workload/dataset", "input_tokens"),
    (Workload("inference", model="gpt2", requests=5, tokens=1e6), "/workload/tokens", "one amount"),
    (
        Workload("inference", model="resnet-50", requests=5, dataset=Dataset(samples=9)),
        "/workload/dataset/samples",
        "one amount",
    ),
    (Workload("inference", model="gpt2", requests=5, concurrency=4), "/workload/requests", "State one"),
    (Workload("inference", model="gpt2", requests=5, batch_size=4), "/workload/batch_size", "as fit"),
    (Workload("inference", model="resnet-50", hours_of_audio=5), "/workload/hours_of_audio", "state requests"),
    (Workload("inference", model="gpt2", requests_per_second_by_hour=(0.0,) * 24), AT_DAY, "above 0"),
    (Workload("inference", model="gpt2", spare_replicas=1), "/workload/spare_replicas", "requires a load"),
    (Workload("inference", model="gpt2", interruptions_per_hour=0.1), "/workload/interruptions_per_hour", "without an"),
    (Workload("training", requests=5), "/workload/requests", "training"),
    (Workload("preprocessing", framework="vaex"), "/workload/framework", "those of preprocessing are mxnet, caffe"),
    (Workload("preprocessing", epochs=5), "/workload/epochs", "read once"),
    (Workload("inference", model="alexnet", steps=5), "/workload/steps", "denoise"),
    (Workload("training", model="logistic-regression", trees=5), "/workload/trees", "no trees"),
]


@pytest.mark.parametrize(("workload", "pointer", "words"), WORKLOAD_FAULTS)
def test_a_workload_that_means_nothing_is_refused(workload: Workload, pointer: str, words: str) -> None:
    """The fault stands at the field to mend and says what to do."""
    found = faults(workload)
    assert [pointer] == list(found)
    assert words in found[pointer]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AlphaFold2", "searches databases"),
        ("Boltz-2", "triple of residues"),
        ("ESMFold", "'esm2-3b' sizes its language model"),
        ("GraphSAGE", "samples of neighbours"),
        ("Pangu-Weather", "'graphcast' and 'fourcastnet'"),
        ("IndexTTS-2", "'fish-speech-1.5'"),
        ("Stable-Audio-Open", "'musicgen-small'"),
        ("htdemucs", "'hifi-gan'"),
        ("PatchTST", "'chronos-2'"),
        ("TabNet", "'xgboost'"),
        ("FT-Transformer", "sequence_length"),
        ("TabPFN", "not trained"),
    ],
)
def test_a_model_whose_work_no_figure_says_is_refused_with_the_reason(name: str, words: str) -> None:
    """The fault names what is known instead, and how to describe the model."""
    found = faults(Workload("inference", model=name))
    assert ["/workload/model"] == list(found)
    assert words in found["/workload/model"]
    assert "or describe the model" in found["/workload/model"]


def test_refused_names_are_of_no_known_model_and_the_others_are() -> None:
    """A model that is added loses its refusal."""
    known = bundled_market().coefficients.models
    for models in known.names.unsized:
        assert [name for name in models.names if known.find(name)] == []
        named = re.findall("'([^']+)'", models.instead)
        assert [name for name in named if known.find(name) is None] == []


CONSTRAINT_FAULTS = [
    ({"clouds": ("aws", "asw")}, "/constraints/clouds/1", "'aws'"),
    ({"exclude_clouds": ("asw",)}, "/constraints/exclude_clouds/0", "'aws'"),
    ({"regions": ("us-east-one",)}, "/constraints/regions/0", "unknown region"),
    ({"architectures": ("risc",)}, "/constraints/architectures/0", "unknown architecture"),
    ({"cpu_vendors": ("Intle",)}, "/constraints/cpu_vendors/0", "'Intel'"),
    ({"accelerators": ("V1000",)}, "/constraints/accelerators/0", "V100"),
    ({"instance_types": ("p3.2xlrge",)}, "/constraints/instance_types/0", "'p3.2xlarge'"),
    ({"instance_families": ("p33",)}, "/constraints/instance_families/0", "unknown instance family"),
    ({"exclude": ("nothing",)}, "/constraints/exclude/0", "unknown instance family"),
    ({"discounts": (Discount("asw", 5),)}, "/constraints/discounts/0/cloud", "'aws'"),
    ({"quotas": (Quota("aws", 1, ("p33",)),)}, "/constraints/quotas/0/families/0", "unknown instance family"),
    ({"min_accelerators": 4, "max_accelerators": 2}, "/constraints/min_accelerators", "exceeds"),
    (
        {"own_machines": (Hardware(accelerator="T4", vcpus=8),)},
        "/constraints/own_machines/0/usd_per_hour",
        "never guessed",
    ),
    (
        {"own_machines": (Hardware(cloud="aws", instance_type="p3.2xlarge", usd_per_hour=1),)},
        "/constraints/own_machines/0",
        "describe your own machine",
    ),
]


@pytest.mark.parametrize(("constraints", "pointer", "words"), CONSTRAINT_FAULTS)
def test_an_unknown_name_in_a_constraint_is_refused(constraints: dict[str, object], pointer: str, words: str) -> None:
    """Each name of a list has its own pointer, and a near miss is suggested."""
    found = faults(TRAIN, **constraints)
    assert [pointer] == list(found)
    assert words in found[pointer]


HARDWARE_FAULTS = [
    (Hardware(), "/on", "name a machine"),
    (Hardware(cloud="aws"), "/on/instance_type", "requires cloud and instance_type"),
    (Hardware(cloud="aws", instance_type="p3.2xlarge", vcpus=8), "/on/vcpus", "the catalog states"),
    (Hardware(cloud="gcp", instance_type="p3.2xlarge"), "/on/instance_type", "unknown instance type of gcp"),
    (Hardware(cloud="aws", instance_type="p3.2xlarge", region="mars"), "/on/region", "unknown region"),
    (Hardware(accelerator="V1000"), "/on/accelerator", "unknown accelerator"),
    (Hardware(vcpus=8, count=2), "/on/count", "requires accelerator"),
    (Hardware(cpu="Skylakes", vcpus=8), "/on/cpu", "Skylake"),
    (Hardware(accelerator="T4", region="us-east-1"), "/on/region", "machine from the catalog"),
    (Hardware(accelerator="T4", count=4, tensor_parallel=8), "/on/tensor_parallel", "at most 4"),
    (Hardware(cloud="aws", instance_type="p3.2xlarge", tensor_parallel=2), "/on/tensor_parallel", "at most 1"),
    (Hardware(cpu="Skylake", vcpus=8, tensor_parallel=2), "/on/tensor_parallel", "at most 1"),
    (Hardware(accelerator="T4", count=4, tensor_parallel=4, pipeline_parallel=2), "/on/pipeline_parallel", "exceed"),
    (Hardware(accelerator="T4", count=4, node_count=2, expert_parallel=16), "/on/expert_parallel", "at most 8"),
]


@pytest.mark.parametrize(("on", "pointer", "words"), HARDWARE_FAULTS)
def test_given_hardware_is_named_or_described(on: Hardware, pointer: str, words: str) -> None:
    """A machine is one of the catalog or a description, never half of each."""
    found = faults(TRAIN, (on,))
    assert [pointer] == list(found)
    assert words in found[pointer]


def test_tensors_are_split_inside_a_machine_and_stages_over_several() -> None:
    """Two machines hold a model in stages, to train it or to serve it; no tensor is split over them."""
    both = Hardware(accelerator="H100", count=8, node_count=2, tensor_parallel=8, pipeline_parallel=2)
    for task in ("training", "inference"):
        assert {} == faults(Workload(task, model="llama-3-70b"), (both,))
        found = faults(Workload(task, model="llama-3-70b"), (replace(both, tensor_parallel=16, pipeline_parallel=1),))
        assert ["/on/tensor_parallel"] == list(found)


@pytest.mark.parametrize(
    ("model", "devices", "even"),
    [("phi-4", 4, False), ("phi-4", 5, True), ("llama-3-70b", 8, True), ("llama-3.1-8b", 16, True),
     ("qwen2.5-7b", 8, False), ("deepseek-v3", 16, True)],
)  # fmt: skip
def test_heads_are_split_evenly(model: str, devices: int, even: bool) -> None:
    """Devices divide the attention heads, and divide the key-value heads or are a multiple of them."""
    asked = Hardware(accelerator="H100", count=16, tensor_parallel=devices)
    found = faults(Workload("inference", model=model), (asked,))
    assert even == ("/on/tensor_parallel" not in found)


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"quantization": "awq", "precision": "bf16"}, "/workload/quantization"),
        ({"quantization": "awq", "framework": "llama.cpp"}, "/workload/quantization"),
        ({"model": "Qwen2.5-7B-Instruct-AWQ", "precision": "fp8"}, "/workload/precision"),
        ({"model": "Qwen2.5-7B-Instruct-AWQ", "quantization": "gptq"}, "/workload/quantization"),
        ({"max_model_len": 700, "input_tokens": 600, "output_tokens": 200}, "/workload/max_model_len"),
    ],
)
def test_weights_and_lengths_that_contradict_each_other_are_refused(fields: dict[str, object], pointer: str) -> None:
    """Format, precision, name and framework must agree, and a request fits in the longest context."""
    assert [pointer] == list(faults(Workload(**{"task": "inference", "model": "llama-3-8b", **fields})))


def test_one_of_several_machines_has_its_place() -> None:
    """In a comparison, the pointer has the index of the machine."""
    assert ["/on/1"] == list(faults(TRAIN, (Hardware(accelerator="T4"), Hardware())))


def test_all_faults_come_at_once() -> None:
    """Nothing has to be mended before the next fault is shown."""
    bad = Workload("training", model="alexnet", framework="pytorh", tokens=5, input_tokens=4, dataset=Dataset(name="x"))
    expected = {
        "/workload/framework", "/workload/tokens", "/workload/input_tokens", "/workload/dataset/name",
        "/constraints/clouds/0", "/on",
    }  # fmt: skip
    assert expected == set(faults(bad, (Hardware(),), clouds=("asw",)))


def test_names_are_forgiving() -> None:
    """Case and punctuation of names do not matter."""
    assert {} == faults(
        Workload("training", model="ResNet 50", framework="PyTorch", dataset=Dataset(name="ImageNet-1K")),
        clouds=("AWS",),
        accelerators=("nvidia-tesla-v100", "V100 16GB SXM2"),
        architectures=("amd64",),
    )


@pytest.mark.parametrize(
    ("commitment", "pointer", "words"),
    [
        (Commitment("awz", "reserved", percent=10), "cloud", "'aws'"),
        (Commitment(**AGREED, percent=10, families=("p4d", "p99")), "families/1", "unknown instance family 'p99'"),
        (
            Commitment(**AGREED, percent=10, instance_types=("p4d.24xlarge", "p4d.48xlarge")),
            "instance_types/1",
            "unknown instance type of aws 'p4d.48xlarge'",
        ),
        (Commitment(**AGREED, percent=10, regions=("us-east-9",)), "regions/0", "unknown region 'us-east-9'"),
        (Commitment(**AGREED, usd_per_hour=1.0, families=("g5",)), "usd_per_hour", "8 instance types"),
        (Commitment(**AGREED, usd_per_hour=1.0), "usd_per_hour", "the price of one machine"),
    ],
)
def test_a_fault_of_a_commitment_is_named(commitment: Commitment, pointer: str, words: str) -> None:
    """A commitment must cover something that its cloud has, and a price in USD must be for one instance type."""
    query = Query(Workload("training"), Constraints(commitments=(commitment,)))
    [fault] = faults_of(query, bundled_market())
    assert f"/constraints/commitments/0/{pointer}" == fault.pointer
    assert words in fault.detail


@pytest.mark.parametrize(
    "commitment",
    [
        Commitment(**AGREED, usd_per_hour=12.0, families=("p4d",)),
        Commitment(**AGREED, usd_per_hour=12.0, instance_types=("p4d.24xlarge", "p4de.24xlarge")),
        Commitment("gcp", "savings_plan", percent=45),
    ],
)
def test_a_sound_commitment_is_admitted(commitment: Commitment) -> None:
    """A family of one type may have a price in USD; a whole cloud may have percent."""
    assert () == faults_of(Query(Workload("training"), Constraints(commitments=(commitment,))), bundled_market())


def test_all_faults_of_an_operator_s_terms_are_named_at_once() -> None:
    """Pointers are those of the file."""
    terms = Terms(
        discounts=(Discount("awz", 10),),
        commitments=(Commitment("aws", "reserved", percent=5, families=("p99",)),),
        quotas=(Quota("aws", 1, ("g99",)),),
        own_machines=(Hardware(accelerator="V100"), Hardware(cloud="aws", instance_type="p3.2xlarge")),
    )
    found = {fault.pointer for fault in faults_of_terms(terms, bundled_market())}
    assert {
        "/discounts/0/cloud",
        "/commitments/0/families/0",
        "/quotas/0/families/0",
        "/own_machines/0/usd_per_hour",
        "/own_machines/1",
    } == found


def test_tokens_of_a_request_name_the_length_instead() -> None:
    """Encoders have one length; a network of images has none, and an encoder-decoder has two."""
    asked = Workload("inference", model="bert-base", input_tokens=128)
    both = replace(asked, model="flan-t5-xl", output_tokens=32)

    assert faults(asked)["/workload/input_tokens"].endswith("; state sequence_length")
    assert "sequence_length" not in faults(replace(asked, model="resnet50"))["/workload/input_tokens"]
    assert {} == faults(both)
    assert "not both" in faults(replace(both, sequence_length=64))["/workload/input_tokens"]


def test_speech_training_is_measured_in_clips() -> None:
    """Hours of audio are refused with the field that says how much there is to learn."""
    asked = Workload("training", model="whisper-large-v3", hours_of_audio=100)
    assert "dataset.samples" in faults(asked)["/workload/hours_of_audio"]
