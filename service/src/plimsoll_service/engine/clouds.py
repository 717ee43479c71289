"""Terms of the clouds beside their price lists: what leaves a region costs, and the least that a start is billed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf


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


# A cloud whose price is not published is taken to charge the dearest first tier of the three large ones. Rule:
# data-staging.
ASSUMED_EGRESS = Egress((Tier(inf, 0.12),), 0.12, 0.12)
BARE_METAL = "BM."


@dataclass(frozen=True)
class Cloud:
    """Terms of one cloud; ``None`` where nothing is published.

    Each start is billed for so many seconds at least, and in multiples of ``step_seconds``; 0 is "by the second".
    """

    egress: Egress | None = None  # from continents without a row of their own
    by_continent: Mapping[str, Egress] = field(default_factory=dict)
    least_seconds: float = 0.0
    step_seconds: float = 0.0
    bare_metal_least_seconds: float = 0.0  # of types whose name begins with ``BM.``
    marketplace: bool = False  # its offers are listings of others' single hosts
    usd_per_million_reads: float = 0.0  # of objects in storage; 0 where no source is read
    volumes_stay: bool = False  # an interruption of spot capacity leaves the volumes in place

    def billing_of(self, instance_type: str) -> tuple[float, float]:
        """Return the seconds that each start of that type is billed at least, and in whose multiples it is billed."""
        bare = self.bare_metal_least_seconds if instance_type.startswith(BARE_METAL) else 0.0
        return max(self.least_seconds, bare), self.step_seconds


UNKNOWN_CLOUD = Cloud()


@dataclass(frozen=True, eq=False)
class CloudTable:
    """The clouds by name, and the continent of each country."""

    clouds: Mapping[str, Cloud] = field(default_factory=dict)
    continents: Mapping[str, str] = field(default_factory=dict)

    def of(self, cloud: str) -> Cloud:
        """Return the terms of a cloud."""
        return self.clouds.get(cloud, UNKNOWN_CLOUD)

    def continent_of(self, location: str) -> str:
        """Return the continent of a region's location, by its last part; empty if it names no country."""
        return self.continents.get(location.rpartition(", ")[2].partition(" (")[0], "")

    def egress_of(self, cloud: str, continent: str) -> Egress:
        """Return the prices of data that leave a region of that cloud and continent."""
        terms = self.of(cloud)
        return terms.by_continent.get(continent, terms.egress or ASSUMED_EGRESS)


def internet_usd(egress: Egress, gb: float) -> float:
    """Return the price of so many GB to the internet in one month, tier by tier."""
    tiers = zip((0.0, *(tier.up_to_gb for tier in egress.internet)), egress.internet, strict=False)
    return sum(max(min(gb, tier.up_to_gb) - below, 0.0) * tier.usd_per_gb for below, tier in tiers)
