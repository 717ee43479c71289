"""From gathered rows to instance types: one per cloud and name, with processor, links, disks and network."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gathered.catalog.cleaning import is_slice
from gathered.catalog.gathered import Gathered, family_of, first_match
from gathered.catalog.processors import described, processor_name


def network_gbps(key: tuple[str, str], vcpus: float, gathered: float | None) -> float | None:
    """The provider's own figure, otherwise the gathered one; ``None`` where that is wrong and the provider has none."""
    stated = first_match("network", "/".join(key))
    if stated is None:
        return gathered
    if not stated["gbps"]:
        return None
    most, each = float(stated["gbps"]), stated["gbps_per_vcpu"]
    return min(most, float(each) * vcpus) if each else most


def sustained_cpu(key: tuple[str, str]) -> float:
    """Share of its vCPUs that a type may use all the time; 1 unless its provider publishes a baseline."""
    baseline = first_match("sustained_cpu", "/".join(key))
    return 1.0 if baseline is None else float(baseline["share"])


def volume_mb_s(key: tuple[str, str], gathered: float | None) -> float | None:
    """Megabytes a second to and from volumes that a type keeps up: its provider's baseline, otherwise the gathered."""
    baseline = first_match("volume_baselines", "/".join(key))
    return gathered if baseline is None else float(baseline["mb_s"])


def local_disk_gb(key: tuple[str, str], gathered: float | None) -> float:
    """Gigabytes of the disks that a type's price includes: the provider's own figure, otherwise the gathered one."""
    stated = first_match("included_disks", "/".join(key))
    return (gathered or 0.0) if stated is None else float(stated["gb"])


def local_disk_type(family: str) -> str:
    """``nvme``, ``ssd`` or ``hdd``, of a family that has local disks; a SATA SSD unless it is known better."""
    known = first_match("local_disks", family)
    return "ssd" if known is None else known["kind"]


TypeKey = tuple[str, str]


@dataclass(frozen=True)
class Facts:
    """Lookups by (cloud, instance type) and by (cloud, family)."""

    processors: dict[TypeKey, str]
    family_processors: dict[TypeKey, str]
    boot_seconds: dict[TypeKey, float]
    family_boot_seconds: dict[TypeKey, float]
    device_read_gb_s: dict[TypeKey, float]
    feed_gb_s: dict[TypeKey, float]

    def processor(self, key: TypeKey) -> str | None:
        """Processor measured in the type, otherwise the most common one in its family."""
        return self.processors.get(key) or self.family_processors.get((key[0], family_of(*key)))

    def boot(self, key: TypeKey) -> float | None:
        """Seconds from order to running: the type's, otherwise the median of its family."""
        return self.boot_seconds.get(key) or self.family_boot_seconds.get((key[0], family_of(*key)))


def facts(rows: Iterable[Gathered]) -> Facts:
    """Return the lookups over the measured rows."""
    processors: dict[TypeKey, str] = {}
    boots: dict[TypeKey, float] = {}
    family_names: dict[TypeKey, Counter[str]] = defaultdict(Counter)
    reads: dict[TypeKey, float] = {}
    feeds: dict[TypeKey, float] = {}
    for row in rows:
        family = (row["cloud"], family_of(*row.type_key))
        name = processor_name(row)
        if name:
            processors[row.type_key] = name
            family_names[family][name] += 1
        for column, found in (("boot_seconds", boots), ("d2d_read_gbs", reads), ("host_to_all_gbs", feeds)):
            value = row.number(column)
            if value:
                found[row.type_key] = value
    return Facts(
        processors,
        {family: min(names, key=lambda name: (-names[name], name)) for family, names in family_names.items()},
        *_usual_boots(boots),
        reads,
        feeds,
    )


# Each type was launched once. A launch that took so many times the median of its family's (of a type that was timed
# alone, of its cloud's) tells of that moment: g6.12xlarge took 718 s, other machines with GPUs of AWS 26 to 35.
FAR = 4.0


