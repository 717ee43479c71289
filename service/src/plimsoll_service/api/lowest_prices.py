"""The lowest current prices of instance types and of one device, by purchase option."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Flags, Floats, Ints, Offers

Prices = dict[str, float]
"""USD per hour by purchase option; an option without a price is left out."""


@lru_cache(maxsize=2)  # the prices in force and those of a replay
def of_instance_types(catalog: Catalog, offers: Offers) -> tuple[Prices, ...]:
    """The lowest prices of each instance type."""
    sold = offers.current
    return lowest(offers, sold, offers.instance_type[sold], offers.usd_per_hour[sold], len(catalog.instance_types))


def lowest(offers: Offers, sold: Flags, group: Ints, usd_per_hour: Floats, count: int) -> tuple[Prices, ...]:
    """The lowest prices in each of ``count`` groups; ``group`` and ``usd_per_hour`` are of the ``sold`` offers."""
    table = np.full((len(PURCHASE_NAMES), count), np.inf)
    np.minimum.at(table, (offers.purchase[sold], group), usd_per_hour)
    return tuple(
        {name: price for name, price in zip(PURCHASE_NAMES, prices, strict=True) if math.isfinite(price)}
        for prices in table.T.tolist()
    )
