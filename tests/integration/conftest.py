"""Prices behind a real Redis, and the service's metrics about it."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from itertools import islice
from zlib import crc32

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.app import configure_logging
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.build import QUOTE_USE, live_quotes
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quote_cache import quote_region
from plimsoll_service.prices.quotes import Lookups, Quotes
from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.snapshots.store import SnapshotStore, prefix
from plimsoll_service.prices.source import PriceFilter
from plimsoll_service.settings import Settings

NAMESPACE = "plimsoll"
LOOKUPS = 300
TIMEOUT_SECONDS = 0.1
REGION = "us-east-1"


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class InstantFeed:
    """A provider that answers at once, with a price for each instance type; it quotes only spot prices."""

    name: str = "instant"
    quotes: frozenset[str] = frozenset((SPOT,))
    asked: list[str] = field(default_factory=list)

    def fetch(self, request: FeedRequest) -> Fetched:
        """It is asked for single offers."""
        raise FeedError("is asked for single offers")

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote:
        """The price of that type."""
        self.asked.append(instance_type)
        return OfferQuote("aws", instance_type, region, purchase, price_of(instance_type))


def price_of(instance_type: str) -> float:
    """A price that no other instance type has."""
    return 1.0 + crc32(instance_type.encode()) / 2**32


def looking(lookups, book):
    """Look up the spot prices of instance types, one at a time."""

    def look_up(*names):
        found = [lookups.lookup(book, PriceFilter("aws", REGION, name, SPOT)).items for name in names]
        return [record.usd_per_hour for (record,) in found]

    return look_up


@pytest.fixture(autouse=True)
def audible() -> None:
    """Log warnings, although structlog's configuration is shared and other tests silence it."""
    configure_logging("info")


@pytest.fixture(scope="module", autouse=True)
def looked_through() -> None:
    """Freeze the objects that earlier modules left, which last as long as the process; ``alone`` need not walk them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def alone(looked_through) -> None:
    """Let no watcher of an earlier test log during this one."""
    gc.collect()


@pytest.fixture(scope="module")
def catalog():
    """The bundled catalog."""
    return load()


@pytest.fixture(scope="module")
def book(catalog):
    """The snapshot that answers if no provider does."""
    return LivePrices(catalog).current()


@pytest.fixture(scope="module")
def names(catalog):
    """Instance types with a price."""
    rows = dict.fromkeys(catalog.offers.instance_type.tolist())
    return [catalog.instance_types.name[row] for row in islice(rows, LOOKUPS)]


@pytest.fixture
def clock():
    """The breaker's clock."""
    return Clock()


@pytest.fixture
def feed():
    """The provider."""
    return InstantFeed()


@pytest.fixture
def processes(redis_server, book, clock, feed):
    """Make the lookups of one process after another, whose circuit breakers run on the test's clock."""

    def process():
        link = connect(redis_server.url, use=QUOTE_USE, timeout_seconds=TIMEOUT_SECONDS, clock=clock)
        region = quote_region(link, prefix("plimsoll"))
        request = FeedRequest("aws")
        return looking(Lookups(Quotes({"aws": feed}, lambda *_: request, region)), book)

    return process


@pytest.fixture
def look_up(processes):
    """The lookups of one process."""
    return processes()


@pytest.fixture
def looking_up(catalog, book, feed):
    """Make lookups through the Redis at a URL, as the service does."""
    live = ("aws",)
    return lambda url: looking(
        Lookups(live_quotes(Settings(redis_url=url, live_prices=live), catalog, {"aws": feed})), book
    )


@pytest.fixture
def errors():
    """Return the number of failures of Redis of some kind so far."""
    return lambda kind: counted("plimsoll_redis_errors_total", use=QUOTE_USE, kind=kind) or 0.0


@pytest.fixture
def redis_up():
    """Return the value of the gauge."""
    return lambda: counted("plimsoll_redis_up", use=QUOTE_USE)


def counted(name, **labels):
    """Current value of a metric; None before it was first set."""
    return REGISTRY.get_sample_value(name, labels)


@pytest.fixture
def store(redis_server):
    """Store that a refresh writes to."""
    return SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=1.0), NAMESPACE, keep=5)
