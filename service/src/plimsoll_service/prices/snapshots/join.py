"""Prices by name joined with a catalog: its own prices as a table, and any table as prices over its rows."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np

from ...columns_file import HASH_LENGTH
from ...engine.hardware import PURCHASE_NAMES, Catalog, Coded, Disks, Flags, Floats, Ints, Offers
from ...engine.price_ranges import ranged
from ...engine.prices import Prices
from . import moments
from .table import (
    CoverageColumns,
    OfferColumns,
    PriceTable,
    VolumeColumns,
    canonical,
    in_order,
    places,
    rows_named,
    section_of,
)

DATE_LENGTH = len("2026-11-21")
UNDATED = "undated"
STALE = "+stale"
# The region of the catalog's disk prices, in which each cloud's documentation states them.
REFERENCE_REGIONS = {"alibaba": "cn-hangzhou", "aws": "us-east-1", "azure": "eastus", "gcp": "us-central1"}


def table_of(catalog: Catalog) -> PriceTable:
    """The catalog's own offers by name, without volumes and coverage."""
    offers, types = catalog.offers, catalog.instance_types
    columns = OfferColumns(
        cloud=canonical(Coded(types.cloud.codes[offers.instance_type], types.cloud.words)),
        instance_type=canonical(Coded(offers.instance_type, types.name)),
        region=canonical(Coded(offers.region, catalog.regions.name)),
        purchase=canonical(Coded(offers.purchase, PURCHASE_NAMES)),
        usd_per_hour=offers.usd_per_hour,
        accepted_usd_per_hour=np.full(len(offers), np.nan),
        current=offers.current,
        named=offers.current,
        interruptions_per_hour=np.full(len(offers), np.nan),
        as_of=canonical(offers.as_of),
        source=canonical(offers.source),
        confidence=canonical(offers.confidence),
    )
    return PriceTable(in_order(columns), section_of(VolumeColumns, ()), section_of(CoverageColumns, ()))


def as_of(table: PriceTable) -> str:
    """The date or moment of the table's newest price; empty if none is dated."""
    return max(table.offers.as_of.words, default="")


def version_of(digest: str, as_of: str, catalog: Catalog) -> str:
    """The version of prices: the newest date, and a hash of the snapshot's bytes and the catalog's version."""
    mixed = hashlib.sha256(f"{digest}\n{catalog.version}".encode()).hexdigest()
    return f"{as_of[:DATE_LENGTH] or UNDATED}-{mixed[:HASH_LENGTH]}"


def expiries(table: PriceTable) -> tuple[float, ...]:
    """The moments (seconds since 1970) at which some of the prices become stale, ascending."""
    return tuple(moments.parsed(word).timestamp() for word in table.coverage.fresh_until.words)


def prices_of(table: PriceTable, digest: str, catalog: Catalog, expired: int = 0) -> Prices:
    """The table over the rows of the catalog, after ``expired`` of its ``expiries``; unknown names are left out."""
    offers, regions = table.offers, catalog.regions
    type_row = rows_named(catalog.instance_types.cloud, catalog.instance_types.name, offers.cloud, offers.instance_type)
    region_row = rows_named(regions.cloud, regions.name, offers.cloud, offers.region)
    purchase = places(offers.purchase, {name: code for code, name in enumerate(PURCHASE_NAMES)})
    rows = _in_catalogs_order(type_row, region_row, purchase)
    disks, region_factor = disk_prices(table.volumes, catalog)
    newest = as_of(table)
    joined = Offers(
        instance_type=type_row[rows],
        region=region_row[rows],
        purchase=purchase[rows],
        usd_per_hour=offers.usd_per_hour[rows],
        current=offers.current[rows],
        as_of=Coded(offers.as_of.codes[rows], offers.as_of.words),
        source=Coded(offers.source.codes[rows], offers.source.words),
        confidence=Coded(offers.confidence.codes[rows], offers.confidence.words),
    )
    return Prices(
        **vars(ranged(catalog, joined)),
        version=version_of(digest, newest, catalog) + (f"{STALE}{expired}" if expired else ""),
        as_of=newest,
        stale=_stale(table, expired)[rows],
        interruptions_per_hour=offers.interruptions_per_hour[rows],
        disks=disks,
        region_factor=region_factor,
    )


