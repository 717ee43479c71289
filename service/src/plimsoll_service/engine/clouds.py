"""Terms of the clouds beside their price lists: what leaves a region costs, and the least that a start is billed.

Sources:
SKYPILOT: skypilot 0.14.1 (2026-10-19), sky/clouds, get_egress_cost; its figures are those of the first US regions.
SKYPLANE: skyplane-project/skyplane@3b82dcc, @1cb5849 and @02a551a, the tables of transfer prices by region (undated).
HYPERBOLIC: docs.hyperbolic.xyz, GPU marketplace pricing (read 2026-11-23): suppliers set the prices of machines that
they share; mintlify.com/HyperbolicLabs/Hyperbolic-AgentKit, rent_compute (read 2026-11-23): an instance is devices of
one named node.
MONGODB: mongodb/docs, data-transfer costs of Google Cloud and AWS by region (undated).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

GB_PER_TB = 1024.0  # as the price lists' tiers count
AMERICA, EUROPE, ASIA, OCEANIA = "North America", "Europe", "Asia", "Oceania"
SOUTH_AMERICA, MIDDLE_EAST, AFRICA = "South America", "Middle East", "Africa"

# Continent by the last part of a region's location; a region without one belongs to no continent.
CONTINENTS = {
    **dict.fromkeys(("United States", "Canada", "Mexico"), AMERICA),
    **dict.fromkeys(("Brazil", "Chile"), SOUTH_AMERICA),
    **dict.fromkeys(
        (
            "Austria", "Belgium", "Finland", "France", "Germany", "Ireland", "Italy", "Netherlands", "Norway", "Poland",
            "Spain", "Sweden", "Switzerland", "United Kingdom",
        ),
        EUROPE,
    ),
    **dict.fromkeys(
        (
            "China", "Hong Kong", "India", "Indonesia", "Japan", "Malaysia", "Philippines", "Singapore", "South Korea",
            "Taiwan", "Thailand",
        ),
        ASIA,
    ),
    **dict.fromkeys(("Australia", "New Zealand"), OCEANIA),
    **dict.fromkeys(("Bahrain", "Israel", "Qatar", "Saudi Arabia", "United Arab Emirates"), MIDDLE_EAST),
    "South Africa": AFRICA,
}  # fmt: skip


@dataclass(frozen=True)
class Tier:
    """Price of the gigabytes of a month up to so many, USD each."""

    up_to_gb: float
    usd_per_gb: float


@dataclass(frozen=True)
class Egress:
    """Prices of data that leave a region: to the internet (other clouds), and to other regions of the same cloud."""

    internet: tuple[Tier, ...]
    near: float  # to a region on the same continent, USD a GB
    far: float  # to a region on another continent


@dataclass(frozen=True)
class Billing:
    """Seconds that each start is billed at least, and in whose multiples it is billed; 0 is "by the second"."""

    source: str
    least_seconds: float = 0.0
    step_seconds: float = 0.0
    bare_metal_least_seconds: float = 0.0  # of types whose name begins with ``BM.``


@dataclass(frozen=True)
class Cloud:
    """Terms of one cloud; ``None`` where nothing is published."""

    source: str
    egress: Egress | None = None  # from continents without a row of their own
    by_continent: tuple[tuple[str, Egress], ...] = ()
    billing: Billing | None = None
    marketplace: bool = False  # its offers are listings of others' single hosts
    volumes_stay: bool = False  # an interruption of spot capacity leaves the volumes in place


def _flat(usd_per_gb: float, near: float, far: float) -> Egress:
    return Egress((Tier(inf, usd_per_gb),), near, far)


def _tiers(*tiers: tuple[float, float]) -> tuple[Tier, ...]:
    return tuple(Tier(tb * GB_PER_TB, usd) for tb, usd in tiers)


_FREE = _flat(0.0, 0.0, 0.0)
_AWS = _tiers((10, 0.09), (50, 0.085), (150, 0.07), (inf, 0.05))
_AZURE = _tiers((10, 0.0875), (50, 0.083), (150, 0.07), (inf, 0.05))
_GCP = _tiers((1, 0.12), (10, 0.11), (inf, 0.08))

CLOUDS: dict[str, Cloud] = {
    "aws": Cloud(
        "SKYPILOT; SKYPLANE",
        Egress(_AWS, 0.02, 0.02),
        (
            (ASIA, _flat(0.12, 0.09, 0.09)),
            (OCEANIA, _flat(0.114, 0.098, 0.098)),
            (MIDDLE_EAST, _flat(0.117, 0.1105, 0.1105)),
            (SOUTH_AMERICA, _flat(0.15, 0.138, 0.138)),
            (AFRICA, _flat(0.154, 0.147, 0.147)),
        ),
        Billing("botocore 1.44.5, EC2 StopInstances (2026-11-17)", least_seconds=60),
    ),
    "azure": Cloud(
        "SKYPILOT; SKYPLANE",
        Egress(_AZURE, 0.02, 0.05),
        (
            *((name, _flat(0.12, 0.08, 0.08)) for name in (ASIA, OCEANIA, MIDDLE_EAST, AFRICA)),
            (SOUTH_AMERICA, _flat(0.181, 0.181, 0.16)),
        ),
        volumes_stay=True,  # MicrosoftDocs/azure-compute-docs@3bbed19b, spot-vms.md (2024-08-05): deallocated
    ),
    "gcp": Cloud(
        "SKYPILOT; SKYPLANE; MONGODB",
        Egress(_GCP, 0.02, 0.08),
        (
            (ASIA, Egress(_GCP, 0.05, 0.08)),
            (SOUTH_AMERICA, Egress(_GCP, 0.08, 0.08)),
            (OCEANIA, _flat(0.19, 0.08, 0.15)),
        ),
        Billing("cloud.google.com/compute/vm-instance-pricing, billing model (read 2026-11-23)", least_seconds=60),
    ),
    "alibaba": Cloud("", billing=Billing("www.alibabacloud.com/notice/ECS-0928 (2017-09-28): by the second")),
    "oci": Cloud(
        "SKYPILOT",
        Egress(_tiers((10, 0.0), (inf, 0.0085)), 0.0085, 0.0085),
        billing=Billing(
            "Oracle: per-second billing for compute (the-report.cloud, oracle-announcing-per-second-billing)",
            least_seconds=60,
            bare_metal_least_seconds=3600,
        ),
    ),
    "hyperbolic": Cloud("SKYPILOT; HYPERBOLIC", _FREE, marketplace=True),
    "hyperstack": Cloud(
        "",
        billing=Billing("hyperstack.cloud/gpu-pricing (2026-08-26): billed per minute", step_seconds=60),
    ),
    "lambda": Cloud("SKYPILOT", _FREE),
    "nebius": Cloud("SKYPILOT", _FREE),
    "ovh": Cloud(""),
    "runpod": Cloud("SKYPILOT", _FREE, billing=Billing("runpod.io/pricing (2026-11-09): by the second")),
    "verda": Cloud("SKYPILOT", _FREE, billing=Billing("datacrunch.io/pricing (2026-06-21): by the second")),
}  # fmt: skip
# A cloud whose price is not published is taken to charge the dearest first tier of the three large ones. Rule:
# data-staging.
ASSUMED_EGRESS = _flat(0.12, 0.12, 0.12)
UNKNOWN_CLOUD = Cloud("")
PER_SECOND = Billing("")
BARE_METAL = "BM."


@lru_cache(maxsize=1 << 10)
def continent_of(location: str) -> str:
    """Return the continent of a region's location; empty if it names no country."""
    return CONTINENTS.get(location.rpartition(", ")[2].partition(" (")[0], "")


