"""Prices of Alibaba Cloud's machines through the ECS API, on demand and on spot: one call a type, a few at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from plimsoll_service.prices.feeds.alibaba.api import TIME_FORMAT, Ecs, Refusal
from plimsoll_service.prices.feeds.currency import Rate, rate
from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest, OfferQuote

# At which the bundled Alibaba Cloud prices were converted: both then differ by what the provider changed, not by rates.
CNY_PER_USD = 7.25
# Current types take ESSD system disks only, older ones none of them; the disk's price is left out in any case.
SYSTEM_DISKS = ("cloud_essd", "cloud_efficiency", "cloud")
SPOT_HOURS = 24  # points come by the hour; an answer of a day stays within one page of 1,000 for every type
MOST_PAGES = 100
AT_ONCE = 4  # each account has a quota of calls a minute, which others of its users share
NAMED_FAULTS = 5


def rate_of(request: FeedRequest, currency: str) -> Rate:
    """The rate of a currency; CNY has one where the operator states none. Raises ``FeedError`` for others."""
    return rate(replace(request, units_per_usd={"CNY": CNY_PER_USD, **request.units_per_usd}), currency)


def amount(stated: object) -> float | None:
    """An amount above 0, or ``None`` for what cannot be a price: 0, text, nothing."""
    if isinstance(stated, bool) or not isinstance(stated, (int, float, str)):
        return None
    try:
        value = float(stated)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


class Unpriced(Exception):
    """Something is listed without a price that can be believed; the text says why."""


@dataclass(frozen=True, slots=True)
class Hourly:
    """A price of an hour in the account's currency; ``discounted``: this account pays less than the list says."""

    amount: float
    currency: str
    discounted: bool = False
    as_of: str | None = None


Ask = Callable[[str, str], Hourly | None]  # region, instance type


def on_demand(ecs: Ecs, region: str, instance_type: str) -> Hourly | None:
    """The list price, or ``None`` where the region does not sell the type; raises ``Unpriced`` and ``FeedError``."""
    for disk in SYSTEM_DISKS:
        parameters = {"ResourceType": "instance", "InstanceType": instance_type, "SystemDisk.Category": disk}
        try:
            return _machine(described(ecs, region, parameters), f"{region}: {instance_type}")
        except Refusal as refusal:
            if refusal.not_sold:
                return None
            if "DiskCategory" not in refusal.code:
                raise
    raise Unpriced(f"takes none of the system disks {', '.join(SYSTEM_DISKS)}")


def described(ecs: Ecs, region: str, parameters: Mapping[str, str]) -> Mapping[str, Any]:
    """``PriceInfo.Price`` of DescribePrice for an hour of pay-as-you-go; raises ``FeedError`` where it is missing."""
    answer = ecs.ask(region, "DescribePrice", {**parameters, "PriceUnit": "Hour", "Period": "1"})
    info = answer.get("PriceInfo")
    price = info.get("Price") if isinstance(info, dict) else None
    if not isinstance(price, dict):
        raise FeedError(f"alibaba: {region}: DescribePrice: has no PriceInfo.Price")
    return price


def spot(ecs: Ecs, region: str, instance_type: str, now: datetime) -> Hourly | None:
    """The latest price of the cheapest zone, dated by the provider; ``None`` where the type has no spot price there.

    Raises ``Unpriced`` and ``FeedError``.
    """
    latest: dict[str, Hourly] = {}
    listed = 0
    try:
        for point, currency in _points(ecs, region, instance_type, now):
            listed += 1
            price, zone, at = amount(point.get("SpotPrice")), point.get("ZoneId"), _moment(point.get("Timestamp"))
            if price is None or not isinstance(zone, str) or at is None:
                continue
            if zone not in latest or at > (latest[zone].as_of or ""):
                latest[zone] = Hourly(price, currency, as_of=at)
    except Refusal as refusal:
        if refusal.not_sold:
            return None
        raise
    if listed and not latest:
        raise Unpriced("no point of its history has a SpotPrice above 0, a ZoneId and a Timestamp")
    return min(latest.values(), key=lambda price: price.amount, default=None)


def _machine(price: Mapping[str, Any], where: str) -> Hourly:
    """The price of the machine alone: the total holds a system disk of 40 GiB."""
    details = price.get("DetailInfos")
    entries = details.get("DetailInfo") if isinstance(details, dict) else None
    machines = [e for e in entries or () if isinstance(e, dict) and e.get("Resource") == "instanceType"]
    if not machines or "OriginalPrice" not in machines[0]:
        raise FeedError(f"alibaba: {where}: DescribePrice: has no OriginalPrice of the resource instanceType")
    listed, paid = amount(machines[0]["OriginalPrice"]), amount(machines[0].get("TradePrice"))
    if listed is None:
        raise Unpriced("its OriginalPrice is no amount above 0")
    return Hourly(listed, currency_of(price, where), paid is not None and not math.isclose(paid, listed, rel_tol=1e-4))


def currency_of(answer: Mapping[str, Any], where: str) -> str:
    """The currency that an answer states; raises ``FeedError`` where it states none."""
    currency = answer.get("Currency")
    if not isinstance(currency, str):
        raise FeedError(f"alibaba: {where}: states no Currency")
    return currency


def _points(ecs: Ecs, region: str, instance_type: str, now: datetime) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The points of all pages for Linux in a VPC, each with its currency; raises ``FeedError`` for a loop."""
    where, offset = f"{region}: {instance_type}: DescribeSpotPriceHistory", 0
    parameters = {
        "InstanceType": instance_type,
        "NetworkType": "vpc",
        "OSType": "linux",
        "StartTime": (now.astimezone(UTC) - timedelta(hours=SPOT_HOURS)).strftime(TIME_FORMAT),
    }
    for _ in range(MOST_PAGES):
        page = ecs.ask(region, "DescribeSpotPriceHistory", {**parameters, "Offset": str(offset)})
        history = page.get("SpotPrices")
        points = history.get("SpotPriceType") if isinstance(history, dict) else None
        if not isinstance(points, list):
            raise FeedError(f"alibaba: {where}: has no SpotPrices.SpotPriceType")
        yield from ((point, currency_of(page, where)) for point in points if _wanted(point))
        following = page.get("NextOffset") or 0
        if not points or not following:
            return
        if not isinstance(following, int) or following <= offset:
            raise FeedError(f"alibaba: {where}: NextOffset {following!r} does not go on from {offset}")
        offset = following
    raise FeedError(f"alibaba: {where}: has more than {MOST_PAGES} pages")


def _wanted(point: object) -> bool:
    return (
        isinstance(point, dict)
        and point.get("NetworkType", "vpc") == "vpc"
        and point.get("IoOptimized", "optimized") == "optimized"
    )


def _moment(stated: object) -> str | None:
    """A time of the provider, if it is one, in the form that sorts by time."""
    try:
        return datetime.strptime(str(stated), TIME_FORMAT).strftime(TIME_FORMAT)
    except ValueError:
        return None


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
