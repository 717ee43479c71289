"""The problem of device memory in training: what is kept per stored element, by class of network and release.

Peaks are the driver's figures. A largest batch is one of a table by memory class: it ran, and twice as much is taken
not to have run, so that its row is an interval, without an error inside. The noise of a row grows with the root of its
configuration's rows, so that every configuration counts once.
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
from plimsoll_service.calibration.problems.memory_rows import LARGEST, PEAK, Group, groups_of
from plimsoll_service.calibration.problems.memory_tokens import TokenPeak, token_peaks
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import coefficients, fields_of
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients, TrainingMemory
from plimsoll_service.engine.hardware import Catalog, Flags
from plimsoll_service.evidence.measurement import Measurement

# Prior standard deviation of ln(coefficient). ``mlp`` and ``other`` have a prior of their own in the study.
DEVIATIONS: Mapping[str, float] = {
    "kappa_convolution": 0.15, "kappa_encoder": 0.15, "kappa_eager_encoder": 0.15, "kappa_segment_transformer": 0.3,
    "kappa_rnn": 0.15, "kappa_convolution_1d": 0.15, "kappa_lean_convolution_1d": 0.2, "kappa_mlp": 0.15,
    "context_gib": 0.1,
}  # fmt: skip
PEAK_NOISE, LARGEST_NOISE = 0.05, 0.10  # of one configuration, in ln
TWICE = float(np.log(2.0))
KIND = "memory"


@dataclass(frozen=True, eq=False)
class MemoryProblem:
    """The problem that ``fitting.fit`` solves."""

    rows: tuple[Measurement, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    levels: Levels
    log_measured: Floats
    noise: Floats
    peaks: Flags  # the others are largest batches

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the GiB that a device needs; of a largest batch, the interval's end and how far the need misses it."""
        coefficients = Coefficients(memory=form_of(self.parameters, values))
        needed = np.log(np.concatenate([group.required(coefficients) for group in self.groups]))[rows]
        measured = self.log_measured[rows]
        inside = np.clip(needed, measured - TWICE, measured)
        predicted: Floats = np.where(self.peaks[rows], needed, measured + needed - inside)
        return predicted


def form_of(parameters: Sequence[Parameter], values: Floats) -> TrainingMemory:
    """The form at those values; what is not fitted keeps its default."""
    named: dict[str, Any] = {parameter.name: float(value) for parameter, value in zip(parameters, values, strict=True)}
    return replace(TrainingMemory(), **named)


def problem_of(rows: tuple[Measurement, ...], groups: tuple[Group, ...]) -> MemoryProblem:
    """The problem of those rows, with the priors of the study."""
    usable = np.concatenate([group.usable for group in groups])
    peaks = np.array([row.metric == PEAK for row in rows])
    measured = np.where(peaks, [row.value for row in rows], usable)
    return MemoryProblem(
        rows=rows,
        groups=groups,
        parameters=tuple(Parameter(name, getattr(TrainingMemory(), name), sd) for name, sd in DEVIATIONS.items()),
        levels=no_levels(len(rows)),
        log_measured=np.log(measured),
        noise=noise_of(rows),
        peaks=peaks,
    )


def noise_of(rows: Sequence[Measurement]) -> Floats:
    """The same of every configuration of a metric, however many rows it has."""
    alike = Counter(configuration(row) for row in rows)
    single = {PEAK: PEAK_NOISE, LARGEST: LARGEST_NOISE}
    return np.array([single[row.metric] * alike[configuration(row)] ** 0.5 for row in rows])


def configuration(row: Measurement) -> tuple[str, str, str, str | None]:
    """What rows share that differ in device and batch alone."""
    return row.metric, row.model, row.precision, row.framework_version


def calibrated(measurements: Iterable[Measurement], catalog: Catalog) -> Calibrated:
    """Fits what is kept per element; holds language-model training against its closed form."""
    measurements = tuple(measurements)
    market = market_of(catalog, Coefficients())
    rows, groups = groups_of(measurements, market)
    problem = problem_of(rows, groups)
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Device memory in training: bytes kept over those of the stored elements, by class of network."
    generations = dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))
    peaks = token_peaks(measurements, market)
    return Calibrated(
        name="memory",
        files={"memory": coefficients(about, "memory", fields_of(figures))},
        residuals=[*left_out(problem, found, generations), *of_token_peaks(peaks, generations)],
        figures={"memory": figures},
        notes=[decisions(problem, found)],
    )


def left_out(problem: MemoryProblem, found: Fit, generations: Mapping[str, str]) -> list[Residual]:
    """Errors of every peak by the fit that has not seen its device or model; of a largest batch no need is known."""
    families = [""] * len(problem.rows)
    for group in problem.groups:
        for place in group.rows:
            families[place] = group.profile.family
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = leave_out(problem, found, labels(problem.rows, scheme))
        every = residuals_of(Described(problem.rows, KIND, families, generations), scheme, errors)
        residuals += [one for one, peak in zip(every, problem.peaks, strict=True) if peak]
    return residuals


def of_token_peaks(peaks: Sequence[TokenPeak], generations: Mapping[str, str]) -> list[Residual]:
    """The same under every scheme: nothing was fitted to them."""
    rows = [one.row for one in peaks]
    errors = np.array([one.log_error for one in peaks])
    described = Described(rows, KIND, [one.family for one in peaks], generations)
    return [residual for scheme in SCHEMES for residual in residuals_of(described, scheme, errors)]


def decisions(problem: MemoryProblem, found: Fit) -> str:
    """How often a largest batch is said to fit by the fit that has not seen its device, or its model."""
    shares = []
    for scheme in ("device", "model"):
        errors = leave_out(problem, found, labels(problem.rows, scheme))[~problem.peaks]
        shares.append(f"{np.mean(errors <= -np.log(TrainingMemory().low)):.1%} (its {scheme} left out)")
    return f"Largest batches that ran and are said to fit: {' and '.join(shares)} of {int(np.sum(~problem.peaks))}."
