"""What offers cost under terms of one's own: discounts on list prices, and commitments for a number of machines.

The least of list, discounted and committed price counts; a commitment is not discounted further. Of n machines of which
c are committed at r, each costs (min(n, c)·r + max(n − c, 0)·p)/n on average, with p the list or discounted price.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine import names
from plimsoll_service.engine.choice.constraints import in_families, named_types, of_cloud
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Flags, Floats, Ints
from plimsoll_service.engine.workload import Commitment, Constraints, Discount

ON_DEMAND = PURCHASE_NAMES.index("on_demand")
WHOLE_PERCENT = 100


@dataclass(frozen=True, eq=False)
class Committed:
    """One commitment over the market's offers: which it covers, and what one machine costs under it."""

    commitment: Commitment
    covers: Flags
    usd_per_hour: Floats

    @property
    def most(self) -> float:
        """Machines that it holds for."""
        return np.inf if self.commitment.max_nodes is None else float(self.commitment.max_nodes)


@dataclass(frozen=True)
class Use:
    """What sets the price of some machines: a commitment or a discount, with its ``percent`` off the list price."""

    commitment: Commitment | None
    percent: float
    machines: float
    usd_per_hour: float


@dataclass(frozen=True, eq=False)
class OwnPrices:
    """All offers of a market under own terms; ``usd_per_hour`` without the commitments."""

    usd_per_hour: Floats
    types: Ints  # instance type of each offer
    percent: Floats | None  # discount by instance type; None where there is none
    committed: tuple[Committed, ...]

    def of(self, rows: Ints, nodes: float) -> Floats:
        """USD an hour of each of ``nodes`` machines under those offers, on average over the machines."""
        price: Floats = self.usd_per_hour[rows]
        if not self.committed or not len(rows):
            return price
        left, total = np.full(len(rows), float(nodes)), np.zeros(len(rows))
        for _, agreed, taken in self._taken(rows, nodes):
            total += np.where(taken > 0, agreed, 0.0) * taken
            left -= taken
        return np.where(left < nodes, (total + left * price) / nodes, price)

    def uses(self, offer: int, nodes: float) -> tuple[Use, ...]:
        """The terms that the price of so many machines under one offer rests on, the cheapest first."""
        if self.percent is None and not self.committed:
            return ()
        found = [
            _use(self.committed[int(place[0])].commitment, float(taken[0]), float(agreed[0]))
            for place, agreed, taken in self._taken(np.array([offer], dtype=np.int32), nodes)
            if taken[0] > 0
        ]
        left = nodes - sum(use.machines for use in found)
        percent = 0.0 if self.percent is None else float(self.percent[self.types[offer]])
        if left > 0 and percent > 0:
            found.append(Use(None, percent, left, float(self.usd_per_hour[offer])))
        return tuple(found)

    def _taken(self, rows: Ints, nodes: float) -> Iterator[tuple[Ints, Floats, Floats]]:
        """(commitment, its price, machines at it) of each offer, from its cheapest commitment on."""
        if not self.committed:
            return
        agreed = np.array([np.where(one.covers[rows], one.usd_per_hour[rows], np.inf) for one in self.committed])
        most = np.array([one.most for one in self.committed])
        left = np.full(len(rows), float(nodes))
        for place in np.argsort(agreed, axis=0, kind="stable"):
            price = np.take_along_axis(agreed, place[None], axis=0)[0]
            taken = np.where(price < self.usd_per_hour[rows], np.minimum(most[place], left), 0.0)
            left = left - taken
            yield place, price, taken

    def covered(self) -> Flags | None:
        """Offers that some commitment covers; None without commitments."""
        if not self.committed:
            return None
        together: Flags = np.any([one.covers for one in self.committed], axis=0)
        return together


def _use(commitment: Commitment, machines: float, usd_per_hour: float) -> Use:
    return Use(commitment, commitment.percent or 0.0, machines, usd_per_hour)


def own_prices(constraints: Constraints, market: Market) -> OwnPrices:
    """The market's prices under the terms among the constraints."""
    listed = market.offers.usd_per_hour
    percent = _percent(constraints.discounts, market) if constraints.discounts else None
    prices = listed if percent is None else listed * (1 - percent[market.offers.instance_type] / WHOLE_PERCENT)
    committed = tuple(_committed(one, market) for one in constraints.commitments or ())
    return OwnPrices(prices, market.offers.instance_type, percent, committed)


def _percent(discounts: Iterable[Discount], market: Market) -> Floats:
    """Of each instance type; the larger of two discounts counts."""
    percent = np.zeros(len(market.catalog.instance_types))
    for discount in discounts:
        rows = of_cloud(discount.cloud, market)
        if discount.families is not None:
            rows &= in_families(discount.families, market)
        percent[rows] = np.maximum(percent[rows], discount.percent)
    return percent


def _committed(one: Commitment, market: Market) -> Committed:
    offers = market.offers
    types = of_cloud(one.cloud, market)
    if one.instance_types is not None or one.families is not None:
        types &= named_types(one.instance_types or (), market) | in_families(one.families or (), market)
    covers = types[offers.instance_type] & (offers.purchase == ON_DEMAND)
    if one.regions is not None:
        wanted = {names.key(region) for region in one.regions}
        covers &= np.array([names.key(name) in wanted for name in market.catalog.regions.name])[offers.region]
    listed = offers.usd_per_hour
    if one.percent is not None:
        return Committed(one, covers, listed * (1 - one.percent / WHOLE_PERCENT))
    return Committed(one, covers, np.full(len(listed), np.nan if one.usd_per_hour is None else one.usd_per_hour))
