"""Support of software on hardware: one row for each published statement, with its source and date.

A row names generations, accelerators, makers or classes of processors. The first row of a program that matches decides,
so particular rows stand before general ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from plimsoll_service.engine.frameworks import title_of
from plimsoll_service.engine.names import key

SUPPORTED, UNTESTED, PORTED, NO = range(4)  # from good to bad: of several programs together, the worst counts
STATUSES = ("supported", "untested", "ported", "no")

# Words for groups of hardware in the rows.
PROCESSOR, X86, ARM, AMX, AVX512, AVX2 = "processor", "x86", "Arm", "AMX", "AVX-512", "AVX2"
NVIDIA, AMD, AWS, GOOGLE, HABANA, QUALCOMM = "NVIDIA", "AMD", "AWS", "Google", "Intel Habana", "Qualcomm"
APPLE, INTEL = "Apple", "Intel"  # graphics processors
KEPLER, MAXWELL, PASCAL, VOLTA, TURING = "Kepler", "Maxwell", "Pascal", "Volta", "Turing"
AMPERE, ADA, HOPPER = "Ampere", "Ada Lovelace", "Hopper"
BLACKWELL = ("Blackwell", "Blackwell Ultra")
CDNA2, CDNA3, CDNA4, RDNA3 = "CDNA2", "CDNA3", "CDNA4", "RDNA3"
CDNA = (CDNA2, CDNA3, CDNA4)
RADEON = ("Vega", "RDNA", "RDNA2", RDNA3, "RDNA3.5", "RDNA4")  # most without ROCm for machine learning
# Of them, those that vLLM names: gfx1100, gfx1151, gfx1200 and gfx1201.
NEW_RADEON = (
    "RX-7900-GRE", "RX-7900-XT", "RX-7900-XTX", "W7800", "W7900", "RX-7700-XT", "RX-7800-XT", "W7700", "RDNA3.5",
    "RDNA4",
)  # fmt: skip
FROM_AMPERE = (AMPERE, ADA, HOPPER, *BLACKWELL)
FROM_TURING = (TURING, *FROM_AMPERE)
FROM_ADA = (ADA, HOPPER, *BLACKWELL)
TPU_V6E, TPU_7X = "TPU v6e (Trillium)", "TPU7x (Ironwood)"
INF1, INF2, TRN1, TRN2, TRN3 = "Inferentia1", "Inferentia2", "Trainium1", "Trainium2", "Trainium3"
TRAINIUM = (TRN1, TRN2, TRN3)
GAUDI = ("Gaudi2", "Gaudi3")
CHIPS = (AWS, GOOGLE, HABANA, QUALCOMM)  # with compilers of their own

A100 = ("A100-40GB", "A100-40GB-PCIe", "A100-80GB", "A100-80GB-PCIe", "A800-80GB")
# NVIDIA's boards for robots, which take its JetPack builds alone.
JETSON = (
    "Jetson-AGX-Orin-64GB", "Jetson-AGX-Orin-32GB", "Jetson-Orin-NX-16GB", "Jetson-Orin-NX-8GB",
    "Jetson-Orin-Nano-Super", "Jetson-Thor",
)  # fmt: skip
BUILT_FOR_ARM = ("T4G", "GH200", "GB200", "GB300", "GB10", *JETSON)  # come with an Arm processor alone


@dataclass(frozen=True)
class Program:
    """A program whose support differs from that of its framework; ``base`` must run there as well."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    base: str = ""
    of_platform: bool = False  # made for one maker's chips: who names it means to port to them


PROGRAMS = (
    Program("unsloth", "Unsloth", base="pytorch"),
    Program("axolotl", "Axolotl", base="pytorch"),
    Program("llama-factory", "LLaMA-Factory", base="pytorch"),
    Program("nemo", "NeMo", ("megatron-bridge-nemo",), base="pytorch"),
    Program("megatron", "Megatron-LM", base="pytorch"),
    Program("deepspeed", "DeepSpeed", base="pytorch"),
    Program("torchtitan", "torchtitan", base="pytorch"),
    Program("torchtune", "torchtune", base="pytorch"),
    Program("llm-foundry", "LLM Foundry", base="pytorch"),
    Program("composer", "Composer", ("mosaicml", "mosaic"), base="pytorch"),
    Program("litgpt", "LitGPT", base="pytorch"),
    Program("lightning", "PyTorch Lightning", ("pytorch-lightning",), base="pytorch"),
    Program("huggingface", "Hugging Face Transformers", base="pytorch"),
    Program("peft", "PEFT", base="pytorch"),
    Program("infinity", "Infinity", base="pytorch"),
    Program("faster-whisper", "faster-whisper", base="ctranslate2"),
    Program("keras", "Keras", base="tensorflow"),
    Program("maxtext", "MaxText"),
    Program("torch-xla", "PyTorch/XLA", ("pytorch-xla",), of_platform=True),
    Program("optimum-habana", "Optimum for Gaudi", of_platform=True),
    Program("neuron", "AWS Neuron", of_platform=True),
    Program("other", "the framework"),
    Program("bitsandbytes", "bitsandbytes"),
    Program("transformer-engine", "Transformer Engine"),
    Program("packed-weights", "a kernel for packed INT4 weights"),
    Program("nxd-inference", "NxD Inference"),
    Program("neuron-network", "this network"),
    Program("4-bit-network", "this network"),
    Program("preprocessing", "preprocessing"),
    Program("hpc", "an HPC program"),
    Program("training", "training"),
    Program("bf16-model", "this model"),
    Program("sglang-fp8-experts", "SGLang with experts in FP8"),
)
_PROGRAMS = {key(spelling): program for program in PROGRAMS for spelling in (program.name, *program.aliases)}

FEATURES = {
    "nf4": "4-bit weights",
    "adamw8bit": "its 8-bit optimizer",
    "int4": "packed INT4 weights",
    "bitsandbytes": "bitsandbytes weights",
    "gguf": "GGUF files",
    "kv-fp8": "an FP8 cache",
    "kv-int8": "an INT8 cache",
    "fp4": "FP4 weights",
    "fp8": "FP8",
    "int8": "INT8",
    "fp16": "FP16",
    "half": "FP16, which a device without BF16 needs,",
}
KINDS_OF_WORK = (
    "training",
    "bf16-model",
    "nxd-inference",
    "neuron-network",
    "sglang-fp8-experts",
)  # parts that are silent where no row speaks
FEW_BITS = ("int4", "fp4")  # without a kernel of their own they do not run at all


