"""The catalog commands, as functions: build a snapshot, export one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Coded
from . import snapshot, tables
from .build import build as build_catalog
from .faults import RejectedRow
from .layout import ACCELERATORS, INSTANCE_TYPES, INSTANCE_TYPES_FILE, OFFERS, PEAK_COLUMNS, SMALL_TABLES, Column


@dataclass(frozen=True)
class Report:
    """Instance types and offers by cloud, the rejected rows, and the version of a built catalog."""

    instance_types: dict[str, int]
    offers: dict[str, int]
    rejected: tuple[RejectedRow, ...] = ()
    version: str | None = None

    def __str__(self) -> str:
        lines = [f"catalog {self.version}"] if self.version else []
        lines.append(f"{'cloud':<12}{'instance types':>15}{'offers':>10}")
        for cloud in sorted(self.instance_types):
            lines.append(f"{cloud:<12}{self.instance_types[cloud]:>15,}{self.offers.get(cloud, 0):>10,}")
        lines.append(f"{'total':<12}{sum(self.instance_types.values()):>15,}{sum(self.offers.values()):>10,}")
        if self.rejected:
            lines.append(f"{len(self.rejected):,} rows rejected:")
            lines.extend(f"  {row}" for row in self.rejected)
        return "\n".join(lines)


def count(clouds: Iterable[str]) -> dict[str, int]:
    """Number of times that each cloud occurs."""
    return dict(sorted(Counter(clouds).items()))


OFFERS_FILE = "offers.csv"


def write_tables(catalog: Catalog, directory: Path) -> None:
    """Write every table of ``catalog`` into ``directory``, which is created if missing."""
    directory.mkdir(parents=True, exist_ok=True)
    types, offers, devices = catalog.instance_types, catalog.offers, catalog.accelerators
    small = {
        "processors.csv": catalog.processors,
        "disks.csv": catalog.disks,
        "regions.csv": catalog.regions,
        "withdrawn.csv": catalog.withdrawn,
    }
    for name, section in small.items():
        _write(directory / name, SMALL_TABLES[name], section)
    _write(
        directory / "accelerators.csv",
        ACCELERATORS,
        devices,
        **dict(zip(PEAK_COLUMNS, devices.peak_tflops.T, strict=True)),
    )
    _write(
        directory / INSTANCE_TYPES_FILE,
        INSTANCE_TYPES,
        types,
        instance_type=types.name,
        processor=Coded(types.processor, catalog.processors.name),
        accelerator=Coded(types.accelerator, devices.name),
        accelerator_count=np.where(types.accelerator_count > 0, types.accelerator_count, np.nan),
        unpriced_regions=catalog.unpriced,
    )
    _write(
        directory / OFFERS_FILE,
        OFFERS,
        offers,
        cloud=Coded(types.cloud.codes[offers.instance_type], types.cloud.words),
        instance_type=Coded(offers.instance_type, types.name),
        region=Coded(offers.region, catalog.regions.name),
        purchase=Coded(offers.purchase, PURCHASE_NAMES),
    )


def _write(path: Path, columns: Sequence[Column], section: Any, **own: Any) -> None:
    """Write a table: each column as given, else from the section's column of its name."""
    names = [column.name for column in columns]
    values = {name: own[name] if name in own else getattr(section, name) for name in names}
    tables.write(
        path, names, ({name: _value(column, row) for name, column in values.items()} for row in range(len(section)))
    )


def _value(column: Any, row: int) -> Any:
    if isinstance(column, (tuple, Coded)):
        return column[row]
    return column[row].item()


def build(input_dir: Path, output: Path) -> Report:
    """Build ``input_dir`` into the snapshot ``output``; raises ``CatalogError``, and then writes nothing."""
    catalog, rejected = build_catalog(input_dir)
    snapshot.save(catalog, output)
    return _report(catalog, rejected)


def export(directory: Path, source: Path | None = None) -> Report:
    """Write the bundled snapshot, or the one at ``source``, as CSV files into ``directory``."""
    catalog = snapshot.load(source)
    write_tables(catalog, directory)
    return _report(catalog, [])


def _report(catalog: Catalog, rejected: list[RejectedRow]) -> Report:
    cloud = catalog.instance_types.cloud
    return Report(
        instance_types=count(cloud[row] or "" for row in range(len(cloud))),
        offers=count(cloud[int(row)] or "" for row in catalog.offers.instance_type),
        rejected=tuple(rejected),
        version=catalog.version,
    )
