"""Prices of Azure's machines and managed disks, from the meters of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ....engine.units import HOURS_PER_MONTH
from ..currency import DERIVED, USD, rate
from ..feed import ON_DEMAND, SPOT, UNPRICED, FeedRequest, OfferQuote, VolumeQuote
from .meters import SOURCE, Meter

MACHINES, DISKS = "Virtual Machines", "Storage"
HOUR = "1 Hour"
# Products of the service that are no Linux machines; Azure writes them with and without spaces.
OTHER_PRODUCTS = ("windows", "cloudservices", "dedicatedhost")
LOW_PRIORITY = "low priority"  # batch nodes, which are not sold as machines
DISK_MONTH, CAPACITY_HOUR, PERFORMANCE_HOUR = "1/Month", "1 GiB/Hour", "1/Hour"
PREMIUM, STANDARD_SSD, STANDARD_HDD = (
    "Premium SSD Managed Disks", "Standard SSD Managed Disks", "Standard HDD Managed Disks",
)  # fmt: skip
# GiB of a disk of each tier, https://learn.microsoft.com/azure/virtual-machines/disks-types
PREMIUM_TIERS = {
    "P1": 4, "P2": 8, "P3": 16, "P4": 32, "P6": 64, "P10": 128, "P15": 256, "P20": 512, "P30": 1024, "P40": 2048,
    "P50": 4096, "P60": 8192, "P70": 16384, "P80": 32767,
}  # fmt: skip
# The catalog has one row for all sizes of these; the tier of 1 TiB prices it, as in the catalog.
STANDARD_TIERS = {"standard-ssd": (STANDARD_SSD, "E30", 1024), "standard-hdd": (STANDARD_HDD, "S30", 1024)}
PROVISIONED = {"premium-ssd-v2": ("Azure Premium SSD v2", "Premium LRS"), "ultra": ("Ultra Disks", "Ultra LRS")}
LISTED_PRODUCTS = (PREMIUM, STANDARD_SSD, STANDARD_HDD, *(listed for listed, _ in PROVISIONED.values()))


def machines(request: FeedRequest, region: str, meters: Iterable[Meter]) -> tuple[OfferQuote, ...]:
    """The offers that a region's meters price; raises ``FeedError`` for a currency without a rate."""
    names = {name.lower(): name for name in request.types}  # the list sometimes differs in case
    sold: dict[tuple[str, str], list[Meter]] = {}
    for meter in meters:
        purchase = purchase_of(meter)
        if purchase is None or not meter.arm_sku:
            continue
        sold.setdefault((names.get(meter.arm_sku.lower(), meter.arm_sku), purchase), []).append(meter)
    return tuple(
        offer for (name, purchase), group in sold.items() for offer in _offers(request, region, name, purchase, group)
    )


def purchase_of(meter: Meter) -> str | None:
    """The purchase option of a Linux machine's meter; ``None`` for other meters.

    Only the product's name tells the operating system. Only the names of SKU and meter tell spot and low priority.
    """
    product = meter.product.replace(" ", "").lower()
    named = f"{meter.sku} {meter.name}".lower()
    if any(other in product for other in OTHER_PRODUCTS) or LOW_PRIORITY in named:
        return None
    return SPOT if "spot" in named else ON_DEMAND


def _candidates(group: list[Meter]) -> list[Meter]:
    """The meters with a price; if there are several, those marked as the region's primary ones."""
    priced = [meter for meter in group if meter.price is not None and meter.unit == HOUR]
    if len({(meter.price, meter.currency) for meter in priced}) > 1:
        return [meter for meter in priced if meter.primary] or priced
    return priced


def _offers(request: FeedRequest, region: str, name: str, purchase: str, group: list[Meter]) -> Iterator[OfferQuote]:
    """An offer at each of its prices, of which a sound list has one."""
    stated = sorted({(meter.price, meter.currency) for meter in _candidates(group) if meter.price is not None})
    for price, currency in stated or [(UNPRICED, USD)]:
        found = rate(request, currency)
        usd, source = price * found.usd_per_unit, SOURCE + found.remark if found.remark else None
        yield OfferQuote(request.cloud, name, region, purchase, usd, found.confidence, source)


