"""The cache of one process."""

from __future__ import annotations

import inspect

import pytest

from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.cache import ProcessCache
from plimsoll_service.prices.redis_cache import RedisCache


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def page(catalog):
    """A page of three records."""
    return BundledPrices(catalog).current().lookup(limit=3)


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
    larger = type(page)(page.items * 2, 6)
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


@pytest.mark.parametrize("cache", [ProcessCache, RedisCache])
def test_a_write_without_time_to_live_is_impossible(cache):
    """No cache can be asked to keep something for ever."""
    parameter = inspect.signature(cache.set).parameters["ttl_seconds"]

    assert inspect.Parameter.empty is parameter.default
    assert inspect.Parameter.KEYWORD_ONLY is parameter.kind
