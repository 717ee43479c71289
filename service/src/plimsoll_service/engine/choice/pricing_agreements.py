"""Prices of offers under pricing agreements: discounts on list prices, and commitments for a number of machines.

The lowest of list, discounted and committed price applies. A commitment is not discounted further. If c of n machines
are committed at price r, a machine costs (min(n, c)·r + max(n − c, 0)·p)/n on average, with p the price of the others.

The operator's terms apply to every query. Of discounts and quotas from both, the larger and the smaller one apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from .. import names
from ..answer import Assumption
from ..hardware import ON_DEMAND, Flags, Floats, Ints, Offers
from ..quantities import Price
from ..rules import Remark, RuleId
from ..workload import Commitment, Constraints, Discount, Hardware, Query, Quota, Terms
from .constraints import alone, figure_masks, in_families, linked, named_types, of_cloud
from .market import Market
from .own_machines import OWN_CLOUD, described_types

WHOLE_PERCENT = 100
KIND_WORDS = {"reserved": "reserved", "savings_plan": "savings plan"}
LISTED, DERIVED, UNDATED = "list", "derived", "undated"
DOUBTED = ("estimated", UNDATED)
PRICE = "%.6g"


@dataclass(frozen=True, eq=False)
class Committed:
    """One commitment over the market's offers on demand: its coverage, and the price of one machine."""

    commitment: Commitment
    types: Flags  # instance types that it covers
    regions: Flags | None  # regions that it covers; None for all

    def usd_per_hour(self, offers: Offers, rows: Ints) -> Floats:
        """Return the hourly price of a machine at those offers; infinite if they are not covered."""
        covers = self.types[offers.instance_type[rows]] & (offers.purchase[rows] == ON_DEMAND)
        if self.regions is not None:
            covers &= self.regions[offers.region[rows]]
        if self.commitment.percent is not None:
            return np.where(covers, offers.usd_per_hour[rows] * (1 - self.commitment.percent / WHOLE_PERCENT), np.inf)
        stated = self.commitment.usd_per_hour
        return np.where(covers, np.nan if stated is None else stated, np.inf)

    @property
    def most(self) -> float:
        return np.inf if self.commitment.max_nodes is None else float(self.commitment.max_nodes)


@dataclass(frozen=True)
class Use:
    """A commitment or discount in use: its ``percent`` off the list price, its machines, and their price."""

    commitment: Commitment | None
    percent: float
    machines: float
    usd_per_hour: float


@dataclass(frozen=True, eq=False)
class AgreedPrices:
    """Offers of a market under pricing agreements."""

    offers: Offers
    percent: Floats | None  # discount by instance type; None where there is none
    committed: tuple[Committed, ...]

    def uncommitted(self, rows: Ints) -> Floats:
        """Return USD per hour of a machine under those offers, without commitments."""
        listed = self.offers.usd_per_hour[rows]
        if self.percent is None:
            return listed
        return listed * (1 - self.percent[self.offers.instance_type[rows]] / WHOLE_PERCENT)

    def of(self, rows: Ints, nodes: float | Floats) -> Floats:
        """Return USD per hour of a machine under each offer, averaged over its ``nodes`` machines."""
        price = self.uncommitted(rows)
        if not self.committed or not len(rows):
            return price
        left, total = np.full(len(rows), nodes, dtype=np.float64), np.zeros(len(rows))
        for _, agreed, taken in self._taken(rows, nodes):
            total += np.where(taken > 0, agreed, 0.0) * taken
            left -= taken
        return np.where(left < nodes, (total + left * price) / nodes, price)

    def uses(self, offer: int, nodes: float) -> tuple[Use, ...]:
        """Return the agreements behind the price of so many machines under one offer, the cheapest first."""
        if self.percent is None and not self.committed:
            return ()
        found = []
        for place, agreed, taken in self._taken(np.array([offer], dtype=np.int32), nodes):
            if taken[0] > 0:
                commitment = self.committed[int(place[0])].commitment
                found.append(Use(commitment, commitment.percent or 0.0, float(taken[0]), float(agreed[0])))
        left = nodes - sum(use.machines for use in found)
        percent = 0.0 if self.percent is None else float(self.percent[self.offers.instance_type[offer]])
        if left > 0 and percent > 0:
            price = self.uncommitted(np.array([offer], dtype=np.int32))[0]
            found.append(Use(None, percent, left, float(price)))
        return tuple(found)

    def _taken(self, rows: Ints, nodes: float | Floats) -> Iterator[tuple[Ints, Floats, Floats]]:
        """Yield (commitment, its price, machines at that price) of each offer, the cheapest commitment first."""
        if not self.committed:
            return
        own = self.uncommitted(rows)
        agreed = np.array([one.usd_per_hour(self.offers, rows) for one in self.committed])
        most = np.array([one.most for one in self.committed])
        left = np.full(len(rows), nodes, dtype=np.float64)
        for place in np.argsort(agreed, axis=0, kind="stable"):
            price = np.take_along_axis(agreed, place[None], axis=0)[0]
            taken = np.where(price < own, np.minimum(most[place], left), 0.0)
            left = left - taken
            yield place, price, taken

    def covered(self) -> Flags | None:
        """Return the instance types that a commitment covers in any region; ``None`` without commitments."""
        if not self.committed:
            return None
        together: Flags = np.any([one.types for one in self.committed], axis=0)
        return together

    @property
    def in_proportion(self) -> bool:
        """Whether the commitments reduce all offers of a type alike, so that its cheapest offer stays the cheapest."""
        return all(one.commitment.percent is not None and one.regions is None for one in self.committed)