class Support(NamedTuple):
    """A statement on a program, or on a feature of it.

    ``needs`` is what it requires, or a remark where nothing is certain. ``until`` is the last release that runs there.
    """

    program: str
    status: int
    on: tuple[str, ...]
    source: str
    needs: str = ""
    feature: str = ""
    host: str = ""  # ``X86`` or ``ARM``: where only machines with such a processor are meant
    task: str = ""
    until: str = ""
    models: tuple[str, ...] = ()  # where it holds for these alone, by the start of their names


EVIDENCE = "measured runs in /v1/evidence, 2026-11"
NOT_FOUND = "no statement found, 2026-11-22"
_TORCH = "pytorch/pytorch: RELEASE.md, releases 2.12 to 2.14, 2026"
_TORCH_BUILDS = "pytorch/test-infra: generate_binary_build_matrix.py, 2026-08-21"
_TORCH_CU118 = "PyTorch's CUDA upgrade runbook, 2025"
_TORCH_ARM = "pytorch/pytorch: build_cuda.sh and issue 147953, 2025; RELEASE.md, 2026"
_XLA = "pytorch/xla: README, 2026-04-23"
_TPU = "cloud.google.com/tpu: quickstarts, which name JAX and PyTorch alone, 2026"
_HABANA = "huggingface/optimum-habana: README, 2026-01-14"
_NEURON = "AWS Neuron 2.32.0: release notes, 2026-08-17"
_NXD = "AWS Neuron: NxD Inference, model reference, 2026-08-21; huggingface/optimum-neuron, 2026-08-19"
_NEURON_XLA = "AWS Neuron: end of PyTorch/XLA training, 2026-05-20"
_NEURON_ARCHIVE = "AWS Neuron: archive, 2026-05-11; Inf1 setup page, 2026"
_NEURON_TF = "AWS Neuron: end of TensorFlow on Inf2, 2026-03-30; archive, 2026-03-11"
_NEURON_NETWORKS = "huggingface/optimum-neuron: supported architectures, 2026-08-19"
_QUALCOMM = "quic/efficient-transformers: README, 2026-08-20"
_JAX = "jax-ml/jax: installation.md, 2026-08-08"
_TF = "tensorflow/docs: install/pip.md, 2026-03-11"
_TF_217 = "TensorFlow 2.17.0: release notes, 2024-07-11"
_BNB = "bitsandbytes-foundation/bitsandbytes: installation.mdx and README, 2026-08-19"
_TE = "NVIDIA/TransformerEngine: README, 2026-08-22"
_UNSLOTH = "unslothai/unsloth: README, 2026-08-22"
_UNSLOTH_DOCS = "unsloth.ai: requirements, 2025-12"
_AXOLOTL = "axolotl-ai-cloud/axolotl: installation.qmd, 2026-07-24"
_FACTORY = "hiyouga/LlamaFactory: README, 2026-08-18"
_TUNE = "meta-pytorch/torchtune: README, 2026-04-23"
_TUNE_GPT_OSS = "meta-pytorch/torchtune issue 2903, open since 2025-08-05"
_TITAN = "pytorch/torchtitan: README, 2026-08-21"
_DEEPSPEED = "deepspeedai/DeepSpeed: README, 2026-08-22"
_MEGATRON = "NVIDIA/Megatron-LM: get-started/install.md, 2026-08-22"
_NEMO = "NVIDIA/NeMo: README, 2025-09-20"
_COMPOSER = "mosaicml/composer: README and devices, 2026-04-29"
_FOUNDRY = "mosaicml/llm-foundry: README, 2025-07-21"
_MAXTEXT = "AI-Hypercomputer/maxtext: README and tiering.md, 2026-08-22"
_LIGHTNING = "Lightning-AI/pytorch-lightning: accelerators, 2026-07-20"
_XGBOOST = "dmlc/xgboost: install.rst, 2026-08-21"
_CATBOOST = "catboost.ai: installation of the command line binaries, 2026"
_LIGHTGBM = "microsoft/LightGBM: Installation-Guide.rst, 2026-03-06"
_SKLEARN = "scikit-learn: array API support, 2026"
_SPARK = "spark.apache.org: overview of Spark 3.5.1, read on 2026-11-22"
_PADDLE = "paddlepaddle.org.cn: installation and tables of packages, 2026"
_NVCAFFE = "NVIDIA/caffe: cmake/Cuda.cmake, 2021-03-04"
_MXNET = "Amazon SageMaker developer guide on MXNet, undated; inferred from its last release, 1.9"
_VLLM = "vLLM 0.21: installation on GPU, 2026"
_VLLM_OLD = "vLLM 0.12 to 0.14: installation on GPU, 2025-12"
_VLLM_BITS = "docs.vllm.ai: features/quantization, 2026"
_VLLM_ROCM = "vLLM: installation on ROCm, 2025-11"
_VLLM_X86 = "vLLM: installation on x86 CPUs, 2026-01"
_VLLM_ARM = "vLLM: installation on Arm CPUs, 2025-12"
_VLLM_TPU = "vllm-project/tpu-inference: README, 2026-08-22"
_VLLM_NEURON = "AWS Neuron 2.32: vLLM plugin, 2026-08-07; vllm-project/vllm-neuron: README, 2025-11-17"
_VLLM_GAUDI = "vllm-project/vllm-gaudi: compatibility matrix, 2026-08-21"
_VLLM_MXFP4 = "vllm-project/recipes: gpt-oss-120b, 2026-08-21"
_VLLM_CACHE = "vLLM: config/cache.py and its test planners, 2026"
_VLLM_TURING_CACHE = "vllm-project/vllm issue 47549, 2026"
_VLLM_FP16 = "vLLM: config/model.py (models that refuse FP16), 2026"
_SGLANG = "docs.sglang.io: quickstart and installation, 2026"
_SGLANG_BITS = "docs.sglang.io: quantization, 2026"
_SGLANG_EXPERTS = "sgl-project/sglang issues 12887, 2025-11-08, and 38291, open since 2026-09-07"
_SGLANG_CPU = "sgl-project/sglang: cpu_server.md, 2025-10"
_SGLANG_TPU = "sgl-project/sglang-jax: README, 2026-08-21"
_TRT = "TensorRT 10.5: release notes, 2024-09"
_TRT_RTX = "TensorRT-RTX 1.5: support matrix, 2026; MLPerf Inference v4.1 on Hopper, 2024-08"
_TRT_OLD = "TensorRT 10.1: support matrix, 2024-06; TensorRT 8.5: release notes, 2022"
_TRTLLM = "nvidia.github.io/TensorRT-LLM: supported hardware, 2026"
_TRTLLM_BITS = "NVIDIA/TensorRT-LLM: support-matrix.md, 2025-08"
_LLAMA_CPP = "ggml-org/llama.cpp: README, 2026"
_TGI = "huggingface/text-generation-inference: installation and back ends, 2026-01-08"
_TGI_ARM = "huggingface/text-generation-inference issue 2332 (no container for Arm), open since 2024-07-30"
_TEI = "huggingface/text-embeddings-inference: supported_models.md, read on 2026-11-23"
_TEI_GTE = "huggingface/text-embeddings-inference: issues 439 and 453, 2024"
_TEI_ARM = "huggingface/text-embeddings-inference: issue 733, open since 2025-10-03; pull request 840, 2026-03-04"
_INFINITY = "pypi.org: infinity-emb 0.0.79, read on 2026-11-23"
_CTRANSLATE = "OpenNMT/CTranslate2: docs/hardware_support.md, read on 2026-11-23"
_CTRANSLATE_ARM = "OpenNMT/CTranslate2 issue 1306, 2023-06-21; pull request 2019, 2026-02-25"
_ORT = "onnxruntime.ai: execution providers, 2026"
_ORT_ARM = "microsoft/onnxruntime issues 27005 and 27944, 2026-05-09"
_ORT_BUILD = "microsoft/onnxruntime 01c27b08: build_linux_python_package.sh (code for compute capability 8.0), 2025"
_TORCH_BYTES = (
    "discuss.pytorch.org: quantization FAQ (161251); huggingface/transformers: quantization overview, 2025-02"
)
_OPENVINO = "OpenVINO 2026: system requirements"
_TRITON = "triton-inference-server/server: README, 2026-08-19"
_HF_BITS = "huggingface/transformers: quantization overview, 2025-02"
_VLLM_GPU = "vLLM 0.31: installation on GPU (AMD ROCm, Intel XPU, Apple Silicon), 2026"
_TORCH_MPS = "pytorch/pytorch: RELEASE.md, macOS with MPS, 2026"
_ROCM = "AMD ROCm: system requirements, undated"
_INFERENCE = "AWS Neuron 2.32.0: release notes, 2026-08-17; quic/efficient-transformers: README, 2026-08-20; S1-15"

