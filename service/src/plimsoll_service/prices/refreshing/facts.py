"""Facts of a catalog that feeds are told: regions, instance types and volume products by cloud."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...engine.hardware import Catalog
from ..feeds.feed import CloudFacts, TypeFacts


def cloud_facts(catalog: Catalog) -> dict[str, CloudFacts]:
    """The facts about each cloud of a catalog."""
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