def agreed_prices(constraints: Constraints, market: Market) -> AgreedPrices:
    """Return the market's prices under the agreements among the constraints."""
    percent = _percent(constraints.discounts, market) if constraints.discounts else None
    return AgreedPrices(market.offers, percent, tuple(_committed(one, market) for one in constraints.commitments or ()))


def _percent(discounts: Iterable[Discount], market: Market) -> Floats:
    percent = np.zeros(len(market.catalog.instance_types))
    for discount in discounts:
        rows = of_cloud(discount.cloud, market)
        if discount.families is not None:
            rows &= in_families(discount.families, market)
        percent[rows] = np.maximum(percent[rows], discount.percent)
    return percent


def _committed(one: Commitment, market: Market) -> Committed:
    types = of_cloud(one.cloud, market)
    if one.instance_types is not None or one.families is not None:
        types &= named_types(one.instance_types or (), market) | in_families(one.families or (), market)
    if one.regions is None:
        return Committed(one, types, None)
    wanted = {names.key(region) for region in one.regions}
    return Committed(one, types, np.array([names.key(name) in wanted for name in market.catalog.regions.name]))


def usd(value: float) -> float:
    """Round a price to the digits that an answer shows."""
    return float(PRICE % value)


def price_of(market: Market, prices: AgreedPrices, usd_per_hour: float, offer: int, nodes: float) -> Price:
    """Return the price of one of ``nodes`` machines with its source; of a described machine (``offer`` -1), its own.

    A fully agreed price has no date. A price that is partly agreed and partly list price is derived.
    """
    shown = usd(usd_per_hour)
    if offer < 0:
        return Price(shown, None, "stated with the machine", False, LISTED)
    offers = market.offers
    source, confidence = offers.source[offer] or "", offers.confidence[offer] or UNDATED
    uses = prices.uses(offer, nodes)
    if uses:
        listed = f"{usd(offers.usd_per_hour.item(offer)):g} USD per hour"
        source = f"pricing agreement: {_text(uses, nodes)}; list price {listed} from {source}"
        agreed = sum(use.machines for use in uses if use.commitment is not None)
        if agreed == nodes and all(use.percent == 0 for use in uses):
            return Price(shown, None, source, False, LISTED)
        if len(uses) > 1 or 0 < agreed < nodes:
            confidence = DERIVED
    low, high = _ends(market, offer, usd_per_hour) if confidence in DOUBTED else (None, None)
    return Price(shown, offers.as_of[offer], source, market.prices.stale.item(offer), confidence, low, high)


