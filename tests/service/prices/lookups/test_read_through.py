"""Read-through lookups in one process; tests/integration has those of many."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cache import Kept, ProcessCache
from plimsoll_service.prices.lookups.read_through import NOTHING, Policy, ReadThrough

POLICY = Policy(fresh=300.0, keep=3600, empty=60, wait=10.0, claim=60, pause=60)
LONG = 5.0


@pytest.fixture
def page(catalog):
    """A page."""
    return BundledPrices(catalog).current().lookup(limit=2)


@pytest.fixture
def newer(catalog):
    """Another page."""
    return BundledPrices(catalog).current().lookup(offset=2, limit=2)


@pytest.fixture
def cache():
    """The cache of the process."""
    return ProcessCache()


def old(page):
    """The page as it was made an hour ago."""
    return Kept(page, time.time() - 3600)


def stale_lookups():
    """How many lookups were answered with an old page so far."""
    return REGISTRY.get_sample_value("plimsoll_price_cache_lookups_total", {"outcome": "stale"}) or 0.0


def until(condition):
    """Wait for something that another thread does."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_page_is_made_once_and_kept(cache, page):
    """The second lookup makes nothing."""
    made = []
    through = ReadThrough(cache, POLICY)

    pages = [through.get("key", lambda _: made.append(1) or page).page for _ in range(3)]

    assert [page] * 3 == pages
    assert [1] == made


def test_threads_that_miss_at_once_make_it_once(cache, page):
    """Sixteen threads, through two lookups that share a cache, cause one page to be made."""
    made, begin = [], threading.Barrier(16)
    throughs = [ReadThrough(cache, POLICY), ReadThrough(cache, POLICY)]

    def make(_):
        made.append(1)
        time.sleep(0.1)
        return page

    def ask(number):
        begin.wait(LONG)
        return throughs[number % 2].get("key", make).page

    with ThreadPoolExecutor(16) as threads:
        pages = list(threads.map(ask, range(16)))

    assert [page] * 16 == pages
    assert [1] == made


def test_an_old_page_is_shown_while_it_is_renewed(cache, page, newer):
    """Nobody waits for a renewal, only one is under way, and its page is shown afterwards."""
    cache.set("key", old(page), ttl_seconds=3600)
    go_on, made, before = threading.Event(), [], stale_lookups()
    through = ReadThrough(cache, POLICY)

    def make(_):
        made.append(1)
        go_on.wait(LONG)
        return newer

    shown = [through.get("key", make).page for _ in range(5)]
    go_on.set()
    until(lambda: through.get("key", make).page == newer)

    assert [page] * 5 == shown
    assert [1] == made
    assert stale_lookups() > before


def test_a_renewal_that_fails_leaves_the_old_page_and_rests(cache, page):
    """The old page stays, with its date, and the next lookups do not try again at once."""
    kept = old(page)
    cache.set("key", kept, ttl_seconds=3600)
    tried = []
    through = ReadThrough(cache, POLICY)

    through.get("key", lambda _: tried.append(1))
    until(lambda: tried)
    shown = [through.get("key", lambda _: tried.append(1)) for _ in range(5)]

    assert [kept] * 5 == shown
    assert [1] == tried


def test_a_failure_is_remembered_as_an_empty_page(cache):
    """While it is, those that come next do not fail one after the other."""
    tried = []
    through = ReadThrough(cache, POLICY)

    pages = [through.get("key", lambda _: tried.append(1)).page for _ in range(3)]

    assert [NOTHING] * 3 == pages
    assert [1] == tried


def test_who_waited_in_vain_is_told_so(cache, page):
    """After the wait a caller goes on by itself, knows it, and its failure is not kept for others."""
    cache.claim("key", ttl_seconds=60)
    told = []
    through = ReadThrough(cache, Policy(fresh=None, keep=60, empty=60, wait=0.02, claim=60, pause=60))

    failed = through.get("key", lambda held: told.append(held)).page
    after_failure = cache.get("key")
    made = through.get("key", lambda held: told.append(held) or page).page

    assert [False, False] == told
    assert NOTHING == failed
    assert after_failure is None
    assert page == made == cache.get("key").page


def test_pages_that_never_age_are_never_renewed(cache, page):
    """Without an age limit whatever is kept is shown."""
    cache.set("key", Kept(page, 1.0), ttl_seconds=3600)

    kept = ReadThrough(cache, Policy(fresh=None, keep=60, empty=60, wait=1, claim=1, pause=1)).get("key", pytest.fail)

    assert Kept(page, 1.0) == kept
