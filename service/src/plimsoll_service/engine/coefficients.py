"""The formulas' coefficients, each with the published or studied value that a fit starts from.

The fits are those of three studies of published measurements (November 2026): *throughput* (2,481
one-device rows and 1,702 scaling pairs of training and classic inference), *memory and language-model
training* (69 memory and 286 speed rows), *serving* (5,374 accelerator and 28,409 processor rows).
An efficiency is meaningful only in its own formula; it is no "percent of peak" to show to users.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log2
from typing import NamedTuple

from .anchors import AnchorFit
from .clouds import CloudTable
from .datasets import DatasetTable
from .effects import Effects
from .frameworks import FrameworkTable
from .known import Agreements, Checks, Known
from .measured import Measured
from .models import ModelTable
from .models.batch_limits import BatchLimits
from .serving_coefficients import Serving
from .sockets import Sockets
from .spreads import Spreads
from .support import SupportTable
from .waits import Waits


@dataclass(frozen=True)
class Roofline:
    """Step time of sample-based models on one device: compute + traffic, chip filling, launches.

    Source: throughput study, form d (sections 2 and 3); what models and software add to it are ``effects``.
    """

    compute_fp32: float = 0.80
    compute_tf32: float = 0.43
    compute_tensor16: float = 0.56
    # Those with a ratio stand only in form f2 of that study: they keep it to fp32 (1.21) or to 16-bit tensor (0.26).
    compute_plain16: float = 0.80 * 1.34 / 1.21  # 16 bits without tensor cores
    compute_8bit: float = 0.56 * 0.18 / 0.26
    # Of the training study, as in TokenTraining: the throughput study had two chips only.
    compute_neuron: float = 0.903 * 0.448
    # Chips that need a compiler of their own, training what no row shows them train: what the one measured of them
    # made of its datasheet in language-model training (0.448) is taken for all.
    unmeasured_chip: float = 0.448
    compute_cpu: float = 0.80 * 0.55 / 1.21
    # Tiles, in 8 and 16 bits: prompts reach of their peak what they reach of the vectors' (serving study: 769 and 46
    # GFLOP/s a core in 16 bits and in fp32, 16.7 times at 16 times the peak).
    compute_cpu_8bit: float = 0.80 * 0.55 / 1.21
    memory: float = 1.05  # training; above 1: the traffic factors count a little too much
    memory_inference: float = 1.34
    fused_traffic: float = 0.5  # in 8-bit inference: compiled engines keep results between layers on the chip
    gather: float = 0.10
    launch_training_s: float = 17e-6
    launch_inference_s: float = 13e-6
    launch_sequential_s: float = 6.5e-6
    # Denoising networks that PyTorch trains as they come, casts, hooks of adapters and their optimizer with them: at a
    # batch of one a step of SDXL takes 0.93 to 1.23 s on RTX 3090, 3090 Ti and 4090 alike (/v1/evidence,
    # image-fine-tuning), of which the products of a 4090 are a third; and 0.30 s of SD 1.5 on RTX 2080 Ti, 0.36 on T4.
    launch_denoising_s: float = 100e-6
    host_s: float = 0.9e-3
    cpu_launches: float = 1.0  # of a device's launches and host: threads are woken instead
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
    # Speed gained per year of the software's release up to the knee, on matrix units and by recurrent networks on plain
    # ones; and from the knee on, on processors in all years. Between the first and last year fitted.
    year_tensor: float = 1.10
    year_recurrent: float = 1.20
    recent_year: float = 1.05
    first_year: float = 2014.0
    knee_year: float = 2021.0
    last_year: float = 2025.0
    kepler_clock: float = 0.62  # K80 does not hold its listed boost clock
    p100_half: float = 1.3  # P100 gains this much from 16 bits, not its listed factor of 2


class Traffic(NamedTuple):
    """Bytes read and written per written element, in training and in inference."""

    training: float
    inference: float


@dataclass(frozen=True)
class Scaling:
    """Data parallel over devices and nodes (throughput study, section 5)."""

    nvlink: float = 0.17  # of the one-direction link rate
    pcie: float = 0.43
    pcie_contention: float = 0.14
    # Through the host's memory, where devices reach each other in no other way: the mean of two RTX 3090 and two RTX
    # 4090 that train BERT-large beside one (see /v1/evidence, lambda), and as much contention as on the bus.
    staged_gb_s: float = 5.0
    staged_contention: float = 0.14
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
        ("adagrad", 12, 14),
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
    recomputation: float = 0.60  # of a forward pass, where all is recomputed; with adapters it is a whole one
    selective: float = 0.4
    stock: float = 0.827
    # Chips with a compiler of their own: what they make of their datasheets' rate, over NVIDIA's. TPU: MaxText reaches
    # 61, 67, 60 and 56% of v5e's rate with models of 16 to 128 billion parameters on 256 chips (google/maxtext,
    # MaxText/configs/v5e, read 2026-11-28); with 1.0 the formula has 62 to 66% at 32 billion.
    neuron: float = 0.448
    tpu: float = 1.0
    gaudi: float = 0.7
    other_chip: float = 0.7
    sharded_adapter_s: float = 6.3e-3  # a layer, where frozen and trained weights are spread together
    tensor_exchange: float = 1.0
    # Speed of experts' products and launches on devices that the links of a rack join, over that in machines of eight:
    # NVIDIA's trainer sends tokens there with another dispatcher (HybridEP; docs.nvidia.com/nemo/automodel, 2026).
    rack_experts: float = 1.0
    peak8_exponent: float = 0.085
    # Of a layer without adapters: the study's 2.7 ms, which those with adapters on attention took 1.6 times, over the
    # kernels that these add (``adapter_kernels``).
    layer_launch_s: float = 2.7e-3 * 1.6 / 1.247
    overlap: float = 0.35
    dequantise: float = 0.29
    # GPTQ's weights of 4 bits are unpacked by plain tensor kernels: their share of the bandwidth, at first that of
    # products.
    dequantise_gptq: float = 0.8
    # Bytes that an adapter moves a pass for each input and output of its matrix, besides products. The fit starts
    # between scaling and sums alone in 16 bits (about 5), and dropout and copies in fp32 besides (about 17).
    adapter_bytes: float = 10.0
    power_exponent: float = 0.4
    gemm_bandwidth: float = 0.8
    nvlink_share: float = 0.75
    network_share: float = 0.75
    hidden_share: float = 0.9
    moe_launch: float = 4.0
    reserve: float = 1.05  # reserved over allocated: 1.03 to 1.08


# Gradient boosting by histograms: one set a learner, and the one learner that runs well on GPUs.


@dataclass(frozen=True)
class Boosting:
    """Seconds of a tree: rows, values and bytes of each level over all cores, and the cost of each leaf.

    Defaults are where a fit starts: an own measurement on 2026-11-29, one core of AMD EPYC (Zen 4, 1.06 times the
    reference), 20,000 to a million rows of 7 to 100 features. At depth 6, XGBoost 3.2 took 8.6 ns for a row of 7
    features and level, 16.7 of 28 and 50 of 100; LightGBM 4.7 took 10.3, 23.6 and 84. Of few rows, a leaf took 1.3 to
    1.6 µs a feature, and 1.0 µs.
    """

    value_ns: float = 0.6  # of one core, to take in one value in one level
    row_ns: float = 5.0  # and to place a row, with its gradients
    value_bytes: float = 10.0  # moved per value and level: bins, row indices, gradients out of order
    split_us: float = 1.2  # of one core, to find a leaf's split in a feature's histogram
    leaf_core_us: float = 0.5  # to gather a leaf from each core, however few rows it has
    cores_exponent: float = 0.9  # what more cores bring: boosting synchronises every leaf


@dataclass(frozen=True)
class BoostingOnGpu:
    """Time of a tree on one accelerator: a level's kernels, and values at a rate that bandwidth moves only partly."""

    level_ms: float = 0.7
    value_ns: float = 0.045  # at the reference bandwidth
    bandwidth_exponent: float = 0.3  # gathers and atomic additions are no streams


