"""The question of a user: a workload, constraints on the machine, and an objective, as frozen values.

``None`` always means "not said"; ``assume.py`` fills it and lists what it filled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .frozen import value

Task = Literal["training", "inference", "preprocessing", "hpc"]
Objective = Literal["cost", "time", "performance_per_cost", "balanced"]

TASKS = ("training", "inference", "preprocessing", "hpc")
GROUPS = ("hardware", "none")
OBJECTIVES = ("cost", "time", "performance_per_cost", "balanced")
PRECISIONS = ("fp64", "fp32", "tf32", "mixed", "fp16", "bf16", "fp8", "int8", "fp4", "int4", "auto")
LOSSY_PRECISIONS = ("fp8", "int8", "fp4", "int4")
QUANTIZATIONS = ("none", "awq", "gptq", "bitsandbytes", "fp8", "int8", "mxfp4", "gguf")
KV_CACHE_PRECISIONS = ("auto", "fp8", "int8")
TUNINGS = ("stock", "tuned")
OPTIMIZERS = ("adamw", "adamw8bit", "sgd", "adagrad", "adafactor")
METHODS = ("full", "lora", "qlora")
LORA_TARGETS = ("attention", "all")
RECOMPUTATIONS = ("auto", "none", "selective", "full")
SHARDINGS = ("auto", "none", "zero1", "zero2", "zero3")
OFFLOADS = ("none", "optimizer", "parameters")  # states in the host's memory
DATASET_FORMATS = (
    "jpeg",
    "png",
    "wav",
    "text",
    "csv",
    "parquet",
    "lmdb",
    "recordio",
    "tfrecord",
    "webdataset",
    "array",
    "memory",
)
DISK_TYPES = ("auto", "nvme", "ssd", "balanced", "efficiency", "hdd")
PURCHASES = ("on_demand", "spot")
NO_TARGET = "none"


@dataclass(frozen=True)
class CustomModel:
    """A model given by numbers, or by a Hugging Face ``config`` (then the rest may be left out)."""

    family: str | None = None
    parameters: float | None = None
    active_parameters: float | None = None
    forward_flops_per_sample: float | None = None
    forward_flops_per_token: float | None = None
    layers: int | None = None
    hidden_size: int | None = None
    config: dict[str, object] | None = None
    name: str = "custom"


@value
class Dataset:
    """The data as stored: bytes (decimal), samples, format, known name, region.

    ``sharded``: each machine has its part. ``region`` is a region or a cloud.
    """

    size_bytes: float | None = None
    samples: float | None = None
    format: str | None = None
    name: str | None = None
    sharded: bool | None = None
    region: str | None = None


@dataclass(frozen=True)
class Disk:
    """The disk that the user wants, as a generic class."""

    type: str | None = None


@dataclass(frozen=True)
class SpeculativeDecoding:
    """Tokens that are drafted and then verified in one step: the method, how many, and the share that is accepted."""

    method: str | None = None
    draft_tokens: int | None = None
    acceptance_rate: float | None = None


@dataclass(frozen=True)
class Hardware:
    """One given machine: of the catalog (``cloud`` and ``instance_type``) or bare hardware.

    ``count``, ``vcpus`` and ``memory_gib`` are per machine. As one of ``own_machines`` it also has
    ``label``, ``usd_per_hour`` (one machine) and ``max_nodes``.
    """

    cloud: str | None = None
    instance_type: str | None = None
    region: str | None = None
    purchase: str | None = None
    node_count: int = 1
    accelerator: str | None = None
    count: float | None = None
    cpu: str | None = None
    vcpus: float | None = None
    memory_gib: float | None = None
    network_gbps: float | None = None
    usd_per_hour: float | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    label: str | None = None
    max_nodes: int | None = None


@dataclass(frozen=True)
class OwnMeasurement:
    """A measurement of the workload by the user; conditions are stated where they differ from the workload's own.

    Figures are in the units of the answer: throughput of all machines together, memory of one device at its peak.
    """

    on: Hardware
    throughput: float | None = None
    ttft_ms: float | None = None
    tpot_ms: float | None = None
    accelerator_memory_gib: float | None = None
    batch_size: int | None = None
    concurrency: int | None = None
    precision: str | None = None
    sequence_length: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


FIGURES = ("throughput", "ttft_ms", "tpot_ms", "accelerator_memory_gib")  # of a measurement
CONDITIONS = ("batch_size", "concurrency", "precision", "sequence_length", "input_tokens", "output_tokens")


@value
class Workload:
    """The work to be done. Times in hours, sizes in bytes or GiB as named; see api.md for each field."""

    task: Task
    framework: str | None = None
    framework_version: str | None = None
    tuning: str | None = None
    model: str | CustomModel | None = None
    precision: str | None = None
    quantization: str | None = None
    batch_size: int | None = None
    global_batch_size: int | None = None
    dataset: Dataset = field(default_factory=Dataset)
    epochs: float | None = None
    deadline_hours: float | None = None
    budget_usd: float | None = None
    disk: Disk = field(default_factory=Disk)
    image_size: tuple[int, ...] | None = None
    sequence_length: int | None = None
    steps: int | None = None
    optimizer: str | None = None
    tokens: float | None = None
    method: str | None = None
    lora_rank: int | None = None
    lora_targets: str | None = None
    activation_recomputation: str | None = None
    sharding: str | None = None
    offload: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    max_model_len: int | None = None
    kv_cache_precision: str | None = None
    concurrency: int | None = None
    requests_per_second: float | None = None
    requests_per_second_by_hour: tuple[float, ...] | None = None
    spare_replicas: int | None = None
    requests: float | None = None
    hours_of_audio: float | None = None
    latency_ms: float | None = None
    prefix_cache_hit_rate: float | None = None
    speculative_decoding: SpeculativeDecoding | None = None
    tpot_ms: float | str | None = None  # ``NO_TARGET`` lifts the assumed one
    end_to_end_ms: float | None = None
    experiments: int | None = None
    flops: float | None = None
    bytes: float | None = None
    memory_gib: float | None = None
    trees: int | None = None
    depth: int | None = None
    features: int | None = None
    output_format: str | None = None
    checkpoint_gib: float | None = None
    checkpoint_interval_minutes: float | None = None
    interruptions_per_hour: float | None = None
    measurements: tuple[OwnMeasurement, ...] | None = None


@dataclass(frozen=True)
class Discount:
    """``percent`` off the price of a cloud's offers (of ``families`` only, where given)."""

    cloud: str
    percent: float
    families: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Quota:
    """At most ``max_nodes`` machines of a cloud's families (of all of them, where none is given)."""

    cloud: str
    max_nodes: int
    families: tuple[str, ...] | None = None


