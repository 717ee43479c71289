"""Prices in force at one moment, over the rows of one catalog: machines, volumes, interruption rates of spot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .hardware import Catalog, Disks, Flags, Floats
from .price_ranges import Ranged, ranged


@dataclass(frozen=True, eq=False)
class Prices(Ranged):
    """All offers at one moment; the same version always means the same prices, stale flags and dates.

    ``stale`` and ``interruptions_per_hour`` (of one machine on spot; NaN where nobody states it) stand beside the
    offers, row by row. ``disks`` is the catalog's table at the prices of this moment; ``region_factor``, of shape
    (disks, regions), is what a volume costs in a region over its row in ``disks`` (1 where unknown).
    """

    version: str
    as_of: str
    stale: Flags
    interruptions_per_hour: Floats
    disks: Disks
    region_factor: Floats


def bundled(catalog: Catalog) -> Prices:
    """The catalog's own prices: nothing refreshes them, so they are never stale; their ``as_of`` tells their age."""
    return Prices(
        **vars(ranged(catalog, catalog.offers)),
        version=catalog.version,
        as_of=catalog.prices_as_of,
        stale=np.zeros(len(catalog.offers), dtype=np.bool_),
        interruptions_per_hour=np.full(len(catalog.offers), np.nan),
        disks=catalog.disks,
        region_factor=np.ones((len(catalog.disks), len(catalog.regions))),
    )
