"""The documented CSV format as data: the columns of each file, their kinds and their allowed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..engine.hardware import CONFIDENCES, DISK_CLASSES, PURCHASE_NAMES, WITHDRAWN_STATUSES
from .integrity import INTERCONNECTS, LOCAL_DISK_TYPES

Kind = Literal["text", "number", "whole", "flag", "list", "date"]


@dataclass(frozen=True)
class Column:
    """One column: ``kind`` of value, whether it is required, the value of an empty cell, and the allowed values."""

    name: str
    kind: Kind = "text"
    required: bool = False
    empty: str | float | bool | None = None
    choices: tuple[str, ...] = ()
    above: float | None = None
    least: float | None = None
    most: float | None = None


def _texts(*names: str) -> tuple[Column, ...]:
    """Required texts."""
    return tuple(Column(name, required=True) for name in names)


def _positive(*names: str, required: bool = False) -> tuple[Column, ...]:
    return tuple(Column(name, "number", required, above=0) for name in names)


def _amounts(*names: str, empty: float | None = None) -> tuple[Column, ...]:
    return tuple(Column(name, "number", empty=empty, least=0) for name in names)


# In the order of ``PEAKS``.
PEAK_COLUMNS = (
    "fp64_tflops", "fp64_tensor_tflops", "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops", "fp8_tflops",
    "int8_tops", "fp4_tflops", "int4_tops",
)  # fmt: skip
ARCHITECTURES = ("x86_64", "arm64")
VECTORS = ("amx", "avx512_bf16", "avx512_vnni", "avx512f", "avx2", "none", "neon", "sve", "sve2")

ACCELERATORS = (
    *_texts("name"),
    Column("aliases", "list"),
    *_texts("vendor", "generation"),
    Column("year", "whole", required=True, above=0),
    *_positive("memory_gib", required=True),
    *_texts("memory_type"),
    *_positive("memory_bandwidth_gb_s", required=True),
    *_positive(*PEAK_COLUMNS),
    *_texts("interconnect"),
    *_positive("interconnect_gb_s", "pcie_gen", "power_w", "sm_count", "boost_ghz"),
    *_texts("source"),
    *_positive("usable_memory_gib"),
)

PROCESSORS = (
    *_texts("name", "vendor"),
    Column("architecture", required=True, choices=ARCHITECTURES),
    *_texts("microarchitecture"),
    Column("vector", required=True, choices=VECTORS),
    *_positive("threads_per_core", "clock_ghz", "core_bandwidth_gb_s", required=True),
    *_positive("socket_bandwidth_gb_s", "socket_cores", "gzip_mb_s", required=True),
    *_texts("source"),
)

REGIONS = (*_texts("cloud", "name"), Column("location", empty=""), Column("restricted", "flag", empty=False))

DISKS = (
    *_texts("cloud", "product"),
    Column("type", required=True, choices=DISK_CLASSES),
    *_positive("usd_per_gib_month"),
    *_amounts("usd_per_iops_month", "usd_per_mib_s_month", empty=0),
    *_amounts("iops_base", "iops_per_gib", "iops_max"),
    *_amounts("throughput_base_mib_s", "throughput_per_gib_mib_s", "throughput_max_mib_s", "min_gib", "max_gib"),
    Column("provisioned", "flag", empty=False),
    Column("default", "flag", empty=False),
    Column("as_of", empty=""),
    Column("confidence", empty="undated"),
    *_texts("source"),
)

WITHDRAWN = (
    *_texts("cloud", "name"),
    Column("status", required=True, choices=WITHDRAWN_STATUSES),
    Column("since", empty=""),
    *_texts("source"),
    Column("as_of", "date", required=True),
)

INSTANCE_TYPES = (
    *_texts("cloud", "instance_type"),
    Column("family"),
    Column("retired", "flag", empty=False),
    *_positive("vcpus", "memory_gib", required=True),
    Column("architecture", empty="x86_64", choices=ARCHITECTURES),
    Column("cpu_vendor"),
    Column("processor"),
    Column("sustained_cpu", "number", empty=1.0, above=0, most=1),
    Column("accelerator"),
    *_positive("accelerator_count", "accelerator_memory_gib"),
    Column("interconnect", choices=INTERCONNECTS),
    *_positive("interconnect_gb_s", "network_gbps"),
    *_amounts("local_disk_gb", empty=0),
    Column("local_disk_type", choices=LOCAL_DISK_TYPES),
    *_positive("disk_mib_s", "boot_seconds"),
    Column("unpriced_regions", "whole", empty=0, least=0),
)

OFFERS = (
    *_texts("cloud", "instance_type", "region"),
    Column("purchase", empty=PURCHASE_NAMES[0], choices=PURCHASE_NAMES),
    *_positive("usd_per_hour", required=True),
    Column("current", "flag", empty=True),
    Column("as_of", "date"),
    *_texts("source"),
    Column("confidence", choices=CONFIDENCES),
)

SMALL_TABLES = {
    "accelerators.csv": ACCELERATORS,
    "processors.csv": PROCESSORS,
    "disks.csv": DISKS,
    "regions.csv": REGIONS,
    "withdrawn.csv": WITHDRAWN,
}
INSTANCE_TYPES_FILE = "instance_types.csv"
OFFERS_PATTERN = "offers*.csv"
