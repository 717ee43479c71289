"""The formulas' coefficients, each with the published or studied value that a fit starts from.

The fits are those of three studies of published measurements (November 2026): *throughput* (2,481
one-device rows and 1,702 scaling pairs of training and classic inference), *memory and language-model
training* (69 memory and 286 speed rows), *serving* (5,374 accelerator and 28,409 processor rows).
An efficiency is meaningful only in its own formula; it is no "percent of peak" to show to users.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plimsoll_service.engine.effects import Effects
from plimsoll_service.engine.known import Checks, Known
from plimsoll_service.engine.measured import Measured
from plimsoll_service.engine.spreads import Spreads
from plimsoll_service.engine.waits import Waits


@dataclass(frozen=True)
class Roofline:
    """Step time of sample-based models on one device: compute + traffic, chip filling, launches.

    Source: throughput study, form d (sections 2 and 3); what models and software add to it are ``effects``.
    """

    compute_fp32: float = 0.80
    compute_tf32: float = 0.43
    compute_tensor16: float = 0.56
    # The next five stand only in form f2; they keep their ratio there to fp32 (1.21) or to 16-bit tensor (0.26).
    compute_plain16: float = 0.80 * 1.34 / 1.21  # 16 bits without tensor cores
    compute_8bit: float = 0.56 * 0.18 / 0.26
    # Of the training study, as in TokenTraining: the throughput study had two chips only.
    compute_neuron: float = 0.903 * 0.448
    # Chips that need a compiler of their own, training what no row shows them train: what the one measured of them
    # made of its datasheet in language-model training (0.448) is taken for all.
    unmeasured_chip: float = 0.448
    compute_cpu: float = 0.80 * 0.55 / 1.21
    compute_cpu_8bit: float = 0.80 * 0.16 / 1.21
    memory: float = 1.05  # training; above 1: the traffic factors count a little too much
    memory_inference: float = 1.34
    fused_traffic: float = 0.5  # in 8-bit inference: compiled engines keep results between layers on the chip
    gather: float = 0.10
    launch_training_s: float = 17e-6
    launch_inference_s: float = 13e-6
    launch_sequential_s: float = 6.5e-6
    host_s: float = 0.9e-3
    filling: float = 1.1
    cpu_filling: float = 0.38
    threads_per_sm: float = 2048.0
    balance_flop_per_byte: float = 100.0
    balance_exponent: float = 0.56  # a peak that outgrows bandwidth is realised less
    power_per_sm_ghz: float = 1.8
    power_exponent: float = 0.64
    cpu_core_saturation: float = 183.0
    mixed_cast_launches: float = 1.82  # casts in PyTorch and TensorFlow multiply the launches
    training_passes: float = 3.0  # backward is twice the forward
    sequential_training_launches: float = 2.5
    optimizer_bytes_per_parameter: float = 24 * 2.17
    parameter_traffic_cap: float = 4e8
    # Speed that vendor-tuned scripts and engines add to the stock ones'. None is negative: they can still run as those.
    tuned_tensor: float = 0.24  # training on matrix units
    tuned_inference: float = 0.24  # the same at inference
    tuned_plain: float = 0.1  # on plain units and processors: the study's 0.99 ± 0.10, hardly an effect
    # Speed gained per year of the software's release up to and from the knee, between the first and last year fitted.
    year_tensor: float = 1.10
    year_plain: float = 1.20
    recent_year: float = 1.05
    first_year: float = 2014.0
    knee_year: float = 2021.0
    last_year: float = 2025.0
    kepler_clock: float = 0.62  # K80 does not hold its listed boost clock
    p100_half: float = 1.3  # P100 gains this much from 16 bits, not its listed factor of 2


@dataclass(frozen=True)
class Traffic:
    """Bytes read and written per written element, in training and in inference (throughput study, section 2)."""

    training: float
    inference: float


TRAFFIC: dict[str, Traffic] = {
    "cnn": Traffic(20, 6),
    "depthwise_cnn": Traffic(36, 11),
    "grouped_cnn": Traffic(22, 7),
    "detection": Traffic(20, 7),
    "plain_cnn": Traffic(9, 4),
    "segmentation": Traffic(12, 4),
    "transformer": Traffic(7, 3.2),
    "rnn": Traffic(8, 3),
    "speech_1d": Traffic(36, 9),
    "recommender": Traffic(14, 4),
}


@dataclass(frozen=True)
class Scaling:
    """Data parallel over devices and nodes (throughput study, section 5)."""

    nvlink: float = 0.17  # of the one-direction link rate
    pcie: float = 0.43
    pcie_contention: float = 0.14
    network: float = 0.19
    step_growth: float = 0.021  # per doubling of the devices
    overlap: float = 0.19  # share of the step behind which the exchange hides
    softness: float = 0.1
    gradient_bytes_fp32: float = 4.0
    gradient_bytes_half: float = 2.4
    pcie_gb_s: tuple[tuple[int, float], ...] = ((3, 12.0), (4, 24.0), (5, 48.0), (6, 96.0))


@dataclass(frozen=True)
class TrainingMemory:
    """Device memory of sample-based training (memory study, section 2)."""

    context_gib: float = 1.0
    allocator: float = 1.03
    usable: float = 0.99
    usable_gddr: float = 0.9375  # GDDR with error correction gives a sixteenth away
    state_bytes: tuple[tuple[str, float, float], ...] = (
        ("sgd", 12, 14),
        ("adamw", 16, 18),
        ("adamw8bit", 10, 12),
        ("adafactor", 8.1, 10.1),
    )  # per parameter in fp32 and mixed: weights, gradients, optimizer states
    # Kept bytes over those of the stored elements, by class of network (``ModelProfile.memory``).
    kappa_convolution: float = 1.23
    kappa_encoder: float = 1.11
    kappa_eager_encoder: float = 1.95  # unfused, in early releases of PyTorch
    kappa_segment_transformer: float = 1.4
    # Vendors' scripts take the adaptive softmax: the most with which the batches that they ran fit a V100 of 16 GB.
    kappa_adaptive_segment_transformer: float = 0.7
    kappa_rnn: float = 1.08
    kappa_convolution_1d: float = 1.45  # in releases of PyTorch before 1.13
    kappa_lean_convolution_1d: float = 1.45 * 0.72
    kappa_mlp: float = 1.14
    kappa_other: float = 1.14
    # Refused only where low × the need is not there (memory study, section 2): of the largest batches that ran, one in
    # 200 needed more by the fit that had not seen its device, one in 30 by the fit that had not seen its model.
    low: float = 1 / 1.20
    low_other: float = 1 / 1.25  # of models that are not among the measured (memory study, section 2)
    # By tokens: of 277 runs none needed more than 1.07 × usable, and the run at 1.17 ran out of memory.
    low_tokens: float = 1 / 1.12
    recommend_known: float = 0.90
    recommend_other: float = 0.80


@dataclass(frozen=True)
class TokenTraining:
    """Language-model training by tokens (memory and language-model training study, sections 3 and 4)."""

    gemm: float = 0.903
    peak_exponent: float = 0.168
    reference_tflops: float = 312.0
    attention: float = 0.376
    attention_peak_exponent: float = 0.420
    elementwise: float = 1.40
    experts: float = 0.623
    recomputation: float = 0.60  # of a forward pass, where all is recomputed
    selective: float = 0.4
    stock: float = 0.827
    # Chips with a compiler of their own: what they make of their datasheets' rate, over NVIDIA's.
    neuron: float = 0.448
    tpu: float = 0.7
    gaudi: float = 0.7
    other_chip: float = 0.7
    sharded_adapter_s: float = 6.3e-3  # a layer, where frozen and trained weights are spread together
    tensor_exchange: float = 2.0
    expert_exchange: float = 1.0
    peak8_exponent: float = 0.085
    layer_launch_s: float = 2.7e-3
    overlap: float = 0.35
    dequantise: float = 0.29
    power_exponent: float = 0.4
    gemm_bandwidth: float = 0.8
    nvlink_share: float = 0.75
    network_share: float = 0.75
    hidden_share: float = 0.9
    moe_launch: float = 4.0
    reserve: float = 1.05  # reserved over allocated: 1.03 to 1.08


# Language-model serving. Defaults are those of the serving study, sections 3 and 7.


@dataclass(frozen=True)
class ServingFit:
    """Decode and prefill on accelerators (study, section 3): shares of the datasheet's rates, and latencies."""

    bandwidth_hbm: float = 0.84
    bandwidth_gddr: float = 0.98
    bandwidth_cap: float = 0.90  # GDDR under engines that no row has measured on it
    bandwidth_llama_cpp: float = 0.89  # over the others' share
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
    attention: float = 0.32
    attention_llama_cpp: float = 0.27  # over the others' share
    step_s: float = 0.69e-3
    layer_s: float = 44e-6
    moe_layer_s: float = 67e-6
    allreduce_nvlink_s: float = 2.7e-6
    allreduce_neuron_s: float = 18e-6
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
    """Effects that only rented instances show: slow hosts, the PCIe bus, devices before Hopper, bitsandbytes."""

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
VLLM = EngineFit(0.71, 0.78, 33e-6, FRONT_END_S, MOE_PREFILL_S)
TENSORRT_LLM = EngineFit(0.92, 0.40, 8.5e-6, FRONT_END_S, MOE_PREFILL_S)
SGLANG = EngineFit(1.01, 0.88, 6.3e-6, FRONT_END_S, MOE_PREFILL_S)
LLAMA_CPP = EngineFit(1.20, 2.2, 33e-6, 2e-3)
NEURON = EngineFit(1.0, 1.04, 33e-6, 8e-3)
PYTORCH = EngineFit(0.71, 26.0, 33e-6, FRONT_END_S)
DECODE = VectorRates(none=9, avx2=24, avx512f=23, avx512_vnni=9, avx512_bf16=35, amx=19, neon=8, sve=10, sve2=10)
PREFILL = VectorRates(none=20, avx2=40, avx512f=46, avx512_vnni=37, avx512_bf16=156, amx=769, neon=30, sve=60, sve2=129)
DECODE_LLAMA_CPP = VectorRates(
    none=42, avx2=75, avx512f=41, avx512_vnni=45, avx512_bf16=85, amx=52, neon=22, sve=29, sve2=26
)
PREFILL_LLAMA_CPP = VectorRates(
    none=33, avx2=71, avx512f=65, avx512_vnni=66, avx512_bf16=86, amx=124, neon=26, sve=37, sve2=32
)


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


