"""The calibration as a function: fits every problem, writes the fitted modules and the report, or checks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from plimsoll_service.calibration import coverage, known, report, spreads
from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.differences import ABSOLUTE, RELATIVE, differences
from plimsoll_service.calibration.left_out import drifts, left_out_path, left_out_table
from plimsoll_service.calibration.measured import measured_module
from plimsoll_service.calibration.pool import Pool, pool_of, range_of
from plimsoll_service.calibration.regret import hourly_prices, regrets
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.evidence import table
from plimsoll_service.evidence.imports import cloud_runs
from plimsoll_service.evidence.measurement import Measurement

FITTED = "plimsoll_service.engine.fitted"
SHIPPED = "bundled measurements"
CLOUD = "runs in clouds"
SCALING = "scaling"
HELD_BACK = ("domino",)  # S0: its tables shall show what the fits make of devices and work that they have not seen


@dataclass(frozen=True)
class Evidence:
    """The measurements that a calibration rests on; ``cloud`` is empty where the user has no such file."""

    shipped: Sequence[Measurement]
    cloud: Sequence[Measurement]
    catalog: Catalog
    held_back: Sequence[Measurement] = ()  # answers that no fit may have seen


Problem = Callable[[Evidence], Calibrated]


class CalibrationError(Exception):
    """The calibration cannot be made, or differs from what is committed."""


def evidence_of(cloud: Path | None = None) -> Evidence:
    """The bundled table, and the rows of a file of cloud runs where one is given; raises ``EvidenceError``."""
    bundled = table.load()
    return Evidence(
        shipped=[row for row in bundled if row.source not in HELD_BACK],
        cloud=cloud_runs.measurements(cloud) if cloud else (),
        catalog=snapshot.load(),
        held_back=[row for row in bundled if row.source in HELD_BACK],
    )


def modules_of(evidence: Evidence, found: Sequence[Calibrated]) -> dict[str, str]:
    """The text of every fitted module that this evidence determines, by file name.

    Ranges of the shipped measurements rest on them alone; those of work that the cloud's runs were measured for rest
    on both, and stay as committed where there is no such file.
    """
    modules = {name: text for one in found for name, text in one.modules.items()}
    shipped = pool_of([residual for one in found if one.shipped for residual in one.residuals])
    statement = f"Ranges of estimates, from errors on what the fits to the {SHIPPED} had not seen."
    ranges = spreads.spreads_module(statement, spreads.table_of(shipped))
    modules["spreads.py"] = f"{ranges}\n{_scaling(evidence, shipped)}"
    fitted = {str(name) for name in shipped.measurement}  # what only checks a fit does not make an estimate measured
    seen = [one for one in evidence.shipped if one.id in fitted]
    modules["measured.py"] = measured_module([*evidence.shipped, *evidence.held_back])
    modules["known.py"] = _known_module(seen, evidence.catalog, SHIPPED)
    if evidence.cloud:
        everything = pool_of([residual for one in found for residual in one.residuals])
        names = {range_of(residual) for one in found if not one.shipped for residual in one.residuals}
        table = {key: ends for key, ends in spreads.table_of(everything).items() if key[0] in names}
        statement = f"Ranges of estimates, from errors on what the fits to the {SHIPPED} and {CLOUD} had not seen."
        modules["spreads_cloud.py"] = spreads.spreads_module(statement, table)
        modules["known_cloud.py"] = _known_module(evidence.cloud, evidence.catalog, CLOUD)
    return modules


def _scaling(evidence: Evidence, pool: Pool) -> str:
    """The range of scaling, where it was fitted."""
    rows = pool.take(pool.range_name == SCALING)
    count = {one.id: float(one.device_count) for one in evidence.shipped}
    devices = np.array([count[str(name)] for name in rows.measurement])
    return spreads.scaling_lines(spreads.scaling_of(rows, devices) if len(rows) else {})


def _known_module(rows: Sequence[Measurement], catalog: Catalog, title: str) -> str:
    seen = known.known_of(rows, catalog.accelerators, catalog.processors)
    return known.known_module(f"What the fits to the {title} have seen.", seen)


def checked(modules: dict[str, str]) -> list[str]:
    """How freshly fitted modules differ from the committed ones; empty where they agree."""
    folder = fitted_folder()
    committed = {
        name: (folder / name).read_text(encoding="utf-8") if (folder / name).is_file() else "" for name in modules
    }
    return [
        f"{name}: {difference}" for name, text in modules.items() for difference in differences(committed[name], text)
    ]


def fitted_folder() -> Path:
    """Where the engine's fitted modules lie."""
    return Path(str(resources.files(FITTED)))


def calibrate(problems: Sequence[Problem], cloud: Path | None, out: Path, check: bool = False) -> str:
    """Fits everything; writes modules and report (under ``out``), or with ``check`` compares; answers what it did.

    Raises ``CalibrationError`` with every difference, ``ModuleNotFoundError`` where the plotting library is missing.
    """
    evidence = evidence_of(cloud)
    with np.errstate(divide="ignore", invalid="ignore"):  # unknown figures are NaN and stay so, as in the service
        found = [problem(evidence) for problem in problems]
    modules = modules_of(evidence, found)
    predictions = left_out_table(
        [residual for one in found if one.shipped for residual in one.residuals],
        {one.id: one for one in evidence.shipped},
    )
    if check:
        wrong = [*checked(modules), *drifts(left_out_path().read_text(encoding="utf-8"), predictions)]
        if wrong:
            raise CalibrationError("\n".join(["the committed coefficients differ from a refit:", *wrong]))
        return f"{len(modules)} fitted modules agree within {RELATIVE:.1%} ({ABSOLUTE} where they are logarithms)"
    pages = report.write(findings(evidence, found), out)
    folder = fitted_folder()
    for name, text in modules.items():
        (folder / name).write_text(text, encoding="utf-8")
    left_out_path().write_text(predictions, encoding="utf-8")
    written = (*pages, *(folder / name for name in modules), left_out_path())
    return "\n".join(f"wrote {path}" for path in written)


def findings(evidence: Evidence, found: Sequence[Calibrated]) -> report.Findings:
    """What the report shows."""
    residuals = [residual for one in found for residual in one.residuals]
    pool = pool_of(residuals)
    measurements = {one.id: one for one in (*evidence.shipped, *evidence.cloud)}
    return report.Findings(
        pool=pool,
        measurements=measurements,
        bundled=len({one.id for one in evidence.shipped} & {str(name) for name in pool.measurement}),
        spreads=spreads.table_of(pool),
        coverages=coverage.coverages(pool, coverage.nested(pool)),
        regrets=regrets(residuals, tuple(measurements.values()), hourly_prices(evidence.catalog)),
        figures={_title(one.name, form): figures for one in found for form, figures in one.figures.items()},
        notes=[note for one in found for note in one.notes],
    )


def _title(problem: str, form: str) -> str:
    """A form's heading; the problem before it where they are not one."""
    return form if form == problem else f"{problem}, {form}"
