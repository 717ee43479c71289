"""Properties of every answer: repeatable, finite, ordered, priced, and independent of the catalog's order."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.engine.catalogs import ask, bundled, bundled_market, take_types, thinned_market
from tests.service.engine.choosing import law, selected, with_constraints
from tests.service.engine.workloads import queries, workloads
from tests.service.fitted import job_of, market_of

from plimsoll_service.engine.choice import ranking, scores
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.quantities import Range
from plimsoll_service.engine.workload import OBJECTIVES, Query, Workload


@settings(law, max_examples=30)
@given(queries())
def test_the_same_question_gets_the_same_answer(query: Query) -> None:
    """Earlier questions do not change an answer; what is kept between them belongs to a market of any size."""
    assert ask(query, thinned_market()) == ask(query, thinned_market())


@cache
def shuffled_market() -> Market:
    """The bundled catalog with its instance types in another order."""
    rows = np.random.default_rng(7).permutation(len(bundled().instance_types))
    return market_of(take_types(bundled(), rows))


@settings(law, max_examples=40)
@given(queries(), st.sampled_from((None, 50.0)))
def test_the_order_of_the_catalog_does_not_matter(query: Query, hourly: float | None) -> None:
    """The answer is that of the machines, whatever row they stand in."""
    query = with_constraints(query, max_usd_per_hour=hourly)
    assert ask(query, bundled_market()) == ask(query, shuffled_market())


def values_of(value: object, path: str = ""):
    """Every value inside an answer, with its place."""
    yield path, value
    if is_dataclass(value):
        for item in fields(value):
            yield from values_of(getattr(value, item.name), f"{path}.{item.name}")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from values_of(inner, f"{path}.{name}")
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from values_of(inner, f"{path}[]")


@settings(law, max_examples=40)
@given(queries())
def test_figures_are_finite_ordered_and_priced(query: Query) -> None:
    """Low ≤ value ≤ high, no NaN or infinity anywhere, and a price above 0 on all that is recommended."""
    answer = ask(query, bundled_market())
    for path, value in values_of(answer):
        if isinstance(value, Range):
            assert value.low <= value.value <= value.high, path
        if isinstance(value, float):
            assert isfinite(value), path
    assert all(one.price.usd_per_hour > 0 for one in answer.recommendations)
    chosen = selected(query)
    assert np.all(chosen.options.usd_per_hour[chosen.feasible] > 0)


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(law, max_examples=15)
@given(workloads)
def test_ranks_follow_the_score(objective, workload: Workload) -> None:
    """Under any objective, no recommendation scores better than one above it."""
    query = Query(workload, objective=objective)
    job, chosen = job_of(query), selected(query, thinned_market())
    found = ranking.scored(job, chosen, objective)
    ordered = scores.rounded(found.scores)[ranking.ranked(job, chosen, found)]
    assert np.all(np.diff(ordered) >= 0)
