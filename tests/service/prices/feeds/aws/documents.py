"""Documents in the formats of the AWS Price List, the Spot Advisor and EC2, small enough to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tests.service.prices.feeds.loopback import Asked, Provider, Reply

from plimsoll_service.prices.feeds.feed import CloudFacts, FeedRequest, TypeFacts

INDEX_PATH = "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
CHINA_INDEX_PATH = "/offers/v1.0/cn/AmazonEC2/current/region_index.json"
ADVISOR_PATH = "/spot-advisor-data.json"
REGION, OTHER_REGION, CHINA_REGION = "us-east-1", "eu-west-1", "cn-north-1"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "AKIALOOPBACK", "AWS_SECRET_ACCESS_KEY": "never-to-be-shown"}
FACTS = TypeFacts(4, 16, None, 0, 0, False, frozenset())
PRODUCTS = frozenset({"gp2", "gp3", "io2", "instance-store-nvme"})
LINUX = {
    "instanceType": "m5.xlarge",
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
    "licenseModel": "No License required",
    "regionCode": REGION,
    "locationType": "AWS Region",
    "usagetype": "BoxUsage:m5.xlarge",
}
COMPUTE, METAL = "Compute Instance", "Compute Instance (bare metal)"


@dataclass(frozen=True)
class Listed:
    """A product and its on-demand price; no price: a product without terms."""

    sku: str
    family: str
    attributes: Mapping[str, str]
    price: str | None = "0.1920000000"
    unit: str = "Hrs"
    currency: str = "USD"
    reserved: str | None = None


def machine(sku: str = "M5", price: str | None = "0.1920000000", *, family: str = COMPUTE, **changed: Any) -> Listed:
    """A Linux machine on demand, with attributes changed (``None`` removes one)."""
    currency = changed.pop("currency", "USD")
    unit = changed.pop("unit", "Hrs")
    attributes = {name: value for name, value in {**LINUX, **changed}.items() if value is not None}
    return Listed(sku, family, attributes, price, unit, currency, reserved="0.1000000000")


def volume(sku: str, family: str, name: str, price: str, unit: str, **attributes: str) -> Listed:
    """A part of an EBS volume."""
    placed = {"volumeApiName": name, "regionCode": REGION, "locationType": "AWS Region", **attributes}
    return Listed(sku, family, placed, price, unit)


def gp3() -> tuple[Listed, ...]:
    """The three priced parts of gp3 in us-east-1."""
    return (
        volume("V1", "Storage", "gp3", "0.0800000000", "GB-Mo"),
        volume("V2", "System Operation", "gp3", "0.0050000000", "IOPS-Mo", group="EBS IOPS"),
        volume("V3", "Provisioned Throughput", "gp3", "40.9600000000", "GiBps-mo", group="EBS Throughput"),
    )


def offer_json(listed: Iterable[Listed]) -> dict[str, Any]:
    """An offer file as JSON."""
    listed = tuple(listed)
    terms = {"OnDemand": _terms(listed, "JRTCKXETXF"), "Reserved": _reserved(listed)}
    return {
        "formatVersion": "v1.0",
        "offerCode": "AmazonEC2",
        "version": "20260921194712",
        "publicationDate": "2026-09-21T19:47:12Z",
        "products": {
            one.sku: {"sku": one.sku, "productFamily": one.family, "attributes": dict(one.attributes)} for one in listed
        },
        "terms": terms,
        "attributesList": {},
    }


def serve(provider: Provider, region: str, body: Any, *, reply: Reply | None = None) -> None:
    """Put a region's offer file into the index."""
    path = f"/offers/v1.0/{'cn' if region.startswith('cn-') else 'aws'}/AmazonEC2/20260921194712/{region}/index.json"
    provider.serve(path, reply or Reply(body))
    index = CHINA_INDEX_PATH if region.startswith("cn-") else INDEX_PATH
    before = provider.routes.get(index)
    regions = json.loads(before(_ANY).content)["regions"] if before else {}
    regions[region] = {"regionCode": region, "currentVersionUrl": path}
    provider.serve(index, {"formatVersion": "v1.0", "regions": regions})


