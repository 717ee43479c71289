"""One refresh: ask a feed, hold its answer against the prices in force, and publish both as the next snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.feeds.feed import Feed, FeedRequest
from plimsoll_service.prices.redis_access.redis_link import RETRY_SECONDS, RedisUnavailable
from plimsoll_service.prices.refreshing import guard, merge
from plimsoll_service.prices.refreshing.fetched import Answer, answer_of
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.pointer import Pointer
from plimsoll_service.prices.snapshots.store import Overtaken, SnapshotStore
from plimsoll_service.prices.snapshots.table import PriceTable
from plimsoll_service.tracing import span

# A replica takes over within some ten seconds; what was fetched over minutes is worth that wait.
ATTEMPTS = 8


class Refused(Exception):
    """The answer does not replace the prices that are there; ``reasons`` are sentences with figures and names.

    ``notes`` are the feed's, which may explain the reasons: such as prices estimated for want of credentials.
    """

    def __init__(self, reasons: tuple[str, ...], notes: tuple[str, ...] = ()) -> None:
        self.reasons = reasons
        self.notes = notes
        super().__init__("; ".join(reasons))


@dataclass(frozen=True)
class Published:
    """What a refresh did: counts of offers, of those that it spoke for, and what it says of what was left out."""

    pointer: Pointer
    version: str
    priced: int
    new: int
    lost: int
    moved: int
    notes: tuple[str, ...]


def refresh(
    feed: Feed,
    request: FeedRequest,
    store: SnapshotStore,
    catalog: Catalog,
    *,
    now: datetime,
    ttl: timedelta,
    accept: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> Published:
    """Publish what ``feed`` answers, with all that it does not speak for as it was.

    Raises ``FeedError`` for an answer that cannot be used, ``Refused`` for one that changes too much unless ``accept``,
    and what the store raises; the prices in force then stay.
    """
    store.pointer()  # a Redis that is not there is said before minutes of fetching
    with span("fetch"):
        fetched = feed.fetch(request)
    answer = answer_of(fetched, catalog, now, ttl)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _publish(answer, store, catalog, accept=accept)
        except Overtaken:
            continue  # another cloud's refresh was quicker: its prices are kept by merging anew
        except RedisUnavailable:
            if attempt == ATTEMPTS:
                raise
            sleep(RETRY_SECONDS)
    raise Refused((f"overtaken by other refreshes {ATTEMPTS} times",))


def newest(store: SnapshotStore, catalog: Catalog) -> tuple[Pointer | None, PriceTable]:
    """The pointer, and the newest snapshot that Redis has whole, over the catalog's own prices."""
    in_force = store.pointer()
    candidates = (*((in_force,) if in_force else ()), *store.history())
    tables = (store.load(digest) for digest in dict.fromkeys(candidate.digest for candidate in candidates))
    base = next((table for table in tables if table is not None), None)
    own = join.table_of(catalog)
    return in_force, own if base is None else merge.renewed(base, own)


def _publish(answer: Answer, store: SnapshotStore, catalog: Catalog, *, accept: bool) -> Published:
    over, base = newest(store, catalog)
    change = merge.difference(base, answer, catalog)
    reasons = guard.objections(base.offers, change)
    if reasons and not accept:
        raise Refused(reasons, answer.notes)
    pointer = store.publish(merge.merged(base, answer, change), over)
    return Published(
        pointer=pointer,
        version=join.version_of(pointer.digest, pointer.as_of, catalog),
        priced=len(answer.offers),
        new=len(answer.offers) - int(change.listed.sum()),
        lost=int(guard.lost(change).sum()),
        moved=int(guard.moved(change).sum()),
        notes=(*answer.notes, *(f"accepted: {reason}" for reason in reasons)),
    )
