"""The AWS Price List: the index of regions, and offer files of some hundred megabytes, read piece by piece.

https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-the-aws-price-list-bulk-api.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

import httpx
import ijson

from ..currency import USD
from ..feed import FeedError, FeedRequest, few
from ..http import get_json, inside, moved, shown

INDEX = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/region_index.json"
CHINA_INDEX = "https://pricing.cn-north-1.amazonaws.com.cn/offers/v1.0/cn/AmazonEC2/current/region_index.json"
CHINA, CHINA_CURRENCY = "cn-", "CNY"
ON_DEMAND_TERM = "OnDemand"
MOST_FAILED_REGIONS = 3  # beyond them the list is at fault, and each attempt takes minutes
# The attributes in use.
ATTRIBUTES = (
    "instanceType", "operatingSystem", "tenancy", "preInstalledSw", "capacitystatus", "marketoption", "licenseModel",
    "regionCode", "locationType", "volumeApiName", "group",
)  # fmt: skip


T = TypeVar("T")


def region_files(http: httpx.Client, request: FeedRequest) -> tuple[dict[str, str], tuple[str, ...]]:
    """The addresses of offer files by region, and notes; raises ``FeedError`` if a region asked for has none."""
    wanted, notes = _wanted(request)
    china = {region for region in wanted if region.startswith(CHINA)}
    listed: dict[str, str] = {}
    for index, regions in ((INDEX, set(wanted) - china), (CHINA_INDEX, china)):
        if regions:
            listed |= _indexed(http, index, request.base_url)
    missing = [region for region in wanted if region not in listed]
    if missing and (request.regions is not None or len(missing) == len(wanted)):
        raise FeedError(f"the region index lists no {', '.join(missing)}")
    lost = (f"not in the region index: {', '.join(missing)}",) if missing else ()
    return {region: listed[region] for region in wanted if region in listed}, (*notes, *lost)


def each_region(regions: Iterable[str], ask: Callable[[str], T]) -> tuple[list[T], dict[str, FeedError]]:
    """The answers of regions, one after the other, and the faults of those that fail; raises if all or many fail."""
    found: list[T] = []
    failed: dict[str, FeedError] = {}
    for region in regions:
        try:
            found.append(ask(region))
        except FeedError as error:
            failed[region] = error
            if len(failed) > MOST_FAILED_REGIONS:
                raise
    if failed and not found:
        raise next(iter(failed.values()))
    return found, failed


def currency_of(region: str) -> str:
    """The currency of a region's prices."""
    return CHINA_CURRENCY if region.startswith(CHINA) else USD


def _wanted(request: FeedRequest) -> tuple[list[str], tuple[str, ...]]:
    """The regions to fetch, and a note on those left out because their exchange rate is missing."""
    wanted = request.wanted()
    china = [region for region in wanted if region.startswith(CHINA)]
    if not china or CHINA_CURRENCY in request.units_per_usd:
        return wanted, ()
    option = f"--exchange-rate {CHINA_CURRENCY}=…"
    needed = f"{', '.join(china)}: prices are in {CHINA_CURRENCY}: state its rate to the USD with {option}"
    if request.regions is not None or len(china) == len(wanted):
        raise FeedError(needed)
    return [region for region in wanted if region not in china], (f"left out: {needed}",)


def _indexed(http: httpx.Client, index: str, base_url: str | None) -> dict[str, str]:
    """Addresses by region, which the index states relative to its host."""
    url = moved(index, base_url)
    document: Any = get_json(http, url)
    regions = inside(document, "regions")
    if not isinstance(regions, dict) or not regions:
        raise FeedError(f"{shown(url)}: lists no 'regions'")
    paths = {name: str(inside(entry, "currentVersionUrl") or "") for name, entry in regions.items()}
    faulty = [name for name, path in paths.items() if not path.startswith("/")]
    if faulty:
        raise FeedError(f"{shown(url)}: no 'currentVersionUrl' relative to the host for {few(faulty)}")
    host = urlsplit(index)
    return {name: moved(f"{host.scheme}://{host.netloc}{path}", base_url) for name, path in paths.items()}


@dataclass(frozen=True, slots=True)
class Product:
    """A product of the list, without empty attributes."""

    sku: str
    family: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UnitPrice:
    """The price on demand of a product's unit, as written; ``amount`` is empty if no price is stated."""

    sku: str
    unit: str
    amount: str
    currency: str


def products(file: IO[bytes]) -> Iterator[Product]:
    """The products of an open offer file, which is read whole; raises ``FeedError``."""
    for sku, product in _items(file, "products"):
        attributes = product.get("attributes")
        if not isinstance(attributes, dict):
            raise FeedError(f"product {sku} has no 'attributes'")
        kept = {name: str(attributes[name]) for name in ATTRIBUTES if attributes.get(name)}
        yield Product(sku, str(product.get("productFamily", "")), kept)


def prices(file: IO[bytes]) -> Iterator[UnitPrice]:
    """The on-demand prices of all terms, whose codes differ between AWS and AWS China; raises ``FeedError``."""
    for sku, terms in _items(file, f"terms.{ON_DEMAND_TERM}"):
        for term in terms.values():
            dimensions = inside(term, "priceDimensions")
            if not isinstance(dimensions, dict):
                raise FeedError(f"a term of {sku} has no 'priceDimensions'")
            yield from (_price(sku, dimension) for dimension in dimensions.values())


def _price(sku: str, dimension: Any) -> UnitPrice:
    stated = inside(dimension, "pricePerUnit")
    amounts = stated if isinstance(stated, dict) else {}
    currency = USD if USD in amounts or not amounts else min(amounts)
    return UnitPrice(sku, str(inside(dimension, "unit") or ""), str(amounts.get(currency, "")), currency)


def _items(file: IO[bytes], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The members of the object at ``prefix``, one in memory at a time."""
    file.seek(0)
    try:
        for key, value in ijson.kvitems(file, prefix, use_float=True):
            if not isinstance(value, dict):
                raise FeedError(f"{prefix}: {key} is no object")
            yield key, value
    except ijson.JSONError as error:
        raise FeedError(f"is truncated or garbled JSON: {error}") from error
