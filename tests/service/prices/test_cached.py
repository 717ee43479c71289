"""A source behind the cache of the process."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.prices.build import price_source
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.cached import CachedPrices

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


class Memory:
    """A cache that keeps everything and remembers under which keys."""

    def __init__(self):
        self.pages = {}

    def get(self, key):
        return self.pages.get(key)

    def set(self, key, page, *, ttl_seconds):
        self.pages[key] = page


def outcomes():
    """Hits and misses so far."""
    return tuple(
        REGISTRY.get_sample_value("plimsoll_price_cache_lookups_total", {"outcome": outcome}) or 0.0
        for outcome in ("hit", "miss")
    )


def test_by_default_prices_are_cached_in_the_process(catalog):
    """Without a Redis the second lookup is a hit, and equal to the first."""
    prices = price_source(None, catalog)
    hits, misses = outcomes()

    pages = [prices.lookup(instance_type="p3.2xlarge") for _ in range(3)]

    assert [BundledPrices(catalog).current().lookup(instance_type="p3.2xlarge")] * 3 == pages
    assert (hits + 2, misses + 1) == outcomes()


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_gets_anothers_answer(catalog, question):
    """Whatever was asked before, a cached answer is the source's own, also when it is asked again."""
    prices = price_source(None, catalog)
    for other in QUESTIONS:
        prices.lookup(**other)

    assert BundledPrices(catalog).current().lookup(**question) == prices.lookup(**question)


def test_the_key_names_the_version_of_the_prices(catalog):
    """Prices of another version are never taken for these."""
    memory = Memory()

    CachedPrices(BundledPrices(catalog), memory).lookup(cloud="aws", limit=5)

    assert [f"plimsoll:prices:{catalog.version}:aws/*/*/*:0+5"] == list(memory.pages)


def test_an_empty_page_is_not_kept(catalog):
    """Made-up names cannot push real prices out of the cache."""
    memory = Memory()

    CachedPrices(BundledPrices(catalog), memory).lookup(instance_type="made-up")

    assert {} == memory.pages


def test_the_snapshot_passes_through(catalog):
    """The hot path's arrays are the source's own."""
    assert catalog.offers is price_source(None, catalog).snapshot().offers
