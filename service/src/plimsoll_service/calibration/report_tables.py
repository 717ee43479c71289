"""The tables of the calibration report, each from residuals or figures alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from plimsoll_service.calibration.coverage import ALL, Coverage
from plimsoll_service.calibration.markdown import factor, percent, table
from plimsoll_service.calibration.pool import Pool
from plimsoll_service.calibration.regret import Regret
from plimsoll_service.calibration.residual import SCHEMES
from plimsoll_service.calibration.scores import score
from plimsoll_service.calibration.spreads import CLASS_NAMES, Table
from plimsoll_service.calibration.targets import TARGETS
from plimsoll_service.calibration.writing import Written, rounded
from plimsoll_service.evidence.measurement import Measurement

WORST_ROWS = 25


def targets_table(pool: Pool) -> str:
    """Each target beside what was reached, by what was left out."""
    rows = []
    for target in TARGETS:
        chosen = pool.take(target.rows(pool))
        for scheme in SCHEMES:
            part = chosen.take(chosen.scheme == scheme)
            if len(part):
                found = score(part)
                met = "met" if found.mean_of_sources <= target.most else "missed"
                rows.append(
                    (target.name, scheme, len(part), percent(target.most), percent(found.mean_of_sources),
                     percent(found.median), percent(found.ninth_decile), met)
                )  # fmt: skip
    head = ("target", "left out", "rows", "at most", "mean of sources", "median of rows", "90th percentile", "")
    return table(head, rows, 2)


def errors_table(pool: Pool) -> str:
    """Median error by kind and source, one column a scheme."""
    rows = []
    for kind in np.unique(pool.kind):
        of_kind = pool.take(pool.kind == kind)
        for source in (*np.unique(of_kind.source), ALL):
            part = of_kind if source == ALL else of_kind.take(of_kind.source == source)
            counted = len(np.unique(part.measurement))
            rows.append((kind, source, counted, *(_error(part.take(part.scheme == scheme)) for scheme in SCHEMES)))
    return table(("kind", "source", "rows", *(f"{scheme} out" for scheme in SCHEMES)), rows, 2)


def _error(pool: Pool) -> str:
    if not len(pool):
        return "–"
    found = score(pool)
    return f"{percent(found.mean_of_sources)} ({found.bias:+.2f})"


def ranges_table(spreads: Table) -> str:
    """Factors on the estimate by range and basis, with the left-out groups behind each."""
    rows = []
    for name in dict.fromkeys(name for name, _ in spreads):
        cells = []
        for code in CLASS_NAMES:
            one = spreads[name, code]
            cells.append(f"{factor(math.exp(one.low))} – {factor(math.exp(one.high))} ({one.groups})")
        rows.append((name, *cells))
    return table(("range", *CLASS_NAMES.values()), rows)


def coverage_table(coverages: Sequence[Coverage]) -> str:
    """Share inside and median width, by kind and scheme."""
    rows = [
        (one.kind, one.scheme, one.rows, percent(one.share), percent(one.share_by_source), factor(one.width))
        for one in coverages
    ]
    return table(("kind", "left out", "rows", "inside", "inside, sources alike", "median high ÷ low"), rows, 2)


def regret_table(regrets: Sequence[Regret]) -> str:
    """Mean cost of the choice by kind, by price and by device."""
    rows = []
    words = {True: "USD per unit of work", False: "work per device", None: "either"}
    for kind in (*sorted({one.kind for one in regrets}), ALL):
        for priced, word in words.items():
            part = [one for one in regrets if priced in (one.priced, None) and kind in (one.kind, ALL)]
            if part and (priced is None) == (kind == ALL):
                shares = np.array([one.share for one in part])
                mean, worst = float(shares.mean()), float(shares.max())
                right = float(np.mean(shares == 0))
                rows.append((kind, word, len(part), percent(mean), percent(worst), percent(right)))
    return table(("kind", "judged by", "workloads", "mean regret", "worst", "best device picked"), rows, 2)


def coefficients_table(figures: Sequence[Written]) -> str:
    """Fitted values with the standard error of their logarithm and the value that the fit started from."""
    rows = [(f"`{one.name}`", rounded(one.value), f"±{one.error:.2f}", rounded(one.prior)) for one in figures]
    return table(("coefficient", "value", "error of ln", "from"), rows)


def worst_table(pool: Pool, measurements: Mapping[str, Measurement]) -> str:
    """The rows furthest from the estimate of the fit that had not seen their device."""
    chosen = pool.take(pool.scheme == "device")
    order = np.argsort(-np.abs(chosen.error), kind="stable")[:WORST_ROWS]
    rows = []
    for index in order:
        one = measurements[str(chosen.measurement[index])]
        software = f"{one.framework} {one.framework_version or ''}".strip()
        on = one.accelerator or one.cpu or ""
        ratio = math.exp(float(chosen.error[index]))
        rows.append((one.id, one.model, on, software, one.precision, one.metric, f"{one.value:.5g}", factor(ratio)))
    head = ("measurement", "model", "device", "software", "precision", "metric", "measured", "estimated ÷ measured")
    return table(head, rows, 6)
