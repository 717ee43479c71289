"""Frameworks are found by name, with the work that each can run."""

import pytest

from plimsoll_service.engine.frameworks import HOLDING, Framework, released, supports
from plimsoll_service.engine.models.families import MODEL_FAMILIES
from plimsoll_service.evidence.models import load
from plimsoll_service.evidence.statements import frameworks, releases

NAMES = """
pytorch tensorflow keras mxnet nvcaffe caffe torch paddle jax tensorrt tensorrt-llm vllm sglang llama.cpp
onnxruntime openvino neuron xgboost lightgbm scikit-learn spark llm-foundry composer megatron torchtitan torchtune
litgpt peft deepspeed huggingface other
"""
REQUIRED = NAMES.split()

IN_EVIDENCE = {
    "Keras + TensorFlow pip wheel": "keras",
    "TensorFlow 1": "tensorflow",
    "Tensorflow 2.10": "tensorflow",
    "PyTorch 1.13.1": "pytorch",
    "PyTorch FSDP (llm-foundry/Composer)": "llm-foundry",
    "PyTorch torchtitan": "torchtitan",
    "torchtune / PyTorch": "torchtune",
    "LitGPT / PyTorch": "litgpt",
    "Megatron-Bridge (NeMo)": "megatron",
    "TensorRT 10.2.0, CUDA 12.4": "tensorrt",
    "TensorRT-LLM (PyTorch backend)": "tensorrt-llm",
    "trtllm": "tensorrt-llm",
    "PyTorch Neuron": "neuron",
    "Transformers NeuronX": "neuron",
    "PaddlePaddle": "paddle",
    "Torch7": "torch7",
    "CuDNN[R4]-fp16 (Torch)": "torch7",
    "Nervana-neon-fp16": "neon",
    "vLLM": "vllm",
    "sklearn": "scikit-learn",
}
AS_TYPED = {
    "sentence-transformers": "huggingface",
    "Sentence Transformers 3.0": "huggingface",
    "openai-whisper": "pytorch",
    "whisper": "pytorch",
    "WhisperX": "faster-whisper",
    "Ultralytics": "pytorch",
    "ComfyUI": "pytorch",
    "TF Serving": "tensorflow",
    "llama-cpp-python": "llama.cpp",
    "LM Studio": "llama.cpp",
    "OpenVINO Model Server": "openvino",
}


