"""Faults of terms: every one is named, with the pointer of what is to be mended."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.admission import faults_of, faults_of_terms
from plimsoll_service.engine.workload import (
    Commitment,
    Constraints,
    Discount,
    Hardware,
    Query,
    Quota,
    Terms,
    Workload,
)

AGREED = {"cloud": "aws", "kind": "reserved"}


@pytest.mark.parametrize(
    ("commitment", "pointer", "words"),
    [
        (Commitment("awz", "reserved", percent=10), "cloud", "'aws'"),
        (Commitment(**AGREED, percent=10, families=("p4d", "p99")), "families/1", "unknown instance family 'p99'"),
        (
            Commitment(**AGREED, percent=10, instance_types=("p4d.24xlarge", "p4d.48xlarge")),
            "instance_types/1",
            "unknown instance type of aws 'p4d.48xlarge'",
        ),
        (Commitment(**AGREED, percent=10, regions=("us-east-9",)), "regions/0", "unknown region 'us-east-9'"),
        (Commitment(**AGREED, usd_per_hour=1.0, families=("g5",)), "usd_per_hour", "8 instance types"),
        (Commitment(**AGREED, usd_per_hour=1.0), "usd_per_hour", "the price of one machine"),
    ],
)
def test_a_fault_of_a_commitment_is_named(commitment: Commitment, pointer: str, words: str) -> None:
    """What it covers must exist in its cloud, and a price in USD is that of one instance type."""
    query = Query(Workload("training"), Constraints(commitments=(commitment,)))
    [fault] = faults_of(query, bundled_market())
    assert f"/constraints/commitments/0/{pointer}" == fault.pointer
    assert words in fault.detail


@pytest.mark.parametrize(
    "commitment",
    [
        Commitment(**AGREED, usd_per_hour=12.0, families=("p4d",)),
        Commitment(**AGREED, usd_per_hour=12.0, instance_types=("p4d.24xlarge", "p4de.24xlarge")),
        Commitment("gcp", "savings_plan", percent=45),
    ],
)
def test_a_sound_commitment_is_admitted(commitment: Commitment) -> None:
    """A family of one type may have a price in USD; a whole cloud may have percent."""
    assert () == faults_of(Query(Workload("training"), Constraints(commitments=(commitment,))), bundled_market())


def test_all_faults_of_an_operator_s_terms_are_named_at_once() -> None:
    """Pointers are those of the file."""
    terms = Terms(
        discounts=(Discount("awz", 10),),
        commitments=(Commitment("aws", "reserved", percent=5, families=("p99",)),),
        quotas=(Quota("aws", 1, ("g99",)),),
        own_machines=(Hardware(accelerator="V100"), Hardware(cloud="aws", instance_type="p3.2xlarge")),
    )
    found = {fault.pointer for fault in faults_of_terms(terms, bundled_market())}
    assert {
        "/discounts/0/cloud",
        "/commitments/0/families/0",
        "/quotas/0/families/0",
        "/own_machines/0/usd_per_hour",
        "/own_machines/1",
    } == found
