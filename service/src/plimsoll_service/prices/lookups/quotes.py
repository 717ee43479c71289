"""Single offers at the price that their provider asks now; a provider that does not answer is never waited for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import isfinite
from threading import BoundedSemaphore, Thread
from urllib.parse import quote

import structlog

from plimsoll_service.engine.hardware import CONFIDENCES
from plimsoll_service.metrics import PRICE_QUOTES
from plimsoll_service.prices.feeds.feed import ON_DEMAND, SPOT, FeedError, FeedRequest, OfferQuote, QuotingFeed
from plimsoll_service.prices.lookups.cache import Cache, Kept
from plimsoll_service.prices.lookups.read_through import NOTHING, Policy, ReadThrough
from plimsoll_service.prices.source import PricePage, PriceRecord
from plimsoll_service.tracing import span

ANSWER_SECONDS = 3.0  # a request waits so long for a provider at most; what comes later serves the next one
KEEP_SECONDS = 24 * 3600
MOST_ASKED_AT_ONCE = 8  # calls to providers of one process
# A call that takes longer than `claim` is lost; one of those that wait makes it then, the others wait no longer.
_QUOTES = Policy(fresh=None, keep=KEEP_SECONDS, empty=60, wait=5.0, claim=4, pause=30)
POLICIES = {
    ON_DEMAND: replace(_QUOTES, fresh=3600.0),  # list prices change some times a year
    SPOT: replace(_QUOTES, fresh=300.0),  # providers smooth spot prices over hours
}


@dataclass(frozen=True)
class Quoted:
    """The one offer that a lookup asks for."""

    cloud: str
    region: str
    instance_type: str
    purchase: str

    @property
    def key(self) -> str:
        """The key that its quote is kept under."""
        names = (self.cloud, self.region, self.instance_type, self.purchase)
        return "quote:" + "/".join(quote(name, safe="") for name in names)


class LiveQuotes:
    """Quotes of some feeds, by cloud; ``request_of`` makes the request for a cloud and a region."""

    def __init__(
        self,
        feeds: Mapping[str, QuotingFeed],
        request_of: Callable[[str, str], FeedRequest],
        cache: Cache,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._feeds = feeds
        self._request_of = request_of
        self._answer_seconds = answer_seconds
        self._through = {purchase: ReadThrough(cache, policy) for purchase, policy in POLICIES.items()}
        self._places = BoundedSemaphore(MOST_ASKED_AT_ONCE)

    def instead_of(self, page: PricePage, filters: tuple[str | None, ...], offset: int) -> PricePage:
        """The quote of the one offer that the filters name; ``page``, the snapshot's, where there is none newer."""
        offer = self._offer(filters)
        if offer is None or offset > 0:
            return page
        through = self._through[offer.purchase]
        kept = through.get(offer.key, lambda held: self._ask(offer, through) if held else None)
        return _newer(kept, through.policy.fresh, page)

    def _offer(self, filters: tuple[str | None, ...]) -> Quoted | None:
        cloud, region, instance_type, purchase = filters
        if cloud is None or region is None or instance_type is None or purchase is None or cloud not in self._feeds:
            return None
        can = purchase in self._through and purchase in self._feeds[cloud].quotes
        return Quoted(cloud, region, instance_type, purchase) if can else None

    def _ask(self, offer: Quoted, through: ReadThrough) -> PricePage | None:
        """The provider's answer as a page; ``None`` where it fails, or takes too long and is kept when it comes."""
        if not self._places.acquire(blocking=False):
            _count(offer, "crowded")
            return None
        answer: Future[PricePage | None] = Future()
        # The provider's call is part of the request that asked, in its trace and in its log.
        call = copy_context().run
        Thread(target=call, args=(self._call, offer, answer), daemon=True, name="price-quote").start()
        try:
            return answer.result(self._answer_seconds)
        except NotYet:
            _count(offer, "late")
            answer.add_done_callback(lambda late: _keep_late(through, offer, late.result()))
            return None

    def _call(self, offer: Quoted, answer: Future[PricePage | None]) -> None:
        try:
            answer.set_result(self._quote(offer))
        finally:
            self._places.release()

    def _quote(self, offer: Quoted) -> PricePage | None:
        feed = self._feeds[offer.cloud]
        try:
            request = self._request_of(offer.cloud, offer.region)
            with span(f"quote {offer.cloud}", attributes={"cloud.provider": offer.cloud, "cloud.region": offer.region}):
                found = feed.quote(request, offer.instance_type, offer.region, offer.purchase)
            page = NOTHING if found is None else PricePage((_record(offer, found, feed.name),), 1)
        except Exception as error:  # whatever a provider or its library comes up with, lookups go on
            text = str(error) if isinstance(error, FeedError) else type(error).__name__
            structlog.get_logger(__name__).warning("price_quote_failed", cloud=offer.cloud, error=text)
            _count(offer, "failed")
            return None
        _count(offer, "none" if found is None else "quoted")
        return page


def _keep_late(through: ReadThrough, offer: Quoted, page: PricePage | None) -> None:
    if page is not None:
        through.keep(offer.key, page)


def _record(offer: Quoted, found: OfferQuote, source: str) -> PriceRecord:
    if not (isfinite(found.usd_per_hour) and found.usd_per_hour > 0 and found.confidence in CONFIDENCES):
        raise FeedError(f"{offer.instance_type} in {offer.region}: {found.usd_per_hour} is no price")
    return PriceRecord(
        cloud=offer.cloud,
        region=offer.region,
        instance_type=offer.instance_type,
        purchase=offer.purchase,
        usd_per_hour=float(found.usd_per_hour),
        as_of=found.as_of or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        source=found.source or source,
        stale=False,
        confidence=found.confidence,
        current=True,
        interruptions_per_hour=None if found.interruptions_per_hour is None else float(found.interruptions_per_hour),
    )


def _newer(kept: Kept, fresh_seconds: float | None, page: PricePage) -> PricePage:
    """The quote while it is fresh; an old one only where the snapshot's price is older still, and marked as stale."""
    if not kept.page.items:
        return page
    (record,) = kept.page.items
    if fresh_seconds is None or time.time() - kept.made_at <= fresh_seconds:
        return kept.page
    if page.items and (page.items[0].as_of or "") > (record.as_of or ""):
        return page
    return PricePage((replace(record, stale=True),), 1)


def _count(offer: Quoted, outcome: str) -> None:
    PRICE_QUOTES.labels(offer.cloud, outcome).inc()
