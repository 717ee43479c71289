"""Lookups through the cache of the process."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.prices.book import CatalogBook
from plimsoll_service.prices.build import cached_lookups
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cache import ProcessCache
from plimsoll_service.prices.lookups.cached import PAGES, CachedLookups
from plimsoll_service.settings import Settings

QUESTIONS = (
    {},
    {"limit": 2},
    {"offset": 2, "limit": 2},
    {"cloud": "aws"},
    {"region": "us-east-1"},
    {"cloud": "aws", "region": "us-east-1"},
    {"instance_type": "p3.2xlarge"},
    {"instance_type": "p3.2xlarge", "purchase": "spot"},
    # Names that a careless key would take for another question.
    {"cloud": "*"},
    {"cloud": "aws/us-east-1"},
    {"cloud": "aws", "region": "us-east-1/p3.2xlarge"},
    {"instance_type": "p3.2xlarge:0+2"},
    {"cloud": ""},
)


class Noting(ProcessCache):
    """A cache of the process that remembers what it was told to keep for how long."""

    def __init__(self):
        super().__init__()
        self.times = {}

    def set(self, key, kept, *, ttl_seconds):
        self.times[key] = ttl_seconds
        super().set(key, kept, ttl_seconds=ttl_seconds)


@pytest.fixture
def book(catalog):
    """The bundled prices."""
    return BundledPrices(catalog).current()


def outcomes():
    """Hits and misses so far."""
    return tuple(
        REGISTRY.get_sample_value("plimsoll_price_cache_lookups_total", {"outcome": outcome}) or 0.0
        for outcome in ("hit", "miss")
    )


def test_by_default_prices_are_cached_in_the_process(catalog, book):
    """Without a Redis the second lookup is a hit, and equal to the first."""
    lookups = cached_lookups(Settings(), catalog)
    hits, misses = outcomes()

    pages = [lookups.lookup(book, instance_type="p3.2xlarge") for _ in range(3)]

    assert [book.lookup(instance_type="p3.2xlarge")] * 3 == pages
    assert (hits + 2, misses + 1) == outcomes()


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_gets_anothers_answer(catalog, book, question):
    """Whatever was asked before, a cached answer is the book's own, also when it is asked again."""
    lookups = cached_lookups(Settings(), catalog)
    for other in QUESTIONS:
        lookups.lookup(book, **other)

    assert book.lookup(**question) == lookups.lookup(book, **question)


def test_no_book_gets_anothers_answer(catalog, book):
    """The key names the version: prices of one snapshot are never taken for those of another."""
    lookups = cached_lookups(Settings(), catalog)
    lookups.lookup(book, cloud="aws")
    offers = replace(book.prices.offers, usd_per_hour=book.prices.offers.usd_per_hour * 2)
    dearer = CatalogBook(catalog, replace(book.prices, version="2026-11-21-beef", offers=offers))

    pages = [lookups.lookup(one, cloud="aws") for one in (book, dearer, book, dearer)]

    assert [book.lookup(cloud="aws"), dearer.lookup(cloud="aws")] * 2 == pages


def test_the_key_names_all_that_changes_the_page(catalog, book):
    """Version, filters and window stand in the key, so that pages of superseded prices just expire."""
    cache = Noting()

    CachedLookups(cache).lookup(book, cloud="aws", limit=5)

    assert {f"page:{catalog.version}:aws/*/*/*:0+5": PAGES.keep} == cache.times


def test_an_empty_page_is_remembered_for_a_short_time(book):
    """A name without a price is looked up once, and made-up ones are soon forgotten."""
    cache = Noting()
    lookups = CachedLookups(cache)
    hits, misses = outcomes()

    totals = [lookups.lookup(book, instance_type="made-up").total for _ in range(3)]

    assert [0, 0, 0] == totals
    assert (hits + 2, misses + 1) == outcomes()
    assert [PAGES.empty] == list(cache.times.values())
    assert PAGES.empty < PAGES.keep
