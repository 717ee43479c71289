"""The throughput problem fitted: the files that it writes, and the errors on what each fit had not seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.fitting import Fit, figures_of, fit, leave_out
from plimsoll_service.calibration.problems.left_out_rows import Described, labels, residuals_of
from plimsoll_service.calibration.problems.throughput import Throughput, configuration, problem_of
from plimsoll_service.calibration.problems.throughput_levels import split
from plimsoll_service.calibration.problems.throughput_rows import Row, groups_of
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import Written, coefficients, effects_of, fields_of
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.known import kind_of_network
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.evidence.measurement import Measurement

# What a measured configuration still differs by from the sum of its levels, and what a row of it scatters, in ln.
MATCH_DEVIATION, ROW_DEVIATION = 0.15, 0.10
EFFECTS = (
    "Effects on ln(time of a step): levels of architecture, software and device, "
    "and measured configurations beyond their sum."
)
LEAST_EFFECT = 0.004  # smaller ones are not written: they are what a comparison of two fits lets pass


def calibrated(measurements: Iterable[Measurement], catalog: Catalog) -> Calibrated:
    """Fits the form and its effects to the table's rows and leaves each device, model and source out in turn."""
    rows, groups = groups_of(measurements, market_of(catalog, Coefficients()))
    problem = problem_of(rows, groups)
    found = fit(problem)
    figures = figures_of(problem, found)
    return Calibrated(
        name="throughput",
        files={
            "roofline": coefficients("Step time on one device.", "roofline", fields_of(figures)),
            "effects": {
                "about": EFFECTS,
                "levels": effects_of(_large(split(problem.levels, found))),
                "matches": effects_of(_large(matches_of(problem, found))),
            },
        },
        residuals=left_out(problem, found, catalog, [group.profile for group in groups for _ in group.rows]),
        figures={"roofline": figures},
    )


def matches_of(problem: Throughput, found: Fit) -> list[Written]:
    """The shrunk residual of each measured configuration (an anchor): n·s² ÷ (n·s² + σ²) of its rows' median."""
    errors: dict[str, list[float]] = defaultdict(list)
    for row, error in zip(problem.rows, found.errors, strict=True):
        if row.device.name:
            errors[configuration(row)].append(float(error))
    return [Written(name, shrunk(members), ROW_DEVIATION, 0.0) for name, members in sorted(errors.items())]


def shrunk(errors: Sequence[float]) -> float:
    """A normal effect given its rows' errors; their median, since ports of one name can be two programs."""
    weight = len(errors) * MATCH_DEVIATION**2
    return float(np.median(errors)) * weight / (weight + ROW_DEVIATION**2)


def _large(figures: Iterable[Written]) -> list[Written]:
    return [one for one in figures if abs(one.value) >= LEAST_EFFECT]


def left_out(problem: Throughput, found: Fit, catalog: Catalog, profiles: Sequence[ModelProfile]) -> list[Residual]:
    """Errors of every row by the fit that has not seen its device, model or source."""
    rows = [row.measurement for row in problem.rows]
    generations = dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))
    described = Described(rows, "", [row.work.family for row in problem.rows], generations)
    kinds = [kind_of_row(row, profile) for row, profile in zip(problem.rows, profiles, strict=True)]
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = leave_out(problem, found, labels(rows, scheme))
        made = residuals_of(described, scheme, errors)
        residuals += [replace(one, kind=kind) for one, kind in zip(made, kinds, strict=True)]
    return residuals


def kind_of_row(row: Row, profile: ModelProfile) -> str:
    """The report's kind."""
    training = row.work.mode == "training"
    if not row.device.name:
        return "cpu_training" if training else "cpu_inference"
    return f"{kind_of_network(profile)}_training" if training else "classic_inference"
