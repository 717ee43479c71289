"""Abilities of each tool on each cloud: the rows of ``launchable.csv``, which have their source, version and date."""

from __future__ import annotations

from .. import data_files

_YES = "yes"


_VALUES = {(row["tool"], row["cloud"], row["what"]): row["value"] for row in data_files.rows("formats/launchable.csv")}


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
