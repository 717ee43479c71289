"""The cache of one process."""

from __future__ import annotations

import inspect

import pytest

from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cache import Kept, ProcessCache
from plimsoll_service.prices.lookups.redis_cache import RedisCache
from plimsoll_service.prices.lookups.tiered_cache import TieredCache
from plimsoll_service.prices.source import PricePage

MADE_AT = 1_795_000_000.0


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def page(catalog):
    """A page of three records, as kept."""
    return Kept(BundledPrices(catalog).current().lookup(limit=3), MADE_AT)


def test_a_page_lives_until_its_time_is_over(page):
    """A page is there until its time to live has passed, and gone at that moment."""
    clock = Clock()
    cache = ProcessCache(clock=clock)
    cache.set("a", page, ttl_seconds=60)

    clock.now = 59.9
    before = cache.get("a")
    clock.now = 60.0

    assert page == before
    assert cache.get("a") is None


def test_the_least_recently_used_page_goes_first(page):
    """Beyond its number of records the cache forgets what was used longest ago."""
    cache = ProcessCache(max_records=9)
    for key in "abc":
        cache.set(key, page, ttl_seconds=60)
    cache.get("a")

    cache.set("d", page, ttl_seconds=60)

    assert ["a", "c", "d"] == [key for key in "abcd" if cache.get(key) is not None]


def test_a_page_larger_than_the_cache_is_not_kept(page):
    """What does not fit leaves the cache empty and working."""
    cache = ProcessCache(max_records=3)
    larger = Kept(PricePage(page.page.items * 2, 6), MADE_AT)
    cache.set("a", larger, ttl_seconds=60)

    cache.set("b", page, ttl_seconds=60)

    assert cache.get("a") is None
    assert page == cache.get("b")


def test_rewriting_a_key_does_not_fill_the_cache(page):
    """A key that is written again counts once."""
    cache = ProcessCache(max_records=6)
    cache.set("other", page, ttl_seconds=60)

    for _ in range(100):
        cache.set("a", page, ttl_seconds=60)

    assert page == cache.get("other")


def test_empty_pages_take_places_too():
    """Made-up names cannot fill the cache without bound."""
    cache = ProcessCache(max_records=3)

    for number in range(10):
        cache.set(str(number), Kept(PricePage((), 0), MADE_AT), ttl_seconds=60)

    assert ["7", "8", "9"] == [str(number) for number in range(10) if cache.get(str(number)) is not None]


def test_one_claim_to_a_page_stands_at_a_time():
    """A claim is given once, and again after it was given up or its time is over."""
    clock = Clock()
    cache = ProcessCache(clock=clock)

    claims = [cache.claim("a", ttl_seconds=5), cache.claim("a", ttl_seconds=5), cache.claim("b", ttl_seconds=5)]
    cache.release("a")
    released = cache.claim("a", ttl_seconds=5)
    clock.now = 5.0
    expired = cache.claim("a", ttl_seconds=5)

    assert [True, False, True] == claims
    assert released
    assert expired


def test_what_the_shared_cache_forgot_the_process_still_knows(page):
    """A page that was kept in both is found while either has it."""
    shared, own = ProcessCache(), ProcessCache(max_records=3)
    cache = TieredCache(shared, own)
    cache.set("a", page, ttl_seconds=60)
    cache.set("b", page, ttl_seconds=60)
    forgetful = TieredCache(ProcessCache(), own)

    assert [page, page] == [cache.get("a"), cache.get("b")]
    assert [None, page] == [forgetful.get("a"), forgetful.get("b")]


def test_a_claim_that_another_process_holds_is_nobodys_here():
    """Where the shared cache says no, the next try after its release succeeds."""
    shared = ProcessCache()
    ours, theirs = TieredCache(shared, ProcessCache()), TieredCache(shared, ProcessCache())

    first, second = theirs.claim("a", ttl_seconds=60), ours.claim("a", ttl_seconds=60)
    theirs.release("a")

    assert (True, False) == (first, second)
    assert ours.claim("a", ttl_seconds=60)


@pytest.mark.parametrize("cache", [ProcessCache, RedisCache, TieredCache])
def test_a_write_without_time_to_live_is_impossible(cache):
    """No cache can be asked to keep something for ever."""
    parameter = inspect.signature(cache.set).parameters["ttl_seconds"]

    assert inspect.Parameter.empty is parameter.default
    assert inspect.Parameter.KEYWORD_ONLY is parameter.kind
