"""Prices of Alibaba Cloud's machines from the ECS API, on demand and on spot: one call for each type."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from ..currency import ExchangeRate, positive, rate
from ..feed import UNPRICED, FeedError, FeedRequest, OfferQuote
from ..http import inside
from .api import TIME_FORMAT, Ecs, Refusal

# The rate of the bundled Alibaba Cloud prices: fetched prices then differ only by the provider's changes.
CNY_PER_USD = 7.25
# Current types need ESSD system disks, older types cannot have them. The disk's price is not used.
SYSTEM_DISKS = ("cloud_essd", "cloud_efficiency", "cloud")
SPOT_HOURS = 24  # points are hourly: a day fits into one page of 1,000
MOST_PAGES = 100
AT_ONCE = 4  # all users of an account share a quota of calls a minute
NAMED_FAULTS = 5


def rate_of(request: FeedRequest, currency: str) -> ExchangeRate:
    """The rate of a currency; CNY has a default, other currencies raise ``FeedError`` without a stated rate."""
    return rate(replace(request, units_per_usd={"CNY": CNY_PER_USD, **request.units_per_usd}), currency)


class Unpriced(Exception):
    """An offer is listed without a believable price; the text says why."""


@dataclass(frozen=True, slots=True)
class Hourly:
    """An hourly price in the account's currency; ``discounted``: the account does not pay the list price."""

    amount: float
    currency: str
    discounted: bool = False
    as_of: str | None = None


Ask = Callable[[str, str], Hourly | None]  # region, instance type


def on_demand(ecs: Ecs, region: str, instance_type: str) -> Hourly | None:
    """The list price, or ``None`` if the region does not sell the type; raises ``Unpriced`` and ``FeedError``."""
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
    """``PriceInfo.Price`` of DescribePrice for an hour of pay-as-you-go; raises ``FeedError``."""
    answer = ecs.ask(region, "DescribePrice", {**parameters, "PriceUnit": "Hour", "Period": "1"})
    price = inside(answer, "PriceInfo", "Price")
    if not isinstance(price, dict):
        raise FeedError(f"alibaba: {region}: DescribePrice: has no PriceInfo.Price")
    return price


def spot(ecs: Ecs, region: str, instance_type: str, now: datetime) -> Hourly | None:
    """The latest price of the cheapest zone, dated by the provider; ``None`` if the type has no spot price.

    Raises ``Unpriced`` and ``FeedError``.
    """
    latest: dict[str, Hourly] = {}
    listed = 0
    try:
        for point, currency in _points(ecs, region, instance_type, now):
            listed += 1
            price, zone, at = positive(point.get("SpotPrice")), point.get("ZoneId"), _moment(point.get("Timestamp"))
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
    """The price of the machine alone: the total includes a system disk of 40 GiB."""
    entries = inside(price, "DetailInfos", "DetailInfo") or ()
    machines = [entry for entry in entries if inside(entry, "Resource") == "instanceType"]
    if not machines or "OriginalPrice" not in machines[0]:
        raise FeedError(f"alibaba: {where}: DescribePrice: has no OriginalPrice of the resource instanceType")
    listed, paid = positive(machines[0]["OriginalPrice"]), positive(machines[0].get("TradePrice"))
    if listed is None:
        raise Unpriced("its OriginalPrice is no amount above 0")
    return Hourly(listed, currency_of(price, where), paid is not None and not math.isclose(paid, listed, rel_tol=1e-4))


def currency_of(answer: Mapping[str, Any], where: str) -> str:
    """The currency of an answer; raises ``FeedError`` if it is missing."""
    currency = answer.get("Currency")
    if not isinstance(currency, str):
        raise FeedError(f"alibaba: {where}: states no Currency")
    return currency


