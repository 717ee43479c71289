"""Items of the service's collections, as frozen values; ``raw`` is the whole JSON object.

The named fields are those of the contract; other fields of an item are in ``raw``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plimsoll.figures import AcceleratorChoice
from plimsoll.models import CatalogStamp
from plimsoll.offers import OfferPrice as OfferPrice


@dataclass(frozen=True)
class Withdrawal:
    """Reason why a new customer cannot order an instance type: ``retired``, ``closed``, ``preview``, ``unlisted``,
    ``private``, or ``reserved`` (needs a capacity reservation on demand).
    """

    status: str
    since: str | None = None
    source: str | None = None
    as_of: str | None = None


@dataclass(frozen=True)
class InstanceType:
    """An instance type of the catalog; sizes of one machine.

    ``lowest_usd_per_hour`` is its lowest price by purchase option; ``offers`` are listed where one type is asked for.
    """

    cloud: str
    instance_type: str
    family: str | None = None
    retired: bool = False
    withdrawn: Withdrawal | None = None
    vcpus: float | None = None
    sustained_cpu: float | None = None
    memory_gib: float | None = None
    architecture: str | None = None
    cpu: str | None = None
    cpu_vendor: str | None = None
    accelerator: AcceleratorChoice | None = None
    interconnect: str | None = None
    network_gbps: float | None = None
    local_disk_gb: float | None = None
    local_disk_type: str | None = None
    lowest_usd_per_hour: dict[str, float] = field(default_factory=dict)
    offers: tuple[OfferPrice, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Accelerator:
    """An accelerator as one device; ``precisions`` are dense peaks in TFLOP/s (TOP/s for integers).

    ``lowest_usd_per_hour`` is the lowest price of one device by purchase option, and ``clouds`` are those that rent it.
    """

    name: str
    aliases: tuple[str, ...] = ()
    vendor: str | None = None
    generation: str | None = None
    year: int | None = None
    memory_gib: float | None = None
    memory_type: str | None = None
    memory_bandwidth_gb_s: float | None = None
    precisions: dict[str, float] = field(default_factory=dict)
    interconnect: str | None = None
    interconnect_gb_s: float | None = None
    power_w: float | None = None
    lowest_usd_per_hour: dict[str, float] = field(default_factory=dict)
    clouds: tuple[str, ...] = ()
    source: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Model:
    """A model that the service knows by name, and its kind of sample."""

    name: str
    aliases: tuple[str, ...] = ()
    family: str | None = None
    parameters: float | None = None
    active_parameters: float | None = None
    sample: str | None = None
    forward_flops_per_sample: float | None = None
    default_dataset: str | None = None
    source: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Framework:
    """A framework or serving engine, and which tasks and model families it can run."""

    name: str
    aliases: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    newest_version: str | None = None
    source: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Region:
    """A region; a restricted one (government, mainland China) is used only where it is named."""

    cloud: str
    name: str
    location: str | None = None
    restricted: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class DiskProduct:
    """A volume product of a generic class (``type``); its limits grow from ``base`` with size, up to ``max``."""

    cloud: str
    product: str
    type: str | None = None
    default: bool = False
    provisioned: bool = False
    usd_per_gib_month: float | None = None
    usd_per_iops_month: float | None = None
    usd_per_mib_s_month: float | None = None
    iops_base: float | None = None
    iops_per_gib: float | None = None
    iops_max: float | None = None
    throughput_base_mib_s: float | None = None
    throughput_per_gib_mib_s: float | None = None
    throughput_max_mib_s: float | None = None
    min_gib: float | None = None
    max_gib: float | None = None
    as_of: str | None = None
    confidence: str | None = None
    source: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Rule:
    """A rule of the engine: its statement, reason, source and phase."""

    id: str
    statement: str = ""
    reason: str | None = None
    source: str | None = None
    phase: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Measurement:
    """A published measurement; ``value`` is in the unit of ``metric``, of all devices together. A ``doubt`` is why fits
    leave it out. ``predicted_without_*``: what a fit says that has seen no measurement of its device, model or source.
    """

    id: str
    source: str
    task: str
    model: str
    metric: str
    value: float
    printed_model: str = ""
    framework: str = ""
    framework_version: str | None = None
    tuning: str = ""
    date: str = ""
    precision: str = ""
    batch_size: int | None = None
    sequence_length: int | None = None
    image_size: tuple[int, ...] | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    concurrency: float | None = None
    load: str | None = None
    method: str | None = None
    optimizer: str | None = None
    activation_recomputation: str | None = None
    compiled: bool | None = None
    packed: bool | None = None
    global_batch_size: int | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    context_parallel: int | None = None
    attention_data_parallel: bool = False
    accelerator: str | None = None
    cpu: str | None = None
    device_count: int = 1
    node_count: int = 1
    vcpus: int | None = None
    memory_gib: float | None = None
    cloud: str | None = None
    instance_type: str | None = None
    printed_value: str = ""
    printed_unit: str = ""
    spread: float | None = None
    doubt: str = ""
    max_running: int | None = None
    network_gbps: float | None = None
    steps: int | None = None
    rows: int | None = None
    features: int | None = None
    trees: int | None = None
    depth: int | None = None
    source_title: str = ""
    source_url: str = ""
    source_licence: str = ""
    predicted_without_device: float | None = None
    predicted_without_model: float | None = None
    predicted_without_source: float | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Health:
    """Whether the process is alive; ``raw`` is the whole JSON object."""

    status: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class LoadedCatalog(CatalogStamp):
    """The catalog that a ready service answers from, with its sizes."""

    instance_types: int | None = None
    offers: int | None = None


@dataclass(frozen=True)
class Readiness:
    """Readiness of the service, and its catalog."""

    status: str
    catalog: LoadedCatalog | None = None


@dataclass(frozen=True)
class ItemPage:
    """A page of a collection as received; ``next`` is the address of the next page."""

    items: tuple[Any, ...]
    total: int | None = None
    next: str | None = None