# Gradient boosting by histograms: one set a learner, and the one learner that runs well on GPUs.


@dataclass(frozen=True)
class Boosting:
    """Seconds of a tree: values and bytes of each level over all cores, and the cost of each leaf.

    Defaults are where a fit starts: own measurements of small tables, and LightGBM's documentation.
    """

    value_ns: float = 1.2  # of one core, to take in one value in one level
    value_bytes: float = 10.0  # moved per value and level: bins, row indices, gradients out of order
    leaf_us: float = 5.0  # to find a leaf's split, however few rows it has
    leaf_core_us: float = 0.5  # and to gather it from each core
    cores_exponent: float = 0.9  # what more cores bring: boosting synchronises every leaf


@dataclass(frozen=True)
class BoostingOnGpu:
    """The same on one accelerator: a level's kernels, and values at a rate that bandwidth moves only partly."""

    level_ms: float = 0.7
    value_ns: float = 0.045  # at the reference bandwidth
    bandwidth_exponent: float = 0.3  # gathers and atomic additions are no streams


# Seconds on all threads of two sockets over those on one socket: the median over the runs of 192 vCPUs of GBM-perf (see
# /v1/evidence, where they are marked as runs over two sockets), each over the same table on 96 vCPUs of one socket.
# LightGBM's lie between 1.7 and 8.4, XGBoost's between 1.0 and 1.5.
ACROSS_SOCKETS = {"lightgbm": 2.27, "xgboost": 1.28}
# Seconds a value of CatBoost 1.2.10 over XGBoost 3.2, each on one core: an own measurement on 2026-11-23, the least of
# three fits of 20 trees of depth 6 to a quantised table of a million rows of 28 features, AMD EPYC (family 25).
CATBOOST_OVER_XGBOOST = 1.4

