"""Hardware that the user describes: a machine in ``on``, or machines of the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import numpy as np

from .. import names
from ..effects import CONSUMER_DEVICE
from ..hardware import UNIFIED, Coded, Flags, Floats, InstanceTypes, Ints, known_or
from ..hardware_names import find_processor
from ..machines import CHANNEL_BYTES, MEGA_PER_GIGA, Machines, join
from ..sockets import Socket, Sockets
from ..units import BITS_PER_BYTE
from ..workload import Constraints, Hardware
from .market import Market
from .nameplates import Nameplate, nameplate_of

OWN_CLOUD = "own"

# Omitted figures of a described machine do not limit its devices: as many vCPUs as the largest types with one device
# have (g5.16xlarge), or those of its processor where one is known. A machine without a device is a typical host.
VCPUS_PER_DEVICE, GIB_PER_VCPU = 64.0, 4.0

VCPUS_ALONE = 8.0

UNIFIED_WITH_ARM, GENERIC_ARM = ("NVIDIA", "Apple"), "arm64, generic"
UNLINKED = ("PCIe", "bridge", UNIFIED)  # bridges join pairs of cards at best, and only where someone bought them


# Of channels × rate, what a program reads: an EPYC 9354P with all 32 cores, 358.8 of 460.8 GB/s (catalog/figures,
# processors.csv). An EPYC 9554 with twelve channels of DDR5-4800 writes 28.7 tokens/s of Phi-4 with 8.43 GiB of weights
# and 19.2 with 14.51 GiB (ahelpme.com, LLM inference benchmarks with llamacpp and AMD EPYC 9554 CPU, 2025): 0.82
# between the two.
REACHED = 0.78
# Of the most cores, those that read all of it: the 32 of that 9354P of 96 do. A machine with fewer has so much less.
ENOUGH = 1 / 3


@dataclass(frozen=True, eq=False)
class OwnMachines:
    """Described machines as rows, with the label, price and count of each."""

    hardware: tuple[Hardware, ...]
    types: InstanceTypes | None
    machines: Machines
    nameplates: tuple[Nameplate, ...]
    usd_per_hour: Floats
    max_nodes: Floats

    def __len__(self) -> int:
        return len(self.hardware)


def own_machines(hardware: Sequence[Hardware], market: Market) -> OwnMachines:
    """Return the described machines, joined with the figures of their accelerators and processors."""
    if not hardware:
        nothing = np.empty(0)
        return OwnMachines((), None, market.no_machines, (), nothing, nothing)
    types = described_types(hardware, market)
    machines = _joined(hardware, types, market)
    return OwnMachines(
        hardware=tuple(hardware),
        types=types,
        machines=machines,
        nameplates=tuple(
            nameplate_of(machines, row, market.catalog)._replace(cloud=OWN_CLOUD, name=name, label=name)
            for row, name in enumerate(one.label or one.accelerator or one.cpu or OWN_CLOUD for one in hardware)
        ),
        usd_per_hour=_column(hardware, lambda one: one.usd_per_hour),
        max_nodes=_column(hardware, lambda one: float(one.max_nodes or 1)),
    )


def described_machines(hardware: Sequence[Hardware], market: Market) -> Machines:
    """Return the described machines alone."""
    return _joined(hardware, described_types(hardware, market), market) if hardware else market.no_machines


def _joined(hardware: Sequence[Hardware], types: InstanceTypes, market: Market) -> Machines:
    machines = join(types, market.catalog.accelerators, market.catalog.processors)
    machines.catalog_row[:] = -1
    found = [_socket_of(one, market) for one in hardware]
    return _with_whole_processors(machines, found, market.catalog.processors.clock_ghz[types.processor])


def own_alone(constraints: Constraints) -> tuple[Hardware, ...]:
    """Return the described machines where no cloud's machine may be recommended beside them."""
    return tuple(constraints.own_machines or ()) if set(constraints.clouds or ()) == {OWN_CLOUD} else ()


def _with_whole_processors(machines: Machines, found: Sequence[Socket | None], clock_ghz: Floats) -> Machines:
    """The machines, those with a processor that is known with all of its threads and channels, at its own clock.

    ``clock_ghz``: of the catalog's processors that stand for them. Rule: whole-processors.
    """
    rows = np.array([row for row, socket in enumerate(found) if socket is not None], dtype=np.int64)
    if not len(rows):
        return machines
    known = np.array([socket for socket in found if socket is not None], dtype=float)
    most, channels, mt_s, module_gb, threads, clock = known.T
    faster = known_or(clock / clock_ghz[rows], 1.0)
    cores = np.maximum(machines.vcpus[rows] / threads, 0.5)
    sockets = np.maximum(np.ceil(cores / most), 1.0)
    filled = np.minimum(machines.memory_gib[rows] / (module_gb * sockets), channels)
    enough = sockets * most * ENOUGH
    read = sockets * filled * mt_s * CHANNEL_BYTES / MEGA_PER_GIGA * REACHED * np.minimum(cores / enough, 1.0)

    def column(name: str, values: Floats) -> Floats:
        found: Floats = getattr(machines, name).copy()
        found[rows] = values
        return found

    return machines.changed(
        cores=column("cores", cores),
        sockets=column("sockets", sockets),
        threads=column("threads", threads),
        cpu_tflops=column("cpu_tflops", machines.cpu_tflops[rows] * cores / machines.cores[rows] * faster),
        gzip_mb_s=column("gzip_mb_s", machines.gzip_mb_s[rows] * faster),
        core_speed=column("core_speed", machines.core_speed[rows] * faster),
        cpu_bandwidth_gb_s=column("cpu_bandwidth_gb_s", read),
        cpu_peak_gb_s=column("cpu_peak_gb_s", sockets * filled * mt_s * CHANNEL_BYTES / MEGA_PER_GIGA),
        cpu_bandwidth_cores=column("cpu_bandwidth_cores", np.minimum(cores, enough)),
        cpu_share_gb_s=column("cpu_share_gb_s", read),
    )


