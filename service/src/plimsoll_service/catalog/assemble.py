"""From accepted rows to the catalog's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from plimsoll_service.catalog.columns import coded, floats
from plimsoll_service.catalog.layout import PEAK_COLUMNS
from plimsoll_service.catalog.references import References
from plimsoll_service.catalog.tables import Row
from plimsoll_service.engine.hardware import (
    PURCHASE_NAMES,
    Accelerators,
    Catalog,
    Disks,
    InstanceTypes,
    Offers,
    Processors,
    Regions,
)

Section = TypeVar("Section", Accelerators, Processors, Regions, Disks)
Rows = Sequence[Row]
# Columns of instance types that stand in the file as they stand in memory.
TYPE_WORDS = ("cloud", "architecture", "cpu_vendor", "interconnect", "local_disk_type")
TYPE_NUMBERS = (
    "vcpus", "memory_gib", "sustained_cpu", "interconnect_gb_s", "network_gbps", "local_disk_gb", "disk_mib_s",
    "boot_seconds",
)  # fmt: skip


def catalog(small: Mapping[str, Rows], types: Rows, offers: Rows, references: References) -> Catalog:
    """The catalog of these rows, types sorted by cloud and name, offers by type, region and purchase option."""
    regions = sorted(small["regions.csv"], key=lambda row: (row["cloud"], row["name"]))
    type_index = {(row["cloud"], row["instance_type"]): index for index, row in enumerate(types)}
    region_index = {(row["cloud"], row["name"]): index for index, row in enumerate(regions)}
    return Catalog(
        version="",
        prices_as_of="",
        clouds=tuple(sorted({row["cloud"] for row in types})),
        regions=_section(Regions, regions),
        accelerators=_accelerators(small["accelerators.csv"]),
        processors=_section(Processors, small["processors.csv"]),
        disks=_section(Disks, sorted(small["disks.csv"], key=lambda row: (row["cloud"], row["product"]))),
        instance_types=_instance_types(types, references),
        offers=_offers(offers, type_index, region_index),
        unpriced=np.array([row["unpriced_regions"] for row in types], dtype=np.int32),
    )


def _section(section: type[Section], rows: Rows) -> Section:
    """A table whose columns are the file's columns, each in the form that its field asks for."""
    columns = {field.name: _column(str(field.type), [row[field.name] for row in rows]) for field in fields(section)}
    return section(**columns)


def _column(form: str, values: list[Any]) -> Any:
    if form == "Coded":
        return coded(values)
    if form == "Floats":
        return floats(values)
    if form == "Flags":
        return np.array(values, dtype=np.bool_)
    if form == "Ints":
        return np.array(values, dtype=np.int32)
    return tuple(values)


def _accelerators(rows: Rows) -> Accelerators:
    named = {
        field.name: _column(str(field.type), [row[field.name] for row in rows])
        for field in fields(Accelerators)
        if field.name != "peak_tflops"
    }
    peaks = np.array([floats(row[column] for column in PEAK_COLUMNS) for row in rows]).reshape(-1, len(PEAK_COLUMNS))
    return Accelerators(peak_tflops=peaks, **named)


def _instance_types(rows: Rows, references: References) -> InstanceTypes:
    named: dict[str, Any] = {name: coded(row[name] for row in rows) for name in TYPE_WORDS}
    named |= {name: floats(row[name] for row in rows) for name in TYPE_NUMBERS}
    return InstanceTypes(
        name=tuple(row["instance_type"] for row in rows),
        family=coded(row["family"] or row["instance_type"] for row in rows),
        retired=np.array([row["retired"] for row in rows], dtype=np.bool_),
        processor=np.array([references.processor(row) for row in rows], dtype=np.int32),
        accelerator=np.array([references.accelerator(row) for row in rows], dtype=np.int32),
        accelerator_count=floats(row["accelerator_count"] or 0.0 for row in rows),
        accelerator_memory_gib=floats(_device_memory(row, references) for row in rows),
        **named,
    )


def _device_memory(row: Row, references: References) -> float | None:
    """Memory of one device: as given, else the card's; of a share, the card's times the share."""
    if not row["accelerator"]:
        return None
    share: float = min(1.0, row["accelerator_count"])
    given: float | None = row["accelerator_memory_gib"]
    return given if given is not None else references.card_memory_gib[references.accelerator(row)] * share


def _offers(rows: Rows, types: Mapping[Any, int], regions: Mapping[Any, int]) -> Offers:
    keys = np.array(
        [
            (
                types[row["cloud"], row["instance_type"]],
                regions[row["cloud"], row["region"]],
                PURCHASE_NAMES.index(row["purchase"]),
            )
            for row in rows
        ],
        dtype=np.int32,
    )
    order = np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0]))
    placed = [rows[index] for index in order]
    return Offers(
        instance_type=keys[order, 0],
        region=keys[order, 1],
        purchase=keys[order, 2],
        usd_per_hour=floats(row["usd_per_hour"] for row in placed),
        current=np.array([row["current"] for row in placed], dtype=np.bool_),
        as_of=coded(row["as_of"] for row in placed),
        source=coded(row["source"] for row in placed),
        confidence=coded(row["confidence"] or ("list" if row["as_of"] else "undated") for row in placed),
    )
