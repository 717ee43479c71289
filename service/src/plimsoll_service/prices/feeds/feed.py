"""The interface of feeds: a request for a provider's prices, and the answer with all of them or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Protocol

ON_DEMAND, SPOT = "on_demand", "spot"
UNPRICED = nan


class FeedError(Exception):
    """The provider's answer cannot be used at all; the message says why and never holds a credential."""


@dataclass(frozen=True, slots=True)
class OfferQuote:
    """The price that a provider states for one machine and hour (Linux, shared tenancy, no licence).

    ``usd_per_hour`` is ``UNPRICED`` if the offer is listed without a price above 0: its last good price stays.
    ``as_of`` (UTC, ISO 8601) is stated only if the provider dates the price; else it is the time of the fetch.
    """

    cloud: str
    instance_type: str
    region: str
    purchase: str
    usd_per_hour: float
    confidence: str = "list"
    source: str | None = None  # left out: the feed's name
    as_of: str | None = None
    interruptions_per_hour: float | None = None


@dataclass(frozen=True, slots=True)
class VolumeQuote:
    """The price of a volume product (named as in the catalog) in a region, per GiB and month of 730 hours."""

    cloud: str
    product: str
    region: str
    usd_per_gib_month: float
    usd_per_iops_month: float | None = None
    usd_per_mib_s_month: float | None = None
    confidence: str = "list"
    source: str | None = None


@dataclass(frozen=True)
class TypeFacts:
    """Facts of the catalog about an instance type, for feeds that sum its price from parts."""

    vcpus: float
    memory_gib: float
    accelerator: str | None
    accelerator_count: float
    local_disk_gb: float
    retired: bool
    regions: frozenset[str]  # in which the catalog has a current offer


@dataclass(frozen=True)
class CloudFacts:
    """Names that the catalog knows of a cloud."""

    known_regions: frozenset[str]
    types: Mapping[str, TypeFacts]
    products: frozenset[str]


NO_FACTS = CloudFacts(frozenset(), {}, frozenset())


@dataclass(frozen=True)
class FeedRequest:
    """One refresh of one cloud.

    ``regions`` is ``None`` for all that the catalog knows. ``clouds`` are all of the catalog's: the feed ``file`` has
    prices of several. ``environment`` may hold credentials. ``base_url`` replaces scheme and host of all addresses of
    the provider. ``units_per_usd`` are exchange rates.
    """

    cloud: str
    regions: tuple[str, ...] | None = None
    clouds: Mapping[str, CloudFacts] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    units_per_usd: Mapping[str, float] = field(default_factory=dict)
    report: Callable[[str], None] = lambda _: None

    @property
    def known_regions(self) -> frozenset[str]:
        """The cloud's regions in the catalog."""
        return self.clouds.get(self.cloud, NO_FACTS).known_regions

    @property
    def types(self) -> Mapping[str, TypeFacts]:
        """The cloud's instance types in the catalog."""
        return self.clouds.get(self.cloud, NO_FACTS).types

    @property
    def products(self) -> frozenset[str]:
        """The cloud's volume products in the catalog."""
        return self.clouds.get(self.cloud, NO_FACTS).products

    def wants(self, region: str) -> bool:
        """Return whether a region is asked for and known to the catalog."""
        return region in self.known_regions and (self.regions is None or region in self.regions)

    def wanted(self) -> list[str]:
        """The regions to ask for, sorted; raises ``FeedError`` for a name that the catalog lacks."""
        unknown = sorted(set(self.regions or ()) - self.known_regions)
        if unknown:
            raise FeedError(f"the catalog has no region {', '.join(unknown)}")
        return sorted(filter(self.wants, self.known_regions))


@dataclass(frozen=True)
class Fetched:
    """All prices that a feed found in the places that it covers: cloud, region, purchase option.

    A covered offer that is not in ``offers`` is no longer sold. The refresh judges prices that cannot be believed,
    names that the catalog lacks, and offers at several prices. ``notes`` tell the operator what was left out and why.
    ``missing`` are sentences on parts that should be there and failed, such as a region: they are not covered, and all
    that was known of them stays.
    """

    source: str
    offers: tuple[OfferQuote, ...]
    covered: frozenset[tuple[str, str, str]]
    volumes: tuple[VolumeQuote, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def few(names: Iterable[str], most: int = 5) -> str:
    """The first of some names, and the number of the others."""
    found = sorted(names)
    return ", ".join(found[:most]) + (f" and {len(found) - most:,} more" if len(found) > most else "")


class Feed(Protocol):
    """One provider's price list, which a package beside this module offers as ``FEED``; ``--cloud`` takes its name."""

    name: str

    def fetch(self, request: FeedRequest) -> Fetched:
        """The prices asked for, complete in all covered places; raises ``FeedError``."""


class QuotingFeed(Feed, Protocol):
    """A feed that can also quote the current price of a single offer.

    ``quotes`` are the purchase options that ``quote`` may be called with.
    """

    quotes: frozenset[str]

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """The current price, or ``None`` if the provider does not sell the offer; raises ``FeedError``."""
