"""Prices under terms of one's own: what counts, for how many machines, in which region, and how it is explained."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.engine.catalogs import Box, Sale, ask, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Answer, Recommendation
from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.choice.pricing_agreements import agreed_prices
from plimsoll_service.engine.workload import Commitment, Constraints, Discount, Hardware, Query, Workload

WORK = Workload("training", model="resnet-50", epochs=10)
BOXES = (
    Box("p3.2xlarge", (Sale(3.0), Sale(2.8, "eu-west-1"), Sale(0.9, purchase="spot"))),
    Box("p3.8xlarge", (Sale(12.0),), count=4, vcpus=32),
    Box("g4dn.xlarge", (Sale(0.5),), family="g4dn", accelerator="T4"),
    Box("a2-highgpu-1g", (Sale(3.6, "us-central1"),), cloud="gcp", family="a2", accelerator="A100-40GB"),
)
MARKET = made_up(*BOXES)
RESERVED = Commitment("aws", "reserved", usd_per_hour=1.5, instance_types=("p3.2xlarge",))


def answer(*commitments: Commitment, **others: object) -> Answer:
    constraints = Constraints(**{"max_nodes": 1, **others}, commitments=commitments)
    return ask(Query(WORK, constraints, limit=100, group="none"), MARKET)


def option(name: str, *commitments: Commitment, nodes: int = 1, purchase: str = "on_demand", **others: object):
    """The recommendation of so many machines of one type."""
    found = answer(*commitments, purchase=(purchase,), max_nodes=nodes, **others)
    return next(one for one in found.recommendations if (one.instance_type, one.node_count) == (name, nodes))


def test_a_price_agreed_beforehand_counts() -> None:
    """A reserved price in USD is the price, of its types alone."""
    found = {one.instance_type: one.price.usd_per_hour for one in answer(RESERVED).recommendations}
    assert {"p3.2xlarge": 1.5, "p3.8xlarge": 12.0, "g4dn.xlarge": 0.5, "a2-highgpu-1g": 3.6} == found


def test_percent_is_off_the_list_price_of_what_it_covers() -> None:
    """A savings plan of a family leaves other families and clouds alone; one of a cloud covers all of it."""
    family = answer(Commitment("aws", "savings_plan", percent=40, families=("p3",))).recommendations
    assert [0.5, 1.68, 3.6, 7.2] == sorted(one.price.usd_per_hour for one in family)
    cloud = answer(Commitment("gcp", "savings_plan", percent=50)).recommendations
    assert {2.8, 12.0, 0.5, 1.8} == {one.price.usd_per_hour for one in cloud}


def test_a_dearer_commitment_does_not_count() -> None:
    """A list price below the agreed price applies, and no text mentions the agreement."""
    found = option("p3.2xlarge", Commitment("aws", "reserved", usd_per_hour=2.9, instance_types=("p3.2xlarge",)))
    assert 2.8 == found.price.usd_per_hour
    assert "made up" == found.price.source


@pytest.mark.parametrize(("percent", "expected"), [(20, 1.5), (50, 1.4)])
def test_discounts_do_not_add_to_commitments(percent: float, expected: float) -> None:
    """The lower of the discounted and the agreed price counts."""
    found = option("p3.2xlarge", RESERVED, discounts=(Discount("aws", percent),))
    assert pytest.approx(expected) == found.price.usd_per_hour


def test_beyond_what_was_agreed_the_list_price_holds() -> None:
    """Four machines of which two are reserved cost the mean of both prices; the discount is on the other two."""
    two = Commitment("aws", "reserved", usd_per_hour=4.0, instance_types=("p3.8xlarge",), max_nodes=2)
    assert 4.0 == option("p3.8xlarge", two, nodes=2).price.usd_per_hour
    assert (2 * 4 + 2 * 12) / 4 == option("p3.8xlarge", two, nodes=4).price.usd_per_hour
    discounted = option("p3.8xlarge", two, nodes=4, discounts=(Discount("aws", 25),))
    assert (2 * 4 + 2 * 9) / 4 == discounted.price.usd_per_hour


def test_commitments_add_up_cheapest_first() -> None:
    """One machine is reserved, two more are under a savings plan, the fourth costs the list price."""
    one = Commitment("aws", "reserved", usd_per_hour=3.0, instance_types=("p3.8xlarge",), max_nodes=1)
    two = Commitment("aws", "savings_plan", percent=50, families=("p3",), max_nodes=2)
    assert (3 + 2 * 6 + 12) / 4 == option("p3.8xlarge", two, one, nodes=4).price.usd_per_hour


@pytest.mark.parametrize(
    ("nodes", "region", "price"), [(1, "us-east-1", 1.0), (8, "us-east-1", 2.75), (16, "eu-west-1", 2.8)]
)
def test_the_cheapest_region_depends_on_how_many_are_covered(nodes: int, region: str, price: float) -> None:
    """One reserved machine draws a few to its region, but not many."""
    here = Commitment(
        "aws", "reserved", usd_per_hour=1.0, instance_types=("p3.2xlarge",), regions=("us-east-1",), max_nodes=1
    )
    found = option("p3.2xlarge", here, nodes=nodes)
    assert (region, price) == (found.region, found.price.usd_per_hour)
    other = {"us-east-1": ("eu-west-1", 2.8), "eu-west-1": ("us-east-1", 2.875)}[region]
    assert [other] == [(one.region, one.usd_per_hour) for one in found.other_regions]


def test_spot_is_not_committed() -> None:
    """A commitment is for use on demand."""
    low = Commitment("aws", "reserved", usd_per_hour=0.1, instance_types=("p3.2xlarge",))
    assert 0.9 == option("p3.2xlarge", low, purchase="spot").price.usd_per_hour


def test_a_region_that_is_not_allowed_is_not_used() -> None:
    """A commitment in another region changes nothing."""
    there = Commitment("aws", "reserved", percent=90, regions=("eu-west-1",))
    assert 3.0 == option("p3.2xlarge", there, regions=("us-east-1",)).price.usd_per_hour


def rules(found: Recommendation) -> list[str]:
    return [note.rule for note in found.reasons if note.rule.startswith("own-")]


def test_a_price_says_which_terms_it_rests_on() -> None:
    """Wholly agreed it has no date; percent of a dated price keep its date; a mixture is derived."""
    agreed = option("p3.2xlarge", RESERVED)
    assert (
        "pricing agreement: 1.5 USD per hour (reserved); list price 3 USD per hour from made up" == agreed.price.source
    )
    assert (None, "list", ["own-commitment"]) == (agreed.price.as_of, agreed.price.confidence, rules(agreed))
    percent = option("p3.8xlarge", Commitment("aws", "savings_plan", percent=50))
    assert ("2026-11-01", "list") == (percent.price.as_of, percent.price.confidence)
    two = Commitment("aws", "reserved", usd_per_hour=4.0, instance_types=("p3.8xlarge",), max_nodes=2)
    mixed = option("p3.8xlarge", two, nodes=4, discounts=(Discount("aws", 25),))
    text = "4 USD per hour (reserved) for 2 of 4 machines, 9 USD per hour (25% discount) for 2 of 4 machines"
    assert f"pricing agreement: {text}; list price 12 USD per hour from made up" == mixed.price.source
    assert ("2026-11-01", "derived") == (mixed.price.as_of, mixed.price.confidence)
    assert ["own-commitment", "own-discount"] == rules(mixed)


def test_a_given_machine_costs_what_a_recommended_one_does() -> None:
    """An estimate on four machines has the same price, source and region."""
    here = Commitment(
        "aws", "reserved", usd_per_hour=1.0, instance_types=("p3.2xlarge",), regions=("us-east-1",), max_nodes=2
    )
    query = Query(WORK, Constraints(commitments=(here,)))
    on = Hardware(cloud="aws", instance_type="p3.2xlarge", node_count=4)
    assert option("p3.2xlarge", here, nodes=4).price == named_hardware_of(job_of(query), MARKET, on).price


prices = st.floats(0.1, 6.0)
agreements = st.lists(
    st.builds(
        Commitment,
        cloud=st.sampled_from(("aws", "gcp")),
        kind=st.just("reserved"),
        usd_per_hour=prices,
        instance_types=st.sampled_from((("p3.2xlarge",), ("p3.8xlarge", "a2-highgpu-1g"))),
        max_nodes=st.one_of(st.none(), st.integers(1, 5)),
    ),
    max_size=5,
)


@given(agreements, st.integers(1, 20), st.floats(0, 90))
def test_each_machine_is_had_at_the_least_it_can_be_had_for(
    commitments: list[Commitment], nodes: int, percent: float
) -> None:
    """The price is the mean of the ``nodes`` cheapest places, of which each commitment has so many."""
    constraints = Constraints(commitments=tuple(commitments), discounts=(Discount("aws", percent),))
    found = agreed_prices(constraints, MARKET).of(np.arange(len(MARKET.offers), dtype=np.int32), nodes)
    types = MARKET.catalog.instance_types
    for row, price in enumerate(found):
        kind = int(MARKET.offers.instance_type[row])
        off = 1 - percent / 100 if types.cloud[kind] == "aws" else 1.0
        places = [MARKET.offers.usd_per_hour[row] * off] * nodes
        for one in commitments:
            covers = one.cloud == types.cloud[kind] and types.name[kind] in (one.instance_types or ())
            if covers and MARKET.offers.purchase[row] == 0:
                places += [one.usd_per_hour or 0.0] * (one.max_nodes or nodes)
        assert price == pytest.approx(sum(sorted(places)[:nodes]) / nodes)


DOUBTED = made_up(
    Box("listed", (Sale(4.0),)),
    Box("old", (Sale(3.0, confidence="undated"),), cloud="gcp"),
    Box("spotty", (Sale(5.0), Sale(2.0, purchase="spot", confidence="estimated")), family="g5"),
)


@pytest.mark.parametrize(
    ("name", "purchase", "doubted"),
    [("listed", "on_demand", False), ("old", "on_demand", True), ("spotty", "spot", True)],
)
def test_price_in_doubt_has_a_range(name: str, purchase: str, doubted: bool) -> None:
    """An estimated or undated price says between what it may lie, in the warning too; a quoted one has no range."""
    query = Query(WORK, Constraints(instance_types=(name,), purchase=(purchase,), max_nodes=1))
    [one] = ask(query, DOUBTED).recommendations

    assert doubted == (one.price.low is not None) == (one.price.high is not None)
    if doubted:
        assert one.price.low < one.price.usd_per_hour < one.price.high
        assert any("USD per hour" in note.text for note in one.warnings if note.rule == "price-quality")


def test_discount_narrows_the_range_in_proportion() -> None:
    """The range is of what is paid."""
    plain, agreed = (
        ask(Query(WORK, Constraints(instance_types=("old",), max_nodes=1, discounts=terms)), DOUBTED)
        for terms in ((), (Discount("gcp", 50),))
    )
    whole, half = (found.recommendations[0].price for found in (plain, agreed))

    assert (half.low, half.usd_per_hour, half.high) == pytest.approx(
        (whole.low / 2, whole.usd_per_hour / 2, whole.high / 2), rel=1e-4
    )
