"""Where the measurements come from: who measured, where it is published, under which licence, and what to doubt."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from plimsoll_service.evidence.columns import EvidenceError

SOURCES = ("data/sources.csv", "figures/sources.csv")


@dataclass(frozen=True, slots=True)
class Source:
    """A laboratory's publication; ``doubts`` in the project's own words."""

    key: str
    title: str
    url: str
    licence: str
    what: str
    doubts: str


@lru_cache(maxsize=1)
def load() -> dict[str, Source]:
    """Every source by its key; raises ``EvidenceError`` where a file is broken or a key stands twice."""
    found = [source for name in SOURCES for source in _read(name)]
    by_key = {source.key: source for source in found}
    if len(by_key) != len(found):
        raise EvidenceError(f"{' and '.join(SOURCES)}: a key stands twice")
    return by_key


def _read(name: str) -> list[Source]:
    with (resources.files(__package__) / name).open(encoding="utf-8") as file:
        try:
            return [Source(**row) for row in csv.DictReader(file)]
        except TypeError as error:
            raise EvidenceError(f"{name}: {error}") from error