def _column(hardware: Sequence[Hardware], value: Callable[[Hardware], float | None]) -> Floats:
    stated = (value(one) for one in hardware)
    return np.array([np.nan if number is None else float(number) for number in stated], dtype=np.float64)


def described_types(hardware: Sequence[Hardware], market: Market) -> InstanceTypes:
    """Return rows like the catalog's; a device is whole unless ``count`` is a fraction, with the links of its chip."""
    accelerators = market.catalog.accelerators
    rows = np.array([_accelerator_row(one, market) for one in hardware], dtype=np.int32)
    has = rows >= 0
    known = np.where(has, rows, 0)
    count = np.where(has, np.nan_to_num(_column(hardware, lambda one: one.count), nan=1.0), 0.0)
    vcpus = _column(hardware, lambda one: one.vcpus)
    processor = _column(hardware, lambda one: vcpus_of_processor(one, market))
    boards = np.where([one.cpu is None for one in hardware], np.maximum(count, 1.0), 1.0)
    usual = np.where(has, VCPUS_PER_DEVICE * np.maximum(count, 1.0), VCPUS_ALONE)
    vcpus = np.where(np.isnan(vcpus), np.where(np.isnan(processor), usual, processor * boards), vcpus)
    whole = accelerators.memory_gib[known] * np.minimum(count, 1.0)
    unified = has & np.array([name == UNIFIED for name in accelerators.interconnect], dtype=bool)[known]
    memory = _column(hardware, lambda one: one.memory_gib)
    shared = np.where(np.isnan(memory), _column(hardware, _memory_in_name), memory)
    whole = np.where(unified, np.fmin(whole, shared), whole)
    memory = np.where(np.isnan(memory), np.where(unified, whole, vcpus * GIB_PER_VCPU), memory)
    linked = np.array([not any(word in name for word in UNLINKED) for name in accelerators.interconnect], dtype=bool)
    wired = has & linked[known] & (count > 1) if len(accelerators) else np.zeros(len(hardware), dtype=bool)
    nothing = np.full(len(hardware), np.nan)
    unknown = Coded(np.full(len(hardware), -1, dtype=np.int32), ())
    return InstanceTypes(
        cloud=unknown,
        name=tuple(one.label or one.accelerator or one.cpu or "machine" for one in hardware),
        family=unknown,
        retired=np.zeros(len(hardware), dtype=bool),
        withdrawn=np.full(len(hardware), -1, dtype=np.int32),
        vcpus=vcpus,
        memory_gib=memory,
        architecture=unknown,
        cpu_vendor=unknown,
        processor=np.array(list(map(processor_row, hardware, repeat(market), rows.tolist())), dtype=np.int32),
        sustained_cpu=np.ones(len(hardware)),
        accelerator=rows,
        accelerator_count=count,
        accelerator_memory_gib=np.where(has, whole, np.nan),
        interconnect=Coded(np.where(wired, 0, -1).astype(np.int32), ("nvlink",)),
        interconnect_gb_s=np.where(wired, accelerators.interconnect_gb_s[known], np.nan),
        network_gbps=network_gbps(hardware, rows, count, market),
        local_disk_gb=np.zeros(len(hardware)),
        local_disk_type=unknown,
        disk_mib_s=nothing,
        boot_seconds=np.zeros(len(hardware)),
    )


def processor_of(one: Hardware, market: Market) -> str | None:
    """Return the processor's name: as stated, else that of the accelerator, whose board may have cores of its own."""
    row = _accelerator_row(one, market)
    return one.cpu or (market.catalog.accelerators.name[row] if row >= 0 else None)


def vcpus_of_processor(one: Hardware, market: Market) -> float | None:
    """Return the vCPUs of a whole processor of that name, or of an accelerator's board; ``None`` where unknown."""
    socket = _socket_of(one, market)
    return None if socket is None else socket.cores * socket.threads


def _socket_of(one: Hardware, market: Market) -> Socket | None:
    return _socket_named(market.coefficients.sockets, processor_of(one, market))


@lru_cache(maxsize=1024)  # nearly eighty patterns, several times a machine
def _socket_named(sockets: Sockets, name: str | None) -> Socket | None:
    return sockets.of(name)


