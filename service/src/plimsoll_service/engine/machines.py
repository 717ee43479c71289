"""Machines, one row each: figures of the machine, its devices and its processors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .coefficients import REFERENCE_GZIP_MB_S, SCALING, TRAINING_MEMORY
from .columns import Groups, groups_of, groups_of_pairs
from .datasets import TWO_THREADS
from .generations import TENSOR_MEMORY, generation_of
from .hardware import (
    PEAKS,
    UNIFIED,
    Accelerators,
    Catalog,
    Flags,
    Floats,
    InstanceTypes,
    Ints,
    Names,
    Places,
    Processors,
    known_or,
)
from .spreads import BASES, MODELLED, UNSTUDIED, UNSTUDIED_QUARTILE
from .units import BITS_PER_BYTE, GIGA, MIB


@dataclass(frozen=True, eq=False)
class Machines:
    """One row a machine. Device columns are of one device (of a share: of the share); NaN where there is none."""

    vcpus: Floats
    memory_gib: Floats
    cores: Floats  # that can be used all the time: of a burstable type, the sustained share
    sockets: Floats
    cpu_tflops: Floats  # fp32, all those cores
    cpu_double_over_single: Floats  # fp64
    cpu_half_over_single: Floats
    cpu_byte_over_single: Floats
    cpu_bandwidth_gb_s: Floats  # all those cores together
    cpu_bandwidth_cores: Floats  # so many of them take all of it
    cpu_peak_gb_s: Floats  # of all channels of its sockets; infinite where it is not known
    cpu_share_gb_s: Floats  # of ``cpu_bandwidth_gb_s``, what its part of the sockets gives while others take theirs
    vector: Ints  # index into VECTOR_CLASSES
    amd_cores: Flags  # its processor is of AMD
    gzip_mb_s: Floats
    network_gbps: Floats
    local_disk_gb: Floats
    local_nvme: Flags
    disk_mib_s: Floats
    boot_seconds: Floats  # the typical ones where they were not timed
    accelerator: Ints
    devices: Floats  # how many a framework sees: a share counts as one
    count: Floats  # as rented: a share is a fraction
    device_memory_gib: Floats
    usable_memory_share: Floats
    bandwidth_gb_s: Floats
    peak_tflops: Floats  # (n, len(PEAKS))
    sm_count: Floats
    boost_ghz: Floats
    power_w: Floats
    link_gb_s: Floats  # one direction, device to device; 0 where they only share the PCIe bus
    link_devices: Floats  # devices that the link can join, of several machines where it leaves the machine
    pcie_gb_s: Floats
    staged: Flags  # reaches other devices on the PCIe bus through the host's memory alone
    host_bus: Flags  # between the host's memory and the device's own; where both are one, and on TPUs, there is none
    unified: Flags  # shares the memory of its processor
    gddr: Flags
    small_cache: Flags  # with GDDR, whose bandwidth holds back even wide products
    large_cache: Flags  # with GDDR, whose bandwidth does not hold back convolutions
    neuron: Flags
    tpu: Flags
    gaudi: Flags
    tuned_alone: Flags  # of a generation on which tuned trainings of language models alone were measured
    workers: Floats  # of a device in training, each with its part of the memory
    nvidia: Flags
    graphics: Flags  # of AMD, Intel and Apple: take programs for NVIDIA's once these are rebuilt
    bits_beside: Flags  # GDDR5 that keeps the bits of its error correction beside the data
    kepler: Flags
    pascal_half: Flags
    tensor: Flags  # has matrix units
    before_hopper: Flags
    accelerator_name: Names  # empty where there is none
    generation: Names  # of the accelerator
    rated: Flags  # some peak rate of the device is known
    core_speed: Floats  # scalar speed of a core's one thread over the reference's; 1 where it was not measured
    threads: Floats  # of a core, as sold
    memory_alike: Ints  # the same number for machines of as much memory
    disk_alike: Ints  # the same number for machines that reach volumes as fast, and have the same drives of their own
    group: Ints  # the same number for the same choice of hardware in one cloud: devices and their count, or processors
    alike: Ints  # the same number for machines whose devices (or, without any, whose processors) do the same
    catalog_row: Ints  # row of the catalog's instance types, or -1
    basis: Ints  # of the estimate of the job in question: place in ``spreads.BASES``; ``modelled`` until there is one
    shown_basis: Ints  # the same, or that of the user's own measurements where one is near
    at_once: Floats  # samples or requests at once of a run that was measured on it; NaN where the work says how many

    def __len__(self) -> int:
        return len(self.vcpus)

    def take(self, rows: Ints | Places | Flags) -> Machines:
        """The given rows, in that order."""
        return _Rows(self, _places(rows), {})

    def changed(self, **columns: NDArray[Any]) -> Machines:
        """These machines with some columns replaced."""
        return replace(self, **columns)

    def afresh(self) -> Machines:
        """These machines, without the columns that were gathered of them."""
        return self

    def figure(self, name: str, row: int) -> Any:
        """One figure of one machine, without gathering its column."""
        return getattr(self, name).item(row)

    @cached_property
    def hardware_groups(self) -> Groups:
        """Machines with the same devices, or the same processors where they have no device."""
        return groups_of(self.alike)

    @cached_property
    def on_processors(self) -> Machines:
        """These machines with their accelerators left idle."""
        return self.changed(accelerator=np.full(len(self), -1, dtype=np.int32))

    def at_once_or(self, asked: int) -> Floats:
        """Samples or requests at once on each machine: of the run that was measured on it, else as many as asked."""
        return np.where(np.isnan(self.at_once), float(asked), self.at_once)

    def has_accelerator(self) -> Flags:
        return self.accelerator >= 0

    @cached_property
    def owned(self) -> Flags:
        """Machines that no provider rents out: the user's own, and described ones."""
        return self.catalog_row < 0

    @cached_property
    def with_devices(self) -> Places:
        """Rows with devices."""
        return np.flatnonzero(self.has_accelerator())

    @cached_property
    def proven(self) -> Flags:
        """Machines whose estimate rests on measurements, as the answer says."""
        return np.array([name != "modelled" for name in BASES])[self.shown_basis]

    @cached_property
    def rebuilt_chip(self) -> Flags:
        """Accelerators that run the programs of NVIDIA's, rebuilt."""
        return self.has_accelerator() & self.graphics

    def tensor_memory(self) -> Flags:
        """Devices whose rate of products takes instructions of their own: data-centre Blackwell."""
        return np.isin(self.generation, TENSOR_MEMORY) & ~self.gddr

    @cached_property
    def warp_products(self) -> Flags:
        """NVIDIA's devices whose products have no later instruction than Ampere's (mma.sync).

        Cards of Blackwell with GDDR have none (triton-lang/triton pull request 6680, 2025-05-02).
        """
        return self.before_hopper | np.isin(self.generation, TENSOR_MEMORY) & self.gddr

    @cached_property
    def compiled_chip(self) -> Flags:
        """Accelerators whose programs a compiler of their own makes: no graphics processors."""
        return self.has_accelerator() & ~self.nvidia & ~self.graphics

    def device_share(self) -> Floats:
        """Return the part of a device that each machine has: 1 where it has whole ones or none."""
        return np.where((self.count > 0) & (self.count < 1), self.count, 1.0)

    def unmeasured_share(self) -> Floats:
        """Share of the estimated rate that a device counts with; below 1 where no row shows its like at such work.

        Chips with a compiler of their own have a share of their own.
        """
        unmeasured = (self.basis == UNSTUDIED) & self.has_accelerator() & ~self.compiled_chip
        return np.where(unmeasured, UNSTUDIED_QUARTILE, 1.0)

    def loading_speed(self) -> Floats:
        """Speed of a core whose threads all decode, over that of one thread of the reference's."""
        return self.core_speed * np.where(self.threads > 1, TWO_THREADS, 1.0)

    @cached_property
    def reference_cores(self) -> Floats:
        """Cores, in cores of the speed that a loader's seconds are counted on."""
        return self.cores * self.loading_speed()

    def peak(self, precision: str) -> Floats:
        """TFLOP/s (TOP/s) of one device at that precision, NaN where the device lacks it."""
        return self.peak_tflops[:, PEAKS.index(precision)]


