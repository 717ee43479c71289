"""A rule: what it states, why, on whose word, and in which phase it acts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from plimsoll_service.engine.answer import Note

Phase = Literal["constraint", "sizing", "estimate", "choice", "advice"]


@dataclass(frozen=True)
class Rule:
    """One rule, cited by ``id`` in reasons, warnings and rejections."""

    id: str
    statement: str
    reason: str
    source: str
    phase: Phase

    def note(self, text: str) -> Note:
        """A reason or warning that rests on this rule."""
        return Note(self.id, text, self.source)


def registry(*groups: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """All rules in order; raises ``ValueError`` for an id that stands twice."""
    rules = tuple(rule for group in groups for rule in group)
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise ValueError(f"rule ids that stand twice: {', '.join(twice)}")
    return rules
