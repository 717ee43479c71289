"""Price snapshots from a real Redis into the workers, and back if Redis lost them."""

from __future__ import annotations

import time

import pytest
from structlog.testing import capture_logs
from tests.integration.conftest import NAMESPACE
from tests.service.prices.published import table

from plimsoll_service.prices.build import price_source
from plimsoll_service.prices.redis_link import RETRY_SECONDS, connect
from plimsoll_service.prices.snapshots.store import SnapshotStore, prefix
from plimsoll_service.prices.source import PriceFilter, SnapshotUnavailable, UnknownSnapshot
from plimsoll_service.settings import Settings

# A watcher looks about once a second, and leaves a Redis that failed alone for a while.
SOON = 5.0
AFTER_A_REST = SOON + 2 * RETRY_SECONDS


@pytest.fixture
def settings(redis_server, tmp_path):
    """An installation's settings."""
    return Settings(redis_url=redis_server.url, last_prices_directory=tmp_path)


def publish(store, catalog, factor):
    """Publish the catalog's prices times a factor."""
    return store.publish(table(catalog, factor), store.pointer())


def until(condition, seconds=SOON):
    """Wait for an action of a watcher."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def prices_of(book, *filters):
    """Some prices of a book."""
    return [record.usd_per_hour for record in book.lookup(PriceFilter(*filters), limit=50).items]


def times(prices, factor):
    """Prices times a factor."""
    return [usd * factor for usd in prices]


def test_a_start_takes_the_newest_snapshot(store, settings, catalog, book):
    """A new process answers first from the newest snapshot, without a watcher."""
    publish(store, catalog, 2.0)

    current = price_source(settings, catalog).current()

    assert times(prices_of(book), 2.0) == prices_of(current)
    assert catalog.version != current.prices.version


def test_without_a_snapshot_the_bundled_prices_are_answered(settings, catalog, book):
    """An empty Redis is no error."""
    assert prices_of(book) == prices_of(price_source(settings, catalog).current())


def test_a_running_process_learns_of_a_new_snapshot(store, settings, catalog, book):
    """A snapshot is in force within seconds of its publication, and subscribers had it before."""
    source, prepared = price_source(settings, catalog), []
    source.subscribe(lambda prices: prepared.append(prices.version))
    source.watch()

    for factor in (2.0, 3.0):
        publish(store, catalog, factor)
        until(lambda factor=factor: prices_of(source.current()) == times(prices_of(book), factor))

    assert source.current().prices.version == prepared[-1]
    assert 2 == len(prepared)


def test_the_list_of_what_is_kept_grows_with_each_snapshot(store, settings, catalog):
    """Soon after a snapshot comes into force, every process lists it above the one before."""
    source = price_source(settings, catalog)
    source.watch()

    for number, factor in enumerate((2.0, 3.0), start=1):
        publish(store, catalog, factor)
        until(lambda number=number: number + 1 == len(source.kept()))

    assert source.current().prices.version == source.kept()[0].version


def test_what_a_flush_took_is_put_back(redis_server, store, settings, catalog):
    """A worker restores its snapshot after a flush, and continues to answer from it."""
    pointer = publish(store, catalog, 2.0)
    source = price_source(settings, catalog)
    version = source.current().prices.version
    source.watch()

    redis_server.client.flushall()

    until(lambda: store.pointer() == pointer)
    assert store.load(pointer.digest) is not None
    assert version == source.current().prices.version


def test_what_an_eviction_took_is_put_back(redis_server, store, settings, catalog):
    """A snapshot that is gone although its pointer remains is restored too."""
    pointer = publish(store, catalog, 2.0)
    redis_server.client.delete(f"{prefix(NAMESPACE)}snapshot:{pointer.digest}")
    store.publish(table(catalog, 2.0), pointer)
    source = price_source(settings, catalog)

    redis_server.client.delete(f"{prefix(NAMESPACE)}snapshot:{pointer.digest}")
    source.watch()

    until(lambda: store.has(pointer.digest))


def test_a_redis_that_comes_back_empty_is_given_the_snapshot_again(redis_server, store, settings, catalog):
    """After a crash without persistence, the workers' snapshot is in force again, with one warning and one notice."""
    pointer = publish(store, catalog, 2.0)
    with capture_logs() as logs:
        source = price_source(settings, catalog)
        version = source.current().prices.version
        source.watch()

        redis_server.kill()
        until(lambda: any(entry["event"] == "redis_unavailable" for entry in logs))
        during = source.current().prices.version
        redis_server.start()
        until(lambda: any(entry["event"] == "price_snapshot_restored" for entry in logs), AFTER_A_REST)

    assert version == during == source.current().prices.version
    assert pointer == SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=1.0), NAMESPACE, 5).pointer()
    assert 1 == sum(entry["event"] == "redis_unavailable" for entry in logs)


