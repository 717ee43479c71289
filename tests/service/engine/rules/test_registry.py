"""The rules: each id is unique, each rule is complete and cited, and every citation is a rule."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tests.service.engine.catalogs import ask, bundled_market

import plimsoll_service.engine as engine
from plimsoll_service.engine.rules import RULES, Rule
from plimsoll_service.engine.rules.rule import registry
from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Query, Workload

SOURCES = Path(engine.__file__).parent
IDS = {rule.id for rule in RULES}
# Rules that state how a choice or a figure is made and that no single answer has to repeat.
STATED_ONLY = {
    "volume-baseline": "holds for every machine",
    "known-network-only": "counted in rejected under network",
    "range": "holds for every range",
    "assumed-tpot": "listed in the assumptions",
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
    rule = Rule("one", "It holds.", "It must.", "a decision", "advice")
    with pytest.raises(ValueError, match="one"):
        registry((rule,), (rule,))


def test_a_rule_says_what_why_and_on_whose_word() -> None:
    """Statement, reason and source are sentences or references, never empty."""
    for rule in RULES:
        assert rule.statement.endswith("."), rule.id
        assert rule.reason, rule.id
        assert rule.source, rule.id


def test_every_note_of_an_answer_is_a_rule() -> None:
    """Reasons and warnings cite rules that can be looked up, with their source."""
    assert cited() <= IDS
    sources = {rule.id: rule.source for rule in RULES}
    for one in ask(QUERIES[0], bundled_market()).recommendations:
        assert all(sources[note.rule] == note.source for note in (*one.reasons, *one.warnings))


def test_every_rule_is_used() -> None:
    """A rule is cited by answers, by a reason against a machine, or is known to hold for all of them."""
    written = "".join(path.read_text() for path in sorted((SOURCES / "rules").glob("*.py")))
    names = {
        name: constant for constant, name in re.findall(r'^([A-Z0-9_]+) = _rule\(\s*"([^"]+)"', written, re.MULTILINE)
    }
    code = "".join(path.read_text() for path in (SOURCES / "choice").glob("*.py"))
    modules = r"(?:advice|choice|choice_rules|constraint|constraint_rules|rules|estimate|sizing|sizing_rules)"
    used = set(re.findall(rf"\b{modules}\.([A-Z0-9_]+)\b", code))

    assert [] == [rule for rule in IDS - STATED_ONLY.keys() - cited() if names[rule] not in used]
