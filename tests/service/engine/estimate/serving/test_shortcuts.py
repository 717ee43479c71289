"""Savings by prefix caches and speculative decoding, and cases without savings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.choosing import selected
from tests.service.fitted import job_of

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.speculation import METHODS, drafting_of
from plimsoll_service.engine.workload import Constraints, Query, SpeculativeDecoding, Workload

LONG = Workload("inference", model="llama-3-70b", input_tokens=4000, output_tokens=200, tpot_ms="none")
NODES = Constraints(instance_types=("p5.48xlarge",))
FIRST = np.arange(1)


def tpot_ms(users: int, drafted: SpeculativeDecoding | None) -> float:
    """Time per token with that many users on one machine."""
    chosen = selected(Query(replace(LONG, input_tokens=256, concurrency=users, speculative_decoding=drafted), NODES))
    assert chosen.estimates.outcome.serving is not None
    return float(chosen.estimates.outcome.serving.tpot_ms[FIRST][0])


def test_tokens_of_a_step() -> None:
    """Published lengths: three drafted tokens that are accepted in 70% yield 2.53; a sure draft yields all."""
    assert drafting_of("eagle3", 3, 0.7).kept == pytest.approx(2.53, abs=0.01)
    assert drafting_of("eagle3", 7, 0.7).kept == pytest.approx((3.03 + 2.59 + 3.27) / 3, rel=0.07)
    assert 4.0 == drafting_of("ngram", 3, 1.0).kept
    assert 1.0 == drafting_of("ngram", 3, 0.0).kept


def test_drafts_pay_for_one_user_and_not_for_many() -> None:
    """The published gain for one user is 1.7 to 2.0; among many the rejected drafts take the others' time."""
    drafts = SpeculativeDecoding("eagle3")
    gains = [tpot_ms(users, None) / tpot_ms(users, drafts) for users in (1, 32, 256, 1024)]

    assert 1.69 <= gains[0] <= 2.1
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < 1


@pytest.mark.parametrize("method", METHODS)
def test_what_is_not_published_must_be_said(method: str) -> None:
    """A method without a published acceptance rate is refused until the request states one."""
    asked = Query(replace(LONG, speculative_decoding=SpeculativeDecoding(method)))
    stated = replace(asked, workload=replace(LONG, speculative_decoding=SpeculativeDecoding(method, 3, 0.5)))
    faults = faults_of(asked, bundled_market())

    assert (METHODS[method].acceptance_rate is None) == bool(faults)
    assert () == tuple(faults_of(stated, bundled_market()))
    if not faults:
        job = job_of(asked)
        filled = job.workload.speculative_decoding
        assert filled is not None
        assert METHODS[method].acceptance_rate == filled.acceptance_rate
        assert "speculative_decoding.acceptance_rate" in [one.field for one in job.assumptions]


def test_cached_tokens_are_not_computed() -> None:
    """More of the prompt in the cache: an earlier first token and more requests a second."""
    outcomes = [
        selected(Query(replace(LONG, requests_per_second=1.0, prefix_cache_hit_rate=rate), NODES)).estimates.outcome
        for rate in (0.0, 0.5, 0.9, 1.0)
    ]
    first = [float(one.latency_ms[0]) for one in outcomes]
    capacity = [float(one.capacity[0]) for one in outcomes]

    assert first == sorted(first, reverse=True)
    assert first[-1] < 0.5 * first[0]
    assert capacity == sorted(capacity)
