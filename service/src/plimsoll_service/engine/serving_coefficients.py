"""Coefficients of language-model serving; defaults are those of the serving study, sections 3 and 7."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ServingFit:
    """Decode and prefill on accelerators (study, section 3): shares of the datasheet's rates, and latencies."""

    bandwidth_hbm: float = 0.84
    bandwidth_gddr: float = 0.98
    bandwidth_cap: float = 0.90  # GDDR under engines that no row has measured on it
    # Of AWS Neuron chips, two cores of which read their own parts of the weights. One Inferentia2 chip writes 24 tokens
    # a second with Llama-3-8B (arcee-ai, benchmarks of Llama-3.1-8B, Neuron 2.19.1) and takes 35 ms a token with
    # Llama-2-7B in 16 bits up to 256 tokens (aws-neuron/transformers-neuronx issue 64, 2023-12-13): 0.41 and 0.43 of
    # 880 GB/s. On 12 chips, the steps from 7 to 70 billion parameters ask for 0.5 to 0.55.
    bandwidth_neuron: float = 0.5
    bandwidth_llama_cpp: float = 0.89  # over the others' share, with HBM
    experts: float = 0.75
    kv: float = 0.87
    compute16: float = 0.70
    compute8: float = 0.72
    compute4: float = 0.19
    compute_weight_only: float = 0.39
    compute_quantised: float = 0.18  # llama.cpp: of int8 TOP/s ^ 0.6 × 300 ^ 0.4
    quantised_exponent: float = 0.6
    quantised_reference: float = 300.0
    power_reference: float = 1.4
    power_floor: float = 0.3
    power_exponent: float = 0.29
    norm: float = 1.09
    # Llama-3-8B reads 300,000 tokens in 3 min on A100 (microsoft/MInference issue 84, 2024-11-18): 0.49. Llama-3.1-405B
    # reads 32,768 in 1.6 s and 122,880 in 7.5 s on 32 GH200 (developer.nvidia.com, "Low Latency Inference Chapter 2",
    # 2024-09-26): 0.40 to 0.66. The evidence, whose prompts end at 8,192 tokens, says little of it.
    attention: float = 0.5
    attention_llama_cpp: float = 0.17  # over the others' share
    step_s: float = 0.69e-3
    layer_s: float = 44e-6
    moe_layer_s: float = 67e-6
    allreduce_nvlink_s: float = 2.7e-6
    allreduce_neuron_s: float = 6e-6  # what those steps leave, where weights are read at that share
    link_share: float = 0.35
    interference: float = 0.86
    prefill_s: float = 1.1e-3
    prefill_launches: float = 3.3
    prefill_chunk: float = 8192.0
    prefill_chunk_llama_cpp: float = 512.0
    queue_steps: float = 0.73
    queue_load: float = 0.18
    queue: float = 0.06  # of the prompts ahead, where users send again when answered: of the load, not of the engine
    load_cap: float = 0.97
    offline: float = 1.07  # rate without an end over that of the closed loop's formula
    memory_share: float = 0.92  # of the driver's total: vllm-project/vllm, vllm/config/cache.py @002f10e0, 2026
    overhead_gb: float = 1.0
    graphs_gib: float = 0.36  # of a device: vLLM's own estimate on two devices (gpustack/runner issue 251, 2026-08-14)


@dataclass(frozen=True)
class EngineFit:
    """Times that one serving engine adds (study, section 3, the ``_eng`` coefficients)."""

    step: float  # over step_s
    layer: float  # over layer_s
    host_s: float  # a sequence and step
    first_token_s: float
    moe_prefill_s: float = 0.0  # a layer of experts and prompt
    unpacking_layer: float = 1.0  # over a layer's time, where its weights are unpacked by kernels of their own
    flooded_prompts: float = 1.0  # time of a prompt where more requests always wait, over that beside steady users


