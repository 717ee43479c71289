"""Priced options: candidates under each purchase option, each at its offer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..demand.job import Job
from ..estimate.spot import INTERRUPTIONS_PER_HOUR
from ..hardware import ON_DEMAND, SPOT, Flags, Floats, Ints, Places, known_or
from ..prices import Prices
from ..workload import Constraints
from .billing import Billed, billed_of
from .candidates import Candidates
from .constraints import quota_nodes
from .market import Market, Sold
from .offers import commit, purchases_of, sold_under
from .own_machines import OwnMachines
from .pricing_agreements import LISTED, AgreedPrices

Array = TypeVar("Array", bound=NDArray[Any])


@dataclass(frozen=True, eq=False)
class PricedOptions:
    """One row per candidate and purchase option: all candidates under the first option, then under the next."""

    candidate: Places
    purchase: Ints
    machine_row: Places  # of the catalog's types; those of the user's own machines follow
    offer: Ints  # row of the market's offers; -1 for own machines, or without a price
    usd_per_hour: Floats  # of one machine; NaN without a price
    disk_factor: Floats  # price of the candidate's volume in the offer's region, relative to the table
    interruptions_per_hour: Floats  # of one machine; 0 except on spot
    price_sigma: Floats  # σ of the price's logarithm; 0 where the price is certain
    billed: Billed  # the least that a start is billed
    volumes_stay: Flags  # when spot capacity is interrupted
    listings: Flags  # of a marketplace: one host each
    name_order: Ints  # the last tie-break
    quota: Floats  # machines that may be rented
    masks: dict[str, Flags]  # rows that may be rented, by the reason that excludes the others
    purchases: int  # number of purchase options, each a block of rows

    def __len__(self) -> int:
        return len(self.candidate)

    @cached_property
    def price_factor(self) -> Floats:
        """Mean of each price over the stated one; 1 where the price is certain."""
        return np.exp(self.price_sigma * self.price_sigma / 2)

    @cached_property
    def on_spot(self) -> bool:
        """Whether any row is on spot."""
        return bool(np.any(self.purchase == SPOT))

    @cached_property
    def rationed(self) -> bool:
        """Whether any row has a quota."""
        return bool(np.any(self.quota < np.inf))

    @cached_property
    def available(self) -> Flags:
        """Rows that may be rented."""
        rows = np.ones(len(self), dtype=bool)
        for passing in self.masks.values():
            rows &= passing
        return rows

    def candidates_left(self, alive: Flags) -> int:
        """Return the number of candidates with an option that is alive."""
        each = alive if self.purchases == 1 else np.any(alive.reshape(self.purchases, -1), axis=0)
        return int(np.count_nonzero(each))

    def each(self, column: Array) -> Array:
        """Return a column of the candidates as a column of the options."""
        return cast(Array, np.tile(column, self.purchases)) if self.purchases > 1 else column


@dataclass(frozen=True, eq=False)
class _Block:
    """Candidates under one purchase option."""

    purchase: Ints
    offer: Ints
    usd_per_hour: Floats
    disk_factor: Floats
    interruptions_per_hour: Floats
    offered: Flags
    in_region: Flags
    confident: Flags | None  # None if any confidence will do


def priced_options_of(
    job: Job, market: Market, own: OwnMachines, candidates: Candidates, prices: AgreedPrices, nodes: Floats
) -> PricedOptions:
    """Return the candidates at their cheapest allowed offers if ``nodes`` machines are rented."""
    constraints, types, row = job.query.constraints, len(market.catalog.instance_types), candidates.row
    wanted = purchases_of(constraints)
    blocks = [_block(job, market, own, candidates, prices, nodes, purchase) for purchase in wanted]
    mine = candidates.described
    catalog_row, own_row = np.where(mine, 0, row), np.where(mine, row - types, 0)
    name_order, quota = market.name_order[catalog_row], quota_nodes(constraints, market)[catalog_row]
    billed = np.where(mine, 0.0, market.billed[:, catalog_row])
    if len(own):
        name_order, quota = np.where(mine, row, name_order), np.where(mine, own.max_nodes[own_row], quota)
    several, confident = len(blocks), [one.confident for one in blocks if one.confident is not None]
    return PricedOptions(
        candidate=np.tile(np.arange(len(row)), several),
        purchase=np.concatenate([one.purchase for one in blocks]),
        machine_row=np.tile(row.astype(np.intp), several),
        offer=np.concatenate([one.offer for one in blocks]),
        usd_per_hour=np.concatenate([one.usd_per_hour for one in blocks]),
        disk_factor=np.concatenate([one.disk_factor for one in blocks]),
        interruptions_per_hour=np.concatenate([one.interruptions_per_hour for one in blocks]),
        price_sigma=price_sigma(market.prices, np.concatenate([one.offer for one in blocks])),
        billed=billed_of(np.tile(billed, several)),
        volumes_stay=np.tile(~mine & market.volumes_stay[catalog_row], several),
        listings=np.tile(~mine & market.listings[catalog_row], several),
        name_order=np.tile(name_order, several),
        quota=np.tile(quota, several),
        masks={
            "purchase": np.concatenate([one.offered for one in blocks]),
            "regions": np.concatenate([one.in_region for one in blocks]),
            **({"price_confidence": np.concatenate(confident)} if confident else {}),
        },
        purchases=several,
    )


def _block(
    job: Job, market: Market, own: OwnMachines, candidates: Candidates, prices: AgreedPrices, nodes: Floats,
    purchase: int,
) -> _Block:  # fmt: skip
    """Candidates under one purchase option; the user's own machines have their own price, on demand."""
    constraints, mine, row = job.query.constraints, candidates.described, candidates.row
    sold = sold_under(constraints, market, purchase)
    anything = _at_any_confidence(constraints, market, purchase, sold)
    catalog_row = np.where(mine, 0, row)
    offer = np.where(mine, np.int32(-1), sold.cheapest[catalog_row])
    usd_per_hour = np.where(offer >= 0, prices.uncommitted(np.maximum(offer, 0)), np.nan)
    if len(own) and purchase == ON_DEMAND:
        usd_per_hour[mine] = own.usd_per_hour[row[mine] - len(market.catalog.instance_types)]
    block = _Block(
        purchase=np.full(len(row), purchase, dtype=np.int32),
        offer=offer,
        usd_per_hour=usd_per_hour,
        disk_factor=region_factor(market.prices, candidates.product, offer),
        interruptions_per_hour=interruption_rate(job, market.prices, purchase, offer),
        offered=np.where(mine, purchase == ON_DEMAND, sold.offered[catalog_row]),
        in_region=mine | ((offer if anything is sold else anything.cheapest[catalog_row]) >= 0),
        confident=_confident(constraints, mine, offer),
    )
    if purchase == ON_DEMAND:
        commit(constraints, market, prices, row, nodes, offer, usd_per_hour)
    return block


