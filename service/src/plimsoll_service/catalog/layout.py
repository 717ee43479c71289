"""The documented CSV format as data: each file's columns, their kinds, and what a value may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plimsoll_service.catalog.integrity import INTERCONNECTS, LOCAL_DISK_TYPES
from plimsoll_service.engine.hardware import CONFIDENCES, DISK_CLASSES, PURCHASE_NAMES

Kind = Literal["text", "number", "whole", "flag", "list", "date"]


@dataclass(frozen=True)
class Column:
    """One column: ``kind`` of value, whether it must be filled, what an empty cell means, and the values allowed."""

    name: str
    kind: Kind = "text"
    required: bool = False
    empty: str | float | bool | None = None
    choices: tuple[str, ...] = ()
    above: float | None = None
    least: float | None = None
    most: float | None = None


def _positive(name: str, required: bool = False) -> Column:
    return Column(name, "number", required, above=0)


def _amount(name: str, empty: float | None = None) -> Column:
    return Column(name, "number", empty=empty, least=0)


ACCELERATORS = (
    Column("name", required=True),
    Column("aliases", "list"),
    Column("vendor", required=True),
    Column("generation", required=True),
    Column("year", "whole", required=True, above=0),
    _positive("memory_gib", required=True),
    Column("memory_type", required=True),
    _positive("memory_bandwidth_gb_s", required=True),
    _positive("fp64_tflops"),
    _positive("fp64_tensor_tflops"),
    _positive("fp32_tflops"),
    _positive("tf32_tflops"),
    _positive("fp16_tflops"),
    _positive("bf16_tflops"),
    _positive("fp8_tflops"),
    _positive("int8_tops"),
    _positive("fp4_tflops"),
    _positive("int4_tops"),
    Column("interconnect", required=True),
    _positive("interconnect_gb_s"),
    _positive("pcie_gen"),
    _positive("power_w"),
    _positive("sm_count"),
    _positive("boost_ghz"),
    Column("source", required=True),
)
# In the order of ``PEAKS``.
PEAK_COLUMNS = (
    "fp64_tflops", "fp64_tensor_tflops", "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops", "fp8_tflops",
    "int8_tops", "fp4_tflops", "int4_tops",
)  # fmt: skip

PROCESSORS = (
    Column("name", required=True),
    Column("vendor", required=True),
    Column("architecture", required=True, choices=("x86_64", "arm64")),
    Column("microarchitecture", required=True),
    Column(
        "vector",
        required=True,
        choices=("amx", "avx512_bf16", "avx512_vnni", "avx512f", "avx2", "none", "neon", "sve", "sve2"),
    ),
    _positive("threads_per_core", required=True),
    _positive("clock_ghz", required=True),
    _positive("core_bandwidth_gb_s", required=True),
    _positive("socket_bandwidth_gb_s", required=True),
    _positive("socket_cores", required=True),
    _positive("gzip_mb_s", required=True),
    Column("source", required=True),
)

REGIONS = (
    Column("cloud", required=True),
    Column("name", required=True),
    Column("location", empty=""),
    Column("restricted", "flag", empty=False),
)

DISKS = (
    Column("cloud", required=True),
    Column("product", required=True),
    Column("type", required=True, choices=DISK_CLASSES),
    _positive("usd_per_gib_month"),
    _amount("usd_per_iops_month", 0),
    _amount("usd_per_mib_s_month", 0),
    _amount("iops_base"),
    _amount("iops_per_gib"),
    _amount("iops_max"),
    _amount("throughput_base_mib_s"),
    _amount("throughput_per_gib_mib_s"),
    _amount("throughput_max_mib_s"),
    _amount("min_gib"),
    _amount("max_gib"),
    Column("provisioned", "flag", empty=False),
    Column("default", "flag", empty=False),
    Column("as_of", empty=""),
    Column("confidence", empty="undated"),
    Column("source", required=True),
)

INSTANCE_TYPES = (
    Column("cloud", required=True),
    Column("instance_type", required=True),
    Column("family"),
    Column("retired", "flag", empty=False),
    _positive("vcpus", required=True),
    _positive("memory_gib", required=True),
    Column("architecture", empty="x86_64", choices=("x86_64", "arm64")),
    Column("cpu_vendor"),
    Column("processor"),
    Column("sustained_cpu", "number", empty=1.0, above=0, most=1),
    Column("accelerator"),
    _positive("accelerator_count"),
    _positive("accelerator_memory_gib"),
    Column("interconnect", choices=INTERCONNECTS),
    _positive("interconnect_gb_s"),
    _positive("network_gbps"),
    _amount("local_disk_gb", 0),
    Column("local_disk_type", choices=LOCAL_DISK_TYPES),
    _positive("disk_mib_s"),
    _positive("boot_seconds"),
    Column("unpriced_regions", "whole", empty=0, least=0),
)

OFFERS = (
    Column("cloud", required=True),
    Column("instance_type", required=True),
    Column("region", required=True),
    Column("purchase", empty=PURCHASE_NAMES[0], choices=PURCHASE_NAMES),
    _positive("usd_per_hour", required=True),
    Column("current", "flag", empty=True),
    Column("as_of", "date"),
    Column("source", required=True),
    Column("confidence", choices=CONFIDENCES),
)

SMALL_TABLES = {
    "accelerators.csv": ACCELERATORS,
    "processors.csv": PROCESSORS,
    "disks.csv": DISKS,
    "regions.csv": REGIONS,
}
INSTANCE_TYPES_FILE = "instance_types.csv"
OFFERS_PATTERN = "offers*.csv"
