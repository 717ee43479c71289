"""Regularised fits in logarithms: Gauss–Newton with normal priors and a Huber loss, and one group held out.

A prediction is log f(θ) + D·u: θ are the positive coefficients of the engine's own formula, u shrunk effects of
levels (software, architecture, …). Prior of ln θ: normal about its published or physical value; of u: normal about 0
(ridge; Hoerl and Kennard 1970, Gelman and Hill 2006, chapter 12). Huber 1964.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.files import Written
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

STEP = 1e-3  # of ln θ, for the numerical derivative
MOST_ITERATIONS = 30
CONVERGED = 1e-4  # largest change of any unknown
MOVED = 0.03  # of ln θ: until then the derivatives are kept (chord method)
LARGEST_STEP = 0.5  # of any unknown in one iteration: a factor of 1.65
HUBER = 2.5  # in standard deviations of the noise: beyond it an error counts linearly
SOURCE_WEIGHT = 0.25  # the noise of a row grows with so much of a power of its source's rows

Row = TypeVar("Row")


@dataclass(frozen=True)
class Parameter:
    """One positive coefficient: its prior value, and the prior's standard deviation of its logarithm."""

    name: str
    prior: float
    deviation: float


@dataclass(frozen=True, eq=False)
class Levels:
    """Shrunk additive effects; ``design`` (rows × levels) is the share of each level in each row."""

    names: tuple[str, ...]
    design: Floats
    deviation: Floats  # prior standard deviation of each level


class Problem(Protocol):
    """Measurements of one kind, and the engine's own formula for them; see ``FormProblem``."""

    @property
    def parameters(self) -> tuple[Parameter, ...]: ...

    @property
    def levels(self) -> Levels: ...

    @property
    def log_measured(self) -> Floats:
        """One row a measurement."""
        ...

    @property
    def noise(self) -> Floats:
        """Standard deviation of ln(measured) of each row, larger for rows of large sources, which count less."""
        ...

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the engine's figure for the given rows at the given coefficients, without the levels' effects."""
        ...


class Group(Protocol):
    """Rows that one call of the engine's formula predicts."""

    @property
    def rows(self) -> Ints:
        """Their places among the problem's rows."""
        ...

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the engine's figure for each of them."""
        ...


@dataclass(frozen=True, eq=False)
class FormProblem(Generic[Row]):
    """One form of the coefficients, fitted to rows that lie in groups."""

    form: str  # the field of ``Coefficients``
    deviations: Mapping[str, float]  # prior standard deviation of ln of each fitted coefficient
    rows: tuple[Row, ...]
    groups: tuple[Group, ...]
    log_measured: Floats
    noise: Floats
    levels: Levels

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fitted fields, which start at the form's defaults."""
        form = getattr(Coefficients(), self.form)
        return tuple(Parameter(name, float(getattr(form, name)), sd) for name, sd in self.deviations.items())

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the engine's figure for the given rows; the other groups are not computed."""
        coefficients = self.coefficients(values)
        every = np.full(len(self.rows), np.nan)
        wanted = np.zeros(len(self.rows), dtype=bool)
        wanted[rows] = True
        with np.errstate(all="ignore"):  # terms that do not apply to a row's hardware
            for group in self.groups:
                if np.any(wanted[group.rows]):
                    every[group.rows] = group.log_figure(coefficients)
        return every[rows]

    def coefficients(self, values: Floats) -> Coefficients:
        """The form at those values; every other coefficient keeps its default."""
        named = {parameter.name: float(value) for parameter, value in zip(self.parameters, values, strict=True)}
        start = starting()
        return replace(start, **{self.form: replace(getattr(start, self.form), **named)})


@dataclass(frozen=True, eq=False)
class Fit:
    """Coefficients and effects, with the standard errors of ln θ and u."""

    values: Floats
    effects: Floats
    value_errors: Floats
    effect_errors: Floats
    errors: Floats  # ln(predicted ÷ measured) of every row, in sample
    jacobian: Floats


def noise_by_source(rows: Sequence[Measurement], noise: float) -> Floats:
    """Noise of each row: a row counts less the more rows its source has."""
    return shared_noise(noise, [row.source for row in rows], SOURCE_WEIGHT)


def shared_noise(noise: float | Floats, labels: Sequence[Hashable], exponent: float) -> Floats:
    """Noise of each row, larger by that power of the number of rows with its label."""
    alike = Counter(labels)
    return noise * np.array([alike[label] ** exponent for label in labels])


def figures_of(problem: Problem, found: Fit) -> list[Written]:
    """The fitted coefficients with their errors and priors."""
    return [
        Written(parameter.name, float(value), float(error), parameter.prior)
        for parameter, value, error in zip(problem.parameters, found.values, found.value_errors, strict=True)
    ]


def no_levels(count: int) -> Levels:
    """Levels of a problem without effects."""
    return Levels((), np.zeros((count, 0)), np.zeros(0))


