"""Machines as the estimates see them: catalog columns joined with accelerator and processor figures, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.estimate.hardware_columns import alike, device_columns, processor_columns
from plimsoll_service.engine.hardware import (
    PEAKS,
    Accelerators,
    Catalog,
    Flags,
    Floats,
    InstanceTypes,
    Ints,
    Names,
    Processors,
)
from plimsoll_service.engine.spreads import MODELLED

Places = NDArray[np.intp]  # rows, as arrays are indexed by fastest


@dataclass(frozen=True, eq=False)
class Machines:
    """One row a machine. Device columns are of one device (of a share: of the share); NaN where there is none."""

    vcpus: Floats
    memory_gib: Floats
    cores: Floats  # that can be used all the time: of a burstable type, the sustained share
    sockets: Floats
    cpu_tflops: Floats  # fp32, all those cores
    cpu_half_over_single: Floats
    cpu_byte_over_single: Floats
    cpu_bandwidth_gb_s: Floats  # all those cores together
    cpu_bandwidth_cores: Floats  # so many of them take all of it
    vector: Ints  # index into VECTOR_CLASSES
    gzip_mb_s: Floats
    network_gbps: Floats
    local_disk_gb: Floats
    local_nvme: Flags
    disk_mib_s: Floats
    boot_seconds: Floats
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
    gddr: Flags
    neuron: Flags
    tpu: Flags
    gaudi: Flags
    nvidia: Flags
    amd: Flags
    inference_only: Flags
    kepler: Flags
    pascal_half: Flags
    tensor: Flags  # has matrix units
    before_hopper: Flags
    accelerator_name: Names  # empty where there is none
    generation: Names  # of the accelerator
    rated: Flags  # some peak rate of the device is known
    core_speed: Floats  # scalar speed of a core over the reference's; 1 where it was not measured
    memory_alike: Ints  # the same number for machines of as much memory
    alike: Ints  # the same number for machines whose devices (or, without any, whose processors) do the same
    catalog_row: Ints  # row of the catalog's instance types, or -1
    basis: Ints  # of the estimate of the job in question: place in ``spreads.BASES``; ``modelled`` until there is one

    def __len__(self) -> int:
        return len(self.vcpus)

    def take(self, rows: Ints | Places | Flags) -> Machines:
        """The given rows, in that order."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)  # indexed by once for all columns
        return Taken(self, places, {})

    def changed(self, **columns: NDArray[Any]) -> Machines:
        """The same machines with other columns."""
        return Taken(self, None, columns)

    def again(self) -> Machines:
        """The same machines; what is gathered of these for a passing purpose does not stay."""
        return self

    def on_processors(self) -> Machines:
        """The same machines with their accelerators left idle."""
        return self.changed(accelerator=np.full(len(self), -1, dtype=np.int32))

    def has_accelerator(self) -> Flags:
        return self.accelerator >= 0

    def compiled_chip(self) -> Flags:
        """Accelerators whose programs a compiler of their own makes: neither NVIDIA's nor AMD's."""
        return self.has_accelerator() & ~self.nvidia & ~self.amd

    def peak(self, precision: str) -> Floats:
        """TFLOP/s (TOP/s) of one device at that precision, NaN where the device lacks it."""
        column: Floats = self.peak_tflops[:, PEAKS.index(precision)]
        return column


class Taken(Machines):
    """Rows of other machines (``None``: all), where ``columns`` do not replace them; gathered when first asked for."""

    def __init__(self, source: Machines, rows: Places | None, columns: dict[str, NDArray[Any]]) -> None:
        vars(self).update(columns, _source=source, _rows=rows, _given=columns)

    def __len__(self) -> int:
        own = vars(self)
        return len(own["_source"]) if own["_rows"] is None else len(own["_rows"])

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name not in COLUMNS:
            raise AttributeError(name)
        own = vars(self)
        column: NDArray[Any] = getattr(own["_source"], name)
        if own["_rows"] is not None:
            column = column.take(own["_rows"], axis=0)
        if own["_rows"] is not None or isinstance(own["_source"], Taken):  # the catalog's own columns are not held here
            own[name] = column
        return column

    def take(self, rows: Ints | Places | Flags) -> Machines:
        own = vars(self)
        places = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)
        given = {name: column.take(places, axis=0) for name, column in own["_given"].items()}
        if own["_rows"] is None:
            return Taken(own["_source"].take(places), None, given)
        return Taken(own["_source"], own["_rows"].take(places), given)

    def again(self) -> Machines:
        own = vars(self)
        return Taken(own["_source"].again(), own["_rows"], own["_given"])

    def has_accelerator(self) -> Flags:
        own = vars(self)
        if "_on_device" not in own:
            own["_on_device"] = self.accelerator >= 0
        flags: Flags = own["_on_device"]
        return flags

    def gathered(self) -> tuple[NDArray[Any], ...]:
        """The arrays that were made for these rows."""
        own = vars(self)
        mine = tuple(value for value in own.values() if isinstance(value, np.ndarray))
        return (*mine, *own["_source"].gathered()) if isinstance(own["_source"], Taken) else mine


COLUMNS = frozenset(column.name for column in fields(Machines))
NUMBERED = ("alike", "memory_alike")


def concatenate(parts: Sequence[Machines]) -> Machines:
    """All rows of several, in order."""
    if len(parts) == 1:
        return parts[0]
    return Machines(**{name: _together(name, [getattr(part, name) for part in parts]) for name in COLUMNS})


def _together(name: str, columns: list[NDArray[Any]]) -> NDArray[Any]:
    if name in NUMBERED:  # each counts from 0 on
        before = np.cumsum([0, *(int(column.max(initial=-1)) + 1 for column in columns)])
        columns = [column + np.int32(first) for column, first in zip(columns, before[:-1], strict=True)]
    return np.concatenate(columns)


def machines_of(catalog: Catalog) -> Machines:
    """Every instance type of the catalog as a machine."""
    return join(catalog.instance_types, catalog.accelerators, catalog.processors)


def join(types: InstanceTypes, accelerators: Accelerators, processors: Processors) -> Machines:
    """Instance types with the figures of their accelerators and processors."""
    nvlink = np.isin(types.interconnect.codes, [types.interconnect.code_of(name) for name in ("nvlink", "fabric")])
    local_nvme = types.local_disk_type.codes == types.local_disk_type.code_of("nvme")
    wired = np.where(nvlink & ~np.isnan(types.interconnect_gb_s), types.interconnect_gb_s / 2, 0.0)
    on_cores = processor_columns(types.vcpus, types.sustained_cpu, types.processor, processors)
    on_device = {"link_gb_s": wired, **device_columns(types, accelerators)}
    return Machines(
        vcpus=types.vcpus,
        memory_gib=types.memory_gib,
        network_gbps=types.network_gbps,
        local_disk_gb=np.nan_to_num(types.local_disk_gb),
        local_nvme=local_nvme & (np.nan_to_num(types.local_disk_gb) > 0),
        disk_mib_s=types.disk_mib_s,
        boot_seconds=types.boot_seconds,
        catalog_row=np.arange(len(types), dtype=np.int32),
        basis=np.full(len(types), MODELLED, dtype=np.int32),
        memory_alike=np.unique(types.memory_gib, return_inverse=True)[1].astype(np.int32),
        alike=alike(on_cores, on_device),
        **on_cores,
        **on_device,
    )