def egress_of(cloud: str, continent: str) -> Egress:
    """Return the prices of data that leave a region of that cloud and continent."""
    terms = CLOUDS.get(cloud, UNKNOWN_CLOUD)
    return dict(terms.by_continent).get(continent, terms.egress or ASSUMED_EGRESS)


def published(cloud: str) -> bool:
    """Return whether the cloud's egress price is published."""
    return CLOUDS.get(cloud, UNKNOWN_CLOUD).egress is not None


def volumes_stay(cloud: str) -> bool:
    """Return whether an interruption of spot capacity leaves the volumes in place."""
    return CLOUDS.get(cloud, UNKNOWN_CLOUD).volumes_stay


def marketplace(cloud: str) -> bool:
    """Return whether the cloud's offers are listings of others' single hosts."""
    return CLOUDS.get(cloud, UNKNOWN_CLOUD).marketplace


def internet_usd(egress: Egress, gb: float) -> float:
    """Return the price of so many GB to the internet in one month, tier by tier."""
    usd, below = 0.0, 0.0
    for tier in egress.internet:
        usd += max(min(gb, tier.up_to_gb) - below, 0.0) * tier.usd_per_gb
        below = tier.up_to_gb
    return usd


def billing_of(cloud: str, instance_type: str) -> tuple[float, float]:
    """Return the seconds that each start of that type is billed at least, and in whose multiples it is billed."""
    terms = CLOUDS.get(cloud, UNKNOWN_CLOUD).billing or PER_SECOND
    bare = terms.bare_metal_least_seconds if instance_type.startswith(BARE_METAL) else 0.0
    return max(terms.least_seconds, bare), terms.step_seconds
