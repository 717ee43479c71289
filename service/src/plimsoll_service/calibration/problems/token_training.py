"""The problem of language-model training: coefficients of a micro-batch's time, fitted to tokens a second.

All undoubted rows count; the noise of a row is 10% (machines and releases of one recipe differ by as much), times
the fourth root of its source's rows, so that the largest source does not drown the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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
from plimsoll_service.calibration.problems.token_training_rows import STATED_CARD_NAME, Group, groups_of
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import coefficients, fields_of
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients, TokenTraining
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.evidence.measurement import Measurement

# Prior standard deviation of ln(coefficient): what another kernel library or release may change (study, section 4).
# The coefficients that are not here stay at the study's physical values.
DEVIATIONS: Mapping[str, float] = {
    "gemm": 0.15, "peak_exponent": 0.4, "attention": 0.3, "attention_peak_exponent": 0.4, "elementwise": 0.3,
    "experts": 0.3, "recomputation": 0.3, "stock": 0.1, "neuron": 0.5, "tpu": 0.5, "gaudi": 0.5,
    "peak8_exponent": 0.5, "layer_launch_s": 0.4, "tensor_exchange": 0.5,
}  # fmt: skip
NOISE = 0.10  # of one row, in ln
KIND = "llm_training"
SOURCE_WEIGHT = 0.25  # the noise of a row grows with so much of a power of its source's rows


@dataclass(frozen=True, eq=False)
class TokenTrainingProblem:
    """The problem that ``fitting.fit`` solves."""

    rows: tuple[Measurement, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    levels: Levels
    log_measured: Floats
    noise: Floats

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of tokens a second of all devices."""
        coefficients = Coefficients(token_training=form_of(self.parameters, values))
        wanted = np.zeros(len(self.rows), dtype=bool)
        wanted[rows] = True
        every = np.full(len(self.rows), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            for group in self.groups:
                if np.any(wanted[group.rows]):
                    every[group.rows] = group.log_rate(coefficients)
        return every[rows]


def form_of(parameters: Sequence[Parameter], values: Floats) -> TokenTraining:
    """The form at those values; what is not fitted keeps its default."""
    named = {parameter.name: float(value) for parameter, value in zip(parameters, values, strict=True)}
    return replace(TokenTraining(), **named)


def problem_of(rows: tuple[Measurement, ...], groups: tuple[Group, ...]) -> TokenTrainingProblem:
    """The problem of those rows, with the priors of the study."""
    return TokenTrainingProblem(
        rows=rows,
        groups=groups,
        parameters=tuple(Parameter(name, getattr(TokenTraining(), name), sd) for name, sd in DEVIATIONS.items()),
        levels=no_levels(len(rows)),
        log_measured=np.log([row.value for row in rows]),
        noise=noise_of(rows),
    )


def noise_of(rows: Sequence[Measurement]) -> Floats:
    """A row counts less the more rows its source has."""
    of_source = Counter(row.source for row in rows)
    return np.array([NOISE * of_source[row.source] ** SOURCE_WEIGHT for row in rows])


def calibrated(measurements: Iterable[Measurement], catalog: Catalog) -> Calibrated:
    """Fits the form to the table's rows and leaves each device, model and source out in turn."""
    rows, groups = groups_of(measurements, market_of(catalog, Coefficients()))
    problem = problem_of(rows, groups)
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Language-model training by tokens: coefficients of a micro-batch's time."
    return Calibrated(
        name="token_training",
        files={"token_training": coefficients(about, "token_training", fields_of(figures))},
        residuals=left_out(problem, found, catalog),
        figures={"token_training": figures},
    )


def left_out(problem: TokenTrainingProblem, found: Fit, catalog: Catalog) -> list[Residual]:
    """Errors of every row by the fit that has not seen its device, model or source."""
    families = [""] * len(problem.rows)
    for group in problem.groups:
        for place in group.rows:
            families[place] = group.family
    generations = dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))
    described = Described(problem.rows, KIND, families, {**generations, STATED_CARD_NAME: "Hopper"})
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = leave_out(problem, found, labels(problem.rows, scheme))
        residuals += residuals_of(described, scheme, errors)
    return residuals
