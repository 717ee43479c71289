"""A rule: its statement, reason and source, and the phase in which it acts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from plimsoll_service.engine.answer import Note

Phase = Literal["constraint", "sizing", "estimate", "choice", "advice"]


@dataclass(frozen=True)
class Rule:
    """One rule; reasons, warnings and rejections cite its ``id``."""

    id: str
    statement: str
    reason: str
    source: str
    phase: Phase

    def note(self, text: str) -> Note:
        """Return a reason or warning that cites this rule."""
        return Note(self.id, text, self.source)


def registry(*groups: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return all rules in order; raise ``ValueError`` for a duplicate id."""
    rules = tuple(rule for group in groups for rule in group)
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise ValueError(f"duplicate rule ids: {', '.join(twice)}")
    return rules
