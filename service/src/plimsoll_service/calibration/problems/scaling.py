"""The scaling problem: what several devices gain over one, from pairs of rows that differ in the count alone.

Half of the pairs lie within a few percent, and a tail of machines with slow hosts far beyond: the noise is set narrow,
so that the tail counts linearly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.fitting import (
    Fit,
    Floats,
    Ints,
    Levels,
    Parameter,
    figures_of,
    fit,
    leave_out,
    no_levels,
)
from plimsoll_service.calibration.problems.left_out_rows import Described, labels, residuals_of
from plimsoll_service.calibration.problems.scaling_rows import Pair, PairGroup, pairs_of
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import coefficients, fields_of
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients, Scaling
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.evidence.measurement import Measurement

KIND = "scaling"
# Prior standard deviation of ln(coefficient) about the throughput study's value, which saw links that these rows lack.
DEVIATIONS: Mapping[str, float] = {
    "nvlink": 0.15, "pcie": 0.05, "pcie_contention": 0.15, "network": 0.3, "step_growth": 0.05, "overlap": 0.05,
}  # fmt: skip
NOISE = 0.012  # of a pair, in ln: a tail of slow hosts shall not move the middle (Huber's loss acts beyond it)
SOURCE_WEIGHT = 0.25  # the noise of a pair grows with so much of a power of its source's rows


@dataclass(frozen=True, eq=False)
class ScalingProblem:
    """The problem that ``fitting.fit`` solves."""

    pairs: tuple[Pair, ...]
    groups: tuple[PairGroup, ...]
    parameters: tuple[Parameter, ...]
    levels: Levels
    log_measured: Floats
    noise: Floats

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the gain over one device."""
        coefficients = Coefficients(scaling=form_of(self.parameters, values))
        every = np.full(len(self.pairs), np.nan)
        with np.errstate(all="ignore"):  # machines without a link or a network
            for group in self.groups:
                every[group.rows] = group.log_speedup(coefficients)
        return every[rows]


def form_of(parameters: Sequence[Parameter], values: Floats) -> Scaling:
    """The form at those values; what is not fitted keeps its default."""
    named: dict[str, Any] = {parameter.name: float(value) for parameter, value in zip(parameters, values, strict=True)}
    return replace(Scaling(), **named)


def problem_of(pairs: tuple[Pair, ...], groups: tuple[PairGroup, ...]) -> ScalingProblem:
    """The problem of those pairs, with the priors of the study."""
    start = Scaling()
    of_source = Counter(pair.many.source for pair in pairs)
    return ScalingProblem(
        pairs=pairs,
        groups=groups,
        parameters=tuple(
            Parameter(name, float(getattr(start, name)), deviation) for name, deviation in DEVIATIONS.items()
        ),
        levels=no_levels(len(pairs)),
        log_measured=np.log([pair.speedup for pair in pairs]),
        noise=np.array([NOISE * of_source[pair.many.source] ** SOURCE_WEIGHT for pair in pairs]),
    )


def calibrated(measurements: Iterable[Measurement], catalog: Catalog) -> Calibrated:
    """Fits the form to all pairs and leaves each device, model and source out in turn."""
    problem = problem_of(*pairs_of(measurements, market_of(catalog, Coefficients())))
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Data parallel over devices and nodes: what the exchange of gradients costs."
    return Calibrated(
        name=KIND,
        files={"scaling": coefficients(about, "scaling", fields_of(figures))},
        residuals=left_out(problem, found, catalog),
        figures={KIND: figures},
    )


def left_out(problem: ScalingProblem, found: Fit, catalog: Catalog) -> list[Residual]:
    """Errors of every pair by the fit that has not seen its device, model or source."""
    rows = [pair.many for pair in problem.pairs]
    generations = dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))
    described = Described(rows, KIND, [pair.family for pair in problem.pairs], generations)
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        residuals += residuals_of(described, scheme, leave_out(problem, found, labels(rows, scheme)))
    return residuals
