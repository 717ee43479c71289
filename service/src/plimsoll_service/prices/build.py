"""Puts the prices together from what the installation has."""

from __future__ import annotations

import structlog

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.cache import Cache, ProcessCache
from plimsoll_service.prices.cached import CachedLookups
from plimsoll_service.prices.redis_cache import connect
from plimsoll_service.prices.source import PriceSource
from plimsoll_service.settings import Settings


def price_source(settings: Settings, catalog: Catalog) -> PriceSource:
    """The prices of this installation; never fails."""
    return BundledPrices(catalog)


def cached_lookups(settings: Settings) -> CachedLookups:
    """Lookups cached in Redis where a URL is given, else in this process; never fails."""
    return CachedLookups(_cache(settings.redis_url))


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
