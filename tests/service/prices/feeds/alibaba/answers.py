"""Alibaba Cloud's lists and answers as its documentation shows them, and a provider that serves them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tests.service.prices.feeds.loopback import Asked, Provider, Reply, Route

from plimsoll_service.prices.feeds.alibaba import AlibabaFeed
from plimsoll_service.prices.feeds.feed import CloudFacts, FeedRequest, TypeFacts

CLOUD, REGION, SMALL, LARGE = "alibaba", "us-west-1", "ecs.g6.large", "ecs.gn7i-c8g1.2xlarge"
NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
FEED = AlibabaFeed(now=lambda: NOW)
EDITION = "2.0.500"
LAST_KNOWN = "2.0.421"
PAGE = "/en/product/ecs-pricing-list/en"
MAINLAND_PAGE = "/price/ecs/ecs-pricing/zh"
KEY_ID, KEY_SECRET, TOKEN = "LTAItestkeyid", "testkeysecret", "testtoken"
KEYS = {
    "ALIBABA_CLOUD_ACCESS_KEY_ID": KEY_ID,
    "ALIBABA_CLOUD_ACCESS_KEY_SECRET": KEY_SECRET,
    "ALIBABA_CLOUD_SECURITY_TOKEN": TOKEN,
}
FACTS = TypeFacts(2.0, 8.0, None, 0.0, 0.0, False, frozenset((REGION,)))


def request(
    provider: Provider,
    *,
    types: Mapping[str, TypeFacts] | None = None,
    products: frozenset[str] = frozenset(),
    **changes: Any,
) -> FeedRequest:
    """A request for one region that sells two types, without credentials."""
    sold = {SMALL: FACTS, LARGE: FACTS} if types is None else types
    known = CloudFacts(frozenset((REGION, "cn-hangzhou")), sold, products)
    return replace(FeedRequest(CLOUD, (REGION,), {CLOUD: known}, base_url=provider.url), **changes)


def machines_at(number: str = EDITION, package: str = "ecs-price-info-intl", file: str = "instancePrice.json") -> str:
    """The path of a file of an edition."""
    return f"/aliyun/{package}/{number}/price/download/{file}"


def entry(price: object = "0.079", **terms: Any) -> dict[str, Any]:
    """Terms of one machine, by the hour and by the month."""
    return {"hours": [{"period": "1", "price": price}], "months": [{"period": "1", "price": "33.2"}], **terms}


def key(instance_type: str = SMALL, region: str = REGION, rest: str = "vpc::linux::optimized") -> str:
    """The name of an entry."""
    return f"{region}::{instance_type}::{rest}"


def price_list(entries: dict[str, Any], **header: Any) -> dict[str, Any]:
    """A list as the provider publishes it."""
    return {
        "currency": "USD",
        "description": "RegionId::InstanceType::NetworkType::OSType::IoOptimized",
        "publicationDate": "2026-06-30T07:00:04Z",
        "site": "INTL",
        "type": "Instance",
        "version": EDITION,
        "pricingInfo": entries,
        **header,
    }


def serve_list(provider: Provider, entries: dict[str, Any], disks: dict[str, Any] | None = None, **header: Any) -> None:
    """Serve the current edition, linked by the pricing page."""
    provider.serve(PAGE, f'<script src="//g.alicdn.com/aliyun/ecs-price-info-intl/{EDITION}/index.js"></script>')
    provider.serve(machines_at(), price_list(entries, **header))
    if disks is not None:
        provider.serve(machines_at(file="diskPrice.json"), price_list(disks, type="Disk", **header))


def described(price: object = 0.079, trade: object = None, currency: str = "USD") -> dict[str, Any]:
    """An answer of DescribePrice: the total holds a system disk."""
    return {
        "RequestId": "04F0F334-1335-436C-A1D7-6C044FE73368",
        "PriceInfo": {
            "Price": {
                "Currency": currency,
                "OriginalPrice": 0.11,
                "TradePrice": 0.11,
                "DetailInfos": {
                    "DetailInfo": [
                        {"Resource": "systemDisk", "OriginalPrice": 0.031, "TradePrice": 0.031},
                        {
                            "Resource": "instanceType",
                            "OriginalPrice": price,
                            "TradePrice": price if trade is None else trade,
                        },
                    ]
                },
            }
        },
    }


def point(price: object, zone: str = "us-west-1a", at: str = "2026-11-21T07:00:00Z", **changes: Any) -> dict[str, Any]:
    """One point of a spot price's history."""
    return {
        "IoOptimized": "optimized",
        "OriginPrice": 0.079,
        "NetworkType": "vpc",
        "ZoneId": zone,
        "Timestamp": at,
        "SpotPrice": price,
        "InstanceType": SMALL,
        **changes,
    }


def history(*points: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """An answer of DescribeSpotPriceHistory."""
    return {"RequestId": "5E2D59BA", "Currency": "USD", "SpotPrices": {"SpotPriceType": list(points)}, **changes}


def refusal(code: str, status: int = 400) -> Reply:
    """An error as the API words it; its message repeats what was signed."""
    message = f"Specified signature does not match: GET&%2F&AccessKeyId%3D{KEY_ID}%26SecurityToken%3D{TOKEN}"
    return Reply({"RequestId": "1", "HostId": "ecs.aliyuncs.com", "Code": code, "Message": message}, status)


NOT_SOLD = refusal("InvalidInstanceType.ValueNotSupported")


def serve_api(provider: Provider, **answers: Any) -> None:
    """Answer actions, by ``<action>`` or ``<action>__<type or disk category>``; lists in turn. Others are not sold."""
    left = {name: list(given) if isinstance(given, list) else [given] for name, given in answers.items()}

    def route(asked: Asked) -> Reply:
        about = asked.query.get("InstanceType") or asked.query.get("DataDisk.1.Category", "")
        word = about.replace(".", "_").replace("-", "_")
        replies = left.get(f"{asked.query['Action']}__{word}") or left.get(asked.query["Action"]) or [NOT_SOLD]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        return reply if isinstance(reply, Reply) else Reply(json.dumps(reply))

    served: Route = route
    provider.routes["/"] = served


def calls(provider: Provider, action: str) -> list[Asked]:
    """Requests that the API received for that action."""
    return [asked for asked in provider.asked if asked.query.get("Action") == action]
