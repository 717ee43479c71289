"""The operator's terms in every query: joined to what it states, kept out where it asks for something else."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, Sale, made_up

from plimsoll_service.engine.choice.pricing_agreements import NO_TERMS, assumed_of_terms, concerning, with_terms
from plimsoll_service.engine.workload import Commitment, Constraints, Discount, Hardware, Query, Quota, Terms, Workload

MARKET = made_up(Box(), Box("n1", (Sale(2.0, "us-central1"),), cloud="gcp", family="n1"))
LAB = Hardware(label="lab", accelerator="V100", count=4, vcpus=32, memory_gib=256, usd_per_hour=0.8, max_nodes=3)
TERMS = Terms(
    discounts=(Discount("aws", 20),),
    commitments=(Commitment("gcp", "savings_plan", percent=45),),
    quotas=(Quota("aws", 2),),
    own_machines=(LAB,),
)


def joined(**stated: object) -> Constraints:
    constraints = Constraints(**stated)
    return with_terms(Query(Workload("training"), constraints), concerning(constraints, TERMS, MARKET)).constraints


def test_terms_stand_after_what_the_query_states() -> None:
    """Both are in the constraints, where the larger discount and the smaller quota count."""
    found = joined(discounts=(Discount("aws", 5),), quotas=(Quota("aws", 1),))
    assert (Discount("aws", 5), Discount("aws", 20)) == found.discounts
    assert (Quota("aws", 1), Quota("aws", 2)) == found.quotas
    assert TERMS.commitments == found.commitments
    assert (LAB,) == found.own_machines


def test_terms_of_clouds_that_are_not_asked_for_stay_out() -> None:
    """A query kept to one cloud, however it is spelt, meets that cloud's terms alone."""
    found = joined(clouds=("AWS",))
    assert TERMS == concerning(Constraints(exclude_clouds=("azure",)), TERMS, MARKET)
    assert (None, None) == (joined(exclude_clouds=("aws",)).discounts, joined(exclude_clouds=("aws",)).quotas)
    assert TERMS.discounts == found.discounts
    assert (None, None) == (found.commitments, found.own_machines)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, True),
        ({"clouds": ("own",)}, True),
        ({"clouds": ("aws", "own")}, True),
        ({"clouds": ()}, True),
        ({"exclude_clouds": ("aws",)}, True),
        ({"exclude_clouds": ("own",)}, False),
        ({"regions": ("us-east-1",)}, False),
        ({"instance_types": ("box",)}, False),
        ({"instance_families": ("p3",)}, False),
        ({"architectures": ("x86_64",)}, False),
        ({"accelerators": ("v100",)}, True),
        ({"accelerators": ("T4",)}, False),
        ({"min_vcpus": 32.0}, True),
        ({"min_vcpus": 33.0}, False),
        ({"max_accelerators": 0.0}, False),
        ({"min_memory_gib": 300.0}, False),
        ({"min_accelerator_memory_gib": 16.0}, True),
        ({"min_accelerator_memory_gib": 24.0}, False),
        ({"exclude": ("p3",)}, True),
    ],
)
def test_own_machines_are_candidates_where_the_query_lets_them_in(stated: dict[str, object], expected: bool) -> None:
    """Not where it names what a provider has, nor where they have too little of what it asks for."""
    assert expected == (joined(**stated).own_machines is not None)


def test_each_term_that_concerns_a_query_is_listed() -> None:
    """An assumption names the field and says the term in the contract's words."""
    listed = assumed_of_terms(concerning(Constraints(clouds=("aws",)), TERMS, MARKET))
    assert [
        ("constraints.discounts", {"cloud": "aws", "percent": 20}),
        ("constraints.quotas", {"cloud": "aws", "max_nodes": 2}),
    ] == [(one.field, one.value) for one in listed]


def test_without_terms_nothing_changes() -> None:
    """A query is the same, and nothing is listed."""
    query = Query(Workload("training"), Constraints(clouds=("aws",)))
    assert query is with_terms(query, concerning(query.constraints, NO_TERMS, MARKET))
    assert () == assumed_of_terms(NO_TERMS)
