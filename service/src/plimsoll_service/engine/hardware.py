"""The catalog of rentable machines as immutable columns: one array per fact, one row per item.

Unknown numbers are NaN, an index without a target is -1. Rows of ``Offers`` are sorted by instance
type, so that a type's offers are one slice. Nothing here reads a file; ``catalog`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Places = NDArray[np.intp]  # rows, as arrays are indexed by fastest
Flags = NDArray[np.bool_]
Names = NDArray[np.object_]


def known_or(values: Floats, otherwise: float = 0.0) -> Floats:
    """The values, with ``otherwise`` in place of unknown ones."""
    return np.where(np.isnan(values), otherwise, values)


UNIFIED = "unified memory"  # interconnect of a device that shares the memory of its processor

# Order of the columns of ``Accelerators.peak_tflops``; dense rates, NaN where the device lacks the precision.
PEAKS = ("fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4", "int4")
PURCHASE_NAMES = ("on_demand", "spot")
ON_DEMAND, SPOT = range(len(PURCHASE_NAMES))
CONFIDENCES = ("list", "derived", "estimated", "undated")
DISK_CLASSES = ("nvme", "ssd", "balanced", "efficiency", "hdd")
# Why a newcomer cannot order a type: its provider ended it, sells it to those who have it only, withdrew a preview, or
# does not list it beside its prices; or it belongs to one customer; or it needs a capacity reservation.
RETIRED, CLOSED, PREVIEW = "retired", "closed", "preview"
UNLISTED, PRIVATE, RESERVED = "unlisted", "private", "reserved"
WITHDRAWN_STATUSES = (RETIRED, CLOSED, PREVIEW, UNLISTED, PRIVATE, RESERVED)


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of few distinct words: ``codes[i]`` indexes ``words``; -1 is unknown."""

    codes: Ints
    words: tuple[str, ...]

    def __getitem__(self, row: int) -> str | None:
        code = self.codes.item(row)
        return None if code < 0 else self.words[code]

    def __len__(self) -> int:
        return len(self.codes)

    def code_of(self, word: str) -> int:
        """The code of ``word``, or -2, which no row carries."""
        return self.words.index(word) if word in self.words else -2


class NamedRows:
    """A table with a name in each row."""

    name: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Accelerators(NamedRows):
    """Accelerators per device (a die of K80, a Neuron chip); peaks in TFLOP/s or TOP/s, shape (n, len(PEAKS))."""

    name: tuple[str, ...]
    aliases: tuple[tuple[str, ...], ...]
    vendor: tuple[str, ...]
    generation: tuple[str, ...]
    year: Ints
    memory_gib: Floats
    memory_type: tuple[str, ...]
    memory_bandwidth_gb_s: Floats
    peak_tflops: Floats
    interconnect: tuple[str, ...]
    interconnect_gb_s: Floats  # both directions together, of one device
    pcie_gen: Floats
    power_w: Floats
    sm_count: Floats
    boost_ghz: Floats
    source: tuple[str, ...]
    usable_memory_gib: Floats  # that the driver reports; NaN where nobody published it


@dataclass(frozen=True, eq=False)
class Processors(NamedRows):
    """Processors by model: figures per core. Bandwidth grows as cores x per-core, up to a socket's."""

    name: tuple[str, ...]
    vendor: tuple[str, ...]
    architecture: tuple[str, ...]  # x86_64, arm64
    microarchitecture: tuple[str, ...]
    vector: tuple[str, ...]  # amx avx512_bf16 avx512_vnni avx512f avx2 none neon sve sve2
    threads_per_core: Floats  # of the cores as clouds sell them: 2 where a vCPU is a hyper-thread
    clock_ghz: Floats  # sustained on all cores
    core_bandwidth_gb_s: Floats  # memory read, one core's share while few run
    socket_bandwidth_gb_s: Floats  # memory read, a whole socket
    socket_cores: Floats
    gzip_mb_s: Floats  # one thread, gzip -5: stands for scalar speed
    source: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Regions(NamedRows):
    """Regions of the clouds; ``restricted`` (government, mainland China) must be named to be used."""

    cloud: Coded
    name: tuple[str, ...]
    location: tuple[str, ...]
    restricted: Flags


