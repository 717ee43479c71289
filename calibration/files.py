"""The files of coefficients that a calibration writes, and how two versions of one differ."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DIGITS = 4  # significant digits: another linear algebra library changes the next one
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
    """Round to the digits that are written."""
    return float(f"{value:.{DIGITS}g}")


def rounded_rate(value: float) -> float:
    """Round a measured rate to more digits than are ever printed."""
    return float(f"{value:.{RATE_DIGITS}g}")


def fields_of(figures: Iterable[Written]) -> dict[str, Entry]:
    """The fitted fields of a form, each with its error and the value that the fit started from."""
    return {
        one.name: Entry(value=rounded(one.value), error=round(one.error, 2), start=rounded(one.prior))
        for one in figures
    }


def effects_of(figures: Iterable[Written]) -> dict[str, Entry]:
    """Effects with their errors, without those that round to zero."""
    return {
        one.name: Entry(value=round(one.value, 3), error=round(one.error, 2)) for one in figures if round(one.value, 3)
    }


def form_file(about: str, form: str, fields: Mapping[str, Any]) -> Document:
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


RELATIVE = 0.005  # of a coefficient: other releases of linear algebra differ by less
ABSOLUTE = 0.005  # of a table's entry, which is an effect (a logarithm) or a factor near 1

ABOUT = "about"  # the file's description


@dataclass(frozen=True)
class Leaf:
    """A written value: a coefficient of any size, or an entry of a table, which is near 0 or 1."""

    value: float | str
    coefficient: bool = False

    def __str__(self) -> str:
        return str(self.value)

    @property
    def negligible(self) -> bool:
        """Whether an entry of a table may be missing: effects this small are not written."""
        return not self.coefficient and not isinstance(self.value, str) and abs(self.value) <= ABSOLUTE

    def same(self, other: Leaf) -> bool:
        """Whether words are equal, or numbers within the tolerance."""
        if isinstance(self.value, str) or isinstance(other.value, str):
            return self.value == other.value
        tolerance = 0.0 if self.coefficient else ABSOLUTE
        return math.isclose(self.value, other.value, rel_tol=RELATIVE, abs_tol=tolerance)


def differences(committed: Mapping[str, Any], refitted: Mapping[str, Any]) -> list[str]:
    """Return each value that is missing, new or different, with both values; empty where all agree."""
    old, new = _leaves_by_name(committed), _leaves_by_name(refitted)
    gone = [f"{name}: {leaf} is no longer fitted" for name, leaf in _only(old, new)]
    added = [f"{name}: {leaf} is not committed" for name, leaf in _only(new, old)]
    changed = [
        f"{name}: committed {leaf}, refitted {new[name]}"
        for name, leaf in old.items()
        if name in new and not leaf.same(new[name])
    ]
    return gone + added + changed


def _only(mine: Mapping[str, Leaf], others: Mapping[str, Leaf]) -> list[tuple[str, Leaf]]:
    return [(name, leaf) for name, leaf in mine.items() if name not in others and not leaf.negligible]


def _leaves_by_name(document: Mapping[str, Any]) -> dict[str, Leaf]:
    return dict(leaf for key, value in document.items() if key != ABOUT for leaf in _leaves(value, key))


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Leaf]]:
    """Yield every number and word with its path; of a fitted figure the value alone."""
    if isinstance(value, Mapping):
        if "value" in value:
            yield name, Leaf(value["value"], coefficient="start" in value)
        else:
            for key, item in value.items():
                yield from _leaves(item, f"{name}.{key}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield (f"{name}[{item!r}]", Leaf("there")) if isinstance(item, str) else (f"{name}[{place}]", Leaf(item))
    else:
        yield name, Leaf(value)