@dataclass(frozen=True)
class EarlyFit:
    """Mixtures of experts with latent attention (DeepSeek V3 and R1) in engines that were new to them.

    Fitted to the 122 undoubted runs of DeepSeek-R1 of dstack-deepseek-r1 (vLLM 0.7 and SGLang 0.4 on MI300X, vLLM 0.7
    on H200), which no other fit takes: apart, the three had 1.75 to 1.9 and 13 to 17. The runs of TensorRT-LLM
    1.1.0rc2 (pypi.org: 2025-08-30) are the first in the evidence that show none of it.
    """

    decode: float = 1.9  # time of a step over that of later releases
    prefill: float = 13.6  # the same of a prompt
    year: float = 2025.2  # of those runs
    mature_year: float = 2025.66


@dataclass(frozen=True)
class HostFit:
    """Effects that only rented instances show: slow hosts, devices before Hopper, bitsandbytes; and the PCIe bus.

    The rate of the bus between devices is fitted to bundled runs: of tensors over two to eight L40S.
    """

    exponent: float = 1.57  # of the host's slowness
    reference_mb_s: float = 30.0
    allreduce_pcie_s: float = 17e-6
    pcie_gb_s: float = 0.95 * 25
    kv_before_hopper: float = 0.63
    dequantise_flop: float = 346.0  # a weight and step, at the 16-bit rate
    dequantised_bytes: float = 4 * 1.2  # a weight and step of a large batch
    dequantised_batch: float = 4.0  # a batch of so many more than one is large
    layer_split: float = 0.05  # longer per doubling of devices that hold layers in turn


@dataclass(frozen=True)
class VectorRates:
    """GFLOP/s of one core at the reference clock, by vector class."""

    none: float
    avx2: float
    avx512f: float
    avx512_vnni: float
    avx512_bf16: float
    amx: float
    neon: float
    sve: float
    sve2: float


@dataclass(frozen=True)
class CpuFit:
    """Decode and prefill on processors (study, section 7)."""

    bandwidth: float = 1.0  # of what one program reads; the fit would have more, so it is held there
    bandwidth_llama_cpp: float = 0.9
    bandwidth_kv: float = 0.62
    word_s: float = 1e-8  # a word of the vocabulary and sequence: the choice of the next token
    undivided_prefill: float = 0.6  # llama.cpp: formats whose rows its blocks of 256 do not divide run slower kernels
    sockets_reading: float = 0.74  # exponents of e, per doubling of the sockets
    sockets_prefill: float = 0.42
    sockets_barrier: float = 1.7
    decode_cores: float = 0.95  # exponents of the cores
    prefill_cores: float = 0.94
    reference_mb_s: float = 28.0
    host_exponent: float = 1.7
    layer_s: float = 23e-6
    layer_core_s: float = 0.69e-6
    layer_llama_cpp_s: float = 17e-6 * 8
    layer_core_llama_cpp_s: float = 0.52e-6 * 4
    step_s: float = 12e-3
    sequence_s: float = 0.98e-3
    first_token_s: float = 32e-3
    prefill_batch: float = 0.58  # of the prefill rate, by the second and later sequences of a step
    interference: float = 1.8
    queue: float = 0.09
    attention: float = 0.075
    fp16_decode: float = 0.29
    fp16_prefill: float = 0.45
    chunk_llama_cpp: float = 512.0


