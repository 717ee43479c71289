"""Differences between two price snapshots, offer by offer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..engine.hardware import PURCHASE_NAMES, Catalog, Floats, Ints, Offers

PERCENT = 100.0
DIGITS = 6  # finer than any stated price, coarser than rounding errors


@dataclass(frozen=True, eq=False)
class Changes:
    """Offers that one snapshot alone sells, or both at different prices (USD an hour; NaN: not sold).

    The first three columns are codes as in ``Offers``. The largest change in ``percent``, up or down, comes first.
    Added and removed offers have none and come last, by instance type, region and purchase option.
    """

    instance_type: Ints
    region: Ints
    purchase: Ints
    before: Floats
    after: Floats
    percent: Floats

    def __len__(self) -> int:
        return len(self.percent)


def changes(catalog: Catalog, before: Offers, after: Offers) -> Changes:
    """The changes from one snapshot's offers to another's, both over the rows of ``catalog``."""
    regions, purchases = len(catalog.regions), len(PURCHASE_NAMES)
    keys = [_keys(offers, regions, purchases)[offers.current] for offers in (before, after)]
    union = np.union1d(*keys)
    old, new = (
        _prices(union, of, offers.usd_per_hour[offers.current])
        for of, offers in zip(keys, (before, after), strict=True)
    )
    percent = np.round((new / old - 1) * PERCENT, DIGITS)
    differing = np.flatnonzero(old != new)
    order = differing[np.argsort(-np.abs(percent[differing]), kind="stable")]
    offer, purchase = np.divmod(union[order], purchases)
    kind, region = np.divmod(offer, regions)
    return Changes(
        instance_type=kind.astype(np.int32),
        region=region.astype(np.int32),
        purchase=purchase.astype(np.int32),
        before=old[order],
        after=new[order],
        percent=percent[order],
    )


def _keys(offers: Offers, regions: int, purchases: int) -> npt.NDArray[np.int64]:
    """One number for each offer, the same in every snapshot over the same catalog."""
    return (offers.instance_type.astype(np.int64) * regions + offers.region) * purchases + offers.purchase


def _prices(union: npt.NDArray[np.int64], keys: npt.NDArray[np.int64], usd_per_hour: Floats) -> Floats:
    found = np.full(len(union), np.nan)
    found[np.searchsorted(union, keys)] = usd_per_hour
    return found
