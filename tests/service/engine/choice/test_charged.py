"""Notes on prices: a spot price that one region alone asks."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, catalog_of
from tests.service.fitted import market_of

from plimsoll_service.engine.workload import Constraints, Query, Workload

WORK = Workload("training", framework="pytorch", model="resnet50")


@pytest.mark.parametrize(
    ("confidence", "elsewhere", "told"),
    [("list", 3.0, True), ("list", 1.4, False), ("estimated", 3.0, False)],
)
def test_a_spot_price_far_below_the_next_region_is_named(confidence: str, elsewhere: float, told: bool) -> None:
    """The answer gives both prices and the date; an estimated price has a range instead. Rule: spot-price-apart."""
    sales = tuple(
        Sale(usd, region, "spot", confidence=confidence)
        for usd, region in ((1.0, "us-east-1"), (elsewhere, "eu-west-1"))
    )
    asked = Query(WORK, Constraints(purchase=("spot",)))
    first = ask(asked, market_of(catalog_of(Box(sales=sales)))).recommendations[0]
    texts = [note.text for note in first.warnings if note.rule == "spot-price-apart"]

    assert bool(texts) == told
    assert all("us-east-1 is 1 USD per hour, dated 2026-11-01, and 3 in eu-west-1" in text for text in texts)
