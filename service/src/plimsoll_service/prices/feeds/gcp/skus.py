"""Compute Engine's SKUs: the part that each prices, read from its description, and the price of each part by region.

The price list links no SKU to a machine type. The descriptions are those of Google's SKU groups
(https://cloud.google.com/skus/sku-groups). A description must match as a whole, except for the place at its end: a
similar SKU (custom machines, sole tenancy, commitments, calendar mode, flex-start) must not give a wrong price.
"""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, TypeVar

from ....engine.units import HOURS_PER_MONTH
from .. import currency
from ..feed import ON_DEMAND, SPOT, FeedError, FeedRequest
from ..http import inside

T = TypeVar("T")
GB_PER_GIB = 2**30 / 10**9
NANOS_PER_UNIT = 1e9


class Kind(StrEnum):
    """The kinds of priced parts: the first five are of machines, the others of volumes."""

    CORE = "core"
    MEMORY = "memory"
    ACCELERATOR = "accelerator"
    LOCAL_SSD = "local SSD"
    MACHINE = "machine"
    CAPACITY = "capacity"
    IOPS = "IOPS"
    THROUGHPUT = "throughput"


class Part(NamedTuple):
    """A priced part: its kind, and the machine family, device, machine type or volume product."""

    kind: Kind
    name: str


# Factors by kind and usage unit, to a price per hour (machines) or month (volumes) and piece or GiB.
# C4D's memory is priced per decimal GB.
PER_UNIT: dict[Kind, dict[str, float]] = {
    Kind.CORE: {"h": 1.0},
    Kind.MEMORY: {"GiBy.h": 1.0, "GBy.h": GB_PER_GIB},
    Kind.ACCELERATOR: {"h": 1.0},
    Kind.LOCAL_SSD: {"GiBy.mo": 1 / HOURS_PER_MONTH, "GiBy.h": 1.0},
    Kind.MACHINE: {"h": 1.0},
    Kind.CAPACITY: {"GiBy.mo": 1.0, "GBy.mo": GB_PER_GIB, "GiBy.h": HOURS_PER_MONTH},
    Kind.IOPS: {"mo": 1.0, "h": HOURS_PER_MONTH},
    Kind.THROUGHPUT: {"mo": 1.0, "h": HOURS_PER_MONTH},
}
MACHINE_KINDS = frozenset({Kind.CORE, Kind.MEMORY, Kind.ACCELERATOR, Kind.LOCAL_SSD, Kind.MACHINE})
M2_PREMIUM = "m2 premium"  # M2 pays the price of M1 and this premium
H100_MEGA = "H100 Mega"  # the H100 of A3 Mega has another price
B200_WITH_MACHINE = "B200 with its machine"  # the device's price includes A4's cores and memory
ANY_FAMILY = "any family"  # of local SSDs that are sold for all families

SPOT_WORDS = re.compile(r"^(?:spot )?preemptible | attached to (?:spot )?preemptible vms?\b")
PLACE = re.compile(r"(?: running)? in ")
# Terms other than a predefined machine by the hour. Some of these words stand behind the place.
OTHER_TERMS = re.compile(
    r"\bcommitment|\bcommitted|\breserv|\bcalendar mode|\bdws\b|\bdefined duration|\bsole tenancy|\bcustom\b"
    r"|\bextended\b|\bcapacity optimized"
)
FAMILY_PART = re.compile(
    r"(?P<family>[a-z]\d\w*)(?: amd| arm| predefined| memory-optimized)? instance (?P<part>core|ram|local ssd)"
)
PART_KINDS = {"core": Kind.CORE, "ram": Kind.MEMORY, "local ssd": Kind.LOCAL_SSD}
SOLD = {"OnDemand": ON_DEMAND, "Preemptible": SPOT}
PARTS = "parts.csv"  # names of parts that tell no family and part by their words


@cache
def _named() -> dict[str, Part]:
    """Parts by their name in a description."""
    text = resources.files(__package__).joinpath(PARTS).read_text(encoding="utf-8")
    return {row["description"]: Part(Kind(row["kind"]), row["name"]) for row in csv.DictReader(text.splitlines())}


def recognised(description: str, usage_type: str) -> tuple[Part, str] | None:
    """The part that a SKU prices, and the purchase option; ``None`` for parts of no predefined machine or volume."""
    purchase = SOLD.get(usage_type)
    text = description.strip().lower()
    if purchase is None or OTHER_TERMS.search(text):
        return None
    text, spot_words = SPOT_WORDS.subn("", text)
    # Some spot SKUs (A4, local SSD) are listed under OnDemand; their description decides.
    option = SPOT if spot_words else purchase
    name = PLACE.split(text, maxsplit=1)[0]
    named = _named().get(name)
    if named is not None:
        return named, option
    found = FAMILY_PART.fullmatch(name)
    return None if found is None else (Part(PART_KINDS[found["part"]], found["family"]), option)


