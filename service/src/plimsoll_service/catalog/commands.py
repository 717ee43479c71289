"""The catalog commands, as functions: import gathered figures, build a snapshot, export one."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.catalog import export as exporting
from plimsoll_service.catalog import snapshot
from plimsoll_service.catalog.build import build as build_catalog
from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.figures_import.run import run
from plimsoll_service.catalog.report import Report, count
from plimsoll_service.engine.hardware import Catalog


def build(input_dir: Path, output: Path) -> Report:
    """Build ``input_dir`` into the snapshot ``output``; raises ``CatalogError``, and then writes nothing."""
    catalog, rejected = build_catalog(input_dir)
    snapshot.save(catalog, output)
    return _report(catalog, rejected)


def import_figures(figures_dir: Path, output_dir: Path) -> Report:
    """Turn gathered figures into the documented CSV directory; raises ``CatalogError`` where a file is missing."""
    return run(figures_dir, output_dir)


def export(directory: Path, source: Path | None = None) -> Report:
    """Write the bundled snapshot, or the one at ``source``, as CSV files into ``directory``."""
    catalog = snapshot.load(source)
    exporting.export(catalog, directory)
    return _report(catalog, [])


def _report(catalog: Catalog, rejected: list[RejectedRow]) -> Report:
    cloud = catalog.instance_types.cloud
    return Report(
        instance_types=count(cloud[row] or "" for row in range(len(cloud))),
        offers=count(cloud[int(row)] or "" for row in catalog.offers.instance_type),
        rejected=tuple(rejected),
        version=catalog.version,
    )
