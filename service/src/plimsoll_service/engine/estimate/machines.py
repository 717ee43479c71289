"""Machines as the estimates see them, one row each: figures of the machine, its devices and its processors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.estimate.kinds import Kinds, kinds_of
from plimsoll_service.engine.hardware import PEAKS, Flags, Floats, Ints, Names

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
    disk_alike: Ints  # the same number for machines that reach volumes as fast, and have the same drives of their own
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

    def figure(self, name: str, row: int) -> Any:
        """One figure of one machine; columns that only what is shown needs are not gathered for it."""
        return getattr(self, name).item(row)

    def again(self) -> Machines:
        """The same machines; what is gathered of these for a passing purpose does not stay."""
        return self

    def kinds(self) -> Kinds:
        """Machines whose devices, or processors where they have none, do the same."""
        return kinds_of(self.alike)

    def on_processors(self) -> Machines:
        """The same machines with their accelerators left idle."""
        return self.changed(accelerator=np.full(len(self), -1, dtype=np.int32))

    def has_accelerator(self) -> Flags:
        return self.accelerator >= 0

    def rebuilt_chip(self) -> Flags:
        """Accelerators that run the programs of NVIDIA's, rebuilt: AMD's."""
        return self.has_accelerator() & self.amd

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
        gathered = own["_rows"] is not None or isinstance(own["_source"], Taken)  # and not the catalog's own column
        if gathered and name not in PASSING:
            own[name] = column
        return column

    def take(self, rows: Ints | Places | Flags) -> Machines:
        own = vars(self)
        places = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)
        given = {name: column.take(places, axis=0) for name, column in own["_given"].items()}
        if own["_rows"] is None:
            return Taken(own["_source"].take(places), None, given)
        return Taken(own["_source"], own["_rows"].take(places), given)

    def figure(self, name: str, row: int) -> Any:
        own = vars(self)
        if name in own:
            return own[name].item(row)
        return own["_source"].figure(name, row if own["_rows"] is None else own["_rows"].item(row))

    def again(self) -> Machines:
        own = vars(self)
        same = Taken(own["_source"].again(), own["_rows"], own["_given"])
        vars(same).update({name: value for name, value in own.items() if name != "_source"})
        return same

    def has_accelerator(self) -> Flags:
        return self._flags("has_accelerator")

    def rebuilt_chip(self) -> Flags:
        return self._flags("rebuilt_chip")

    def compiled_chip(self) -> Flags:
        return self._flags("compiled_chip")

    def _flags(self, name: str) -> Flags:
        """The named method's, found once for these rows and all that have other columns than the accelerator beside."""
        own, known = vars(self), f"_{name}"
        if known not in own:
            theirs = own["_rows"] is None and "accelerator" not in own["_given"]
            own[known] = getattr(own["_source"] if theirs else super(), name)()
        flags: Flags = own[known]
        return flags

    def kinds(self) -> Kinds:
        own = vars(self)
        if "_kinds" not in own:
            theirs = own["_rows"] is None and "alike" not in own["_given"]
            own["_kinds"] = own["_source"].kinds() if theirs else kinds_of(self.again().alike)
        kinds: Kinds = own["_kinds"]
        return kinds

    def gathered(self) -> tuple[Any, ...]:
        """What holds arrays that were made for these rows: of the same rows with other columns, those columns."""
        own = vars(self)
        if own["_rows"] is not None:
            at_once = own.copy()  # another thread may add to what is walked through
            return tuple(value for name, value in at_once.items() if name != "_given")
        given = tuple(own["_given"].values())
        return given if isinstance(own["_source"], Common) else (*given, own["_source"])


class Common(Taken):
    """Rows that jobs of many kinds share: what is gathered of them is not of those who have other columns beside."""


class Together(Machines):
    """All rows of several, in order; joined whenever they are asked for."""

    def __init__(self, parts: Sequence[Machines]) -> None:
        vars(self).update(_parts=parts)

    def __len__(self) -> int:
        return sum(len(part) for part in vars(self)["_parts"])

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name not in COLUMNS:
            raise AttributeError(name)
        return _together(name, [getattr(part, name) for part in vars(self)["_parts"]])


COLUMNS = frozenset(column.name for column in fields(Machines))
# Asked for a few times while a kind of work is worked out, and hardly ever again: not worth the room.
PASSING = frozenset({"device_memory_gib", "usable_memory_share", "bandwidth_gb_s", "cpu_tflops", "network_gbps"})
NUMBERED = ("alike", "memory_alike", "disk_alike")


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
