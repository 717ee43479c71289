"""All prices of a region or of all regions through the ECS API: one call a type, a few at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from plimsoll_service.prices.feeds.alibaba_ecs import Refusal
from plimsoll_service.prices.feeds.alibaba_money import rate_of
from plimsoll_service.prices.feeds.alibaba_quotes import Hourly, Unpriced
from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest, OfferQuote

AT_ONCE = 4  # each account has a quota of calls a minute, which others of its users share
NAMED_FAULTS = 5

Ask = Callable[[str, str], Hourly | None]  # region, instance type


@dataclass
class Sweep:
    """What was found for one purchase option; ``regions`` are those that sell anything that way."""

    offers: list[OfferQuote] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    unusable: set[tuple[str, str, str, str]] = field(default_factory=set)
    faults: Counter[str] = field(default_factory=Counter)
    closed: list[str] = field(default_factory=list)
    discounted: int = 0

    def add(self, part: Sweep) -> None:
        """Take in what another region sells."""
        self.offers += part.offers
        self.regions += part.regions
        self.unusable |= part.unusable
        self.faults += part.faults
        self.discounted += part.discounted

    def notes(self, purchase: str) -> list[str]:
        """What was left out and why."""
        said = [f"{purchase}: {count} types have no usable price: {why}" for why, count in self.faults.most_common()]
        if self.closed:
            said.append(f"{purchase}: not open to this account: {', '.join(self.closed)}")
        if self.discounted:
            said.append(
                f"{purchase}: {self.discounted} prices of this account are not the list's: the list's are used, "
                "and what was negotiated belongs in the operator's own terms"
            )
        return said


def sweep(request: FeedRequest, purchase: str, types: Mapping[str, Collection[str]], ask: Ask) -> Sweep:
    """The prices of the types of each region; raises ``FeedError`` where all that are listed are unusable."""
    found = Sweep()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for region in sorted(types):
            try:
                part = _region(request, purchase, region, sorted(types[region]), ask, pool)
            except Refusal as refusal:
                if not refusal.closed or request.regions is not None:
                    raise
                found.closed.append(region)
                continue
            found.add(part)
            request.report(f"alibaba: {region}: {len(part.offers)} {purchase} prices")
    if found.faults and not found.offers:
        why = "; ".join(f"{count} × {why}" for why, count in found.faults.most_common(NAMED_FAULTS))
        raise FeedError(f"alibaba: {purchase}: not one usable price: {why}")
    return found


def offer_of(request: FeedRequest, instance_type: str, region: str, purchase: str, price: Hourly) -> OfferQuote:
    """A price of the API as an offer in USD; raises ``FeedError`` for a currency without a rate."""
    rate = rate_of(request, price.currency)
    return OfferQuote(
        request.cloud,
        instance_type,
        region,
        purchase,
        price.amount * rate.usd_per_unit,
        confidence=rate.confidence,
        source=f"Alibaba Cloud ECS{rate.remark}",
        as_of=price.as_of,
    )


def _region(
    request: FeedRequest, purchase: str, region: str, types: list[str], ask: Ask, pool: ThreadPoolExecutor
) -> Sweep:
    """What one region sells; raises for what concerns all of its types, and asks no further then."""
    found = Sweep()
    waiting = [(name, pool.submit(ask, region, name)) for name in types]
    try:
        for name, answer in waiting:
            fault, price = _settled(answer.result)
            if fault is not None:
                found.unusable.add((request.cloud, name, region, purchase))
                found.faults[fault] += 1
            elif price is not None:
                found.offers.append(offer_of(request, name, region, purchase, price))
                found.discounted += price.discounted
    finally:
        for _, answer in waiting:
            answer.cancel()
    found.regions = [region] if found.offers or found.unusable else []
    return found


def _settled(result: Callable[[], Hourly | None]) -> tuple[str | None, Hourly | None]:
    """What is wrong with one type's answer, if anything, and its price; raises for what concerns all types."""
    try:
        return None, result()
    except Unpriced as fault:
        return str(fault), None
    except Refusal as refusal:
        if refusal.final or refusal.closed:
            raise
        return refusal.code, None
