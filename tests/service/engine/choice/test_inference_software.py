"""Software support for serving: the statements of the projects, as the answers follow them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.workload import Constraints, Query, Workload

PORTING = Constraints(max_nodes=1, allow_porting=True)
GRAVITON = "AWS Graviton3"
XEON_AMX, XEON_AVX512, EPYC = "Intel Xeon Platinum 8488C", "Intel Xeon Platinum 8259CL", "AMD EPYC 7R32"
NETWORK = Workload("inference", model="resnet50")
LANGUAGE = Workload("inference", model="llama-3.1-8b")
NO = "software"


def status(workload: Workload, on: str, host: str = "Intel Xeon E5-2686 v4") -> str:
    """Status on a device, or on a processor by its name; ``software`` if it is rejected."""
    processors = {GRAVITON, XEON_AMX, XEON_AVX512, EPYC}
    accelerator, processor = (None, on) if on in processors else (on, host)
    box = Box(
        accelerator=accelerator, count=4, processor=processor, memory_gib=512, vcpus=32,
        architecture="arm64" if processor == GRAVITON else "x86_64",
    )  # fmt: skip
    answer = ask(Query(workload, PORTING), made_up(box))
    if not answer.recommendations:
        [rejected] = answer.rejected
        return rejected
    return answer.recommendations[0].runs.status


@pytest.mark.parametrize(
    ("framework", "on", "expected"),
    [
        # Networks: PyTorch and what it is compiled with.
        ("pytorch", "T4", "supported"),
        ("pytorch", "MI300X", "supported"),
        ("pytorch", "Inferentia2", "ported"),
        ("pytorch", "Trainium1", "ported"),
        ("pytorch", "TPU-v5e", "ported"),
        ("pytorch", "Gaudi2", "ported"),
        ("huggingface", "Inferentia2", "ported"),
        ("pytorch-xla", "TPU-v6e", "supported"),
        ("jax", "TPU-v5e", "supported"),
        ("jax", "Inferentia2", "ported"),
        ("jax", "Inferentia", NO),
        ("jax", "Gaudi2", NO),
        ("tensorflow", "Inferentia2", NO),
        ("tensorflow", "TPU-v5e", "ported"),
        ("tensorflow", "B200", "untested"),
        ("mxnet", "Inferentia", NO),
        ("neuron", "T4", NO),
        ("neuron", XEON_AMX, NO),
        # Runtimes.
        ("tensorrt", "T4", "supported"),
        ("tensorrt", "L4", "supported"),
        ("tensorrt", "B200", "supported"),
        ("tensorrt", "V100-16GB", "ported"),
        ("tensorrt", "K80", "ported"),
        ("tensorrt", "MI300X", NO),
        ("tensorrt", "Inferentia2", NO),
        ("tensorrt", "TPU-v5e", NO),
        ("tensorrt", "Gaudi2", NO),
        ("tensorrt", XEON_AMX, NO),
        ("onnxruntime", "T4", "supported"),
        ("onnxruntime", "L4", "supported"),
        ("onnxruntime", "H100-SXM", "supported"),
        ("onnxruntime", "B200", "untested"),
        ("onnxruntime", XEON_AVX512, "supported"),
        ("onnxruntime", GRAVITON, "supported"),
        ("onnxruntime", "Inferentia2", NO),
        ("onnxruntime", "TPU-v5e", NO),
        ("openvino", XEON_AMX, "supported"),
        ("openvino", EPYC, "untested"),
        ("openvino", GRAVITON, "supported"),
        ("openvino", "T4", NO),
        ("openvino", "MI300X", NO),
        ("triton", "T4", "supported"),
        ("triton", "L4", "supported"),
        ("triton", "Inferentia2", "ported"),
        ("triton", "MI300X", NO),
        ("triton", XEON_AMX, "supported"),
    ],
)
def test_what_runs_a_network_where(framework: str, on: str, expected: str) -> None:
    """ResNet-50; what must be ported is recommended where porting is allowed."""
    assert expected == status(replace(NETWORK, framework=framework), on)


@pytest.mark.parametrize(
    ("model", "on", "expected"),
    [
        ("bert-base", "Inferentia2", "supported"),
        ("whisper-small", "Inferentia2", "supported"),
        ("t5-base", "Trainium1", "supported"),
        ("vit-base", "Inferentia2", "supported"),
        ("sdxl", "Trainium2", "supported"),
        ("tacotron2", "Inferentia2", "untested"),
        ("yolov8m", "Inferentia2", "untested"),
        ("dlrm", "Inferentia2", "untested"),
        ("resnet50", "Inferentia", NO),
    ],
)
def test_neuron_compiles_the_networks_that_it_lists(model: str, on: str, expected: str) -> None:
    """Others may compile; Inferentia1 needs an SDK that is archived, and whose release must be named."""
    assert expected == status(Workload("inference", model=model, framework="neuron"), on)


@pytest.mark.parametrize(
    ("framework", "on", "expected"),
    [
        ("vllm", "T4", "supported"),
        ("vllm", "V100-32GB", "ported"),
        ("vllm", "P100", NO),
        ("vllm", "MI300X", "supported"),
        ("vllm", "Gaudi2", "supported"),
        ("vllm", "Gaudi", NO),
        ("vllm", "TPU-v5e", "supported"),
        ("vllm", "TPU-v4", "ported"),
        ("vllm", "Inferentia2", "ported"),
        ("vllm", "Trainium2", "supported"),
        ("vllm", XEON_AMX, "supported"),
        ("vllm", EPYC, "ported"),
        ("vllm", GRAVITON, "supported"),
        ("sglang", "L4", "supported"),
        ("sglang", "V100-32GB", NO),
        ("sglang", "MI300X", "supported"),
        ("sglang", "TPU-v6e", "ported"),
        ("sglang", XEON_AMX, "supported"),
        ("sglang", EPYC, NO),
        ("tensorrt-llm", "A100-80GB", "supported"),
        ("tensorrt-llm", "L40S", "supported"),
        ("tensorrt-llm", "T4", NO),
        ("tensorrt-llm", "MI300X", NO),
        ("tensorrt-llm", "Inferentia2", NO),
        ("tensorrt-llm", XEON_AMX, NO),
        ("lmdeploy", "V100-32GB", "supported"),
        ("lmdeploy", "H100-SXM", "supported"),
        ("lmdeploy", "B200", "untested"),
        ("lmdeploy", "MI300X", "ported"),
        ("tgi", "A10G", "supported"),
        ("tgi", "L4", "supported"),
        ("tgi", "L40S", "supported"),
        ("tgi", "MI300X", "supported"),
        ("tgi", "Inferentia2", "supported"),
        ("tgi", "TPU-v5e", "ported"),
        ("llama.cpp", "V100-32GB", "supported"),
        ("llama.cpp", GRAVITON, "supported"),
        ("llama.cpp", "Inferentia2", NO),
        ("llama.cpp", "TPU-v5e", NO),
        ("neuron", "Inferentia2", "supported"),
    ],
)
def test_what_serves_a_language_model_where(framework: str, on: str, expected: str) -> None:
    """Llama 3.1 8B in 16 bits has the published support on each device."""
    assert expected == status(replace(LANGUAGE, framework=framework, precision="fp16"), on)


@pytest.mark.parametrize(
    ("model", "framework", "precision", "on", "expected"),
    [
        ("resnet50", "pytorch", "int8", "A10G", "ported"),
        ("resnet50", "pytorch", "int8", XEON_AMX, "supported"),
        ("resnet50", "tensorrt", "int8", "A10G", "supported"),
        ("resnet50", "onnxruntime", "int8", "T4", "supported"),
        ("resnet50", "pytorch", "int4", "T4", NO),
        ("resnet50", "tensorrt", "int4", "A100-40GB", NO),
        ("flux.1-dev", "huggingface", "int4", "L4", "supported"),
        ("bert-large", "pytorch", "int4", "A100-40GB", "supported"),
        ("bert-large", "tensorrt", "fp8", "H100-SXM", "supported"),
        ("flux.1-dev", "huggingface", "fp8", "L40S", "supported"),
    ],
)
def test_few_bits_need_kernels(model: str, framework: str, precision: str, on: str, expected: str) -> None:
    """INT8 convolutions on GPUs come from runtimes, 4 bits are for linear layers, FP8 starts at Ada Lovelace."""
    assert expected == status(Workload("inference", model=model, framework=framework, precision=precision), on)


@pytest.mark.parametrize(
    ("model", "on", "expected"),
    [("gte-base", "T4", "untested"), ("gte-multilingual-base", "T4", NO), ("gte-base-en-v1.5", "T4", NO),
     ("gte-multilingual-base", "L4", "supported")],
)  # fmt: skip
def test_gated_embedders_have_no_vectors_on_turing(model: str, on: str, expected: str) -> None:
    """Text Embeddings Inference, issue 439, and its README; GTE's first models are BERT."""
    workload = Workload("inference", model=model, framework="text-embeddings-inference", requests_per_second=1)

    assert expected == status(workload, on)


