"""Prices of Google Cloud's machines, summed from those of their parts, and of its volumes.

Sources: https://cloud.google.com/compute/vm-instance-pricing and the machine family pages of the Compute Engine
documentation: machines are billed for vCPUs, memory, attached accelerators and included local SSDs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ....engine.units import HOURS_PER_MONTH
from ..currency import DERIVED, LIST
from ..feed import ON_DEMAND, UNPRICED, FeedRequest, OfferQuote, TypeFacts, VolumeQuote
from .skus import ANY_FAMILY, B200_WITH_MACHINE, H100_MEGA, M2_PREMIUM, MACHINE_KINDS, Kind, Part, PartRates

Recipe = tuple[tuple[Part, float], ...]  # parts and how many (vCPUs, GiB, devices) of each

WHOLE = frozenset({"f1-micro", "g1-small"})  # have one SKU for the machine
# Shared-core E2 have two vCPUs and are billed for a part of one, see the pricing page.
BILLED_VCPUS = {"e2-micro": 0.25, "e2-small": 0.5, "e2-medium": 1.0}

# Families whose SKUs have other names than their machine types; the first name that a region lists counts.
# A3 Mega is "A3Plus" if it is listed separately. The parts of A3 Edge are not published.
BILLED_AS = {
    "a3-megagpu-": ("a3plus", "a3"),
    "a3-ultragpu-": ("a3ultra",),
    "a3-edgegpu-": (),
    "m2-": ("m1",),
    "m4-ultramem-224": ("m4ultramem224",),
}

# Families whose local SSDs have SKUs of their own, with other prices.
OWN_LOCAL_SSD = frozenset({"c4", "c4a", "c4d", "h4d"})
DISK_GIB = 375.0  # of one local SSD; Google writes GB and bills GiB
# Disks by vCPUs of types named -lssd or -lssd-metal, for which the catalog has no disks.
INCLUDED_DISKS = {
    "c4": {288: 48},
    "c4a": {4: 1, 8: 2, 16: 4, 32: 6, 48: 10, 64: 14, 72: 16},
    "c4d": {8: 1, 16: 1, 32: 2, 48: 4, 64: 6, 96: 8, 192: 16, 384: 32},
}
OPTIONAL_DISKS = frozenset({"g4"})  # their local disks in the catalog are optional and priced separately
SOURCE = "GCP Cloud Billing Catalog"
DECIMALS = 9  # of the price list

Offer = tuple[str, str, str, str]  # cloud, instance type, region, purchase option
# Reasons why an offer has no price.
FAULTY = "listed at 0, garbled or in an unknown unit"
UNMAPPED = "of parts that the list does not name in any region"
TPU = "of Cloud TPU, whose price list is another service's"
LOCAL_SSD_PRODUCT = "local-ssd"
# Priced parts besides capacity, see https://cloud.google.com/compute/disks-image-pricing.
PAID_APART = {
    "pd-extreme": (Kind.IOPS,),
    "hyperdisk-balanced": (Kind.IOPS, Kind.THROUGHPUT),
    "hyperdisk-extreme": (Kind.IOPS,),
    "hyperdisk-throughput": (Kind.THROUGHPUT,),
    "hyperdisk-ml": (Kind.THROUGHPUT,),
}


def is_tpu(facts: TypeFacts) -> bool:
    """Return whether a type belongs to Cloud TPU, which has another price list."""
    return facts.accelerator is not None and facts.accelerator.startswith("TPU")


def recipes(name: str, facts: TypeFacts) -> tuple[Recipe, ...]:
    """The sums that can be a type's price, of which the first complete one counts; none for unknown parts."""
    if is_tpu(facts):
        return ()
    if name in WHOLE:
        return (((Part(Kind.MACHINE, name), 1.0),),)
    if name.startswith("a4-"):
        return (((Part(Kind.ACCELERATOR, B200_WITH_MACHINE), facts.accelerator_count),),)
    devices = _devices(name, facts)
    return tuple(
        (*_cores_and_memory(family, name, facts), *devices, *disks)
        for family in _families(name)
        for disks in _local_ssds(name, facts)
    )


def family_of(name: str) -> str:
    """The first part of a machine type's name."""
    return name.split("-", 1)[0]


def _families(name: str) -> tuple[str, ...]:
    for prefix, families in BILLED_AS.items():
        if name.startswith(prefix):
            return families
    return (family_of(name),)


def _cores_and_memory(family: str, name: str, facts: TypeFacts) -> Recipe:
    vcpus = BILLED_VCPUS.get(name, facts.vcpus)
    families = (family, M2_PREMIUM) if name.startswith("m2-") else (family,)
    amounts = ((Kind.CORE, vcpus), (Kind.MEMORY, facts.memory_gib))
    return tuple((Part(kind, paid), amount) for paid in families for kind, amount in amounts)


def _devices(name: str, facts: TypeFacts) -> Recipe:
    if facts.accelerator is None:
        return ()
    device = H100_MEGA if name.startswith("a3-megagpu-") else facts.accelerator
    return ((Part(Kind.ACCELERATOR, device), facts.accelerator_count),)


def _local_ssds(name: str, facts: TypeFacts) -> tuple[Recipe, ...]:
    """The included local SSDs, at their family's price or at the general one; none if their size is unknown."""
    family = family_of(name)
    gib = 0.0 if family in OPTIONAL_DISKS else facts.local_disk_gb
    if "-lssd" in name and not gib:
        gib = DISK_GIB * INCLUDED_DISKS.get(family, {}).get(int(facts.vcpus), 0)
        if not gib:
            return ()
    if not gib:
        return ((),)
    own = ((Part(Kind.LOCAL_SSD, family), gib),)
    return (own,) if family in OWN_LOCAL_SSD else (own, ((Part(Kind.LOCAL_SSD, ANY_FAMILY), gib),))


