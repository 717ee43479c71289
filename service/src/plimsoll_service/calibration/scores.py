"""Errors of left-out estimates: the median per source, then the mean over sources."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.calibration.pool import Pool

FULL_WEIGHT_ROWS = 10.0  # a source with fewer rows counts in proportion


@dataclass(frozen=True)
class Score:
    """|predicted ÷ measured − 1| of some rows."""

    rows: int
    mean_of_sources: float
    median: float
    ninth_decile: float
    bias: float  # median of ln(predicted ÷ measured)


def relative_errors(pool: Pool) -> NDArray[np.float64]:
    """|predicted ÷ measured − 1| of each row."""
    errors: NDArray[np.float64] = np.abs(np.expm1(pool.error))
    return errors


def score(pool: Pool) -> Score:
    """The errors of these rows; at least one is needed."""
    errors = relative_errors(pool)
    sources, place, counts = np.unique(pool.source, return_inverse=True, return_counts=True)
    medians = np.array([np.median(errors[place == index]) for index in range(len(sources))])
    weight = np.minimum(1.0, counts / FULL_WEIGHT_ROWS)
    return Score(
        rows=len(pool),
        mean_of_sources=float(np.sum(weight * medians) / np.sum(weight)),
        median=float(np.median(errors)),
        ninth_decile=float(np.quantile(errors, 0.9)),
        bias=float(np.median(pool.error)),
    )
