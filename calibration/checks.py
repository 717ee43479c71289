"""Checks of estimates against rows that no fit uses: their errors, by work and accelerator."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp

import numpy as np

from calibration.asked import asked
from calibration.files import Document, Entry, rounded
from calibration.problems.serving_rows import FIRST_TOKENS, NOT_FITTED, Group, comparable, groups_of, usable
from calibration.results import Evidence
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.served_model import age_of
from plimsoll_service.engine.known import Agreed, Check, cell_of, software_of
from plimsoll_service.engine.serving_coefficients import Serving
from plimsoll_service.engine.spreads import MODELLED, Spreads
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence import models
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

ABOUT = "Measured over estimated speed of serving in rows that no fit takes, by work and accelerator."
ABOUT_AGREED = "Measured over estimated speed of writing where the fitted rows of a work on a device agree."
ENDS = (10.0, 90.0)  # percentiles
MIDDLE_AND_ENDS = (10.0, 50.0, 90.0)
ENOUGH = 10  # rows whose median says more than the fit: within a work on a device they differ by a tenth; a decision
_RELEASE = re.compile(r"\d+(?:\.\d+)+")


def checks_of(evidence: Evidence, fit: Serving) -> dict[str, dict[str, Check]]:
    """Compare the estimates with the rows that no fit uses, by work and accelerator."""
    rows = (one for one in evidence.shipped if one.accelerator and one.source in NOT_FITTED)
    groups = groups_of(rows, market_of(evidence.catalog, starting()), comparable)
    return checked([pair for group in groups for pair in _compared(group, fit)])


def _compared(group: Group, fit: Serving) -> Iterator[Compared]:
    """Each row of speed with ln(measured ÷ estimated), under its own release and under today's."""
    years = [job_of(Query(asked(one)[0]), starting()).software_year for one in group.measurements]
    ages = np.array([age_of(fit.early, group.model.dims, group.model.engine_name, year) for year in years])
    aged = replace(group, model=replace(group.model, age=ages))
    for place, one in enumerate(group.measurements):
        if one.metric not in FIRST_TOKENS:
            sign = -1 if one.metric == "tpot_ms" else 1
            then, now = (sign * (np.log(one.value) - each.log_predicted(fit)[place]) for each in (aged, group))
            yield Compared(one, float(then), float(now), years[place])


def agreed_of(evidence: Evidence, fit: Serving) -> dict[str, dict[str, Agreed]]:
    """Find the works on a device whose fitted rows all lie on the same side of the estimate."""
    rows = (one for one in evidence.shipped if one.accelerator)
    groups = groups_of(rows, market_of(evidence.catalog, starting()), usable)
    return agreed([pair for group in groups for pair in _compared(group, fit)])


def agreed(compared: Iterable[Compared]) -> dict[str, dict[str, Agreed]]:
    """The agreements of those rows, by the work that they share and by accelerator."""
    found: dict[tuple[str, str], list[Compared]] = defaultdict(list)
    for one in compared:
        found[work_of(one.row)].append(one)
    table: dict[str, dict[str, Agreed]] = defaultdict(dict)
    for (cell, accelerator), rows in sorted(found.items()):
        low, middle, high = (rounded(exp(end)) for end in np.percentile([one.then for one in rows], MIDDLE_AND_ENDS))
        if len(rows) >= ENOUGH and (low > 1 or high < 1):
            sources = " ".join(sorted({one.row.source for one in rows}))
            table[cell][accelerator] = Agreed(len(rows), low, middle, high, sources)
    return dict(table)


def agreed_document(table: Mapping[str, Mapping[str, Agreed]]) -> Document:
    """Return the content of the file."""
    entries = {cell: {name: Entry(asdict(one)) for name, one in found.items()} for cell, found in table.items()}
    return {"about": ABOUT_AGREED, "agreed": entries}


@dataclass(frozen=True)
class Compared:
    """A row, with ln(measured ÷ estimated) under the release that ran and under today's."""

    row: Measurement
    then: float
    now: float
    year: float | None


def checked(compared: Iterable[Compared]) -> dict[str, dict[str, Check]]:
    """The checks of those rows, by the work that they share and by accelerator."""
    found: dict[str, dict[str, list[Compared]]] = defaultdict(lambda: defaultdict(list))
    for one in compared:
        cell, accelerator = work_of(one.row)
        found[cell][accelerator].append(one)
    return {
        cell: {name: _check(rows) for name, rows in sorted(of_cell.items())} for cell, of_cell in sorted(found.items())
    }


def work_of(row: Measurement) -> tuple[str, str]:
    """Return the key of a row's work, and its accelerator; empty for an unknown model, and on processors."""
    profile = models.find(row.model, row.framework)
    name = "" if profile is None else profile.name
    return cell_of(name, row.precision, software_of(row.framework, row.tuning)), row.accelerator or ""


def _check(rows: Sequence[Compared]) -> Check:
    low, high = _ends([one.then for one in rows])
    now_low, now_high = _ends([one.now for one in rows])
    years = [one.year for one in rows if one.year is not None]
    return Check(
        rows=len(rows),
        low=low,
        high=high,
        now_low=now_low,
        now_high=now_high,
        releases=_releases([one.row.framework_version or "" for one in rows]),
        since=min(years, default=0.0),
        until=max(years, default=0.0),
        source=" ".join(sorted({one.row.source for one in rows})),
    )


def _ends(logs: Sequence[float]) -> tuple[float, float]:
    low, high = np.percentile(logs, ENDS)
    return rounded(exp(low)), rounded(exp(high))


def _releases(versions: Iterable[str]) -> str:
    """The first and the last release in words."""
    numbers = {found[0] for version in versions if (found := _RELEASE.search(version))}
    ordered = sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])
    return " to ".join(dict.fromkeys((ordered[0], ordered[-1]))) if ordered else ""


def checks_document(checks: Mapping[str, Mapping[str, Check]]) -> Document:
    """Return the content of the file."""
    table = {cell: {name: Entry(asdict(one)) for name, one in found.items()} for cell, found in checks.items()}
    return {"about": ABOUT, "checks": table}


def confirmed(checks: Mapping[str, Mapping[str, Check]], spreads: Spreads) -> set[tuple[str, str]]:
    """Return the works and accelerators whose estimate was right, with software like today's.

    The middle of the rows must lie within the range of estimates that are modelled.
    """
    ends = spreads.of("tokens_per_second")[MODELLED]
    return {
        (cell, name)
        for cell, found in checks.items()
        for name, one in found.items()
        if not one.aged and ends.low <= (one.low * one.high) ** 0.5 <= ends.high
    }
