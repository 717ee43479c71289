"""Lookups of prices: the provider's current price of a single offer if it answers soon, else the snapshot's."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextvars import copy_context
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from math import isfinite
from threading import BoundedSemaphore, Thread
from typing import NamedTuple
from urllib.parse import quote

import structlog
from dogpile.cache import CacheRegion

from ..engine.hardware import CONFIDENCES
from ..metrics import PRICE_CACHE_LOOKUPS, PRICE_QUOTES
from ..tracing import span
from .feeds.feed import ON_DEMAND, SPOT, FeedError, FeedRequest, OfferQuote, QuotingFeed
from .quote_cache import KEEP_SECONDS, RETRY_SECONDS, LastQuote, StillAsking
from .source import ALL, DEFAULT_LIMIT, PriceBook, PriceFilter, PricePage, PriceRecord

ANSWER_SECONDS = 3.0  # the longest that a request waits for a provider; a later answer serves the next one
MOST_ASKED_AT_ONCE = 8  # calls to providers of one process
# List prices change a few times a year; providers smooth spot prices over hours.
FRESH_SECONDS = {ON_DEMAND: 3600.0, SPOT: 300.0}

_HIT, _MISS, _STALE = (PRICE_CACHE_LOOKUPS.labels(outcome) for outcome in ("hit", "miss", "stale"))


class Offer(NamedTuple):
    """The one offer that a lookup asks for."""

    cloud: str
    region: str
    instance_type: str
    purchase: str

    @property
    def key(self) -> str:
        """The key that its quote is kept under."""
        return "quote:" + "/".join(quote(name, safe="") for name in self)


class Quotes:
    """Quotes of feeds, by cloud; ``request_of`` makes the request for a cloud and a region."""

    def __init__(
        self,
        feeds: Mapping[str, QuotingFeed],
        request_of: Callable[[str, str], FeedRequest],
        region: CacheRegion,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._feeds = feeds
        self._request_of = request_of
        self._region = region
        self._answer_seconds = answer_seconds
        self._places = BoundedSemaphore(MOST_ASKED_AT_ONCE)

    def instead_of(self, page: PricePage, wanted: PriceFilter) -> PricePage:
        """Return the quote of the one offer that the filters name, else the snapshot's ``page``."""
        if None in wanted:
            return page
        offer = Offer(*map(str, wanted))
        feed = self._feeds.get(offer.cloud)
        if feed is None or offer.purchase not in feed.quotes & FRESH_SECONDS.keys():
            return page
        try:
            return _newer(self._kept(offer), FRESH_SECONDS[offer.purchase], page)
        except StillAsking:
            return page

    def _kept(self, offer: Offer) -> LastQuote:
        """The quote from the cache; the provider is asked for a missing one, and in the background for an old one."""
        found = self._region.get_value_metadata(offer.key, ignore_expiration=True)
        held: LastQuote | None = None if found is None else found.payload
        seconds = FRESH_SECONDS[offer.purchase] if held and held.quote and not held.failed else RETRY_SECONDS
        if held is not None and found is not None and found.age <= seconds:
            _HIT.inc()
            return held
        (_MISS if held is None else _STALE).inc()
        if held is not None and held.quote is None:
            self._region.delete(offer.key)  # there is nothing to show meanwhile: wait for the provider
        made: LastQuote = self._region.get_or_create(
            offer.key, partial(self._ask, offer, held), expiration_time=seconds
        )
        return made

    def _ask(self, offer: Offer, held: LastQuote | None) -> LastQuote:
        """The provider's answer, else the quote that was held; an answer that comes too late is kept for later."""
        failed = _failed(held)
        if not self._places.acquire(blocking=False):
            _count(offer, "crowded")
            return failed
        answer: Future[LastQuote | None] = Future()
        # The call belongs to the trace and the log of the request.
        call = copy_context().run
        Thread(target=call, args=(self._call, offer, answer), daemon=True, name="price-quote").start()
        try:
            return answer.result(self._answer_seconds) or failed
        except NotYet:
            _count(offer, "late")
            answer.add_done_callback(lambda late: self._keep_late(offer, late.result()))
            return failed

    def _keep_late(self, offer: Offer, kept: LastQuote | None) -> None:
        if kept is not None:
            self._region.set(offer.key, kept)

    def _call(self, offer: Offer, answer: Future[LastQuote | None]) -> None:
        try:
            answer.set_result(self._quoted(offer))
        finally:
            self._places.release()

    def _quoted(self, offer: Offer) -> LastQuote | None:
        feed = self._feeds[offer.cloud]
        try:
            request = self._request_of(offer.cloud, offer.region)
            with span(f"quote {offer.cloud}", attributes={"cloud.provider": offer.cloud, "cloud.region": offer.region}):
                found = feed.quote(request, offer.instance_type, offer.region, offer.purchase)
            kept = LastQuote(found and _checked(found, feed.name), time.time())
        except Exception as error:  # lookups go on, whatever a provider or its library raises
            text = str(error) if isinstance(error, FeedError) else type(error).__name__
            structlog.get_logger(__name__).warning("price_quote_failed", cloud=offer.cloud, error=text)
            _count(offer, "failed")
            return None
        _count(offer, "none" if found is None else "quoted")
        return kept


class Lookups:
    """Lookups in books of prices; ``quotes`` have current prices."""

    def __init__(self, quotes: Quotes | None = None) -> None:
        self._quotes = quotes

    def lookup(
        self, book: PriceBook, wanted: PriceFilter = ALL, *, offset: int = 0, limit: int = DEFAULT_LIMIT
    ) -> PricePage:
        """Return the book's prices, or the current price of a single offer."""
        with span("price lookup", attributes={"plimsoll.prices.version": book.prices.version}):
            page = book.lookup(wanted, offset=offset, limit=limit)
            return page if self._quotes is None or offset > 0 else self._quotes.instead_of(page, wanted)


def _failed(held: LastQuote | None) -> LastQuote:
    """The quote that was held, unless it is too old to be kept."""
    if held is None or time.time() - held.quoted_at > KEEP_SECONDS:
        return LastQuote(None, time.time(), failed=True)
    return replace(held, failed=True)


def _checked(found: OfferQuote, source: str) -> OfferQuote:
    """The quote with source and date; raises ``FeedError`` for an invalid price."""
    if not (isfinite(found.usd_per_hour) and found.usd_per_hour > 0 and found.confidence in CONFIDENCES):
        raise FeedError(f"{found.instance_type} in {found.region}: {found.usd_per_hour} is no price")
    rate = found.interruptions_per_hour
    return replace(
        found,
        usd_per_hour=float(found.usd_per_hour),
        source=found.source or source,
        as_of=found.as_of or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        interruptions_per_hour=None if rate is None else float(rate),
    )


def _newer(kept: LastQuote, fresh_seconds: float, page: PricePage) -> PricePage:
    """The quote while it is fresh; an old one, marked as stale, only if the snapshot's price is even older."""
    found = kept.quote
    if found is None:
        return page
    stale = time.time() - kept.quoted_at > fresh_seconds
    if stale and page.items and (page.items[0].as_of or "") > (found.as_of or ""):
        return page
    record = PriceRecord(**asdict(found), stale=stale, current=True)
    return PricePage((record,), 1)


def _count(offer: Offer, outcome: str) -> None:
    PRICE_QUOTES.labels(offer.cloud, outcome).inc()
