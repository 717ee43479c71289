"""The catalog commands, as functions: build a snapshot, export one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    sections: dict[str, Any] = {
        "processors.csv": catalog.processors,
        "disks.csv": catalog.disks,
        "regions.csv": catalog.regions,
        "withdrawn.csv": catalog.withdrawn,
    }
    for name, section in sections.items():
        rows = [
            {column.name: _value(getattr(section, column.name), row) for column in SMALL_TABLES[name]}
            for row in range(len(section))
        ]
        tables.write(directory / name, _names(SMALL_TABLES[name]), rows)
    tables.write(directory / "accelerators.csv", _names(ACCELERATORS), _accelerators(catalog))
    tables.write(directory / INSTANCE_TYPES_FILE, _names(INSTANCE_TYPES), _instance_types(catalog))
    tables.write(directory / OFFERS_FILE, _names(OFFERS), _offers(catalog))


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]


def _value(column: Any, row: int) -> Any:
    if isinstance(column, (tuple, Coded)):
        return column[row]
    return column[row].item()


def _accelerators(catalog: Catalog) -> Iterator[dict[str, Any]]:
    accelerators = catalog.accelerators
    for row in range(len(accelerators)):
        peaks = dict(zip(PEAK_COLUMNS, accelerators.peak_tflops[row].tolist(), strict=True))
        plain = (name for name in _names(ACCELERATORS) if name not in PEAK_COLUMNS)
        yield {name: _value(getattr(accelerators, name), row) for name in plain} | peaks


def _instance_types(catalog: Catalog) -> Iterator[dict[str, Any]]:
    types = catalog.instance_types
    special = {"instance_type", "processor", "accelerator", "accelerator_count", "unpriced_regions"}
    plain = [name for name in _names(INSTANCE_TYPES) if name not in special]
    for row in range(len(types)):
        yield {name: _value(getattr(types, name), row) for name in plain} | {
            "instance_type": types.name[row],
            "processor": _named(catalog.processors.name, types.processor[row]),
            "accelerator": _named(catalog.accelerators.name, types.accelerator[row]),
            "accelerator_count": types.accelerator_count[row].item() or None,
            "unpriced_regions": int(catalog.unpriced[row]),
        }


def _named(names: tuple[str, ...], index: np.int32) -> str | None:
    return names[index] if index >= 0 else None


def _offers(catalog: Catalog) -> Iterator[dict[str, Any]]:
    offers, types, regions = catalog.offers, catalog.instance_types, catalog.regions
    for row in range(len(offers)):
        instance_type = int(offers.instance_type[row])
        yield {
            "cloud": types.cloud[instance_type],
            "instance_type": types.name[instance_type],
            "region": regions.name[int(offers.region[row])],
            "purchase": PURCHASE_NAMES[int(offers.purchase[row])],
            "usd_per_hour": offers.usd_per_hour[row].item(),
            "current": bool(offers.current[row]),
            "as_of": offers.as_of[row],
            "source": offers.source[row],
            "confidence": offers.confidence[row],
        }


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
