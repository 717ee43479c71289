"""Prices behind a real Redis, and what the service counts of it."""

from __future__ import annotations

from itertools import islice

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.app import configure_logging
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.cached import CachedPrices
from plimsoll_service.prices.redis_cache import connect

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


@pytest.fixture(scope="module")
def catalog():
    """The bundled catalog."""
    return load()


@pytest.fixture(scope="module")
def snapshot(catalog):
    """What every answer must equal."""
    return BundledPrices(catalog)


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
def prices(redis_server, snapshot, clock):
    """A source whose circuit breaker runs on the test's clock."""
    return CachedPrices(snapshot, connect(redis_server.url, clock=clock))


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