def framework(name: str) -> Framework:
    found = frameworks().find(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", REQUIRED)
def test_each_promised_framework_is_known(name: str) -> None:
    """Every framework of the contract is in the table."""
    assert frameworks().find(name) is not None


@pytest.mark.parametrize(("spelling", "name"), IN_EVIDENCE.items())
def test_names_of_the_evidence_are_found(spelling: str, name: str) -> None:
    """Published measurements name frameworks with versions, brackets and slashes."""
    assert framework(spelling).name == name


@pytest.mark.parametrize(("spelling", "name"), AS_TYPED.items())
def test_programs_that_people_name_are_found(spelling: str, name: str) -> None:
    """They are what people call their framework."""
    assert framework(spelling).name == name


@pytest.mark.parametrize("known", frameworks().rows, ids=lambda known: known.name)
def test_an_entry_is_complete(known: Framework) -> None:
    """Families and tasks of the contract, a way to hold data, a source."""
    assert set(known.families) <= set(MODEL_FAMILIES)
    assert set(known.tasks) <= {"training", "inference"}
    assert known.holding in HOLDING
    assert known.source
    assert known.host_base_gib > 0


def test_unknown_frameworks_are_not_guessed() -> None:
    """A near miss is suggested."""
    assert frameworks().find("pytroch") is None
    assert "pytorch" in frameworks().suggest("pytroch")


@pytest.mark.parametrize(
    ("name", "task", "family", "can"),
    [
        ("pytorch", "training", "cnn", True),
        ("vllm", "inference", "decoder", True),
        ("vllm", "training", "decoder", False),
        ("vllm", "inference", "cnn", False),
        ("vllm", "inference", "encoder", True),
        ("tei", "inference", "encoder", True),
        ("infinity", "inference", "encoder", True),
        ("tei", "inference", "decoder", False),
        ("nvcaffe", "training", "decoder", False),
        ("xgboost", "training", "tree", True),
        ("xgboost", "training", "cnn", False),
        ("megatron", "inference", "decoder", False),
        ("tensorrt", "training", "cnn", False),
        ("mxnet", "training", "rnn", True),
        ("pytorch", "hpc", "cnn", False),
        ("other", "inference", "moe", True),
    ],
)
def test_what_a_framework_can_do(name: str, task: str, family: str, can: bool) -> None:
    """A serving engine does not train, a learner of tables runs no network."""
    assert supports(framework(name), task, family) is can


def test_a_learners_library_runs_its_own_model_only() -> None:
    """LightGBM does not train XGBoost's model."""
    assert supports(framework("lightgbm"), "training", "tree", "lightgbm")
    assert not supports(framework("lightgbm"), "training", "tree", "xgboost")


def test_faster_whisper_runs_every_whisper_alone() -> None:
    """Those of the list are models of the catalog, and other speech models are not its."""
    known = framework("faster-whisper")
    speech = {model.name for model in load().models if model.family == "speech" and "whisper" in model.name}

    assert speech == set(known.models)
    assert not supports(known, "inference", "speech", "wav2vec2-base")


@pytest.mark.parametrize(("model", "can"), [("whisper-large-v3-turbo", True), ("wav2vec2-base", False)])
def test_vllm_transcribes_with_whisper_beside_language_models(model: str, can: bool) -> None:
    """Of the speech models of the catalog, its list of supported models has Whisper's design."""
    assert can == supports(framework("vllm"), "inference", "speech", model)


@pytest.mark.parametrize("task", ["training", "inference"])
def test_the_default_can_do_what_it_is_taken_for(task: str) -> None:
    """The framework assumed for a model runs that model."""
    for model in load().models:
        default = frameworks().default_for(task, model.family, model.name)
        assert supports(default, task, model.family, model.name), model.name


def test_customary_defaults() -> None:
    """The defaults are PyTorch for networks, vLLM for language models, and each learner's own library."""
    assert frameworks().default_for("training", "decoder").name == "pytorch"
    assert frameworks().default_for("inference", "moe").name == "vllm"
    assert frameworks().default_for("training", "tree", "xgboost").name == "xgboost"
    assert frameworks().default_for("training", "tree", "random-forest").name == "scikit-learn"


@pytest.mark.parametrize(
    ("name", "version", "year"),
    [
        ("pytorch", "1.13.0a0+d0d6b1f", 2022.8),
        ("pytorch", "2.4", 2024.6),
        ("tensorflow", "1.2.1", 2017.5),
        ("mxnet", "1.2.0.rc1", 2018.4),
        ("tensorflow", "NGC 21.02", 2021 + 1 / 12),
        ("pytorch", "2.3.0a0.nv24.03", 2024 + 2 / 12),
        ("pytorch", "2.8.0a0 (25.05)", 2025 + 4 / 12),
        ("megatron", "26.02.01 NeMo Container", 2026 + 1 / 12),
        ("keras", "mid-2017", 2017.0),
        ("pytorch", "unknown", None),
        ("vllm", "0.12", 2025.92),
        ("vllm", "0.7.3.dev138", 2025.07),
        ("sglang", "0.4.9.post2", 2025.51),
        ("sglang", "0.5.9", 2025.64),
        ("tensorrt-llm", "1.0.0rc3", 2025.73),
        ("tgi", "3.3", None),
    ],
)
def test_the_age_of_a_version(name: str, version: str, year: float | None) -> None:
    """Versions, containers and years are dated; what is unknown stays unknown."""
    assert released(releases().get(name, ()), version) == (None if year is None else pytest.approx(year))


def test_mapped_data_count_as_page_cache() -> None:
    """S3-07: NVCaffe's 9.4 GB of LMDB took about 7 GB; nothing of it is needed."""
    holding = HOLDING[framework("nvcaffe").holding]
    assert holding.required == 0.0
    assert holding.mapped * 9.4 == pytest.approx(7.0)
