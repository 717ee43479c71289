"""When a figure was measured or published: as the row says, else the year its software came out."""

from __future__ import annotations

import re

from plimsoll_service.engine.frameworks import released
from plimsoll_service.evidence.imports.figures_folder import RawRow

_DAY = re.compile(r"\b(20[12]\d)[-_](\d{2})[-_](\d{2})")
_MONTH = re.compile(r"\b(20[12]\d)-(0[1-9]|1[0-2])\b(?!-)")
_CONTAINER = re.compile(r"(?:\bngc\s*|nv|^)(\d{2})\.(0[1-9]|1[0-2])\b", re.IGNORECASE)  # NVIDIA's: year.month
_YEARS = re.compile(r"\b20[12]\d(?:-(20[12]\d))?\b")


def date_of(raw: RawRow, framework: str) -> str:
    """An ISO day, month or year; empty where neither the row nor a known release tells."""
    version, commit, note = raw["framework_version"], raw["commit_or_date"], raw["note"]
    for text in (version, commit, note if note.startswith("id ") else ""):
        day = _DAY.search(text)
        if day:
            return "-".join(day.groups())
        container = _CONTAINER.search(version)
        if container:
            return f"20{container[1]}-{container[2]}"
        month = _MONTH.search(text)
        if month:
            return "-".join(month.groups())
    return _year(commit) or _year(version) or _release(framework, version)


def _year(text: str) -> str:
    """The last year that a text names."""
    years = _YEARS.search(text)
    return (years[1] or years[0]) if years else ""


def _release(framework: str, version: str) -> str:
    year = released("pytorch" if framework == "litgpt" else framework, version)
    return "" if year is None else str(int(year))
