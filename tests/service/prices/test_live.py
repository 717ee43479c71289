"""The prices in force: their changes, their age, and lookups of earlier ones."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from tests.service.prices.published import snapshot, table

from plimsoll_service.prices.live import LEAD_SECONDS, LivePrices, Replays
from plimsoll_service.prices.redis_link import RedisUnavailable
from plimsoll_service.prices.source import KeptSnapshot, SnapshotUnavailable, UnknownSnapshot

NOON, ONE, TWO = (datetime(2026, 11, 21, hour, tzinfo=UTC).timestamp() for hour in (12, 13, 14))
FRESH_UNTIL = {
    ("aws", "us-east-1", "on_demand"): "2026-11-21T13:00:00Z",
    ("aws", "us-east-1", "spot"): "2026-11-21T14:00:00Z",
    ("alibaba", "us-east-1", "on_demand"): "2026-11-21T14:00:00Z",
}


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


class Away:
    """A store without a Redis."""

    def history(self):
        raise RedisUnavailable("away")


@pytest.fixture
def clock():
    """Clock for staleness."""
    return Clock()


@pytest.fixture
def live(catalog, clock):
    """A source without a snapshot so far."""
    return LivePrices(catalog, Replays(catalog, Away()), clock)


def stale(book):
    """Offers that a book calls stale, by cloud, region and purchase option."""
    return {(record.cloud, record.region, record.purchase) for record in book.lookup().items if record.stale}


def test_before_the_first_snapshot_the_bundled_prices_are_in_force(live, catalog):
    """A new installation answers with the catalog's prices, under its version."""
    assert catalog.version == live.current().prices.version
    assert live.current() is live.at(catalog.version)


def test_an_adopted_snapshot_is_in_force_as_a_whole(live, catalog):
    """All prices are the snapshot's, under its own version, in the same object each time."""
    before = [record.usd_per_hour for record in live.current().lookup().items]

    live.adopt(snapshot(catalog, table(catalog, 2.0)))

    book = live.current()
    assert [2 * usd for usd in before] == [record.usd_per_hour for record in book.lookup().items]
    assert catalog.version != book.prices.version
    assert book is live.current() is live.at(book.prices.version)


def test_subscribers_are_ready_before_the_prices_come_into_force(live, catalog):
    """Values that depend on prices are prepared while the old prices are still in force."""
    seen = []
    live.subscribe(lambda prices: seen.append((prices.version, live.current().prices.version)))

    live.adopt(snapshot(catalog, table(catalog, 2.0)))

    assert [(live.current().prices.version, catalog.version)] == seen


