"""Ranges of estimates from held-out errors, by kind of estimate and novelty, never narrower than the noise."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.files import Document, Entry
from calibration.pool import KNOWN_MODEL, MODELLED, NEW_MODEL, Pool
from plimsoll_service.engine.spreads import (
    BUILT_INFERENCE,
    COMPILED_INFERENCE,
    INFERENCE,
    STOCK_INFERENCE,
    TUNED_ENCODER,
    TUNED_INFERENCE,
)

LOW, HIGH = 0.1, 0.9
DOUBLINGS = 2.0  # of the load, over which a series shows how its error grows
LABORATORY = "source"  # the scheme that holds out laboratories
# A source's whole weight grows with rows^0.6. The study took −0.7. This value was chosen among five by nested coverage,
# so that ranges hold both for rows and for sources weighed alike (see docs/calibration.md for the bias of that choice).
SOURCE_EXPONENT = -0.4
# So many held-out groups weigh as much as the parent's quantiles; chosen by nested coverage (docs/calibration.md).
PARENT_GROUPS = 4.0


@dataclass(frozen=True)
class LogRange:
    """10th and 90th percentile of ln(measured ÷ predicted), and the number of held-out groups behind them."""

    low: float
    high: float
    groups: int


def weights(pool: Pool) -> NDArray[np.float64]:
    """Weight of each row: the number of these rows with its source and scheme, to the power of ``SOURCE_EXPONENT``."""
    counts = np.bincount(pool.laboratory)
    found: NDArray[np.float64] = counts[pool.laboratory].astype(np.float64) ** SOURCE_EXPONENT
    return found


def weighted_quantile(values: NDArray[np.float64], weight: NDArray[np.float64], share: float) -> float:
    """The value below which that share of the weight lies, linear between the rows' middles."""
    order = np.argsort(values, kind="stable")
    middle = np.cumsum(weight[order]) - weight[order] / 2
    return float(np.interp(share * weight.sum(), middle, values[order]))


def log_range(pool: Pool, parent: LogRange | None = None) -> LogRange:
    """Range of a class, widened to cover rows of a held-out laboratory."""
    every = _shrunk_range(pool, parent)
    others = pool.take(pool.scheme == LABORATORY)
    if not len(others):
        return every
    between = _shrunk_range(others, parent)
    return LogRange(min(every.low, between.low), max(every.high, between.high), every.groups)


def _shrunk_range(pool: Pool, parent: LogRange | None = None) -> LogRange:
    """Quantiles of these rows, shrunk to the parent's by the number of held-out groups."""
    if not len(pool):
        assert parent is not None  # the root of a hierarchy always has rows
        return LogRange(parent.low, parent.high, 0)
    weight = weights(pool)
    low, high = (weighted_quantile(pool.truth, weight, share) for share in (LOW, HIGH))
    groups = int(np.count_nonzero(np.bincount(pool.held_out)))
    if parent is None:
        return LogRange(low, high, groups)
    own = groups / (groups + PARENT_GROUPS)
    return LogRange(own * low + (1 - own) * parent.low, own * high + (1 - own) * parent.high, groups)


# Differences between equal machines (throughput study, section 6; serving study, section 9).
DEVICE_NOISE, PROCESSOR_NOISE = math.log(1.05), math.log(1.10)
CLASS_NAMES = {KNOWN_MODEL: "known model", NEW_MODEL: "new model", MODELLED: "modelled"}
NOVELTIES = {code: name.replace(" ", "_") for code, name in CLASS_NAMES.items()}  # in the file

DIGITS = 3  # decimals of a factor

Table = Mapping[tuple[str, int], LogRange]


@dataclass(frozen=True)
class Family:
    """Ranges that are shrunk towards their common one where rows are few."""

    name: str
    ranges: tuple[str, ...]


