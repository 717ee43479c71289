"""The calibration as a function: fit every problem, write the coefficients and the report, or check them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration import anchoring_scores, cloud_runs, coverage, report, spreads
from calibration.checks import agreed_document, agreed_of, checks_document, checks_of, confirmed, work_of
from calibration.files import ABSOLUTE, RELATIVE, Document, differences, text_of
from calibration.pool import Pool, pool_of, range_of
from calibration.problems import boosting, memory, scaling, serving, throughput, token_training
from calibration.regret import hourly_prices, regrets
from calibration.results import Calibrated, Evidence, drifts, held_out_table
from calibration.seen import known_document, known_of, measured_document
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.evidence import coefficients, published
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import predictions_path

SHIPPED = "bundled measurements"
CLOUD = "runs in clouds"
SCALING = "scaling"
OF_LOADS = ("tokens_per_second", "tpot")  # ranges
HELD_BACK = ("domino",)  # S0 is a test set: its devices and work must be new to the fits


Problem = Callable[[Evidence], Calibrated]


class CalibrationError(Exception):
    """The calibration fails, or its result differs from the committed files."""


def evidence_of(cloud: Sequence[Path] = ()) -> Evidence:
    """The bundled table, and the rows of files of cloud runs where some are given; raises ``EvidenceError``."""
    bundled = published.measurements()
    return Evidence(
        shipped=[row for row in bundled if row.source not in HELD_BACK],
        cloud=cloud_runs.measurements(*cloud),
        catalog=snapshot.load(),
        committed=coefficients.load(),
        held_back=[row for row in bundled if row.source in HELD_BACK],
    )


def files_of(evidence: Evidence, found: Sequence[Calibrated]) -> dict[str, Document]:
    """Return every file of coefficients that this evidence determines, by name.

    Ranges from the bundled measurements use them alone. Ranges of work that was also measured in clouds use both.
    Without a file of those runs they stay as committed.
    """
    files = {name: document for one in found for name, document in one.files.items()}
    shipped = pool_of([residual for one in found if one.shipped for residual in one.residuals])
    about = f"Ranges of estimates, from errors on what the fits to the {SHIPPED} had not seen."
    growing = _scaling(evidence, shipped), _load_growth(evidence, shipped)
    files["spreads"] = spreads.spreads_document(about, spreads.table_of(shipped), *growing)
    fitted = {str(name) for name in shipped.measurement}  # a row that only checks a fit makes no estimate *measured*
    checks = evidence.committed.checks
    if "serving" in files:
        fit = coefficients.refitted(evidence.committed, files.values()).serving
        checks = checks_of(evidence, fit)
        files["checks"] = checks_document(checks)
        files["agreed"] = agreed_document(agreed_of(evidence, fit))
    right = confirmed(checks, evidence.committed.spreads)
    seen = [one for one in evidence.shipped if one.id in fitted or work_of(one) in right]
    files["measured"] = measured_document([*evidence.shipped, *evidence.held_back])
    files["known"] = _known(seen, evidence.catalog, SHIPPED)
    if evidence.cloud:
        everything = pool_of([residual for one in found for residual in one.residuals])
        names = {range_of(residual) for one in found if not one.shipped for residual in one.residuals}
        table = {key: ends for key, ends in spreads.table_of(everything).items() if key[0] in names}
        about = f"Ranges of estimates, from errors on what the fits to the {SHIPPED} and {CLOUD} had not seen."
        files["spreads_cloud"] = spreads.spreads_document(about, table)
        files["known_cloud"] = _known(evidence.cloud, evidence.catalog, CLOUD)
    return files


def _scaling(evidence: Evidence, pool: Pool) -> dict[str, float]:
    """The error of scaling; empty where scaling was not fitted."""
    rows = pool.take(pool.range_name == SCALING)
    count = {one.id: float(one.device_count) for one in evidence.shipped}
    devices = np.array([count[str(name)] for name in rows.measurement])
    return spreads.scaling_of(rows, devices) if len(rows) else {}


def _load_growth(evidence: Evidence, pool: Pool) -> float | None:
    """How the error of serving grows with the load, where it was fitted: of steps and rates, each device held out."""
    measured = {one.id: one for one in evidence.shipped}
    rows = pool.take(np.isin(pool.range_name, OF_LOADS) & (pool.scheme == "device"))
    some = [measured[str(name)] for name in rows.measurement]
    loads = np.array([one.concurrency or np.nan for one in some])
    rows, some = rows.take(np.isfinite(loads)), [one for one in some if one.concurrency]
    if not some:
        return None
    series = [replace(one, id="", concurrency=None, value=0.0, printed_value="", doubt="") for one in some]
    return spreads.load_growth_of(rows, series, loads[np.isfinite(loads)])


def _known(rows: Sequence[Measurement], catalog: Catalog, title: str) -> Document:
    seen = known_of(rows, catalog.accelerators, catalog.processors)
    return known_document(f"What the fits to the {title} have seen.", seen)


def checked(files: Mapping[str, Document]) -> list[str]:
    """Return the differences between fitted and committed files; empty where they agree."""
    return [
        f"{name}: {difference}"
        for name, document in files.items()
        for difference in differences(_committed(name), json.loads(text_of(document)))
    ]


def _committed(name: str) -> dict[str, Any]:
    path = path_of(name)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def path_of(name: str) -> Path:
    """Path of a file of coefficients."""
    return coefficients.folder() / f"{name}.json"


def calibrate(problems: Sequence[Problem], cloud: Sequence[Path], out: Path, check: bool = False) -> str:
    """Fit everything, write the files and the report (under ``out``), and return a summary; ``check`` compares instead.

    Raises ``CalibrationError`` with every difference, ``ModuleNotFoundError`` where the plotting library is missing.
    """
    evidence = evidence_of(cloud)
    with np.errstate(divide="ignore", invalid="ignore"):  # unknown figures are NaN and stay so, as in the service
        found = [problem(evidence) for problem in problems]
    files = files_of(evidence, found)
    predictions = held_out_table(
        [residual for one in found if one.shipped for residual in one.residuals],
        {one.id: one for one in evidence.shipped},
    )
    if check:
        wrong = [*checked(files), *drifts(predictions_path().read_text(encoding="utf-8"), predictions)]
        if wrong:
            raise CalibrationError("\n".join(["the committed coefficients differ from a refit:", *wrong]))
        return f"{len(files)} files of coefficients agree within {RELATIVE:.1%} ({ABSOLUTE} where they are logarithms)"
    pages = report.write(findings(evidence, found), out)
    for name, document in files.items():
        path_of(name).write_text(text_of(document), encoding="utf-8")
    predictions_path().write_text(predictions, encoding="utf-8")
    written = (*pages, *map(path_of, files), predictions_path())
    return "\n".join(f"wrote {path}" for path in written)


def anchors(out: Path, check: bool = False) -> str:
    """Fit how much a user's own measurement says about other hardware, to the written predictions.

    It writes the coefficients, and the table in the page about such measurements.
    """
    document, scores = anchoring_scores.refit(snapshot.load())
    page = out / ANCHORS_PAGE
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(TABLE_BEGINS)
    written = (
        f"{before}{TABLE_BEGINS}\n\n{anchoring_scores.table_of(scores)}\n\n{TABLE_ENDS}{rest.partition(TABLE_ENDS)[2]}"
    )
    files = {coefficients.ANCHORS: document}
    if check:
        wrong = [*checked(files), *([] if text == written else [f"{page}: the table differs"])]
        if wrong:
            raise CalibrationError("\n".join(["the committed coefficients of anchors differ from a refit:", *wrong]))
        return "the coefficients of anchors agree"
    path_of(coefficients.ANCHORS).write_text(text_of(document), encoding="utf-8")
    page.write_text(written, encoding="utf-8")
    return f"wrote {path_of(coefficients.ANCHORS)}\nwrote {page}"


ANCHORS_PAGE = "own-measurements.md"
TABLE_BEGINS, TABLE_ENDS = "<!-- written by calibrate --anchors -->", "<!-- end -->"


def findings(evidence: Evidence, found: Sequence[Calibrated]) -> report.Findings:
    """Return everything that the report shows."""
    residuals = [residual for one in found for residual in one.residuals]
    pool = pool_of(residuals)
    measurements = {one.id: one for one in (*evidence.shipped, *evidence.cloud)}
    held = coverage.nested(pool)
    return report.Findings(
        pool=pool,
        measurements=measurements,
        bundled=len({one.id for one in evidence.shipped} & {str(name) for name in pool.measurement}),
        spreads=spreads.table_of(pool),
        coverages=coverage.coverages(pool, held),
        between=coverage.between_laboratories(pool, held),
        regrets=regrets(residuals, tuple(measurements.values()), hourly_prices(evidence.catalog)),
        figures={_title(one.name, form): figures for one in found for form, figures in one.figures.items()},
        notes=[note for one in found for note in one.notes],
    )


def _title(problem: str, form: str) -> str:
    """A form's heading, after its problem's name where the two differ."""
    return form if form == problem else f"{problem}, {form}"


PROBLEMS: tuple[Problem, ...] = (
    throughput.calibrated,
    scaling.calibrated,
    token_training.calibrated,
    memory.calibrated,
    boosting.calibrated,
    serving.on_devices,
    serving.on_rented_devices,
    serving.on_processors,
)
