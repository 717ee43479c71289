"""Every feed by name: each module of this package that offers a ``FEED`` is one, so that adding a feed is one file."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from plimsoll_service.prices import feeds
from plimsoll_service.prices.feeds.feed import Feed


def feeds_by_name() -> dict[str, Feed]:
    """The feeds, by the name that ``--cloud`` takes."""
    modules = (import_module(f"{feeds.__name__}.{module.name}") for module in iter_modules(feeds.__path__))
    found: list[Feed] = [module.FEED for module in modules if hasattr(module, "FEED")]
    return {feed.name: feed for feed in sorted(found, key=lambda feed: feed.name)}
