"""The rules, read once: what reasons, warnings and rejections cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from .measurement import EvidenceError, rows_of

FILE = "rules.csv"
Phase = Literal["constraint", "sizing", "estimate", "choice", "advice"]


@dataclass(frozen=True)
class Rule:
    """One rule; reasons, warnings and rejections cite its ``id``."""

    id: str
    statement: str
    reason: str
    source: str
    phase: Phase


@lru_cache(maxsize=1)
def load() -> tuple[Rule, ...]:
    """Return all rules in order; raises ``EvidenceError`` for a duplicate id."""
    return rules_of(rows_of(resources.files(__package__) / FILE))


def rules_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Rule, ...]:
    """Return the rules of some rows; raises ``EvidenceError`` for a duplicate id."""
    rules = tuple(Rule(**row) for row in rows)
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise EvidenceError(f"{FILE}: duplicate rule ids: {', '.join(twice)}")
    return rules
