"""Which products of an AWS offer file are machines at the price wanted: Linux, shared, bare, by the hour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from plimsoll_service.prices.feeds.aws_offer_file import Product
from plimsoll_service.prices.feeds.feed import FeedError

FAMILIES = frozenset({"Compute Instance", "Compute Instance (bare metal)"})
HOURLY = "Hrs"
TYPE = "instanceType"
# `UnusedCapacityReservation` repeats the price, `AllocatedCapacityReservation` and Capacity Blocks stand at 0.
REQUIRED = {"operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used"}
# Files before 2024 lack `marketoption`, older ones `regionCode`; a region's file also lists its local zones.
WHERE_STATED = {"marketoption": "OnDemand", "locationType": "AWS Region"}
REGION = "regionCode"
OWN_LICENCE = "bring your own"
MOST_NAMES = 10


@dataclass
class Machines:
    """What walking through the products of a region found."""

    region: str
    types: dict[str, str] = field(default_factory=dict)  # by SKU
    seen: int = 0  # products that are machines at all
    stating: Counter[str] = field(default_factory=Counter)  # how many of them have an attribute
    matching: Counter[str] = field(default_factory=Counter)  # how many have its wanted value

    def add(self, product: Product) -> None:
        """Take note of a product, keep it where its price is the one wanted."""
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
        # The free tier's product has no type, a host's type is a bare family ("m5").
        if "." in instance_type and len(matching) + len(silent) == len(wanted) and not _own_licence(attributes):
            self.types[product.sku] = instance_type

    def check(self) -> None:
        """Raise ``FeedError`` with the field at fault where no product is the one wanted."""
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
        """What was left out because an attribute that others have is missing."""
        lacking = {name: self.stating[TYPE] - self.stating[name] for name in REQUIRED}
        return tuple(f"{self.region}: {count} products lack {name!r}" for name, count in lacking.items() if count > 0)


@dataclass(frozen=True)
class Priced:
    """Prices by instance type, and the types whose price cannot be believed."""

    usd_per_hour: Mapping[str, float]
    unusable: frozenset[str]
    notes: tuple[str, ...]


def sort_prices(region: str, types: Mapping[str, str], rates: Iterable[tuple[str, float | None]]) -> Priced:
    """One price a type, from (SKU, USD an hour or ``None`` for 0 and unreadable); raises ``FeedError`` without any."""
    found: defaultdict[str, set[float | None]] = defaultdict(set)
    for sku, usd in rates:
        found[types[sku]].add(usd)
    if not found:
        raise FeedError(f"none of {len(types)} machines has an on-demand price with the unit {HOURLY!r}")
    several = sorted(name for name, prices in found.items() if len(prices) > 1)
    none = sorted(name for name, prices in found.items() if prices == {None})
    prices = {name: usd for name, all_usd in found.items() if len(all_usd) == 1 for usd in all_usd if usd is not None}
    if not prices:
        raise FeedError(f"all {len(found)} prices are 0, unreadable or contradictory")
    notes = (
        *((f"{region}: at several prices: {named(several)}",) if several else ()),
        *((f"{region}: at 0 or an unreadable price: {named(none)}",) if none else ()),
    )
    return Priced(prices, frozenset((*several, *none)), notes)


def named(names: list[str]) -> str:
    """The names, the first few of many."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _own_licence(attributes: Mapping[str, str]) -> bool:
    licence = attributes.get("licenseModel", "").lower()
    return OWN_LICENCE in licence or "byol" in licence