@dataclass(frozen=True, eq=False)
class Disks:
    """Volume products: limits grow from base with size, bounded by max. ``throughput`` in MiB/s."""

    cloud: Coded
    product: tuple[str, ...]
    type: Coded  # of DISK_CLASSES
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats
    usd_per_mib_s_month: Floats
    iops_base: Floats
    iops_per_gib: Floats
    iops_max: Floats
    throughput_base_mib_s: Floats
    throughput_per_gib_mib_s: Floats
    throughput_max_mib_s: Floats
    min_gib: Floats
    max_gib: Floats
    provisioned: Flags  # IOPS and throughput are bought apart from size (gp3)
    default: Flags  # the product that a generic class maps to in that cloud
    as_of: tuple[str, ...]
    confidence: tuple[str, ...]
    source: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.product)


@dataclass(frozen=True, eq=False)
class Withdrawn(NamedRows):
    """Types and families that a newcomer cannot order; ``since`` is a date as exact as the source has it."""

    cloud: Coded
    name: tuple[str, ...]  # of a type or family; ``*`` stands for any characters
    status: Coded  # of WITHDRAWN_STATUSES
    since: tuple[str, ...]  # empty where the source has no date
    source: tuple[str, ...]
    as_of: tuple[str, ...]  # date of the source


@dataclass(frozen=True, eq=False)
class InstanceTypes(NamedRows):
    """Instance types; counts and sizes of one machine. A share of a device has a fractional count."""

    cloud: Coded
    name: tuple[str, ...]
    family: Coded  # the provider's own: p3, n1-highcpu, NCads_A100_v4, ecs.gn6v
    retired: Flags  # recommended only if asked for
    withdrawn: Ints  # row of Withdrawn, or -1
    vcpus: Floats
    memory_gib: Floats
    architecture: Coded
    cpu_vendor: Coded
    processor: Ints  # row of Processors, or -1
    sustained_cpu: Floats  # share of the vCPUs that can be used all the time: 1 unless burstable or shared
    accelerator: Ints  # row of Accelerators, or -1 for none
    accelerator_count: Floats  # 0 where there is none
    accelerator_memory_gib: Floats  # per device (of a share: its share); NaN where there is none
    interconnect: Coded  # how the machine's devices are wired: nvlink, fabric, pcie; -1 for one device or none
    interconnect_gb_s: Floats  # per device, both directions; NaN where unknown or none
    network_gbps: Floats
    local_disk_gb: Floats  # 0 where there is none
    local_disk_type: Coded  # nvme, ssd, hdd
    disk_mib_s: Floats  # that the machine moves to and from volumes all the time
    boot_seconds: Floats


@dataclass(frozen=True, eq=False)
class Offers:
    """An instance type in a region under a purchase option at a price; sorted by instance type."""

    instance_type: Ints
    region: Ints
    purchase: Ints  # index into PURCHASE_NAMES
    usd_per_hour: Floats  # always above 0: what has no price is no offer
    current: Flags  # False where the type is no longer sold in that region
    as_of: Coded
    source: Coded
    confidence: Coded

    def __len__(self) -> int:
        return len(self.instance_type)


@dataclass(frozen=True, eq=False)
class Catalog:
    """Everything that can be rented. ``unpriced`` counts, per type, the regions that sell it at no known price."""

    version: str
    prices_as_of: str
    clouds: tuple[str, ...]
    regions: Regions
    accelerators: Accelerators
    processors: Processors
    disks: Disks
    withdrawn: Withdrawn
    instance_types: InstanceTypes
    offers: Offers
    unpriced: Ints

    def withdrawn_as(self, status: str) -> Flags:
        """Return the instance types of a status of ``WITHDRAWN_STATUSES``."""
        rows = np.append(self.withdrawn.status.codes == self.withdrawn.status.code_of(status), False)
        return rows[self.instance_types.withdrawn]
