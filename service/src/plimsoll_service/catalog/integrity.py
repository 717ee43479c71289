"""Checks that every catalog must pass; each failed check is a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from ..engine.hardware import (
    CONFIDENCES,
    DISK_CLASSES,
    PEAKS,
    PURCHASE_NAMES,
    WITHDRAWN_STATUSES,
    Catalog,
    Coded,
    Flags,
    Floats,
    Ints,
)

INTERCONNECTS = ("nvlink", "fabric", "pcie")
LOCAL_DISK_TYPES = ("nvme", "ssd", "hdd")
NEVER_EMPTY = ("regions", "instance_types", "offers")
# Columns of instance types in which an unknown figure would mislead every estimate.
KNOWN_TYPE_COLUMNS = ("vcpus", "memory_gib", "accelerator_count", "local_disk_gb")


def faults_of(catalog: Catalog) -> list[str]:
    """Return every fault of ``catalog``; an empty list means that it can be used."""
    shape = list(_lengths(catalog))
    if shape:
        return shape  # the other checks need columns of equal length
    return [*_codes(catalog), *_indices(catalog), *_figures(catalog), *_uniqueness(catalog), *_order(catalog)]


def _lengths(catalog: Catalog) -> Iterator[str]:
    for section in ("regions", "accelerators", "processors", "disks", "withdrawn", "instance_types", "offers"):
        table = getattr(catalog, section)
        for field in fields(table):
            if len(getattr(table, field.name)) != len(table):
                yield f"{section}.{field.name} has {len(getattr(table, field.name))} rows, not {len(table)}"
        if section in NEVER_EMPTY and not len(table):
            yield f"{section} is empty"
    if len(catalog.unpriced) != len(catalog.instance_types):
        yield f"unpriced has {len(catalog.unpriced)} rows, not {len(catalog.instance_types)}"
    if catalog.accelerators.peak_tflops.shape != (len(catalog.accelerators), len(PEAKS)):
        yield f"accelerators.peak_tflops has shape {catalog.accelerators.peak_tflops.shape}"


def _codes(catalog: Catalog) -> Iterator[str]:
    allowed: dict[str, tuple[str, ...]] = {
        "disks.type": DISK_CLASSES,
        "withdrawn.status": WITHDRAWN_STATUSES,
        "instance_types.interconnect": INTERCONNECTS,
        "instance_types.local_disk_type": LOCAL_DISK_TYPES,
        "offers.confidence": CONFIDENCES,
        "instance_types.cloud": catalog.clouds,
        "regions.cloud": catalog.clouds,
    }
    for section in ("regions", "disks", "withdrawn", "instance_types", "offers"):
        table = getattr(catalog, section)
        for field in fields(table):
            column = getattr(table, field.name)
            if isinstance(column, Coded):
                name = f"{section}.{field.name}"
                if len(column) and not _within(column.codes, -1, len(column.words)):
                    yield f"{name} has a code outside its words"
                for word in set(column.words) - set(allowed.get(name, column.words)):
                    yield f"{name} has the unknown word {word!r}"


def _indices(catalog: Catalog) -> Iterator[str]:
    types, offers = catalog.instance_types, catalog.offers
    checks: tuple[tuple[str, Ints, int, int], ...] = (
        ("instance_types.withdrawn", types.withdrawn, -1, len(catalog.withdrawn)),
        ("instance_types.processor", types.processor, -1, len(catalog.processors)),
        ("instance_types.accelerator", types.accelerator, -1, len(catalog.accelerators)),
        ("offers.instance_type", offers.instance_type, 0, len(types)),
        ("offers.region", offers.region, 0, len(catalog.regions)),
        ("offers.purchase", offers.purchase, 0, len(PURCHASE_NAMES)),
    )
    for name, column, lowest, end in checks:
        if not _within(column, lowest, end):
            yield f"{name} points outside its table"


def _within(column: Ints, lowest: int, end: int) -> bool:
    return bool(((column >= lowest) & (column < end)).all())


def _figures(catalog: Catalog) -> Iterator[str]:
    types = catalog.instance_types
    if not _positive(catalog.offers.usd_per_hour).all():
        yield "offers.usd_per_hour has a price that is not a number above 0"
    for column in KNOWN_TYPE_COLUMNS:
        if not np.isfinite(getattr(types, column)).all():
            yield f"instance_types.{column} has an unknown figure"
    for column in ("vcpus", "memory_gib"):
        if not _positive(getattr(types, column)).all():
            yield f"instance_types.{column} has a figure that is not above 0"
    if not (_positive(types.sustained_cpu) & (types.sustained_cpu <= 1)).all():
        yield "instance_types.sustained_cpu has a share that is not above 0 and at most 1"
    with_device: Flags = types.accelerator >= 0
    if (with_device != (types.accelerator_count > 0)).any():
        yield "instance_types.accelerator_count is 0 with an accelerator, or above 0 without"
    if not _positive(types.accelerator_memory_gib[with_device]).all():
        yield "instance_types.accelerator_memory_gib is unknown for a type with an accelerator"
    if not _positive(catalog.accelerators.memory_gib).all():
        yield "accelerators.memory_gib has a figure that is not above 0"


def _positive(column: Floats) -> Flags:
    return np.isfinite(column) & (column > 0)


def _uniqueness(catalog: Catalog) -> Iterator[str]:
    names: dict[str, list[Any]] = {
        "accelerators": list(catalog.accelerators.name),
        "processors": list(catalog.processors.name),
        "regions": list(zip(catalog.regions.cloud.codes.tolist(), catalog.regions.name, strict=True)),
        "instance_types": list(
            zip(catalog.instance_types.cloud.codes.tolist(), catalog.instance_types.name, strict=True)
        ),
    }
    for section, keys in names.items():
        if len(set(keys)) != len(keys):
            yield f"{section} has a name twice"
    spellings = [alias for aliases in catalog.accelerators.aliases for alias in aliases] + names["accelerators"]
    if len({spelling.lower() for spelling in spellings}) != len(spellings):
        yield "accelerators has an alias that means two rows"


def _order(catalog: Catalog) -> Iterator[str]:
    offers = catalog.offers
    order = np.lexsort((offers.purchase, offers.region, offers.instance_type))
    if not np.array_equal(order, np.arange(len(offers))):
        yield "offers are not sorted by instance type, region and purchase option"
    keys = np.stack((offers.instance_type, offers.region, offers.purchase))
    if keys.shape[1] > 1 and (np.diff(keys, axis=1) == 0).all(axis=0).any():
        yield "offers has the same type, region and purchase option twice"
