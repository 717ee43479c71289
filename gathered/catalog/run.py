"""The whole import: from gathered figures to the documented CSV directory.

Gathered rows become offers: one per purchase option that has a price, with its source and confidence.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gathered.catalog import gathered
from gathered.catalog.cleaning import corrected, reject_types, retired_types, slips, sold
from gathered.catalog.gathered import Gathered, first_match, own_table
from gathered.catalog.instance_types import Card, facts, instance_types
from gathered.catalog.processors import processors
from plimsoll_service.catalog import tables
from plimsoll_service.catalog.build import FIGURES
from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.layout import INSTANCE_TYPES, OFFERS, PROCESSORS, SMALL_TABLES
from plimsoll_service.engine.machines import GENERIC

# AWS publishes average savings of spot over on-demand; these are of this day.
SPOT_SAVINGS_DATE = "2025-07-28"
HARDWARE_SOURCES = (
    (r"moto", "moto 5.2.5 (AWS API, 2026-10)"),
    (r"sparecores", "Spare Cores (2026-01)"),
    (r"k8s-autoscaler", "kubernetes/autoscaler (2026-03)"),
    (r"known", "provider documentation"),
    (r"name-derived", "the type's name"),
)


def hardware_source(gathered: str) -> str | None:
    """Source of a row's hardware figures; ``None`` where they come with the price."""
    spec = re.search(r"spec=([^;]*)", gathered)
    return next((name for pattern, name in HARDWARE_SOURCES if spec and re.match(pattern, spec[1])), None)


SPOT_SAVINGS = "AWS Spot Advisor's average saving (2025-07) x "


def offers(rows: Iterable[Gathered]) -> tuple[list[dict[str, Any]], list[RejectedRow]]:
    """Return the rows of ``offers*.csv``, and the rejected prices."""
    kept = list(rows)
    slipped = slips(kept)
    found: list[dict[str, Any]] = []
    rejected: list[RejectedRow] = []
    for row in kept:
        source = first_match("price_sources", row["source"])
        if id(row) in slipped:
            rejected.append(RejectedRow(row.file, row.line, slipped[id(row)]))
        elif source:
            found.extend(_offers_of(row, source))
            rejected.extend(_spot_above_list(row))
    return found, rejected


def _offers_of(row: Gathered, source: dict[str, str]) -> Iterator[dict[str, Any]]:
    on_demand, spot = row.number("price_usd_hour"), row.number("spot_usd_hour")
    as_of = row["as_of"] or None
    if on_demand:
        yield _offer(row, "on_demand", on_demand, as_of, source["name"], source["confidence"])
    if spot and not (on_demand and spot > on_demand):
        estimated = source["spot_confidence"] == "estimated"
        name = f"{SPOT_SAVINGS}{source['name']}" if estimated else source["spot_name"] or source["name"]
        date = min(as_of or SPOT_SAVINGS_DATE, SPOT_SAVINGS_DATE) if estimated else as_of
        yield _offer(row, "spot", spot, date, name, source["spot_confidence"])


def _offer(
    row: Gathered, purchase: str, price: float, as_of: str | None, source: str, confidence: str
) -> dict[str, Any]:
    hardware = hardware_source(row["source"])
    return {
        "cloud": row["cloud"],
        "instance_type": row["instance_type"],
        "region": row.region,
        "purchase": purchase,
        "usd_per_hour": price,
        "current": sold(row),
        "as_of": as_of,
        "source": f"{source}; hardware: {hardware}" if hardware else source,
        "confidence": confidence if as_of or confidence != "list" else "undated",
    }


def _spot_above_list(row: Gathered) -> Iterator[RejectedRow]:
    on_demand, spot = row.number("price_usd_hour"), row.number("spot_usd_hour")
    if on_demand and spot and spot > on_demand:
        name = "/".join((*row.type_key, row.region))
        yield RejectedRow(row.file, row.line, f"{name}: spot at {spot} USD is above the list price {on_demand} USD")


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
    models = _with_stated(processors(measured))
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


def _with_stated(measured: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The processors, with those that no measured machine has: their rows of figures follow the provider's page."""
    known = tables.read(FIGURES / "processors.csv", SMALL_TABLES["processors.csv"]).rows
    stated = {row["processor"] for row in own_table("type_processors")} - {row["name"] for row in measured}
    return sorted([*measured, *(dict(row.values) for row in known if row["name"] in stated)], key=_generic_last)


def _generic_last(processor: dict[str, Any]) -> tuple[bool, str]:
    generic = processor["microarchitecture"] == GENERIC
    return generic, "" if generic else processor["name"]


def _restricted() -> dict[tuple[str, str], bool]:
    rows = tables.read(FIGURES / "regions.csv", SMALL_TABLES["regions.csv"]).rows
    return {(row["cloud"], row["name"]): row["restricted"] for row in rows}