COMMITMENTS = ("reserved", "savings_plan")


@dataclass(frozen=True)
class Commitment:
    """An on-demand price agreed beforehand: USD an hour, or ``percent`` off the list price.

    It holds for a cloud's instance types or families (of all of them, where none is given), in ``regions`` where
    given, for up to ``max_nodes`` machines; what is rented beyond them costs what it would without.
    """

    cloud: str
    kind: str
    usd_per_hour: float | None = None
    percent: float | None = None
    instance_types: tuple[str, ...] | None = None
    families: tuple[str, ...] | None = None
    regions: tuple[str, ...] | None = None
    max_nodes: int | None = None


@value
class Constraints:
    """Requirements on a machine; ``None`` or empty asks for nothing. All of them must hold together."""

    clouds: tuple[str, ...] | None = None
    regions: tuple[str, ...] | None = None
    purchase: tuple[str, ...] | None = None
    architectures: tuple[str, ...] | None = None
    cpu_vendors: tuple[str, ...] | None = None
    instance_types: tuple[str, ...] | None = None
    instance_families: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    exclude_clouds: tuple[str, ...] | None = None
    retired: bool | None = None
    allow_porting: bool | None = None
    accelerators: tuple[str, ...] | None = None
    min_accelerators: float | None = None
    max_accelerators: float | None = None
    max_total_accelerators: float | None = None
    min_vcpus: float | None = None
    min_memory_gib: float | None = None
    min_accelerator_memory_gib: float | None = None
    interconnect: str | None = None
    max_nodes: int | None = None
    basis: tuple[str, ...] | None = None
    max_usd_per_hour: float | None = None
    price_confidence: tuple[str, ...] | None = None
    own_machines: tuple[Hardware, ...] | None = None
    discounts: tuple[Discount, ...] | None = None
    quotas: tuple[Quota, ...] | None = None
    commitments: tuple[Commitment, ...] | None = None


@dataclass(frozen=True)
class Terms:
    """Pricing agreements, quotas and machines of an installation's operator; they apply to every query."""

    discounts: tuple[Discount, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    quotas: tuple[Quota, ...] = ()
    own_machines: tuple[Hardware, ...] = ()


@value
class Query:
    """One question: the workload, the constraints, what "best" means, and how many answers to list."""

    workload: Workload
    constraints: Constraints = field(default_factory=Constraints)
    objective: Objective | None = None
    limit: int = 5
    group: str | None = None
