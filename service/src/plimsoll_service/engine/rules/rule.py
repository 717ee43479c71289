"""A rule: its statement, reason and source, and the phase in which it acts; and the page that lists every rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal, get_args

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


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """Return the rules of a phase's file, in the order in which it defines them."""
    return tuple(value for value in vars(module).values() if isinstance(value, Rule))


def registry(*groups: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return all rules in order; raise ``ValueError`` for a duplicate id."""
    rules = tuple(rule for group in groups for rule in group)
    twice = [name for name, count in Counter(rule.id for rule in rules).items() if count > 1]
    if twice:
        raise ValueError(f"duplicate rule ids: {', '.join(twice)}")
    return rules


_PAGE_HEAD = """# The rules

Every reason, warning and answer to "why not" names one of these rules. `/v1/rules` serves the same list.
This page is generated from the code. To change a rule, edit the code and run `make rules`.

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
