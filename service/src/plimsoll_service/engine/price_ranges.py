"""Ranges of prices that nobody quoted, or whose date nobody knows.

An estimated spot price is the price on demand in its region times one share for the whole family of its type: the 90th
percentile of the shares that were estimated for the family's types and regions. Each of these is an average of a past
month, so the lowest of thirty is a lucky guess and no offer. The price is meant as what one pays, so it is the middle
of its range, as every other figure is; the range is as wide as the shares of a family differ.

An undated price may be old, or an introductory one. Without a date it says little more than what such clouds ask for
the accelerator, so its range is as wide as their prices for one accelerator differ. That is more than twice as wide as
the prices of clouds with dated lists differ. ``calibration.price_ranges`` computes the constants, and a test compares
them on the bundled catalog.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from .hardware import ON_DEMAND, SPOT, Catalog, Coded, Flags, Floats, Offers, Places

LOW, HIGH = 0.1, 0.9
WIDTH = NormalDist().inv_cdf(HIGH) - NormalDist().inv_cdf(LOW)  # of the range, in standard deviations

# Logarithm of undated prices per device, on demand in the cheapest region, around the mean of the clouds that rent the
# accelerator: pooled standard deviation over 10 accelerators of the bundled catalog (0.24 over 14 with dated prices).
UNDATED_SIGMA = 0.520
# Logarithm of the estimated spot shares around the median of their family: from the 10th to the 90th percentile, over
# WIDTH, of the 110 families with at least FEW_SHARES of them (savings of 2025-07).
SPOT_SIGMA = 0.313
FEW_SHARES = 10  # of a family with fewer, the percentiles are too uncertain

DIGITS = "%.6g"
QUOTED = ("list", "derived")


@dataclass(frozen=True, eq=False)
class Ranged:
    """Offers with the range of each price, USD per hour (NaN where the price was quoted), and its log-sigma."""

    offers: Offers
    low: Floats
    high: Floats
    sigma: Floats  # ln(high ÷ low) ÷ WIDTH; 0 where the price was quoted


def ranged(catalog: Catalog, offers: Offers) -> Ranged:
    """Return the offers with their ranges; estimated spot prices are replaced by those of the family's share."""
    usd_per_hour = offers.usd_per_hour.copy()
    low, high = np.full(len(offers), np.nan), np.full(len(offers), np.nan)
    undated, estimated = _of(offers.confidence, "undated"), _of(offers.confidence, "estimated")
    undated |= offers.confidence.codes < 0
    for rows, shares in spot_shares(catalog, offers):
        usd_per_hour[rows] = usd_per_hour[rows - 1] * np.quantile(shares, HIGH)
    for such, wide in ((undated, UNDATED_SIGMA), (estimated, SPOT_SIGMA)):
        low[such] = usd_per_hour[such] * np.exp(-wide * WIDTH / 2)
        high[such] = usd_per_hour[such] * np.exp(wide * WIDTH / 2)
    doubted = undated | estimated
    for column in (usd_per_hour, low, high):
        column[doubted] = np.array([float(DIGITS % value) for value in column[doubted].tolist()], dtype=np.float64)
    with np.errstate(invalid="ignore"):
        sigma = np.nan_to_num(np.log(high / low) / WIDTH)
    return Ranged(replace(offers, usd_per_hour=usd_per_hour), low, high, sigma)


def spot_shares(catalog: Catalog, offers: Offers) -> list[tuple[Places, Floats]]:
    """Return, for each family, its estimated spot offers and what share of the price on demand each of them is.

    The offer before each of them is the one on demand, of the same type and region.
    """
    types = catalog.instance_types
    rows = np.flatnonzero(_of(offers.confidence, "estimated") & (offers.purchase == SPOT))
    rows = rows[rows > 0]
    before = rows - 1
    beside = (offers.purchase[before] == ON_DEMAND) & np.isin(before, np.flatnonzero(quoted(offers)))
    for column in (offers.instance_type, offers.region):
        beside &= column[before] == column[rows]
    rows = rows[beside]
    kind = offers.instance_type[rows]
    families = types.cloud.codes[kind].astype(np.int64) * len(types.family.words) + types.family.codes[kind]
    order = np.argsort(families, kind="stable")
    ends = np.flatnonzero(np.diff(families[order])) + 1
    parts = np.split(rows[order], ends) if len(rows) else []
    return [(part, offers.usd_per_hour[part] / offers.usd_per_hour[part - 1]) for part in parts]


def _of(column: Coded, word: str) -> Flags:
    found: Flags = column.codes == column.code_of(word)
    return found


def quoted(offers: Offers) -> Flags:
    """Offers whose price the cloud quotes, or that follows from quoted ones."""
    return np.isin(offers.confidence.codes, [offers.confidence.code_of(word) for word in QUOTED])
