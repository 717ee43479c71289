"""Plots of the calibration report as SVG; equal figures give equal bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from numpy.typing import NDArray

from calibration.coverage import ALL, REPORTED, Coverage
from calibration.pool import Pool, relative_errors
from plimsoll_service.evidence.published import SCHEMES

MOST_POINTS = 250  # of a panel: an SVG file holds every point
LEAST_ROWS = 5  # of a bar
COLOURS = ("#1f5fa8", "#c8641e", "#3c8a4e")
WANTED = (0.75, 0.85)
COLUMNS = 3
INK, GRID = "#333333", "#dddddd"


def predicted_against_measured(pool: Pool, measured: Mapping[str, float], path: Path) -> None:
    """Plot the held-out estimate (device held out) against the measurement, one panel for each kind."""
    chosen = pool.take(pool.scheme == "device")
    panels = {name: np.flatnonzero(np.isin(chosen.kind, list(kinds))) for name, kinds in REPORTED.items()}
    panels = {name: rows for name, rows in panels.items() if len(rows)}
    lines = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(3.6 * COLUMNS, 3.4 * lines), layout="constrained")
    for place, (name, rows) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(lines, COLUMNS, place)
        rows = rows[:: max(1, -(-len(rows) // MOST_POINTS))]
        truth = np.array([measured[str(one)] for one in chosen.measurement[rows]])
        keep = truth > 0
        _panel(axes, name, truth[keep], (truth * np.exp(chosen.error[rows]))[keep])
    _save(figure, path)


def _panel(axes: Axes, name: str, truth: NDArray[np.float64], estimate: NDArray[np.float64]) -> None:
    axes.set_title(name, fontsize=10)
    axes.loglog(truth, estimate, ".", markersize=3, color=COLOURS[0], alpha=0.6)
    ends = np.array([min(truth.min(), estimate.min()), max(truth.max(), estimate.max())])
    axes.loglog(ends, ends, color=INK, linewidth=0.8)
    for factor in (0.8, 1.25):
        axes.loglog(ends, ends * factor, color=INK, linewidth=0.5, linestyle="--")
    axes.set_xlabel("measured", fontsize=8)
    axes.set_ylabel("estimated", fontsize=8)
    axes.tick_params(labelsize=7)


def error_bars(pool: Pool, column: str, title: str, path: Path) -> None:
    """Plot the median error of each family or device, by held-out group."""
    names = getattr(pool, column)
    found, counts = np.unique(names, return_counts=True)
    least = LEAST_ROWS * len(SCHEMES)
    shown = [str(name) for name, count in zip(found, counts, strict=True) if name and count >= least]
    figure = Figure(figsize=(7.5, 1.2 + 0.32 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    errors = relative_errors(pool)
    for offset, scheme in enumerate(SCHEMES):
        medians = [_median(errors[(names == name) & (pool.scheme == scheme)]) for name in shown]
        places = np.arange(len(shown)) + 0.27 * (offset - 1)
        axes.barh(places, medians, height=0.25, color=COLOURS[offset], label=f"{scheme} held out")
    axes.set_yticks(np.arange(len(shown)), shown, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("median |estimated ÷ measured − 1|", fontsize=8)
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
    figure.legend(fontsize=7, loc="outside lower center", ncols=len(SCHEMES))
    _save(figure, path)


def coverage_bars(coverages: Sequence[Coverage], path: Path) -> None:
    """Plot the share of held-out rows inside their range, by kind and held-out group, with the target band behind."""
    kinds = [name for name in (*REPORTED, ALL) if any(one.kind == name for one in coverages)]
    figure = Figure(figsize=(7.5, 1.2 + 0.45 * len(kinds)), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(*WANTED, color=GRID)
    for offset, scheme in enumerate(SCHEMES):
        by_kind = {one.kind: one.share for one in coverages if one.scheme == scheme}
        places = np.arange(len(kinds)) + 0.27 * (offset - 1)
        shares = [by_kind.get(name, 0.0) for name in kinds]
        axes.barh(places, shares, height=0.25, color=COLOURS[offset], label=f"{scheme} held out")
    axes.set_yticks(np.arange(len(kinds)), kinds, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of measurements inside the 10–90% range", fontsize=8)
    figure.legend(fontsize=7, loc="outside lower center", ncols=len(SCHEMES))
    _save(figure, path)


def _median(values: NDArray[np.float64]) -> float:
    return float(np.median(values)) if len(values) else 0.0


def _save(figure: Figure, path: Path) -> None:
    """Write a figure without a date and with fixed ids, so that equal figures give equal files."""
    with mpl.rc_context({"svg.hashsalt": "calibration", "svg.fonttype": "none"}):
        FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None, "Creator": None})
