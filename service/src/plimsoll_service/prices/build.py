"""The price source and the quotes that an installation's settings ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

import structlog

from ..engine.hardware import Catalog
from ..settings import Settings, provider_environment
from .feeds import feeds_by_name
from .feeds.feed import Feed, FeedRequest, QuotingFeed
from .follow import Follower, LastPrices, Watcher
from .live import LivePrices, Replays
from .quote_cache import quote_region
from .quotes import Quotes
from .redis_link import Link, connect
from .refreshing.facts import cloud_facts
from .snapshots.store import open_store, prefix
from .source import PriceSource

WATCH_USE, REPLAY_USE, QUOTE_USE = "snapshots", "replays", "quotes"  # labels of these links in the metrics
# No request waits for the watcher. A replayed answer waits for a snapshot of some megabytes.
SNAPSHOT_TIMEOUT_SECONDS = 1.0
# As long as a provider takes: many processes at once must not take a busy Redis for a dead one.
QUOTE_TIMEOUT_SECONDS = 2.0


def price_source(settings: Settings, catalog: Catalog, mark: str = "") -> PriceSource:
    """The prices of this installation, the newest that arrive within a second; never fails. ``mark`` ends versions."""
    if not settings.redis_url:
        return LivePrices(catalog, mark=mark)
    try:
        replays = open_store(settings, REPLAY_USE, SNAPSHOT_TIMEOUT_SECONDS)
    except ValueError as error:  # its text does not quote the URL
        structlog.get_logger(__name__).warning("redis_url_unusable", advice=str(error))
        return LivePrices(catalog, mark=mark)
    live = LivePrices(catalog, Replays(catalog, replays), mark=mark)
    directory = settings.last_prices_directory
    last_prices = None if directory is None else LastPrices(directory)
    follower = Follower(catalog, live, partial(open_store, settings, WATCH_USE, SNAPSHOT_TIMEOUT_SECONDS), last_prices)
    follower.begin()
    live.follow(Watcher(follower.step, follower.begin).start)
    return live


def live_quotes(settings: Settings, catalog: Catalog, feeds: Mapping[str, Feed] | None = None) -> Quotes | None:
    """Current prices of the clouds that the settings name, if any, by ``feeds`` or by all feeds; never fails."""
    if not settings.live_prices:
        return None
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
    return Quotes(quoting, lambda cloud, region: replace(request, cloud=cloud, regions=(region,)), region)


def _quote_link(settings: Settings) -> Link | None:
    """A link to the installation's Redis, if its URL can name one."""
    try:
        return connect(settings.redis_url or "", use=QUOTE_USE, timeout_seconds=QUOTE_TIMEOUT_SECONDS)
    except ValueError:
        return None
