"""The whole import: from gathered figures to the documented CSV directory."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from plimsoll_service.catalog import tables
from plimsoll_service.catalog.build import FIGURES
from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.figures_import import gathered
from plimsoll_service.catalog.figures_import.cleaning import corrected, reject_types, retired_types
from plimsoll_service.catalog.figures_import.instance_types import Card, facts, instance_types
from plimsoll_service.catalog.figures_import.offers import offers
from plimsoll_service.catalog.figures_import.processors import processors
from plimsoll_service.catalog.layout import INSTANCE_TYPES, OFFERS, PROCESSORS, SMALL_TABLES

# Maintained by hand, with a source for each row; the import copies them.
CURATED = ("accelerators.csv", "disks.csv", "regions.csv", "withdrawn.csv")


class Imported(NamedTuple):
    """The written rows and the rejected ones."""

    instance_types: list[dict[str, Any]]
    offers: list[dict[str, Any]]
    rejected: list[RejectedRow]


def run(figures_dir: Path, output_dir: Path) -> Imported:
    """Write the documented CSV directory from gathered figures; ``CatalogError`` where a file of them is missing."""
    cards = _cards()
    gathered_offers = map(corrected, gathered.gathered_offers(figures_dir))
    rows, rejected = reject_types(gathered_offers, {name: memory for name, (memory, _) in cards.items()})
    measured = gathered.gathered_hardware(figures_dir)
    models = processors(measured)
    names = {model["name"] for model in models}
    types = instance_types(rows, cards, facts(measured), names, retired_types(rows, _restricted()))
    found, rejected_prices = offers(rows)
    output_dir.mkdir(parents=True, exist_ok=True)
    for name in CURATED:
        shutil.copyfile(FIGURES / name, output_dir / name)
    tables.write(output_dir / "processors.csv", [column.name for column in PROCESSORS], models)
    tables.write(output_dir / "instance_types.csv", [column.name for column in INSTANCE_TYPES], types)
    for cloud in sorted({offer["cloud"] for offer in found}):
        own = [offer for offer in found if offer["cloud"] == cloud]
        tables.write(output_dir / f"offers-{cloud}.csv", [column.name for column in OFFERS], own)
    return Imported(types, found, sorted([*rejected, *rejected_prices]))


def _cards() -> dict[str, tuple[float, Card]]:
    """Memory (GiB) and links of every specified accelerator."""
    rows = tables.read(FIGURES / "accelerators.csv", SMALL_TABLES["accelerators.csv"]).rows
    return {row["name"]: (row["memory_gib"], Card(row["interconnect"], row["interconnect_gb_s"])) for row in rows}


def _restricted() -> dict[tuple[str, str], bool]:
    rows = tables.read(FIGURES / "regions.csv", SMALL_TABLES["regions.csv"]).rows
    return {(row["cloud"], row["name"]): row["restricted"] for row in rows}