def covered(rates: PartRates, request: FeedRequest) -> frozenset[tuple[str, str, str]]:
    """The regions asked for and the purchase options in which the list prices any part of a machine."""
    return frozenset(
        (request.cloud, region, purchase)
        for (part, purchase), by_region in rates.usd.items()
        if part.kind in MACHINE_KINDS
        for region in by_region
        if request.wants(region)
    )


def composed(
    rates: PartRates, scope: Iterable[tuple[str, str, str]], request: FeedRequest
) -> tuple[tuple[OfferQuote, ...], tuple[str, ...]]:
    """The price of every type that is sold in the regions of ``scope``, and notes on those without one.

    The list does not tell whether a region sells a type. The catalog does. A type that the catalog has in no region is
    priced wherever the list has all of its parts.
    """
    offers: list[OfferQuote] = []
    unpriced: dict[Offer, str] = {}
    current = {name: facts for name, facts in request.types.items() if not facts.retired}
    for cloud, region, purchase in sorted(scope):
        for name, facts in current.items():
            if facts.regions and region not in facts.regions:
                continue
            sums = recipes(name, facts)
            priced = _first_complete(sums, rates, region, purchase)
            if priced is not None:
                offers.append(_offer_quote((cloud, name, region, purchase), *priced, rates.remark))
            elif facts.regions and (reason := _fault(facts, sums, rates, region, purchase)):
                offers.append(OfferQuote(cloud, name, region, purchase, UNPRICED))
                unpriced[cloud, name, region, purchase] = reason
    return tuple(offers), _notes(unpriced)


def _first_complete(
    sums: Iterable[Recipe], rates: PartRates, region: str, purchase: str
) -> tuple[Recipe, float] | None:
    for recipe in sums:
        prices = [rates.price(part, purchase, region) for part, _ in recipe]
        total = sum(price * count for price, (_, count) in zip(prices, recipe, strict=True) if price is not None)
        if total > 0 and None not in prices:
            return recipe, total
    return None


def _offer_quote(offer: Offer, recipe: Recipe, total: float, remark: str) -> OfferQuote:
    cloud, name, region, purchase = offer
    kinds = list(dict.fromkeys(part.kind for part, _ in recipe))
    source = f"{SOURCE}: sum of {', '.join(kinds[:-1])} and {kinds[-1]}" if len(kinds) > 1 else f"{SOURCE}: {kinds[0]}"
    return OfferQuote(cloud, name, region, purchase, round(total, DECIMALS), DERIVED, source + remark)


def _fault(facts: TypeFacts, sums: tuple[Recipe, ...], rates: PartRates, region: str, purchase: str) -> str | None:
    """The reason why a type has no price here; ``None`` if its parts are listed only elsewhere: it is not sold."""
    if is_tpu(facts):
        return TPU
    parts = {part for recipe in sums for part, _ in recipe}
    if any(rates.usd.get((part, purchase), {}).get(region, 0.0) is None for part in parts):
        return FAULTY
    if all(any((part, purchase) not in rates.usd for part, _ in recipe) for recipe in sums):
        return UNMAPPED
    return None


def _notes(unpriced: Mapping[Offer, str]) -> tuple[str, ...]:
    """One sentence for each reason, with the families, purchase options and numbers of offers concerned."""
    notes = []
    for reason in (FAULTY, UNMAPPED, TPU):
        offers = [offer for offer, why in unpriced.items() if why == reason]
        counts = Counter(f"{family_of(name)} {purchase}" for _, name, _, purchase in offers)
        if counts:
            families = ", ".join(f"{family} ({count:,})" for family, count in sorted(counts.items()))
            notes.append(f"{reason}, so that the last good prices stay: {families}")
    return tuple(notes)


def volumes(rates: PartRates, request: FeedRequest) -> tuple[VolumeQuote, ...]:
    """Prices of the catalog's products in all regions asked for that price every part."""
    return tuple(
        quote
        for product in sorted(request.products)
        for region in sorted(filter(request.wants, _capacity(product, rates)))
        if (quote := _volume_quote(product, region, rates, request)) is not None
    )


def _capacity(product: str, rates: PartRates) -> Mapping[str, float | None]:
    """USD per GiB and month by region, converted from hours for local SSDs."""
    if product != LOCAL_SSD_PRODUCT:
        return rates.usd.get((Part(Kind.CAPACITY, product), ON_DEMAND), {})
    by_hour = rates.usd.get((Part(Kind.LOCAL_SSD, ANY_FAMILY), ON_DEMAND), {})
    return {region: None if price is None else price * HOURS_PER_MONTH for region, price in by_hour.items()}


def _volume_quote(product: str, region: str, rates: PartRates, request: FeedRequest) -> VolumeQuote | None:
    kinds = PAID_APART.get(product, ())
    apart = {kind: rates.price(Part(kind, product), ON_DEMAND, region) for kind in kinds}
    capacity = _capacity(product, rates).get(region)
    if capacity is None or None in apart.values():
        return None
    parts = (round(capacity, DECIMALS), _rounded(apart.get(Kind.IOPS)), _rounded(apart.get(Kind.THROUGHPUT)))
    return VolumeQuote(request.cloud, product, region, *parts, DERIVED if rates.remark else LIST, SOURCE + rates.remark)


def _rounded(price: float | None) -> float | None:
    return None if price is None else round(price, DECIMALS)
