"""The price of one Alibaba Cloud machine and hour, on demand (DescribePrice) and on spot (DescribeSpotPriceHistory)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from plimsoll_service.prices.feeds.alibaba_ecs import Ecs, Refusal
from plimsoll_service.prices.feeds.alibaba_money import amount
from plimsoll_service.prices.feeds.alibaba_signature import TIME_FORMAT
from plimsoll_service.prices.feeds.feed import FeedError

# Current types take ESSD system disks only, older ones none of them; the disk's price is left out in any case.
SYSTEM_DISKS = ("cloud_essd", "cloud_efficiency", "cloud")
SPOT_HOURS = 24  # points come by the hour; an answer of a day stays within one page of 1,000 for every type
MOST_PAGES = 100


class Unpriced(Exception):
    """Something is listed without a price that can be believed; the text says why."""


@dataclass(frozen=True, slots=True)
class Hourly:
    """A price of an hour in the account's currency; ``discounted``: this account pays less than the list says."""

    amount: float
    currency: str
    discounted: bool = False
    as_of: str | None = None


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