def advisor(regions: Mapping[str, Mapping[str, tuple[int, int]]]) -> dict[str, Any]:
    """The Spot Advisor's document: savings in percent and band, by region and instance type."""
    labels = ("<5%", "5-10%", "10-15%", "15-20%", ">20%")
    return {
        "global_rate": "<10%",
        "instance_types": {},
        "ranges": [{"index": index, "label": label, "dots": index} for index, label in enumerate(labels)],
        "spot_advisor": {
            region: {
                "Linux": {name: {"s": savings, "r": band} for name, (savings, band) in types.items()},
                "Windows": {name: {"s": 1, "r": 4} for name in types},
            }
            for region, types in regions.items()
        },
    }


@dataclass(frozen=True)
class SpotPoint:
    """A price in the history."""

    price: str
    zone: str = "us-east-1a"
    at: str = "2026-11-20T04:00:00.000Z"
    instance_type: str = "m5.xlarge"
    system: str = "Linux/UNIX"


def history(points: Iterable[SpotPoint], token: str = "") -> str:
    """A page of ``DescribeSpotPriceHistory``."""
    items = "".join(
        f"<item><instanceType>{point.instance_type}</instanceType>"
        f"<productDescription>{point.system}</productDescription><spotPrice>{point.price}</spotPrice>"
        f"<timestamp>{point.at}</timestamp><availabilityZone>{point.zone}</availabilityZone></item>"
        for point in points
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<DescribeSpotPriceHistoryResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">'
        f"<requestId>r</requestId><spotPriceHistorySet>{items}</spotPriceHistorySet><nextToken>{token}</nextToken>"
        "</DescribeSpotPriceHistoryResponse>"
    )


def refusal(status: int, code: str, message: str = "no") -> Reply:
    """An error of EC2."""
    body = f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors></Response>"
    return Reply(f'<?xml version="1.0" encoding="UTF-8"?>{body}', status)


def form(asked: Asked) -> dict[str, str]:
    """Form of a request to EC2."""
    return dict(parse_qsl(asked.body.decode()))


def request_to(
    provider: Provider,
    *,
    regions: tuple[str, ...] | None = None,
    known: frozenset[str] = frozenset({REGION, OTHER_REGION}),
    types: Iterable[str] = ("m5.xlarge", "p5.48xlarge", "m5.metal"),
    environment: Mapping[str, str] | None = None,
    units_per_usd: Mapping[str, float] | None = None,
    report: Any = lambda _: None,
) -> FeedRequest:
    """A refresh of AWS from the loopback."""
    return FeedRequest(
        "aws",
        regions,
        {"aws": CloudFacts(known, dict.fromkeys(types, FACTS), PRODUCTS)},
        environment or {},
        provider.url,
        units_per_usd or {},
        report,
    )


def without_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove this machine's own credentials."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")


_ANY = Asked("GET", "", {}, {}, b"")


def _terms(listed: Iterable[Listed], code: str) -> dict[str, Any]:
    return {
        one.sku: {f"{one.sku}.{code}": _term(one.sku, code, one.unit, {one.currency: one.price})}
        for one in listed
        if one.price is not None
    }


def _reserved(listed: Iterable[Listed]) -> dict[str, Any]:
    return {
        one.sku: {f"{one.sku}.38NPMPTW36": _term(one.sku, "38NPMPTW36", one.unit, {one.currency: one.reserved})}
        for one in listed
        if one.reserved is not None
    }


def _term(sku: str, code: str, unit: str, prices: Mapping[str, str | None]) -> dict[str, Any]:
    rate = f"{sku}.{code}.6YS6EN2CT7"
    dimension = {"rateCode": rate, "unit": unit, "beginRange": "0", "endRange": "Inf", "pricePerUnit": dict(prices)}
    return {"offerTermCode": code, "sku": sku, "priceDimensions": {rate: dimension}, "termAttributes": {}}
