"""What the devices and processors of machines do, as columns: catalog figures joined row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plimsoll_service.engine.coefficients import SCALING, TRAINING_MEMORY
from plimsoll_service.engine.generations import generation_of
from plimsoll_service.engine.hardware import (
    Accelerators,
    Flags,
    Floats,
    InstanceTypes,
    Ints,
    Names,
    Processors,
    known_or,
)

# FLOP per core and cycle in fp32 by vector class: fused multiply-adds × lanes × pipes (vendors' optimisation manuals).
FLOP_PER_CYCLE = {
    "amx": 64.0, "avx512_bf16": 64.0, "avx512_vnni": 64.0, "avx512f": 64.0, "avx2": 32.0, "none": 8.0,
    "neon": 16.0, "sve": 32.0, "sve2": 32.0, "": 16.0,
}  # fmt: skip
VECTOR_CLASSES = tuple(FLOP_PER_CYCLE)
# 16-bit matrix rate over the fp32 rate: AMX tiles 16×, bf16 dot products 2×, else converted.
HALF_OVER_SINGLE = {"amx": 16.0, "avx512_bf16": 2.0, "sve2": 2.0}
# 8-bit over fp32: AMX tiles 32×, dot-product instructions 4×.
BYTE_OVER_SINGLE = {"amx": 32.0, "avx512_bf16": 4.0, "avx512_vnni": 4.0, "sve": 4.0, "sve2": 4.0, "neon": 4.0}
TYPICAL_BOOT_S = 40.0  # median from order to first line of the start script, over the rented machines that were timed
REFERENCE_GZIP_MB_S = 28.0  # one thread, gzip -5, of the core that seconds of a loader are counted on
MEDIAN_SM_COUNT = 80.0  # V100: for chips that publish no comparable count
GDDR = ("GDDR5", "GDDR6", "GDDR6X", "GDDR7", "LPDDR4x", "DRAM")
RACK_LINKED, RACK_DEVICES = ("GB200", "GB300"), 72.0  # NVLink joins a rack of them (NVL72)


def processor_columns(vcpus: Floats, sustained_cpu: Floats, processor: Ints, processors: Processors) -> dict[str, Any]:
    """What the processors of machines with that many vCPUs do together, hour after hour.

    Cores = those rented × the share that can be used all the time; compute = cores × FLOP per cycle × clock;
    memory bandwidth = cores × a core's, at most the sockets'.
    """
    known = np.where(processor >= 0, processor, 0)
    threads = np.where(processor >= 0, processors.threads_per_core[known], 2.0)
    rented = np.maximum(vcpus / threads, 0.5)
    cores = rented * sustained_cpu
    clock = processors.clock_ghz[known]
    per_cycle = np.array([FLOP_PER_CYCLE.get(vector, FLOP_PER_CYCLE[""]) for vector in processors.vector])[known]
    sockets = np.maximum(1.0, np.ceil(rented / processors.socket_cores[known]))
    bandwidth = np.minimum(
        cores * processors.core_bandwidth_gb_s[known], sockets * processors.socket_bandwidth_gb_s[known]
    )
    half = np.array([HALF_OVER_SINGLE.get(vector, 1.0) for vector in processors.vector])[known]
    byte = np.array([BYTE_OVER_SINGLE.get(vector, 1.0) for vector in processors.vector])[known]
    return {
        "cores": cores,
        "sockets": sockets,
        "cpu_tflops": cores * per_cycle * clock / 1e3,
        "cpu_half_over_single": half,
        "cpu_byte_over_single": byte,
        "cpu_bandwidth_gb_s": bandwidth,
        "cpu_bandwidth_cores": bandwidth / processors.core_bandwidth_gb_s[known],
        "gzip_mb_s": processors.gzip_mb_s[known],
        "core_speed": known_or(processors.gzip_mb_s[known] / REFERENCE_GZIP_MB_S, 1.0),
        "vector": np.array([_vector(name) for name in processors.vector], dtype=np.int32)[known],
    }


def _vector(name: str) -> int:
    return VECTOR_CLASSES.index(name if name in FLOP_PER_CYCLE else "")


def _named(rows: Ints, words: Sequence[str]) -> Names:
    """The word of each row; empty for -1."""
    return np.array([*words, ""], dtype=object)[rows]


def device_columns(types: InstanceTypes, accelerators: Accelerators) -> dict[str, Any]:
    """What one device of each machine does; a share of a device has its share of everything."""
    row = types.accelerator
    has = row >= 0
    known = np.where(has, row, 0)
    share = np.where(has, np.minimum(1.0, types.accelerator_count), np.nan)

    def of(column: Floats) -> Floats:
        values: Floats = np.where(has, column[known], np.nan)
        return values

    def flag(values: Sequence[bool]) -> Flags:
        chosen: Flags = has & np.array(values, dtype=bool)[known]
        return chosen

    pcie = dict(SCALING.pcie_gb_s)
    slowest = SCALING.pcie_gb_s[0][1]
    gddr = [kind in GDDR for kind in accelerators.memory_type]
    generations = [generation_of(name) for name in accelerators.generation]
    return {
        "accelerator": row,
        "count": np.where(has, types.accelerator_count, 0.0),
        "devices": np.where(has, np.maximum(1.0, np.floor(types.accelerator_count)), 0.0),
        "device_memory_gib": np.where(has, types.accelerator_memory_gib, np.nan),
        "usable_memory_share": np.where(flag(gddr), TRAINING_MEMORY.usable_gddr, TRAINING_MEMORY.usable),
        "bandwidth_gb_s": of(accelerators.memory_bandwidth_gb_s) * share,
        "peak_tflops": np.where(has[:, None], accelerators.peak_tflops[known] * share[:, None], np.nan),
        "rated": has & np.any(accelerators.peak_tflops > 0, axis=1)[known],
        "sm_count": np.nan_to_num(of(accelerators.sm_count), nan=MEDIAN_SM_COUNT) * np.nan_to_num(share, nan=1.0),
        "boost_ghz": of(accelerators.boost_ghz),
        "power_w": of(accelerators.power_w) * share,
        "link_devices": np.where(flag([name in RACK_LINKED for name in accelerators.name]), RACK_DEVICES, 1.0),
        "pcie_gb_s": of(np.array([pcie.get(int(g), slowest) if g == g else slowest for g in accelerators.pcie_gen])),
        "gddr": flag(gddr),
        "neuron": flag([vendor == "AWS" for vendor in accelerators.vendor]),
        "tpu": flag([name.startswith("TPU") for name in accelerators.name]),
        "gaudi": flag([name.startswith("Gaudi") for name in accelerators.name]),
        "nvidia": flag([vendor == "NVIDIA" for vendor in accelerators.vendor]),
        "amd": flag([vendor == "AMD" for vendor in accelerators.vendor]),
        "inference_only": flag([not one.trains for one in generations]),
        "kepler": flag([one.short_of_clock for one in generations]),
        "pascal_half": flag([one.short_of_half for one in generations]),
        "tensor": flag([one.matrix_units for one in generations]),
        "accelerator_name": _named(row, accelerators.name),
        "generation": _named(row, accelerators.generation),
        "before_hopper": flag([one.before_hopper for one in generations]),
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