class _Rows(Machines):
    """Rows of other machines, with ``changes`` of columns; each column is gathered when it is first asked for."""

    def __init__(self, source: Machines, rows: Places, changes: dict[str, NDArray[Any]]) -> None:
        vars(self).update(changes, _source=source, _rows=rows, _changes=changes)

    def __len__(self) -> int:
        return len(self._rows)

    def __getattr__(self, name: str) -> Any:
        if name not in COLUMNS:
            raise AttributeError(name)
        column = vars(self)[name] = getattr(self._source, name).take(self._rows, axis=0)
        return column

    def take(self, rows: Ints | Places | Flags) -> Machines:
        places = _places(rows)
        changes = {name: column.take(places, axis=0) for name, column in self._changes.items()}
        return _Rows(self._source, self._rows.take(places), changes)

    def changed(self, **columns: NDArray[Any]) -> Machines:
        made = _Rows(self._source, self._rows, {**self._changes, **columns})
        gathered = {name: column for name, column in vars(self).items() if name in COLUMNS and name not in columns}
        vars(made).update(gathered)
        return made

    def afresh(self) -> Machines:
        return _Rows(self._source, self._rows, self._changes)

    def figure(self, name: str, row: int) -> Any:
        own = vars(self).get(name)
        return self._source.figure(name, self._rows.item(row)) if own is None else own.item(row)


