"""The constants of the ranges of prices, from a catalog: how spot shares and undated prices differ."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.hardware import ON_DEMAND, Catalog, Ints
from plimsoll_service.engine.price_ranges import FEW_SHARES, HIGH, LOW, WIDTH, quoted, spot_shares


def sigma_of_shares(catalog: Catalog) -> float:
    """Return ``SPOT_SIGMA`` of a catalog; NaN if no family has enough estimates."""
    families = [shares for _, shares in spot_shares(catalog, catalog.offers) if len(shares) >= FEW_SHARES]
    if not families:
        return np.nan
    around = np.concatenate([np.log(shares / np.median(shares)) for shares in families])
    below, above = np.quantile(around, (LOW, HIGH)).tolist()
    return float((above - below) / WIDTH)


def sigma_between_clouds(catalog: Catalog, *, dated: bool) -> float:
    """Return the log-sigma of prices around their accelerator's mean, ``UNDATED_SIGMA`` of undated ones.

    NaN if no accelerator is rented in two clouds at such prices.
    """
    squares, freedom = 0.0, 0
    for prices in _by_accelerator(catalog, dated).values():
        around = np.log(list(prices.values()))
        squares += float(np.sum((around - around.mean()) ** 2))
        freedom += len(around) - 1
    return float(np.sqrt(squares / freedom)) if freedom else np.nan


def _by_accelerator(catalog: Catalog, dated: bool) -> dict[int, dict[int, float]]:
    """Cheapest price of one whole device on demand, dated or undated, by accelerator and cloud."""
    offers, types = catalog.offers, catalog.instance_types
    kind: Ints = offers.instance_type
    such = quoted(offers) if dated else offers.confidence.codes == offers.confidence.code_of("undated")
    rented = such & (offers.purchase == ON_DEMAND) & offers.current & (types.accelerator_count[kind] >= 1)
    rows = np.flatnonzero(rented & ~types.retired[kind] & ~catalog.regions.restricted[offers.region])
    each = offers.usd_per_hour[rows] / types.accelerator_count[kind[rows]]
    found: dict[int, dict[int, float]] = {}
    columns = (types.accelerator[kind[rows]], types.cloud.codes[kind[rows]], each)
    for accelerator, cloud, usd in zip(*(column.tolist() for column in columns), strict=True):
        prices = found.setdefault(accelerator, {})
        prices[cloud] = min(prices.get(cloud, usd), usd)
    return found
