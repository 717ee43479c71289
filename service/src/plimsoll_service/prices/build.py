"""Puts the price source together from what the installation has."""

from __future__ import annotations

import structlog

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.cache import Cache, ProcessCache
from plimsoll_service.prices.cached import CachedPrices
from plimsoll_service.prices.redis_cache import connect
from plimsoll_service.prices.snapshot import SnapshotPrices
from plimsoll_service.prices.source import PriceSource


def price_source(redis_url: str | None, catalog: Catalog) -> PriceSource:
    """The catalog's prices behind a cache: Redis where a URL is given, else this process's own; never fails."""
    return CachedPrices(SnapshotPrices(catalog), _cache(redis_url))


def _cache(redis_url: str | None) -> Cache:
    if not redis_url:
        return ProcessCache()
    try:
        return connect(redis_url)
    except ValueError:
        # The URL and the parser's own words may hold a password: neither is logged.
        advice = "expected redis://host:port/0, rediss://host:port/0 or unix:///path with redis-py's options"
        structlog.get_logger(__name__).warning("redis_url_unusable", advice=advice)
        return ProcessCache()
