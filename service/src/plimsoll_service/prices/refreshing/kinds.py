"""What a machine costs among those of its kind: bundled prices per accelerator and per vCPU, across all clouds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog, Flags, Floats, Ints

ON_DEMAND = PURCHASE_NAMES.index("on_demand")
FARTHEST = 5.0  # times its kind, up or down; of 129,000 bundled prices 0.5% are farther off


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
    codes: Ints = (np.clip(np.nan_to_num(np.round(powers), posinf=6, neginf=-2), -2, 6) + 2).astype(np.int32)
    return codes


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