@dataclass(frozen=True)
class _Part:
    """The meters that price one part of a product; a unit of theirs has ``units`` units of the catalog."""

    listed: str
    meters: tuple[str, ...]
    unit: str
    units: float


@dataclass(frozen=True)
class _Recipe:
    """The parts of a product's price."""

    capacity: _Part
    iops: _Part | None = None
    throughput: _Part | None = None
    scaled_from: str | None = None  # the size whose price is used for all


def volumes(request: FeedRequest, region: str, meters: Iterable[Meter]) -> tuple[tuple[VolumeQuote, ...], list[str]]:
    """The prices of the catalog's volume products in a region, and notes on those without one."""
    found: dict[tuple[str, str], list[Meter]] = {}
    for meter in meters:
        found.setdefault((meter.product, meter.name), []).append(meter)
    quotes: list[VolumeQuote] = []
    notes: list[str] = []
    for product, recipe in _recipes():
        group = _listed(found, recipe.capacity)
        if product not in request.products or not group:
            continue
        quote = _quote(request, region, product, recipe, found)
        if quote is None:
            notes.append(f"{region}: {product} has no single price above 0 per {recipe.capacity.unit}")
        else:
            quotes.append(quote)
    return tuple(quotes), notes


def _recipes() -> Iterator[tuple[str, _Recipe]]:
    for tier, gib in PREMIUM_TIERS.items():
        yield f"premium-ssd-{tier}", _Recipe(_disk(PREMIUM, tier, gib))
    for product, (listed, tier, gib) in STANDARD_TIERS.items():
        yield product, _Recipe(_disk(listed, tier, gib), scaled_from=f"{tier} of {gib} GiB")
    for product, (listed, name) in PROVISIONED.items():
        month = 1 / HOURS_PER_MONTH
        yield (
            product,
            _Recipe(
                _Part(listed, (f"{name} Provisioned Capacity",), CAPACITY_HOUR, month),
                _Part(listed, (f"{name} Provisioned IOPS",), PERFORMANCE_HOUR, month),
                # Azure's MBps is the catalog's MiB/s, whose limits come from the same pages.
                _Part(listed, (f"{name} Provisioned Throughput (MBps)",), PERFORMANCE_HOUR, month),
            ),
        )


def _disk(listed: str, tier: str, gib: int) -> _Part:
    return _Part(listed, (f"{tier} LRS Disk", f"{tier} LRS Disks"), DISK_MONTH, gib)


def _quote(
    request: FeedRequest, region: str, product: str, recipe: _Recipe, found: Mapping[tuple[str, str], list[Meter]]
) -> VolumeQuote | None:
    capacity = _meter(found, recipe.capacity)
    if capacity is None or capacity.price is None:
        return None
    worth = rate(request, capacity.currency)

    def usd(part: _Part | None) -> float | None:
        meter = None if part is None else _meter(found, part)
        if part is None or meter is None or meter.price is None:
            return None
        return meter.price * rate(request, meter.currency).usd_per_unit / part.units

    size = capacity.price * worth.usd_per_unit / recipe.capacity.units
    source = SOURCE + worth.remark if worth.remark else None
    parts = (size, usd(recipe.iops), usd(recipe.throughput))
    quote = VolumeQuote(request.cloud, product, region, *parts, confidence=worth.confidence, source=source)
    if recipe.scaled_from is None:
        return quote
    return replace(quote, confidence=DERIVED, source=f"{SOURCE}, {recipe.scaled_from}{worth.remark}")


def _listed(found: Mapping[tuple[str, str], list[Meter]], part: _Part) -> list[Meter]:
    return [meter for name in part.meters for meter in found.get((part.listed, name), [])]


def _meter(found: Mapping[tuple[str, str], list[Meter]], part: _Part) -> Meter | None:
    """The single meter with a price; of several tiers the last, which follows the included amount."""
    priced = [meter for meter in _listed(found, part) if meter.price is not None and meter.unit == part.unit]
    last = max((meter.tier_minimum for meter in priced), default=0.0)
    priced = [meter for meter in priced if meter.tier_minimum == last]
    return priced[0] if len({(meter.price, meter.currency) for meter in priced}) == 1 else None
