"""The rules, read once: what reasons, warnings and rejections cite; and the page that lists every rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, get_args

from .measurement import EvidenceError, rows_of

FILE, HEAD = "rules.csv", "rules_head.md"  # the rules, and the beginning of their page
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


def rules_of(rows: Iterable[Mapping[str, str]]) -> tuple[Rule, ...]:
    """Return the rules of some rows; raises ``EvidenceError`` for a duplicate id."""
    rules = tuple(map(_rule, rows))
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise EvidenceError(f"{FILE}: duplicate rule ids: {', '.join(twice)}")
    return rules


def _rule(row: Mapping[str, Any]) -> Rule:
    return Rule(**row)


_PHASES = {
    "constraint": "Machines that may be recommended",
    "sizing": "Resources that the work needs",
    "estimate": "Speed of the hardware for the work",
    "choice": "Choice of the best eligible machine",
    "advice": "Warnings and advice that do not change the choice",
}


def page(rules: Sequence[Rule]) -> str:
    """Return the whole page: rules by phase, in the order of the registry."""
    head = (resources.files(__package__) / HEAD).read_text(encoding="utf-8")
    return "\n".join([head, *(line for phase in get_args(Phase) for line in _phase(phase, rules))])


def _phase(phase: str, rules: Sequence[Rule]) -> Iterator[str]:
    yield f"## {_PHASES[phase]} (`{phase}`)"
    yield ""
    yield "| rule | statement | why | source |"
    yield "| --- | --- | --- | --- |"
    for rule in rules:
        if rule.phase == phase:
            cells = (f"`{rule.id}`", rule.statement, rule.reason, rule.source)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""
