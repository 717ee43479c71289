"""Predictions of the fits that had not seen a measurement, as the file that ``/v1/evidence`` serves them from."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from plimsoll_service import evidence
from plimsoll_service.calibration.residual import Residual
from plimsoll_service.calibration.writing import rounded
from plimsoll_service.evidence.left_out import FILE, HEADER, SCHEMES, LeftOut, read
from plimsoll_service.evidence.measurement import Measurement

SPEEDUP = "scaling"  # its errors are of a ratio to a measured rate, not of the row's own figure
# A fit without a laboratory stands on fewer rows than the whole one, so that another release of linear algebra moves
# its predictions by more than the half percent that coefficients may move.
RELATIVE = 0.05
NAMED = 5  # of the predictions that differ


def left_out_table(residuals: Iterable[Residual], measurements: Mapping[str, Measurement]) -> str:
    """The file's text: predictions of the bundled measurements, by the rows' names."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for one in residuals:
        row = measurements.get(one.measurement_id)
        if row is not None and one.kind != SPEEDUP and math.isfinite(one.log_error):
            found[row.id][one.scheme] = rounded(row.value * math.exp(one.log_error))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows([key, *(found[key].get(scheme, "") for scheme in SCHEMES)] for key in sorted(found))
    return text.getvalue()


def drifts(committed: str, refitted: str) -> list[str]:
    """The predictions that are missing, new or different, the first of them named; empty where all agree."""
    old, new = (read(text.splitlines()) for text in (committed, refitted))
    wrong = sorted(old.keys() ^ new.keys()) + [
        key for key in sorted(old.keys() & new.keys()) if not _same(old[key], new[key])
    ]
    named = ", ".join(wrong[:NAMED])
    return [f"{FILE}: {len(wrong)} predictions differ, among them {named}"] if wrong else []


def _same(old: LeftOut, new: LeftOut) -> bool:
    pairs: Sequence[tuple[float | None, float | None]] = [(getattr(old, one), getattr(new, one)) for one in SCHEMES]
    return all(a == b or (a and b and math.isclose(a, b, rel_tol=RELATIVE)) for a, b in pairs)


def left_out_path() -> Path:
    """Where the committed file lies."""
    return Path(str(resources.files(evidence) / FILE))
