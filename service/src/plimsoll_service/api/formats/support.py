"""Abilities of each tool on each cloud: the rows of ``launchable.csv``, which have their source, version and date."""

from __future__ import annotations

import csv
from importlib import resources

_YES = "yes"


def _values() -> dict[tuple[str, str, str], str]:
    text = resources.files(__package__).joinpath("launchable.csv").read_text(encoding="utf-8")
    return {(row["tool"], row["cloud"], row["what"]): row["value"] for row in csv.DictReader(text.splitlines())}


_VALUES = _values()


def able(tool: str, cloud: str, what: str) -> bool:
    """Whether the tool can do it there; it cannot if no row says so."""
    return _VALUES.get((tool, cloud, what)) == _YES


def clouds(tool: str, what: str) -> tuple[str, ...]:
    """The clouds where the tool can do it."""
    return tuple(cloud for named, cloud, said in _VALUES if (named, said) == (tool, what) and able(tool, cloud, what))


def words(tool: str, cloud: str, what: str) -> tuple[str, ...]:
    """The names of a row, such as families of machines; empty without one."""
    return tuple(_VALUES.get((tool, cloud, what), "").split())


def number(tool: str, cloud: str, what: str, otherwise: int) -> int:
    """The figure of a row."""
    return int(_VALUES.get((tool, cloud, what), otherwise))
