"""Numbers as answers show them."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np
import pytest

from plimsoll_service.engine.choice.shown import figure, figures, known_figure, ranges
from plimsoll_service.engine.quantities import Range


@pytest.mark.parametrize(
    ("value", "shown"),
    [(123456.7, 123460.0), (0.00012345678, 0.00012346), (2.5, 2.5), (0.0, 0.0), (-1234567.0, -1234600.0), (inf, inf)],
)
def test_a_figure_has_five_significant_digits(value: float, shown: float):
    """Whatever its size; what has no end keeps none."""
    assert figure(value) == shown


def test_an_unknown_figure_stays_unknown():
    """NaN is shown as NaN, or as nothing where the contract has nothing for it."""
    assert isnan(figure(nan))
    assert (known_figure(nan), known_figure(inf), known_figure(1.234567)) == (None, None, 1.2346)


def test_a_column_is_shown_as_each_of_its_figures():
    """Row by row the same digits as one by one."""
    values = np.geomspace(1e-9, 1e12, 100)
    assert figures(values) == [figure(value) for value in values.tolist()]
    assert ranges(values, values / 3, values * 3)[7] == Range(*(figure(values[7] * by) for by in (1, 1 / 3, 3)))
