"""Weighted quantiles of left-out errors, sources weighed alike, small groups drawn to the larger one they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.calibration.pool import Pool

LOW, HIGH = 0.1, 0.9
# Of a source's rows: its whole weight grows with rows^0.6. The study took −0.7; chosen among five by nested coverage,
# so that ranges hold both for rows alike and for sources alike (docs/calibration.md says what that choice is worth).
SOURCE_EXPONENT = -0.4
# So many left-out groups count as much as the parent's quantiles do: chosen by nested coverage (docs/calibration.md).
PARENT_GROUPS = 4.0


@dataclass(frozen=True)
class LogRange:
    """10th and 90th percentile of ln(measured ÷ predicted), and the number of left-out groups behind them."""

    low: float
    high: float
    groups: int


def weights(pool: Pool) -> NDArray[np.float64]:
    """Each row's weight: the rows of its source and scheme among these, to the power of ``SOURCE_EXPONENT``."""
    together = np.char.add(np.char.add(pool.source, "|"), pool.scheme)
    _, place, counts = np.unique(together, return_inverse=True, return_counts=True)
    found: NDArray[np.float64] = counts[place].astype(np.float64) ** SOURCE_EXPONENT
    return found


def weighted_quantile(values: NDArray[np.float64], weight: NDArray[np.float64], share: float) -> float:
    """The value below which that share of the weight lies, linear between the rows' middles."""
    order = np.argsort(values, kind="stable")
    middle = np.cumsum(weight[order]) - weight[order] / 2
    return float(np.interp(share * weight.sum(), middle, values[order]))


def log_range(pool: Pool, parent: LogRange | None = None) -> LogRange:
    """The range of these rows, shrunk to the parent's by the number of groups that were left out."""
    if not len(pool):
        assert parent is not None  # the root of a hierarchy always has rows
        return LogRange(parent.low, parent.high, 0)
    weight = weights(pool)
    low, high = (weighted_quantile(pool.truth, weight, share) for share in (LOW, HIGH))
    groups = len(np.unique(np.char.add(pool.scheme, pool.group)))
    if parent is None:
        return LogRange(low, high, groups)
    own = groups / (groups + PARENT_GROUPS)
    return LogRange(own * low + (1 - own) * parent.low, own * high + (1 - own) * parent.high, groups)
