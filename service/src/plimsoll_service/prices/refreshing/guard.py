"""What keeps a bad answer from replacing good prices: too many offers lost, or too many prices moved too far."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plimsoll_service.engine.hardware import Flags
from plimsoll_service.prices.refreshing.fetched import named
from plimsoll_service.prices.refreshing.merge import Difference
from plimsoll_service.prices.snapshots.table import OfferColumns

# Providers retire a few types and reprice a few a year: what changes more at once is more often the list's fault.
HIGHEST_SHARE_LOST = 0.20
HIGHEST_SHARE_MOVED = 0.05
FAR = 0.60  # of the last price, up or down
ROUNDING = 1e-9  # 1.6 times a price is 60% more, whatever its last bit says


def objections(offers: OfferColumns, change: Difference) -> tuple[str, ...]:
    """Every reason, with figures and names, why an answer should not replace these offers unasked."""
    return tuple(_objections(offers, change))


def lost(change: Difference) -> Flags:
    """Which offers the answer covers and does not price."""
    return change.covered & ~change.listed


def moved(change: Difference) -> Flags:
    """Which offers the answer prices far from their last price."""
    far: Flags = change.covered & change.listed & (np.abs(change.ratio - 1) > FAR + ROUNDING)
    return far


def _objections(offers: OfferColumns, change: Difference) -> Iterator[str]:
    """Cloud by cloud: the loss of a small one must not hide behind a large one."""
    for code in np.unique(offers.cloud.codes[change.covered]).tolist():
        cloud, of_cloud = offers.cloud.words[code], offers.cloud.codes == code
        covered, remaining = of_cloud & change.covered, of_cloud & change.covered & change.listed
        for which, of, highest, what in (
            (of_cloud & lost(change), int(covered.sum()), HIGHEST_SHARE_LOST, "offers lost"),
            (
                of_cloud & moved(change),
                int(remaining.sum()),
                HIGHEST_SHARE_MOVED,
                f"prices moved by more than {FAR:.0%}",
            ),
        ):
            count = int(which.sum())
            if count > highest * of:
                figures = f"{count:,} of {of:,} {cloud} {what} ({count / of:.1%}, at most {highest:.0%})"
                yield f"{figures}: {_names(offers, which)}"


def _names(offers: OfferColumns, which: Flags) -> str:
    columns = (offers.cloud, offers.instance_type, offers.region, offers.purchase)
    rows = np.flatnonzero(which).tolist()
    return named(tuple(str(column[row]) for column in columns) for row in rows)
