"""Weights of served models: as said, as the name says, or as published."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import dimensions_of
from plimsoll_service.engine.demand.served_model import served
from plimsoll_service.engine.models.stored import said_by
from plimsoll_service.engine.units import GIB
from plimsoll_service.engine.workload import CustomModel, Query, SpeculativeDecoding, Workload


def weights_gib(model: str, **fields: object) -> float:
    """GiB of all weights that are loaded."""
    job = job_of(Query(Workload("inference", model=model, **fields)))
    return served(job, dimensions_of(job)).total_bytes / GIB


def stored(**fields: object) -> tuple[str, str | None, str]:
    """Precision, format and canonical model of a question."""
    job = job_of(Query(Workload("inference", **fields)))
    assert job.profile is not None
    return job.precision, job.workload.quantization, job.profile.name


@pytest.mark.parametrize(
    ("model", "precision", "quantization"),
    [("deepseek-v3", "fp8", "fp8"), ("deepseek-r1-0528", "fp8", "fp8"), ("gpt-oss-120b", "fp4", "mxfp4"),
     ("openai/gpt-oss-20b", "fp4", "mxfp4"), ("kimi-k2", "fp8", "fp8"), ("moonshotai/Kimi-K2.5", "int4", None),
     ("llama-3.1-8b", "bf16", None), ("qwen3-235b-a22b", "bf16", None)],
)  # fmt: skip
def test_weights_are_taken_as_published(model: str, precision: str, quantization: str | None) -> None:
    """Auto is the precision of the published weights, and so is nothing said; it is listed."""
    for said in ("auto", None):
        job = job_of(Query(Workload("inference", model=model, precision=said)))
        assert (precision, quantization) == (job.precision, job.workload.quantization)
        assert precision in [one.value for one in job.assumptions if one.field == "precision"]


@pytest.mark.parametrize(
    ("name", "model", "precision", "quantization"),
    [("Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5-72b", "int4", "awq"),
     ("Qwen2.5-7B-Instruct-GPTQ-Int4", "qwen2.5-7b", "int4", "gptq"),
     ("Qwen2.5-7B-Instruct-GPTQ-Int8", "qwen2.5-7b", "int8", "gptq"),
     ("neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b", "fp8", "fp8"),
     ("RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8-dynamic", "llama-3.1-8b", "fp8", "fp8"),
     ("Meta-Llama-3.1-70B-Instruct-INT8", "llama-3.1-70b", "int8", "int8"),
     ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "llama-3.1-8b", "int8", "int8"),
     ("unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "llama-3.1-8b", "int4", "bitsandbytes"),
     ("Qwen2.5-7B-Instruct-GGUF", "qwen2.5-7b", "int4", "gguf"),
     ("Qwen2.5-7B-Instruct-GGUF-Q4_K_M", "qwen2.5-7b", "int4", "gguf"),
     ("Qwen2.5-7B-Instruct-Q5_K_M", "qwen2.5-7b", "int8", "gguf"),
     ("bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M", "qwen2.5-7b", "int4", "gguf"),
     ("bartowski/Qwen2.5-7B-Instruct-GGUF:Q8_0", "qwen2.5-7b", "int8", "gguf"),
     ("qwen2.5-7b-instruct-q8_0.gguf", "qwen2.5-7b", "int8", "gguf"),
     ("Qwen2.5-7B-Instruct.IQ4_XS.gguf", "qwen2.5-7b", "int4", "gguf"),
     ("unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL", "qwen3-8b", "int4", "gguf"),
     ("Qwen2.5-7B-Instruct-F16.gguf", "qwen2.5-7b", "fp16", "gguf"),
     ("llama3.1:8b-instruct-q4_K_M", "llama-3.1-8b", "int4", "gguf"),
     ("mlx-community/Qwen2.5-7B-Instruct-8bit", "qwen2.5-7b", "int8", "int8"),
     ("Qwen3-235B-A22B-FP8", "qwen3-235b-a22b", "fp8", "fp8")],
)  # fmt: skip
def test_names_say_how_weights_are_stored(name: str, model: str, precision: str, quantization: str) -> None:
    """The ending of a name is stripped, and sets precision and quantization."""
    assert (precision, quantization, model) == stored(model=name)


def test_gguf_files_are_served_by_llama_cpp() -> None:
    """GGUF files without a stated engine are served by llama.cpp."""
    job = job_of(Query(Workload("inference", model="Qwen2.5-7B-Instruct-GGUF")))
    assert "llama.cpp" == job.workload.framework


def test_names_without_a_format_say_nothing() -> None:
    """A model's own number, or a fine-tuning's name, is no format."""
    assert [None, None, None] == [said_by(name) for name in ("llama-3.1-8b", "qwen2.5-7b-instruct", None)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({"quantization": "awq"}, ("int4", "awq")), ({"quantization": "gptq", "precision": "int8"}, ("int8", "gptq")),
     ({"quantization": "fp8"}, ("fp8", "fp8")), ({"quantization": "none"}, ("bf16", "none")),
     ({"precision": "int8"}, ("int8", "int8")), ({"precision": "int4", "framework": "llama.cpp"}, ("int4", "gguf"))],
)  # fmt: skip
def test_what_is_asked_is_taken(fields: dict[str, str], expected: tuple[str, str]) -> None:
    """A format has its precision, and a precision its usual format."""
    assert expected == stored(model="llama-3.1-8b", **fields)[:2]


def test_four_bit_floats_as_published_are_weights_alone() -> None:
    """The precision of published MXFP4 weights refers only to the weights: they run without 4-bit units."""
    assert ("fp4", "mxfp4") == stored(model="gpt-oss-20b", precision="fp4")[:2]
    assert ("fp4", "gguf") == stored(model="gpt-oss-20b", precision="fp4", framework="llama.cpp")[:2]
    assert ("fp4", None) == stored(model="llama-3.1-8b", precision="fp4", framework="vllm")[:2]


def test_a_configuration_says_how_weights_are_stored() -> None:
    """A config.json with a quantization_config is taken at its word; Gemma's types are not computed in FP16."""
    plain = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "num_attention_heads": 8,
             "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 10240, "vocab_size": 262208,
             "max_position_embeddings": 131072, "sliding_window": 1024}  # fmt: skip
    packed = {**plain, "quantization_config": {"quant_method": "awq", "bits": 4}}
    assert ("int4", "awq") == stored(model=CustomModel(config=packed))[:2]
    job = job_of(Query(Workload("inference", model=CustomModel(config=plain))))
    assert job.profile is not None
    assert job.profile.bf16_only


