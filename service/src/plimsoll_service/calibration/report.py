"""The calibration report: one page of tables and its plots, all figures from the calibration itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll_service.calibration import report_tables as tables
from plimsoll_service.calibration.coverage import ALL, Coverage
from plimsoll_service.calibration.markdown import factor, percent
from plimsoll_service.calibration.pool import Pool
from plimsoll_service.calibration.regret import Regret
from plimsoll_service.calibration.spreads import Table
from plimsoll_service.calibration.writing import Written
from plimsoll_service.evidence.measurement import Measurement

PAGE, PLOTS = "calibration.md", "calibration"
INTRODUCTION = """# Calibration report

Written by `plimsoll-service calibrate` (`make calibrate`); no figure here is typed by hand. Left out means: the fit
has seen no row of that device, model or source (laboratory), and then estimates it. Error is |estimated ÷ measured
− 1|, the median of each source, then the mean over sources (a source of fewer than ten rows counts in proportion);
in brackets the median of ln(estimated ÷ measured).
"""
RANGES = """
Factors on the estimate: the 10th and 90th percentile of measured ÷ estimated over left-out rows of the three
schemes, each row weighed by its source's rows to the power −0.4, drawn to the quantiles of the wider group where
few devices, models and sources stand behind it (their number in brackets), never narrower than the noise between
equal machines. *Known model*: the fit kept the software, rows of the model, and a device of the generation; answers
that are *measured*, or *calibrated* on the model itself, have this range, for another laboratory's run of just what
was measured errs no less than a new device does. *New model*: the same, but only other models of its family
(*calibrated*). *Modelled*: less than that. Of more than one device, training counted in samples adds the error of
scaling in quadrature.
"""
COVERAGE = """
Nested: the range of each left-out group comes from the residuals of all other groups. Eight in ten rows should lie
inside; 75–85% is wanted. Rows whose range no other source could give are not counted. The weight of sources, the
pull to wider groups and the grouping itself were chosen among sixteen variants by looking at these very shares, so
that they flatter: expect less on new laboratories.
"""
REGRET = """
For every workload with at least four measured devices: what it costs to pick the device by the estimate (each
device's by the fit that had not seen it) instead of the truth. Prices: the catalog's cheapest current on-demand
offer per device, outside restricted regions; where fewer than four of the devices have a price, work per device.
Workloads of one source that differ in prompt length alone are counted each, so their number says more than it proves.
"""


@dataclass(frozen=True, eq=False)
class Findings:
    """Everything that the report shows."""

    pool: Pool
    measurements: Mapping[str, Measurement]
    bundled: int  # of the measurements that have residuals: the rest is not part of the project
    spreads: Table
    coverages: Sequence[Coverage]
    regrets: Sequence[Regret]
    figures: Mapping[str, Sequence[Written]]  # by form
    notes: Sequence[str]  # paragraphs of the problems' own


def write(found: Findings, folder: Path) -> list[Path]:
    """Writes the page and the plots under ``folder``; raises ``ModuleNotFoundError`` where matplotlib is missing."""
    from plimsoll_service.calibration import plots  # only a report needs the plotting library

    pictures = folder / PLOTS
    pictures.mkdir(parents=True, exist_ok=True)
    measured = {name: one.value for name, one in found.measurements.items()}
    plots.predicted_against_measured(found.pool, measured, pictures / "predicted.svg")
    plots.error_bars(found.pool, "family", "Error by family", pictures / "families.svg")
    plots.error_bars(found.pool, "device", "Error by device", pictures / "devices.svg")
    plots.coverage_bars(found.coverages, pictures / "coverage.svg")
    page = folder / PAGE
    page.write_text(text(found), encoding="utf-8")
    return [page, *sorted(pictures.glob("*.svg"))]


def text(found: Findings) -> str:
    """The page."""
    parts = [
        INTRODUCTION,
        _summary(found),
        "## Targets\n",
        tables.targets_table(found.pool),
        "![Estimated against measured, one panel a kind](calibration/predicted.svg)\n",
        "## Errors by kind and source\n",
        tables.errors_table(found.pool),
        "![Error by family](calibration/families.svg)\n\n![Error by device](calibration/devices.svg)\n",
        "## Ranges\n" + RANGES,
        tables.ranges_table(found.spreads),
        "## Coverage\n" + COVERAGE,
        tables.coverage_table(found.coverages),
        "![Share of measurements inside their range](calibration/coverage.svg)\n",
        "## Choosing by the estimate\n" + REGRET,
        tables.regret_table(found.regrets),
        "## Does it fit\n",
        *(f"{note}\n" for note in found.notes),
        "## Coefficients\n",
        *(f"### {name}\n\n{tables.coefficients_table(figures)}" for name, figures in found.figures.items()),
        "## Worst rows\n",
        tables.worst_table(found.pool, found.measurements),
    ]
    return "\n".join(parts)


def _summary(found: Findings) -> str:
    """One paragraph: how many rows, and whether the ranges hold."""
    whole = next(one for one in found.coverages if one.kind == one.scheme == ALL)
    rows = len(set(found.pool.measurement))
    bundled = f"{found.bundled} of them bundled, the others runs in clouds that are not part of the project"
    origin = bundled if found.bundled < rows else "all bundled"
    sources = len(set(found.pool.source))
    return (
        f"{rows} measurements ({origin}) of {sources} sources. {percent(whole.share)} of left-out rows lie inside "
        f"their range; the median range is a factor of {factor(whole.width)} from end to end.\n"
    )
