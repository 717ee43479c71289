"""The scaling problem: what several devices gain over one, from pairs of rows that differ in the count alone.

Half of the pairs lie within a few percent, and a tail of machines with slow hosts far beyond: the noise is set narrow,
so that the tail counts linearly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.fitting import (
    Fit,
    Levels,
    Parameter,
    figures_of,
    fit,
    no_levels,
    noise_by_source,
    parameters_of,
    with_values,
)
from plimsoll_service.calibration.problems.left_out_rows import (
    Described,
    generations_of,
    left_out,
)
from plimsoll_service.calibration.problems.scaling_rows import Pair, PairGroup, pairs_of
from plimsoll_service.calibration.residual import Residual
from plimsoll_service.calibration.writing import fields_of, form_file
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients, Scaling
from plimsoll_service.engine.hardware import Catalog, Floats, Ints
from plimsoll_service.evidence.measurement import Measurement

KIND = "scaling"
# Prior standard deviation of ln(coefficient) about the throughput study's value, which saw links that these rows lack.
DEVIATIONS: Mapping[str, float] = {
    "nvlink": 0.15, "pcie": 0.05, "pcie_contention": 0.15, "network": 0.3, "step_growth": 0.05, "overlap": 0.05,
}  # fmt: skip
NOISE = 0.012  # of a pair, in ln: a tail of slow hosts shall not move the middle (Huber's loss acts beyond it)


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
        coefficients = Coefficients(scaling=with_values(Scaling(), self.parameters, values))
        every = np.full(len(self.pairs), np.nan)
        with np.errstate(all="ignore"):  # machines without a link or a network
            for group in self.groups:
                every[group.rows] = group.log_speedup(coefficients)
        return every[rows]


def problem_of(pairs: tuple[Pair, ...], groups: tuple[PairGroup, ...]) -> ScalingProblem:
    """The problem of those pairs, with the priors of the study."""
    return ScalingProblem(
        pairs=pairs,
        groups=groups,
        parameters=parameters_of(Scaling(), DEVIATIONS),
        levels=no_levels(len(pairs)),
        log_measured=np.log([pair.speedup for pair in pairs]),
        noise=noise_by_source([pair.many for pair in pairs], NOISE),
    )


def calibrated(measurements: Iterable[Measurement], catalog: Catalog) -> Calibrated:
    """Fits the form to all pairs and leaves each device, model and source out in turn."""
    problem = problem_of(*pairs_of(measurements, market_of(catalog, Coefficients())))
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Data parallel over devices and nodes: what the exchange of gradients costs."
    return Calibrated(
        name=KIND,
        files={"scaling": form_file(about, "scaling", fields_of(figures))},
        residuals=errors_of(problem, found, catalog),
        figures={KIND: figures},
    )


def errors_of(problem: ScalingProblem, found: Fit, catalog: Catalog) -> list[Residual]:
    """Errors of every pair by the fit that has not seen its device, model or source."""
    rows = [pair.many for pair in problem.pairs]
    generations = generations_of(catalog)
    described = Described(rows, KIND, [pair.family for pair in problem.pairs], generations)
    return left_out(problem, found, described)