# Seconds a value of CatBoost 1.2.10 over XGBoost 3.2, each on one core: an own measurement on 2026-11-23, the least of
# three fits of 20 trees of depth 6 to a quantised table of a million rows of 28 features, AMD EPYC (family 25).
CATBOOST_OVER_XGBOOST = 1.4

# What more cores bring CatBoost: 713 s on the 16 cores of two Xeon E5-2650 v2, 400,000 rows of 2,000 features, over one
# core by the two figures above, and its time on a V100 is 77 s (catboost/catboost@9b9b4405, catboost/benchmarks/
# gpu_vs_cpu_training_speed/README.md, 128 bins). The page states no trees for it, and 6 levels: 1,000, the default, are
# near its other figure. A P100 takes 17.9 ms a tree in 15 bins by the classic scheme; 128 bins make that 2 to 4 times
# as much, and the default scheme of then 2 to 3 times: 72 to 215 ms, where 127 s for 1,000 are 127.
CATBOOST_CORES_EXPONENT = 0.88
# Seconds a value of CatBoost on a GPU at the reference bandwidth, in place of XGBoost's: that V100, by the fit's
# bandwidth exponent and with its time of a level. A P100 took 127 s there, 1.5 times what the exponent makes of it.
CATBOOST_GPU_VALUE_NS = 0.0157

