"""Prices of now: when a provider is asked, and what is shown when it does not answer."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace

import pytest
from prometheus_client import REGISTRY

from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.lookups.cache import Kept, ProcessCache
from plimsoll_service.prices.lookups.cached import CachedLookups
from plimsoll_service.prices.lookups.quotes import KEEP_SECONDS, POLICIES, LiveQuotes
from plimsoll_service.prices.source import PricePage

OFFER = {"cloud": "aws", "region": "us-east-1", "instance_type": "p3.2xlarge", "purchase": "spot"}
KEY = "quote:aws/us-east-1/p3.2xlarge/spot"
QUOTE = OfferQuote("aws", "p3.2xlarge", "us-east-1", "spot", 0.5, interruptions_per_hour=0.01)
LONG = 5.0


@dataclass
class SpotFeed:
    """A provider that says what a test wants; asked for spot prices alone."""

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
def cache():
    """Where quotes are kept."""
    return ProcessCache()


@pytest.fixture
def book(catalog):
    """The snapshot."""
    return BundledPrices(catalog).current()


def request_of(cloud, region):
    """A request that a stand-in does not read."""
    return FeedRequest(cloud, (region,), frozenset((region,)), {}, frozenset(), {})


@pytest.fixture
def look_up(feed, cache, book):
    """Looks the offer up, or what differs from it."""
    lookups = CachedLookups(ProcessCache(), LiveQuotes({"aws": feed}, request_of, cache))
    return lambda **other: lookups.lookup(book, **{**OFFER, **other})


@pytest.fixture
def keep(cache, look_up):
    """Keeps a quote as it was made so many seconds ago."""

    def keep(seconds, **changes):
        (record,) = look_up().items
        page = PricePage((replace(record, usd_per_hour=0.25, **changes),), 1)
        cache.set(KEY, Kept(page, time.time() - seconds), ttl_seconds=KEEP_SECONDS)

    return keep


def until(condition):
    """Wait for something that another thread does."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def counted(outcome):
    """How often the provider was asked to that effect so far."""
    labels = {"cloud": "aws", "outcome": outcome}
    return REGISTRY.get_sample_value("plimsoll_price_quotes_total", labels) or 0.0


def test_a_single_offer_is_answered_at_the_price_of_now(look_up, feed):
    """The provider's price replaces the snapshot's, under its name and date; it is asked once."""
    before, quoted = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), counted("quoted")

    first, second = look_up(), look_up()

    (record,) = first.items
    assert first == second
    assert (0.5, "the provider", "list", False, 0.01) == (
        record.usd_per_hour, record.source, record.confidence, record.stale, record.interruptions_per_hour
    )  # fmt: skip
    assert before <= record.as_of
    assert [("p3.2xlarge", "us-east-1", "spot")] == feed.asked
    assert quoted + 1 == counted("quoted")


@pytest.mark.parametrize(
    "other",
    [{"purchase": None}, {"region": None}, {"instance_type": None}, {"cloud": None}, {"purchase": "on_demand"},
     {"cloud": "alibaba", "instance_type": "ecs.gn6v"}, {"offset": 1}],
)  # fmt: skip
def test_other_lookups_are_answered_from_the_snapshot(look_up, book, feed, other):
    """Only what names one offer, which the provider can be asked for, is asked of it."""
    assert book.lookup(**{**OFFER, **other}) == look_up(**other)
    assert [] == feed.asked


@pytest.mark.parametrize(
    "failure", [FeedError("down"), RuntimeError("a library's own"), replace(QUOTE, usd_per_hour=0.0)]
)
def test_a_provider_that_fails_leaves_the_snapshots_price(look_up, book, feed, failure):
    """No price, an error of any kind or a price of 0 is no answer; the provider is left alone for a while."""
    feed.answers = [failure]
    failed = counted("failed")

    pages = [look_up() for _ in range(3)]

    assert [book.lookup(**OFFER)] * 3 == pages
    assert 1 == len(feed.asked)
    assert failed + 1 == counted("failed")


def test_what_the_provider_does_not_sell_is_remembered(look_up, book, feed):
    """The snapshot's price is shown with its date, and the provider is not asked again for each lookup."""
    feed.answers = [None]

    pages = [look_up() for _ in range(3)]

    assert [book.lookup(**OFFER)] * 3 == pages
    assert 1 == len(feed.asked)


def test_an_old_quote_is_shown_as_stale_while_it_is_renewed(look_up, keep, feed):
    """Nobody waits for a renewal; afterwards the new price is shown."""
    keep(POLICIES[SPOT].fresh + 60)

    (shown,) = look_up().items
    until(lambda: look_up().items[0].usd_per_hour == 0.5)

    assert (0.25, True) == (shown.usd_per_hour, shown.stale)
    assert not look_up().items[0].stale


def test_a_provider_that_went_down_leaves_the_quote_that_is_kept(look_up, keep, feed):
    """The last quote goes on, marked as stale, at its date."""
    keep(3600, as_of="2026-11-20T00:00:00Z")
    feed.answers = [FeedError("down")]

    until(lambda: look_up() and len(feed.asked) == 2)

    (record,) = look_up().items
    assert (0.25, True, "2026-11-20T00:00:00Z") == (record.usd_per_hour, record.stale, record.as_of)


def test_a_snapshot_that_is_newer_than_an_old_quote_is_shown(look_up, keep, book, feed):
    """Of two prices that are not of now the newer one counts."""
    keep(3600, as_of="2026-09-30T00:00:00Z")
    feed.answers = [FeedError("down")]

    assert book.lookup(**OFFER) == look_up()


def test_a_slow_provider_is_not_waited_for(feed, cache, book):
    """The snapshot answers meanwhile; what the provider says later is there for the next lookup."""
    feed.hold = threading.Event()
    quotes = LiveQuotes({"aws": feed}, request_of, cache, answer_seconds=0.01)
    lookups = CachedLookups(ProcessCache(), quotes)
    late = counted("late")

    during = lookups.lookup(book, **OFFER)
    feed.hold.set()
    until(lambda: lookups.lookup(book, **OFFER).items[0].usd_per_hour == 0.5)

    assert book.lookup(**OFFER) == during
    assert late + 1 == counted("late")
    assert 1 == len(feed.asked)
