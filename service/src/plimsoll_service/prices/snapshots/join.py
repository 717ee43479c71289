"""Prices by name joined with a catalog: from its own prices to a table, and from any table to prices over its rows."""

from __future__ import annotations

import hashlib

import numpy as np

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog, Coded, Flags, Ints, Offers
from plimsoll_service.engine.prices import Prices
from plimsoll_service.prices.snapshots import moments
from plimsoll_service.prices.snapshots.coding import canonical, places, rows_named
from plimsoll_service.prices.snapshots.sections import empty, in_order
from plimsoll_service.prices.snapshots.table import CoverageColumns, OfferColumns, PriceTable, VolumeColumns
from plimsoll_service.prices.snapshots.volumes import disk_prices

HASH_LENGTH = 8
DATE_LENGTH = len("2026-11-21")
UNDATED = "undated"
STALE = "+stale"


def table_of(catalog: Catalog) -> PriceTable:
    """The catalog's own offers by name; its volumes stay its own, and no feed has answered for anything."""
    offers, types = catalog.offers, catalog.instance_types
    columns = OfferColumns(
        cloud=canonical(Coded(types.cloud.codes[offers.instance_type], types.cloud.words)),
        instance_type=canonical(Coded(offers.instance_type, types.name)),
        region=canonical(Coded(offers.region, catalog.regions.name)),
        purchase=canonical(Coded(offers.purchase, PURCHASE_NAMES)),
        usd_per_hour=offers.usd_per_hour,
        current=offers.current,
        interruptions_per_hour=np.full(len(offers), np.nan),
        as_of=canonical(offers.as_of),
        source=canonical(offers.source),
        confidence=canonical(offers.confidence),
    )
    return PriceTable(in_order(columns), empty(VolumeColumns), empty(CoverageColumns))


def as_of(table: PriceTable) -> str:
    """The date or moment of the table's newest price; empty where none is dated."""
    return max(table.offers.as_of.words, default="")


def version_of(digest: str, as_of: str, catalog: Catalog) -> str:
    """What answers name: the date of the newest price, and a hash of the snapshot's bytes and the catalog's version."""
    mixed = hashlib.sha256(f"{digest}\n{catalog.version}".encode()).hexdigest()
    return f"{as_of[:DATE_LENGTH] or UNDATED}-{mixed[:HASH_LENGTH]}"


def expiries(table: PriceTable) -> tuple[float, ...]:
    """The moments (seconds since 1970) at which some of the prices become stale, ascending."""
    return tuple(moments.parsed(word).timestamp() for word in table.coverage.fresh_until.words)


def prices_of(table: PriceTable, digest: str, catalog: Catalog, expired: int = 0) -> Prices:
    """The table over the catalog's rows, what that lacks left out, once ``expired`` of its ``expiries`` have passed."""
    offers, regions = table.offers, catalog.regions
    type_row = rows_named(catalog.instance_types.cloud, catalog.instance_types.name, offers.cloud, offers.instance_type)
    region_row = rows_named(regions.cloud, regions.name, offers.cloud, offers.region)
    purchase = places(offers.purchase, {name: code for code, name in enumerate(PURCHASE_NAMES)})
    rows = _in_catalogs_order(type_row, region_row, purchase)
    disks, region_factor = disk_prices(table.volumes, catalog)
    newest = as_of(table)
    return Prices(
        version=version_of(digest, newest, catalog) + (f"{STALE}{expired}" if expired else ""),
        as_of=newest,
        offers=Offers(
            instance_type=type_row[rows],
            region=region_row[rows],
            purchase=purchase[rows],
            usd_per_hour=offers.usd_per_hour[rows],
            current=offers.current[rows],
            as_of=Coded(offers.as_of.codes[rows], offers.as_of.words),
            source=Coded(offers.source.codes[rows], offers.source.words),
            confidence=Coded(offers.confidence.codes[rows], offers.confidence.words),
        ),
        stale=_stale(table, expired)[rows],
        interruptions_per_hour=offers.interruptions_per_hour[rows],
        disks=disks,
        region_factor=region_factor,
    )


def _in_catalogs_order(type_row: Ints, region_row: Ints, purchase: Ints) -> Ints:
    """The offers of which the catalog knows type and region, sorted as its own are."""
    known = np.flatnonzero((type_row >= 0) & (region_row >= 0)).astype(np.int32)
    ordered: Ints = known[np.lexsort((purchase[known], region_row[known], type_row[known]))]
    return ordered


def _stale(table: PriceTable, expired: int) -> Flags:
    """Which offers that are sold lie in what a feed answered for until one of the first ``expired`` moments."""
    offers, coverage = table.offers, table.coverage
    over = coverage.fresh_until.codes < expired  # the words are sorted, and so the moments
    covered = np.zeros((len(offers.cloud.words), len(offers.region.words), len(offers.purchase.words)), dtype=np.bool_)
    columns = (("cloud", offers.cloud), ("region", offers.region), ("purchase", offers.purchase))
    place = [
        places(getattr(coverage, name), {word: code for code, word in enumerate(column.words)})[over]
        for name, column in columns
    ]
    known = np.all([column >= 0 for column in place], axis=0)
    covered[tuple(column[known] for column in place)] = True
    stale: Flags = covered[offers.cloud.codes, offers.region.codes, offers.purchase.codes] & offers.current
    return stale
