"""The forms' coefficients: what each is, and the published or studied value that a fit starts from.

The fits are those of three studies of published measurements (November 2026): *throughput* (2,481
one-device rows and 1,702 scaling pairs of training and classic inference), *memory and language-model
training* (69 memory and 286 speed rows), *serving* (5,374 accelerator and 28,409 processor rows).
An efficiency is meaningful only in its own formula; it is no "percent of peak" to show to users.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Roofline:
    """Step time of sample-based models on one device: compute + traffic, chip filling, launches.

    Source: throughput study, form d (sections 2 and 3): no coefficient per model or software.
    """

    compute_fp32: float = 0.80
    compute_tf32: float = 0.43
    compute_tensor16: float = 0.56
    # The next five stand only in form f2; they keep their ratio there to fp32 (1.21) or to 16-bit tensor (0.26).
    compute_plain16: float = 0.80 * 1.34 / 1.21  # 16 bits without tensor cores
    compute_8bit: float = 0.56 * 0.18 / 0.26
    # Of the training study, as in TokenTraining: the throughput study had two chips only.
    compute_neuron: float = 0.903 * 0.448
    # Chips that need a compiler of their own, in training: no row; what the one measured of them made of its datasheet
    # in language-model training (0.448) is taken for all.
    unmeasured_chip: float = 0.448
    compute_cpu: float = 0.80 * 0.55 / 1.21
    compute_cpu_8bit: float = 0.80 * 0.16 / 1.21
    memory: float = 1.05  # above 1: the traffic factors count a little too much
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
    tuned_tensor: float = 1.24  # vendor-tuned scripts over others, 16 bits on tensor cores
    tuned_plain: float = 1.0  # 0.99 ± 0.10: no effect
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


# How much longer a step of a group of networks takes, as a logarithm (throughput study, section 2); others: 0.
KIN_EFFECT: dict[str, float] = {
    "bert": -0.26,
    "plain": -0.38,
    "unet": -0.22,
    "ncf": -0.47,
    "txl": 0.38,
    "efficient": 0.32,
    "inception": 0.27,
    "tacotron": 0.29,
    "keras": 0.69,
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
    eager_transformer: float = 1.95  # unfused, before PyTorch 1.9
    low: float = 1 / 1.20  # refused only above 1.20 × usable
    recommend_known: float = 0.90
    recommend_other: float = 0.80


MEMORY_KAPPA: dict[str, float] = {
    "convolution": 1.23,
    "encoder": 1.11,
    "rnn": 1.08,
    "convolution_1d": 1.45,
    "mlp": 1.14,
    "other": 1.14,
}


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
    neuron: float = 0.448
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
    logits_bytes: float = 14.0  # per token and word of the vocabulary, PyTorch without fused loss
    reserve: float = 1.05  # reserved over allocated: 1.03 to 1.08


@dataclass(frozen=True)
class ServingFit:
    """Language-model serving (serving study, section 3)."""

    bandwidth_hbm: float = 0.84
    bandwidth_gddr: float = 0.90
    experts: float = 0.75
    kv: float = 0.87
    kv_before_hopper: float = 0.63
    compute16: float = 0.70
    compute8: float = 0.72
    compute4: float = 0.19
    compute_weight_only: float = 0.39
    power_reference: float = 1.4
    power_floor: float = 0.3
    power_exponent: float = 0.29
    norm: float = 1.09
    attention: float = 0.32
    step_s: float = 0.69e-3
    layer_s: float = 44e-6
    moe_layer_s: float = 67e-6
    allreduce_nvlink_s: float = 2.7e-6
    allreduce_pcie_s: float = 17e-6
    link_share: float = 0.35
    pcie_gb_s: float = 0.95 * 25
    host_exponent: float = 1.57
    host_reference_mb_s: float = 30.0
    interference: float = 0.86
    prefill_s: float = 1.1e-3
    prefill_launches: float = 3.3
    prefill_chunk: float = 8192.0
    queue_steps: float = 0.73
    queue_load: float = 0.18
    queue_closed: float = 0.09
    load_cap: float = 0.97
    capacity: float = 1.09
    memory_share: float = 0.94
    overhead_gb: float = 1.0


@dataclass(frozen=True)
class EngineFit:
    """What one serving engine adds (serving study, section 3, the ``_eng`` coefficients)."""

    step: float
    layer: float
    host_s: float
    first_token_s: float


SERVING_ENGINES: dict[str, EngineFit] = {
    "vllm": EngineFit(0.71, 0.78, 33e-6, 14e-3),
    "tensorrt-llm": EngineFit(0.92, 0.40, 8.5e-6, 137e-3),
    "sglang": EngineFit(1.01, 0.88, 6.3e-6, 246e-3),
    "llama.cpp": EngineFit(1.20, 2.2, 33e-6, 2e-3),
    "neuron": EngineFit(1.0, 1.04, 33e-6, 8e-3),
    "pytorch": EngineFit(0.71, 26.0, 33e-6, 14e-3),
}

ROOFLINE = Roofline()
SCALING = Scaling()
TRAINING_MEMORY = TrainingMemory()
TOKEN_TRAINING = TokenTraining()
SERVING = ServingFit()


@dataclass(frozen=True)
class Coefficients:
    """Everything that is fitted, as one value: what a job is estimated with."""

    roofline: Roofline = ROOFLINE
    scaling: Scaling = SCALING
    memory: TrainingMemory = TRAINING_MEMORY
    token_training: TokenTraining = TOKEN_TRAINING
    serving: ServingFit = SERVING