COLUMNS = frozenset(column.name for column in fields(Machines))
NUMBERED = ("alike", "memory_alike", "disk_alike", "group")


def _places(rows: Ints | Places | Flags) -> Places:
    """Rows as arrays are indexed by fastest."""
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)


def concatenate(parts: Sequence[Machines]) -> Machines:
    """All rows of several, in order."""
    parts = [part for part in parts if len(part)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    return Machines(**{name: _concatenated(name, [getattr(part, name) for part in parts]) for name in COLUMNS})


def _concatenated(name: str, columns: list[NDArray[Any]]) -> NDArray[Any]:
    if name in NUMBERED:  # each counts from 0 on
        before = np.cumsum([0, *(int(column.max(initial=-1)) + 1 for column in columns)])
        columns = [column + np.int32(first) for column, first in zip(columns, before[:-1], strict=True)]
    return np.concatenate(columns)


# FLOP per core and cycle in fp32 by vector class: fused multiply-adds × lanes × pipes (vendors' optimisation manuals).
FLOP_PER_CYCLE = {
    "amx": 64.0, "avx512_bf16": 64.0, "avx512_vnni": 64.0, "avx512f": 64.0, "avx2": 32.0, "none": 8.0,
    "neon": 16.0, "sve": 32.0, "sve2": 32.0, "": 16.0,
}  # fmt: skip
# Cores with two pipes where others of their vector class have more (LLVM's scheduling models AArch64SchedNeoverseN2 and
# …N3: FP/ASIMD 0 and 1; …V2: 0 to 3; read 2026-11-23).
TWO_PIPES = {"Neoverse N2": 16.0, "Neoverse N3": 16.0}
VECTOR_CLASSES = tuple(FLOP_PER_CYCLE)
# 16-bit matrix rate over the fp32 rate: AMX tiles 16×, bf16 dot products 2×, else converted.
HALF_OVER_SINGLE = {"amx": 16.0, "avx512_bf16": 2.0, "sve2": 2.0}
# fp64 over fp32: half the lanes. Zen 4 takes vectors of 512 bits in two halves, one product in a cycle: 16 FLOP (AMD,
# Software Optimization Guide 57647); the rate above is the one that its class was fitted at.
DOUBLE_OVER_SINGLE, HALVED = 0.5, {"Zen 4": 0.25}
# 8-bit over fp32: AMX tiles 32×, dot-product instructions 4×.
BYTE_OVER_SINGLE = {"amx": 32.0, "avx512_bf16": 4.0, "avx512_vnni": 4.0, "sve": 4.0, "sve2": 4.0, "neon": 4.0}
# Channels of a socket and their MT/s, by microarchitecture: those of evidence/sockets.csv; Graviton3: en.wikichip.org;
# Graviton4: 5,600 MT/s, 75% more bandwidth (sipoch.com/en/articles/300330018606585); read on 2026-11-28.
CHANNELS = {
    "Skylake": (6, 2666), "Cascade Lake": (6, 2933), "Ice Lake": (8, 3200),
    "Sapphire Rapids": (8, 4800), "Emerald Rapids": (8, 5600), "Granite Rapids": (12, 6400),
    "Zen": (8, 2666), "Zen 2": (8, 3200), "Zen 3": (8, 3200), "Zen 4": (12, 4800), "Zen 5": (12, 6000),
    "Neoverse V1": (8, 4800), "Neoverse V2": (12, 5600),
}  # fmt: skip
# A processor with stacked memory: HBv5's four reach about 7,000 GB/s (learn.microsoft.com: azure/high-performance-
# computing/performance-benchmarking/stream-benchmark, read on 2026-11-28).
STACKED_GB_S = {"AMD EPYC 9V64H": 7000 / 4}
CHANNEL_BYTES, MEGA_PER_GIGA = 8.0, 1e3
GENERIC = "generic"  # the microarchitecture of processors of unknown model
UNKNOWN_VENDOR = "unknown"
# The vector classes of each architecture, the weakest first; and which of its kind an unknown processor is taken for.
WEAKEST_FIRST = ("none", "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx", "neon", "sve", "sve2")
CAUTIOUS = 1 / 4
TYPICAL_BOOT_S = 40.0  # median from order to first line of the start script, over the rented machines that were timed
MEDIAN_SM_COUNT = 80.0  # V100: for chips that publish no comparable count
GDDR = ("GDDR", "LPDDR", "DRAM")  # in the names of kinds of memory without stacked dies
REBUILT_FOR = ("AMD", "Intel", "Apple")
# Metal gives a program 67 to 75% of the memory of a Mac unless its owner raises the limit (llama.cpp's logs).
METAL_SHARE = 0.7

RACK_LINKED, RACK_DEVICES = ("GB200", "GB300"), 72.0  # NVLink joins a rack of them (NVL72)


@lru_cache(maxsize=4)  # one or two catalogs
def vectors_of(processors: Processors) -> tuple[str, ...]:
    """Vector class of each processor; of an unknown one, what three in four have. Rule: unknown-processor."""
    vectors = [name if name in FLOP_PER_CYCLE else "" for name in processors.vector]
    kinds = list(zip(processors.vendor, processors.architecture, processors.microarchitecture, strict=True))
    for row, (vendor, architecture, name) in enumerate(kinds):
        if name == GENERIC:
            alike = [
                WEAKEST_FIRST.index(vectors[place])
                for place, (maker, other, model) in enumerate(kinds)
                if model != GENERIC and other == architecture and vendor in (maker, UNKNOWN_VENDOR) and vectors[place]
            ]
            vectors[row] = WEAKEST_FIRST[sorted(alike)[int(CAUTIOUS * len(alike))]] if alike else vectors[row]
    return tuple(vectors)


@lru_cache(maxsize=4)
def _peaks_gb_s(processors: Processors) -> Floats:
    """Bandwidth of all memory channels of one socket; no less than was measured, and infinite where nobody knows it."""

    def channels(microarchitecture: str) -> float:
        count, mt_s = CHANNELS.get(microarchitecture, (np.inf, 1))
        return count * mt_s * CHANNEL_BYTES / MEGA_PER_GIGA

    pairs = zip(processors.name, processors.microarchitecture, strict=True)
    peaks = np.array([STACKED_GB_S.get(name, channels(kind)) for name, kind in pairs])
    highest: Floats = np.maximum(peaks, processors.socket_bandwidth_gb_s)
    return highest


def processor_columns(vcpus: Floats, sustained_cpu: Floats, processor: Ints, processors: Processors) -> dict[str, Any]:
    """Sustained figures of all processors of machines with that many vCPUs.

    Cores = those rented × the share that can be used all the time; compute = cores × FLOP per cycle × clock;
    memory bandwidth = cores × a core's, at most the sockets'.
    """
    known = np.where(processor >= 0, processor, 0)
    threads = np.where(processor >= 0, processors.threads_per_core[known], 2.0)
    rented, vectors = np.maximum(vcpus / threads, 0.5), vectors_of(processors)
    cores = rented * sustained_cpu
    kinds = zip(processors.microarchitecture, vectors, strict=True)
    per_cycle = np.array([TWO_PIPES.get(name, FLOP_PER_CYCLE[vector]) for name, vector in kinds])[known]
    sockets = np.maximum(1.0, np.ceil(rented / processors.socket_cores[known]))
    each = processors.core_bandwidth_gb_s[known]
    bandwidth = np.minimum(cores * each, sockets * processors.socket_bandwidth_gb_s[known])
    double = np.array([HALVED.get(name, DOUBLE_OVER_SINGLE) for name in processors.microarchitecture])[known]
    half, byte = (
        np.array([over.get(vector, 1.0) for vector in vectors])[known] for over in (HALF_OVER_SINGLE, BYTE_OVER_SINGLE)
    )
    return {
        "cores": cores,
        "sockets": sockets,
        "cpu_tflops": cores * per_cycle * processors.clock_ghz[known] / 1e3,
        "cpu_double_over_single": double,
        "cpu_half_over_single": half,
        "cpu_byte_over_single": byte,
        "cpu_bandwidth_gb_s": bandwidth,
        "cpu_peak_gb_s": sockets * _peaks_gb_s(processors)[known],
        "cpu_bandwidth_cores": bandwidth / each,
        "gzip_mb_s": processors.gzip_mb_s[known],
        "threads": threads,
        "core_speed": known_or(processors.gzip_mb_s[known] / REFERENCE_GZIP_MB_S, 1.0),
        "vector": np.array(list(map(VECTOR_CLASSES.index, vectors)), dtype=np.int32)[known],
        "amd_cores": (processor >= 0) & np.array([vendor == "AMD" for vendor in processors.vendor], dtype=bool)[known],
    }


def _named(rows: Ints, words: Sequence[str]) -> Names:
    """The word of each row; empty for -1."""
    return np.array([*words, ""], dtype=object)[rows]


# Devices that cannot read each other's memory over PCIe. GeForce from Turing on: RTX 2080 Ti (tensorflow/tensorflow
# issue 24677, 2019-01-07), 3090 (efeslab/Nanoflow issue 22, 2024-11-01), 4090 (sgl-project/sglang issue 4814,
# 2025-03-27). Cards that clouds join in virtual machines: T4 of g4dn (ray-project/ray issue 15495, 2021-05-27), A10G of
# g5 (NVIDIA/TensorRT-LLM issue 1034, 2024-02-01), L4 of g6 (llm-d-incubation/llm-d-infra, pull request 181,
# 2025-08-19).
STAGED = re.compile(r"RTX-[2345]0[5-9]0(-(?!Ada|Turing).*)?|Titan-RTX|T4G?|A10G|L4")


# Share of GDDR that bits of error correction take where these are on (NVIDIA, CUDA C++ Best Practices Guide, 12.9).
CORRECTING_BITS = 1 / 16


def device_columns(types: InstanceTypes, accelerators: Accelerators) -> dict[str, Any]:
    """Figures of one device of each machine; a share of a device has its share of everything."""
    row = types.accelerator
    has = row >= 0
    known = np.where(has, row, 0)
    share = np.where(has, np.minimum(1.0, types.accelerator_count), np.nan)

    def of(column: Floats) -> Floats:
        return np.where(has, column[known], np.nan)

    def flag(values: Sequence[bool]) -> Flags:
        return np.asarray(has & np.array(values, dtype=bool)[known])

    def of_maker(*makers: str) -> Flags:
        return flag([vendor in makers for vendor in accelerators.vendor])

    def of_generation(fact: str) -> Flags:
        return flag([getattr(one, fact) for one in generations])

    pcie, slowest = dict(SCALING.pcie_gb_s), SCALING.pcie_gb_s[0][1]
    gddr = [any(word in kind for word in GDDR) for kind in accelerators.memory_type]
    usable = accelerators.usable_memory_gib / accelerators.memory_gib
    supposed = np.select(
        [of_maker("Apple"), flag(gddr)], [METAL_SHARE, TRAINING_MEMORY.usable_gddr], TRAINING_MEMORY.usable
    )
    generations = [generation_of(name) for name in accelerators.generation]
    return {
        "accelerator": row,
        "count": np.where(has, types.accelerator_count, 0.0),
        "devices": np.where(has, np.maximum(1.0, np.floor(types.accelerator_count)), 0.0),
        "device_memory_gib": np.where(has, types.accelerator_memory_gib, np.nan),
        "usable_memory_share": np.where(np.isnan(of(usable)), supposed, of(usable)),
        "bandwidth_gb_s": of(accelerators.memory_bandwidth_gb_s) * share,
        "peak_tflops": np.where(has[:, None], accelerators.peak_tflops[known] * share[:, None], np.nan),
        "rated": has & np.any(accelerators.peak_tflops > 0, axis=1)[known],
        "sm_count": np.nan_to_num(of(accelerators.sm_count), nan=MEDIAN_SM_COUNT) * np.nan_to_num(share, nan=1.0),
        "boost_ghz": of(accelerators.boost_ghz),
        "power_w": of(accelerators.power_w) * share,
        "link_devices": np.where(flag([name in RACK_LINKED for name in accelerators.name]), RACK_DEVICES, 1.0),
        "pcie_gb_s": of(np.array([pcie.get(int(g), slowest) if g == g else slowest for g in accelerators.pcie_gen])),
        "staged": flag([STAGED.fullmatch(name) is not None for name in accelerators.name]),
        "host_bus": flag([g == g for g in accelerators.pcie_gen]),
        "unified": flag([name == UNIFIED for name in accelerators.interconnect]),
        "gddr": flag(gddr),
        "small_cache": flag(gddr) & of_generation("small_cache"),
        "large_cache": flag(gddr) & of_maker("NVIDIA") & ~of_generation("small_cache"),
        "neuron": of_maker("AWS"),
        "tpu": flag([name.startswith("TPU") for name in accelerators.name]),
        "gaudi": flag([name.startswith("Gaudi") for name in accelerators.name]),
        "tuned_alone": of_generation("tuned_alone"),
        "workers": np.where(has, np.array([float(one.workers) for one in generations])[known], 1.0),
        "nvidia": of_maker("NVIDIA"),
        "graphics": of_maker(*REBUILT_FOR),
        "bits_beside": flag([kind == "GDDR5" for kind in accelerators.memory_type])
        & (of(usable) <= 1 - CORRECTING_BITS),
        "kepler": of_generation("short_of_clock"),
        "pascal_half": of_generation("short_of_half"),
        "tensor": of_generation("matrix_units"),
        "accelerator_name": _named(row, accelerators.name),
        "generation": _named(row, accelerators.generation),
        "before_hopper": of_generation("before_hopper"),
    }


def alike(on_cores: dict[str, Any], on_device: dict[str, Any]) -> Ints:
    """Numbers from 0 on, the same where devices and the host's thread are the same; without devices, all cores."""
    has = on_device["accelerator"] >= 0
    figures = [on_cores["gzip_mb_s"], np.minimum(on_device["count"], 1.0), *on_device["peak_tflops"].T]
    counted = ("count", "devices", "peak_tflops", "accelerator_name", "generation")  # by number, or said by others
    devices = [column for name, column in on_device.items() if name not in counted]
    cores = [np.where(has, 0.0, column) for column in on_cores.values()]
    table = np.column_stack([*figures, *devices, *cores])
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in table], dtype=np.int32)


