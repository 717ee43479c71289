"""Writes rules.md, the page that lists every rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from plimsoll_service.evidence.rules import Phase, Rule, load

FILE = Path(__file__).parent / "rules.md"
_PHASES = {
    "constraint": "Machines that may be recommended",
    "sizing": "Resources that the work needs",
    "estimate": "Speed of the hardware for the work",
    "choice": "Choice of the best eligible machine",
    "advice": "Warnings and advice that do not change the choice",
}


def text(rules: Sequence[Rule]) -> str:
    """The page as the rules say it should be: by phase, in the order of the registry."""
    head = FILE.read_text(encoding="utf-8").partition("\n## ")[0]  # written by hand
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


if __name__ == "__main__":
    FILE.write_text(text(load()), encoding="utf-8")
