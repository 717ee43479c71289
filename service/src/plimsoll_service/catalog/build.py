"""Builds a catalog from a directory of CSV files; bad rows are left out with their file, line and reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from plimsoll_service.catalog import assemble, tables
from plimsoll_service.catalog.faults import CatalogError, RejectedRow
from plimsoll_service.catalog.integrity import faults_of
from plimsoll_service.catalog.layout import INSTANCE_TYPES, INSTANCE_TYPES_FILE, OFFERS, OFFERS_PATTERN, SMALL_TABLES
from plimsoll_service.catalog.references import References, check_instance_types, check_offers, unique
from plimsoll_service.catalog.snapshot import stamped
from plimsoll_service.catalog.tables import Row, Table
from plimsoll_service.engine.hardware import Catalog

FIGURES = Path(__file__).parent / "figures"
SMALL_KEYS = {
    "accelerators.csv": ("name",),
    "processors.csv": ("name",),
    "disks.csv": ("cloud", "product"),
    "regions.csv": ("cloud", "name"),
}


def build(input_dir: Path) -> tuple[Catalog, list[RejectedRow]]:
    """The catalog of ``input_dir`` and the rows left out; ``CatalogError`` where a file is missing or broken."""
    small, types_table, offer_tables = _read(input_dir)
    small = _of_used_clouds(small, types_table)
    rows: dict[str, tuple[Row, ...]] = {name: table.rows for name, table in small.items()}
    references = References.of(rows)
    types = check_instance_types(types_table, references)
    offers = check_offers(offer_tables, types, references)
    rejected = sorted(
        {
            *(fault for table in (*small.values(), *offer_tables) for fault in table.rejected),
            *types.rejected,
            *offers.rejected,
        }
    )
    if not types.rows or not offers.rows:
        what = "offer" if types.rows else "instance type"
        raise CatalogError([f"{input_dir}: no usable {what} is left", *map(str, rejected)])
    catalog = stamped(assemble.catalog(rows, types.rows, offers.rows, references))
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(f"{input_dir}: {fault}" for fault in faults)
    return catalog, rejected


def _read(directory: Path) -> tuple[dict[str, Table], Table, list[Table]]:
    """Every table of ``directory``, with all faults of all files in one error."""
    faults: list[str] = []

    def attempt(reading: Callable[[], Table]) -> Table:
        try:
            return reading()
        except CatalogError as error:
            faults.extend(error.faults)
            return Table(())

    small = {name: attempt(partial(_unique_small, directory, name)) for name in SMALL_TABLES}
    types_path = tables.find(directory, INSTANCE_TYPES_FILE)
    types = attempt(lambda: tables.read(types_path, INSTANCE_TYPES)) if types_path else Table(())
    paths = sorted([*directory.glob(OFFERS_PATTERN), *directory.glob(f"{OFFERS_PATTERN}.gz")])
    offers = [attempt(partial(tables.read, path, OFFERS)) for path in paths]
    if types_path is None:
        faults.append(f"{directory}: {INSTANCE_TYPES_FILE} (or .gz) is missing")
    if not paths:
        faults.append(f"{directory}: {OFFERS_PATTERN} (or .gz) is missing")
    if faults:
        raise CatalogError(faults)
    return small, types, offers


def _unique_small(directory: Path, name: str) -> Table:
    return unique(_small(directory, name), SMALL_KEYS[name])


def _small(directory: Path, name: str) -> Table:
    return tables.read(tables.find(directory, name) or FIGURES / name, SMALL_TABLES[name])


def _of_used_clouds(small: dict[str, Table], types: Table) -> dict[str, Table]:
    """The small tables without the regions and disks of clouds that have no instance type here."""
    clouds = {row["cloud"] for row in types.rows}
    return {
        name: Table(tuple(row for row in table.rows if row["cloud"] in clouds), table.rejected, table.lost)
        if name in ("regions.csv", "disks.csv")
        else table
        for name, table in small.items()
    }