@pytest.mark.parametrize(
    ("device", "expected"), [("B200", "supported"), ("RTX-5090", "supported"), ("B300", "untested")]
)
def test_embedders_run_on_blackwell(device: str, expected: str) -> None:
    """huggingface/text-embeddings-inference, pull request 735 of 2025-10-06, merged: 10.0 and 12.0, not 10.3."""
    workload = Workload("inference", model="bge-m3", framework="text-embeddings-inference", requests_per_second=1)

    assert expected == status(workload, device)


@pytest.mark.parametrize("framework", ["llama.cpp", "vllm", "sglang"])
@pytest.mark.parametrize("device", ["Jetson-AGX-Orin-64GB", "Jetson-Thor"])
def test_engines_run_on_jetson_with_its_arm_processor(framework: str, device: str) -> None:
    """NVIDIA/skills (jetson-llm-serve, jetson-llm-benchmark), 2026-06; docs.sglang.io: NVIDIA Jetson Orin, 2026."""
    assert "supported" == status(replace(LANGUAGE, framework=framework), device)


@pytest.mark.parametrize("device", ["B200", "B300", "RTX-5090"])
@pytest.mark.parametrize("quantization", ["awq", "gptq"])
def test_packed_weights_run_in_vllm_on_blackwell(device: str, quantization: str) -> None:
    """vLLM builds Marlin for every device from compute capability 8.0 on (CMakeLists.txt @000a1ee9, 2026)."""
    packed = replace(LANGUAGE, framework="vllm", quantization=quantization)

    assert "supported" == status(packed, device)


@pytest.mark.parametrize(
    ("model", "expected"), [("qwen2.5-vl-7b", "supported"), ("gemma-4-31b", "supported"), ("llava-1.5-7b", "untested")]
)
def test_vllm_serves_the_models_of_images_on_tpu_that_its_plugin_has_tested(model: str, expected: str) -> None:
    """vllm-project/tpu-inference: support_matrices/nightly/v6e/default/model_support_matrix.csv @0350033e, 2026."""
    assert expected == status(Workload("inference", model=model, framework="vllm"), "TPU-v6e")


@pytest.mark.parametrize(("on", "expected"), [("RTX-3090", "ported"), ("A10G", "ported"), ("L4", "supported")])
def test_an_fp8_cache_in_vllm_before_ada_takes_another_back_end(on: str, expected: str) -> None:
    """vllm-project/vllm issue 26431 (RTX 3090 and A100), open since 2025-10-08; pull request 24577 with FlashInfer."""
    assert expected == status(replace(LANGUAGE, framework="vllm", kv_cache_precision="fp8"), on)
