"""The evidence of a problem and its results: files of coefficients, figures for the report, errors of held-out rows."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.files import Document, Written, rounded
from calibration.fitting import Fit, Problem, hold_out
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.hardware import Catalog, Floats
from plimsoll_service.engine.known import software_of
from plimsoll_service.evidence import models
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import PREDICTION_COLUMNS, PREDICTIONS, SCHEMES, HeldOut, read_predictions
from plimsoll_service.evidence.statements import frameworks


@dataclass(frozen=True)
class Evidence:
    """Measurements of a calibration; ``cloud`` is empty where the user has no such file."""

    shipped: Sequence[Measurement]
    cloud: Sequence[Measurement]
    catalog: Catalog
    committed: Coefficients  # by the last calibration
    held_back: Sequence[Measurement] = ()  # a test set: no fit may see it


@dataclass(frozen=True)
class Residual:
    """One held-out row; ``known_*`` say whether its model, device or software is still among the fitted rows.

    ``log_error`` is ln(predicted ÷ measured); software is framework × tuning.
    """

    measurement_id: str
    source: str
    kind: str
    metric: str
    model: str
    family: str
    device: str
    generation: str
    scheme: str
    log_error: float
    known_model: bool
    known_device: bool
    known_software: bool
    tuned: bool = False
    library: str = ""  # of kernels


def generations_of(catalog: Catalog) -> dict[str, str]:
    """The generation of each accelerator."""
    return dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))


def held_out(
    problem: Problem, found: Fit, rows: Sequence[Measurement], kinds: Sequence[str], generations: Mapping[str, str]
) -> list[Residual]:
    """Return the errors of every row, with its device, model and source held out in turn.

    ``kinds`` are those of the report, one for each row; ``generations`` are by accelerator.
    """
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = hold_out(problem, found, labels(rows, scheme))
        residuals += residuals_of(rows, kinds, generations, scheme, errors)
    return residuals


def labels(rows: Sequence[Measurement], scheme: str) -> NDArray[np.str_]:
    """Label of each row's held-out group: its device, model or source."""
    of: dict[str, Callable[[Measurement], str]] = {
        "device": lambda row: row.accelerator or row.cpu or "",
        "model": lambda row: row.model,
        "source": lambda row: row.source,
    }
    return np.array([of[scheme](row) for row in rows], dtype=np.str_)


def residuals_of(
    rows: Sequence[Measurement], kinds: Sequence[str], generations: Mapping[str, str], scheme: str, errors: Floats
) -> list[Residual]:
    """Return one residual for each row; ``errors`` are ln(predicted ÷ measured) with the row's group held out."""
    groups = labels(rows, scheme)
    models, devices = labels(rows, "model"), labels(rows, "device")
    software = np.array([software_of(row.framework, row.tuning) for row in rows], dtype=np.str_)
    known = [_held(words, groups) for words in (models, devices, software)]
    return [
        Residual(
            measurement_id=row.id,
            source=row.source,
            kind=kinds[place],
            metric=row.metric,
            model=row.model,
            family=_family(row),
            device=str(devices[place]),
            generation=generations.get(str(devices[place]), ""),
            scheme=scheme,
            log_error=float(errors[place]),
            known_model=bool(known[0][place]),
            known_device=bool(known[1][place]),
            known_software=bool(known[2][place]),
            tuned=row.tuning == "tuned",
            library=frameworks().of(row.framework).library,
        )
        for place, row in enumerate(rows)
    ]


def _family(row: Measurement) -> str:
    profile = models.find(row.model, row.framework)
    return profile.family if profile is not None else ""


def _held(words: NDArray[np.str_], groups: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Whether a row of another group has the same word."""
    spread = {word: len(set(groups[words == word])) for word in np.unique(words)}
    return np.array([spread[word] > 1 for word in words])


@dataclass(frozen=True)
class Calibrated:
    """Result of a problem; ``files`` of coefficients are by name."""

    name: str
    files: Mapping[str, Document]
    residuals: Sequence[Residual]
    figures: Mapping[str, Sequence[Written]] = field(default_factory=dict)
    notes: Sequence[str] = ()  # paragraphs for the report
    shipped: bool = True  # fitted to the project's own table; otherwise to runs that are not part of it


SPEEDUP = "scaling"  # its errors are those of a ratio, not of the row's own figure
# A fit without a laboratory has fewer rows than the whole one. Another linear algebra library moves its predictions by
# more than the half percent that is allowed for coefficients.
HELD_OUT_RELATIVE = 0.05
NAMED = 5  # of the predictions that differ


def held_out_table(residuals: Iterable[Residual], measurements: Mapping[str, Measurement]) -> str:
    """Return the file's text: predictions for the bundled measurements, by row."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for one in residuals:
        row = measurements.get(one.measurement_id)
        if row is not None and one.kind != SPEEDUP and math.isfinite(one.log_error):
            found[row.id][one.scheme] = rounded(row.value * math.exp(one.log_error))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PREDICTION_COLUMNS)
    writer.writerows([key, *(found[key].get(scheme, "") for scheme in SCHEMES)] for key in sorted(found))
    return text.getvalue()


def drifts(committed: str, refitted: str) -> list[str]:
    """Return the differences between two files of predictions, with some rows named; empty where they agree."""
    old, new = (read_predictions(text.splitlines()) for text in (committed, refitted))
    wrong = sorted(old.keys() ^ new.keys()) + [
        key for key in sorted(old.keys() & new.keys()) if not _same(old[key], new[key])
    ]
    named = ", ".join(wrong[:NAMED])
    return [f"{PREDICTIONS}: {len(wrong)} predictions differ, among them {named}"] if wrong else []


def _same(old: HeldOut, new: HeldOut) -> bool:
    pairs: Sequence[tuple[float | None, float | None]] = [(getattr(old, one), getattr(new, one)) for one in SCHEMES]
    return all(a == b or (a and b and math.isclose(a, b, rel_tol=HELD_OUT_RELATIVE)) for a, b in pairs)
