"""The ranges of estimates out of left-out errors: by range and class of novelty, never below the noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.calibration.pool import KNOWN_MODEL, MODELLED, NEW_MODEL, Pool
from plimsoll_service.calibration.quantiles import HIGH, LOW, LogRange, log_range, weighted_quantile, weights
from plimsoll_service.calibration.writing import Document, Entry

# Equal machines differ so much between themselves (throughput study, section 6; serving study, section 9).
DEVICE_NOISE, PROCESSOR_NOISE = math.log(1.05), math.log(1.10)
CLASS_NAMES = {KNOWN_MODEL: "known model", NEW_MODEL: "new model", MODELLED: "modelled"}
NOVELTIES = {code: name.replace(" ", "_") for code, name in CLASS_NAMES.items()}  # in the file

DIGITS = 3  # decimals of a factor

Table = Mapping[tuple[str, int], LogRange]


@dataclass(frozen=True)
class Family:
    """Ranges that are drawn to one another where rows are few."""

    name: str
    ranges: tuple[str, ...]


TRAINING = ("cnn_training", "rnn_training", "transformer_training")
FAMILIES = (
    Family("throughput of devices", (*TRAINING, "inference")),
    Family("language-model training", ("token_training", "token_training_moe")),
    Family("throughput of processors", ("cpu_training", "cpu_inference")),
    Family("serving, tokens", ("tokens_per_second", "tpot", "cpu_tokens_per_second", "cpu_tpot")),
    Family("serving, first token", ("ttft", "prefill", "cpu_ttft", "cpu_prefill")),
    Family("gradient boosting", ("tabular_training",)),
    Family("memory", ("memory",)),
    Family("scaling", ("scaling",)),
)


def table_of(pool: Pool) -> dict[tuple[str, int], LogRange]:
    """The range of every range name that has rows, for each class of novelty; wider the newer the case is."""
    found: dict[tuple[str, int], LogRange] = {}
    for family in FAMILIES:
        rows = pool.take(np.isin(pool.range_name, family.ranges))
        if not len(rows):
            continue
        root = log_range(rows)
        for name in family.ranges:
            mine = rows.take(rows.range_name == name)
            if len(mine):
                found |= _classes(name, mine, root)
    return found


def _classes(name: str, pool: Pool, root: LogRange) -> dict[tuple[str, int], LogRange]:
    whole = log_range(pool, root)
    noise = PROCESSOR_NOISE if name.startswith("cpu_") else DEVICE_NOISE
    found: dict[tuple[str, int], LogRange] = {}
    narrower = LogRange(-noise, noise, 0)
    for code in CLASS_NAMES:
        own = log_range(pool.take(pool.novelty == code), whole)
        narrower = replace(own, low=min(own.low, narrower.low), high=max(own.high, narrower.high))
        found[name, code] = narrower
    return found


def scaling_of(pool: Pool, devices: NDArray[np.float64]) -> dict[str, float]:
    """What scaling adds to ln of an end, as a line over the doublings of the devices, each number weighed by its rows.

    At each number: the eighth decile of |ln(measured ÷ predicted)| of the gain over one device.
    """
    numbers = np.unique(devices)
    halves, sizes = [], []
    for number in numbers:
        rows = pool.take(devices == number)
        halves.append(weighted_quantile(np.abs(rows.truth), weights(rows), HIGH - LOW))
        sizes.append(len(rows))
    growth, error = np.polyfit(np.log2(numbers), halves, 1, w=np.sqrt(sizes))
    return {"error": max(round(float(error), DIGITS), 0.0), "growth": max(round(float(growth), DIGITS), 0.0)}


def spreads_document(about: str, table: Table, scaling: Mapping[str, float] | None = None) -> Document:
    """The file that holds the factors on the estimate, and what scaling over devices adds to ln of either end."""
    ends = {
        name: Entry({novelty: _factors(table[name, code]) for code, novelty in NOVELTIES.items()})
        for name in dict.fromkeys(name for name, _ in table)
    }
    document = {"about": about, "spreads": ends}
    return document if scaling is None else {**document, "scaling": Entry(scaling)}


def _factors(ends: LogRange) -> list[float]:
    return [factor(ends.low), factor(ends.high)]


def factor(logarithm: float) -> float:
    """A factor to the digits that are written."""
    return round(math.exp(logarithm), DIGITS)
