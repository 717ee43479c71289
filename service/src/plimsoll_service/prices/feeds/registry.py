"""Every feed by name. Each package beside this module is one, and offers it as ``FEED``: nothing else names it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from .feed import Feed


def feeds_by_name() -> dict[str, Feed]:
    """The feeds, by the name that ``--cloud`` takes."""
    here = __name__.rpartition(".")[0]
    packages = [module.name for module in iter_modules([str(Path(__file__).parent)]) if module.ispkg]
    found: list[Feed] = [import_module(f"{here}.{name}").FEED for name in packages]
    return {feed.name: feed for feed in found}
