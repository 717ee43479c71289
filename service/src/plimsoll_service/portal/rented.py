"""What one device of each accelerator costs where it is cheapest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Flags, Floats, Offers


@dataclass(frozen=True)
class Rented:
    """The lowest prices of one device per hour in USD, and the number of clouds that rent it out."""

    on_demand: float | None
    spot: float | None
    clouds: int


def rented(catalog: Catalog, offers: Offers) -> dict[str, Rented]:
    """The accelerators that can be rented, by name, at the prices of the offers."""
    types = catalog.instance_types
    device = types.accelerator[offers.instance_type]
    sold = offers.current & (device >= 0) & ~types.retired[offers.instance_type]
    count = types.accelerator_count[offers.instance_type]  # below 1 where a machine has a part of a device
    each = np.divide(offers.usd_per_hour, count, out=np.full(len(offers), np.inf), where=sold)
    lowest = {name: np.full(len(catalog.accelerators.name), np.inf) for name in PURCHASE_NAMES}
    for code, name in enumerate(PURCHASE_NAMES):
        of_purchase: Flags = sold & (offers.purchase == code)
        np.minimum.at(lowest[name], device[of_purchase], each[of_purchase])
    clouds = np.unique(np.stack([device[sold], types.cloud.codes[offers.instance_type[sold]]]), axis=1)[0]
    return {
        catalog.accelerators.name[row]: Rented(
            _price(lowest["on_demand"], row), _price(lowest["spot"], row), int(np.count_nonzero(clouds == row))
        )
        for row in np.unique(device[sold]).tolist()
    }


def _price(column: Floats, row: int) -> float | None:
    return float(column[row]) if np.isfinite(column[row]) else None
