"""Feeds of providers' prices by name: each package in here is one, and offers it as ``FEED``; nothing else names it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from .feed import Feed


def feeds_by_name() -> dict[str, Feed]:
    """The feeds, by the name that ``--cloud`` takes."""
    packages = [module.name for module in iter_modules([str(Path(__file__).parent)]) if module.ispkg]
    found: list[Feed] = [import_module(f"{__name__}.{name}").FEED for name in packages]
    return {feed.name: feed for feed in found}
