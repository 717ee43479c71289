"""From gathered rows to instance types: one per cloud and name, with processor, links, disks and network filled in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from plimsoll_service.catalog.figures_import.cleaning import is_slice
from plimsoll_service.catalog.figures_import.facts import Facts
from plimsoll_service.catalog.figures_import.families import family_of
from plimsoll_service.catalog.figures_import.gathered import Gathered
from plimsoll_service.catalog.figures_import.local_disks import local_disk_type
from plimsoll_service.catalog.figures_import.network import network_gbps
from plimsoll_service.catalog.figures_import.processor_names import described
from plimsoll_service.catalog.figures_import.sustained_cpu import sustained_cpu
from plimsoll_service.catalog.figures_import.wiring import Card, wiring

# The first word of the gathered processor column, as a vendor; "Intel/AMD" and the like stay unknown.
VENDORS = {
    "Intel": "Intel", "AMD": "AMD", "AWS": "AWS", "Microsoft": "Microsoft", "Google": "Google", "Ampere": "Ampere",
    "NVIDIA": "NVIDIA", "Alibaba": "Alibaba", "Hygon": "Hygon", "Arm": "Arm",
}  # fmt: skip
SHARE_ROUNDING = 1e-6
MEGABYTE_IN_MIB = 1e6 / 2**20
ARM_VENDORS = {"AWS", "Microsoft", "Google", "Ampere", "NVIDIA", "Arm"}


def instance_types(
    rows: Iterable[Gathered],
    cards: Mapping[str, tuple[float, Card]],
    facts: Facts,
    processors: Collection[str],
    retired: Collection[tuple[str, str]],
) -> list[dict[str, Any]]:
    """The rows of ``instance_types.csv``; ``cards`` has memory (GiB) and links of each accelerator."""
    first: dict[tuple[str, str], Gathered] = {}
    unpriced: Counter[tuple[str, str]] = Counter()
    for row in rows:
        first.setdefault(row.type_key, row)
        unpriced[row.type_key] += not (row["price_usd_hour"] or row["spot_usd_hour"])
    return [
        {
            **_identity(row, key in retired),
            **_processor(row, facts, processors),
            **_accelerator(row, cards, facts),
            **_disks_and_network(row, facts),
            "unpriced_regions": unpriced[key],
        }
        for key, row in sorted(first.items())
    ]


def _identity(row: Gathered, retired: bool) -> dict[str, Any]:
    return {
        "cloud": row["cloud"],
        "instance_type": row["instance_type"],
        "family": family_of(*row.type_key),
        "retired": retired,
        "vcpus": row.number("vcpus"),
        "memory_gib": row.number("memory_gib"),
        "sustained_cpu": sustained_cpu(row.type_key),
    }


def _processor(row: Gathered, facts: Facts, processors: Collection[str]) -> dict[str, Any]:
    vendor = VENDORS.get(row["cpu"].split(" ")[0])
    architecture = row["arch"] or ("arm64" if vendor in ARM_VENDORS else "x86_64")
    name = facts.processor(row.type_key) or _by_model(row["cpu"], processors)
    known = described(name) if name and name in processors else None
    # What the machine says of itself beats a vendor that a list took from the type's name.
    if known:
        return {"architecture": architecture, "cpu_vendor": known[0], "processor": name}
    return {"architecture": architecture, "cpu_vendor": vendor, "processor": None}


def _by_model(cpu: str, processors: Collection[str]) -> str | None:
    """The processor whose model number the gathered column states ("Intel 8269CY")."""
    model = re.sub(r"(?<=\d)v(?=\d$)", " v", cpu.partition(" ")[2].strip())
    return next((name for name in sorted(processors) if model and name.endswith(f" {model}")), None)


def _accelerator(row: Gathered, cards: Mapping[str, tuple[float, Card]], facts: Facts) -> dict[str, Any]:
    if not row["accelerator"]:
        return {}
    memory, card = cards[row["accelerator"]]
    count = row.number("accelerator_count") or 0.0
    if is_slice(row):
        count *= (row.number("accelerator_memory_gib") or memory) / memory
    elif count < 1:
        count = _exact_share(count)
    key = row.type_key
    links = wiring(key, count, card, facts.device_read_gb_s.get(key), facts.feed_gb_s.get(key))
    return {
        "accelerator": row["accelerator"],
        "accelerator_count": count,
        "accelerator_memory_gib": memory * min(1.0, count),
        "interconnect": links.kind,
        "interconnect_gb_s": links.gb_s,
    }


def _exact_share(rounded: float) -> float:
    """The share 1/n that a list rounded to six digits."""
    parts = round(1 / rounded)
    return 1 / parts if abs(1 / parts - rounded) < SHARE_ROUNDING else rounded


def _disks_and_network(row: Gathered, facts: Facts) -> dict[str, Any]:
    local = row.number("local_nvme_gb") or 0.0
    return {
        "network_gbps": network_gbps(row.type_key, row.number("vcpus") or 0.0, row.number("network_gbps") or None),
        "local_disk_gb": local,
        "local_disk_type": local_disk_type(row["cloud"], family_of(*row.type_key)) if local else None,
        "disk_mib_s": _mib(row.number("ebs_or_disk_mbps")),
        "boot_seconds": facts.boot(row.type_key),
    }


def _mib(megabytes: float | None) -> float | None:
    return round(megabytes * MEGABYTE_IN_MIB, 3) if megabytes else None
