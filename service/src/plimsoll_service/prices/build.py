"""Puts the prices together from what the installation has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import structlog

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.feeds.feed import Feed, QuotingFeed
from plimsoll_service.prices.feeds.registry import feeds_by_name
from plimsoll_service.prices.live.follow import Follower
from plimsoll_service.prices.live.last_prices import LastPrices
from plimsoll_service.prices.live.live import LivePrices
from plimsoll_service.prices.live.replays import Replays
from plimsoll_service.prices.live.watch import Watcher
from plimsoll_service.prices.lookups.cache import Cache, ProcessCache
from plimsoll_service.prices.lookups.cached import CachedLookups
from plimsoll_service.prices.lookups.quotes import LiveQuotes
from plimsoll_service.prices.lookups.redis_cache import SOCKET_TIMEOUT_SECONDS, USE, RedisCache
from plimsoll_service.prices.lookups.tiered_cache import TieredCache
from plimsoll_service.prices.redis_access.redis_link import connect
from plimsoll_service.prices.refreshing.requests import Asking, cloud_facts
from plimsoll_service.prices.snapshots.store import SnapshotStore, prefix
from plimsoll_service.prices.source import PriceSource
from plimsoll_service.settings import Settings, provider_environment

WATCH_USE, REPLAY_USE, QUOTE_USE = "snapshots", "replays", "quotes"  # the metrics' labels of these links
# Nobody waits for the watcher, and who replays an answer waits for a snapshot of some megabytes.
SNAPSHOT_TIMEOUT_SECONDS = 1.0
# The other way to a quote, the provider, takes as long: a crowd of processes must not take a busy Redis for a dead one.
QUOTE_TIMEOUT_SECONDS = 2.0


def price_source(settings: Settings, catalog: Catalog) -> PriceSource:
    """The prices of this installation, as new as a second's patience gets them; never fails."""
    if not _usable(settings.redis_url, silent=True):  # the lookups have a word on it
        return BundledPrices(catalog)
    live = LivePrices(catalog, Replays(catalog, _store(settings, REPLAY_USE)))
    directory = settings.last_prices_directory
    last_prices = None if directory is None else LastPrices(directory)
    follower = Follower(catalog, live, lambda: _store(settings, WATCH_USE), last_prices)
    follower.begin()
    live.follow(Watcher(follower.step, follower.begin).start)
    return live


def cached_lookups(settings: Settings, catalog: Catalog, feeds: Mapping[str, Feed] | None = None) -> CachedLookups:
    """Lookups cached in Redis where a usable URL is given, else in this process; never fails.

    ``feeds`` are those that live prices may be asked of: all there are, unless given.
    """
    shared = _usable(settings.redis_url)
    pages = _shared_cache(settings, USE, SOCKET_TIMEOUT_SECONDS) if shared else ProcessCache()
    if not settings.live_prices:
        return CachedLookups(pages)
    own = ProcessCache()
    quotes = TieredCache(_shared_cache(settings, QUOTE_USE, QUOTE_TIMEOUT_SECONDS), own) if shared else own
    return CachedLookups(pages, _quotes(settings, catalog, feeds, quotes))


def _quotes(settings: Settings, catalog: Catalog, feeds: Mapping[str, Feed] | None, cache: Cache) -> LiveQuotes:
    found = feeds_by_name() if feeds is None else feeds
    quoting = {
        name: cast(QuotingFeed, feed)
        for name, feed in found.items()
        if name in settings.live_prices and hasattr(feed, "quotes")
    }
    missing = [name for name in settings.live_prices if name not in quoting]
    if missing:
        structlog.get_logger(__name__).warning("no_live_prices", clouds=missing)
    asking = Asking(cloud_facts(catalog), provider_environment())
    return LiveQuotes(quoting, lambda cloud, region: asking.request(cloud, (region,)), cache)


def _shared_cache(settings: Settings, use: str, timeout_seconds: float) -> Cache:
    link = connect(settings.redis_url or "", use=use, timeout_seconds=timeout_seconds)
    return RedisCache(link, prefix(settings.redis_namespace), use)


def _store(settings: Settings, use: str) -> SnapshotStore:
    link = connect(settings.redis_url or "", use=use, timeout_seconds=SNAPSHOT_TIMEOUT_SECONDS)
    return SnapshotStore(link, settings.redis_namespace, settings.price_snapshots)


def _usable(redis_url: str | None, *, silent: bool = False) -> bool:
    """Whether there is a URL that may name a Redis; one that cannot is logged, without the password in it."""
    if not redis_url:
        return False
    try:
        connect(redis_url, use=WATCH_USE, timeout_seconds=SNAPSHOT_TIMEOUT_SECONDS)
    except ValueError as error:
        if not silent:
            structlog.get_logger(__name__).warning("redis_url_unusable", advice=str(error))
        return False
    return True