def machines_of(catalog: Catalog) -> Machines:
    """Every instance type of the catalog as a machine."""
    return join(catalog.instance_types, catalog.accelerators, catalog.processors)


def join(types: InstanceTypes, accelerators: Accelerators, processors: Processors) -> Machines:
    """Instance types with the figures of their accelerators and processors."""
    nvlink = np.isin(types.interconnect.codes, [types.interconnect.code_of(name) for name in ("nvlink", "fabric")])
    drive_gb, of_nvme = np.nan_to_num(types.local_disk_gb), types.local_disk_type.code_of("nvme")
    local_nvme = (types.local_disk_type.codes == of_nvme) & (drive_gb > 0)
    wired = np.where(nvlink & ~np.isnan(types.interconnect_gb_s), types.interconnect_gb_s / 2, 0.0)
    # Where the cloud does not state how fast volumes are reached, they share the network. Rule: volume-baseline.
    network_mib_s = types.network_gbps * (GIGA / BITS_PER_BYTE / MIB)
    volumes_mib_s = np.where(np.isnan(types.disk_mib_s), network_mib_s, types.disk_mib_s)
    _, drive = np.unique(np.where(local_nvme, drive_gb, 0.0), return_inverse=True)
    on_cores = processor_columns(types.vcpus, types.sustained_cpu, types.processor, processors)
    on_device = {"link_gb_s": wired, **device_columns(types, accelerators)}
    return Machines(
        vcpus=types.vcpus,
        memory_gib=types.memory_gib,
        network_gbps=types.network_gbps,
        local_disk_gb=drive_gb,
        local_nvme=local_nvme,
        disk_mib_s=volumes_mib_s,
        boot_seconds=known_or(types.boot_seconds, TYPICAL_BOOT_S),
        catalog_row=np.arange(len(types), dtype=np.int32),
        basis=np.full(len(types), MODELLED, dtype=np.int32),
        shown_basis=np.full(len(types), MODELLED, dtype=np.int32),
        at_once=np.full(len(types), np.nan),
        memory_alike=np.unique(types.memory_gib, return_inverse=True)[1].astype(np.int32),
        disk_alike=groups_of_pairs(drive.astype(np.int32), volumes_mib_s).of.astype(np.int32),
        group=_groups(types, processors),
        alike=alike(on_cores, on_device),
        cpu_share_gb_s=np.fmin(_of_its_part(types, processors), on_cores["cpu_bandwidth_gb_s"]),
        **on_cores,
        **on_device,
    )


