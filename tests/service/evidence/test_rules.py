"""The rules: each id is unique, each rule is complete and cited, and every citation is a rule."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from tests.service.engine.catalogs import ask, bundled_market

import plimsoll_service.engine as engine
from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Query, Workload
from plimsoll_service.evidence import rules
from plimsoll_service.evidence.measurement import EvidenceError

SOURCES = Path(engine.__file__).parent
RULES = rules.load()
IDS = {rule.id for rule in RULES}
# Rules that state how a choice or a figure is made and that no single answer has to repeat.
STATED_ONLY = {
    "volume-baseline": "holds for every machine",
    "whole-processors": "holds for every estimate of such a machine",
    "known-network-only": "counted in rejected under network",
    "range": "holds for every range",
    "assumed-tpot": "listed in the assumptions",
    "assumed-answer": "listed in the assumptions",
    "serving-tails": "holds for every estimate of a language model",
    "batch-queue": "holds for every service that answers in batches",
    "users-in-batches": "holds for every service that answers in batches",
    "unmeasured-device": "holds for every estimate of such a device",
    "expected-value": "holds for every ranking",
    "one-of-each-hardware": "holds for every list",
    "frontier": "holds for the frontier",
    "cheapest-region": "holds for every recommendation",
    "tie-break": "holds for every order",
    "restricted-regions": "counted in rejected under regions",
}
QUERIES = [
    Query(Workload("training", model="resnet-50"), limit=100),
    Query(Workload("training", model="resnet-50", precision="bf16"), Constraints(accelerators=("V100",)), limit=100),
    Query(Workload("training", model="llama-3-8b", method="lora"), Constraints(purchase=("spot",)), limit=50),
    Query(Workload("training", model="xgboost")),
    Query(Workload("training", model="bert-base", dataset=Dataset(samples=1e6, format="memory"), epochs=3), limit=100),
    Query(Workload("inference", model="llama-3-8b"), limit=100),
    Query(Workload("inference", model="resnet-50", requests_per_second=50), limit=100),
    Query(Workload("inference", model="xgboost")),
    Query(Workload("preprocessing", disk=Disk("ssd"))),
    Query(Workload("hpc", flops=1e18)),
    Query(Workload("training", model="resnet-50"), Constraints(retired=True, accelerators=("K80", "M60")), limit=100),
    *(Query(Workload("training", model="vgg16"), objective=name) for name in ("cost", "time", "performance_per_cost")),
]


@cache
def cited() -> set[str]:
    """Rules that the answers to QUERIES cite."""
    found = set()
    for query in QUERIES:
        for one in ask(query, bundled_market()).recommendations:
            found |= {note.rule for note in (*one.reasons, *one.warnings)}
    return found


def test_ids_are_unique_and_plain() -> None:
    """An id is lower case with hyphens, and stands once."""
    assert len(IDS) == len(RULES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in IDS)


def test_an_id_that_stands_twice_is_an_error() -> None:
    """Two rules of one name would make a citation ambiguous."""
    row = {"id": "one", "statement": "It holds.", "reason": "It must.", "source": "a decision", "phase": "advice"}
    with pytest.raises(EvidenceError, match="one"):
        rules.rules_of((row, row))


def test_a_rule_says_what_why_and_on_whose_word() -> None:
    """Statement, reason and source are sentences or references, never empty; the phase is a known one."""
    for rule in RULES:
        assert rule.phase in get_args(rules.Phase), rule.id
        assert rule.statement.endswith("."), rule.id
        assert rule.reason, rule.id
        assert rule.source, rule.id


def test_every_note_of_an_answer_is_a_rule() -> None:
    """Reasons and warnings cite rules that can be looked up, with their source."""
    assert cited() <= IDS
    sources = {rule.id: rule.source for rule in RULES}
    for one in ask(QUERIES[0], bundled_market()).recommendations:
        assert all(sources[note.rule] == note.source for note in (*one.reasons, *one.warnings))


def named() -> list[ast.expr]:
    """Arguments of every ``RuleId(…)`` in the engine's code."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCES.rglob("*.py")))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "RuleId"]


def test_every_id_in_the_code_is_a_rule() -> None:
    """The code writes each id out, and each is that of a rule."""
    assert [] == [ast.unparse(one) for one in named() if not isinstance(one, ast.Constant) or one.value not in IDS]


def test_every_rule_is_used() -> None:
    """A rule is cited by answers, by a reason against a machine, or is known to hold for all of them."""
    used = {one.value for one in named() if isinstance(one, ast.Constant)}

    assert set() == IDS - STATED_ONLY.keys() - cited() - used