_ON_ARM = "PyTorch compiled for compute capability 7.5 on Arm, or AWS's ARM64 image for G5g"
_CU126 = "the CUDA 12.6 wheel, as the default one starts at Turing"
_OLD_NEURON = "Neuron 2.28 or 2.29 with PyTorch 2.9, its compiler, and changes to the code"

# Models that the engines for compiled chips list.
_TPU_MODELS = (
    "llama-3-", "llama-3.1-8b", "llama-3.1-70b", "llama-3.3-70b", "qwen3-4b", "qwen3-32b", "qwen3-30b", "qwen3-coder",
    "qwen3.5-397b", "gemma-3-27b", "deepseek-r1", "gpt-oss-120b",
)  # fmt: skip
_NEURON_MODELS = (
    "bert-", "roberta-", "distilbert-", "mpnet", "all-mpnet", "modernbert", "whisper-", "t5-", "flan-t5-", "vit-",
    "clip", "swin-", "convnext-", "yolos", "stable-diffusion-", "sdxl", "pixart", "flux", "all-minilm", "sentence-",
)  # fmt: skip
_TUNE_MODELS = (
    "llama-2-", "llama-3-", "llama-3.", "llama-4-", "code-llama", "mistral-7b", "gemma-2b", "gemma-7b", "gemma-2-",
    "phi-3-mini", "phi-4", "qwen2-0.5b", "qwen2-1.5b", "qwen2-7b", "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b",
    "qwen2.5-7b", "qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b", "qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b",
    "qwen3-14b", "qwen3-32b",
)  # fmt: skip
_NXD_MODELS = (
    "llama-2-", "llama-3-", "llama-3.", "llama-4-", "mistral-7b", "mixtral-8x7b", "dbrx", "qwen2-", "qwen2.5-0.5b",
    "qwen2.5-7b", "qwen2.5-32b", "qwen2.5-72b", "qwen3-", "phi-3-", "smollm3", "gemma-3-", "gpt-oss",
)  # fmt: skip