# A server's own time before a first token is that of vLLM alone (study, section 3). The 137 and 246 ms that the study
# has for two others are mostly experts: those engines were measured with few other models, and without such a floor.
FRONT_END_S = 14e-3
# Prompts run without recorded graphs, as eager PyTorch does: 1.1 ms a layer of many kernels (study, section 1).
MOE_PREFILL_S = 1.1e-3
# Servers as they come, with 500 prompts of 2,000 or 4,000 tokens (100 of 32,000) sent at once: 22 runs of DeepSeek-R1,
# Qwen3-235B and 32B, GLM-4.6 and gpt-oss-120b on 1 to 8 H100 and H200 in vLLM 0.10.2 to 0.11.0 and SGLang 0.5.3
# (docs.gpustack.ai, Performance Lab, 2025-10 to 2025-11). With 2.1 the models have 0.69 to 1.21 of the estimate, with 1
# they had 0.36 to 0.73. Apart from these, 242 runs of smaller models in vLLM on rented devices, each sent as much as it
# took, have 1.05 with 2.1 and 0.88 with 1. TensorRT-LLM's runs without an end have 1.
FLOODED_PROMPTS = 2.1
VLLM = EngineFit(0.71, 0.78, 33e-6, FRONT_END_S, MOE_PREFILL_S, flooded_prompts=FLOODED_PROMPTS)
TENSORRT_LLM = EngineFit(0.92, 0.40, 8.5e-6, FRONT_END_S, MOE_PREFILL_S)
SGLANG = EngineFit(1.01, 0.88, 6.3e-6, FRONT_END_S, MOE_PREFILL_S, flooded_prompts=FLOODED_PROMPTS)
LLAMA_CPP = EngineFit(1.20, 2.2, 33e-6, 2e-3)
NEURON = EngineFit(1.0, 1.04, 33e-6, 8e-3)
# Stock Transformers computes the same products, of padded prompts in eager kernels: no faster than vLLM as it comes.
PYTORCH = EngineFit(0.71, 26.0, 33e-6, FRONT_END_S, unpacking_layer=1.6, flooded_prompts=FLOODED_PROMPTS)
# Experts of stock Transformers: a step that copies those of each token writes and reads the copies, and a loop takes a
# fixed time a layer and expert. Qwen1.5-MoE-A2.7B in BF16, 24 layers (huggingface.co/datasets/docs-benchmarks,
# experts-backends, 2026): 33 ms a token by copies, and 34 of four; 63 ms in a loop, and 105 of four. By copies 512
# tokens of a prompt take 1.24 s, 1.7 TB of copies.
COPY_PASSES, LOOP_S, LOOPED_EXPERT_S = 2.0, 0.55e-3, 0.17e-3
# Of a reference core, what stock ``generate`` takes for a layer and for each expert that a step hits, before any work:
# own measurement of 2026-11-29, Transformers 5.24 and PyTorch 2.14 on one thread of AMD EPYC (Zen 4, 1.06 times the
# reference), Llama and Qwen3-MoE of 64 wide with 8 and 32 layers: 0.49 ms a layer, 0.64 of four requests; with 8 of 32
# experts 1.24 and 2.68 ms.
INTERPRETED_LAYER_S, INTERPRETED_EXPERT_S = 0.54e-3, 0.10e-3
DECODE = VectorRates(none=9, avx2=24, avx512f=23, avx512_vnni=9, avx512_bf16=35, amx=19, neon=8, sve=10, sve2=10)
PREFILL = VectorRates(none=20, avx2=40, avx512f=46, avx512_vnni=37, avx512_bf16=156, amx=769, neon=30, sve=60, sve2=129)
DECODE_LLAMA_CPP = VectorRates(
    none=42, avx2=75, avx512f=41, avx512_vnni=45, avx512_bf16=85, amx=52, neon=22, sve=29, sve2=26
)
PREFILL_LLAMA_CPP = VectorRates(
    none=33, avx2=71, avx512f=65, avx512_vnni=66, avx512_bf16=86, amx=124, neon=26, sve=37, sve2=32
)
# Prompts in quantised weights, over the build of 2025-03 that all rows of processors are of. Since 2026 llama.cpp
# repacks such weights for Arm's dot products (pull request 17494: 1.9 times as fast) and matrix instructions (13886,
# 16739 and 18888: 1.34 to 1.5, 1.5 to 1.7 and 1.2 times; 29256: an m7g.8xlarge then reads 296 tokens/s, 2.4 times what
# the formula has for that build).
REPACKED_SINCE = 2026.0
# Fixed time of a step of one token in llama.cpp's CUDA back end since it records mixtures in CUDA graphs and fuses
# their kernels, over that of 2024, to which it is fitted. An RTX 4090 writes 206 tokens/s of Qwen3-30B-A3B in Q4_0, and
# 212 of two requests, whose steps take twice as long (ggml-org/llama.cpp pull request 15631, 2025-08): 0.45 of the
# fitted time for one, all of it for two. An RTX 3090 Ti writes 167 of it in Q4_K (smeltcore.com, 2026-06-27): 0.55. An
# RTX 3090 writes 189 of Gemma 3 4B (calebcoffie.com/benchmarks, build 3e12fbd, read 2026-11-28): 0.6. An RTX 5090
# writes 222 of Qwen3-8B (CambrianTech/continuum pull request 1627, 2026-06-15): 0.36.
LONE_LAUNCHES = 0.5
# Quantised products of llama.cpp on a generation that no row has, over what the formula has: an RTX 2080 Ti reads 1,494
# tokens/s of Llama 2 13B in Q4_K_M (geerlingguy/ai-benchmarks issue 46, 2025-12-18), where it would read 2,320.
TURING, QUANTISED_ON_TURING = "Turing", 0.6
REPACKED = VectorRates(
    none=1, avx2=1, avx512f=1, avx512_vnni=1, avx512_bf16=1, amx=1, neon=1.9, sve=2.4, sve2=2.4
)  # fmt: skip
# Share of the 16-bit rate of data-centre Blackwell that kernels for Ampere's instruction (mma.sync) have in place of
# all of it: a clock of a multiprocessor does 8,192 operations by tcgen05, and 4,096 as on Hopper without
# (NVIDIA/cudnn-frontend pull request 650, 2026-08-18). FlashAttention-2, which knows no other instruction, makes 362
# TFLOP/s on B200 (meta-pytorch/tritonbench pull request 171, 2025-03-04; 308 to 381 in Dao-AILab/flash-attention issue
# 1589, 2025-04-13), and 0.35 of 989 on H100 (arXiv 2407.08608, 2024-07): 1.05 times as much.
WARP_PRODUCTS = 0.5
# Rate of products that unpack their weights over that in 16 bits, where both use that instruction; the fitted share is
# of vLLM on H200, where only the unpacking ones do. On Turing, Marlin multiplies 4,096 rows in 0.86 and 0.94 of the
# time of 16 bits (vllm-project/vllm pull request 29901, 2025-12). On A100, vLLM answered 2.24 and 6.7 requests a second
# of 4,096 and 1,024 tokens for Mistral-7B-AWQ when it unpacked into memory (2566, 2024-01-23: 1.02 and 0.74 of what the
# formula has in 16 bits), answered those of 500 tokens 1.67 times as fast or faster by Marlin (6612, 2024-07-26), and
# reads those of over 1,024 tokens faster since (16850, 2025-04-18). TensorRT-LLM writes 1.16 of the tokens of 16 bits
# there (issue 2329, 2024-10-14). The first Marlin, which read 2,048 rows in pieces, had 0.6 (2497, 2024-01-24); nobody
# published its successor's rate on A100, so that 0.9 is chosen, not fitted.
UNPACKED_PRODUCTS = 0.9
# Seconds in which the process in front of an engine prepares a patch of an image (decoding, resizing, cutting, hashing,
# handing over), one request after another: a picture of 1920 x 1080 (10,764 patches in Qwen2.5-VL) is 167 ms outside
# the engine in vLLM 0.19 on H100 (vllm-project/vllm issue 41267, 2026-04-29), and PaddleOCR-VL in SGLang ends at 6.7 of
# them a second on H200, at 9.6 with a second process (sgl-project/sglang pull request 35318, 2026-08-18). Decoding and
# Transformers 5.23's processor alone took 6 µs a patch, 11 by Pillow, on one thread of AMD EPYC (own measurement of
# 2026-11-24).
PATCH_S, SEVERAL_PROCESSES = 15e-6, 9.55 / 6.72


@dataclass(frozen=True)
class Serving:
    """All coefficients of serving: up to ``pytorch`` from bundled measurements, the others from rented instances."""

    device: ServingFit = ServingFit()
    tensorrt_llm: EngineFit = TENSORRT_LLM
    sglang: EngineFit = SGLANG
    llama_cpp: EngineFit = LLAMA_CPP
    neuron: EngineFit = NEURON
    pytorch: EngineFit = PYTORCH
    early: EarlyFit = EarlyFit()
    host: HostFit = HostFit()
    vllm: EngineFit = VLLM
    cpu: CpuFit = CpuFit()
    decode: VectorRates = DECODE
    prefill: VectorRates = PREFILL
    decode_llama_cpp: VectorRates = DECODE_LLAMA_CPP
    prefill_llama_cpp: VectorRates = PREFILL_LLAMA_CPP

    def engine(self, name: str) -> EngineFit:
        """The engine of that name (``frameworks.Framework.serving``)."""
        fit: EngineFit = getattr(self, name.replace("-", "_").replace(".", "_"))
        return fit
