"""The problem of gradient boosting: seconds of a whole training on processors, and of XGBoost on GPUs.

Rows are undoubted runs on one machine, with software of 2020 or later, or of an unknown date. The noise of a row is 15%
(the difference between repeated runs on one machine) times the fourth root of its source's rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from calibration.asked import asked
from calibration.files import Document, Written, fields_of, form_file
from calibration.fitting import FormProblem, figures_of, fit, no_levels, noise_by_source
from calibration.results import Calibrated, Evidence, Residual, held_out
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.workload import Hardware, Query
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

KIND = "tabular_training"
FIRST_YEAR = "2020"  # older histogram code was several times slower
NOISE = 0.15
# Prior standard deviation of ln(coefficient).
DEVIATIONS: Mapping[str, float] = {
    "value_ns": 0.5, "row_ns": 0.5, "value_bytes": 1.0, "split_us": 0.5, "leaf_core_us": 1.0, "cores_exponent": 0.3,
    "level_ms": 1.0, "bandwidth_exponent": 0.5,
}  # fmt: skip
ON_GPU = {"xgboost": False, "lightgbm": False, "xgboost_on_gpu": True}  # forms, and whether their rows ran on a GPU


@dataclass(frozen=True, eq=False)
class Run:
    """One row, answered by the engine as a user's question."""

    rows: Ints
    job: Job
    hardware: Hardware
    market: Market

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the seconds of the whole training."""
        job = replace(self.job, coefficients=coefficients)
        outcome = named_hardware_of(job, self.market, self.hardware).estimates.outcome
        return np.log([job.samples / float(outcome.throughput[0])])


def problem_of(form: str, rows: tuple[Measurement, ...], market: Market) -> FormProblem[Measurement]:
    """The problem of one learner on one kind of machine."""
    runs = []
    for place, row in enumerate(rows):
        workload, hardware = asked(row)
        runs.append(Run(np.array([place], dtype=np.int32), job_of(Query(workload), starting()), hardware, market))
    deviations = {item.name: DEVIATIONS[item.name] for item in fields(getattr(Coefficients(), form))}
    measured, noise = np.log([row.value for row in rows]), noise_by_source(rows, NOISE)
    return FormProblem(form, deviations, rows, tuple(runs), measured, noise, no_levels(len(rows)))


def used(measurements: Iterable[Measurement], form: str) -> tuple[Measurement, ...]:
    """The rows of one learner, on processors or on accelerators."""
    learner, on_gpu = form.partition("_")[0], ON_GPU[form]
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
    """Fit each learner to the table's rows, and hold out each machine, learner and source in turn."""
    market = market_of(evidence.catalog, starting())
    files: dict[str, Document] = {}
    figures: dict[str, Sequence[Written]] = {}
    residuals: list[Residual] = []
    for form in ON_GPU:
        problem = problem_of(form, used(evidence.shipped, form), market)
        found = fit(problem)
        figures[form] = figures_of(problem, found)
        about = f"Gradient boosting, {form.replace('_', ' ')}: seconds of a tree."
        files[form] = form_file(about, form, fields_of(figures[form]))
        residuals += held_out(problem, found, problem.rows, [KIND] * len(problem.rows), {})
    return Calibrated("boosting", files, residuals, figures)
