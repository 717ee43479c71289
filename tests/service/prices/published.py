"""Price snapshots for tests: a catalog's prices times a factor, with sources that go stale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from plimsoll_service.columns_file import coded
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.live import Snapshot, SnapshotBooks
from plimsoll_service.prices.snapshots import codec, join
from plimsoll_service.prices.snapshots.store import Pointer
from plimsoll_service.prices.snapshots.table import CoverageColumns, PriceTable

FETCHED_AT = "2026-11-21T06:00:00Z"


def table(catalog: Catalog, factor: float = 1.0, fresh_until: Mapping[tuple[str, str, str], str] = {}) -> PriceTable:
    """The catalog's prices times ``factor``; ``fresh_until`` by cloud, region and purchase option."""
    own = join.table_of(catalog)
    keys = sorted(fresh_until)
    clouds, regions, purchases = zip(*keys, strict=True) if keys else ((), (), ())
    coverage = CoverageColumns(
        cloud=coded(clouds),
        region=coded(regions),
        purchase=coded(purchases),
        source=coded([f"{cloud} list" for cloud in clouds]),
        fetched_at=coded([FETCHED_AT] * len(keys)),
        fresh_until=coded([fresh_until[key] for key in keys]),
    )
    return replace(own, offers=replace(own.offers, usd_per_hour=own.offers.usd_per_hour * factor), coverage=coverage)


def snapshot(catalog: Catalog, prices: PriceTable, sequence: int = 1) -> Snapshot:
    """The table as a worker holds it after its publication."""
    content = codec.dumps(prices)
    digest = codec.digest(content)
    pointer = Pointer(sequence, digest, FETCHED_AT, join.as_of(prices), len(prices.offers), len(content))
    return Snapshot(pointer, content, SnapshotBooks(catalog, codec.loads(content), digest))
