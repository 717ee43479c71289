"""The price source and the lookups that an installation's settings ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

import structlog

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.book import BundledPrices
from plimsoll_service.prices.feeds.feed import Feed, FeedRequest, QuotingFeed
from plimsoll_service.prices.feeds.registry import feeds_by_name
from plimsoll_service.prices.follow import Follower, LastPrices, Watcher
from plimsoll_service.prices.live import LivePrices, Replays
from plimsoll_service.prices.quote_cache import quote_region
from plimsoll_service.prices.quotes import Lookups, Quotes
from plimsoll_service.prices.redis_link import Link, connect
from plimsoll_service.prices.refreshing.facts import cloud_facts
from plimsoll_service.prices.snapshots.store import SnapshotStore, prefix
from plimsoll_service.prices.source import PriceSource
from plimsoll_service.settings import Settings, provider_environment

WATCH_USE, REPLAY_USE, QUOTE_USE = "snapshots", "replays", "quotes"  # labels of these links in the metrics
# No request waits for the watcher. A replayed answer waits for a snapshot of some megabytes.
SNAPSHOT_TIMEOUT_SECONDS = 1.0
# As long as a provider takes: many processes at once must not take a busy Redis for a dead one.
QUOTE_TIMEOUT_SECONDS = 2.0


def price_source(settings: Settings, catalog: Catalog) -> PriceSource:
    """The prices of this installation, the newest that arrive within a second; never fails."""
    if not settings.redis_url:
        return BundledPrices(catalog)
    store = partial(_store, settings)
    try:
        replays = store(REPLAY_USE)
    except ValueError as error:  # which does not quote the URL
        structlog.get_logger(__name__).warning("redis_url_unusable", advice=str(error))
        return BundledPrices(catalog)
    live = LivePrices(catalog, Replays(catalog, replays))
    directory = settings.last_prices_directory
    last_prices = None if directory is None else LastPrices(directory)
    follower = Follower(catalog, live, partial(store, WATCH_USE), last_prices)
    follower.begin()
    live.follow(Watcher(follower.step, follower.begin).start)
    return live


def price_lookups(settings: Settings, catalog: Catalog, feeds: Mapping[str, Feed] | None = None) -> Lookups:
    """The lookups of this installation; never fails.

    ``feeds`` can be asked for prices of now; left out: all feeds.
    """
    if not settings.live_prices:
        return Lookups()
    found = feeds_by_name() if feeds is None else feeds
    quoting = {
        name: cast(QuotingFeed, feed)
        for name, feed in found.items()
        if name in settings.live_prices and hasattr(feed, "quotes")
    }
    missing = [name for name in settings.live_prices if name not in quoting]
    if missing:
        structlog.get_logger(__name__).warning("no_live_prices", clouds=missing)
    request = FeedRequest("", clouds=cloud_facts(catalog), environment=provider_environment())
    region = quote_region(_quote_link(settings), prefix(settings.redis_namespace))
    return Lookups(Quotes(quoting, lambda cloud, region: replace(request, cloud=cloud, regions=(region,)), region))


def _store(settings: Settings, use: str) -> SnapshotStore:
    """The snapshots in the installation's Redis; raises ``ValueError`` if its URL cannot name one."""
    link = connect(settings.redis_url or "", use=use, timeout_seconds=SNAPSHOT_TIMEOUT_SECONDS)
    return SnapshotStore(link, settings.redis_namespace, settings.price_snapshots)


def _quote_link(settings: Settings) -> Link | None:
    """A link to the installation's Redis, if its URL can name one."""
    try:
        return connect(settings.redis_url or "", use=QUOTE_USE, timeout_seconds=QUOTE_TIMEOUT_SECONDS)
    except ValueError:
        return None