def _points(ecs: Ecs, region: str, instance_type: str, now: datetime) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The points of all pages for Linux in a VPC, each with its currency; raises ``FeedError`` for endless pages."""
    where, offset = f"{region}: {instance_type}: DescribeSpotPriceHistory", 0
    parameters = {
        "InstanceType": instance_type,
        "NetworkType": "vpc",
        "OSType": "linux",
        "StartTime": (now.astimezone(UTC) - timedelta(hours=SPOT_HOURS)).strftime(TIME_FORMAT),
    }
    for _ in range(MOST_PAGES):
        page = ecs.ask(region, "DescribeSpotPriceHistory", {**parameters, "Offset": str(offset)})
        points = inside(page, "SpotPrices", "SpotPriceType")
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
    network, io = inside(point, "NetworkType"), inside(point, "IoOptimized")
    return isinstance(point, dict) and network in (None, "vpc") and io in (None, "optimized")


def _moment(stated: object) -> str | None:
    """A valid time of the provider, in a form that sorts by time."""
    try:
        return datetime.strptime(str(stated), TIME_FORMAT).strftime(TIME_FORMAT)
    except ValueError:
        return None


@dataclass
class Sweep:
    """The prices of one purchase option; ``regions`` are those that sell anything on it."""

    offers: list[OfferQuote] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    closed: list[str] = field(default_factory=list)
    discounted: int = 0

    @property
    def priced(self) -> int:
        """The number of usable prices."""
        return len(self.offers) - self.faults.total()

    def add_unpriced(self, request: FeedRequest, instance_type: str, region: str, purchase: str, why: str) -> None:
        """Add an offer without a usable price."""
        self.offers.append(OfferQuote(request.cloud, instance_type, region, purchase, UNPRICED))
        self.faults[why] += 1

    def add(self, part: Sweep) -> None:
        """Add the prices of another region."""
        self.offers += part.offers
        self.regions += part.regions
        self.faults += part.faults
        self.discounted += part.discounted

    def notes(self, purchase: str) -> list[str]:
        """Notes on what was left out, with reasons."""
        said = [f"{purchase}: {count} types have no usable price: {why}" for why, count in self.faults.most_common()]
        if self.closed:
            said.append(f"{purchase}: not open to this account: {', '.join(self.closed)}")
        if self.discounted:
            said.append(
                f"{purchase}: {self.discounted} prices of this account differ from the list's, which are used: "
                "negotiated prices belong in the operator's pricing agreements"
            )
        return said


def sweep(request: FeedRequest, purchase: str, types: Mapping[str, Collection[str]], ask: Ask) -> Sweep:
    """The prices of the types of each region; raises ``FeedError`` if none of the listed ones is usable."""
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
            request.report(f"alibaba: {region}: {part.priced} {purchase} prices")
    if found.faults and not found.priced:
        why = "; ".join(f"{count} × {why}" for why, count in found.faults.most_common(NAMED_FAULTS))
        raise FeedError(f"alibaba: {purchase}: not one usable price: {why}")
    return found


def offer_of(request: FeedRequest, instance_type: str, region: str, purchase: str, price: Hourly) -> OfferQuote:
    """A price of the API as an offer in USD; raises ``FeedError`` for a currency without a rate."""
    rate = rate_of(request, price.currency)
    usd, source = price.amount * rate.usd_per_unit, f"Alibaba Cloud ECS{rate.remark}"
    return OfferQuote(request.cloud, instance_type, region, purchase, usd, rate.confidence, source, price.as_of)


def _region(
    request: FeedRequest, purchase: str, region: str, types: list[str], ask: Ask, pool: ThreadPoolExecutor
) -> Sweep:
    """The prices of one region; an error that concerns all of its types ends the calls and is raised."""
    found = Sweep()
    waiting = [(name, pool.submit(ask, region, name)) for name in types]
    try:
        for name, answer in waiting:
            fault, price = _settled(answer.result)
            if fault is not None:
                found.add_unpriced(request, name, region, purchase, fault)
            elif price is not None:
                found.offers.append(offer_of(request, name, region, purchase, price))
                found.discounted += price.discounted
    finally:
        for _, answer in waiting:
            answer.cancel()
    found.regions = [region] if found.offers else []
    return found


def _settled(result: Callable[[], Hourly | None]) -> tuple[str | None, Hourly | None]:
    """The fault of one type's answer, if any, and its price; raises for errors that concern all types."""
    try:
        return None, result()
    except Unpriced as fault:
        return str(fault), None
    except Refusal as refusal:
        if refusal.final or refusal.closed:
            raise
        return refusal.code, None
