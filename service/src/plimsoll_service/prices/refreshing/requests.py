"""Requests to feeds: they name the regions, instance types and volume products of the catalog by cloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.feeds.feed import CloudFacts, FeedRequest, TypeFacts

NOTHING = CloudFacts(frozenset(), {}, frozenset())


@dataclass(frozen=True)
class Asking:
    """The part that all requests of an installation share."""

    clouds: Mapping[str, CloudFacts]
    environment: Mapping[str, str]
    units_per_usd: Mapping[str, float] = field(default_factory=dict)

    def request(self, cloud: str, regions: Sequence[str] | None = None, *, base_url: str | None = None) -> FeedRequest:
        """A request for a cloud's prices, in all of its regions unless some are named."""
        facts = self.clouds.get(cloud, NOTHING)
        return FeedRequest(
            cloud=cloud,
            regions=None if regions is None else tuple(regions),
            known_regions=facts.known_regions,
            types=facts.types,
            products=facts.products,
            environment=self.environment,
            base_url=base_url,
            units_per_usd=self.units_per_usd,
            clouds=self.clouds,
        )


def cloud_facts(catalog: Catalog) -> dict[str, CloudFacts]:
    """The facts of the catalog about each of its clouds."""
    regions, types, disks = catalog.regions, catalog.instance_types, catalog.disks
    facts = _type_facts(catalog)
    return {
        cloud: CloudFacts(
            known_regions=frozenset(name for row, name in enumerate(regions.name) if regions.cloud[row] == cloud),
            types={name: facts[row] for row, name in enumerate(types.name) if types.cloud[row] == cloud},
            products=frozenset(name for row, name in enumerate(disks.product) if disks.cloud[row] == cloud),
        )
        for cloud in catalog.clouds
    }


def _type_facts(catalog: Catalog) -> list[TypeFacts]:
    types, accelerators = catalog.instance_types, catalog.accelerators
    sold = _sold_regions(catalog)
    return [
        TypeFacts(
            vcpus=float(types.vcpus[row]),
            memory_gib=float(types.memory_gib[row]),
            accelerator=None if accelerator < 0 else accelerators.name[accelerator],
            accelerator_count=float(types.accelerator_count[row]),
            local_disk_gb=float(types.local_disk_gb[row]),
            retired=bool(types.retired[row]),
            regions=sold[row],
        )
        for row, accelerator in enumerate(types.accelerator.tolist())
    ]


def _sold_regions(catalog: Catalog) -> list[frozenset[str]]:
    """The regions of each instance type in which the catalog has a current offer."""
    offers = catalog.offers
    rows = np.flatnonzero(offers.current)
    starts = np.searchsorted(offers.instance_type[rows], np.arange(len(catalog.instance_types) + 1)).tolist()
    names = [catalog.regions.name[region] for region in offers.region[rows].tolist()]
    return [frozenset(names[first:end]) for first, end in pairwise(starts)]