def _at_any_confidence(constraints: Constraints, market: Market, purchase: int, sold: Sold) -> Sold:
    """Offers as if prices of any confidence were allowed; ``sold`` if they are."""
    if not constraints.price_confidence:
        return sold
    return sold_under(replace(constraints, price_confidence=None), market, purchase)


def _confident(constraints: Constraints, mine: Flags, offer: Ints) -> Flags | None:
    """Rows with an offer of an allowed confidence; the user states the price of an own machine."""
    if not constraints.price_confidence:
        return None
    return np.where(mine, LISTED in constraints.price_confidence, offer >= 0)


def one_priced_option(
    job: Job,
    prices: Prices,
    product: Ints,
    purchase: int,
    offer: Ints,
    usd_per_hour: Floats,
    billed: Floats,
    volumes_stay: Flags,
    listings: Flags,
) -> PricedOptions:
    """Return one candidate under one purchase option; the last three are as in ``Market``."""
    nothing, only = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.intp)
    return PricedOptions(
        candidate=only,
        purchase=np.array([purchase], dtype=np.int32),
        machine_row=only,
        offer=offer,
        usd_per_hour=usd_per_hour,
        disk_factor=region_factor(prices, product, offer),
        interruptions_per_hour=interruption_rate(job, prices, purchase, offer),
        price_sigma=price_sigma(prices, offer),
        billed=billed_of(billed),
        volumes_stay=volumes_stay,
        listings=listings,
        name_order=nothing,
        quota=np.full(1, np.inf),
        masks={},
        purchases=1,
    )


def price_sigma(prices: Prices, offer: Ints) -> Floats:
    """Return σ of the logarithm of each price; 0 where the price is certain, or stated by the user."""
    return np.where(offer >= 0, prices.sigma[np.maximum(offer, 0)], 0.0)


def region_factor(prices: Prices, product: Ints, offer: Ints) -> Floats:
    """Return the price of the volume in the offer's region, relative to the table; 1 without volume or offer."""
    placed = ((product >= 0) & (offer >= 0)).nonzero()[0]
    factor = np.ones(len(offer))
    factor[placed] = prices.region_factor[product[placed], prices.offers.region[offer[placed]]]
    return factor


def interruption_rate(job: Job, prices: Prices, purchase: int, offer: Ints) -> Floats:
    """Return the interruptions of one machine per hour, from the request, else from the price feed, else assumed."""
    stated = job.workload.interruptions_per_hour
    if purchase != SPOT or stated is not None:
        return np.full(len(offer), 0.0 if purchase != SPOT else stated)
    rate = np.full(len(offer), INTERRUPTIONS_PER_HOUR)
    rate[offer >= 0] = known_or(prices.interruptions_per_hour[offer[offer >= 0]], INTERRUPTIONS_PER_HOUR)
    return rate
