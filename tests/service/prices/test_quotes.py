"""Lookups in the snapshot, and of single offers at the current price, with good, failing and slow providers."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from tests.service.prices.tables import CATALOG

from plimsoll_service.prices.build import live_quotes
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quote_cache import KEEP_SECONDS, RETRY_SECONDS, LastQuote, StillAsking, quote_region
from plimsoll_service.prices.quotes import FRESH_SECONDS, Lookups, Quotes
from plimsoll_service.prices.source import ALL, PriceFilter
from plimsoll_service.settings import Settings

OFFER = PriceFilter("aws", "us-east-1", "p3.2xlarge", "spot")
KEY = "quote:aws/us-east-1/p3.2xlarge/spot"
QUOTE = OfferQuote("aws", "p3.2xlarge", "us-east-1", "spot", 0.5, interruptions_per_hour=0.01)
FETCHED_AT = "2026-11-20T00:00:00Z"
OLD_QUOTE = replace(QUOTE, usd_per_hour=0.25, source="the provider", as_of=FETCHED_AT)
LONG = 5.0


@dataclass
class SpotFeed:
    """A provider with given answers, for spot prices only."""

    name: str = "the provider"
    quotes: frozenset[str] = frozenset((SPOT,))
    answers: list[object] = field(default_factory=lambda: [QUOTE])
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    hold: threading.Event | None = None

    def fetch(self, request: FeedRequest) -> Fetched:
        raise FeedError("is asked for single offers")

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        self.asked.append((instance_type, region, purchase))
        if self.hold is not None:
            self.hold.wait(LONG)
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def feed():
    """The provider."""
    return SpotFeed()


@pytest.fixture
def region():
    """Cache of quotes."""
    return quote_region()


@pytest.fixture
def book(catalog):
    """The snapshot."""
    return LivePrices(catalog).current()


def request_of(cloud, region):
    """A request whose content a stand-in ignores."""
    return FeedRequest(cloud, (region,))


@pytest.fixture
def look_up(feed, region, book):
    """Look the offer up, with the given differences."""
    lookups = Lookups(Quotes({"aws": feed}, request_of, region))
    return lambda offset=0, **other: lookups.lookup(book, OFFER._replace(**other), offset=offset)


@pytest.fixture
def keep(region):
    """Keep a quote of that age, with the time of the last request to the provider."""

    def keep(seconds, quote=OLD_QUOTE):
        made_at = time.time() - seconds
        region.set(KEY, LastQuote(quote, made_at))
        region.backend.set(KEY, region.get_value_metadata(KEY)._replace(metadata={"ct": made_at, "v": 2}))

    return keep


def until(condition):
    """Wait for an action of another thread."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def counted(outcome):
    """Number of requests to the provider with that outcome so far."""
    labels = {"cloud": "aws", "outcome": outcome}
    return REGISTRY.get_sample_value("plimsoll_price_quotes_total", labels) or 0.0


def looked_up(outcome):
    """Number of lookups with an outcome so far."""
    return REGISTRY.get_sample_value("plimsoll_price_cache_lookups_total", {"outcome": outcome}) or 0.0


def test_a_single_offer_is_answered_at_the_price_of_now(look_up, feed):
    """The provider's price replaces the snapshot's, with its source and date, after one request."""
    before, quoted = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), counted("quoted")
    hits, misses = looked_up("hit"), looked_up("miss")

    first, second = look_up(), look_up()

    (record,) = first.items
    assert first == second
    assert (0.5, "the provider", "list", False, 0.01) == (
        record.usd_per_hour, record.source, record.confidence, record.stale, record.interruptions_per_hour
    )  # fmt: skip
    assert before <= record.as_of
    assert [("p3.2xlarge", "us-east-1", "spot")] == feed.asked
    assert quoted + 1 == counted("quoted")
    assert (hits + 1, misses + 1) == (looked_up("hit"), looked_up("miss"))


@pytest.mark.parametrize(
    ("other", "offset"),
    [({"purchase": None}, 0), ({"region": None}, 0), ({"instance_type": None}, 0), ({"cloud": None}, 0),
     ({"purchase": "on_demand"}, 0), ({"cloud": "alibaba", "instance_type": "ecs.gn6v"}, 0), ({}, 1)],
)  # fmt: skip
def test_other_lookups_are_answered_from_the_snapshot(look_up, book, feed, other, offset):
    """The provider is asked only for lookups that name one offer that it can quote."""
    assert book.lookup(OFFER._replace(**other), offset=offset) == look_up(offset, **other)
    assert [] == feed.asked


@pytest.mark.parametrize(
    "failure", [FeedError("down"), RuntimeError("a library's own"), replace(QUOTE, usd_per_hour=0.0)]
)
def test_a_provider_that_fails_leaves_the_snapshots_price(look_up, book, feed, failure):
    """After an error or a price of 0, the snapshot's price counts, and the provider is not asked for a while."""
    feed.answers = [failure]
    failed = counted("failed")

    pages = [look_up() for _ in range(3)]

    assert [book.lookup(OFFER)] * 3 == pages
    assert 1 == len(feed.asked)
    assert failed + 1 == counted("failed")


