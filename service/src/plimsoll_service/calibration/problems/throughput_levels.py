"""Levels of the throughput problem: which effects a row has, their priors, and their parting after the fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plimsoll_service.calibration.fitting import Fit, Levels
from plimsoll_service.calibration.problems.throughput_rows import Row
from plimsoll_service.calibration.writing import Written
from plimsoll_service.engine.effects import device_levels, work_levels

# Prior standard deviation of a level's effect on ln(time), by the first words of its name: the throughput study's
# (section 2), but ports halved and models half again: leave-out errors are the same, and kin networks stay in order.
# What tuning adds beyond the formula's gain is as a framework's task.
LEVEL_DEVIATIONS: Mapping[str, float] = {
    "architecture": 0.10, "family": 0.20, "kin": 0.30, "kin mode": 0.15, "model": 0.12, "model mode": 0.08,
    "software": 0.20, "software mode": 0.12, "framework": 0.10, "tuned": 0.10, "consumer": 0.15, "laptop": 0.20,
    "device": 0.08, "device class": 0.06, "chip": 0.10, "port": 0.08, "port class": 0.10, "architecture model": 0.12,
}  # fmt: skip
JOINED = " & "  # between the names of levels that have the very same rows


def level_names(row: Row) -> tuple[str, ...]:
    """All levels of a row."""
    return (*work_levels(row.work, row.arithmetic), *device_levels(row.work, row.arithmetic, row.device))


def kind_of_level(name: str) -> str:
    """Which prior a level has: its first word, and whether it is nested in another."""
    words = name.split(" ")
    nested = {
        ("kin", 4): "kin mode", ("model", 4): "model mode", ("software", 4): "software mode", ("port", 5): "port class",
        ("device", 3): "device class", ("architecture", 4): "architecture model",
    }  # fmt: skip
    return nested.get((words[0], len(words)), words[0])


def levels_of(rows: Sequence[Row]) -> Levels:
    """The design: −1 where a row has a level, since an effect on the time is the rate's with the other sign.

    Levels of the very same rows are one unknown, with the sum of their prior variances; ``split`` parts it again.
    """
    members: dict[tuple[int, ...], list[str]] = {}
    of_name: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        for name in level_names(row):
            of_name.setdefault(name, []).append(index)
    for name in sorted(of_name):
        members.setdefault(tuple(of_name[name]), []).append(name)
    design = np.zeros((len(rows), len(members)))
    for column, indices in enumerate(members):
        design[list(indices), column] = -1.0
    names = tuple(JOINED.join(found) for found in members.values())
    return Levels(names, design, np.array([np.sqrt(sum(_variances(name))) for name in names]))


def split(levels: Levels, found: Fit) -> list[Written]:
    """Each level's own effect and error: of one unknown, each level has its share of the prior variance."""
    parted = []
    for name, effect, error in zip(levels.names, found.effects, found.effect_errors, strict=True):
        variances = _variances(name)
        for one, variance in zip(name.split(JOINED), variances, strict=True):
            share = variance / sum(variances)
            spread = np.sqrt(variance * (1 - share) + (share * error) ** 2)
            parted.append(Written(one, float(effect) * share, float(spread), 0.0))
    return sorted(parted, key=lambda one: one.name)


def _variances(name: str) -> list[float]:
    return [LEVEL_DEVIATIONS[kind_of_level(one)] ** 2 for one in name.split(JOINED)]
