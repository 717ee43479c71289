"""Instance types of the catalog's columns as items, and the filters over those columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.hardware import Catalog, Coded, Flags, Floats, InstanceTypes, Ints
from .catalog_names import CatalogNames
from .schemas.collections import MEASURES, NAMED


@dataclass(frozen=True)
class AcceleratorsOfType:
    """The accelerators of one machine; ``count`` of a share is the fraction."""

    name: str
    count: float
    memory_gib: float | None


@dataclass(frozen=True)
class InstanceTypeItem:
    """An instance type; what is not known is null."""

    cloud: str
    instance_type: str
    family: str | None
    retired: bool
    vcpus: float | None
    sustained_cpu: float | None
    memory_gib: float | None
    architecture: str | None
    cpu: str | None
    cpu_vendor: str | None
    accelerator: AcceleratorsOfType | None
    interconnect: str | None
    network_gbps: float | None
    local_disk_gb: float | None
    local_disk_type: str | None


def known(value: float) -> float | None:
    """The figure, or ``None`` where the catalog has none."""
    return None if math.isnan(value) else float(value)


def item(catalog: Catalog, row: int) -> InstanceTypeItem:
    """The instance type of a row."""
    types = catalog.instance_types
    processor = int(types.processor[row])
    return InstanceTypeItem(
        cloud=types.cloud[row] or "",
        instance_type=types.name[row],
        family=types.family[row],
        retired=bool(types.retired[row]),
        vcpus=known(types.vcpus[row]),
        sustained_cpu=known(types.sustained_cpu[row]),
        memory_gib=known(types.memory_gib[row]),
        architecture=types.architecture[row],
        cpu=None if processor < 0 else catalog.processors.name[processor],
        cpu_vendor=types.cpu_vendor[row],
        accelerator=_accelerators(catalog, row),
        interconnect=types.interconnect[row],
        network_gbps=known(types.network_gbps[row]),
        local_disk_gb=known(types.local_disk_gb[row]),
        local_disk_type=types.local_disk_type[row],
    )


def _accelerators(catalog: Catalog, row: int) -> AcceleratorsOfType | None:
    types = catalog.instance_types
    accelerator = int(types.accelerator[row])
    if accelerator < 0:
        return None
    count, memory = float(types.accelerator_count[row]), known(types.accelerator_memory_gib[row])
    return AcceleratorsOfType(catalog.accelerators.name[accelerator], count, memory)


def matching(catalog: Catalog, names: CatalogNames, filters: dict[str, Any]) -> Ints:
    """The rows that pass all filters; an unknown figure passes none. The names in them are known."""
    types = catalog.instance_types
    passes = np.ones(len(types), dtype=np.bool_)
    for name in NAMED:
        if name in filters:
            passes &= _any_of(catalog, name, [names.find(name, word) for word in filters[name]])
    for name in MEASURES:
        column = _measure(types, name)
        passes &= column >= filters[f"min_{name}"] if f"min_{name}" in filters else True
        passes &= column <= filters[f"max_{name}"] if f"max_{name}" in filters else True
    if "retired" in filters:
        passes &= types.retired == filters["retired"]
    if "q" in filters:
        part = filters["q"].lower()
        passes &= np.fromiter((part in name.lower() for name in types.name), np.bool_, len(types))
    return np.flatnonzero(passes).astype(np.int32)


def _any_of(catalog: Catalog, kind: str, words: list[str | None]) -> Flags:
    """The rows with one of the words; ``None`` stands for ``none``, which no thing of the catalog is named."""
    types = catalog.instance_types
    if kind == "accelerator":
        column = types.accelerator
        codes = [-1 if word is None else catalog.accelerators.name.index(word) for word in words]
    elif kind == "cpu":
        column, known = types.processor, catalog.processors
        codes = [row for row, name in enumerate(known.name) if name in words or known.microarchitecture[row] in words]
    else:
        coded: Coded = getattr(types, kind)
        column = coded.codes
        codes = [-1 if word is None else coded.code_of(word) for word in words]
    return np.isin(column, codes)


def _measure(types: InstanceTypes, name: str) -> Floats:
    """The figures by which ``min_`` and ``max_`` filter; a machine without accelerators has memory 0 of them."""
    column: Floats = getattr(types, name)
    return np.where(types.accelerator < 0, 0.0, column) if name == "accelerator_memory_gib" else column
