"""The offer at which each candidate is rented: the cheapest allowed one under own terms, for each purchase option."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.market import Market, Sold, sold
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.terms import ON_DEMAND, OwnPrices
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Sale:
    """One purchase option for each candidate: its offer (-1: none) and price, and which have none for which reason."""

    purchase: int
    offer: Ints
    usd_per_hour: Floats
    masks: dict[str, Flags]


def sales_of(
    job: Job, market: Market, own: OwnMachines, prices: OwnPrices, row: Ints, nodes: Floats
) -> tuple[Sale, ...]:
    """The wanted purchase options of candidates, given as machine row and number of machines."""
    wanted = job.query.constraints.purchase or ("on_demand",)
    codes = [code for code, name in enumerate(PURCHASE_NAMES) if name in wanted]
    return tuple(_sale(job, market, own, prices, row, nodes, code) for code in codes)


def _sale(
    job: Job, market: Market, own: OwnMachines, prices: OwnPrices, row: Ints, nodes: Floats, purchase: int
) -> Sale:
    types = len(market.catalog.instance_types)
    mine = row >= types
    known = np.where(mine, 0, row)
    on_sale = _sold(job, market, prices, purchase)
    offer = np.where(mine, -1, on_sale.cheapest[known]).astype(np.int32)
    own_price = own.usd_per_hour[np.where(mine, row - types, 0)] if len(own) else np.full(len(row), np.nan)
    stated = np.where(mine & (purchase == ON_DEMAND), own_price, np.nan)
    price = np.where(offer >= 0, prices.usd_per_hour[np.maximum(offer, 0)], stated)
    if purchase == ON_DEMAND:
        _commit(job, market, prices, row, nodes, offer, price)
    masks = {
        "price": mine | on_sale.priced[known],
        "purchase": np.where(mine, purchase == ON_DEMAND, on_sale.offered[known]),
        "regions": mine | (offer >= 0),
    }
    return Sale(purchase, offer, price, masks)


def _sold(job: Job, market: Market, prices: OwnPrices, purchase: int) -> Sold:
    """What is sold under a purchase option; the answer for plain questions was found when the catalog was loaded."""
    constraints = job.query.constraints
    if not (constraints.regions or prices.percent is not None or _retired_too(job)):
        return market.sold[purchase]
    allowed = machine_constraints.region_mask(constraints, market)[market.offers.region]
    return sold(market.offers, market.first_offer, purchase, _current(job, market), allowed, prices.usd_per_hour)


def _retired_too(job: Job) -> bool:
    constraints = job.query.constraints
    return bool(constraints.instance_types or constraints.instance_families or constraints.retired)


def _current(job: Job, market: Market) -> Flags:
    """Offers that may be taken up: those still sold, and of what is named all."""
    if not _retired_too(job):
        return market.offers.current
    constraints = job.query.constraints
    named = machine_constraints.asked_for(constraints, market) | bool(constraints.retired)
    return market.offers.current | named[market.offers.instance_type]


def _commit(job: Job, market: Market, prices: OwnPrices, row: Ints, nodes: Floats, offer: Ints, price: Floats) -> None:
    """Offer and price of the candidates that a commitment touches, written over those found without it.

    How many machines it holds for decides the price, so each number of machines has a cheapest offer of its own.
    """
    covered = prices.covered()
    if covered is None:
        return
    offers = market.offers
    touched = np.zeros(len(market.catalog.instance_types) + 1, dtype=bool)  # the last: machines of one's own
    touched[offers.instance_type[covered]] = True
    allowed = machine_constraints.region_mask(job.query.constraints, market)[offers.region]
    open_to = allowed & _current(job, market) & (offers.purchase == ON_DEMAND) & touched[offers.instance_type]
    rows = np.flatnonzero(open_to).astype(np.int32)
    first = np.searchsorted(offers.instance_type[rows], np.arange(len(touched))).astype(np.int32)
    candidates = np.flatnonzero(touched[np.minimum(row, len(touched) - 1)] & (offer >= 0))
    for count in np.unique(nodes[candidates]):
        best = _cheapest(prices.of(rows, count), first)
        same = candidates[nodes[candidates] == count]
        chosen = rows[best[row[same]]]
        offer[same] = chosen
        price[same] = prices.of(chosen, count)


def _cheapest(usd_per_hour: Floats, first: Ints) -> Ints:
    """Per type the place of its lowest price, the first of equals; ``first`` is where each type's prices begin."""
    best = np.full(len(first) - 1, -1, dtype=np.int32)
    filled = np.flatnonzero(first[1:] > first[:-1])
    lowest = np.full(len(first) - 1, np.inf)
    lowest[filled] = np.minimum.reduceat(usd_per_hour, first[:-1][filled])
    lows = np.flatnonzero(usd_per_hour == np.repeat(lowest, np.diff(first)))[::-1]
    best[np.searchsorted(first, lows, side="right") - 1] = lows  # written backwards, so that the first of equals stays
    return best
