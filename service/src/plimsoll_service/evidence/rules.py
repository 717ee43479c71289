"""The rules, read once: what reasons, warnings and rejections cite; and the page that lists every rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, get_args

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


def rules_of(rows: Iterable[Mapping[str, str]]) -> tuple[Rule, ...]:
    """Return the rules of some rows; raises ``EvidenceError`` for a duplicate id."""
    rules = tuple(map(_rule, rows))
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise EvidenceError(f"{FILE}: duplicate rule ids: {', '.join(twice)}")
    return rules


def _rule(row: Mapping[str, Any]) -> Rule:
    return Rule(**row)


_PAGE_HEAD = """# The rules

Every reason, warning and answer to "why not" names one of these rules. `/v1/rules` serves the same list.
This page is generated. To change a rule, edit `service/src/plimsoll_service/evidence/rules.csv` and run `make rules`.

Sources such as `S1-07` are facts from five documents: S0, Domino Data Lab, "New G3 instances in AWS: worth it for ML?" (2017);
S1, Shashank Prasanna, "Choosing the right GPU for deep learning on AWS" (2022); S2, Max Woolf, on cloud CPUs against a GPU for Keras and
TensorFlow (2017); S3, Alibaba Cloud, on the CPU, memory and disk of a GPU instance; S4, a digest of S1's first edition (2021).
`tests/documents` has one test case for each fact. The throughput, memory and serving studies are this project's own.
They use the measurements in `docs/evidence.md`. `docs/method.md` and `docs/calibration.md` state their results.
"""
_PHASES = {
    "constraint": "Machines that may be recommended",
    "sizing": "Resources that the work needs",
    "estimate": "Speed of the hardware for the work",
    "choice": "Choice of the best eligible machine",
    "advice": "Warnings and advice that do not change the choice",
}


def page(rules: Sequence[Rule]) -> str:
    """Return the whole page: rules by phase, in the order of the registry."""
    return "\n".join([_PAGE_HEAD, *(line for phase in get_args(Phase) for line in _phase(phase, rules))])


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
