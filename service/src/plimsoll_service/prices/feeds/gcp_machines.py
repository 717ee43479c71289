"""Of which parts a Google Cloud machine type's price is the sum.

Sources: https://cloud.google.com/compute/vm-instance-pricing and the machine family pages of the Compute Engine
documentation: machines are billed for vCPUs, memory, attached accelerators and included local SSDs.
"""

from __future__ import annotations

from plimsoll_service.prices.feeds.feed import TypeFacts
from plimsoll_service.prices.feeds.gcp_skus import (
    ACCELERATOR,
    ANY_FAMILY,
    B200_WITH_MACHINE,
    CORE,
    H100_MEGA,
    LOCAL_SSD,
    M2_PREMIUM,
    MACHINE,
    MEMORY,
    Part,
)

Recipe = tuple[tuple[Part, float], ...]  # parts and how many (vCPUs, GiB, devices) of each

WHOLE = frozenset({"f1-micro", "g1-small"})  # have a SKU of their own
# Shared-core E2 show two vCPUs and are billed for a part of one, by the pricing page.
BILLED_VCPUS = {"e2-micro": 0.25, "e2-small": 0.5, "e2-medium": 1.0}

# Families whose SKUs have another name than the machine type begins with, the first that is listed in a region.
# A3 Mega is "A3Plus" where it is listed apart. A3 Edge's parts are published nowhere.
BILLED_AS = {
    "a3-megagpu-": ("a3plus", "a3"),
    "a3-ultragpu-": ("a3ultra",),
    "a3-edgegpu-": (),
    "m2-": ("m1",),
    "m4-ultramem-224": ("m4ultramem224",),
}

# Families whose local SSDs have a SKU of their own, at another price than everybody else's.
OWN_LOCAL_SSD = frozenset({"c4", "c4a", "c4d", "h4d"})
DISK_GIB = 375.0  # of one local SSD; Google calls them GB and bills GiB
# Disks of the types whose name ends in -lssd (or -lssd-metal), by vCPUs, where the catalog does not know them.
INCLUDED_DISKS = {
    "c4": {288: 48},
    "c4a": {4: 1, 8: 2, 16: 4, 32: 6, 48: 10, 64: 14, 72: 16},
    "c4d": {8: 1, 16: 1, 32: 2, 48: 4, 64: 6, 96: 8, 192: 16, 384: 32},
}
OPTIONAL_DISKS = frozenset({"g4"})  # the catalog's local disks are what may be attached, at a price


def is_tpu(facts: TypeFacts) -> bool:
    """Whether a type is one of the Cloud TPU service, which has a price list of its own."""
    return facts.accelerator is not None and facts.accelerator.startswith("TPU")


def recipes(name: str, facts: TypeFacts) -> tuple[Recipe, ...]:
    """The sums that can be a type's price, the first complete one being it; none where its parts are not known."""
    if is_tpu(facts):
        return ()
    if name in WHOLE:
        return (((Part(MACHINE, name), 1.0),),)
    if name.startswith("a4-"):
        return (((Part(ACCELERATOR, B200_WITH_MACHINE), facts.accelerator_count),),)
    devices = _devices(name, facts)
    return tuple(
        (*_cores_and_memory(family, name, facts), *devices, *disks)
        for family in _families(name)
        for disks in _local_ssds(name, facts)
    )


def family_of(name: str) -> str:
    """What a machine type's name begins with."""
    return name.split("-", 1)[0]


def _families(name: str) -> tuple[str, ...]:
    for prefix, families in BILLED_AS.items():
        if name.startswith(prefix):
            return families
    return (family_of(name),)


def _cores_and_memory(family: str, name: str, facts: TypeFacts) -> Recipe:
    vcpus = BILLED_VCPUS.get(name, facts.vcpus)
    families = (family, M2_PREMIUM) if name.startswith("m2-") else (family,)
    return tuple(
        amount for paid in families for amount in ((Part(CORE, paid), vcpus), (Part(MEMORY, paid), facts.memory_gib))
    )


def _devices(name: str, facts: TypeFacts) -> Recipe:
    if facts.accelerator is None:
        return ()
    device = H100_MEGA if name.startswith("a3-megagpu-") else facts.accelerator
    return ((Part(ACCELERATOR, device), facts.accelerator_count),)


def _local_ssds(name: str, facts: TypeFacts) -> tuple[Recipe, ...]:
    """The included local SSDs at their family's own price or at everybody's; nothing where their size is unknown."""
    family = family_of(name)
    gib = 0.0 if family in OPTIONAL_DISKS else facts.local_disk_gb
    if "-lssd" in name and not gib:
        gib = DISK_GIB * INCLUDED_DISKS.get(family, {}).get(int(facts.vcpus), 0)
        if not gib:
            return ()
    if not gib:
        return ((),)
    own = ((Part(LOCAL_SSD, family), gib),)
    return (own,) if family in OWN_LOCAL_SSD else (own, ((Part(LOCAL_SSD, ANY_FAMILY), gib),))
