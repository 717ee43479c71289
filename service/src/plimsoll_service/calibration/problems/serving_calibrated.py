"""Serving calibrated: on bundled measurements, and on runs of rented instances where a user has their file.

Each of the two fits keeps the other's committed coefficients, so that the bundled table alone reproduces the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.fitting import Fit, figures_of, fit, leave_out
from plimsoll_service.calibration.problems.cpu_serving import PROCESSORS, thinned
from plimsoll_service.calibration.problems.left_out_rows import Described, labels, residuals_of
from plimsoll_service.calibration.problems.serving import DEVICES, HOSTS, ServingProblem, problem_of
from plimsoll_service.calibration.problems.serving_rows import Group, groups_of
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.calibration.writing import Written, coefficients, fields_of
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.serving_coefficients import Serving
from plimsoll_service.evidence.measurement import Measurement

ENGINE_ON_RENTED = "vllm"  # whose coefficients rest on the rented instances


def on_devices(shipped: Sequence[Measurement], catalog: Catalog, start: Serving) -> Calibrated:
    """Serving on accelerators, from the bundled table; ``start`` is the committed form."""
    groups = groups_of((one for one in shipped if one.accelerator), market_of(catalog, Coefficients()))
    problem = problem_of(groups, DEVICES, start)
    found = fit(problem)
    about = "Serving on accelerators: coefficients of decode and prefill, and of the engines."
    return _calibrated("serving", about, problem, found, left_out(problem, found, catalog, "llm_serving"))


def on_rented_devices(
    shipped: Sequence[Measurement], cloud: Sequence[Measurement], catalog: Catalog, start: Serving
) -> Calibrated:
    """What rented instances show of hosts, buses and vLLM; nothing without their runs.

    The errors are those of a fit of everything to all rows: a device left out is in neither part.
    """
    if not cloud:
        return Calibrated("serving_hosts", {}, (), shipped=False)
    market = market_of(catalog, Coefficients())
    rented = groups_of((one for one in cloud if one.accelerator), market)
    own = groups_of((one for one in shipped if one.accelerator), market)
    engine = [group for group in own if group.model.engine_name == ENGINE_ON_RENTED]
    problem = problem_of((*rented, *engine), HOSTS, start)
    found = fit(problem)
    whole = problem_of((*rented, *own), {**DEVICES, **HOSTS}, start)
    sources = {one.source for one in cloud}
    residuals = [one for one in left_out(whole, fit(whole), catalog, "llm_serving") if one.source in sources]
    about = "Serving on rented accelerators: hosts, buses, older devices, and vLLM."
    return _calibrated("serving_hosts", about, problem, found, residuals, shipped=False)


def on_processors(cloud: Sequence[Measurement], catalog: Catalog, start: Serving) -> Calibrated:
    """Serving on processors; nothing without the runs of rented instances."""
    if not cloud:
        return Calibrated("cpu_serving", {}, (), shipped=False)
    rows = thinned([one for one in cloud if not one.accelerator])
    problem = problem_of(groups_of(rows, market_of(catalog, Coefficients())), PROCESSORS, start)
    found = fit(problem)
    about = "Serving on processors: coefficients of decode and prefill, and rates by vector class."
    residuals = left_out(problem, found, catalog, "cpu_llm_serving")
    return _calibrated("cpu_serving", about, problem, found, residuals, shipped=False)


def _calibrated(
    name: str, about: str, problem: ServingProblem, found: Fit, residuals: Sequence[Residual], shipped: bool = True
) -> Calibrated:
    figures = figures_by_part(problem, found)
    fields = {part: fields_of(of_part) for part, of_part in figures.items()}
    return Calibrated(name, {name: coefficients(about, "serving", fields)}, residuals, figures, shipped=shipped)


def figures_by_part(problem: ServingProblem, found: Fit) -> Mapping[str, list[Written]]:
    """The fitted coefficients by part of the form."""
    figures: dict[str, list[Written]] = {}
    for one in figures_of(problem, found):
        part, field = one.name.split(".")
        figures.setdefault(part, []).append(replace(one, name=field))
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