@pytest.mark.parametrize(
    ("name", "gib"),
    [("q2_k", 2.95), ("Q3_K_L.gguf", 4.02), ("IQ4_XS", 4.17), ("Q5_K_M.gguf", 5.33), ("Q6_K", 6.14), ("Q8_0", 7.95)],
)
def test_a_size_of_gguf_file_takes_its_real_bits(name: str, gib: float) -> None:
    """The sizes of Llama 3.1 8B's files (ggml-org/llama.cpp@311c2c9f, tools/quantize/README.md)."""
    assert gib == pytest.approx(weights_gib(f"llama-3.1-8b-{name}"), rel=0.01)


@pytest.mark.parametrize(
    ("name", "bits"), [("4.65bpw-h6-exl2", 4.65), ("exl2-3.0bpw", 3.0), ("6.0bpw-exl3", 6.0), ("exl2-5_0bpw", 5.0)]
)
def test_exllamas_files_have_the_mean_bits_that_their_name_says(name: str, bits: float) -> None:
    """Layers in those bits, token tables in 16; the speed is that of GPTQ's kernels, which the assumption says."""
    whole, tables = 70.55e9, 2 * 128_256 * 8192
    expected = ((whole - tables) * bits + tables * 16) / 8 / 2**30
    assert expected == pytest.approx(weights_gib(f"llama-3.1-70b-instruct-{name}"), rel=0.02)


@pytest.mark.parametrize(
    ("model", "method", "least", "most"),
    [("llama-3.1-8b", "eagle3", 0.7, 1.6), ("deepseek-v3", "mtp", 10, 16), ("llama-3.1-70b", "eagle3", 2, 5)],
)
def test_a_draft_takes_memory(model: str, method: str, least: float, most: float) -> None:
    """DeepSeek's module for further tokens has 14 B parameters (DeepSeek-V3, README.md); one of EAGLE is a layer."""
    with_draft = weights_gib(model, speculative_decoding=SpeculativeDecoding(method))
    assert least < with_draft - weights_gib(model) < most
