"""The AWS Price List: the index of regions, and offer files of some hundred megabytes, read piece by piece.

https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-the-aws-price-list-bulk-api.html
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any
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
JSON_START, CSV_START = b"{", b'"'
LONGEST_PREAMBLE = 20  # lines before a CSV's header: today 5, with format, date, version and offer
SNIFFED_BYTES = 64

# The attributes in use: their names in JSON and in the columns of a CSV.
ATTRIBUTES = {
    "instanceType": "Instance Type",
    "operatingSystem": "Operating System",
    "tenancy": "Tenancy",
    "preInstalledSw": "Pre Installed S/W",
    "capacitystatus": "CapacityStatus",
    "marketoption": "MarketOption",
    "licenseModel": "License Model",
    "regionCode": "Region Code",
    "locationType": "Location Type",
    "volumeApiName": "Volume API Name",
    "group": "Group",
}
RATE_COLUMNS = ("SKU", "TermType", "Unit", "PricePerUnit", "Currency", "Product Family")


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


@dataclass(frozen=True)
class OfferFile:
    """Products and on-demand prices of an open file; each reads the whole file and raises ``FeedError``."""

    products: Callable[[], Iterator[Product]]
    prices: Callable[[], Iterator[UnitPrice]]


def offer_file(file: IO[bytes]) -> OfferFile:
    """The reader for a file's content, whatever its name and media type are."""
    file.seek(0)
    start = file.read(SNIFFED_BYTES).lstrip()[:1]
    if start == JSON_START:
        return OfferFile(lambda: _json_products(file), lambda: _json_prices(file))
    if start == CSV_START:
        return OfferFile(lambda: _csv_products(file), lambda: _csv_prices(file))
    raise FeedError("is neither JSON nor CSV" if start else "is empty")


def _json_products(file: IO[bytes]) -> Iterator[Product]:
    for sku, product in _json_items(file, "products"):
        attributes = product.get("attributes")
        if not isinstance(attributes, dict):
            raise FeedError(f"product {sku} has no 'attributes'")
        kept = {name: str(attributes[name]) for name in ATTRIBUTES if attributes.get(name)}
        yield Product(sku, str(product.get("productFamily", "")), kept)


def _json_prices(file: IO[bytes]) -> Iterator[UnitPrice]:
    """The prices of all terms, whose codes differ between AWS and AWS China."""
    for sku, terms in _json_items(file, f"terms.{ON_DEMAND_TERM}"):
        for term in terms.values():
            dimensions = inside(term, "priceDimensions")
            if not isinstance(dimensions, dict):
                raise FeedError(f"a term of {sku} has no 'priceDimensions'")
            yield from (_json_price(sku, dimension) for dimension in dimensions.values())


def _json_price(sku: str, dimension: Any) -> UnitPrice:
    prices = inside(dimension, "pricePerUnit")
    prices = prices if isinstance(prices, dict) else {}
    currency = USD if USD in prices or not prices else min(prices)
    return UnitPrice(sku, str(inside(dimension, "unit") or ""), str(prices.get(currency, "")), currency)


def _json_items(file: IO[bytes], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The members of the object at ``prefix``, one in memory at a time."""
    file.seek(0)
    try:
        for key, value in ijson.kvitems(file, prefix, use_float=True):
            if not isinstance(value, dict):
                raise FeedError(f"{prefix}: {key} is no object")
            yield key, value
    except ijson.JSONError as error:
        raise FeedError(f"is truncated or garbled JSON: {error}") from error


def _csv_products(file: IO[bytes]) -> Iterator[Product]:
    for row in _csv_rows(file):
        attributes = {name: row[column] for name, column in ATTRIBUTES.items() if row.get(column)}
        yield Product(row["SKU"], row["Product Family"], attributes)


def _csv_prices(file: IO[bytes]) -> Iterator[UnitPrice]:
    for row in _csv_rows(file):
        yield UnitPrice(row["SKU"], row["Unit"], row["PricePerUnit"], row["Currency"])


def _csv_rows(file: IO[bytes]) -> Iterator[dict[str, str]]:
    """The on-demand rows, each with a product and its price."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        rows = csv.reader(text, strict=True)
        header = _csv_header(rows)
        used = {name: header.index(name) for name in (*RATE_COLUMNS, *ATTRIBUTES.values()) if name in header}
        for row in rows:
            if len(row) != len(header):
                raise FeedError(f"line {rows.line_num} has {len(row)} columns in place of {len(header)}: truncated?")
            if row[used["TermType"]] == ON_DEMAND_TERM:
                yield {name: row[place] for name, place in used.items()}
    except (csv.Error, UnicodeDecodeError) as error:
        raise FeedError(f"is truncated or garbled CSV: {error}") from error
    finally:
        text.detach()


def _csv_header(rows: Iterator[list[str]]) -> list[str]:
    for _, row in zip(range(LONGEST_PREAMBLE), rows, strict=False):
        if "SKU" in row:
            missing = [name for name in RATE_COLUMNS if name not in row]
            if missing:
                raise FeedError(f"has no column {', '.join(map(repr, missing))}")
            return row
    raise FeedError("has no header with a column 'SKU'")
