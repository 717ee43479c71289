"""Offers: the cheapest allowed one of each type under each purchase option, and the effect of commitments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..columns import EVERY
from ..hardware import ON_DEMAND, PURCHASE_NAMES, Flags, Floats, Ints, Places
from ..workload import Constraints
from . import constraints as machine_constraints
from .market import Market, Sold, cheapest, priced, sold
from .pricing_agreements import AgreedPrices


def purchases_of(constraints: Constraints) -> tuple[int, ...]:
    """Return the requested purchase options."""
    wanted = constraints.purchase or ("on_demand",)
    return tuple(code for code, name in enumerate(PURCHASE_NAMES) if name in wanted)


def has_price(constraints: Constraints, market: Market) -> Flags:
    """Return the types with a price in any region, under any purchase option."""
    if not _retired_too(constraints):
        return market.priced
    return priced(market.offers, market.first_offer, _current(constraints, market))


def sold_under(constraints: Constraints, market: Market, purchase: int) -> Sold:
    """Return the offers under a purchase option; those for plain questions were found when the catalog was loaded.

    Discounts are by type, so the cheapest offer of a type stays the cheapest.
    """
    everywhere = not (constraints.regions or constraints.price_confidence)
    if everywhere and not _retired_too(constraints):
        return market.sold[purchase]
    if not (constraints.price_confidence or _retired_too(constraints)):
        regions = machine_constraints.region_mask(constraints, market)
        return replace(market.sold[purchase], cheapest=_cheapest_in(market, regions, purchase))
    allowed = allowed_offers(constraints, market)
    return sold(market.offers, market.first_offer, purchase, _current(constraints, market), allowed)


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


def _retired_too(constraints: Constraints) -> bool:
    return bool(constraints.instance_types or constraints.instance_families or constraints.retired)


def _current(constraints: Constraints, market: Market) -> Flags:
    """Eligible offers: those still sold, and all offers of named types."""
    if not _retired_too(constraints):
        return market.current
    named = machine_constraints.asked_for(constraints, market) | bool(constraints.retired)
    return market.current | named[market.offers.instance_type]


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
        & _current(constraints, market)
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
