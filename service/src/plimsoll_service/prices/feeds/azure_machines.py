"""Azure's machine prices: which meters are a Linux machine's hour, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll_service.prices.feeds.azure_meters import SOURCE, Meter
from plimsoll_service.prices.feeds.currency import rate
from plimsoll_service.prices.feeds.feed import ON_DEMAND, SPOT, FeedRequest, OfferQuote

SERVICE = "Virtual Machines"
HOUR = "1 Hour"
# Products of the same service that are no Linux machine; Azure writes them with and without a space.
OTHER_PRODUCTS = ("windows", "cloudservices", "dedicatedhost")
LOW_PRIORITY = "low priority"  # batch nodes, which are not sold as machines


@dataclass(frozen=True)
class Machines:
    """The offers of a region; ``unusable`` are (instance type, purchase option) listed without a price to believe."""

    offers: tuple[OfferQuote, ...]
    unusable: frozenset[tuple[str, str]]
    skipped: frozenset[str]  # instance types that the catalog lacks
    faults: tuple[str, ...]


def machines(request: FeedRequest, region: str, meters: Iterable[Meter]) -> Machines:
    """The offers behind the meters in force of one region; raises ``FeedError`` for a currency without a rate."""
    names = {name.lower(): name for name in request.types}  # the list's spelling differs in case here and there
    sold: dict[tuple[str, str], list[Meter]] = {}
    skipped: set[str] = set()
    for meter in meters:
        purchase = purchase_of(meter)
        if purchase is None or not meter.arm_sku:
            continue
        name = names.get(meter.arm_sku.lower())
        if name is None:
            skipped.add(meter.arm_sku)
        else:
            sold.setdefault((name, purchase), []).append(meter)
    faults = {offer: _fault(group) for offer, group in sold.items()}
    return Machines(
        offers=tuple(
            _offer(request, region, name, purchase, sold[name, purchase])
            for (name, purchase), fault in sorted(faults.items())
            if fault is None
        ),
        unusable=frozenset(offer for offer, fault in faults.items() if fault is not None),
        skipped=frozenset(skipped),
        faults=tuple(f"{region}: {name} ({purchase}) {fault}" for (name, purchase), fault in faults.items() if fault),
    )


def purchase_of(meter: Meter) -> str | None:
    """The purchase option of a Linux machine's meter; ``None`` of any other meter.

    The operating system shows in the product's name only, spot and low priority in the names of SKU and meter only.
    """
    product = meter.product.replace(" ", "").lower()
    named = f"{meter.sku} {meter.name}".lower()
    if any(other in product for other in OTHER_PRODUCTS) or LOW_PRIORITY in named:
        return None
    return SPOT if "spot" in named else ON_DEMAND


def _candidates(group: list[Meter]) -> list[Meter]:
    """The priced meters; of several, those of the region's own where there are such."""
    priced = [meter for meter in group if meter.price is not None and meter.unit == HOUR]
    if len({(meter.price, meter.currency) for meter in priced}) > 1:
        return [meter for meter in priced if meter.primary] or priced
    return priced


def _fault(group: list[Meter]) -> str | None:
    """Why the meters of one offer give no price to believe, if they do not."""
    candidates = _candidates(group)
    prices = sorted({meter.price for meter in candidates if meter.price is not None})
    if len(prices) == 1:
        return None
    if prices:
        return "has several prices at once: " + ", ".join(f"{price:g}" for price in prices)
    units = sorted({meter.unit for meter in group} - {HOUR})
    return f"is priced per {', '.join(units)}, not per hour" if units else "has no price above 0"


def _offer(request: FeedRequest, region: str, name: str, purchase: str, group: list[Meter]) -> OfferQuote:
    meter = _candidates(group)[0]
    assert meter.price is not None
    found = rate(request, meter.currency)
    return OfferQuote(
        request.cloud,
        name,
        region,
        purchase,
        meter.price * found.usd_per_unit,
        confidence=found.confidence,
        source=f"{SOURCE}{found.remark}" if found.remark else None,
    )
