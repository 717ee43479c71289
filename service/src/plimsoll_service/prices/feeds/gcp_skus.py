"""What a Compute Engine SKU is the price of, read from its description: the price list links no SKU to a machine type.

Descriptions as Google's SKU groups show them (https://cloud.google.com/skus/sku-groups). A description must match as a
whole, less the place at its end, so that a look-alike (custom machines, sole tenancy, commitments, calendar mode,
flex-start) is nothing rather than the wrong price.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plimsoll_service.prices.feeds.feed import ON_DEMAND, SPOT

CORE, MEMORY, ACCELERATOR, LOCAL_SSD, MACHINE = "core", "memory", "accelerator", "local SSD", "machine"
CAPACITY, IOPS, THROUGHPUT = "capacity", "IOPS", "throughput"
MACHINE_KINDS = frozenset({CORE, MEMORY, ACCELERATOR, LOCAL_SSD, MACHINE})


class Part(NamedTuple):
    """What is paid for: a kind, of a machine family, device, machine type or volume product."""

    kind: str
    name: str


M2_PREMIUM = "m2 premium"  # M2 pays the memory-optimized price of M1 and this on top
H100_MEGA = "H100 Mega"  # the H100 of A3 Mega, which has a price of its own
B200_WITH_MACHINE = "B200 with its machine"  # A4 has no core and memory SKUs: they are in the device's price
ANY_FAMILY = "any family"  # of local SSDs that are sold apart from a family

SPOT_WORDS = re.compile(r"^(?:spot )?preemptible | attached to (?:spot )?preemptible vms?\b")
PLACE = re.compile(r"(?: running)? in ")
# Not what anybody pays who asks for a predefined machine by the hour; some of these words stand behind the place.
OTHER_TERMS = re.compile(
    r"\bcommitment|\bcommitted|\breserv|\bcalendar mode|\bdws\b|\bdefined duration|\bsole tenancy|\bcustom\b"
    r"|\bextended\b|\bcapacity optimized"
)
FAMILY_PART = re.compile(
    r"(?P<family>[a-z]\d\w*)(?: amd| arm| predefined| memory-optimized)? instance (?P<part>core|ram|local ssd)"
)
PART_KINDS = {"core": CORE, "ram": MEMORY, "local ssd": LOCAL_SSD}
SOLD = {"OnDemand": ON_DEMAND, "Preemptible": SPOT}

_M2_WORDS = "memory optimized upgrade premium for memory-optimized instance"
NAMED = {
    "compute optimized core": Part(CORE, "c2"),
    "compute optimized ram": Part(MEMORY, "c2"),
    "compute optimized instance core": Part(CORE, "c2"),
    "compute optimized instance ram": Part(MEMORY, "c2"),
    "memory-optimized instance core": Part(CORE, "m1"),
    "memory-optimized instance ram": Part(MEMORY, "m1"),
    f"{_M2_WORDS} core": Part(CORE, M2_PREMIUM),
    f"{_M2_WORDS} ram": Part(MEMORY, M2_PREMIUM),
    "micro instance with burstable cpu": Part(MACHINE, "f1-micro"),
    "small instance with 1 vcpu": Part(MACHINE, "g1-small"),
    "nvidia tesla k80 gpu": Part(ACCELERATOR, "K80"),
    "nvidia tesla p4 gpu": Part(ACCELERATOR, "P4"),
    "nvidia tesla p100 gpu": Part(ACCELERATOR, "P100"),
    "nvidia tesla t4 gpu": Part(ACCELERATOR, "T4"),
    "nvidia tesla v100 gpu": Part(ACCELERATOR, "V100-16GB"),
    "nvidia tesla a100 gpu": Part(ACCELERATOR, "A100-40GB"),
    "nvidia tesla a100 80gb gpu": Part(ACCELERATOR, "A100-80GB"),
    "nvidia l4 gpu": Part(ACCELERATOR, "L4"),
    "nvidia h100 80gb gpu": Part(ACCELERATOR, "H100-SXM"),
    "nvidia h100 80gb mega gpu": Part(ACCELERATOR, H100_MEGA),
    "nvidia h100 80gb plus gpu": Part(ACCELERATOR, H100_MEGA),
    "nvidia h100 mega 80gb gpu": Part(ACCELERATOR, H100_MEGA),
    "h200 141gb gpu": Part(ACCELERATOR, "H200"),
    "rtx 6000 96gb": Part(ACCELERATOR, "RTX-PRO-6000"),
    "a4 nvidia b200 (1 gpu slice)": Part(ACCELERATOR, B200_WITH_MACHINE),
    "ssd backed local storage": Part(LOCAL_SSD, ANY_FAMILY),
    "storage pd capacity": Part(CAPACITY, "pd-standard"),
    "balanced pd capacity": Part(CAPACITY, "pd-balanced"),
    "ssd backed pd capacity": Part(CAPACITY, "pd-ssd"),
    "extreme pd capacity": Part(CAPACITY, "pd-extreme"),
    "extreme pd iops": Part(IOPS, "pd-extreme"),
    "hyperdisk balanced capacity": Part(CAPACITY, "hyperdisk-balanced"),
    "hyperdisk balanced iops": Part(IOPS, "hyperdisk-balanced"),
    "hyperdisk balanced throughput": Part(THROUGHPUT, "hyperdisk-balanced"),
    "hyperdisk extreme capacity": Part(CAPACITY, "hyperdisk-extreme"),
    "hyperdisk extreme iops": Part(IOPS, "hyperdisk-extreme"),
    "hyperdisk throughput capacity": Part(CAPACITY, "hyperdisk-throughput"),
    "hyperdisk throughput throughput": Part(THROUGHPUT, "hyperdisk-throughput"),
    "hyperdisk throughput throughput capacity": Part(THROUGHPUT, "hyperdisk-throughput"),
    "hyperdisk ml capacity": Part(CAPACITY, "hyperdisk-ml"),
    "hyperdisk ml throughput": Part(THROUGHPUT, "hyperdisk-ml"),
}


def recognised(description: str, usage_type: str) -> tuple[Part, str] | None:
    """The part that a SKU prices and the purchase option; ``None`` for what no predefined machine or volume pays."""
    purchase = SOLD.get(usage_type)
    text = description.strip().lower()
    if purchase is None or OTHER_TERMS.search(text):
        return None
    text, spot_words = SPOT_WORDS.subn("", text)
    # Some spot SKUs (A4, local SSD) are filed under OnDemand: their own words count for more.
    option = SPOT if spot_words else purchase
    name = PLACE.split(text, maxsplit=1)[0]
    if name in NAMED:
        return NAMED[name], option
    found = FAMILY_PART.fullmatch(name)
    return None if found is None else (Part(PART_KINDS[found["part"]], found["family"]), option)
