"""Plausibility of new prices: reasons against a cloud's whole list, and single offers that are set aside.

An offer that is set aside keeps its last good price and date; the rest of the list is published. What a machine costs
among those of its kind is taken of the bundled prices per accelerator and per vCPU, across all clouds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ...engine.hardware import ON_DEMAND, PURCHASE_NAMES, Catalog, Coded, Flags, Floats, Ints
from ..feeds.feed import SPOT, few
from ..snapshots.table import OfferColumns, PriceTable, accepted_prices, keys_of, places, rows_named, rows_of
from .fetched import NAMED, Answer
from .merge import Difference

FARTHEST = 5.0  # times its kind, up or down; of 129,000 bundled prices 0.5% are farther off


@lru_cache(maxsize=1)  # the same for every cloud's list
def expected_prices(catalog: Catalog) -> tuple[Floats, Floats]:
    """The price of each instance type's kind in USD an hour, and the price of its vCPUs alone.

    Both of shape (types, purchase options), NaN if unknown. A kind's price is the median of the clouds' medians, so
    that no cloud's list decides it alone.
    """
    types, offers = catalog.instance_types, catalog.offers
    plain = types.accelerator < 0
    classes = _memory_classes(catalog)
    hosts = _unit_prices(catalog, offers.current & plain[offers.instance_type], classes, types.vcpus)
    accelerated = offers.current & ~plain[offers.instance_type]
    units = _unit_prices(catalog, accelerated, types.accelerator, types.accelerator_count)
    spot_share = np.nanmedian(units / units[:, [ON_DEMAND]], axis=0)
    units = np.where(np.isnan(units), units[:, [ON_DEMAND]] * spot_share, units)
    host = types.vcpus[:, None] * hosts[classes]
    whole = types.accelerator_count[:, None] * units[types.accelerator] + np.nan_to_num(host)
    return np.where(plain[:, None], host, whole), host


def farther(usd_per_hour: Floats, expected: Floats) -> Flags:
    """Return whether prices are more than ``FARTHEST`` times off; unknown expectations are not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        far: Flags = np.abs(np.log(usd_per_hour / expected)) > np.log(FARTHEST) + 1e-9
    return far & (expected > 0)


def _memory_classes(catalog: Catalog) -> Ints:
    """A code for each instance type: its GiB per vCPU to the nearest power of two, from 1/4 to 64."""
    types = catalog.instance_types
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = np.log2(types.memory_gib / types.vcpus)
    return (np.clip(np.nan_to_num(np.round(powers), posinf=6, neginf=-2), -2, 6) + 2).astype(np.int32)


def _unit_prices(catalog: Catalog, rows: Flags, kinds: Ints, units: Floats) -> Floats:
    """USD an hour per unit, of shape (kinds, purchase options), of the offers in ``rows``."""
    types, offers = catalog.instance_types, catalog.offers
    found = np.full((int(kinds.max(initial=0)) + 1, len(PURCHASE_NAMES)), np.nan)
    chosen = np.flatnonzero(rows & (units[offers.instance_type] > 0))
    row = offers.instance_type[chosen]
    price = offers.usd_per_hour[chosen] / units[row]
    by_cloud = _medians(price, kinds[row], offers.purchase[chosen], types.cloud.codes[row])
    values, kind, purchase = (np.array(column) for column in zip(*by_cloud, strict=True)) if len(chosen) else ((),) * 3
    for value, code, option in _medians(np.array(values), np.array(kind, int), np.array(purchase, int)):
        found[code, option] = value
    return found