TRAINING = ("cnn_training", "rnn_training", "transformer_training")
FAMILIES = (
    Family(
        "throughput of devices",
        (
            *TRAINING,
            INFERENCE,
            COMPILED_INFERENCE,
            STOCK_INFERENCE,
            TUNED_INFERENCE,
            TUNED_ENCODER,
            BUILT_INFERENCE,
        ),
    ),
    Family("language-model training", ("token_training", "token_training_adapters", "token_training_moe")),
    Family("throughput of processors", ("cpu_training", "cpu_inference")),
    Family("serving, tokens", ("tokens_per_second", "tpot", "cpu_tokens_per_second", "cpu_tpot")),
    Family("serving, first token", ("ttft", "prefill", "cpu_ttft", "cpu_prefill")),
    Family("gradient boosting", ("tabular_training",)),
    Family("memory", ("memory",)),
    Family("scaling", ("scaling",)),
)


def table_of(pool: Pool) -> dict[tuple[str, int], LogRange]:
    """Return the range of every name that has rows, for each class of novelty; newer cases have wider ranges."""
    found: dict[tuple[str, int], LogRange] = {}
    for family in FAMILIES:
        rows = pool.take(np.isin(pool.range_name, family.ranges))
        if not len(rows):
            continue
        root = _shrunk_range(rows)
        for name in family.ranges:
            mine = rows.take(rows.range_name == name)
            if len(mine):
                found |= _classes(name, mine, root)
    return found


def _classes(name: str, pool: Pool, root: LogRange) -> dict[tuple[str, int], LogRange]:
    whole = _shrunk_range(pool, root)
    noise = PROCESSOR_NOISE if name.startswith("cpu_") else DEVICE_NOISE
    found: dict[tuple[str, int], LogRange] = {}
    narrower = LogRange(-noise, noise, 0)
    for code in CLASS_NAMES:
        own = log_range(pool.take(pool.novelty == code), whole)
        narrower = replace(own, low=min(own.low, narrower.low), high=max(own.high, narrower.high))
        found[name, code] = narrower
    return found


def scaling_of(pool: Pool, devices: NDArray[np.float64]) -> dict[str, float]:
    """Return the error of scaling in ln, as a line over the doublings of the devices, weighed by rows.

    Its points are the eighth decile of |ln(measured ÷ predicted)| of the gain over one device.
    """
    numbers = np.unique(devices)
    halves, sizes = [], []
    for number in numbers:
        rows = pool.take(devices == number)
        halves.append(weighted_quantile(np.abs(rows.truth), weights(rows), HIGH - LOW))
        sizes.append(len(rows))
    growth, error = np.polyfit(np.log2(numbers), halves, 1, w=np.sqrt(sizes))
    return {"error": max(round(float(error), DIGITS), 0.0), "growth": max(round(float(growth), DIGITS), 0.0)}


def load_growth_of(pool: Pool, series: Sequence[Hashable], loads: NDArray[np.float64]) -> float:
    """Return what ln(measured ÷ predicted) gains each time the load doubles: the eighth decile of its slopes.

    A series is of rows that differ in their load alone, over a factor of four at least.
    """
    members: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(series):
        members[key].append(place)
    slopes = []
    for places in members.values():
        doublings, truth = np.log2(loads[places]), pool.truth[places]
        if np.ptp(doublings) >= DOUBLINGS:
            slopes.append(abs(np.polyfit(doublings, truth, 1)[0]))
    return round(float(np.quantile(slopes, HIGH - LOW)), DIGITS)


def spreads_document(
    about: str, table: Table, scaling: Mapping[str, float] | None = None, load_growth: float | None = None
) -> Document:
    """Return the content of the file of ranges: factors on the estimate, and what scaling and loads add in ln."""
    ends = {
        name: Entry({novelty: _factors(table[name, code]) for code, novelty in NOVELTIES.items()})
        for name in dict.fromkeys(name for name, _ in table)
    }
    document: dict[str, Any] = {"about": about, "spreads": ends}
    if scaling is not None:
        document["scaling"] = Entry(scaling)
    if load_growth is not None:
        document["load"] = Entry(growth=load_growth)
    return document


def _factors(ends: LogRange) -> list[float]:
    return [factor(ends.low), factor(ends.high)]


def factor(logarithm: float) -> float:
    """Factor of a logarithm, in the digits that are written."""
    return round(math.exp(logarithm), DIGITS)
