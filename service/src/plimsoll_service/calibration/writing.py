"""Writes what was fitted as data files: one entry a line, so that a changed figure is a changed line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DIGITS = 4  # significant: fewer than what another linear algebra library would change
RATE_DIGITS = 6

Document = Mapping[str, Any]


class Entry(dict[str, Any]):
    """A mapping that is written on one line."""


@dataclass(frozen=True)
class Written:
    """One fitted figure: its value, the standard error of its logarithm (of an effect: of itself), its prior."""

    name: str
    value: float
    error: float
    prior: float


def rounded(value: float) -> float:
    """To the digits that are written."""
    return float(f"{value:.{DIGITS}g}")


def rounded_rate(value: float) -> float:
    """A measured rate, to more digits than are ever printed."""
    return float(f"{value:.{RATE_DIGITS}g}")


def fields_of(figures: Iterable[Written]) -> dict[str, Entry]:
    """The fitted fields of a form, each with its error and the value that the fit started from."""
    return {
        one.name: Entry(value=rounded(one.value), error=round(one.error, 2), start=rounded(one.prior))
        for one in figures
    }


def effects_of(figures: Iterable[Written]) -> dict[str, Entry]:
    """Effects with their errors; those that round to nothing are left out."""
    return {
        one.name: Entry(value=round(one.value, 3), error=round(one.error, 2)) for one in figures if round(one.value, 3)
    }


def coefficients(about: str, form: str, fields: Mapping[str, Any]) -> Document:
    """The file of one form of ``engine.coefficients.Coefficients``."""
    return {"about": about, "coefficients": {form: fields}}


def text_of(document: Document) -> str:
    """The file's text."""
    return f"{_text(document, '')}\n"


def _text(value: Any, margin: str) -> str:
    if isinstance(value, Mapping) and not isinstance(value, Entry):
        items = [f"{_word(key)}: {_text(item, f'{margin}  ')}" for key, item in value.items()]
        return _block("{}", items, margin)
    if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(item, str) for item in value):
        return _block("[]", [_word(item) for item in value], margin)
    return _word(value)


def _block(brackets: str, items: Sequence[str], margin: str) -> str:
    inside = ",".join(f"\n{margin}  {item}" for item in items)
    return f"{brackets[0]}{inside}\n{margin}{brackets[1]}" if items else brackets


def _word(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
