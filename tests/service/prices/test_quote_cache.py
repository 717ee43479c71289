"""The cache of quotes: claims, the process's memory, and Redis; tests/integration has its failures."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from plimsoll_service.prices import quote_cache
from plimsoll_service.prices.feeds.feed import OfferQuote
from plimsoll_service.prices.quote_cache import KEEP_SECONDS, RETRY_SECONDS, LastQuote, StillAsking, quote_region
from plimsoll_service.prices.redis_link import connect

PREFIX = "{plimsoll:prices}:"
MADE_AT = 1_795_000_000.0
QUOTE = OfferQuote("aws", "p3.2xlarge", "us-east-1", "spot", 0.5, "list", "aws list", "2026-11-21T07:30:00Z", 0.01)
KEPT = LastQuote(QUOTE, MADE_AT)


@pytest.fixture
def make(redis_server) -> Callable[[], object]:
    """Make the cache of one process."""
    return lambda: quote_region(connect(redis_server.url, use="quotes", timeout_seconds=1.0), PREFIX)


@pytest.fixture
def hurried(monkeypatch) -> None:
    """Shorten all waits."""
    monkeypatch.setattr(quote_cache, "WAIT_SECONDS", 0.3)


def claim(region):
    """A process's claim to the quote under test."""
    return region.backend.get_mutex("key")


@pytest.mark.parametrize("kept", [KEPT, LastQuote(QUOTE, MADE_AT, failed=True), LastQuote(None, MADE_AT)])
def test_what_one_process_keeps_another_finds(make, kept):
    """A quote is read back as it was written."""
    make().set("key", kept)

    assert kept == make().get("key")


def test_every_key_has_a_namespace_and_a_time_to_live(redis_server, make):
    """Nothing stays in Redis for ever, and failures stay only for a short time."""
    region = make()
    region.set("a", KEPT)
    region.set("b", LastQuote(None, MADE_AT, failed=True))
    claim(region).acquire()

    times = {key.decode(): redis_server.client.ttl(key) for key in redis_server.client.keys("*")}

    assert {f"{PREFIX}a", f"{PREFIX}b", f"{PREFIX}key:claimed"} == set(times)
    assert RETRY_SECONDS < times[f"{PREFIX}a"] <= KEEP_SECONDS
    assert 0 < times[f"{PREFIX}b"] <= RETRY_SECONDS
    assert 0 < times[f"{PREFIX}key:claimed"] <= quote_cache.CLAIM_SECONDS


def test_what_redis_forgot_the_process_still_knows(redis_server, make):
    """After a flush, the process still has its quotes."""
    region = make()
    region.set("key", KEPT)

    redis_server.client.flushall()

    assert KEPT == region.get("key")


@pytest.mark.parametrize("redis", [False, True])
def test_the_memory_of_the_process_is_bounded(make, redis, monkeypatch):
    """Many names cannot fill the memory: the least recently used quotes are dropped."""
    monkeypatch.setattr(quote_cache, "MOST_QUOTES", 3)
    region = make() if redis else quote_region()
    memory = region.backend.proxied if redis else region.backend

    for number in range(10):
        region.set(str(number), KEPT)

    assert ["7", "8", "9"] == [str(number) for number in range(10) if memory.get(str(number))]


def test_one_process_has_the_claim_at_a_time(make):
    """Only one process has the claim; another gets it after its release."""
    first, second = claim(make()), claim(make())

    assert first.acquire()
    assert not second.acquire(wait=False)
    first.release()
    assert second.acquire(wait=False)


@pytest.mark.parametrize("same_process", [False, True])
def test_a_waiting_caller_takes_over_what_was_given_up(make, same_process):
    """A released claim goes to a waiting caller, in this process or another."""
    first = claim(make())
    waiting = first if same_process else claim(make())
    first.acquire()
    threading.Timer(0.05, first.release).start()

    assert waiting.acquire()


@pytest.mark.parametrize("same_process", [False, True])
def test_the_wait_ends(make, hurried, same_process):
    """A caller that waited in vain is told so, and does not take the claim."""
    first = claim(make())
    waiting = first if same_process else claim(make())
    first.acquire()

    with pytest.raises(StillAsking):
        waiting.acquire()
    assert not claim(make()).acquire(wait=False)


def test_without_redis_the_claim_is_the_processs_own(redis_server, make):
    """Each process has a claim of its own while Redis does not answer."""
    first, second = claim(make()), claim(make())
    redis_server.kill()

    assert first.acquire()
    assert second.acquire()
    assert not first.acquire(wait=False)


def test_who_waits_when_redis_dies_does_not_ask_as_well(redis_server, make):
    """A waiting process does not ask when Redis dies, because the one with the claim is still at work."""
    first, waiting = claim(make()), claim(make())
    first.acquire()
    threading.Timer(0.05, redis_server.kill).start()

    with pytest.raises(StillAsking):
        waiting.acquire()