# Per value and pass, where no row is published: an own measurement on 2026-11-21 (scikit-learn, 0.1 to 2
# million rows of 28 features, a core 1.5 times the reference).
VALUE_NS = {"random-forest": 15.0, "logistic-regression": 2.4}
REFERENCE_GZIP_MB_S = 28.0  # one thread, gzip -5, of the core that seconds of boosting and loading are counted on
REFERENCE_GB_S = 800.0

ROOFLINE = Roofline()
SCALING = Scaling()
TRAINING_MEMORY = TrainingMemory()
TOKEN_TRAINING = TokenTraining()
SERVING = Serving()
BOOSTING = Boosting()
BOOSTING_ON_GPU = BoostingOnGpu()


@dataclass(frozen=True)
class Coefficients:
    """Everything that is fitted, as one value; its defaults are what the fits start from."""

    roofline: Roofline = ROOFLINE
    scaling: Scaling = SCALING
    memory: TrainingMemory = TRAINING_MEMORY
    token_training: TokenTraining = TOKEN_TRAINING
    serving: Serving = SERVING
    xgboost: Boosting = BOOSTING
    lightgbm: Boosting = BOOSTING
    xgboost_on_gpu: BoostingOnGpu = BOOSTING_ON_GPU
    effects: Effects = field(default_factory=Effects, hash=False)  # of the roofline
    measured: Measured = field(default_factory=dict, hash=False)  # what an estimate of just that work is
    known: Mapping[str, Known] = field(default_factory=dict, hash=False)  # by kind of work
    checks: Checks = field(default_factory=dict, hash=False)  # of serving
    spreads: Spreads = field(default_factory=Spreads, hash=False)
    waits: Waits = field(default_factory=Waits, hash=False)  # of services that answer in batches