def _of_its_part(types: InstanceTypes, processors: Processors) -> Floats:
    """Memory bandwidth of each type's part of its sockets; infinite where it is not rented.

    The part is that of the cores or, if larger, of the memory: of its family, the type with the most memory has as much
    of its host as its cores are. So a type with few cores and all memory shares its host with nobody.
    """
    known = np.where(types.processor >= 0, types.processor, 0)
    cores = types.vcpus / np.where(types.processor >= 0, processors.threads_per_core[known], 2.0)
    sockets, family = cores / processors.socket_cores[known], types.family.codes
    _, family_of_cloud = np.unique(np.array([types.cloud.codes, family]), axis=1, return_inverse=True)
    group = family_of_cloud.reshape(-1)
    by_memory = np.lexsort((sockets, types.memory_gib, group))
    largest = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.intp)
    largest[group[by_memory]] = by_memory  # the last one, which has the most, stays
    part = np.fmax(sockets, types.memory_gib * (sockets / types.memory_gib)[largest][group])
    return np.where(family >= 0, part * processors.socket_bandwidth_gb_s[known], np.inf)


def _groups(types: InstanceTypes, processors: Processors) -> Ints:
    """Numbers of the kinds of hardware in each cloud, in the order in which they appear.

    With devices, the kind is the device and how many a machine has; otherwise it is the microarchitecture.
    """
    kinds: dict[tuple[object, ...], int] = {}
    devices = zip(types.accelerator.tolist(), types.accelerator_count.tolist(), strict=True)
    keys = (
        (cloud, accelerator, count) if accelerator >= 0 else (cloud, *_microarchitecture(types, processors, row))
        for row, (cloud, (accelerator, count)) in enumerate(zip(types.cloud.codes.tolist(), devices, strict=True))
    )
    return np.array([kinds.setdefault(key, len(kinds)) for key in keys], dtype=np.int32)


def _microarchitecture(types: InstanceTypes, processors: Processors, row: int) -> tuple[str | None, ...]:
    """Vendor and microarchitecture; if unknown, the architecture and the generation in the family's name instead."""
    processor = types.processor.item(row)
    if processor < 0:
        return (types.cpu_vendor[row], types.architecture[row], _generation(types.family[row]))
    vendor, name = processors.vendor[processor], processors.microarchitecture[processor]
    if name == GENERIC:
        return (vendor, processors.architecture[processor], _generation(types.family[row]))
    return (vendor, name)


def _generation(family: str | None) -> str | None:
    """Generation in the name of a family: 5 in `Das_v5`, 8 in `ecs.c8i`; `None` without a number."""
    found = re.search(r"_v(\d+)", family or "") or re.search(r"(\d+)", family or "")
    return found[1] if found else None
