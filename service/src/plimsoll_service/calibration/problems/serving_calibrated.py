"""Serving calibrated: on bundled measurements, and on runs of rented instances where a user has their file.

Each of the two fits keeps the other's committed coefficients, so that the bundled table alone reproduces the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.fitting import Fit, fit, leave_out
from plimsoll_service.calibration.problems.cpu_serving import PROCESSORS, thinned
from plimsoll_service.calibration.problems.left_out_rows import Described, labels, residuals_of
from plimsoll_service.calibration.problems.serving import DEVICES, HOSTS, ServingProblem, problem_of
from plimsoll_service.calibration.problems.serving_modules import serving_module
from plimsoll_service.calibration.problems.serving_rows import Group, groups_of
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import Written
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.fitted import FITTED
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.evidence.measurement import Measurement

ENGINE_ON_RENTED = "vllm"  # whose coefficients rest on the rented instances


def on_devices(shipped: Sequence[Measurement], catalog: Catalog) -> Calibrated:
    """Serving on accelerators, from the bundled table."""
    groups = groups_of((one for one in shipped if one.accelerator), market_of(catalog))
    problem = problem_of(groups, DEVICES, FITTED.serving)
    found = fit(problem)
    statement = "Serving on accelerators: coefficients of decode and prefill, and of the engines."
    return Calibrated(
        name="serving",
        modules={"serving.py": serving_module(statement, figures_of(problem, found))},
        residuals=left_out(problem, found, catalog, "llm_serving"),
        figures=figures_of(problem, found),
    )


def on_rented_devices(shipped: Sequence[Measurement], cloud: Sequence[Measurement], catalog: Catalog) -> Calibrated:
    """What rented instances show of hosts, buses and vLLM; nothing without their runs.

    The errors are those of a fit of everything to all rows: a device left out is in neither part.
    """
    if not cloud:
        return Calibrated("serving_hosts", {}, (), shipped=False)
    market = market_of(catalog)
    rented = groups_of((one for one in cloud if one.accelerator), market)
    own = groups_of((one for one in shipped if one.accelerator), market)
    engine = [group for group in own if group.model.engine_name == ENGINE_ON_RENTED]
    problem = problem_of((*rented, *engine), HOSTS, FITTED.serving)
    found = fit(problem)
    whole = problem_of((*rented, *own), {**DEVICES, **HOSTS}, FITTED.serving)
    residuals = left_out(whole, fit(whole), catalog, "llm_serving")
    sources = {one.source for one in cloud}
    statement = "Serving on rented accelerators: hosts, buses, older devices, and vLLM."
    return Calibrated(
        name="serving_hosts",
        modules={"serving_hosts.py": serving_module(statement, figures_of(problem, found))},
        residuals=[one for one in residuals if one.source in sources],
        figures=figures_of(problem, found),
        shipped=False,
    )


def on_processors(cloud: Sequence[Measurement], catalog: Catalog) -> Calibrated:
    """Serving on processors; nothing without the runs of rented instances."""
    if not cloud:
        return Calibrated("cpu_serving", {}, (), shipped=False)
    rows = thinned([one for one in cloud if not one.accelerator])
    problem = problem_of(groups_of(rows, market_of(catalog)), PROCESSORS, FITTED.serving)
    found = fit(problem)
    statement = "Serving on processors: coefficients of decode and prefill, and rates by vector class."
    return Calibrated(
        name="cpu_serving",
        modules={"cpu_serving.py": serving_module(statement, figures_of(problem, found))},
        residuals=left_out(problem, found, catalog, "cpu_llm_serving"),
        figures=figures_of(problem, found),
        shipped=False,
    )


def figures_of(problem: ServingProblem, found: Fit) -> Mapping[str, list[Written]]:
    """The fitted coefficients by part of the form, with their errors and priors."""
    figures: dict[str, list[Written]] = {}
    for parameter, value, error in zip(problem.parameters, found.values, found.value_errors, strict=True):
        part, field = parameter.name.split(".")
        figures.setdefault(part, []).append(Written(field, float(value), float(error), parameter.prior))
    return figures


def left_out(problem: ServingProblem, found: Fit, catalog: Catalog, kind: str) -> list[Residual]:
    """Errors of every row by the fit that has not seen its device, model or source."""
    families = [_family(group) for group in problem.groups for _ in group.measurements]
    generations = dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))
    described = Described(problem.measurements, kind, families, generations)
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = leave_out(problem, found, labels(problem.measurements, scheme))
        residuals += residuals_of(described, scheme, errors)
    return residuals


def _family(group: Group) -> str:
    return "decoder" if group.model.dims.moe is None else "moe"
