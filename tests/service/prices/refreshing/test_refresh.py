"""Refreshes with a real Redis: published answers, refused answers, and ends in the middle."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.connection import wait

import pytest
from tests.service.prices.redis_ways import front
from tests.service.prices.refreshing import refresher
from tests.service.prices.tables import CATALOG, NOW, Quoting, current_of, fetched, offers_in, request

from plimsoll_service.prices.feeds.feed import FeedError
from plimsoll_service.prices.redis_link import RETRY_SECONDS, RedisUnavailable, connect
from plimsoll_service.prices.refreshing.refresh import ATTEMPTS, Refused, newest, refresh
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.store import SnapshotStore

DAY = timedelta(hours=24)
OWN = join.table_of(CATALOG)
AWS = current_of("aws", "us-east-1", "on_demand", OWN)
AZURE = current_of("azure", "eastus", "on_demand", OWN)


@pytest.fixture
def store(redis_server):
    """A store that keeps three snapshots."""
    return SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "ns", 3)


def at(prices, factor):
    """All prices times a factor."""
    return {key: round(price * factor, 9) for key, price in prices.items()}


def refreshed(store, answer, *, accept=False, before=lambda: None, sleep=lambda _: None):
    """One refresh with that answer."""
    feed = Quoting(answer, before)
    return refresh(feed, request(), store, CATALOG, now=NOW, ttl=DAY, accept=accept, sleep=sleep)


def in_force(store):
    """The prices of the snapshot in force."""
    pointer = store.pointer()
    return offers_in(store.load(pointer.digest))


def test_the_first_refresh_rests_on_the_catalogs_own_prices(store):
    """The feed's prices replace the catalog's; all prices are one snapshot, named by its version."""
    done = refreshed(store, fetched(at(AWS, 1.1)))

    assert store.pointer() == done.pointer
    assert {**offers_in(OWN), **at(AWS, 1.1)} == in_force(store)
    assert done.version == join.prices_of(store.load(done.pointer.digest), done.pointer.digest, CATALOG).version
    assert done.version.startswith("2026-11-21-")
    assert (len(AWS), 0, 0, 0) == (done.priced, done.new, done.lost, done.moved)


def test_one_clouds_refresh_keeps_the_others_prices(store):
    """Refreshes of two clouds are both in force."""
    refreshed(store, fetched(at(AWS, 1.1)))
    refreshed(store, fetched(at(AZURE, 1.2)))

    assert {**offers_in(OWN), **at(AWS, 1.1), **at(AZURE, 1.2)} == in_force(store)


def test_a_refused_answer_leaves_what_was_there(store):
    """Both reasons are given with figures and names; with ``accept``, the answer is published with the same notes."""
    before = refreshed(store, fetched(AWS)).pointer
    half = {key: AWS[key] * 1.7 for key in sorted(AWS)[: len(AWS) // 2]}

    with pytest.raises(Refused) as raised:
        refreshed(store, fetched(half, notes=("no spot without credentials",)))

    assert 2 == len(raised.value.reasons)
    assert ("no spot without credentials",) == raised.value.notes
    assert before == store.pointer()
    done = refreshed(store, fetched(half), accept=True)
    assert tuple(f"accepted: {reason}" for reason in raised.value.reasons) == done.notes
    assert (len(AWS) - len(half), len(half)) == (done.lost, done.moved)
    assert done.pointer == store.pointer()


def test_an_unusable_answer_is_refused_even_when_accepted(store):
    """An answer without any usable price never replaces anything."""
    before = refreshed(store, fetched(AWS)).pointer

    with pytest.raises(FeedError):
        refreshed(store, fetched({}, covered=fetched(AWS).covered), accept=True)

    assert before == store.pointer()


def test_a_redis_that_is_not_there_is_said_before_anything_is_fetched(store, redis_server):
    """Without Redis, the refresh ends before anything is fetched."""
    redis_server.kill()
    asked = []

    with pytest.raises(RedisUnavailable):
        refreshed(store, fetched(AWS), before=lambda: asked.append(True))

    assert [] == asked


def test_a_redis_that_goes_away_meanwhile_is_waited_for(store, redis_server):
    """Fetched prices are published as soon as Redis is back."""
    waits = []

    def wait(seconds):
        waits.append(seconds)
        store._link._turned(None)  # the time that would have passed
        if len(waits) == 3:
            redis_server.start()

    done = refreshed(store, fetched(at(AWS, 1.1)), before=redis_server.kill, sleep=wait)

    assert [RETRY_SECONDS] * 3 == waits
    assert done.pointer == store.pointer()


def test_a_redis_that_stays_away_is_said(store, redis_server):
    """After some waiting, the refresh gives up with the reason."""
    waits = []

    with pytest.raises(RedisUnavailable):
        refreshed(store, fetched(AWS), before=redis_server.kill, sleep=waits.append)

    assert ATTEMPTS - 1 == len(waits)


def test_two_refreshes_at_once_are_both_in_force(store, redis_server):
    """The second of two refreshes merges again onto the prices that the first published."""
    other = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "ns", 3)
    publish, overtaken = store.publish, []

    def late(table, over):
        if not overtaken:
            overtaken.append(refreshed(other, fetched(at(AZURE, 1.2))))
        return publish(table, over)

    store.publish = late
    done = refreshed(store, fetched(at(AWS, 1.1)))

    assert done.pointer == store.pointer()
    assert {**offers_in(OWN), **at(AWS, 1.1), **at(AZURE, 1.2)} == in_force(store)


def test_refreshers_of_many_processes_add_up(store, redis_server):
    """Four processes refresh four regions at the same time, and all four are in force."""
    regions = ("us-east-1", "us-west-2", "eu-west-1", "eu-central-1")
    running = [started(redis_server.url, "aws", region, 1.25) for region in regions]
    for process in running:
        process.join(120)

    assert [0] * 4 == [process.exitcode for process in running]
    expected = offers_in(OWN)
    for region in regions:
        expected |= {key: price * 1.25 for key, price in current_of("aws", region, "on_demand", OWN).items()}
    assert expected == in_force(store)


def test_a_lost_or_damaged_snapshot_is_mended_from_the_one_before(store, redis_server):
    """A refresh continues from the newest complete snapshot if the bytes in force are lost."""
    refreshed(store, fetched(at(AWS, 1.1)))
    lost = refreshed(store, fetched(at(AZURE, 1.2))).pointer
    redis_server.client.delete(f"{{ns:prices}}:snapshot:{lost.digest}")

    pointer, base = newest(store, CATALOG)
    assert lost == pointer
    assert {**offers_in(OWN), **at(AWS, 1.1)} == offers_in(base)
    refreshed(store, fetched(at(AZURE, 1.3)))
    assert {**offers_in(OWN), **at(AWS, 1.1), **at(AZURE, 1.3)} == in_force(store)


def started(url, *arguments):
    """A forked refresher, which saves a start of Python."""
    apart = get_context("forkserver")
    apart.set_forkserver_preload([refresher.__name__])
    process = apart.Process(target=refresher.main, args=(url, *arguments))
    process.start()
    return process


def test_a_refresher_killed_at_any_step_leaves_one_whole_snapshot(store, redis_server):
    """A refresher that is killed before or within any command to Redis changes nothing.

    The last time nobody kills it, and it is done.
    """
    before = refreshed(store, fetched(AWS)).pointer
    address = redis_server.url.rsplit("/", 1)[0]
    said = kills = 0
    while True:
        kills += 1
        status, heard = killed_at(address, step=(kills + 1) // 2, half=kills % 2 == 0)
        after = store.pointer()
        assert store.load(after.digest) is not None
        assert all(store.has(entry.digest) for entry in store.history())
        if status == 0:
            break
        assert -signal.SIGKILL == status
        assert before == after
        assert 3 == redis_server.client.dbsize()
        said = max(said, heard)

    assert before != after
    # Looking, reading what is in force, and the transaction; how many pieces these arrive in is the network's choice.
    assert said >= 5


def killed_at(address, *, step, half):
    """Exit of a refresher that is killed at a given command to Redis, of which half arrives or nothing."""
    heard, running = [], []

    def seen(chunk):
        heard.append(chunk)
        if len(heard) < step or not running:
            return chunk
        os.kill(running[0].pid, signal.SIGKILL)
        wait([running[0].sentinel])
        return chunk[: len(chunk) // 2] if half else None

    with front(int(address.rsplit(":", 1)[1]), seen=seen) as port:
        process = started(f"redis://127.0.0.1:{port}/0", "aws", "us-east-1", 1.25)
        running.append(process)
        process.join(120)
    return process.exitcode, len(heard)


@pytest.mark.parametrize(("days", "where"), [(365, "ahead of"), (-3, "behind")])
def test_a_refresher_with_a_wrong_clock_is_refused(redis_server, days, where):
    """A refresher with a clock a year ahead is refused, because its prices would stay fresh for a year."""
    link = connect(redis_server.url, use="test", timeout_seconds=5.0)
    store = SnapshotStore(link, "ns", 3, clock=lambda: time.time() + days * 86400)
    asked = []

    with pytest.raises(Refused, match=f"clock is {abs(days)} days, 0:00:00 {where} that of Redis"):
        refreshed(store, fetched(AWS), before=lambda: asked.append(True), accept=True)

    assert [] == asked
    assert store.pointer() is None
