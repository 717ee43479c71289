"""Coverage of the ranges, nested: the range of a held-out group comes from the residuals of all other groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.pool import Pool
from calibration.spreads import CLASS_NAMES, FAMILIES, LABORATORY, Table, table_of
from plimsoll_service.evidence.published import SCHEMES

# Headings of the coverage table, with the kinds of work in each.
REPORTED: dict[str, tuple[str, ...]] = {
    "CNN training": ("cnn_training",),
    "RNN training": ("rnn_training",),
    "transformer training": ("transformer_training",),
    "language-model training": ("llm_training",),
    "training of adapters": ("adapter_training",),
    "classic inference": ("classic_inference",),
    "language-model serving": ("llm_serving",),
    "processors": ("cpu_training", "cpu_inference", "cpu_llm_serving"),
    "gradient boosting": ("tabular_training",),
    "memory": ("memory",),
    "scaling": ("scaling",),
}
ALL = "all"


@dataclass(frozen=True)
class Coverage:
    """Share of rows inside their range (rows weighed alike, sources weighed alike), and the median of high ÷ low."""

    kind: str
    scheme: str
    rows: int
    share: float
    share_by_source: float
    width: float


@dataclass(frozen=True, eq=False)
class Held:
    """Nested range of each row, and whether it holds the measurement."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    inside: NDArray[np.bool_]


def nested(pool: Pool) -> Held:
    """Return a range for every row, from residuals outside its held-out group and that group's measurements."""
    low, high = np.full(len(pool), np.nan), np.full(len(pool), np.nan)
    for family in FAMILIES:
        mine = np.flatnonzero(np.isin(pool.range_name, family.ranges))
        part = pool.take(mine)
        same = np.unique(part.measurement, return_inverse=True)[1]
        for scheme in SCHEMES:
            for group in np.unique(part.group[part.scheme == scheme]):
                rows = np.flatnonzero((part.scheme == scheme) & (part.group == group))
                others = part.take(~np.isin(same, same[rows]))
                low[mine[rows]], high[mine[rows]] = looked_up(table_of(others), part, rows)
    return Held(low, high, (pool.truth >= low) & (pool.truth <= high))


def looked_up(table: Table, pool: Pool, rows: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logarithmic ranges of rows; NaN where the table lacks the range."""
    keys = [(str(pool.range_name[row]), int(pool.novelty[row])) for row in rows]
    found = [table.get(key) for key in keys]
    low = np.array([one.low if one else np.nan for one in found])
    high = np.array([one.high if one else np.nan for one in found])
    return low, high


def coverages(pool: Pool, held: Held) -> list[Coverage]:
    """Return the coverage by reported kind and scheme, and over all."""
    answered = np.isfinite(held.low)
    named: Mapping[str, Sequence[str]] = {**REPORTED, ALL: tuple(kind for kinds in REPORTED.values() for kind in kinds)}
    found = []
    for name, kinds in named.items():
        for scheme in (*SCHEMES, ALL):
            rows = answered & np.isin(pool.kind, list(kinds))
            if scheme != ALL:
                rows &= pool.scheme == scheme
            if np.any(rows):
                found.append(_coverage(name, scheme, pool, held, rows))
    return found


def between_laboratories(pool: Pool, held: Held) -> list[Coverage]:
    """Return the coverage of rows whose laboratory is held out, by range and class of novelty."""
    answered = np.isfinite(held.low) & (pool.scheme == LABORATORY)
    found = []
    for name in np.unique(pool.range_name[answered]):
        for code, words in CLASS_NAMES.items():
            rows = answered & (pool.range_name == name) & (pool.novelty == code)
            if np.any(rows):
                found.append(_coverage(str(name), words, pool, held, rows))
    return found


def _coverage(name: str, scheme: str, pool: Pool, held: Held, rows: NDArray[np.bool_]) -> Coverage:
    inside, sources = held.inside[rows], pool.source[rows]
    by_source = [float(np.mean(inside[sources == source])) for source in np.unique(sources)]
    width = float(np.exp(np.median(held.high[rows] - held.low[rows])))
    return Coverage(name, scheme, int(rows.sum()), float(inside.mean()), float(np.mean(by_source)), width)