def test_what_the_provider_does_not_sell_is_remembered(look_up, book, feed):
    """The snapshot's price is shown with its date, and the provider is not asked for each lookup."""
    feed.answers = [None]

    pages = [look_up() for _ in range(3)]

    assert [book.lookup(OFFER)] * 3 == pages
    assert 1 == len(feed.asked)


def test_a_failure_is_soon_forgotten(look_up, keep, feed):
    """Soon after a failure, a lookup waits for the provider again."""
    keep(RETRY_SECONDS + 1, quote=None)

    (shown,) = look_up().items

    assert 0.5 == shown.usd_per_hour
    assert 1 == len(feed.asked)


def test_an_old_quote_is_shown_as_stale_while_it_is_renewed(look_up, keep, feed):
    """Nobody waits for a renewal, only one is in progress, and the new price is shown afterwards."""
    keep(FRESH_SECONDS[SPOT] + 60)
    feed.hold, before = threading.Event(), looked_up("stale")

    shown = [look_up().items[0] for _ in range(5)]
    feed.hold.set()
    until(lambda: look_up().items[0].usd_per_hour == 0.5)

    assert [(0.25, True)] * 5 == [(record.usd_per_hour, record.stale) for record in shown]
    assert not look_up().items[0].stale
    assert 1 == len(feed.asked)
    assert looked_up("stale") > before


def test_a_provider_that_went_down_leaves_the_quote_that_is_kept(look_up, keep, feed):
    """The last quote of a provider that goes down is shown as stale, and it is not asked for a while."""
    keep(3600)
    feed.answers = [FeedError("down")]

    until(lambda: look_up() and feed.asked)
    time.sleep(0.05)
    shown = [look_up().items[0] for _ in range(5)]

    assert [(0.25, True, FETCHED_AT)] * 5 == [(one.usd_per_hour, one.stale, one.as_of) for one in shown]
    assert 1 == len(feed.asked)


def test_a_quote_of_days_ago_is_given_up(look_up, keep, book, feed):
    """The snapshot's price is shown in the end if the provider stays down."""
    keep(KEEP_SECONDS + 1)
    feed.answers = [FeedError("down")]

    until(lambda: look_up() == book.lookup(OFFER))

    assert 1 == len(feed.asked)


def test_a_snapshot_that_is_newer_than_an_old_quote_is_shown(look_up, keep, book, feed):
    """The newer of two old prices counts."""
    keep(3600, replace(QUOTE, as_of="2026-09-30T00:00:00Z"))
    feed.answers = [FeedError("down")]

    assert book.lookup(OFFER) == look_up()


def test_threads_that_miss_at_once_ask_the_provider_once(look_up, feed):
    """Sixteen concurrent lookups make one request, and all show its price."""
    begin = threading.Barrier(16)
    feed.hold = threading.Event()
    threading.Timer(0.1, feed.hold.set).start()

    def ask(_):
        begin.wait(LONG)
        return look_up().items[0].usd_per_hour

    with ThreadPoolExecutor(16) as threads:
        prices = list(threads.map(ask, range(16)))

    assert [0.5] * 16 == prices
    assert 1 == len(feed.asked)


def test_a_slow_provider_is_not_waited_for(feed, region, book):
    """The snapshot answers meanwhile, and the late price is there for the next lookup."""
    feed.hold = threading.Event()
    lookups = Lookups(Quotes({"aws": feed}, request_of, region, answer_seconds=0.01))
    late = counted("late")

    during = lookups.lookup(book, OFFER)
    feed.hold.set()
    until(lambda: lookups.lookup(book, OFFER).items[0].usd_per_hour == 0.5)

    assert book.lookup(OFFER) == during
    assert late + 1 == counted("late")
    assert 1 == len(feed.asked)


def test_what_another_asks_for_too_long_is_answered_from_the_snapshot(look_up, book, feed, region, monkeypatch):
    """A caller that waited in vain for another caller's quote does not ask the provider as well."""

    def in_vain(*_, **__):
        raise StillAsking

    monkeypatch.setattr(region, "get_or_create", in_vain)

    assert book.lookup(OFFER) == look_up()
    assert [] == feed.asked


@pytest.mark.parametrize("settings", [Settings(), Settings(live_prices=("aws",))], ids=["snapshot", "live"])
@pytest.mark.parametrize("wanted", [ALL, PriceFilter("aws"), PriceFilter("*"), PriceFilter(region="")])
@pytest.mark.parametrize("window", [{}, {"offset": 2, "limit": 2}])
def test_lookups_of_the_service_are_the_books_own(settings, wanted, window):
    """A lookup that names no single offer is answered from the snapshot, whatever the settings."""
    book = LivePrices(CATALOG).current()

    page = Lookups(live_quotes(settings, CATALOG, {"aws": SpotFeed()})).lookup(book, wanted, **window)

    assert book.lookup(wanted, **window) == page


def test_a_cloud_without_live_prices_is_told():
    """A cloud whose feed quotes no single offers is named in the log."""
    with capture_logs() as logs:
        live_quotes(Settings(live_prices=("aws", "gcp")), CATALOG, {"aws": SpotFeed()})

    assert [("no_live_prices", ["gcp"])] == [(entry["event"], entry["clouds"]) for entry in logs]
