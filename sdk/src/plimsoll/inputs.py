"""Inputs of calls: as frozen values, in which ``None`` means "not given", and as dicts of the same names.

Written from openapi.yaml by ``make inputs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Required, SupportsFloat, SupportsIndex, TypedDict

# Numbers of NumPy and of ``decimal`` too.
Whole = int | SupportsIndex
Number = float | SupportsFloat
# Several names; a single text is none.
Names = list[str] | tuple[str, ...] | Set[str]


Format = Literal[
    "json",
    "table",
    "csv",
    "env",
    "tfvars",
    "skypilot",
    "kubernetes",
    "sagemaker",
    "karpenter",
    "vertex",
    "azureml",
    "dstack",
    "slurm",
    "ray",
    "aws_batch",
    "kueue",
    "runs_on",
]
Task = Literal["training", "inference", "preprocessing", "hpc"]
Framework = Literal[
    "pytorch",
    "torch",
    "pt",
    "pytorch-lightning",
    "lightning",
    "torch-xla",
    "pytorch-xla",
    "fsdp",
    "fsdp2",
    "openai-whisper",
    "whisper",
    "ultralytics",
    "timm",
    "torchvision",
    "torchaudio",
    "torchrec",
    "torchserve",
    "mmdetection",
    "detectron2",
    "coqui",
    "coqui-tts",
    "comfyui",
    "automatic1111",
    "mmsegmentation",
    "mmpretrain",
    "mmaction2",
    "monai",
    "nnunet",
    "yolov5",
    "fastai",
    "fairseq",
    "fairseq2",
    "espnet",
    "speechbrain",
    "kohya-ss",
    "kohya",
    "sd-scripts",
    "musubi-tuner",
    "diffusion-pipe",
    "ai-toolkit",
    "torch-geometric",
    "pyg",
    "dgl",
    "stable-baselines3",
    "huggingface",
    "transformers",
    "hf",
    "hugging-face",
    "huggingface-transformers",
    "diffusers",
    "accelerate",
    "trl",
    "optimum-habana",
    "sentence-transformers",
    "sbert",
    "insanely-fast-whisper",
    "tensorflow",
    "tf",
    "tensorflow-1",
    "tensorflow-2",
    "tf1",
    "tf2",
    "tensorflow-serving",
    "tf-serving",
    "keras",
    "keras-tensorflow",
    "tf-keras",
    "tf.keras",
    "keras-tensorflow-gpu-build",
    "keras-tensorflow-pip-wheel",
    "keras-tensorflow-compiled-with-cpu-instructions",
    "jax",
    "flax",
    "maxtext",
    "haiku",
    "equinox",
    "mxnet",
    "apache-mxnet",
    "gluon",
    "mx",
    "nvcaffe",
    "nv-caffe",
    "nvidia-caffe",
    "caffe",
    "bvlc-caffe",
    "caffe-native",
    "caffe-clgreentea",
    "caffe2",
    "torch7",
    "lua-torch",
    "torch-7-native",
    "cl-nn",
    "fbfft",
    "cudnn-r4-fp16",
    "cudnn-r4-fp32",
    "cudnn-r2",
    "theano",
    "theano-keras",
    "lasagne",
    "chainer",
    "neon",
    "nervana-neon",
    "nervana-neon-fp16",
    "nervana-neon-fp32",
    "nervana",
    "cuda-convnet2",
    "cudaconvnet2",
    "convnet2",
    "paddle",
    "paddlepaddle",
    "paddle-paddle",
    "mindspore",
    "deepspeed",
    "microsoft-deepspeed",
    "zero",
    "megatron",
    "megatron-lm",
    "megatron-core",
    "megatron-bridge",
    "nemo",
    "megatron-bridge-nemo",
    "llm-foundry",
    "composer",
    "mosaicml",
    "pytorch-fsdp",
    "llm-foundry-composer",
    "mosaic",
    "torchtitan",
    "pytorch-torchtitan",
    "torchtune",
    "torchtune-pytorch",
    "litgpt",
    "lit-gpt",
    "litgpt-pytorch",
    "lit-llama",
    "peft",
    "huggingface-peft",
    "unsloth",
    "axolotl",
    "llama-factory",
    "vllm",
    "vllm-openai",
    "sglang",
    "sgl",
    "tensorrt-llm",
    "trtllm",
    "trt-llm",
    "tensorrtllm",
    "tensorrt-llm-pytorch-backend",
    "fastertransformer",
    "lmdeploy",
    "turbomind",
    "tgi",
    "text-generation-inference",
    "text-embeddings-inference",
    "tei",
    "infinity",
    "infinity-emb",
    "faster-whisper",
    "fasterwhisper",
    "whisper-ctranslate2",
    "whisperx",
    "ctranslate2",
    "ct2",
    "llama.cpp",
    "llamacpp",
    "llama-cpp",
    "gguf",
    "ollama",
    "ggml",
    "llama-cpp-python",
    "llama-server",
    "lm-studio",
    "mlx",
    "mlx-lm",
    "mlx_lm",
    "mlx-vlm",
    "mlx-llm",
    "whisper.cpp",
    "whisper-cpp",
    "whispercpp",
    "pywhispercpp",
    "whisper-server",
    "tensorrt",
    "trt",
    "nvidia-tensorrt",
    "jetpack",
    "triton-inference-server",
    "triton",
    "nvidia-triton",
    "triton-server",
    "onnxruntime",
    "onnx",
    "ort",
    "onnx-runtime",
    "openvino",
    "intel-openvino",
    "openvino-model-server",
    "ovms",
    "neuron",
    "aws-neuron",
    "pytorch-neuron",
    "torch-neuron",
    "torch-neuronx",
    "neuronx",
    "transformers-neuronx",
    "neuronx-distributed",
    "tensorflow-neuron",
    "optimum-neuron",
    "xgboost",
    "xgb",
    "lightgbm",
    "lgbm",
    "light-gbm",
    "catboost",
    "cat-boost",
    "scikit-learn",
    "sklearn",
    "scikit",
    "spark",
    "pyspark",
    "apache-spark",
    "spark-mllib",
    "spark-ml",
    "fasttext",
    "fast-text",
    "fasttext-wheel",
    "pandas",
    "dask",
    "dask-dataframe",
    "polars",
    "python-polars",
    "other",
    "custom",
    "none",
]
Tuning = Literal["stock", "tuned"]
Precision = Literal["fp64", "fp32", "tf32", "mixed", "fp16", "bf16", "fp8", "int8", "fp4", "int4", "auto"]
Quantization = Literal["none", "awq", "gptq", "bitsandbytes", "fp8", "int8", "mxfp4", "gguf"]
Optimizer = Literal["adamw", "adamw8bit", "sgd", "adagrad", "adafactor"]
Method = Literal["full", "lora", "qlora"]
LoraTargets = Literal["attention", "all"]
ActivationRecomputation = Literal["auto", "none", "selective", "full"]
Sharding = Literal["auto", "none", "zero1", "zero2", "zero3"]
Offload = Literal["none", "optimizer", "parameters"]
KvCachePrecision = Literal["auto", "fp8", "int8"]
StorageFormat = Literal[
    "jpeg", "png", "wav", "text", "csv", "parquet", "lmdb", "recordio", "tfrecord", "webdataset", "array", "memory"
]
Purchase = Literal["on_demand", "spot"]
Interconnect = Literal["nvlink", "any"]
Basis = Literal["measured", "calibrated", "modelled", "anchored"]
PriceConfidence = Literal["list", "derived", "estimated", "undated"]
Objective = Literal["cost", "time", "performance_per_cost", "balanced"]
Group = Literal["hardware", "none"]
Family = Literal[
    "cnn",
    "detection",
    "segmentation",
    "rnn",
    "encoder",
    "decoder",
    "encoder_decoder",
    "moe",
    "diffusion",
    "recommender",
    "speech",
    "video",
    "mlp",
    "tree",
    "linear",
]
DiskType = Literal["auto", "nvme", "ssd", "balanced", "efficiency", "hdd"]
SpeculativeDecodingMethod = Literal["eagle3", "mtp", "eagle", "medusa", "draft_model", "ngram"]
CommitmentKind = Literal["reserved", "savings_plan"]
DiskClass = Literal["nvme", "ssd", "balanced", "efficiency", "hdd"]
PriceChangeFilterChange = Literal["added", "removed", "changed"]
EvidenceFilterTask = Literal["training", "inference"]
EvidenceFilterMetric = Literal[
    "samples/s",
    "tokens/s",
    "output_tokens/s",
    "prefill_tokens/s",
    "ttft_ms",
    "tpot_ms",
    "latency_ms",
    "peak_memory_gib",
    "largest_batch",
    "fits",
    "seconds",
]
EvidenceFilterLoad = Literal["single", "closed", "saturated", "rate", "offline", "server", "static"]
RuleFilterPhase = Literal["constraint", "sizing", "estimate", "choice", "advice"]


@dataclass(frozen=True)
class Workload:
    """The workload. Only ``task`` is required; the answer lists the values that it assumes for other fields."""

    task: Task
    framework: Framework | None = None
    framework_version: str | None = None
    tuning: Tuning | None = None
    model: str | CustomModel | CustomModelFields | None = None
    precision: Precision | None = None
    quantization: Quantization | None = None
    batch_size: Whole | None = None
    global_batch_size: Whole | None = None
    dataset: Dataset | DatasetFields | None = None
    epochs: Number | None = None
    deadline: str | timedelta | datetime | None = None
    budget_usd: Number | None = None
    disk: Disk | DiskFields | None = None
    image_size: Whole | Sequence[Whole] | None = None
    sequence_length: Whole | None = None
    steps: Whole | None = None
    optimizer: Optimizer | None = None
    tokens: Number | None = None
    method: Method | None = None
    lora_rank: Whole | None = None
    lora_targets: LoraTargets | None = None
    activation_recomputation: ActivationRecomputation | None = None
    sharding: Sharding | None = None
    offload: Offload | None = None
    input_tokens: Whole | None = None
    output_tokens: Whole | None = None
    max_model_len: Whole | None = None
    kv_cache_precision: KvCachePrecision | None = None
    concurrency: Whole | None = None
    requests_per_second: Number | None = None
    requests_per_second_by_hour: Sequence[Number] | None = None
    spare_replicas: Whole | None = None
    requests: Number | None = None
    hours_of_audio: Number | None = None
    latency_ms: Number | str | None = None
    prefix_cache_hit_rate: Number | None = None
    speculative_decoding: SpeculativeDecoding | SpeculativeDecodingFields | None = None
    tpot_ms: Number | str | None = None
    end_to_end_ms: Number | str | None = None
    experiments: Whole | None = None
    flops: Number | None = None
    bytes: Number | str | None = None
    memory_gib: Number | str | None = None
    trees: Whole | None = None
    depth: Whole | None = None
    features: Whole | None = None
    output_format: StorageFormat | None = None
    checkpoint_gib: Number | str | None = None
    checkpoint_interval_minutes: Number | str | None = None
    interruptions_per_hour: Number | None = None
    measurements: Sequence[OwnMeasurement | OwnMeasurementFields] | None = None


@dataclass(frozen=True)
class Constraints:
    """Constraints on the machines; a missing constraint allows everything."""

    clouds: Names | None = None
    regions: Names | None = None
    purchase: Sequence[Purchase] | None = None
    architectures: Names | None = None
    cpu_vendors: Names | None = None
    instance_types: Names | None = None
    instance_families: Names | None = None
    exclude: Names | None = None
    exclude_clouds: Names | None = None
    retired: bool | None = None
    allow_porting: bool | None = None
    accelerators: Names | None = None
    min_accelerators: Number | None = None
    max_accelerators: Number | None = None
    max_total_accelerators: Number | None = None
    min_vcpus: Number | None = None
    min_memory_gib: Number | str | None = None
    min_accelerator_memory_gib: Number | str | None = None
    interconnect: Interconnect | None = None
    max_nodes: Whole | None = None
    basis: Sequence[Basis] | None = None
    max_usd_per_hour: Number | None = None
    price_confidence: Sequence[PriceConfidence] | None = None
    own_machines: Sequence[Hardware | OwnMachineFields] | None = None
    discounts: Sequence[Discount | DiscountFields] | None = None
    quotas: Sequence[Quota | QuotaFields] | None = None
    commitments: Sequence[Commitment | CommitmentFields] | None = None


@dataclass(frozen=True)
class Query:
    """A workload to find machines for."""

    workload: Workload | WorkloadFields
    constraints: Constraints | ConstraintsFields | None = None
    objective: Objective | None = None
    limit: Whole | None = None
    group: Group | None = None


@dataclass(frozen=True)
class CustomModel:
    """A model that is not in the list: ``config`` alone, or ``family`` with ``parameters``."""

    name: str | None = None
    config: Mapping[str, Any] | None = None
    family: Family | None = None
    parameters: Number | None = None
    active_parameters: Number | None = None
    forward_flops_per_sample: Number | None = None
    forward_flops_per_token: Number | None = None
    layers: Whole | None = None
    hidden_size: Whole | None = None


@dataclass(frozen=True)
class Dataset:
    """The stored data; a known name implies size and samples."""

    size: str | None = None
    size_gb: Number | None = None
    size_gib: Number | None = None
    size_tb: Number | None = None
    samples: Number | None = None
    format: StorageFormat | None = None
    name: str | None = None
    sharded: bool | None = None
    region: str | None = None


@dataclass(frozen=True)
class Disk:
    """The requested disk, as a generic class."""

    type: DiskType | None = None


@dataclass(frozen=True)
class SpeculativeDecoding:
    """Speculative decoding; a missing value is the published one of the method."""

    method: SpeculativeDecodingMethod | None = None
    draft_tokens: Whole | None = None
    acceptance_rate: Number | None = None


@dataclass(frozen=True)
class Hardware:
    """A machine of your own, as a candidate beside machines for rent."""

    cloud: str | None = None
    instance_type: str | None = None
    region: str | None = None
    purchase: Purchase | None = None
    node_count: Whole | None = None
    accelerator: str | None = None
    count: Number | None = None
    cpu: str | None = None
    vcpus: Number | None = None
    memory_gib: Number | str | None = None
    network_gbps: Number | None = None
    usd_per_hour: Number | None = None
    tensor_parallel: Whole | None = None
    pipeline_parallel: Whole | None = None
    expert_parallel: Whole | None = None
    label: str | None = None
    max_nodes: Whole | None = None


@dataclass(frozen=True)
class OwnMeasurement:
    """A run of the workload that you measured, in the units of the answer; state its conditions if they differ."""

    on: Hardware | HardwareFields
    throughput: Number | None = None
    ttft_ms: Number | str | None = None
    tpot_ms: Number | str | None = None
    accelerator_memory_gib: Number | str | None = None
    batch_size: Whole | None = None
    concurrency: Whole | None = None
    precision: Precision | None = None
    sequence_length: Whole | None = None
    input_tokens: Whole | None = None
    output_tokens: Whole | None = None


@dataclass(frozen=True)
class Discount:
    """A discount on the prices of a cloud, or of some of its families."""

    cloud: str
    percent: Number
    families: Names | None = None


@dataclass(frozen=True)
class Quota:
    """A limit on the number of machines of a cloud, or of some of its families."""

    cloud: str
    max_nodes: Whole
    families: Names | None = None


@dataclass(frozen=True)
class Commitment:
    """An agreed on-demand price for a cloud, or for some of its instance types or families."""

    cloud: str
    kind: CommitmentKind
    usd_per_hour: Number | None = None
    percent: Number | None = None
    instance_types: Names | None = None
    families: Names | None = None
    regions: Names | None = None
    max_nodes: Whole | None = None


class WorkloadFields(TypedDict, total=False):
    """The workload. Only ``task`` is required; the answer lists the values that it assumes for other fields."""

    task: Task | None
    framework: Framework | None
    framework_version: str | None
    tuning: Tuning | None
    model: str | CustomModel | CustomModelFields | None
    precision: Precision | None
    quantization: Quantization | None
    batch_size: Whole | None
    global_batch_size: Whole | None
    dataset: Dataset | DatasetFields | None
    epochs: Number | None
    deadline: str | timedelta | datetime | None
    budget_usd: Number | None
    disk: Disk | DiskFields | None
    image_size: Whole | Sequence[Whole] | None
    sequence_length: Whole | None
    steps: Whole | None
    optimizer: Optimizer | None
    tokens: Number | None
    method: Method | None
    lora_rank: Whole | None
    lora_targets: LoraTargets | None
    activation_recomputation: ActivationRecomputation | None
    sharding: Sharding | None
    offload: Offload | None
    input_tokens: Whole | None
    output_tokens: Whole | None
    max_model_len: Whole | None
    kv_cache_precision: KvCachePrecision | None
    concurrency: Whole | None
    requests_per_second: Number | None
    requests_per_second_by_hour: Sequence[Number] | None
    spare_replicas: Whole | None
    requests: Number | None
    hours_of_audio: Number | None
    latency_ms: Number | str | None
    prefix_cache_hit_rate: Number | None
    speculative_decoding: SpeculativeDecoding | SpeculativeDecodingFields | None
    tpot_ms: Number | str | None
    end_to_end_ms: Number | str | None
    experiments: Whole | None
    flops: Number | None
    bytes: Number | str | None
    memory_gib: Number | str | None
    trees: Whole | None
    depth: Whole | None
    features: Whole | None
    output_format: StorageFormat | None
    checkpoint_gib: Number | str | None
    checkpoint_interval_minutes: Number | str | None
    interruptions_per_hour: Number | None
    measurements: Sequence[OwnMeasurement | OwnMeasurementFields] | None


class ConstraintsFields(TypedDict, total=False):
    """Constraints on the machines; a missing constraint allows everything."""

    clouds: Names | None
    regions: Names | None
    purchase: Sequence[Purchase] | None
    architectures: Names | None
    cpu_vendors: Names | None
    instance_types: Names | None
    instance_families: Names | None
    exclude: Names | None
    exclude_clouds: Names | None
    retired: bool | None
    allow_porting: bool | None
    accelerators: Names | None
    min_accelerators: Number | None
    max_accelerators: Number | None
    max_total_accelerators: Number | None
    min_vcpus: Number | None
    min_memory_gib: Number | str | None
    min_accelerator_memory_gib: Number | str | None
    interconnect: Interconnect | None
    max_nodes: Whole | None
    basis: Sequence[Basis] | None
    max_usd_per_hour: Number | None
    price_confidence: Sequence[PriceConfidence] | None
    own_machines: Sequence[Hardware | OwnMachineFields] | None
    discounts: Sequence[Discount | DiscountFields] | None
    quotas: Sequence[Quota | QuotaFields] | None
    commitments: Sequence[Commitment | CommitmentFields] | None


class QueryFields(TypedDict, total=False):
    """A workload to find machines for."""

    workload: Required[Workload | WorkloadFields]
    constraints: Constraints | ConstraintsFields | None
    objective: Objective | None
    limit: Whole | None
    group: Group | None


class CustomModelFields(TypedDict, total=False):
    """A model that is not in the list: ``config`` alone, or ``family`` with ``parameters``."""

    name: str
    config: Mapping[str, Any]
    family: Family
    parameters: Number
    active_parameters: Number
    forward_flops_per_sample: Number
    forward_flops_per_token: Number
    layers: Whole
    hidden_size: Whole


class DatasetFields(TypedDict, total=False):
    """The stored data; a known name implies size and samples."""

    size: str
    size_gb: Number
    size_gib: Number
    size_tb: Number
    samples: Number
    format: StorageFormat
    name: str
    sharded: bool
    region: str


class DiskFields(TypedDict, total=False):
    """The requested disk, as a generic class."""

    type: DiskType


class SpeculativeDecodingFields(TypedDict, total=False):
    """Speculative decoding; a missing value is the published one of the method."""

    method: SpeculativeDecodingMethod
    draft_tokens: Whole
    acceptance_rate: Number


class HardwareFields(TypedDict, total=False):
    """A machine of the catalog (``cloud`` and ``instance_type``) or bare hardware; figures are those of one machine."""

    cloud: str
    instance_type: str
    region: str
    purchase: Purchase
    node_count: Whole
    accelerator: str
    count: Number
    cpu: str
    vcpus: Number
    memory_gib: Number | str
    network_gbps: Number
    usd_per_hour: Number
    tensor_parallel: Whole
    pipeline_parallel: Whole
    expert_parallel: Whole
    label: str


class OwnMachineFields(TypedDict, total=False):
    """A machine of your own, as a candidate beside machines for rent."""

    cloud: str
    instance_type: str
    region: str
    purchase: Purchase
    node_count: Whole
    accelerator: str
    count: Number
    cpu: str
    vcpus: Number
    memory_gib: Number | str
    network_gbps: Number
    usd_per_hour: Number
    tensor_parallel: Whole
    pipeline_parallel: Whole
    expert_parallel: Whole
    label: str
    max_nodes: Whole


class OwnMeasurementFields(TypedDict, total=False):
    """A run of the workload that you measured, in the units of the answer; state its conditions if they differ."""

    on: Required[Hardware | HardwareFields]
    throughput: Number
    ttft_ms: Number | str
    tpot_ms: Number | str
    accelerator_memory_gib: Number | str
    batch_size: Whole
    concurrency: Whole
    precision: Precision
    sequence_length: Whole
    input_tokens: Whole
    output_tokens: Whole


class DiscountFields(TypedDict, total=False):
    """A discount on the prices of a cloud, or of some of its families."""

    cloud: Required[str]
    families: Names
    percent: Required[Number]


class QuotaFields(TypedDict, total=False):
    """A limit on the number of machines of a cloud, or of some of its families."""

    cloud: Required[str]
    families: Names
    max_nodes: Required[Whole]


class CommitmentFields(TypedDict, total=False):
    """An agreed on-demand price for a cloud, or for some of its instance types or families."""

    cloud: Required[str]
    kind: Required[CommitmentKind]
    usd_per_hour: Number
    percent: Number
    instance_types: Names
    families: Names
    regions: Names
    max_nodes: Whole


class InstanceTypeFilters(TypedDict, total=False):
    """Filters of ``/v1/instance-types``."""

    limit: Whole | None
    snapshot: str | None
    cloud: str | Names | None
    family: str | Names | None
    architecture: str | Names | None
    cpu: str | Names | None
    cpu_vendor: str | Names | None
    accelerator: str | Names | None
    interconnect: str | Names | None
    local_disk_type: str | Names | None
    retired: bool | None
    q: str | None
    min_vcpus: Number | None
    max_vcpus: Number | None
    min_sustained_cpu: Number | None
    max_sustained_cpu: Number | None
    min_memory_gib: Number | str | None
    max_memory_gib: Number | str | None
    min_accelerator_count: Number | None
    max_accelerator_count: Number | None
    min_accelerator_memory_gib: Number | str | None
    max_accelerator_memory_gib: Number | str | None
    min_network_gbps: Number | None
    max_network_gbps: Number | None
    min_local_disk_gb: Number | str | None
    max_local_disk_gb: Number | str | None


class AcceleratorFilters(TypedDict, total=False):
    """Filters of ``/v1/accelerators``."""

    limit: Whole | None
    snapshot: str | None
    vendor: str | Names | None
    generation: str | Names | None


class ModelFilters(TypedDict, total=False):
    """Filters of ``/v1/models``."""

    limit: Whole | None
    family: Family | Sequence[Family] | None


class FrameworkFilters(TypedDict, total=False):
    """Filters of ``/v1/frameworks``."""

    limit: Whole | None


class RegionFilters(TypedDict, total=False):
    """Filters of ``/v1/regions``."""

    limit: Whole | None
    cloud: str | Names | None
    restricted: bool | None


class DiskFilters(TypedDict, total=False):
    """Filters of ``/v1/disks``."""

    limit: Whole | None
    snapshot: str | None
    cloud: str | Names | None
    type: DiskClass | Sequence[DiskClass] | None


class PriceFilters(TypedDict, total=False):
    """Filters of ``/v1/prices``."""

    limit: Whole | None
    snapshot: str | None
    cloud: str | None
    region: str | None
    instance_type: str | None
    purchase: Purchase | None


class PriceChangeFilters(TypedDict, total=False):
    """Filters of ``/v1/prices/changes``."""

    limit: Whole | None
    cloud: str | Names | None
    region: str | Names | None
    instance_type: str | Names | None
    purchase: Purchase | Sequence[Purchase] | None
    change: PriceChangeFilterChange | Sequence[PriceChangeFilterChange] | None
    min_percent: Number | None


class EvidenceFilters(TypedDict, total=False):
    """Filters of ``/v1/evidence``."""

    limit: Whole | None
    model: str | Names | None
    framework: str | Names | None
    accelerator: str | Names | None
    cpu: str | Names | None
    cloud: str | Names | None
    instance_type: str | Names | None
    source: str | Names | None
    task: EvidenceFilterTask | Sequence[EvidenceFilterTask] | None
    precision: Precision | Sequence[Precision] | None
    tuning: Tuning | Sequence[Tuning] | None
    metric: EvidenceFilterMetric | Sequence[EvidenceFilterMetric] | None
    device_count: Whole | Sequence[Whole] | None
    doubtful: bool | None
    load: EvidenceFilterLoad | Sequence[EvidenceFilterLoad] | None


class RuleFilters(TypedDict, total=False):
    """Filters of ``/v1/rules``."""

    limit: Whole | None
    phase: RuleFilterPhase | Sequence[RuleFilterPhase] | None