def _memory_in_name(one: Hardware) -> float | None:
    """Memory that the name of a device with several sizes ends in (``M4 Max 64GB``), GiB."""
    found = re.search(r"(\d+)\s*gi?b$", one.accelerator or "", re.IGNORECASE)
    return float(found[1]) if found else None


def _accelerator_row(one: Hardware, market: Market) -> int:
    if one.accelerator is None or one.count == 0:
        return -1
    name = names.find(one.accelerator, market.spellings["accelerator"])
    return market.catalog.accelerators.name.index(name) if name is not None else -1


def processor_row(one: Hardware, market: Market, accelerator: int) -> int:
    """Return the processor of that name, else the most common of that microarchitecture, else of all.

    On the board of an accelerator it is the nearest of its own. Beside another accelerator that shares the memory of an
    Arm processor it is the median of these.
    """
    processors, name = market.catalog.processors, one.cpu
    if vcpus_of_processor(one, market) is not None:
        name = processor_of(one, market)
    found = None if name is None else find_processor(name, market.spellings["processor"])
    if found in processors.name:
        return processors.name.index(found)
    alike = np.array([name == found for name in processors.microarchitecture], dtype=bool)
    devices = market.catalog.accelerators
    shared = accelerator >= 0 and devices.interconnect[accelerator] == UNIFIED
    if one.cpu is None and found is None and shared and devices.vendor[accelerator] in UNIFIED_WITH_ARM:
        alike = np.array([name == GENERIC_ARM for name in processors.name], dtype=bool)
    used = market.catalog.instance_types.processor
    rented = np.bincount(used[used >= 0], minlength=len(alike))
    wanted = alike if alike.any() else np.ones(len(rented), dtype=bool)
    return int(np.where(wanted, rented, -1).argmax()) if len(rented) else -1


# A cluster without a known peer: the network of p3dn.24xlarge (S1-07), the first one sold for distributed training.
CUSTOMARY_GBPS = 100.0
# Cards and boards that stand on desks: the fastest port of such a machine, 10 gigabit Ethernet over copper (IEEE
# 802.3an), as on the developer kit of Jetson AGX Orin.
DESKTOP_GBPS = 10.0
DESKTOP = re.compile(rf"Jetson|Apple|Arc-[AB]|RX-|{CONSUMER_DEVICE.pattern}")

FABRIC_ACROSS_MACHINES = "ICI"  # TPU chips of a slice are connected across machines
# Three of a Gaudi's own Ethernet ports lead out of its machine (docs.habana.ai, Intel Gaudi Network Configuration, read
# 2026-11-28: 600 GB/s each way from eight Gaudi 3).
PORTS_OUT = 3
_OWN_PORTS = re.compile(r"x(\d+)GbE")


def network_gbps(hardware: Sequence[Hardware], accelerator: Ints, count: Floats, market: Market) -> Floats:
    """Return Gbit/s of each machine, as stated or assumed; NaN if one machine runs alone."""
    stated = np.array([np.nan if one.network_gbps is None else one.network_gbps for one in hardware])
    several = np.array([max(one.node_count, one.max_nodes or 1) > 1 for one in hardware])
    for row in (np.isnan(stated) & several).nonzero()[0]:
        stated[row] = _assumed(int(accelerator[row]), float(count[row]), market)
    return stated


def _assumed(accelerator: int, count: float, market: Market) -> float:
    """Fastest network offered with as many of these devices, or with fewer in proportion; else of their generation.

    Of devices for desktops it is that of a desktop, although some clouds offer them.
    """
    if accelerator < 0:
        return CUSTOMARY_GBPS
    accelerators = market.catalog.accelerators
    if DESKTOP.match(accelerators.name[accelerator]):
        return DESKTOP_GBPS
    if FABRIC_ACROSS_MACHINES in accelerators.interconnect[accelerator]:
        return float(accelerators.interconnect_gb_s[accelerator]) * BITS_PER_BYTE * count
    own_row = market.catalog.instance_types.accelerator
    generation = np.array([name == accelerators.generation[accelerator] for name in accelerators.generation])
    ports = _OWN_PORTS.search(accelerators.interconnect[accelerator])
    outside = float(ports[1]) * PORTS_OUT * count if ports else 0.0
    alike = (own_row >= 0) & generation[np.maximum(own_row, 0)]
    sold = _most_sold(market, own_row == accelerator, count) or outside or _most_sold(market, alike, count)
    return sold or CUSTOMARY_GBPS


def _most_sold(market: Market, chosen: Flags, count: float) -> float:
    """Fastest network among types with whole devices, at least the usual one; 0 if no figure is known."""
    types = market.catalog.instance_types
    peers = chosen & ~np.isnan(types.network_gbps) & (types.accelerator_count >= 1)
    if not peers.any():
        return 0.0
    share = np.minimum(count / types.accelerator_count[peers], 1.0)
    return max(float(np.max(types.network_gbps[peers] * share)), CUSTOMARY_GBPS)
