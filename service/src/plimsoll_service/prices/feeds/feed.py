"""What a feed is: asked for a provider's prices, it answers with all of them or says by name why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

ON_DEMAND, SPOT = "on_demand", "spot"


class FeedError(Exception):
    """The provider's answer cannot be used as a whole; the message says why and never holds a credential."""


@dataclass(frozen=True, slots=True)
class OfferQuote:
    """The price of one machine and hour (Linux, shared tenancy, no licence) as a provider states it, above 0.

    ``as_of`` (UTC, ISO 8601) only where the provider dates the price itself; left out, it is the time of the fetch.
    """

    cloud: str
    instance_type: str
    region: str
    purchase: str
    usd_per_hour: float
    confidence: str = "list"
    source: str | None = None  # left out: the feed's own name
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
    """What the catalog knows of an instance type, for feeds that compose its price from parts."""

    vcpus: float
    memory_gib: float
    accelerator: str | None
    accelerator_count: float
    local_disk_gb: float
    retired: bool
    regions: frozenset[str]  # where the catalog knows it to be sold


@dataclass(frozen=True)
class CloudFacts:
    """What the catalog knows of a cloud by name."""

    known_regions: frozenset[str]
    types: Mapping[str, TypeFacts]
    products: frozenset[str]


@dataclass(frozen=True)
class FeedRequest:
    """One refresh of one cloud.

    ``regions`` is ``None`` for all that the catalog knows. ``base_url`` replaces scheme and host of every address of
    the provider. ``environment`` is where credentials are looked for. ``units_per_usd`` are exchange rates.
    ``clouds`` are all of the catalog's, for a feed that speaks of several (``file``, which has no cloud of its own).
    """

    cloud: str
    regions: tuple[str, ...] | None
    known_regions: frozenset[str]
    types: Mapping[str, TypeFacts]
    products: frozenset[str]  # the cloud's volume products in the catalog
    environment: Mapping[str, str]
    base_url: str | None = None
    units_per_usd: Mapping[str, float] = field(default_factory=dict)
    report: Callable[[str], None] = lambda _: None
    clouds: Mapping[str, CloudFacts] = field(default_factory=dict)

    def wants(self, region: str) -> bool:
        """Whether the prices of a region are asked for and can be placed."""
        return region in self.known_regions and (self.regions is None or region in self.regions)


@dataclass(frozen=True)
class Fetched:
    """All that a feed found: ``covered`` says for which (cloud, region, purchase option) it speaks.

    Of what is covered, an offer that is not in ``offers`` is no longer sold. ``unusable`` are offers that the provider
    lists without a price that can be believed (0, garbled): their last good price stays, with its date. ``notes`` say
    what was left out and why, in words for the operator.
    """

    source: str
    offers: tuple[OfferQuote, ...]
    covered: frozenset[tuple[str, str, str]]
    volumes: tuple[VolumeQuote, ...] = ()
    unusable: frozenset[tuple[str, str, str, str]] = frozenset()  # cloud, instance type, region, purchase option
    notes: tuple[str, ...] = ()


class Feed(Protocol):
    """One provider's price list, which a module of this package offers as ``FEED``; ``--cloud`` takes its name."""

    name: str

    def fetch(self, request: FeedRequest) -> Fetched:
        """The prices asked for; raises ``FeedError``. Never a part of what ``covered`` says."""
        ...


class QuotingFeed(Feed, Protocol):
    """A feed that can also be asked for a single offer at the price of an answer's time.

    ``quotes`` are the purchase options that it can be asked for; nobody calls ``quote`` with another one, so that
    ``None`` always means that the provider sells no such thing.
    """

    quotes: frozenset[str]

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """The price now, or ``None`` where the provider sells no such thing; raises ``FeedError``."""
        ...
