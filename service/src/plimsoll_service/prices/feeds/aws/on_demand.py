"""Prices on demand of AWS: the machines and volumes in a region's offer file."""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, NamedTuple

import httpx

from .. import currency
from ..feed import ON_DEMAND, UNPRICED, FeedError, FeedRequest, OfferQuote, VolumeQuote
from ..http import download, shown
from .price_list import Product, UnitPrice, prices, products

FAMILIES = frozenset({"Compute Instance", "Compute Instance (bare metal)"})
HOURLY = "Hrs"
TYPE = "instanceType"
# `UnusedCapacityReservation` repeats the price, `AllocatedCapacityReservation` and Capacity Blocks stand at 0.
REQUIRED = {"operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used"}
# Files before 2024 lack `marketoption`, older ones `regionCode`; a region's file also lists its local zones.
WHERE_STATED = {"marketoption": "OnDemand", "locationType": "AWS Region"}
REGION = "regionCode"
OWN_LICENCE = re.compile("bring your own|byol", re.IGNORECASE)
VOLUMES = frozenset({"gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"})
NAME, GROUP, PLACE = "volumeApiName", "group", "locationType"
MIB_PER_GIB = 1024
SOURCE = "AWS Price List"


@dataclass
class MachineProducts:
    """The machines among a region's products."""

    region: str
    types: dict[str, str] = field(default_factory=dict)  # by SKU
    seen: int = 0  # products that are machines
    stating: Counter[str] = field(default_factory=Counter)  # how many of them have an attribute
    matching: Counter[str] = field(default_factory=Counter)  # how many have the wanted value of it

    def add(self, product: Product) -> None:
        """Count a product, and keep it if its price is the wanted one."""
        if product.family not in FAMILIES:
            return
        self.seen += 1
        wanted = {**REQUIRED, **WHERE_STATED, REGION: self.region}
        attributes = product.attributes
        matching = [name for name, value in wanted.items() if attributes.get(name) == value]
        self.stating.update(attributes.keys())
        self.matching.update(matching)
        silent = [name for name in (*WHERE_STATED, REGION) if name not in attributes]
        instance_type = attributes.get(TYPE, "")
        # The free tier's product has no type, a host's type is a family without a size ("m5").
        if (
            "." in instance_type
            and len(matching) + len(silent) == len(wanted)
            and not OWN_LICENCE.search(attributes.get("licenseModel", ""))
        ):
            self.types[product.sku] = instance_type

    def check(self) -> None:
        """Raise ``FeedError`` with the field at fault if no product is a wanted one."""
        if not self.seen:
            raise FeedError("lists no product of the family 'Compute Instance'")
        absent = [name for name in (TYPE, *REQUIRED) if not self.stating[name]]
        if absent:
            raise FeedError(f"no machine has the attribute {', '.join(map(repr, absent))}: renamed?")
        if self.types:
            return
        wanted = {**REQUIRED, **WHERE_STATED, REGION: self.region}
        never = [f"{name} {wanted[name]!r}" for name in wanted if self.stating[name] and not self.matching[name]]
        raise FeedError(f"no machine has {', '.join(never) or 'all of ' + ', '.join(wanted)}")

    def notes(self) -> tuple[str, ...]:
        """Notes on products left out because they lack an attribute that others have."""
        lacking = {name: self.stating[TYPE] - self.stating[name] for name in REQUIRED}
        return tuple(f"{self.region}: {count} products lack {name!r}" for name, count in lacking.items() if count > 0)


class Part(Enum):
    """The priced parts of a volume, with the product families that hold them."""

    SIZE = "Storage"
    IOPS = "System Operation"
    THROUGHPUT = "Provisioned Throughput"


# A GB of the list is a GiB, as the API bills sizes in GiB one to one; only io2 says "GB-month".
UNITS = {
    Part.SIZE: {"gb-mo": 1.0, "gb-month": 1.0},
    Part.IOPS: {"iops-mo": 1.0},
    Part.THROUGHPUT: {"mibps-mo": 1.0, "gibps-mo": 1.0 / MIB_PER_GIB},
}
# The first tier is the usual price: "EBS IOPS Tier 2" and 3 are rates of io2 above 32,000 and 64,000 IOPS.
# "EBS I/O Requests" of standard volumes are no provisioned IOPS.
IOPS_GROUP = "EBS IOPS"


class VolumePart(NamedTuple):
    """A priced part of a volume product."""

    product: str
    part: Part


def volume_part(product: Product, region: str) -> VolumePart | None:
    """The part of an EBS volume that a product prices in a region, if any."""
    attributes = product.attributes
    name = attributes.get(NAME, "")
    families = {part.value: part for part in Part}
    part = families.get(product.family)
    if part is None or name not in VOLUMES:
        return None
    if attributes.get(REGION, region) != region or attributes.get(PLACE, WHERE_STATED[PLACE]) != WHERE_STATED[PLACE]:
        return None
    return None if part is Part.IOPS and attributes.get(GROUP) != IOPS_GROUP else VolumePart(name, part)


