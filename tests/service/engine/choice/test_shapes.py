"""Types that are one machine under several names are estimated once, and nothing in an answer tells."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loadtests.synthetic import resold, varied
from tests.service.engine.catalogs import STAMP, bundled_market, thinned_market
from tests.service.engine.workloads import queries
from tests.service.fitted import job_of, market_of

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.choice.shapes import Shapes
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.workload import Commitment, Constraints, Discount, Hardware, Query, Quota

TIMES = 7
STATED = (
    {},
    {"purchase": ("spot",)},
    {"purchase": ("on_demand", "spot")},
    {"max_usd_per_hour": 2.0},
    {"clouds": ("aws",), "regions": ("us-east-1", "eu-west-1")},
    {"exclude": ("p3", "m5.large~3")},
    {"quotas": (Quota("aws", 2),)},
    {"discounts": (Discount("aws", 30.0, ("p3",)),)},
    {"commitments": (Commitment("aws", "reserved", percent=40.0, max_nodes=2),)},
    {"own_machines": (Hardware(label="box", accelerator="A100-80GB", count=4, vcpus=64, usd_per_hour=3.0),)},
)


@cache
def shared() -> Market:
    """A market in which every machine is sold under several names."""
    return market_of(resold(thinned_market().catalog, TIMES))


@cache
def apart() -> Market:
    """The same market with each type estimated by itself."""
    every = np.arange(len(shared().catalog.instance_types), dtype=np.int32)
    return replace(shared(), shapes=Shapes(every, every, every), shape_machines=shared().machines)


def test_names_of_one_machine_share_a_shape() -> None:
    """So many types, and no more shapes than the catalog has that they were copied from."""
    assert len(shared().shapes) * TIMES <= len(shared().catalog.instance_types)
    for column in ("vcpus", "memory_gib", "devices", "network_gbps", "peak_tflops"):
        figures, shapes = getattr(shared().machines, column), shared().shapes
        np.testing.assert_array_equal(figures[shapes.row[shapes.of_type]], figures)


def test_where_few_types_are_alike_each_is_a_shape() -> None:
    """In the bundled catalog, and where no copy is like another, there is nothing to share."""
    for market in (bundled_market(), market_of(varied(thinned_market().catalog, 2))):
        assert len(market.shapes) == len(market.catalog.instance_types)


@pytest.mark.parametrize("stated", STATED, ids=lambda stated: "-".join(stated) or "plain")
@settings(max_examples=12, deadline=None)
@given(
    query=queries(),
    limits=st.sampled_from(({}, {"deadline_hours": 3.0}, {"budget_usd": 40.0})),
    limit=st.sampled_from((1, 3, 9)),
)
def test_answers_are_those_of_all_types_estimated_apart(
    stated: dict[str, object], query: Query, limits: dict[str, float], limit: int
) -> None:
    """Recommendations, frontier, counts of what was rejected and what to loosen: all the same."""
    workload = replace(query.workload, **limits) if job_of(query).kind in kind.JOB_KINDS else query.workload
    constraints = replace(query.constraints or Constraints(), **stated)
    asked = replace(query, workload=workload, constraints=constraints, limit=limit)
    assert recommend(asked, shared(), STAMP) == recommend(asked, apart(), STAMP)
