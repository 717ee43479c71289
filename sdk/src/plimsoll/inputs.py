"""Inputs of questions, as frozen values; ``None`` means "not given" and is not sent.

Every one of them may be given as a plain dict of the same names instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

Task = Literal["training", "inference", "preprocessing", "hpc"]
Objective = Literal["cost", "time", "performance_per_cost", "balanced"]
Json = Mapping[str, Any]


@dataclass(frozen=True)
class CustomModel:
    """A model that the service does not know: a Hugging Face ``config``, or its family and numbers."""

    name: str | None = None
    config: Json | None = None
    family: str | None = None
    parameters: float | None = None
    active_parameters: float | None = None
    forward_flops_per_sample: float | None = None
    forward_flops_per_token: float | None = None
    layers: int | None = None
    hidden_size: int | None = None


@dataclass(frozen=True)
class Dataset:
    """The data: its size, said once (``size="240GB"``), samples, storage format; a known ``name`` fills in the rest."""

    size: str | None = None
    size_gb: float | None = None
    size_gib: float | None = None
    size_tb: float | None = None
    samples: float | None = None
    format: str | None = None
    sharded: bool | None = None
    region: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Disk:
    """The disk, as a generic class: ``auto nvme ssd balanced efficiency hdd``."""

    type: str | None = None


@dataclass(frozen=True)
class SpeculativeDecoding:
    """Drafted tokens: ``method`` (``eagle3 mtp eagle medusa draft_model ngram``), how many, and the share accepted."""

    method: str | None = None
    draft_tokens: int | None = None
    acceptance_rate: float | None = None


@dataclass(frozen=True)
class Hardware:
    """One machine: of the catalog (``cloud``, ``instance_type``), or bare; counts and sizes are per machine.

    ``max_nodes`` is for ``Constraints.own_machines`` alone.
    """

    cloud: str | None = None
    instance_type: str | None = None
    region: str | None = None
    purchase: str | None = None
    node_count: int | None = None
    accelerator: str | None = None
    count: float | None = None
    cpu: str | None = None
    vcpus: float | None = None
    memory_gib: float | str | None = None
    network_gbps: float | None = None
    usd_per_hour: float | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    label: str | None = None
    max_nodes: int | None = None


@dataclass(frozen=True)
class OwnMeasurement:
    """A run of the workload that you measured on some hardware, in the units of the answer.

    State at least one of ``throughput``, ``ttft_ms``, ``tpot_ms`` and ``accelerator_memory_gib``; conditions where they
    differ from the workload's. ``load_measurements`` reads them from files.
    """

    on: Hardware | Json
    throughput: float | None = None
    ttft_ms: float | str | None = None
    tpot_ms: float | str | None = None
    accelerator_memory_gib: float | str | None = None
    batch_size: int | None = None
    concurrency: int | None = None
    precision: str | None = None
    sequence_length: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True)
class Workload:
    """The work to be done; ``task`` alone is enough, and the answer lists what was assumed for the rest.

    ``deadline`` is a duration (``"36h"``, a ``timedelta``) or a time (a ``datetime`` with its zone). Sizes and
    durations with a unit in their name also take strings with a unit of their own (``"93 GiB"``, ``"90m"``).
    """

    task: Task
    framework: str | None = None
    framework_version: str | None = None
    tuning: str | None = None
    model: str | CustomModel | Json | None = None
    precision: str | None = None
    quantization: str | None = None
    batch_size: int | None = None
    global_batch_size: int | None = None
    dataset: Dataset | Json | None = None
    epochs: float | None = None
    deadline: str | timedelta | datetime | None = None
    budget_usd: float | None = None
    disk: Disk | Json | None = None
    image_size: int | Sequence[int] | None = None
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
    requests_per_second_by_hour: Sequence[float] | None = None
    spare_replicas: int | None = None
    requests: float | None = None
    hours_of_audio: float | None = None
    latency_ms: float | str | None = None
    prefix_cache_hit_rate: float | None = None
    speculative_decoding: SpeculativeDecoding | Json | None = None
    tpot_ms: float | str | None = None
    end_to_end_ms: float | str | None = None
    experiments: int | None = None
    flops: float | None = None
    bytes: float | str | None = None
    memory_gib: float | str | None = None
    trees: int | None = None
    depth: int | None = None
    features: int | None = None
    output_format: str | None = None
    checkpoint_gib: float | str | None = None
    checkpoint_interval_minutes: float | str | None = None
    interruptions_per_hour: float | None = None
    measurements: Sequence[OwnMeasurement | Json] | None = None


@dataclass(frozen=True)
class Discount:
    """``percent`` off a cloud's prices, of its ``families`` only where given."""

    cloud: str
    percent: float
    families: Sequence[str] | None = None


@dataclass(frozen=True)
class Quota:
    """At most ``max_nodes`` machines of a cloud, of its ``families`` only where given."""

    cloud: str
    max_nodes: int
    families: Sequence[str] | None = None


@dataclass(frozen=True)
class Commitment:
    """A reserved or savings-plan price (``kind``): ``usd_per_hour`` of one machine, or ``percent`` off the list price.

    It holds for ``instance_types`` or ``families`` where given, in ``regions`` where given, for up to ``max_nodes``.
    """

    cloud: str
    kind: Literal["reserved", "savings_plan"]
    usd_per_hour: float | None = None
    percent: float | None = None
    instance_types: Sequence[str] | None = None
    families: Sequence[str] | None = None
    regions: Sequence[str] | None = None
    max_nodes: int | None = None


@dataclass(frozen=True)
class Constraints:
    """Constraints on machines; all apply together."""

    clouds: Sequence[str] | None = None
    regions: Sequence[str] | None = None
    purchase: Sequence[str] | None = None
    architectures: Sequence[str] | None = None
    cpu_vendors: Sequence[str] | None = None
    instance_types: Sequence[str] | None = None
    instance_families: Sequence[str] | None = None
    exclude: Sequence[str] | None = None
    exclude_clouds: Sequence[str] | None = None
    retired: bool | None = None
    allow_porting: bool | None = None
    accelerators: Sequence[str] | None = None
    min_accelerators: float | None = None
    max_accelerators: float | None = None
    max_total_accelerators: float | None = None
    min_vcpus: float | None = None
    min_memory_gib: float | str | None = None
    min_accelerator_memory_gib: float | str | None = None
    interconnect: str | None = None
    max_nodes: int | None = None
    basis: Sequence[str] | None = None
    max_usd_per_hour: float | None = None
    price_confidence: Sequence[str] | None = None
    own_machines: Sequence[Hardware | Json] | None = None
    discounts: Sequence[Discount | Json] | None = None
    quotas: Sequence[Quota | Json] | None = None
    commitments: Sequence[Commitment | Json] | None = None


@dataclass(frozen=True)
class Query:
    """One question of a batch: the arguments of ``recommend`` as a value."""

    workload: Workload | Json
    constraints: Constraints | Json | None = None
    objective: Objective | None = None
    limit: int | None = None
    group: str | None = None
