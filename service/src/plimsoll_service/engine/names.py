"""Forgiving look-up of names: case and punctuation do not matter, and a near miss is suggested."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Protocol, TypeVar

SUGGESTIONS = 3
LENGTH_APART = 4  # names that differ by more characters are no slips of one another
KEYS_KEPT = 1 << 15  # more than a catalog has names; bounded, since users' names pass here too
NAMES_KEPT = 1 << 10  # of a kind that is found by trying several spellings, as users write it
SIMILARITY = 0.6  # difflib's own default cut-off


class Named(Protocol):
    """A row of a table that is found by its name."""

    @property
    def name(self) -> str:
        """The name that answers use."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Its other spellings."""


Row = TypeVar("Row", bound=Named)


@lru_cache(maxsize=KEYS_KEPT)
def key(name: str) -> str:
    """The name without case and punctuation: ``V100 16GB-SXM2`` and ``v100_16gb_sxm2`` are one key."""
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def index(names: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Key of each name and alias → the name; the first of two equal keys wins."""
    found: dict[str, str] = {}
    for name, aliases in names:
        for spelling in (name, *aliases):
            found.setdefault(key(spelling), name)
    return found


def suggest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three known names that look like ``name``."""
    wanted = key(name)
    by_key = {key(other): other for other in known}
    alike = [other for other in by_key if abs(len(other) - len(wanted)) <= LENGTH_APART]
    near = difflib.get_close_matches(wanted, alike, n=SUGGESTIONS, cutoff=SIMILARITY)
    return tuple(by_key[match] for match in near)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The text of a fault for an unknown name, with suggestions."""
    return f"unknown {what} {name!r}{did_you_mean(suggest(name, known))}"


def did_you_mean(near: Iterable[str]) -> str:
    """The question that follows an unknown name; empty where none is near."""
    words = " or ".join(repr(other) for other in near)
    return f"; did you mean {words}?" if words else ""


def meant(wanted: Iterable[str], known: Collection[str]) -> set[str]:
    """The known names that are meant; of two that look alike (``us-east-1``, ``us-east1``) the one spelled so."""
    found: set[str] = set()
    for name in wanted:
        spelled = {other for other in known if other.lower() == name.lower()}
        found |= spelled or {other for other in known if key(other) == key(name)}
    return found


def find(name: str, spellings: Mapping[str, str]) -> str | None:
    """The name that ``name`` is a spelling of, or ``None``."""
    return spellings.get(key(name))


def by_key(rows: Iterable[Row], key_of: Callable[[str], str] = key) -> dict[str, Row]:
    """Key of each name and alias → its row; raises ``ValueError`` where two rows claim the same name."""
    found: dict[str, Row] = {}
    for row in rows:
        for spelling in {key_of(name) for name in (row.name, *row.aliases)}:
            if spelling in found:
                raise ValueError(f"{row.name} and {found[spelling].name} share the name {spelling!r}")
            found[spelling] = row
    return found


def alike(wanted: str, rows: Mapping[str, Row], tried: int = SUGGESTIONS) -> tuple[str, ...]:
    """Up to three names of rows that have one of the ``tried`` keys most like ``wanted``, best first."""
    near = difflib.get_close_matches(wanted, rows, n=tried, cutoff=SIMILARITY)
    return tuple(dict.fromkeys(rows[found].name for found in near))[:SUGGESTIONS]