def test_a_subscriber_that_fails_leaves_the_old_prices(live, catalog):
    """Prices with which a subscriber fails do not come into force."""
    live.subscribe(lambda prices: prices.version // 0)

    with pytest.raises(TypeError):
        live.adopt(snapshot(catalog, table(catalog, 2.0)))

    assert catalog.version == live.current().prices.version


def test_prices_go_stale_by_the_clock_alone(live, catalog, clock):
    """At each expiry, the prices of that source are stale under another version; nothing else changes."""
    live.adopt(snapshot(catalog, table(catalog, 2.0, FRESH_UNTIL)))
    fresh = live.current().prices.version

    books = []
    for clock.now in (ONE, ONE + 1, TWO, TWO + 1):
        books.append(live.current())

    assert [fresh, f"{fresh}+stale1", f"{fresh}+stale1", f"{fresh}+stale2"] == [book.prices.version for book in books]
    assert [set(), {("aws", "us-east-1", "on_demand")}] == [stale(book) for book in books[:2]]
    assert set(FRESH_UNTIL) == stale(books[3])
    assert len({id(book.prices.offers) for book in books}) == 1


def test_a_clock_that_was_ahead_and_is_back_clears_what_was_stale(live, catalog, clock):
    """A clock that was three days ahead and is right again makes no price stale."""
    live.adopt(snapshot(catalog, table(catalog, fresh_until=FRESH_UNTIL)))
    clock.now = NOON + 3 * 86400
    ahead = stale(live.current())
    clock.now = NOON

    assert FRESH_UNTIL.keys() == ahead
    assert set() == stale(live.current())


def test_a_snapshot_that_comes_late_is_stale_at_once(live, catalog, clock):
    """A worker that adopts old prices shows them as stale from its first answer."""
    clock.now = TWO + 1

    live.adopt(snapshot(catalog, table(catalog, 1.0, FRESH_UNTIL)))

    assert live.current().prices.version.endswith("+stale2")


def test_what_is_about_to_go_stale_is_prepared(live, catalog, clock):
    """Subscribers get the next state of prices shortly before an expiry, and not earlier."""
    live.adopt(snapshot(catalog, table(catalog, 1.0, FRESH_UNTIL)))
    fresh, seen = live.current().prices.version, []
    live.subscribe(lambda prices: seen.append(prices.version))

    live.prepare_next()
    early = list(seen)
    clock.now = ONE - LEAD_SECONDS / 2
    live.prepare_next()

    assert [] == early
    assert [f"{fresh}+stale1"] == seen
    assert fresh == live.current().prices.version


def test_every_state_of_a_snapshot_can_be_asked_for(live, catalog, clock):
    """A version names the staleness of its answers, at any later time."""
    live.adopt(snapshot(catalog, table(catalog, 2.0, FRESH_UNTIL)))
    fresh = live.current().prices.version
    clock.now = TWO + 1

    found = [live.at(version) for version in (fresh, f"{fresh}+stale1", f"{fresh}+stale2")]

    assert [fresh, f"{fresh}+stale1", f"{fresh}+stale2"] == [book.prices.version for book in found]
    assert [0, 1, 3] == [len(stale(book)) for book in found]


@pytest.mark.parametrize("suffix", ["+stale3", "+stale0", "+stale", "+stale01", "+stale1+stale1", "+stale٢", "+old"])
def test_a_state_that_never_was_is_unknown(live, catalog, suffix):
    """A version that no answer can have named is refused."""
    live.adopt(snapshot(catalog, table(catalog, 2.0, FRESH_UNTIL)))

    with pytest.raises((UnknownSnapshot, SnapshotUnavailable)):
        live.at(live.current().prices.version + suffix)


def test_a_snapshot_that_was_in_force_before_is_still_at_hand(live, catalog):
    """Replaying the previous snapshot needs no Redis."""
    live.adopt(snapshot(catalog, table(catalog, 2.0)))
    before = live.current()
    live.adopt(snapshot(catalog, table(catalog, 3.0), sequence=2))

    assert before.lookup() == live.at(before.prices.version).lookup()


def test_while_redis_is_away_nobody_can_tell_whether_a_version_is_kept(live):
    """An unknown state of the store is another error than a missing version."""
    with pytest.raises(SnapshotUnavailable):
        live.at("2026-11-21-deadbeef")


def test_the_list_of_snapshots_needs_no_redis(live, catalog):
    """The snapshot in force and the bundled prices are always listed, the newest first."""
    held = snapshot(catalog, table(catalog, 2.0))
    live.adopt(held)
    version = live.current().prices.version

    expected = (
        KeptSnapshot(version, "2026-10-01", held.pointer.published_at, 6),
        KeptSnapshot(catalog.version, "2026-10-01", None, 6),
    )
    assert expected == live.kept()
    live.note((held.pointer,))
    assert expected == live.kept()


def test_no_reader_ever_sees_a_mixture(live, catalog):
    """While snapshots replace each other, every page belongs to exactly one of them."""
    snapshots = [snapshot(catalog, table(catalog, float(factor)), factor) for factor in range(1, 6)]
    expected = {one.books.book(0).prices.version: one.books.book(0).lookup() for one in snapshots}
    live.adopt(snapshots[0])
    stop = threading.Event()

    def read():
        wrong = 0
        while not stop.is_set():
            book = live.current()
            wrong += expected[book.prices.version] != book.lookup()
        return wrong

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(4)]
        for one in snapshots * 20:
            live.adopt(one)
        stop.set()

    assert [0] * 4 == [reader.result() for reader in readers]
