"""The problem of gradient boosting: seconds of a whole training on processors, and of XGBoost on GPUs.

Rows of undoubted runs on one machine with the software of 2020 or later, or of none stated; the noise of a row is
15% (what one machine's repeated runs differ by), times the fourth root of its source's rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from plimsoll_service.calibration.files import Document, Written, fields_of, form_file
from plimsoll_service.calibration.fitting import (
    Levels,
    Parameter,
    figures_of,
    fit,
    no_levels,
    noise_by_source,
    parameters_of,
    with_values,
)
from plimsoll_service.calibration.results import Calibrated, Described, Evidence, Residual, left_out
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.choice.named_hardware import given_of
from plimsoll_service.engine.coefficients import Boosting, BoostingOnGpu, Coefficients
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.workload import Hardware, Query
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

KIND = "tabular_training"
FIRST_YEAR = "2020"  # older histogram code was several times slower
NOISE = 0.15
# Prior standard deviation of ln(coefficient).
DEVIATIONS: Mapping[str, float] = {
    "value_ns": 0.5, "value_bytes": 1.0, "leaf_us": 1.0, "leaf_core_us": 1.0, "cores_exponent": 0.3,
    "level_ms": 1.0, "bandwidth_exponent": 0.5,
}  # fmt: skip
Form = Boosting | BoostingOnGpu
# Field of the coefficients → its form, and whether its rows ran on an accelerator.
FORMS: Mapping[str, tuple[Form, bool]] = {
    "xgboost": (Boosting(), False),
    "lightgbm": (Boosting(), False),
    "xgboost_on_gpu": (BoostingOnGpu(), True),
}


@dataclass(frozen=True, eq=False)
class BoostingProblem:
    """The problem that ``fitting.fit`` solves, for one learner on one kind of machine."""

    field: str
    rows: tuple[Measurement, ...]
    market: Market

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        form = FORMS[self.field][0]
        return parameters_of(form, {item.name: DEVIATIONS[item.name] for item in fields(form)})

    @cached_property
    def levels(self) -> Levels:
        return no_levels(len(self.rows))

    @cached_property
    def log_measured(self) -> Floats:
        return np.log([row.value for row in self.rows])

    @cached_property
    def noise(self) -> Floats:
        return noise_by_source(self.rows, NOISE)

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the seconds of each run."""
        form: Any = with_values(FORMS[self.field][0], self.parameters, values)
        tried = replace(Coefficients(), **{self.field: form})
        return np.log([self._seconds(int(row), tried) for row in rows])

    @cached_property
    def _asked(self) -> tuple[tuple[Job, Hardware], ...]:
        questions = (asked(row) for row in self.rows)
        return tuple((job_of(Query(workload), Coefficients()), hardware) for workload, hardware in questions)

    def _seconds(self, row: int, tried: Coefficients) -> float:
        job, hardware = self._asked[row]
        outcome = given_of(replace(job, coefficients=tried), self.market, hardware).estimates.outcome
        return job.samples / float(outcome.throughput[0])


def used(measurements: Iterable[Measurement], field: str) -> tuple[Measurement, ...]:
    """The rows of one learner, on processors or on accelerators."""
    learner, on_gpu = field.partition("_")[0], FORMS[field][1]
    return tuple(
        row
        for row in measurements
        if row.metric == "seconds"
        and not row.doubt
        and row.node_count == 1
        and row.framework == learner
        and (row.accelerator is not None) == on_gpu
        and (row.framework_version is None or row.framework_version >= FIRST_YEAR)
    )


def calibrated(evidence: Evidence) -> Calibrated:
    """Fits each learner to the table's rows and leaves each machine, learner and source out in turn."""
    market = market_of(evidence.catalog, Coefficients())
    files: dict[str, Document] = {}
    figures: dict[str, Sequence[Written]] = {}
    residuals: list[Residual] = []
    for field in FORMS:
        problem = BoostingProblem(field, used(evidence.shipped, field), market)
        found = fit(problem)
        figures[field] = figures_of(problem, found)
        about = f"Gradient boosting, {field.replace('_', ' ')}: seconds of a tree."
        files[field] = form_file(about, field, fields_of(figures[field]))
        described = Described(problem.rows, KIND, ["tree"] * len(problem.rows), {})
        residuals += left_out(problem, found, described)
    return Calibrated("boosting", files, residuals, figures)