@dataclass(frozen=True)
class PartRates:
    """Prices by part and purchase option, then region; ``None`` is listed without a believable price."""

    usd: Mapping[tuple[Part, str], Mapping[str, float | None]]
    unknown_regions: frozenset[str]
    remark: str  # on the exchange rate; empty for USD

    def price(self, part: Part, purchase: str, region: str) -> float | None:
        """The price of a part, if it is listed in the region and believable."""
        return self.usd.get((part, purchase), {}).get(region)


def collected(skus: Iterable[Mapping[str, Any]], request: FeedRequest) -> PartRates:
    """The rates of all recognised parts; raises ``FeedError`` without any, or for a currency without a rate."""
    usd: dict[tuple[Part, str], dict[str, float | None]] = defaultdict(dict)
    unknown: set[str] = set()
    remarks: set[str] = set()
    read = 0
    for sku in skus:
        read += 1
        key = _recognised(sku)
        if key is None:
            continue
        price, remark = _price(sku, key[0].kind, request)
        remarks.add(remark)
        for region in _all(str, sku.get("serviceRegions")):
            if region in request.known_regions:
                # Of several SKUs of a region the highest price counts, so that no bill is underestimated.
                usd[key][region] = max(filter(None, (usd[key].get(region), price)), default=None)
            else:
                unknown.add(region)
    if not usd:
        raise FeedError(f"none of {read:,} SKUs is a known part of a machine in a known region: the format has changed")
    return PartRates(usd, frozenset(unknown), "".join(sorted(remarks)))


def _recognised(sku: Mapping[str, Any]) -> tuple[Part, str] | None:
    description, usage_type = sku.get("description"), inside(sku, "category", "usageType")
    if not isinstance(description, str) or not isinstance(usage_type, str):
        return None
    return recognised(description, usage_type)


def _price(sku: Mapping[str, Any], kind: Kind, request: FeedRequest) -> tuple[float | None, str]:
    """USD per unit of the part (``None``: not believable), and the remark on its conversion."""
    timeline = _all(dict, sku.get("pricingInfo"))
    if not timeline:
        return None, ""
    info = timeline[-1]  # chronological: the last is in force
    expression = info.get("pricingExpression")
    if not isinstance(expression, dict):
        return None, ""
    factor = PER_UNIT[kind].get(str(expression.get("usageUnit")))
    money = _first_paid(expression)
    if factor is None or money is None:
        return None, ""
    amount, code = money
    rate = _rate(info, code, request)
    return amount * factor * rate.usd_per_unit, rate.remark


def _first_paid(expression: Mapping[str, Any]) -> tuple[float, str] | None:
    """Amount and currency of the first tier that is not free."""
    tiers = _all(dict, expression.get("tieredRates"))
    for tier in sorted(tiers, key=_start):
        price = tier.get("unitPrice")
        if not isinstance(price, dict) or not isinstance(price.get("currencyCode"), str):
            return None
        amount = _amount(price)
        if not math.isfinite(amount) or amount < 0:
            return None
        if amount > 0:
            return amount, price["currencyCode"]
    return None


def _start(tier: Mapping[str, Any]) -> float:
    start = tier.get("startUsageAmount", 0)
    return float(start) if isinstance(start, (int, float)) else math.inf


def _amount(price: Mapping[str, Any]) -> float:
    """Units and billionths as a number, NaN for other values; Google leaves zeros out."""
    try:
        return int(price.get("units", 0)) + int(price.get("nanos", 0)) / NANOS_PER_UNIT
    except (TypeError, ValueError):
        return math.nan


def _rate(info: Mapping[str, Any], code: str, request: FeedRequest) -> currency.ExchangeRate:
    """The exchange rate that the answer states, unless it is 1, else the operator's."""
    stated = info.get("currencyConversionRate")
    if code != currency.USD and isinstance(stated, (int, float)) and stated > 0 and stated != 1:
        return currency.ExchangeRate(1 / stated, "derived", f" ({code} at {stated:g} a USD)")
    return currency.rate(request, code)


def _all(kind: type[T], found: object) -> list[T]:
    """The items of a list that are of a type; none of other values."""
    return [item for item in found if isinstance(item, kind)] if isinstance(found, list) else []