SUPPORT = (
    # PyTorch and what builds on it.
    Support("pytorch", UNTESTED, JETSON, NOT_FOUND, "take NVIDIA's container for JetPack"),
    Support("pytorch", SUPPORTED, (APPLE,), _TORCH_MPS, "macOS 14 or newer"),
    Support("pytorch", UNTESTED, (INTEL, *NEW_RADEON), _VLLM_GPU, "try the build of PyTorch for this maker's devices"),
    Support("pytorch", PORTED, (TURING,), _TORCH_ARM, _ON_ARM, host=ARM),
    Support("pytorch", SUPPORTED, (AMPERE, HOPPER, *BLACKWELL), _TORCH, "the CUDA wheel for aarch64", host=ARM),
    Support("pytorch", UNTESTED, (ADA,), _TORCH, "its code for compute capability 8.0 may do", host=ARM),
    Support("pytorch", NO, (NVIDIA, AMD), _TORCH_BUILDS, host=ARM),
    Support("pytorch", SUPPORTED, FROM_TURING, _TORCH),
    Support("pytorch", SUPPORTED, (MAXWELL, PASCAL, VOLTA), _TORCH, _CU126),
    Support("pytorch", SUPPORTED, (KEPLER,), _TORCH_CU118, "its CUDA 11.8 wheel", until="2.7"),
    Support("pytorch", SUPPORTED, CDNA, _TORCH_BUILDS, "the ROCm 7 wheel"),
    Support("pytorch", NO, (AMD,), _ROCM),
    Support("pytorch", PORTED, (GOOGLE,), _XLA, "PyTorch/XLA and changes to the code"),
    Support("pytorch", PORTED, TRAINIUM, _NEURON_XLA, _OLD_NEURON, task="training"),
    Support("pytorch", PORTED, (INF2, *TRAINIUM), _NEURON, "Neuron's compiler and changes to the code"),
    Support("pytorch", PORTED, (INF1,), _NEURON_ARCHIVE, "torch-neuron of the archived Neuron 2.22", task="inference"),
    Support("pytorch", NO, (AWS,), _NEURON_ARCHIVE),
    Support("pytorch", PORTED, GAUDI, _HABANA, "Optimum for Gaudi or Intel's own build, and changes to the code"),
    Support("pytorch", PORTED, ("Gaudi1",), EVIDENCE, "an old release of Habana's own build"),
    Support("pytorch", PORTED, (QUALCOMM,), _QUALCOMM, "an export to ONNX and the Cloud AI compiler", task="inference"),
    Support("pytorch", SUPPORTED, (PROCESSOR,), _TORCH_BUILDS),
    Support("pytorch", SUPPORTED, (PROCESSOR,), _TORCH_BYTES, feature="int8", task="inference"),
    Support("pytorch", PORTED, (NVIDIA,), _TORCH_BYTES, "a runtime with INT8 kernels, such as TensorRT or ONNX Runtime",
            "int8", task="inference"),
    Support("torch-xla", SUPPORTED, ("TPU v4", "TPU v5e", "TPU v5p", TPU_V6E, TPU_7X), _XLA, "torch_xla[tpu]"),
    Support("torch-xla", UNTESTED, (GOOGLE,), _XLA, "its guide names no generation"),
    Support("optimum-habana", SUPPORTED, GAUDI, _HABANA, "Gaudi software 1.22"),
    Support("unsloth", SUPPORTED, (AMPERE, ADA, *BLACKWELL), _UNSLOTH),
    Support("unsloth", SUPPORTED, (VOLTA, TURING, HOPPER), _UNSLOTH_DOCS),
    Support("unsloth", PORTED, (PASCAL,), _UNSLOTH_DOCS, "patience: it lies below the stated minimum and is slow"),
    Support("unsloth", UNTESTED, CDNA, _UNSLOTH, "its guide to AMD does not name Instinct devices"),
    Support("unsloth", NO, (KEPLER, MAXWELL, AMD, *CHIPS, PROCESSOR), _UNSLOTH),
    Support("axolotl", SUPPORTED, FROM_AMPERE, _AXOLOTL),
    Support("axolotl", NO, (VOLTA, TURING), _AXOLOTL, "it needs BF16, which Ampere was the first to have"),
    Support("axolotl", SUPPORTED, CDNA, _AXOLOTL, "the ROCm build of PyTorch"),
    Support("axolotl", NO, CHIPS, _AXOLOTL),
    Support("llama-factory", SUPPORTED, (TURING, AMPERE, ADA, HOPPER), _FACTORY),
    Support("llama-factory", SUPPORTED, (CDNA2, CDNA3), _FACTORY, "its ROCm image"),
    Support("llama-factory", NO, CHIPS, _FACTORY),
    Support("torchtune", NO, (NVIDIA, AMD, APPLE, INTEL, *CHIPS, PROCESSOR), _TUNE_GPT_OSS,
            "it has no recipe for this model", models=("gpt-oss",)),
    Support("torchtune", NO, CHIPS, _TUNE),
    Support("torchtune", SUPPORTED, (AMPERE, HOPPER, CDNA3), _TUNE, "care: its maintenance ended in 2025",
            models=_TUNE_MODELS),
    Support("torchtune", UNTESTED, (NVIDIA, CDNA3, PROCESSOR), _TUNE,
            "its lists of models and devices lack this model or device"),
    Support("torchtitan", SUPPORTED, (HOPPER, *BLACKWELL), _TITAN),
    Support("torchtitan", PORTED, CDNA, _TITAN, "AMD's fork or a nightly ROCm build"),
    Support("torchtitan", NO, CHIPS, _TITAN),
    Support("deepspeed", SUPPORTED, (PASCAL, VOLTA, AMPERE, HOPPER, CDNA2, "Gaudi2"), _DEEPSPEED),
    Support("deepspeed", UNTESTED, (TURING, ADA, *BLACKWELL, CDNA3, CDNA4), _DEEPSPEED,
            "its list of tested devices lacks this one"),
    Support("deepspeed", SUPPORTED, (AMX, AVX512, AVX2), _DEEPSPEED),
    Support("deepspeed", NO, (AWS, GOOGLE, QUALCOMM), _DEEPSPEED),
    Support("megatron", SUPPORTED, FROM_TURING, _MEGATRON, "NVIDIA's NGC container"),
    Support("megatron", UNTESTED, (VOLTA,), _MEGATRON, "Turing or later is recommended"),
    Support("megatron", NO, (KEPLER, MAXWELL, PASCAL, AMD, *CHIPS, PROCESSOR), _MEGATRON),
    Support("nemo", SUPPORTED, (AMPERE, HOPPER), _NEMO, "NVIDIA's NGC container"),
    Support("nemo", UNTESTED, (TURING, ADA, *BLACKWELL), _NEMO, "its guide names no generation"),
    Support("nemo", NO, (AMD, *CHIPS, PROCESSOR), _NEMO),
    Support("composer", SUPPORTED, (VOLTA, AMPERE, HOPPER), _COMPOSER),
    Support("composer", UNTESTED, (AMD, GOOGLE, "Gaudi2", TRN1), _COMPOSER,
            "the code has a class for it, but the guide does not promise it"),
    Support("llm-foundry", SUPPORTED, (AMPERE, HOPPER), _FOUNDRY, "MosaicML's images"),
    Support("llm-foundry", PORTED, (CDNA2,), _FOUNDRY, "ROCm builds of PyTorch and flash attention"),
    Support("llm-foundry", PORTED, ("Gaudi2",), _FOUNDRY, "the experimental branch habana_alpha"),
    Support("lightning", SUPPORTED, (NVIDIA, AMD, GOOGLE, PROCESSOR), _LIGHTNING),
    Support("lightning", NO, (AWS, HABANA, QUALCOMM), _LIGHTNING),
    Support("litgpt", SUPPORTED, (AMPERE,), EVIDENCE),
    # bitsandbytes and Transformer Engine, which methods, optimizers and precisions of PyTorch need.
    Support("bitsandbytes", SUPPORTED, (PASCAL, VOLTA), _BNB, "a build for CUDA 12", "nf4"),
    Support("bitsandbytes", SUPPORTED, (*FROM_TURING, *CDNA, ARM, AMX, AVX512, AVX2), _BNB, feature="nf4"),
    Support("bitsandbytes", PORTED, GAUDI, _BNB, "Gaudi software 1.21; 4-bit support is partial", "nf4"),
    Support("bitsandbytes", SUPPORTED, (APPLE,), _BNB, "macOS 14 or newer", "nf4"),
    Support("bitsandbytes", NO, (KEPLER, MAXWELL, AMD, *CHIPS, PROCESSOR), _BNB, feature="nf4"),
    Support("bitsandbytes", SUPPORTED, (PASCAL, VOLTA, *FROM_TURING, *CDNA), _BNB, feature="adamw8bit"),
    Support("bitsandbytes", UNTESTED, (PROCESSOR,), _BNB, feature="adamw8bit"),
    Support("bitsandbytes", NO, (KEPLER, MAXWELL, AMD, APPLE, *CHIPS), _BNB, "use optimizer adamw", "adamw8bit"),
    Support("transformer-engine", SUPPORTED, FROM_ADA, _TE, feature="fp8"),
    Support("transformer-engine", NO, (NVIDIA,), _TE, "FP8 starts at Ada Lovelace", "fp8"),
    Support("transformer-engine", PORTED, GAUDI, "huggingface/peft: quantization.md, 2026-08-21",
            "Intel Neural Compressor", "fp8"),
    Support("transformer-engine", SUPPORTED, BLACKWELL, _TE, feature="fp4"),
    Support("transformer-engine", NO, (NVIDIA,), _TE, "FP4 starts at Blackwell", "fp4"),
    # Other frameworks that train.
    Support("jax", SUPPORTED, (HOPPER, *BLACKWELL), _JAX, host=ARM),
    Support("jax", UNTESTED, (TURING, AMPERE, ADA), _JAX,
            "the devices of its aarch64 wheel are not stated", host=ARM),
    Support("jax", NO, (NVIDIA, AMD), _JAX, host=ARM),
    Support("jax", SUPPORTED, FROM_TURING, _JAX),
    Support("jax", SUPPORTED, (MAXWELL, PASCAL, VOLTA), _JAX, "the package for CUDA 12, jax[cuda12]"),
    Support("jax", SUPPORTED, (GOOGLE,), _JAX, "jax[tpu]"),
    Support("jax", SUPPORTED, CDNA, _JAX, "AMD's plugin on ROCm 7"),
    Support("jax", PORTED, (INF2, *TRAINIUM), _NEURON, "jax-neuronx"),
    Support("jax", SUPPORTED, (PROCESSOR,), _JAX),
    Support("jax", NO, (KEPLER, AMD, *CHIPS), _JAX),
    Support("maxtext", SUPPORTED, ("TPU v4", "TPU v5e", "TPU v5p", TPU_V6E, AMPERE, HOPPER), _MAXTEXT),
    Support("maxtext", SUPPORTED, (TPU_7X,), EVIDENCE),
    Support("maxtext", UNTESTED, (GOOGLE, ADA, *BLACKWELL), _MAXTEXT),
    Support("tensorflow", PORTED, (TURING, AMPERE, HOPPER, *BLACKWELL), _TF,
            "NVIDIA's container or a build of your own", host=ARM),
    Support("tensorflow", NO, (NVIDIA, AMD), _TF, host=ARM),
    Support("tensorflow", SUPPORTED, (PASCAL, VOLTA, TURING, AMPERE, HOPPER), _TF),
    Support("tensorflow", SUPPORTED, (ADA,), _TF_217),
    Support("tensorflow", UNTESTED, BLACKWELL, _TF, "try NVIDIA's container"),
    Support("tensorflow", SUPPORTED, (KEPLER, MAXWELL), _TF, until="2.16"),
    Support("tensorflow", UNTESTED, CDNA, NOT_FOUND, "try the ROCm build"),
    Support("tensorflow", PORTED, (GOOGLE,),
            _TPU,
            "an older release and changes to the code"),
    Support("tensorflow", PORTED, ("Gaudi1",), EVIDENCE, "an old release of Habana's own build"),
    Support("tensorflow", NO, (AWS,), _NEURON_TF, "use PyTorch"),
    Support("tensorflow", SUPPORTED, (PROCESSOR,), _TF),
    Support("mxnet", SUPPORTED, (KEPLER, VOLTA, AMPERE), EVIDENCE, "an old container: development has ended"),
    Support("mxnet", PORTED, (HOPPER, *BLACKWELL), _MXNET,
            "a build of your own: the device is newer than the last release"),
    Support("mxnet", NO, (AWS,), _NEURON_TF),
    Support("mxnet", SUPPORTED, (X86,), EVIDENCE),
    Support("nvcaffe", SUPPORTED, (KEPLER, MAXWELL, PASCAL, VOLTA, TURING), _NVCAFFE,
            "an old CUDA or an old NGC image"),
    Support("nvcaffe", UNTESTED, FROM_AMPERE, _NVCAFFE, "unmaintained since 2021; build it with this device added"),
    Support("caffe", SUPPORTED, (MAXWELL,), EVIDENCE),
    Support("torch7", SUPPORTED, (MAXWELL, PASCAL), EVIDENCE),
    Support("theano", SUPPORTED, (MAXWELL,), EVIDENCE),
    Support("chainer", SUPPORTED, (MAXWELL,), EVIDENCE),
    Support("neon", SUPPORTED, (MAXWELL,), EVIDENCE),
    Support("cuda-convnet2", SUPPORTED, (MAXWELL,), EVIDENCE),
    Support("cuda-convnet2", NO, (PROCESSOR,), "Krizhevsky 2014, arXiv 1404.5997", "it is a program for CUDA"),
    Support("paddle", PORTED, (NVIDIA,), _PADDLE, "a build from source", host=ARM),
    Support("paddle", SUPPORTED, (PASCAL, VOLTA, TURING, AMPERE, HOPPER), _PADDLE),
    Support("paddle", PORTED, (CDNA2,), _PADDLE, "the ROCm build"),
    Support("paddle", SUPPORTED, (PROCESSOR,), _PADDLE),
    Support("other", PORTED, (AMD, GOOGLE, AWS, HABANA), NOT_FOUND, "its own build for this device"),
    Support("neuron", SUPPORTED, TRAINIUM, _NEURON_XLA, "Neuron 2.28 or 2.29 with PyTorch 2.9", task="training"),
    Support("neuron", SUPPORTED, (INF2, *TRAINIUM), _NEURON, "Neuron's compiler"),
    Support("neuron", SUPPORTED, (INF1,), _NEURON_ARCHIVE, "driver 2.24 or older", until="2.22"),
    Support("neuron", NO, (PROCESSOR, NVIDIA), _NEURON),
    Support("neuron-network", SUPPORTED, (INF2, *TRAINIUM), _NEURON_NETWORKS, "an export and a compilation",
            models=_NEURON_MODELS),
    Support("neuron-network", SUPPORTED, (INF1,), EVIDENCE, models=("bert-", "distilbert-", "resnet50")),
    Support("neuron-network", UNTESTED, (AWS,), _NEURON_NETWORKS, "its list lacks it; trace and compile it first"),
    Support("nxd-inference", NO, (INF2, TRN1), _NXD, "use Trainium2", models=("llama-3.1-405b",)),
    Support("nxd-inference", SUPPORTED, (AWS,), _NXD, models=_NXD_MODELS),
    Support("nxd-inference", UNTESTED, (AWS,), _NXD, models=("qwen2.5-1.5b", "qwen2.5-3b", "qwen2.5-14b")),
    Support("nxd-inference", PORTED, (AWS,), _NXD, "a model that you port: its list does not include this one"),
    # Learners of tables.
    Support("xgboost", SUPPORTED, (PROCESSOR, *FROM_TURING), _XGBOOST),
    Support("xgboost", NO, (NVIDIA,), _XGBOOST, "an older release, or a build with CUDA 12.8"),
    Support("lightgbm", SUPPORTED, (PROCESSOR,), _LIGHTGBM),
    Support("lightgbm", SUPPORTED, (PASCAL, VOLTA, *FROM_TURING), _LIGHTGBM, "a build with USE_CUDA"),
    Support("catboost", SUPPORTED, (PROCESSOR, NVIDIA), _CATBOOST, "on a device, driver 450.80.02 or newer"),
    Support("scikit-learn", SUPPORTED, (PROCESSOR,), _SKLEARN),
    Support("spark", SUPPORTED, (PROCESSOR,), _SPARK),
    # Serving engines and runtimes.
    Support("vllm", UNTESTED, JETSON, NOT_FOUND, "take NVIDIA's container for JetPack"),
    Support("vllm", UNTESTED, (TURING,), _VLLM, "compile PyTorch and vLLM for compute capability 7.5", host=ARM),
    Support("vllm", SUPPORTED, FROM_TURING, _VLLM),
    Support("vllm", SUPPORTED, (VOLTA,), _VLLM_OLD, until="0.14"),
    Support("vllm", NO, (KEPLER, MAXWELL, PASCAL), _VLLM_OLD, "use llama.cpp"),
    Support("vllm", SUPPORTED, CDNA, _VLLM_ROCM, "the ROCm build"),
    Support("vllm", SUPPORTED, NEW_RADEON, _VLLM_GPU, "the ROCm build"),
    Support("vllm", SUPPORTED, (INTEL,), _VLLM_GPU, "the build for Intel XPU"),
    Support("vllm", NO, (APPLE,), _VLLM_GPU, "use llama.cpp, or the community's plugin vLLM-Metal"),
    Support("vllm", SUPPORTED, ("TPU v5e", TPU_V6E, TPU_7X), _VLLM_TPU, "the plugin tpu-inference", models=_TPU_MODELS),
    Support("vllm", UNTESTED, ("TPU v5e", TPU_V6E, TPU_7X), _VLLM_TPU,
            "the plugin tpu-inference has not tested this model"),
    Support("vllm", PORTED, ("TPU v3", "TPU v4", "TPU v5p"), _VLLM_TPU,
            "experimental code of the plugin tpu-inference"),
    Support("vllm", NO, (GOOGLE,), _VLLM_TPU),
    Support("vllm", SUPPORTED, (TRN2, TRN3), _VLLM_NEURON, "the Neuron plugin, which is a beta",
            models=("llama-3-", "llama-3.", "gpt-oss")),
    Support("vllm", UNTESTED, (TRN2, TRN3), _VLLM_NEURON, "the Neuron plugin has no recipe for this model"),
    Support("vllm", PORTED, (INF2, TRN1), _VLLM_NEURON, "the plugin for NxD Inference of Neuron 2.31 or older"),
    Support("vllm", SUPPORTED, GAUDI, _VLLM_GAUDI, "the Gaudi plugin, built from source"),
    Support("vllm", NO, (AWS, HABANA, QUALCOMM), _VLLM_GAUDI),
    Support("vllm", SUPPORTED, (AMX, AVX512), _VLLM_X86, "the wheel for AVX-512"),
    Support("vllm", PORTED, (X86,), _VLLM_X86, "a build for AVX2"),
    Support("vllm", SUPPORTED, (ARM,), _VLLM_ARM),
    Support("vllm", SUPPORTED, (TURING, AMPERE, ADA, HOPPER, AVX2, *GAUDI), _VLLM_BITS, feature="int4"),
    Support("vllm", UNTESTED, BLACKWELL, _VLLM_BITS, feature="int4"),
    Support("vllm", SUPPORTED, (TURING, AMPERE, ADA, HOPPER), _VLLM_BITS, feature="bitsandbytes"),
    Support("vllm", SUPPORTED, (VOLTA,), _VLLM_BITS, feature="bitsandbytes", until="0.14"),
    Support("vllm", UNTESTED, (*BLACKWELL, *CDNA), _VLLM_BITS, feature="bitsandbytes"),
    Support("vllm", NO, (NVIDIA, AMD, *CHIPS, PROCESSOR), _VLLM_BITS, feature="bitsandbytes"),
    Support("vllm", SUPPORTED, FROM_ADA, _VLLM_CACHE, feature="kv-fp8"),
    Support("vllm", SUPPORTED, GAUDI, _VLLM_GAUDI, "a calibration with Intel Neural Compressor", "kv-fp8"),
    Support("vllm", NO, (VOLTA, TURING), _VLLM_TURING_CACHE, "FP8 caches need Ampere or newer", "kv-fp8"),
    Support("vllm", UNTESTED, (NVIDIA, AMD, *CHIPS, PROCESSOR), _VLLM_CACHE, feature="kv-fp8"),
    Support("vllm", NO, (NVIDIA, AMD, *CHIPS, PROCESSOR), _VLLM_CACHE, "its caches of 8 bits are FP8", "kv-int8"),
    Support("vllm", SUPPORTED, (TURING, AMPERE, ADA, HOPPER, CDNA2, CDNA3), _VLLM_BITS, feature="gguf"),
    Support("vllm", NO, (PROCESSOR, *CHIPS), _VLLM_BITS, "use llama.cpp", "gguf"),
    Support("vllm", SUPPORTED, (HOPPER, *BLACKWELL, CDNA3, CDNA4, *A100), _VLLM_MXFP4, feature="fp4"),
    Support("vllm", UNTESTED, (AMPERE, ADA), _VLLM_MXFP4, "before Hopper the recipe names A100 alone", "fp4"),
    Support("vllm", PORTED, ("Gaudi3",), _VLLM_GAUDI, "weights that it unpacks to BF16", "fp4"),
    Support("vllm", SUPPORTED, (*FROM_ADA, CDNA3, CDNA4), _VLLM_BITS, feature="fp8"),
    Support("vllm", SUPPORTED, (TURING, AMPERE), _VLLM_BITS, "Marlin, for the weights alone", "fp8"),
    Support("vllm", SUPPORTED, (INF2, TRN2, TRN3), _VLLM_NEURON, feature="fp8"),
    Support("vllm", SUPPORTED, GAUDI, _VLLM_GAUDI, "a calibration with Intel Neural Compressor", "fp8"),
    Support("vllm", NO, (VOLTA, CDNA2), _VLLM_BITS, feature="fp8"),
    Support("vllm", SUPPORTED, (TURING, AMPERE, ADA, HOPPER, PROCESSOR), _VLLM_BITS, feature="int8"),
    Support("vllm", NO, (VOLTA,), _VLLM_BITS, feature="int8"),
    Support("sglang", SUPPORTED, (HOPPER, *BLACKWELL), _SGLANG, "the aarch64 wheel of sgl_kernel", host=ARM),
    Support("sglang", NO, (NVIDIA,), _SGLANG, host=ARM),
    Support("sglang", SUPPORTED, FROM_TURING, _SGLANG),
    Support("sglang", NO, (NVIDIA,), _SGLANG),
    Support("sglang", SUPPORTED, CDNA, _SGLANG_BITS, "its ROCm image"),
    Support("sglang-fp8-experts", NO, (TURING, AMPERE), _SGLANG_EXPERTS,
            "its kernels for experts need units for FP8; use int4 weights, or vLLM"),
    Support("sglang", PORTED, (TPU_V6E,), _SGLANG_TPU, "sglang-jax, an engine of its own"),
    Support("sglang", SUPPORTED, (AMX,), _SGLANG_CPU, "its image for processors, or a build from source"),
    Support("sglang", NO, (PROCESSOR,), _SGLANG_CPU, "it needs AMX"),
    Support("tensorrt", SUPPORTED, FROM_TURING, _TRT),
    Support("tensorrt", SUPPORTED, (VOLTA,), _TRT, until="10.4"),
    Support("tensorrt", SUPPORTED, (KEPLER, MAXWELL, PASCAL), _TRT_OLD, until="8.5"),
    Support("tensorrt", NO, (PROCESSOR,), _TRT, "it runs on NVIDIA's devices alone"),
    Support("tensorrt", SUPPORTED, FROM_ADA, _TRT_RTX, feature="fp8"),
    Support("tensorrt", NO, (NVIDIA,), _TRT_RTX, "FP8 starts at Ada Lovelace; use int8 or fp16", "fp8"),
    Support("tensorrt-llm", SUPPORTED, FROM_AMPERE, _TRTLLM, "NVIDIA's NGC container"),
    Support("tensorrt-llm", NO, (NVIDIA, PROCESSOR), _TRTLLM),
    Support("tensorrt-llm", SUPPORTED, FROM_ADA, _TRTLLM_BITS, feature="fp8"),
    Support("tensorrt-llm", NO, (AMPERE,), _TRTLLM_BITS, "use int8 or int4", "fp8"),
    Support("tensorrt-llm", SUPPORTED, FROM_AMPERE, _TRTLLM_BITS, feature="int4"),
    Support("tensorrt-llm", SUPPORTED, FROM_AMPERE, _TRTLLM_BITS, feature="int8"),
    Support("tensorrt-llm", SUPPORTED, BLACKWELL, _TRTLLM_BITS, feature="fp4"),
    Support("llama.cpp", SUPPORTED, (APPLE,), _LLAMA_CPP, "its Metal back end, which is the default on a Mac"),
    Support("llama.cpp", UNTESTED, (TURING, AMPERE, ADA), _LLAMA_CPP, "build it with CUDA on Arm", host=ARM),
    Support("llama.cpp", SUPPORTED, (PASCAL, VOLTA, *FROM_TURING, CDNA2, CDNA3, RDNA3, "RDNA3.5", "RDNA4"), _LLAMA_CPP,
            "a build for the device"),
    Support("llama.cpp", SUPPORTED, (INTEL,), _LLAMA_CPP, "a build with SYCL or Vulkan"),
    Support("llama.cpp", UNTESTED, (NVIDIA, AMD), _LLAMA_CPP, "build it for the device"),
    Support("llama.cpp", SUPPORTED, (PROCESSOR,), _LLAMA_CPP),
    Support("llama.cpp", NO, CHIPS, _LLAMA_CPP, "it has no back end for it"),
    Support("llama.cpp", SUPPORTED, (NVIDIA, AMD, APPLE, INTEL, PROCESSOR), _LLAMA_CPP, feature="int4"),
    Support("tgi", PORTED, (NVIDIA, PROCESSOR), _TGI_ARM, "a build for Arm: its containers are for x86", host=ARM),
    Support("tgi", SUPPORTED, (TURING, AMPERE, HOPPER), _TGI, "its container"),
    Support("tgi", SUPPORTED, (CDNA2, CDNA3), _TGI, "its ROCm container"),
    Support("tgi", SUPPORTED, (INF2, TRN1), _TGI, "its Neuron container and a compiled model"),
    Support("tgi", PORTED, (HABANA, GOOGLE), _TGI, "the back end for Gaudi or TPU"),
    Support("text-embeddings-inference", SUPPORTED, ("GB10",), _TEI_ARM, "this device's container", host=ARM),
    Support("text-embeddings-inference", PORTED, (NVIDIA,), _TEI_ARM,
            "a build for Arm: its containers for this device are for x86", host=ARM),
    Support("text-embeddings-inference", NO, (TURING,), _TEI_GTE,
            "its vectors of this model are empty there", models=("gte-multilingual", "gte-base-en", "gte-large-en")),
    Support("text-embeddings-inference", SUPPORTED, (TURING, AMPERE, ADA, HOPPER), _TEI, "this device's container"),
    Support("text-embeddings-inference", UNTESTED, BLACKWELL, _TEI, "its list ends with Hopper; build it"),
    Support("text-embeddings-inference", NO, (NVIDIA,), _TEI, "it starts at compute capability 7.5"),
    Support("text-embeddings-inference", SUPPORTED, (X86,), _TEI, "the container for processors"),
    Support("text-embeddings-inference", SUPPORTED, (ARM,), _TEI_ARM, "the container for Arm processors"),
    Support("text-embeddings-inference", NO, (AMD, GOOGLE, AWS, QUALCOMM), _TEI, "its list does not include it"),
    Support("infinity", SUPPORTED, (NVIDIA, *CDNA, PROCESSOR, APPLE), _INFINITY),
    Support("infinity", PORTED, (INF2,), _INFINITY, "its back end for Neuron"),
    Support("infinity", NO, (GOOGLE, AWS, HABANA, QUALCOMM), _INFINITY),
    Support("ctranslate2", PORTED, (NVIDIA,), _CTRANSLATE_ARM, "a build with CUDA",
            host=ARM),
    Support("ctranslate2", SUPPORTED, (NVIDIA, PROCESSOR), _CTRANSLATE),
    Support("ctranslate2", NO, CHIPS, _CTRANSLATE, "it runs on NVIDIA's devices and on processors"),
    Support("ctranslate2", UNTESTED, (AMD,), NOT_FOUND, "its wheels are for CUDA"),
    Support("onnxruntime", UNTESTED, (NVIDIA,), _ORT_ARM,
            "the package for CUDA 13 of Microsoft's own index; its devices are not stated", host=ARM),
    Support("onnxruntime", SUPPORTED, (TURING, AMPERE, HOPPER), _ORT, "the CUDA or TensorRT provider"),
    Support("onnxruntime", SUPPORTED, (ADA,), f"{_ORT}; {_ORT_BUILD}", "the CUDA or TensorRT provider"),
    Support("onnxruntime", SUPPORTED, (PROCESSOR,), _ORT),
    Support("onnxruntime", NO, (AWS, GOOGLE), _ORT),
    Support("openvino", SUPPORTED, (ARM, X86), _OPENVINO),
    Support("openvino", SUPPORTED, (INTEL,), _OPENVINO),
    Support("openvino", NO, (NVIDIA, AMD, APPLE, *CHIPS), _OPENVINO, "its list of graphics devices has Intel's alone"),
    Support("triton-inference-server", SUPPORTED, FROM_TURING, _TRITON, "its container"),
    Support("triton-inference-server", SUPPORTED, (PROCESSOR,), _TRITON),
    Support("triton-inference-server", PORTED, (INF2,), _TRITON, "the Neuron back end"),
    # Weights of 4 bits in the engines without rows of their own.
    Support("packed-weights", SUPPORTED, (*FROM_TURING, CDNA2, CDNA3), _HF_BITS),
    Support("packed-weights", NO, (PROCESSOR,), _HF_BITS),
    # 4-bit kernels are those of linear layers.
    Support("4-bit-network", NO, (NVIDIA, AMD, *CHIPS, PROCESSOR), _BNB,
            "4-bit kernels are of linear layers alone; set precision to int8 or fp16", "int4"),
    # Kinds of work.
    Support("preprocessing", SUPPORTED, (PROCESSOR,), "S3-10, S3-11"),
    Support("hpc", NO, (*CHIPS,), "S1-15, S4-17", "its compiler takes neural networks alone"),
    Support("hpc", NO, RADEON, _ROCM),
    Support("hpc", PORTED, (AMD,), _ROCM, "a build with HIP, as a program for CUDA does not run there"),
    Support("hpc", SUPPORTED, (NVIDIA, PROCESSOR), "S1-12, S1-13"),
    Support("training", NO, (INF1, INF2, "Cloud AI 100"), _INFERENCE, "it is a chip for inference"),
    Support("bf16-model", NO, (PASCAL, VOLTA, TURING), _VLLM_FP16,
            "set precision to fp32, or choose a device with BF16", "half"),
    Support("bf16-model", NO, (NVIDIA, AMD, *CHIPS), _VLLM_FP16, "set precision to bf16 or fp32", "fp16"),
)  # fmt: skip
# Models that are published in BF16 and overflow in FP16 (``_VLLM_FP16``), by the start of their name.
BF16_MODELS = ("gemma-2-", "gemma-3-", "glm-4-")

_ROWS = {
    part: tuple(row for row in SUPPORT if (row.program, row.feature) == part)
    for part in {(row.program, row.feature) for row in SUPPORT}
}


def program_of(spelling: str | None, framework: str) -> str:
    """Return the program whose rows count: the one that was spelled, else the framework."""
    found = _PROGRAMS.get(spelling or "")
    return framework if found is None else found.name


def of_platform(program: str) -> bool:
    """Whether the program is made for one maker's chips."""
    found = _PROGRAMS.get(key(program))
    return found is not None and found.of_platform


def chain_of(program: str) -> tuple[str, ...]:
    """Return the program, followed by those that it is based on."""
    found = _PROGRAMS.get(key(program))
    return (program, *chain_of(found.base)) if found is not None and found.base else (program,)


def rows_on(program: str, feature: str) -> tuple[Support, ...]:
    """Return the statements on a feature of a program, or on the program itself, particular ones first."""
    return _ROWS.get((program, feature), ())


def called(program: str, feature: str) -> str:
    """Return the program in words, with its feature."""
    found = _PROGRAMS.get(key(program))
    title = title_of(program) if found is None else found.title
    return f"{title} with {FEATURES[feature]}" if feature else title
