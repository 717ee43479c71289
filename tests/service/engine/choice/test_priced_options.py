"""The offer at which each type is rented is the one that trying every offer would find, in regions and under terms."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.constraints import region_mask
from plimsoll_service.engine.choice.priced_options import commit, sold_under
from plimsoll_service.engine.choice.pricing_agreements import agreed_prices
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import ON_DEMAND
from plimsoll_service.engine.workload import Commitment, Constraints, Discount, Query, Workload

MARKET = bundled_market()
ROWS = np.arange(0, len(MARKET.catalog.instance_types), 7, dtype=np.int32)
NODES = np.resize([1.0, 3.0, 16.0], len(ROWS))
TERMS = (Discount("gcp", 12.5), Discount("aws", 5.0))
HALF = Commitment("gcp", "reserved", percent=50)
FEW = Commitment("gcp", "savings_plan", percent=30, max_nodes=2)
STATED = Commitment("aws", "reserved", usd_per_hour=1.0, families=("g4dn",), max_nodes=3)
NEAR = Commitment("aws", "savings_plan", percent=20, regions=("us-east-1",))


def job(**constraints: object) -> Job:
    return job_of(Query(Workload("training", model="resnet50", epochs=1), Constraints(**constraints)))


def allowed_offers(one: Job, row: int, purchase: int) -> np.ndarray:
    """All offers of a type that may be taken up."""
    offers = MARKET.offers
    mine = np.arange(MARKET.first_offer[row], MARKET.first_offer[row + 1])
    open_to = region_mask(one.query.constraints, MARKET)[offers.region[mine]] & MARKET.current[mine]
    return mine[open_to & (offers.purchase[mine] == purchase)]


@pytest.mark.parametrize("regions", [None, ("us-east-1",), ("us-east-1", "europe-west4"), ("no-such-region",)])
@pytest.mark.parametrize("discounts", [(), TERMS])
@pytest.mark.parametrize("purchase", [0, 1])
def test_each_type_is_had_at_its_cheapest_allowed_offer(
    regions: tuple[str, ...] | None, discounts: tuple[Discount, ...], purchase: int
) -> None:
    """In whatever regions, under whatever discounts; the first of equals, and none where none is allowed."""
    one = job(regions=regions, discounts=discounts)
    prices = agreed_prices(one.query.constraints, MARKET)

    cheapest = sold_under(one.query.constraints, MARKET, purchase).cheapest

    for row, offer in zip(ROWS.tolist(), cheapest[ROWS].tolist(), strict=True):
        mine = allowed_offers(one, row, purchase)
        assert offer == (mine[np.argmin(prices.of(mine, 1))] if len(mine) else -1)


@pytest.mark.parametrize("commitments", [(HALF,), (FEW,), (HALF, FEW), (STATED,), (NEAR, FEW), (STATED, NEAR)])
@pytest.mark.parametrize("regions", [None, ("us-east-1", "us-west-2", "europe-west4")])
def test_commitments_are_taken_where_so_many_machines_come_cheapest(
    commitments: tuple[Commitment, ...], regions: tuple[str, ...] | None
) -> None:
    """Whether they take as much off every offer of a type or not, the offer is what trying each would find."""
    one = job(regions=regions, commitments=commitments, discounts=TERMS)
    prices = agreed_prices(one.query.constraints, MARKET)
    offer = sold_under(one.query.constraints, MARKET, ON_DEMAND).cheapest[ROWS].astype(np.int32)
    price = np.where(offer >= 0, prices.uncommitted(np.maximum(offer, 0)), np.nan)

    commit(one.query.constraints, MARKET, prices, ROWS, NODES, offer, price)

    for row, nodes, found, paid in zip(ROWS.tolist(), NODES.tolist(), offer.tolist(), price.tolist(), strict=True):
        mine = allowed_offers(one, row, ON_DEMAND)
        each = prices.of(mine, nodes)
        assert found == (mine[np.argmin(each)] if len(mine) else -1)
        assert np.isnan(paid) if found < 0 else paid == each.min()
