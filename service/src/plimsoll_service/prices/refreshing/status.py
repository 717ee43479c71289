"""What Redis holds of prices, in words: the snapshots kept, what each feed last answered for, the memory used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.snapshots import join, moments
from plimsoll_service.prices.snapshots.store import SnapshotStore
from plimsoll_service.prices.snapshots.table import CoverageColumns

HOUR = timedelta(hours=1)
MEBIBYTE = 1 << 20


def status(store: SnapshotStore, catalog: Catalog, now: datetime) -> Iterator[str]:
    """The lines of ``prices status``; what the store raises comes before the first."""
    in_force, kept, memory = store.pointer(), store.history(), store.memory_bytes()
    yield f"snapshots kept: {len(kept)}, {memory / MEBIBYTE:.1f} MiB in Redis"
    for entry in kept:
        mark = "  in force" if entry == in_force else ""
        version = join.version_of(entry.digest, entry.as_of, catalog)
        yield f"  {version}  published {entry.published_at}  {entry.offers:,} offers{mark}"
    if in_force is None:
        yield f"in force: the catalog's own prices, {catalog.version}"
        return
    table = store.load(in_force.digest)
    if table is None:
        yield "the snapshot in force is lost or damaged: services go on with what they hold, the next refresh mends it"
    else:
        yield "sources"
        yield from _sources(table.coverage, now)


def _sources(coverage: CoverageColumns, now: datetime) -> Iterator[str]:
    """One line for all regions that a feed answered for at once."""
    columns = (coverage.cloud, coverage.purchase, coverage.source, coverage.fetched_at, coverage.fresh_until)
    rows = Counter(tuple(str(column[row]) for column in columns) for row in range(len(coverage)))
    for (cloud, purchase, source, fetched_at, fresh_until), regions in sorted(rows.items()):
        age = (now - moments.parsed(fetched_at)) / HOUR
        state = "stale since" if now > moments.parsed(fresh_until) else "fresh until"
        yield f"  {cloud} {purchase}: {regions} regions, {source}, {age:.1f} hours old, {state} {fresh_until}"
