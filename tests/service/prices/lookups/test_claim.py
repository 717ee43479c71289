"""Claims to make a page."""

from __future__ import annotations

import threading

from plimsoll_service.prices.lookups.cache import Kept, ProcessCache
from plimsoll_service.prices.lookups.claim import Claim
from plimsoll_service.prices.lookups.read_through import NOTHING


def claim(cache, wait=60.0):
    """A claim to the page under test."""
    return Claim(cache, "key", wait=wait, making=60, renewing=60)


def test_the_first_gets_it():
    """Who finds nobody at work holds the claim, and the next one does after its release."""
    cache = ProcessCache()
    first, second = claim(cache), claim(cache)

    assert first.acquire()
    assert first.held
    assert not second.acquire(wait=False)
    first.release()
    assert second.acquire(wait=False)


def test_a_waiting_caller_goes_on_when_the_page_is_there():
    """A page that another one made ends the wait, without the claim."""
    cache = ProcessCache()
    claim(cache).acquire()
    waiting = claim(cache)
    threading.Timer(0.05, lambda: cache.set("key", Kept(NOTHING, 1.0), ttl_seconds=60)).start()

    waiting.acquire()

    assert not waiting.held
    assert cache.get("key") is not None


def test_a_waiting_caller_takes_over_what_was_given_up():
    """A claim that its holder gave up without a page goes to one that waits."""
    cache = ProcessCache()
    first, waiting = claim(cache), claim(cache)
    first.acquire()
    threading.Timer(0.05, first.release).start()

    waiting.acquire()

    assert waiting.held


def test_the_wait_ends():
    """Where neither page nor claim comes, the caller goes on by itself, and gives up nothing that is not its own."""
    cache = ProcessCache()
    claim(cache).acquire()
    waiting = claim(cache, wait=0.05)

    waiting.acquire()
    waiting.release()

    assert not waiting.held
    assert not cache.claim("key", ttl_seconds=60)