def _ends(market: Market, offer: int, usd_per_hour: float) -> tuple[float, float]:
    """Range of the price of an offer, which a discount narrows in proportion."""
    prices, share = market.prices, usd_per_hour / market.offers.usd_per_hour.item(offer)
    return usd(prices.low.item(offer) * share), usd(prices.high.item(offer) * share)


def agreement_notes(market: Market, prices: AgreedPrices, offer: int, nodes: float) -> Iterator[Remark]:
    """Yield a reason for each pricing agreement behind the price of an offer."""
    for use in prices.uses(offer, nodes) if offer >= 0 else ():
        listed = usd(market.offers.usd_per_hour.item(offer))
        rule = RuleId("own-discount") if use.commitment is None else RuleId("own-commitment")
        yield rule.note(f"{_text((use,), nodes)}; the list price is {listed:g} USD per hour")


def _text(uses: tuple[Use, ...], nodes: float) -> str:
    """Text of the agreements in use, with the number of machines if it is not all."""
    texts = []
    for use in uses:
        price = f"{usd(use.usd_per_hour):g} USD per hour"
        what = f"{use.percent:g}% discount" if use.commitment is None else KIND_WORDS[use.commitment.kind]
        share = "" if use.machines == nodes else f" for {use.machines:.0f} of {nodes:.0f} machines"
        texts.append(f"{price} ({what}){share}")
    return ", ".join(texts)


NO_TERMS = Terms()
WHY = "configured by the operator of this installation"


def with_terms(query: Query, concerned: Terms) -> Query:
    """Return the query with the relevant terms among its constraints, after its own."""
    if concerned == NO_TERMS:
        return query
    stated = query.constraints
    together = {name: (*(getattr(stated, name) or ()), *terms) or None for name, terms in vars(concerned).items()}
    return query.within(**together)


def assumed_of_terms(concerned: Terms) -> tuple[Assumption, ...]:
    """Return each relevant term as an assumption."""
    return tuple(
        Assumption(f"constraints.{item.name}", _stated(term), WHY)
        for item in fields(Terms)
        for term in getattr(concerned, item.name)
    )


def concerning(constraints: Constraints, terms: Terms, market: Market) -> Terms:
    """Return the terms of the allowed clouds, and the machines that meet the constraints."""
    if terms == NO_TERMS:
        return terms

    spellings = market.spellings["cloud"]
    wanted, unwanted = (
        {names.find(cloud, spellings) for cloud in clouds or ()}
        for clouds in (constraints.clouds, constraints.exclude_clouds)
    )

    def usable(term: Discount | Commitment | Quota) -> bool:
        meant = names.find(term.cloud, spellings)
        return (not wanted or meant in wanted) and meant not in unwanted

    return Terms(
        discounts=tuple(filter(usable, terms.discounts)),
        commitments=tuple(filter(usable, terms.commitments)),
        quotas=tuple(filter(usable, terms.quotas)),
        own_machines=tuple(_let_in(constraints, terms.own_machines, market)),
    )


def _let_in(constraints: Constraints, machines: tuple[Hardware, ...], market: Market) -> Iterator[Hardware]:
    """Own machines that meet the constraints; none if the query names providers' clouds, regions or machines."""
    others = bool(constraints.clouds) and OWN_CLOUD not in map(names.key, constraints.clouds or ())
    without = OWN_CLOUD in map(names.key, constraints.exclude_clouds or ())
    named = (others, without, constraints.regions, constraints.instance_types, constraints.instance_families)
    unknown = (constraints.architectures, constraints.cpu_vendors)  # unknown for a machine of the user's own
    if not machines or any(named) or any(unknown):
        return
    types = described_types(machines, market)
    passing = linked(types) | alone(types) | (constraints.interconnect != "nvlink")
    for _, mask in figure_masks(constraints, types, market):
        passing &= mask
    yield from (one for one, let_in in zip(machines, passing, strict=True) if let_in)


def _stated(term: Discount | Commitment | Quota | Hardware) -> dict[str, object]:
    said = {item.name: getattr(term, item.name) for item in fields(term) if getattr(term, item.name) != item.default}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
