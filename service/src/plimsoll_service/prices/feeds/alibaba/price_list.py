"""Alibaba Cloud's public price lists: the address of the current edition, its machines and its volumes.

The provider describes them in https://developer.aliyun.com/article/629033: ``instancePrice.json`` has a price by
``Region::Type::Network::OS::IoOptimized`` and ``diskPrice.json`` by ``Region::Category::SystemOrData``, amounts are
strings. The address holds the number of the edition that each site's pricing page links.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

import httpx
import ijson

from ..currency import positive
from ..feed import ON_DEMAND, FeedError, FeedRequest, OfferQuote
from ..http import StatusError, download, inside, moved, request, shown
from .machines import Sweep, rate_of

LAST_KNOWN = "2.0.421"  # the edition if the pricing page cannot be read; it may be old
MACHINE_FILE, DISK_FILE = "instancePrice.json", "diskPrice.json"
MACHINE_KEY = re.compile(r"(?P<region>[^:]+)::(?P<type>[^:]+)::(?P<network>[^:]+)::(?P<os>[^:]+)::(?P<io>[^:]+)")
LINUX_IN_VPC = ("vpc", "linux")
BEST_IO = "optimized"  # preferred for types that are listed with and without
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
HEADER = frozenset(("currency", "publicationDate"))


class ListUnavailable(FeedError):
    """The public list cannot be read; ``missing``: the address answers without a list."""

    def __init__(self, error: FeedError) -> None:
        super().__init__(str(error))
        self.missing = isinstance(error, StatusError)


@dataclass(frozen=True, slots=True)
class Site:
    """One of the provider's two sites, each with its own currency and list."""

    page: str
    package: str


INTERNATIONAL = Site("https://www.alibabacloud.com/en/product/ecs-pricing-list/en", "ecs-price-info-intl")
MAINLAND = Site("https://www.aliyun.com/price/ecs/ecs-pricing/zh", "ecs-price-info")


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of a site's list; ``current`` if the site links it."""

    package: str
    number: str
    current: bool

    def address(self, file: str) -> str:
        """The address of one of its files."""
        return f"https://g.alicdn.com/aliyun/{self.package}/{self.number}/price/download/{file}"


@dataclass
class MachineList:
    """Hourly prices of Linux by region and instance type; ``None`` is unusable."""

    edition: Edition
    currency: str
    published: str | None
    prices: dict[tuple[str, str], float | None] = field(default_factory=dict)
    optimized: set[tuple[str, str]] = field(default_factory=set)
    monthly_only: int = 0


def machine_list(http: httpx.Client, asked: FeedRequest, site: Site) -> MachineList:
    """The list of a site; raises ``ListUnavailable``, and ``FeedError`` for a malformed list."""
    edition = _edition(http, asked, site)
    address = moved(edition.address(MACHINE_FILE), asked.base_url)
    with tempfile.TemporaryFile() as file:
        try:
            download(http, address, file)
        except FeedError as error:
            raise ListUnavailable(error) from error
        try:
            return _machines(file, asked, edition)
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise FeedError(f"{shown(address)}: is not whole JSON: {error}") from error
        except FeedError as error:
            raise FeedError(f"{shown(address)}: {error}") from error


def disk_list(http: httpx.Client, asked: FeedRequest, edition: Edition) -> tuple[Mapping[str, Any], str]:
    """``pricingInfo`` of the volumes' list and its currency; raises as ``machine_list`` does."""
    address = moved(edition.address(DISK_FILE), asked.base_url)
    try:
        body = request(http, address).content
    except FeedError as error:
        raise ListUnavailable(error) from error
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise FeedError(f"{shown(address)}: is not whole JSON: {error}") from error
    info, currency = inside(answer, "pricingInfo"), inside(answer, "currency")
    if not isinstance(info, dict) or not isinstance(currency, str):
        raise FeedError(f"{shown(address)}: has no pricingInfo with a currency")
    return info, currency


def hourly(terms: object) -> Iterator[tuple[object, object]]:
    """The values and prices that an entry states for one hour; machines have no value."""
    hours = inside(terms, "hours")
    for entry in hours if isinstance(hours, list) else ():
        if isinstance(entry, dict) and str(entry.get("period", "1")) == "1":
            yield entry.get("value"), entry.get("price")


