"""The notebook's cells, run from top to bottom without a kernel."""

from __future__ import annotations

import ast
import json
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebook" / "cost_against_time.ipynb"
CELLS = json.loads(NOTEBOOK.read_text())["cells"]
SOURCES = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]
PLOTS = sum("plt.show()" in source for source in SOURCES)


@pytest.fixture(scope="module")
def session(service_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """State after the cells have run: their names, the output of each, and the figures."""
    with pytest.MonkeyPatch.context() as patch, mpl.rc_context():
        patch.setenv("PLIMSOLL_URL", service_url)
        mpl.use("agg", force=True)
        from matplotlib import pyplot as plt

        script, shown = tmp_path_factory.mktemp("notebook") / "cells.py", []
        script.write_text("\n".join(map(_that_shows, SOURCES)))
        names = runpy.run_path(str(script), {"KEPT": shown})
        figures = [plt.figure(number) for number in plt.get_fignums()]
        for figure in figures:
            figure.canvas.draw()
        plt.close("all")
    return {"names": names, "shown": [each for each in shown if each is not None], "figures": figures}


def test_every_plot_shows_figures(session: dict[str, Any]) -> None:
    """Each plot has named axes and drawn points."""
    drawn = [axes for figure in session["figures"] for axes in figure.axes]

    assert len(session["figures"]) == PLOTS
    assert [axes for axes in drawn if not axes.has_data()] == []
    assert [axes for axes in drawn if not axes.get_xlabel()] == []


def test_answers_show_as_tables(session: dict[str, Any]) -> None:
    """The answer, the comparison and the data frame have HTML for the notebook."""
    tables = [each._repr_html_() for each in session["shown"] if hasattr(each, "_repr_html_")]

    assert len(tables) == 3
    assert [table for table in tables if "<table" not in table] == []


def test_waiting_longer_never_costs_more(session: dict[str, Any]) -> None:
    """A later deadline never raises the expected cost, within the price of a single machine; all deadlines are met."""
    cheapest = session["names"]["cheapest"]
    costs = [best.estimate.expected_cost_usd for _, best in cheapest]

    assert len(cheapest) > 1
    assert [later for earlier, later in pairwise(costs) if later > earlier * 1.5] == []
    assert costs[-1] <= 1.5 * min(costs) < costs[0]
    assert [deadline for deadline, best in cheapest if best.estimate.time_hours.high > deadline] == []


def test_the_notebook_is_stored_without_outputs() -> None:
    """The notebook is stored without outputs, so that readers see only answers of their own service."""
    stored = [cell for cell in CELLS if cell["cell_type"] == "code"]

    assert [cell for cell in stored if cell["outputs"] or cell["execution_count"] is not None] == []


def _that_shows(source: str) -> str:
    """The source of a cell, which keeps the value of its last expression, as a notebook shows it."""
    cell = ast.parse(source)
    if isinstance(cell.body[-1], ast.Expr):
        keep = ast.parse("KEPT.append", mode="eval").body
        cell.body[-1] = ast.Expr(ast.Call(keep, [cell.body[-1].value], []))
    return ast.unparse(ast.fix_missing_locations(cell))