def test_what_a_refresh_after_a_flush_left_out_is_published_again(redis_server, store, settings, catalog, book):
    """After a flush, a refresh of one cloud does not remove the fetched prices of other clouds."""
    both = {("aws", "us-east-1", "on_demand"): "2030-01-01T00:00:00Z"}
    one = {("alibaba", "us-east-1", "on_demand"): "2030-01-02T00:00:00Z"}
    store.publish(table(catalog, 2.0, both), None)
    source = price_source(settings, catalog)
    redis_server.client.flushall()
    store.publish(table(catalog, 3.0, one), None)

    source.watch()

    until(lambda: len(store.load(store.pointer().digest).coverage) == len(both | one))
    for place, factor in ((*both, 2.0), (*one, 3.0)):
        cloud, region, purchase = place
        until(
            lambda cloud=cloud, region=region, purchase=purchase, factor=factor: (
                prices_of(source.current(), cloud, region, None, purchase)
                == times(prices_of(book, cloud, region, None, purchase), factor)
            )
        )


def test_something_newer_is_never_put_back_over(redis_server, store, settings, catalog, book):
    """A refresh after a flush takes precedence over the snapshot that a worker still holds."""
    publish(store, catalog, 2.0)
    source = price_source(settings, catalog)
    redis_server.client.flushall()
    publish(store, catalog, 3.0)

    source.watch()

    until(lambda: prices_of(source.current()) == times(prices_of(book), 3.0))


@pytest.mark.parametrize("key", ["pointer", "snapshot:{digest}"])
@pytest.mark.parametrize("garbage", [b"", b"garbage", b'{"sequence": 1}'])
def test_garbage_in_redis_does_not_reach_answers(redis_server, store, settings, catalog, key, garbage):
    """A worker keeps its prices, and a new one starts from the last good prices of the others."""
    publish(store, catalog, 2.0)
    source = price_source(settings, catalog)
    version = source.current().prices.version
    pointer = publish(store, catalog, 3.0)
    redis_server.client.set(prefix(NAMESPACE) + key.format(digest=pointer.digest), garbage)

    with capture_logs() as logs:
        source.watch()
        until(lambda: logs)
        started = price_source(settings, catalog)

    assert version == source.current().prices.version == started.current().prices.version
    assert {"price_snapshot_unreadable", "price_snapshot_restored"} >= {entry["event"] for entry in logs}


def test_a_worker_that_starts_while_redis_is_away_takes_the_last_good_prices(redis_server, store, settings, catalog):
    """Restarting a worker during an outage loses nothing."""
    publish(store, catalog, 2.0)
    version = price_source(settings, catalog).current().prices.version
    redis_server.kill()

    assert version == price_source(settings, catalog).current().prices.version


def test_a_frozen_redis_delays_a_start_by_little(redis_server, store, settings, catalog, book):
    """A start waits only briefly for a frozen Redis; meanwhile the bundled prices answer."""
    publish(store, catalog, 2.0)
    redis_server.freeze()
    began = time.monotonic()

    source = price_source(settings, catalog)
    taken = time.monotonic() - began
    redis_server.thaw()

    assert prices_of(book) == prices_of(source.current())
    assert taken < 1.5


def test_an_earlier_snapshot_is_loaded_for_a_replay(store, settings, catalog):
    """Each published and kept version can be replayed; trimmed and invented ones are unknown."""
    sources = []
    for factor in range(2, 9):
        publish(store, catalog, float(factor))
        sources.append(price_source(Settings(redis_url=settings.redis_url), catalog).current())
    latest = price_source(settings, catalog)

    versions = [book.prices.version for book in sources]
    assert [prices_of(book) for book in sources[2:]] == [prices_of(latest.at(version)) for version in versions[2:]]
    assert versions[2:] == [latest.at(version).prices.version for version in versions[2:]]
    for unknown in (*versions[:2], "2026-11-21-deadbeef", f"{versions[3]}+stale1"):
        with pytest.raises(UnknownSnapshot):
            latest.at(unknown)


def test_a_replay_during_an_outage_says_so(redis_server, store, settings, catalog):
    """During an outage, a loaded snapshot can be replayed; for any other, the answer says that it is unavailable."""
    publish(store, catalog, 2.0)
    first = price_source(Settings(redis_url=settings.redis_url), catalog).current().prices.version
    publish(store, catalog, 3.0)
    source = price_source(settings, catalog)
    redis_server.kill()

    assert source.current() is source.at(source.current().prices.version)
    with pytest.raises(SnapshotUnavailable):
        source.at(first)


def test_the_snapshots_that_are_kept_are_listed(store, settings, catalog):
    """The watcher's last look lists the snapshots that can be replayed, newest first, the bundled one last."""
    for factor in (2.0, 3.0):
        publish(store, catalog, factor)
    source = price_source(settings, catalog)
    source.watch()

    until(lambda: len(source.kept()) == 3)

    kept = source.kept()
    assert [source.current().prices.version, catalog.version] == [kept[0].version, kept[-1].version]
    assert [True, True, False] == [one.published_at is not None for one in kept]