# Per value and pass of a linear model, where no row is published: an own measurement on 2026-11-21 (scikit-learn, 0.1
# to 2 million rows of 28 features, a core 1.5 times the reference). Per feature tried and level of a forest's row: own
# measurement on 2026-11-28, scikit-learn 1.9.1, processor time of one core 1.06 times the reference, 400,000 rows of 54
# features, depth 20: 75 ns where all are real numbers, 53 where half are small whole numbers, 33 where all are whole
# numbers, 23 where 44 are binary, and 17 where the other ten are whole numbers; the geometric mean.
VALUE_NS = {"random-forest": 37.0, "logistic-regression": 2.4}
# The last and the first of these, by the bytes of such a value in a table of text, with its comma: a split sorts the
# values, and few different ones are sorted soon. Forests of two trees on 20,000 to 600,000 rows, of depth 8, 16 and
# unbounded, took 15 to 26 ns (44 of 54 features binary) and 60 to 139 (28 and 200 real ones), on a busy machine.
FOREST_NS, FOREST_BYTES = (17.0, 75.0), (2.4, 8.0)
# Mean depth at which a row ends in a tree that grows until its leaves are pure, over log2 of the rows: 1.37, 1.38 and
# 1.49 (20,000, 150,000 and 581,000 rows, binary) and 1.22, 1.25 and 1.23 (600,000, real) in that measurement.
GROWN = 1.3
REFERENCE_GZIP_MB_S = 28.0  # one thread, gzip -5, of the core that seconds of boosting and loading are counted on
REFERENCE_GB_S = 800.0


def grown_depth(rows: float) -> float:
    """Return the mean depth of a row in a tree without a bound, grown on so many rows."""
    return max(1.0, GROWN * log2(max(rows, 2.0)))


ROOFLINE = Roofline()
SCALING = Scaling()
TRAINING_MEMORY = TrainingMemory()
TOKEN_TRAINING = TokenTraining()
SERVING = Serving()
BOOSTING = Boosting()
BOOSTING_ON_GPU = BoostingOnGpu()


@dataclass(frozen=True)
class Coefficients:
    """Everything that is fitted or stated: known models, software, rules; its defaults are what the fits start from."""

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
    agreed: Agreements = field(default_factory=dict, hash=False)  # of serving
    spreads: Spreads = field(default_factory=Spreads, hash=False)
    waits: Waits = field(default_factory=Waits, hash=False)  # of services that answer in batches
    anchors: AnchorFit = field(default_factory=AnchorFit, hash=False)  # of the user's own measurements
    rules: Mapping[str, str] = field(default_factory=dict, hash=False)  # source of each rule
    support: SupportTable = field(default_factory=SupportTable, hash=False)
    models: ModelTable = field(default=ModelTable(), hash=False)
    clouds: CloudTable = field(default=CloudTable(), hash=False)
    frameworks: FrameworkTable = field(default=FrameworkTable(), hash=False)
    datasets: DatasetTable = field(default=DatasetTable(), hash=False)
    batch_limits: BatchLimits = field(default_factory=dict, hash=False)
    traffic: Mapping[str, Traffic] = field(default_factory=dict, hash=False)  # by ``ModelProfile.traffic``
    sockets: Sockets = field(default=Sockets(), hash=False)