def _in_catalogs_order(type_row: Ints, region_row: Ints, purchase: Ints) -> Ints:
    """The offers whose type and region the catalog knows, in the catalog's order."""
    known = np.flatnonzero((type_row >= 0) & (region_row >= 0)).astype(np.int32)
    return known[np.lexsort((purchase[known], region_row[known], type_row[known]))]


def _stale(table: PriceTable, expired: int) -> Flags:
    """The current offers whose coverage ended at one of the first ``expired`` moments."""
    offers, coverage = table.offers, table.coverage
    over = coverage.fresh_until.codes < expired  # words are sorted, and so are the moments
    covered = np.zeros((len(offers.cloud.words), len(offers.region.words), len(offers.purchase.words)), dtype=np.bool_)
    columns = (("cloud", offers.cloud), ("region", offers.region), ("purchase", offers.purchase))
    place = [
        places(getattr(coverage, name), {word: code for code, word in enumerate(column.words)})[over]
        for name, column in columns
    ]
    known = np.all([column >= 0 for column in place], axis=0)
    covered[tuple(column[known] for column in place)] = True
    return covered[offers.cloud.codes, offers.region.codes, offers.purchase.codes] & offers.current


def disk_prices(volumes: VolumeColumns, catalog: Catalog) -> tuple[Disks, Floats]:
    """The catalog's disks at these prices, and the price factor of each region, of shape (disks, regions).

    A product has the price of its cloud's reference region, or of the region that prices most products. A product
    without a price there keeps the catalog's price.
    """
    factors = np.ones((len(catalog.disks), len(catalog.regions)))
    if not len(volumes):
        return catalog.disks, factors
    disk = rows_named(catalog.disks.cloud, catalog.disks.product, volumes.cloud, volumes.product)
    region = rows_named(catalog.regions.cloud, catalog.regions.name, volumes.cloud, volumes.region)
    known = np.flatnonzero((disk >= 0) & (region >= 0)).astype(np.int32)
    reference = known[_of_reference(volumes, known)]
    disks = _at(catalog.disks, disk[reference], volumes, reference)
    ratio = volumes.usd_per_gib_month[known] / disks.usd_per_gib_month[disk[known]]
    sound = np.isfinite(ratio)  # products without a catalog price have no factor
    factors[disk[known][sound], region[known][sound]] = ratio[sound]
    return disks, factors


def _of_reference(volumes: VolumeColumns, rows: Ints) -> Flags:
    """The rows of their cloud's reference region."""
    clouds, regions = volumes.cloud.words, volumes.region.words
    counts = np.zeros((len(clouds), len(regions)), dtype=np.int64)
    np.add.at(counts, (volumes.cloud.codes[rows], volumes.region.codes[rows]), 1)
    most = counts.argmax(axis=1)  # the first by name among equals
    code_by_region = {name: code for code, name in enumerate(regions)}
    named = [REFERENCE_REGIONS.get(cloud) for cloud in clouds]
    chosen = np.array([code_by_region.get(name, -1) if name else most[code] for code, name in enumerate(named)])
    found: Flags = volumes.region.codes[rows] == chosen[volumes.cloud.codes[rows]]
    return found


def _at(disks: Disks, rows: Ints, volumes: VolumeColumns, priced: Ints) -> Disks:
    """The disks with these rows at the prices of these volumes; parts without a price stay as they were."""
    changes: dict[str, Any] = {}
    for name in ("usd_per_gib_month", "usd_per_iops_month", "usd_per_mib_s_month"):
        column, new = getattr(disks, name).copy(), getattr(volumes, name)[priced]
        column[rows] = np.where(np.isnan(new), column[rows], new)
        changes[name] = column
    for name in ("as_of", "source", "confidence"):
        changes[name] = _replaced(getattr(disks, name), rows, getattr(volumes, name), priced)
    return replace(disks, **changes)


def _replaced(words: tuple[str, ...], rows: Ints, column: Coded, priced: Ints) -> tuple[str, ...]:
    changed = dict(zip(rows.tolist(), priced.tolist(), strict=True))
    return tuple(column[changed[row]] or "" if row in changed else word for row, word in enumerate(words))