def _medians(values: Floats, *keys: Ints) -> Iterator[tuple[float, int, int]]:
    """The median of the values of each combination of keys, with the first two keys."""
    if not len(values):
        return
    groups, place = np.unique(np.stack(keys), axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts: Iterable[int] = np.searchsorted(place[order], np.arange(1, groups.shape[1])).tolist()
    for group, part in zip(groups.T.tolist(), np.split(values[order], list(starts)), strict=True):
        yield float(np.median(part)), group[0], group[1]


# Providers retire and reprice a few types a year: a larger change is more often a fault of the list.
HIGHEST_SHARE_LOST = 0.20
HIGHEST_SHARE_MOVED = 0.05
# A market moves the prices of a kind one by one; a fault of a list moves most of them.
HIGHEST_SHARE_MOVED_ON_SPOT = 0.50
FEWEST_LOST = 5  # of a family or an accelerator: single offers come and go
FAR = 0.60  # of the last price, up or down
ROUNDING = 1e-9  # 1.6 times a price counts as 60% more
MOST_NAMED = 10  # offers that are set aside, in a message
LOST, MOVED = "offers lost", f"prices moved by more than {FAR:.0%}"


@dataclass(frozen=True, eq=False)
class Aside:
    """Offers set aside: rows of the answer's offers and volumes, rows of the offers before it, and the reasons.

    ``implausible`` are the sentences on prices far off their kind, ``changed`` those on families and accelerators.
    """

    offers: Flags
    volumes: Flags
    kept: Flags  # offers before that the answer does not name
    implausible: tuple[str, ...]
    changed: tuple[str, ...]


def lost(change: Difference) -> Flags:
    """The offers that the last list named, and that this one covers and does not price."""
    return change.covered & ~change.listed & change.named


def moved(change: Difference) -> Flags:
    """The offers far from their last price, or on demand from their price in the last accepted list."""
    drifted = ~change.spot & _far(change.drift)
    return change.covered & change.listed & (_far(change.ratio) | drifted)


def _far(ratio: Floats) -> Flags:
    return np.abs(ratio - 1) > FAR + ROUNDING


def objections(offers: OfferColumns, change: Difference) -> Iterator[str]:
    """The reasons, with figures and names, against an answer in place of these offers.

    Each cloud is judged by itself: a large cloud must not hide the loss of a small one.
    """
    for code in np.unique(offers.cloud.codes[change.covered]).tolist():
        cloud, of_cloud = offers.cloud.words[code], offers.cloud.codes == code
        covered, remaining = of_cloud & change.covered & change.named, of_cloud & change.covered & change.listed
        for which, of, highest, what in (
            (of_cloud & lost(change), int(covered.sum()), HIGHEST_SHARE_LOST, LOST),
            (of_cloud & moved(change), int(remaining.sum()), HIGHEST_SHARE_MOVED, MOVED),
        ):
            count = int(which.sum())
            if count > highest * of:
                figures = f"{count:,} of {of:,} {cloud} {what} ({count / of:.1%}, at most {highest:.0%})"
                yield f"{figures}: {few(map(' '.join, keys_of(rows_of(offers, which))), NAMED)}"


def set_aside(base: PriceTable, answer: Answer, change: Difference, catalog: Catalog) -> Aside:
    """Return the parts of an answer that must not come into force, although the rest is published."""
    offers, sentences = _off_their_kind(base, answer, change, catalog)
    listed = change.row >= 0
    said = np.zeros(len(base.offers), dtype=np.bool_)
    said[listed] = offers[change.row[listed]]
    held, kept, changed = _in_groups(base.offers, change, catalog, said)
    implausible = list(sentences)
    offers[change.row[held]] = True
    volumes = _off_the_catalog(answer, catalog)
    if volumes.any():
        named = few(map(" ".join, keys_of(rows_of(answer.volumes, volumes))), MOST_NAMED)
        implausible.append(
            f"{int(volumes.sum()):,} volume prices more than {FARTHEST:g} times off the catalog's: {named}"
        )
    return Aside(offers, volumes, kept, tuple(implausible), tuple(changed))


def without(answer: Answer, aside: Aside, base: PriceTable) -> Answer:
    """The answer without what is set aside, which keeps its last good price."""
    keys = [*keys_of(rows_of(answer.offers, aside.offers)), *keys_of(rows_of(base.offers, aside.kept))]
    return replace(
        answer,
        offers=rows_of(answer.offers, ~aside.offers),
        volumes=rows_of(answer.volumes, ~aside.volumes),
        unusable=answer.unusable | {(cloud, name, region, purchase) for cloud, name, region, purchase in keys},
    )


def _off_their_kind(
    base: PriceTable, answer: Answer, change: Difference, catalog: Catalog
) -> tuple[Flags, Iterator[str]]:
    """The answer's offers that cost a multiple of their kind or, on demand, of their own accepted price.

    A price near the accepted one is sound however far its kind is: some types are oddities.
    """
    offers = answer.offers
    types = _type_rows(offers, catalog)
    purchase = places(offers.purchase, {name: code for code, name in enumerate(PURCHASE_NAMES)})
    whole, host = (table[types, purchase] for table in expected_prices(catalog))
    accepted = np.full(len(offers), np.nan)
    listed = change.row >= 0
    accepted[change.row[listed]] = accepted_prices(base.offers)[listed]
    price = offers.usd_per_hour
    # Of an accelerator without any price only the lower bound is known: its vCPUs.
    low = np.isnan(whole) & (price * FARTHEST < host)
    off = (farther(price, whole) | low) & ~(np.abs(price / accepted - 1) <= FAR + ROUNDING)
    off |= (purchase != PURCHASE_NAMES.index(SPOT)) & farther(price, accepted)
    return off, _named_with_prices(rows_of(offers, off), np.where(np.isnan(whole), host, whole)[off])


def _named_with_prices(offers: OfferColumns, expected: Floats) -> Iterator[str]:
    """One sentence for each cloud."""
    keys, prices = keys_of(offers), offers.usd_per_hour.tolist()
    for cloud in offers.cloud.words:
        named = [
            f"{' '.join(key)} ({price:.6g} USD, its kind {usual:.4g})"
            for key, price, usual in zip(keys, prices, expected.tolist(), strict=True)
            if key[0] == cloud
        ]
        said = f"{len(named):,} {cloud} prices more than {FARTHEST:g} times off their kind or their accepted price"
        yield f"{said}: {few(named, MOST_NAMED)}"


def _in_groups(
    offers: OfferColumns, change: Difference, catalog: Catalog, said: Flags
) -> tuple[Flags, Flags, list[str]]:
    """The moved and the lost offers of families and accelerators with too many of them.

    Sentences leave out those that were ``said`` before.
    """
    types = _type_rows(offers, catalog)
    table = catalog.instance_types
    held, kept = np.zeros(len(offers), dtype=np.bool_), np.zeros(len(offers), dtype=np.bool_)
    notes: list[str] = []
    accelerators = Coded(table.accelerator, catalog.accelerators.name)
    for kind in (table.family, accelerators):
        groups = _Groups(offers, change, kind, types)
        gone = groups.above(lost(change), change.covered & change.named, HIGHEST_SHARE_LOST, FEWEST_LOST)
        far = groups.above(moved(change), change.covered & change.listed, None, 1)
        notes += [*groups.notes(gone & ~kept, LOST), *groups.notes(far & ~held & ~said, MOVED)]
        kept |= gone
        held |= far
    return held, kept, notes


class _Groups:
    """Offers by cloud, purchase option and one column of their instance types."""

    def __init__(self, offers: OfferColumns, change: Difference, column: Coded, types: Ints) -> None:
        code = np.where(types < 0, -1, column.codes[types])
        self._known = code >= 0
        self._spot = change.spot
        self._name = [f"{cloud} {word}" for cloud in offers.cloud.words for word in column.words]
        self._code = np.where(self._known, (offers.cloud.codes * len(column.words) + code), 0) * 2 + change.spot
        self._offers = offers

    def above(self, which: Flags, of: Flags, highest: float | None, fewest: int) -> Flags:
        """Those of ``which`` in groups where they are more than a share (``None``: by purchase option) of ``of``."""
        size = 2 * len(self._name)
        counts, whole = (np.bincount(self._code[flags & self._known], minlength=size) for flags in (which, of))
        spot = np.arange(size) % 2 == 1
        share = np.where(spot, HIGHEST_SHARE_MOVED_ON_SPOT, HIGHEST_SHARE_MOVED) if highest is None else highest
        over = (counts > share * whole) & (counts >= fewest)
        found: Flags = which & self._known & over[self._code]
        return found

    def notes(self, which: Flags, what: str) -> Iterator[str]:
        """One sentence for each group."""
        for code in np.unique(self._code[which]).tolist():
            rows = which & (self._code == code)
            option = SPOT if code % 2 else "on_demand"
            named = few(map(" ".join, keys_of(rows_of(self._offers, rows))), NAMED)
            yield f"{int(rows.sum()):,} {self._name[code // 2]} {option} {what}: {named}"


def _off_the_catalog(answer: Answer, catalog: Catalog) -> Flags:
    """The volume prices that are a multiple of the catalog's price of the product."""
    volumes, disks = answer.volumes, catalog.disks
    if not len(volumes):
        return np.zeros(0, dtype=np.bool_)
    disk = rows_named(disks.cloud, disks.product, volumes.cloud, volumes.product)
    return farther(volumes.usd_per_gib_month, np.where(disk < 0, np.nan, disks.usd_per_gib_month[disk]))


def _type_rows(offers: OfferColumns, catalog: Catalog) -> Ints:
    types = catalog.instance_types
    return rows_named(types.cloud, types.name, offers.cloud, offers.instance_type)
