"""A feed's answer and the prices before it: their difference, and both as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...engine.hardware import Catalog, Flags, Floats, Ints
from ..feeds.feed import SPOT
from ..snapshots.table import (
    KEYS,
    CoverageColumns,
    OfferColumns,
    PriceTable,
    Section,
    VolumeColumns,
    accepted_prices,
    coded,
    key_of,
    places,
    ranked,
    rows_named,
    rows_of,
    stacked,
)
from .fetched import Answer

PLACE = ("cloud", "region")
AnySection = OfferColumns | VolumeColumns | CoverageColumns


@dataclass(frozen=True, eq=False)
class Difference:
    """The changes that an answer makes to the offers before it, row by row of those."""

    covered: Flags  # sold so far, in a place and purchase option that the answer covers
    listed: Flags  # priced by the answer
    unusable: Flags  # listed by the provider without a usable price
    named: Flags  # by the last list of their place
    spot: Flags
    row: Ints  # of the answer; -1 without one
    ratio: Floats  # new price over old; NaN without a new one
    drift: Floats  # new price over the accepted one; NaN without a new one


def difference(base: PriceTable, answer: Answer, catalog: Catalog) -> Difference:
    """Compare an answer with the prices before it; types that the catalog lacks do not count as covered."""
    offers, types = base.offers, catalog.instance_types
    keys = sorted(answer.unusable)
    columns = [coded(key[part] for key in keys) for part in range(len(KEYS[OfferColumns]))]
    old, new, unusable = ranked(key_of(offers), key_of(answer.offers), columns)
    listed = np.isin(old, new)
    order = np.argsort(new).astype(np.int32)
    row = np.full(len(offers), -1, dtype=np.int32)
    row[listed] = order[np.searchsorted(new[order], old[listed])]
    price = np.full(len(offers), np.nan)
    price[listed] = answer.offers.usd_per_hour[row[listed]]
    known = rows_named(types.cloud, types.name, offers.cloud, offers.instance_type) >= 0
    return Difference(
        covered=_within(base.offers, answer.coverage) & offers.current & known,
        listed=listed,
        unusable=np.isin(old, unusable),
        named=offers.named,
        spot=places(offers.purchase, {SPOT: 1}) == 1,
        row=row,
        ratio=price / offers.usd_per_hour,
        drift=price / accepted_prices(offers),
    )


def merged(
    base: PriceTable, answer: Answer, change: Difference, *, named: Flags | None = None, accept: bool = False
) -> PriceTable:
    """The prices before the answer, with the answer in place of what it covers.

    Offers that are no longer listed are removed. Offers that were no longer sold, and those listed without a usable
    price, stay as they were. ``named`` are those that the list named though their price is set aside. Prices that are
    not ``accept``ed drift from those that were.
    """
    covered = _within(base.offers, answer.coverage)
    stays = ~change.listed & (~covered | ~base.offers.current | change.unusable)
    still = base.offers.named & ~covered if named is None else base.offers.named & (~covered | named)
    accepted = np.full(len(answer.offers), np.nan)
    if not accept:
        accepted[change.row[change.listed]] = accepted_prices(base.offers)[change.listed]
        accepted[accepted == answer.offers.usd_per_hour] = np.nan
    return PriceTable(
        offers=stacked(
            (
                rows_of(replace(base.offers, named=still), stays),
                replace(answer.offers, accepted_usd_per_hour=accepted),
            )
        ),
        volumes=_over(base.volumes, answer.volumes, KEYS[VolumeColumns]),
        coverage=_over(base.coverage, answer.coverage, KEYS[CoverageColumns]),
    )


def renewed(base: PriceTable, own: PriceTable) -> PriceTable:
    """A snapshot with the catalog's ``own`` offers, which may be newer, in place of those that no feed covers."""
    offers = (
        rows_of(base.offers, _within(base.offers, base.coverage)),
        rows_of(own.offers, ~_within(own.offers, base.coverage)),
    )
    return replace(base, offers=stacked(offers))


def regained(new: PriceTable, held: PriceTable) -> PriceTable | None:
    """``new`` with the coverage that only ``held`` still has; ``None`` if there is none.

    A refresh never removes the coverage of others, unless it began from a Redis that had lost it.
    """
    lost = ~_among(held.coverage, new.coverage, KEYS[CoverageColumns])
    if not lost.any():
        return None
    coverage = rows_of(held.coverage, lost)
    offers = (rows_of(new.offers, ~_within(new.offers, coverage)), rows_of(held.offers, _within(held.offers, coverage)))
    volumes = rows_of(held.volumes, _among(held.volumes, coverage, PLACE))
    return PriceTable(
        offers=stacked(offers),
        volumes=_over(new.volumes, volumes, KEYS[VolumeColumns]),
        coverage=_over(new.coverage, coverage, KEYS[CoverageColumns]),
    )


def _within(offers: OfferColumns, coverage: CoverageColumns) -> Flags:
    """The offers of a cloud, region and purchase option that is covered."""
    return _among(offers, coverage, KEYS[CoverageColumns])


def _over(base: Section, new: Section, scope: tuple[str, ...]) -> Section:
    """The new rows, and the old ones whose ``scope`` has no new row."""
    return stacked((rows_of(base, ~_among(base, new, scope)), new))


def _among(section: AnySection, others: AnySection, names: Sequence[str]) -> Flags:
    """The rows of a section whose ``names`` columns have the words of any row of ``others``."""
    own, wanted = ranked(*([getattr(one, name) for name in names] for one in (section, others)))
    return np.isin(own, wanted)
