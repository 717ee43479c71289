"""Each reason for putting an option first is true of the two options that it names."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.engine.choosing import law
from tests.service.engine.workloads import queries

from plimsoll_service.engine.answer import Answer, Recommendation
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

PUT_FIRST = ("simpler-first", "tested-first", "own-first", "as-good-first", "equal-costs", "headroom", "sure-first")
NAMED = re.compile(r"before (?:\d+ × \S+ \()?(\d+) × (\S+) (.+?)\)?: (.*)")
ROUNDED = 0.006  # a percentage is said without decimals
OWN = Hardware(accelerator="RTX 3090", count=2, vcpus=24, memory_gib=128, usd_per_hour=0.6, label="lab")


def expected(one: Recommendation) -> float:
    """Expected cost of a job; NaN of a service, which is compared by the hour or by what it does."""
    return one.estimate.expected_cost_usd or math.nan


def devices(one: Recommendation) -> float:
    """Devices of all its machines."""
    return 0.0 if one.accelerator is None else one.node_count * one.accelerator.count


def faults(mine: Recommendation, other: Recommendation, rule: str, text: str) -> list[str]:
    """What is not true of the two."""
    wrong = []
    numbers = {"machine": (mine.node_count, other.node_count), "device": (devices(mine), devices(other))}
    for noun, (have, others) in numbers.items():
        for few, many in re.findall(rf"(\d+|no) {noun}s? instead of (\d+)", text):
            fewer = 0.0 if few == "no" else float(few)
            if not (fewer < float(many) <= others and fewer <= have):
                wrong.append(f"{noun}: {few} < {many}")
    if rule == "simpler-first" and "instead of" not in text:
        wrong.append("nothing is fewer")
    for percent, word in re.findall(r"expected to cost (\d+)% (less|more)", text):
        ratio = expected(mine) / expected(other)
        if abs(ratio - 1 - (1 if word == "more" else -1) * float(percent) / 100) > ROUNDED:
            wrong.append(f"cost: {ratio}")
    if rule == "equal-costs" and expected(mine) > 1.01 * expected(other):
        wrong.append("equal")
    if rule == "tested-first" and (mine.runs.status, other.runs.status) != ("supported", "untested"):
        wrong.append("tested")
    if rule == "own-first" and (mine.cloud, other.cloud == "own") != ("own", False):
        wrong.append("own")
    return wrong


def preferred(answer: Answer) -> list[tuple[str, str, Recommendation, list[Recommendation]]]:
    """Rule and text of each such reason of the first option, and the options that it may name."""
    found = []
    for note in answer.recommendations[0].reasons if answer.recommendations else ():
        if note.rule in PUT_FIRST and (named := NAMED.fullmatch(note.text)):
            nodes, cloud, name, text = named.groups()
            others = [
                one
                for one in answer.recommendations[1:]
                if (str(one.node_count), one.cloud) == (nodes, cloud) and name in (one.instance_type, one.label)
            ]
            found.append((note.rule, text, answer.recommendations[0], others))
    return found


@settings(law, max_examples=60)
@given(queries(), st.sampled_from(((), (OWN,))))
def test_each_reason_is_true_of_the_two_options_that_it_names(query: Query, own: tuple[Hardware, ...]) -> None:
    """Fewer machines or devices are fewer, and cost what is said; the own one is own, and the tested one is tested."""
    limits = replace(query.constraints, own_machines=own)
    answer = ask(replace(query, limit=100, group="none", constraints=limits), bundled_market())
    for rule, text, mine, others in preferred(answer):
        told = [faults(mine, other, rule, text) for other in others]
        assert not told or [] in told, (rule, text, told)


BERT = Workload(
    "training", framework="transformers", model="bert-large", dataset=Dataset(samples=88_000), epochs=3,
    sequence_length=384, batch_size=8,
)  # fmt: skip


@pytest.mark.parametrize(("usd", "first"), [(1.1, "own"), (1.3, "own"), (6.0, "aws")])
def test_an_own_machine_is_not_left_for_a_few_cents(usd: float, first: str) -> None:
    """A rental must save a tenth and one USD, unless it costs a third less."""
    rental = Box("rental", (Sale(1.0),), accelerator="A10G", vcpus=16, memory_gib=64)
    own = Hardware(accelerator="A10G", count=1, vcpus=16, memory_gib=64, usd_per_hour=usd, label="lab")
    asked = Query(replace(BERT, batch_size=None), Constraints(own_machines=(own,)), objective="cost")
    found = ask(asked, made_up(rental)).recommendations

    assert first == found[0].cloud
    assert (first == "own") == ("own-first" in {note.rule for note in found[0].reasons})


FOREST = Workload(
    "training", framework="lightgbm", model="lightgbm", trees=500, depth=8, features=700,
    dataset=Dataset(samples=1_000_000),
)  # fmt: skip


@pytest.mark.parametrize(("share", "first"), [(1.004, "fast"), (1.04, "slow")])
def test_equal_costs_are_told_apart_by_time(share: float, first: str) -> None:
    """A machine that is cheaper by less than 1% and takes twice the time is second, though neither takes an hour."""
    slow, fast = Box("slow", (Sale(0.4),), vcpus=8, memory_gib=64), Box("fast", (Sale(0.8),), vcpus=32, memory_gib=64)
    asked = Query(FOREST, objective="cost", group="none")
    cost = {one.instance_type: expected(one) for one in ask(asked, made_up(slow, fast)).recommendations}
    priced = replace(fast, sales=(Sale(0.8 * share * cost["slow"] / cost["fast"]),))
    found = ask(asked, made_up(slow, priced)).recommendations

    assert first == found[0].instance_type
    assert found[0].estimate.time_hours is not None
    assert found[0].estimate.time_hours.value < 1
    if first == "fast":
        assert re.search("is expected to cost the same and takes .* less time", found[0].reasons[0].text)
