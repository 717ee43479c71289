"""Priced options: candidates under each purchase option, each at its cheapest allowed offer, and how it is billed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..columns import EVERY, columnar, joined
from ..demand.job import Job
from ..estimate.spot import INTERRUPTIONS_PER_HOUR
from ..hardware import ON_DEMAND, PURCHASE_NAMES, SPOT, Flags, Floats, Ints, Places, known_or
from ..prices import Prices
from ..workload import Constraints
from . import constraints as machine_constraints
from .candidates import Candidates
from .constraints import quota_nodes
from .market import Market, Sold, cheapest, sold
from .own_machines import OwnMachines
from .pricing_agreements import LISTED, AgreedPrices

ROUNDING = 1e-9  # of a step: a whole number of steps is not rounded up to the next


@columnar
class Billed:
    """Terms of each option, in hours; 0 is "by the second"."""

    least: Floats
    step: Floats
    stepped: Places  # the few rows that are billed in steps

    def rounds(self, shortest: Floats, rows: Ints | Places) -> Flags:
        """Return which options in these rows may be billed more than they run, if for no less than the ``shortest``."""
        longer: Flags = shortest < self.least[rows]
        return longer | (self.step[rows] > 0) if len(self.stepped) else longer

    def hours(self, hours: Floats, rows: Ints | Places | slice = EVERY) -> Floats:
        """Return the hours that are billed for those hours of the options in these rows."""
        billed: Floats = np.maximum(hours, self.least[rows])
        if not len(self.stepped):
            return billed
        steps = self.step[rows]
        few = self.stepped if isinstance(rows, slice) else (steps > 0).nonzero()[0]
        if not len(few):
            return billed
        step = steps[few]
        billed[few] = np.ceil(billed[few] / step - ROUNDING) * step
        return billed


def billed_of(terms: Floats) -> Billed:
    """Return the terms of options; ``terms`` has the least hours and the steps, shape (2, options)."""
    least, step = terms
    return Billed(least, step, (step > 0).nonzero()[0])


@columnar
class Charges:
    """Payments for each option: by the hour for all machines with their disks, and once for moving the data.

    Of a service with a day's load, the hour is the mean of the day.
    """

    usd_per_hour: Floats
    billed: Billed
    moving_usd: Floats | None

    def job_usd(self, hours: Floats, rows: Ints | Places | slice = EVERY) -> Floats:
        """Return the cost of a job that takes those hours on the options in these rows."""
        usd: Floats = self.usd_per_hour[rows] * self.billed.hours(hours, rows)
        return usd if self.moving_usd is None else usd + self.moving_usd[rows]

    def moving(self, rows: Ints | Places | slice = EVERY) -> Floats | float:
        """Return the price of moving the data to the options in these rows."""
        return 0.0 if self.moving_usd is None else self.moving_usd[rows]


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
    several, together = len(blocks), joined(blocks)
    return PricedOptions(
        candidate=np.tile(np.arange(len(row)), several),
        purchase=together.purchase,
        machine_row=np.tile(row.astype(np.intp), several),
        offer=together.offer,
        usd_per_hour=together.usd_per_hour,
        disk_factor=together.disk_factor,
        interruptions_per_hour=together.interruptions_per_hour,
        price_sigma=price_sigma(market.prices, together.offer),
        billed=billed_of(np.tile(billed, several)),
        volumes_stay=np.tile(~mine & market.volumes_stay[catalog_row], several),
        listings=np.tile(~mine & market.listings[catalog_row], several),
        name_order=np.tile(name_order, several),
        quota=np.tile(quota, several),
        masks={
            "purchase": together.offered,
            "regions": together.in_region,
            **({} if together.confident is None else {"price_confidence": together.confident}),
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
    anything, wanted = sold, constraints.price_confidence
    if wanted:
        anything = sold_under(replace(constraints, price_confidence=None), market, purchase)
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
        confident=np.where(mine, LISTED in wanted, offer >= 0) if wanted else None,
    )
    if purchase == ON_DEMAND:
        commit(constraints, market, prices, row, nodes, offer, usd_per_hour)
    return block


def one_priced_option(
    job: Job, prices: Prices, product: Ints, purchase: int, offer: Ints, usd_per_hour: Floats,
    billed: Floats, volumes_stay: Flags, listings: Flags,
) -> PricedOptions:  # fmt: skip
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


def purchases_of(constraints: Constraints) -> tuple[int, ...]:
    """Return the requested purchase options."""
    wanted = constraints.purchase or ("on_demand",)
    return tuple(code for code, name in enumerate(PURCHASE_NAMES) if name in wanted)


def sold_under(constraints: Constraints, market: Market, purchase: int) -> Sold:
    """Return the offers under a purchase option; those for plain questions were found when the catalog was loaded.

    Discounts are by type, so the cheapest offer of a type stays the cheapest.
    """
    everywhere = not (constraints.regions or constraints.price_confidence)
    if everywhere and not machine_constraints.retired_too(constraints):
        return market.sold[purchase]
    if not (constraints.price_confidence or machine_constraints.retired_too(constraints)):
        regions = machine_constraints.region_mask(constraints, market)
        return replace(market.sold[purchase], cheapest=_cheapest_in(market, regions, purchase))
    allowed = allowed_offers(constraints, market)
    return sold(
        market.offers, market.first_offer, purchase, machine_constraints.orderable(constraints, market), allowed
    )


def allowed_offers(constraints: Constraints, market: Market, rows: slice | Places = EVERY) -> Flags:
    """Return which of the offers in ``rows`` are in an allowed region, at a price of an allowed confidence."""
    allowed: Flags = machine_constraints.region_mask(constraints, market)[market.offers.region[rows]]
    return allowed & machine_constraints.confidence_mask(constraints, market, rows)


def _cheapest_in(market: Market, regions: Flags, purchase: int) -> Ints:
    """Cheapest current offer of each type in a few regions; -1 for none."""
    offers, by_region, first = market.offers, market.offers_by_region, market.first_in_region
    several = [by_region[first[code] : first[code + 1]] for code in np.flatnonzero(regions)]
    rows = np.sort(np.concatenate(several)) if several else np.empty(0, dtype=np.int32)
    rows = rows[market.current[rows] & (offers.purchase[rows] == purchase)]
    first_of_type = np.searchsorted(offers.instance_type[rows], np.arange(len(market.first_offer)))
    best = cheapest(offers.usd_per_hour[rows], first_of_type.astype(np.int32))
    return np.where(best >= 0, rows[best], -1) if len(rows) else best


def commit(
    constraints: Constraints, market: Market, prices: AgreedPrices, row: Ints, nodes: Floats, offer: Ints, price: Floats
) -> None:
    """Overwrite offer and price on demand of the types that a commitment covers.

    ``row`` is a type (or, beyond the types, an own machine without an offer), of which ``nodes`` machines are rented.
    """
    covered = prices.covered()
    if covered is None:
        return
    sold_rows = np.flatnonzero(offer >= 0)
    touched = sold_rows[covered[row[sold_rows]]]
    if prices.in_proportion:
        price[touched] = prices.of(offer[touched], nodes[touched])
    else:
        _commit_each(constraints, market, prices, row, nodes, offer, price, touched)


def _commit_each(
    constraints: Constraints, market: Market, prices: AgreedPrices, row: Ints, nodes: Floats, offer: Ints,
    price: Floats, touched: Places,
) -> None:  # fmt: skip
    """Overwrite those of the ``touched`` candidates; each node count has its own cheapest offer."""
    offers, types = market.offers, market.catalog.instance_types
    wanted = np.zeros(len(types), dtype=bool)
    wanted[row[touched]] = True
    open_to = (
        allowed_offers(constraints, market)
        & machine_constraints.orderable(constraints, market)
        & (offers.purchase == ON_DEMAND)
        & wanted[offers.instance_type]
    )
    rows = np.flatnonzero(open_to).astype(np.int32)
    first = np.searchsorted(offers.instance_type[rows], np.arange(len(types) + 1)).astype(np.int32)
    for count in np.unique(nodes[touched]):
        best = cheapest(prices.of(rows, count), first)
        same = touched[nodes[touched] == count]
        chosen = rows[best[row[same]]]
        offer[same] = chosen
        price[same] = prices.of(chosen, count)
