"""From gathered rows to offers: one per purchase option that has a price, with its source and confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.figures_import.cleaning import slips, sold
from plimsoll_service.catalog.figures_import.gathered import Gathered, first_match

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
    """Where the hardware figures of a gathered row come from; ``None`` where they come with the price."""
    spec = re.search(r"spec=([^;]*)", gathered)
    return next((name for pattern, name in HARDWARE_SOURCES if spec and re.match(pattern, spec[1])), None)


SPOT_SAVINGS = "AWS Spot Advisor's average saving (2025-07) x "


def offers(rows: Iterable[Gathered]) -> tuple[list[dict[str, Any]], list[RejectedRow]]:
    """The rows of ``offers*.csv``, and the gathered prices that cannot be used."""
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