def _edition(http: httpx.Client, asked: FeedRequest, site: Site) -> Edition:
    """The edition that the site's pricing page links, else the last known one."""
    try:
        page = request(http, moved(site.page, asked.base_url)).text
    except FeedError:
        page = ""
    linked = re.findall(rf"/aliyun/{re.escape(site.package)}/(\d+\.\d+\.\d+)(?![\d.])", page)
    newest = max(linked, key=lambda number: [int(part) for part in number.split(".")], default=None)
    return Edition(site.package, newest or LAST_KNOWN, newest is not None)


def _machines(file: IO[bytes], asked: FeedRequest, edition: Edition) -> MachineList:
    header = _header(file)
    if "currency" not in header:
        raise FeedError("states no currency")
    published = header.get("publicationDate", "")
    found = MachineList(edition, header["currency"], published if DATE.fullmatch(published) else None)
    entries = 0
    file.seek(0)
    for key, terms in ijson.kvitems(file, "pricingInfo", use_float=True):
        entries += 1
        _take(found, asked, key, terms)
    if not entries:
        raise FeedError("has nothing in pricingInfo")
    if not any(found.prices.values()):
        raise FeedError(f"has {entries} entries in pricingInfo and no hourly price of Linux in a VPC for a known type")
    return found


def _header(file: IO[bytes]) -> dict[str, str]:
    """The words at the list's top level, read no further than necessary."""
    found: dict[str, str] = {}
    for prefix, event, value in ijson.parse(file):
        if event == "string" and prefix in HEADER:
            found[prefix] = value
            if len(found) == len(HEADER):
                break
    return found


def _take(found: MachineList, asked: FeedRequest, key: str, terms: object) -> None:
    """Add one entry of a region that the catalog knows."""
    parts = MACHINE_KEY.fullmatch(key)
    if parts is None or (parts["network"], parts["os"]) != LINUX_IN_VPC:
        return
    region, instance_type = parts["region"], parts["type"]
    if region in asked.known_regions and (region, instance_type) not in found.optimized:
        if isinstance(terms, dict) and terms and not terms.get("hours"):
            found.monthly_only += asked.wants(region)
            return
        found.prices[region, instance_type] = next((positive(price) for _, price in hourly(terms)), None)
        if parts["io"] == BEST_IO:
            found.optimized.add((region, instance_type))


def offers_listed(request: FeedRequest, listed: MachineList) -> Sweep:
    """The hourly prices of the list; raises ``FeedError`` for a missing region that was asked for by name."""
    rate = rate_of(request, listed.currency)
    source = source_of(listed) + rate.remark
    dated = None if listed.edition.current else listed.published
    found = Sweep()
    for (region, name), price in sorted(listed.prices.items()):
        if not request.wants(region):
            continue
        if price is None:
            found.add_unpriced(request, name, region, ON_DEMAND, "listed at no amount above 0")
            continue
        usd = price * rate.usd_per_unit
        found.offers.append(OfferQuote(request.cloud, name, region, ON_DEMAND, usd, rate.confidence, source, dated))
    found.regions = sorted(region for region in _regions(listed) if request.wants(region))
    missing = sorted(set(request.regions or ()) - set(found.regions))
    if missing:
        raise FeedError(f"alibaba: the public price list has no hourly price in {', '.join(missing)}")
    return found


def source_of(listed: MachineList) -> str:
    """The source of its prices, with the date of a list that may not be the newest."""
    if listed.edition.current:
        return "Alibaba Cloud price list"
    return f"Alibaba Cloud price list {listed.edition.number} of {listed.published or 'an unknown date'}"


def list_notes(request: FeedRequest, listed: MachineList) -> list[str]:
    """Notes on the list that was read, and on what was left out."""
    edition = listed.edition
    said = [f"on_demand: by the public price list {edition.package} {edition.number} in {listed.currency}"]
    if not edition.current:
        said.append(
            f"the pricing page links no edition of that list: {edition.number} is the last one known, "
            f"published {listed.published or 'nobody says when'}"
        )
    if listed.monthly_only:
        said.append(f"on_demand: {listed.monthly_only} offers are sold by the month only and left out")
    unlisted = sorted(
        region for region in request.known_regions if request.wants(region) and region not in _regions(listed)
    )
    if unlisted:
        said.append(f"on_demand: not in the list: {', '.join(unlisted)}")
    return said


def _regions(listed: MachineList) -> set[str]:
    return {region for region, _ in listed.prices}