def fit(problem: Problem, near: Sequence[float] = ()) -> Fit:
    """Return the most probable coefficients and effects given all rows.

    ``near``: values of the coefficients close to the result, such as those of the last fit, which save iterations.
    """
    everything = np.arange(len(problem.log_measured), dtype=np.int32)
    unknowns = _start(problem)
    unknowns[: len(near)] = np.log(near)
    jacobian, moved = _jacobian(problem, unknowns, everything), np.zeros_like(unknowns)
    for _ in range(MOST_ITERATIONS):
        errors = _errors(problem, unknowns, everything)
        change = _bounded(_solve(problem, jacobian, errors, unknowns, everything)[0])
        unknowns = unknowns + change
        moved = moved + change
        if np.max(np.abs(change), initial=0.0) < CONVERGED:
            break
        if np.max(np.abs(moved[: len(problem.parameters)]), initial=0.0) > MOVED:
            jacobian, moved = _jacobian(problem, unknowns, everything), np.zeros_like(unknowns)
    errors = _errors(problem, unknowns, everything)
    _, covariance = _solve(problem, jacobian, errors, unknowns, everything)
    deviations = np.sqrt(np.diag(covariance))
    count = len(problem.parameters)
    return Fit(
        values=np.exp(unknowns[:count]),
        effects=unknowns[count:],
        value_errors=deviations[:count],
        effect_errors=deviations[count:],
        errors=errors,
        jacobian=jacobian,
    )


def hold_out(problem: Problem, full: Fit, groups: NDArray[np.str_], iterations: int = 2) -> Floats:
    """Return ln(predicted ÷ measured) of every row, by the fit without the row's group.

    Each group's fit starts from the full one and keeps its derivatives and curvature (chord method), so that its errors
    are linear in the unknowns; the held-out rows are then predicted by the formula itself.
    """
    found = np.full(len(groups), np.nan)
    count = len(problem.parameters)
    start = np.concatenate([np.log(full.values), full.effects])
    everything = np.arange(len(groups), dtype=np.int32)
    whole = _curvature(problem, full.jacobian, full.errors, everything)
    priors = np.diag(1 / _deviations(problem) ** 2)
    for group in np.unique(groups):
        left = np.flatnonzero(groups == group).astype(np.int32)
        kept = np.flatnonzero(groups != group).astype(np.int32)
        unknowns = start
        normal = whole - _curvature(problem, full.jacobian[left], full.errors[left], left) + priors
        inverse = np.linalg.inv(normal)
        for _ in range(iterations):
            errors = full.errors[kept] + full.jacobian[kept] @ (unknowns - start)
            rhs = _pull(problem, full.jacobian[kept], errors, unknowns, kept)
            unknowns = unknowns + _bounded((inverse @ rhs).astype(np.float64))
        effects = problem.levels.design[left] @ unknowns[count:]
        found[left] = problem.log_predicted(np.exp(unknowns[:count]), left) + effects - problem.log_measured[left]
    return found


def _start(problem: Problem) -> Floats:
    priors = np.log([parameter.prior for parameter in problem.parameters])
    return np.concatenate([priors, np.zeros(len(problem.levels.names))])


def _errors(problem: Problem, unknowns: Floats, rows: Ints) -> Floats:
    count = len(problem.parameters)
    effects: Floats = problem.levels.design[rows] @ unknowns[count:]
    return problem.log_predicted(np.exp(unknowns[:count]), rows) + effects - problem.log_measured[rows]


def _jacobian(problem: Problem, unknowns: Floats, rows: Ints) -> Floats:
    """Derivative of ln(predicted) by every unknown: numerical for θ, the design for u."""
    count = len(problem.parameters)
    base = unknowns[:count]
    columns = []
    for index in range(count):
        ahead, behind = base.copy(), base.copy()
        ahead[index] += STEP
        behind[index] -= STEP
        above, below = (problem.log_predicted(np.exp(point), rows) for point in (ahead, behind))
        columns.append((above - below) / (2 * STEP))
    fitted = np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0))
    return np.concatenate([fitted, problem.levels.design[rows]], axis=1)


def _solve(problem: Problem, jacobian: Floats, errors: Floats, unknowns: Floats, rows: Ints) -> tuple[Floats, Floats]:
    """Change of the unknowns in one Gauss–Newton step, and their covariance."""
    normal, rhs = _normal(problem, jacobian, errors, unknowns, rows)
    covariance: Floats = np.linalg.inv(normal).astype(np.float64)
    return covariance @ rhs, covariance


def _normal(problem: Problem, jacobian: Floats, errors: Floats, unknowns: Floats, rows: Ints) -> tuple[Floats, Floats]:
    """Matrix and right-hand side of the normal equations of a Gauss–Newton step, priors included."""
    curvature = _curvature(problem, jacobian, errors, rows) + np.diag(1 / _deviations(problem) ** 2)
    return curvature, _pull(problem, jacobian, errors, unknowns, rows)


def _curvature(problem: Problem, jacobian: Floats, errors: Floats, rows: Ints) -> Floats:
    """Matrix of the normal equations without the priors."""
    found: Floats = (jacobian * _weights(problem, errors, rows)[:, None]).T @ jacobian
    return found


def _pull(problem: Problem, jacobian: Floats, errors: Floats, unknowns: Floats, rows: Ints) -> Floats:
    """Right-hand side of the normal equations, priors included."""
    prior = (unknowns - _start(problem)) / _deviations(problem) ** 2
    return -(jacobian.T @ (_weights(problem, errors, rows) * errors) + prior)


def _weights(problem: Problem, errors: Floats, rows: Ints) -> Floats:
    standard = np.abs(errors) / problem.noise[rows]
    weight: Floats = np.minimum(1.0, HUBER / np.maximum(standard, 1e-12)) / problem.noise[rows] ** 2
    return weight


def _deviations(problem: Problem) -> Floats:
    """Prior standard deviation of every unknown."""
    return np.concatenate([[parameter.deviation for parameter in problem.parameters], problem.levels.deviation])


def _bounded(change: Floats) -> Floats:
    largest = np.max(np.abs(change), initial=0.0)
    return change * min(1.0, LARGEST_STEP / largest) if largest > 0 else change
