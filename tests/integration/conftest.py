"""Prices behind a real Redis, and what the service counts of it."""

from __future__ import annotations

import gc
from functools import partial
from itertools import islice

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.app import configure_logging
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.build import cached_lookups
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cached import CachedLookups
from plimsoll_service.prices.lookups.redis_cache import SOCKET_TIMEOUT_SECONDS, USE, RedisCache
from plimsoll_service.prices.redis_access.redis_link import connect
from plimsoll_service.prices.snapshots.store import prefix
from plimsoll_service.settings import Settings

LOOKUPS = 300


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def audible() -> None:
    """Warnings are logged; structlog's configuration is the process's, and other tests quieten it."""
    configure_logging("info")


@pytest.fixture(autouse=True)
def alone():
    """No watcher of an earlier test is left to log something into this one."""
    gc.collect()


@pytest.fixture(scope="module")
def catalog():
    """The bundled catalog."""
    return load()


@pytest.fixture(scope="module")
def book(catalog):
    """What every answer must equal."""
    return BundledPrices(catalog).current()


@pytest.fixture(scope="module")
def names(catalog):
    """Instance types that have a price."""
    rows = dict.fromkeys(catalog.offers.instance_type.tolist())
    return [catalog.instance_types.name[row] for row in islice(rows, LOOKUPS)]


@pytest.fixture
def clock():
    """The breaker's clock."""
    return Clock()


@pytest.fixture
def look_up(redis_server, book, clock):
    """Lookups in the book, whose circuit breakers run on the test's clock."""
    link = connect(redis_server.url, use=USE, timeout_seconds=SOCKET_TIMEOUT_SECONDS, clock=clock)
    lookups = CachedLookups(RedisCache(link, prefix("plimsoll"), clock=clock))
    return partial(lookups.lookup, book)


@pytest.fixture
def looking_up(catalog, book):
    """Makes lookups in the book through the Redis at a URL, as the service does."""
    return lambda url: partial(cached_lookups(Settings(redis_url=url), catalog).lookup, book)


@pytest.fixture
def errors():
    """Tells how often Redis failed in some way so far."""
    return lambda kind: counted("plimsoll_redis_errors_total", use="prices", kind=kind) or 0.0


@pytest.fixture
def outcomes():
    """Tells how many lookups had some outcome so far."""
    return lambda outcome: counted("plimsoll_price_cache_lookups_total", outcome=outcome) or 0.0


@pytest.fixture
def redis_up():
    """Tells what the gauge shows."""
    return lambda: counted("plimsoll_redis_up", use="prices")


def counted(name, **labels):
    """A metric's value now, None before it was first set."""
    return REGISTRY.get_sample_value(name, labels)