def _usual_boots(boots: dict[TypeKey, float]) -> tuple[dict[TypeKey, float], dict[TypeKey, float]]:
    """Seconds from order to running of types and families, without launches far above those of their like."""
    families: dict[TypeKey, list[float]] = defaultdict(list)
    clouds: dict[str, list[float]] = defaultdict(list)
    for (cloud, name), seconds in boots.items():
        families[cloud, family_of(cloud, name)].append(seconds)
        clouds[cloud].append(seconds)

    def usual(cloud: str, name: str, seconds: float) -> bool:
        family = families[cloud, family_of(cloud, name)]
        return seconds <= FAR * statistics.median(family if len(family) > 1 else clouds[cloud])

    kept = {key: seconds for key, seconds in boots.items() if usual(*key, seconds)}
    named = {(cloud, family_of(cloud, name)) for cloud, name in kept}
    return kept, {family: statistics.median(families[family]) for family in named}


# Links are measured one way; the catalog counts both.
DIRECTIONS = 2

# Machines whose provider states bridges between cards: (cloud/type, both directions in GB/s per device).
BRIDGED = (
    (r"^azure/Standard_NC(48|96)ads_A100_v4$", 600.0),
    (r"^azure/Standard_NC80adis_H100_v5$", 600.0),
    (r"^hyperstack/n3-[AH]100x8-NVLink$", 600.0),
)
FABRICS = ("Infinity Fabric", "NeuronLink", "ICI", "RoCE")


@dataclass(frozen=True)
class Wiring:
    """The kind of link (``nvlink``, ``fabric``, ``pcie``) and GB/s per device, both directions together."""

    kind: str | None
    gb_s: float | None


@dataclass(frozen=True)
class Card:
    """Links of an accelerator as its specification states them."""

    interconnect: str
    gb_s: float | None


NONE = Wiring(None, None)


def wiring(key: tuple[str, str], count: float, card: Card, read_gb_s: float | None, feed_gb_s: float | None) -> Wiring:
    """Return the links of a machine with ``count`` devices, given the rates measured between and into them."""
    if count <= 1:
        return NONE
    name = "/".join(key)
    bridge = next((gb_s for pattern, gb_s in BRIDGED if re.match(pattern, name)), None)
    if bridge:
        return Wiring("nvlink", bridge)
    if any(fabric in card.interconnect for fabric in FABRICS):
        return Wiring("fabric", card.gb_s)
    if re.match(r"NVLink\d", card.interconnect):
        return Wiring("nvlink", card.gb_s)
    measured = read_gb_s or feed_gb_s
    return Wiring("pcie", DIRECTIONS * measured if measured else None)


# The first word of the gathered processor column, as a vendor; "Intel/AMD" and the like stay unknown.
VENDORS = {"Intel", "AMD", "AWS", "Microsoft", "Google", "Ampere", "NVIDIA", "Alibaba", "Hygon", "Arm"}
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
    word = row["cpu"].split(" ")[0]
    vendor = word if word in VENDORS else None
    architecture = row["arch"] or ("arm64" if vendor in ARM_VENDORS else "x86_64")
    stated = first_match("type_processors", "/".join(row.type_key))
    name = stated["processor"] if stated else facts.processor(row.type_key) or _by_model(row["cpu"], processors)
    known = described(name) if name and name in processors else None
    # The machine's own report is better than a vendor taken from the type's name.
    if known:
        return {"architecture": architecture, "cpu_vendor": known[0], "processor": name}
    return {"architecture": architecture, "cpu_vendor": vendor, "processor": None}


def _by_model(cpu: str, processors: Collection[str]) -> str | None:
    """Processor whose model number is in the gathered column ("Intel 8269CY")."""
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
    local = local_disk_gb(row.type_key, row.number("local_nvme_gb"))
    return {
        "network_gbps": network_gbps(row.type_key, row.number("vcpus") or 0.0, row.number("network_gbps") or None),
        "local_disk_gb": local,
        "local_disk_type": local_disk_type(row.family) if local else None,
        "disk_mib_s": _mib(volume_mb_s(row.type_key, row.number("ebs_or_disk_mbps"))),
        "boot_seconds": facts.boot(row.type_key),
    }


def _mib(megabytes: float | None) -> float | None:
    return round(megabytes * MEGABYTE_IN_MIB, 3) if megabytes else None