def sort_parts(prices: Iterable[tuple[VolumePart, float]]) -> tuple[Mapping[VolumePart, float], frozenset[VolumePart]]:
    """One price for each part, and the parts with several prices."""
    found: defaultdict[VolumePart, set[float]] = defaultdict(set)
    for part, usd in prices:
        found[part].add(usd)
    several = frozenset(part for part, all_usd in found.items() if len(all_usd) > 1)
    return {part: usd for part, all_usd in found.items() if len(all_usd) == 1 for usd in all_usd}, several


@dataclass(frozen=True)
class RegionPrices:
    """A region's prices on demand."""

    region: str
    offers: tuple[OfferQuote, ...]
    volumes: tuple[VolumeQuote, ...]
    notes: tuple[str, ...]


def fetch_region(http: httpx.Client, request: FeedRequest, region: str, url: str) -> RegionPrices:
    """Download and read a region's file, which is never held in memory; raises ``FeedError``."""
    with tempfile.TemporaryFile() as file:
        download(http, url, file)
        try:
            return read_region(file, request, region)
        except FeedError as error:
            raise FeedError(f"{region}: {shown(url)}: {error}") from error


def read_region(file: IO[bytes], request: FeedRequest, region: str) -> RegionPrices:
    """The machines and volumes in an offer file; raises ``FeedError``."""
    machines, parts = _select(file, region)
    machines.check()
    hourly: list[UnitPrice] = []
    monthly: list[tuple[VolumePart, UnitPrice]] = []
    for price in prices(file):
        if price.sku in machines.types and price.unit == HOURLY:
            hourly.append(price)
        elif price.sku in parts:
            monthly.append((parts[price.sku], price))
    if not hourly:
        raise FeedError(f"none of {len(machines.types)} machines has an on-demand price with the unit {HOURLY!r}")
    if not any(currency.positive(price.amount) for price in hourly):
        raise FeedError(f"all {len(hourly)} prices are 0 or unreadable")
    volumes, missing = _volumes(region, monthly, request)
    confidence, source = _provenance(hourly, request)
    return RegionPrices(
        region,
        tuple(
            OfferQuote(
                request.cloud, machines.types[price.sku], region, ON_DEMAND, _usd(price, request), confidence, source
            )
            for price in hourly
        ),
        volumes=volumes,
        notes=(*machines.notes(), *missing),
    )


def _select(file: IO[bytes], region: str) -> tuple[MachineProducts, dict[str, VolumePart]]:
    """The products wanted, by SKU."""
    machines = MachineProducts(region)
    parts: dict[str, VolumePart] = {}
    for product in products(file):
        machines.add(product)
        part = volume_part(product, region)
        if part is not None:
            parts[product.sku] = part
    return machines, parts


def _usd(price: UnitPrice, request: FeedRequest) -> float:
    amount = currency.positive(price.amount)
    return UNPRICED if amount is None else amount * currency.rate(request, price.currency).usd_per_unit


def _provenance(prices: Iterable[UnitPrice], request: FeedRequest) -> tuple[str, str]:
    """Confidence and source of a file's prices; raises ``FeedError`` for a mix of currencies."""
    currencies = sorted({price.currency for price in prices if currency.positive(price.amount)})
    if len(currencies) > 1:
        raise FeedError(f"mixes the currencies {', '.join(currencies)}")
    rate = currency.rate(request, currencies[0] if currencies else currency.USD)
    return rate.confidence, SOURCE + rate.remark


def _volumes(
    region: str, listed: list[tuple[VolumePart, UnitPrice]], request: FeedRequest
) -> tuple[tuple[VolumeQuote, ...], tuple[str, ...]]:
    """The EBS volumes of the catalog that have a price, and a note on the others."""
    prices: list[tuple[VolumePart, float]] = []
    for part, price in listed:
        amount, share = currency.positive(price.amount), UNITS[part.part].get(price.unit.lower())
        if amount is not None and share is not None:
            prices.append((part, amount * share * currency.rate(request, price.currency).usd_per_unit))
    found, several = sort_parts(prices)
    confidence, source = _provenance((price for _, price in listed), request)
    names = sorted(VOLUMES & request.products)
    doubtful = {part.product for part in several}
    quotes: list[VolumeQuote] = []
    for name in names:
        size, iops, throughput = (found.get(VolumePart(name, part)) for part in Part)
        if size is not None and name not in doubtful:
            quotes.append(VolumeQuote(request.cloud, name, region, size, iops, throughput, confidence, source))
    missing = [name for name in names if name not in {quote.product for quote in quotes}]
    return tuple(quotes), ((f"{region}: volumes without one price: {', '.join(missing)}",) if missing else ())
