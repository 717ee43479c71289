"""The rules as a client sees them: listed with phase and source, and named by all notes of an answer."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.documents.asking import CLASSIFYING, IMAGENET, Json, get, post, recommend

from plimsoll_service.evidence.rules import load

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
LANGUAGE = {"task": "training", "model": "llama-3-8b", "method": "lora", "tokens": 1e8}
WORKLOADS: tuple[Json, ...] = (
    IMAGENET,
    IMAGENET | {"experiments": 8},
    IMAGENET | {"precision": "bf16"},
    IMAGENET | {"precision": "fp32", "tuning": "tuned", "batch_size": 64},
    IMAGENET | {"dataset": {"name": "imagenet-1k", "format": "jpeg"}, "disk": {"type": "hdd"}},
    IMAGENET | {"deadline": "12h", "budget_usd": 500},
    {"task": "training", "model": "lstm", "epochs": 3},
    {"task": "training", "model": "xgboost", "trees": 100},
    {"task": "training", "model": "gpt2", "tokens": 1e9, "sequence_length": 4096},
    LANGUAGE,
    CLASSIFYING,
    CLASSIFYING | {"precision": "fp32", "requests_per_second": 500, "latency_ms": 200},
    CLASSIFYING | {"precision": "int8"},
    {"task": "inference", "model": "llama-3-8b", "concurrency": 16},
    {"task": "inference", "model": "xgboost"},
    {"task": "preprocessing", "dataset": {"name": "imagenet-1k", "format": "jpeg"}, "output_format": "lmdb"},
    {"task": "hpc", "precision": "fp64", "flops": 1e18},
    {"task": "hpc", "flops": 1e18, "bytes": 1e18},
)
MACHINES = (
    "p3.2xlarge",
    "p2.xlarge",
    "g4dn.metal",
    "g4ad.xlarge",
    "dl1.24xlarge",
    "inf1.xlarge",
    "g6f.large",
    "c6g.large",
)


@cache
def rules() -> dict[str, Json]:
    """Every rule by its id."""
    return {rule["id"]: rule for rule in get("/v1/rules?limit=1000")["items"]}


def said(workload: Json) -> Iterator[Json]:
    """Reasons and warnings of recommendations on demand and on spot, of retired types too."""
    for purchase in ("on_demand", "spot"):
        answer = recommend(workload, limit=100, purchase=[purchase], retired=True)
        for one in answer["recommendations"]:
            yield from (*one["reasons"], *one["warnings"])


@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_reason_and_warning_names_its_rule(workload: Json) -> None:
    """Each note of an answer has a listed rule, that rule's source, and a text."""
    notes = list(said(workload))

    assert notes
    assert {note["rule"] for note in notes} <= set(rules())
    assert all(rules()[note["rule"]]["source"] == note["source"] and note["text"] for note in notes)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("workload", [IMAGENET, CLASSIFYING, LANGUAGE])
def test_every_answer_to_why_not_names_its_rule(name: str, workload: Json) -> None:
    """Every reason against a machine belongs to a listed rule."""
    asked = {"instance_families": ["p5"], "interconnect": "nvlink", "min_vcpus": 1000, "max_usd_per_hour": 0.01}
    for constraints in ({}, asked):
        on = {"cloud": "aws", "instance_type": name}
        found = post("/v1/estimates", {"workload": workload, "on": on, "constraints": constraints})
        assert {reason["rule"] for reason in found["why_not"]} <= set(rules())
        assert found["why_not"]


def test_a_rule_says_all_that_a_rule_has() -> None:
    """Each rule has id, statement, reason, source and phase, and is found under its id."""
    for name, rule in rules().items():
        assert {"id", "statement", "reason", "source", "phase"} == set(rule)
        assert all(rule.values())
        assert rule == get(f"/v1/rules/{name}")


def test_the_facts_on_choosing_an_instance_stand_behind_rules() -> None:
    """Each fact of S1 and S4 is the source of a rule, except the wish for a table of features, which the catalog is."""
    cited = {fact for rule in rules().values() for fact in re.findall(r"S[14]-\d\d", rule["source"])}
    facts = {f"S1-{number:02}" for number in range(1, 23)} | {f"S4-{number:02}" for number in range(1, 19)}

    assert {"S1-21"} == facts - cited


def test_every_phase_has_rules() -> None:
    """Constraint, sizing, estimate, choice and advice."""
    assert {"constraint", "sizing", "estimate", "choice", "advice"} == {rule["phase"] for rule in rules().values()}


def test_the_committed_page_is_current() -> None:
    """A difference means that `make rules` was forgotten; every rule is listed once."""
    text = PAGE.read_text(encoding="utf-8")

    assert runpy.run_path(str(PAGE.with_name("write_rules.py")))["text"](load()) == text
    assert all(1 == text.count(f"| `{name}` |") for name in rules())
