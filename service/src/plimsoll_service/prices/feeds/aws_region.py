"""One region's offer file of the AWS Price List, read: what machines and volumes cost there on demand."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

import httpx

from plimsoll_service.prices.feeds import currency
from plimsoll_service.prices.feeds.aws_machines import HOURLY, Machines, sort_prices
from plimsoll_service.prices.feeds.aws_offer_file import USD, OfferFile, Rate, offer_file
from plimsoll_service.prices.feeds.aws_volumes import VOLUMES, Part, VolumePart, sort_parts, unit_share, volume_part
from plimsoll_service.prices.feeds.feed import ON_DEMAND, FeedError, FeedRequest, OfferQuote, VolumeQuote
from plimsoll_service.prices.feeds.http import download, shown

SOURCE = "AWS Price List"


@dataclass(frozen=True)
class RegionPrices:
    """What a region sells on demand; ``skipped`` are instance types that the catalog lacks."""

    region: str
    offers: tuple[OfferQuote, ...]
    unusable: frozenset[str]  # instance types
    skipped: frozenset[str]
    volumes: tuple[VolumeQuote, ...]
    notes: tuple[str, ...]


def fetch_region(http: httpx.Client, request: FeedRequest, region: str, url: str) -> RegionPrices:
    """Download and read a region's file, which memory never holds; raises ``FeedError``."""
    with tempfile.TemporaryFile() as file:
        download(http, url, file)
        try:
            return read_region(file, request, region)
        except FeedError as error:
            raise FeedError(f"{region}: {shown(url)}: {error}") from error


def read_region(file: IO[bytes], request: FeedRequest, region: str) -> RegionPrices:
    """The machines and volumes in an offer file; raises ``FeedError``."""
    listed = offer_file(file)
    machines, parts = _select(listed, region)
    machines.check()
    hourly: list[Rate] = []
    monthly: list[tuple[VolumePart, Rate]] = []
    for rate in listed.rates():
        if rate.sku in machines.types and rate.unit == HOURLY:
            hourly.append(rate)
        elif rate.sku in parts:
            monthly.append((parts[rate.sku], rate))
    priced = sort_prices(region, machines.types, _in_usd(hourly, request))
    volumes, missing = _volumes(region, monthly, request)
    confidence, source = _provenance(hourly, request)
    known = request.types.keys()
    return RegionPrices(
        region,
        tuple(
            OfferQuote(request.cloud, name, region, ON_DEMAND, usd, confidence, source)
            for name, usd in sorted(priced.usd_per_hour.items())
            if name in known
        ),
        unusable=priced.unusable & known,
        skipped=frozenset(priced.usd_per_hour.keys() | priced.unusable) - known,
        volumes=volumes,
        notes=(*machines.notes(), *priced.notes, *missing),
    )


def readable(amount: str) -> float | None:
    """A price above 0; ``None`` for 0 and for what is no price."""
    try:
        value = float(amount)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _select(listed: OfferFile, region: str) -> tuple[Machines, dict[str, VolumePart]]:
    """The products wanted, by SKU."""
    machines = Machines(region)
    parts: dict[str, VolumePart] = {}
    for product in listed.products():
        machines.add(product)
        part = volume_part(product, region)
        if part is not None:
            parts[product.sku] = part
    return machines, parts


def _in_usd(rates: Iterable[Rate], request: FeedRequest) -> Iterator[tuple[str, float | None]]:
    for rate in rates:
        amount = readable(rate.amount)
        yield rate.sku, None if amount is None else amount * currency.rate(request, rate.currency).usd_per_unit


def _provenance(rates: Iterable[Rate], request: FeedRequest) -> tuple[str, str]:
    """Confidence and source of the prices of a file; raises ``FeedError`` for one of several currencies."""
    currencies = sorted({rate.currency for rate in rates if readable(rate.amount)})
    if len(currencies) > 1:
        raise FeedError(f"mixes the currencies {', '.join(currencies)}")
    rate = currency.rate(request, currencies[0] if currencies else USD)
    return rate.confidence, SOURCE + rate.remark


def _volumes(
    region: str, rates: list[tuple[VolumePart, Rate]], request: FeedRequest
) -> tuple[tuple[VolumeQuote, ...], tuple[str, ...]]:
    """The catalog's EBS volumes that have a price, and a note on those without."""
    prices: list[tuple[VolumePart, float]] = []
    for part, rate in rates:
        amount, share = readable(rate.amount), unit_share(part.part, rate)
        if amount is not None and share is not None:
            prices.append((part, amount * share * currency.rate(request, rate.currency).usd_per_unit))
    found, several = sort_parts(prices)
    confidence, source = _provenance((rate for _, rate in rates), request)
    names = sorted(VOLUMES & request.products)
    doubtful = {part.product for part in several}
    quotes = tuple(
        VolumeQuote(
            request.cloud,
            name,
            region,
            found[VolumePart(name, Part.SIZE)],
            found.get(VolumePart(name, Part.IOPS)),
            found.get(VolumePart(name, Part.THROUGHPUT)),
            confidence,
            source,
        )
        for name in names
        if VolumePart(name, Part.SIZE) in found and name not in doubtful
    )
    missing = [name for name in names if name not in {quote.product for quote in quotes}]
    return quotes, ((f"{region}: volumes without one price: {', '.join(missing)}",) if missing else ())
