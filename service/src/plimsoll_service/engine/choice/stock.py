"""What candidates may be rented at, whatever the amount of work: an offer for each wanted purchase option."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice.contenders import Field
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.sales import sales_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.spot import INTERRUPTIONS_PER_HOUR
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Flags, Floats, Ints, known_or
from plimsoll_service.engine.prices import Prices

SPOT = PURCHASE_NAMES.index("spot")


@dataclass(frozen=True, eq=False)
class Stock:
    """One row a candidate and purchase option: all candidates under the first option, then all under the next."""

    candidate: Ints
    purchase: Ints
    offer: Ints  # row of the market's offers; -1 for own machines (and where there is no price)
    usd_per_hour: Floats  # one machine; NaN where there is no price
    disk_factor: Floats  # what the candidate's volume costs in the offer's region over its row in the table
    interruptions_per_hour: Floats  # of one machine; 0 but on spot
    masks: dict[str, Flags]  # rows that may be rented, by each reason why others may not

    def __len__(self) -> int:
        return len(self.candidate)


def stock_of(job: Job, market: Market, own: OwnMachines, field: Field, nodes: Floats) -> Stock:
    """Each of the field's candidates at its cheapest allowed offer, when ``nodes`` machines are rented."""
    sales = sales_of(job, market, own, field.prices, field.machine_row, nodes)
    candidates = len(nodes)
    offer = np.concatenate([sale.offer for sale in sales])
    purchase = np.repeat(np.array([sale.purchase for sale in sales], dtype=np.int32), candidates)
    return Stock(
        candidate=np.tile(np.arange(candidates, dtype=np.int32), len(sales)),
        purchase=purchase,
        offer=offer,
        usd_per_hour=np.concatenate([sale.usd_per_hour for sale in sales]),
        disk_factor=region_factor(market.prices, np.tile(field.contenders.product, len(sales)), offer),
        interruptions_per_hour=interruption_rate(job, market.prices, purchase, offer),
        masks={name: np.concatenate([sale.masks[name] for sale in sales]) for name in sales[0].masks},
    )


def one_item(job: Job, prices: Prices, product: Ints, purchase: int, offer: Ints, usd_per_hour: Floats) -> Stock:
    """A single candidate under a single purchase option."""
    bought = np.array([purchase], dtype=np.int32)
    return Stock(
        candidate=np.zeros(1, dtype=np.int32),
        purchase=bought,
        offer=offer,
        usd_per_hour=usd_per_hour,
        disk_factor=region_factor(prices, product, offer),
        interruptions_per_hour=interruption_rate(job, prices, bought, offer),
        masks={},
    )


def region_factor(prices: Prices, product: Ints, offer: Ints) -> Floats:
    """What the volume costs in the offer's region over its row in the table; 1 without either."""
    placed = (product >= 0) & (offer >= 0)
    factor = np.ones(len(offer))
    factor[placed] = prices.region_factor[product[placed], prices.offers.region[offer[placed]]]
    return factor


def interruption_rate(job: Job, prices: Prices, purchase: Ints, offer: Ints) -> Floats:
    """Interruptions of one machine an hour: as the request says, else as the price feed does, else as assumed."""
    stated = job.workload.interruptions_per_hour
    rate = np.zeros(len(offer))
    rate[purchase == SPOT] = INTERRUPTIONS_PER_HOUR if stated is None else stated
    if stated is None:
        offered = (purchase == SPOT) & (offer >= 0)
        rate[offered] = known_or(prices.interruptions_per_hour[offer[offered]], INTERRUPTIONS_PER_HOUR)
    return rate
