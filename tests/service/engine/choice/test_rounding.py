"""Numbers as answers show them."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll_service.engine.choice.rounding import (
    amount,
    counted,
    figure,
    figures,
    known_figure,
    ordinal,
    said,
    said_beside,
)
from plimsoll_service.engine.hardware import Floats


@pytest.mark.parametrize(
    ("value", "shown"),
    [(123456.7, 123460.0), (0.00012345678, 0.00012346), (2.5, 2.5), (0.0, 0.0), (-1234567.0, -1234600.0), (inf, inf)],
)
def test_a_figure_has_five_significant_digits(value: float, shown: float):
    """A figure of any size has five significant digits; an infinite one stays infinite."""
    assert figure(value) == shown


def test_an_unknown_figure_stays_unknown():
    """NaN is shown as NaN, or as nothing where the contract has nothing for it."""
    assert isnan(figure(nan))
    assert (known_figure(nan), known_figure(inf), known_figure(1.234567)) == (None, None, 1.2346)


@pytest.mark.parametrize(
    "values",
    [
        np.geomspace(1e-300, 1e300, 1000),
        -np.geomspace(1e-9, 1e12, 100),
        np.arange(100) / 1e3 + 12.3405,  # halfway between two figures, but for the last bit
        np.array([0.0, -0.0, 9.99995, 99999.5, 1e5, 1e22, 1e23, nan, inf, -inf]),
    ],
    ids=["every magnitude", "below 0", "halfway", "special"],
)
def test_a_column_is_shown_as_each_of_its_figures(values: Floats):
    """The same digits as one by one, whatever the size and however near to a tie; so are columns of columns."""
    assert repr(figures(values)) == repr([figure(value) for value in values.tolist()])
    assert repr(figures(np.array([values, values]))) == repr([figures(values)] * 2)


@given(st.lists(st.floats(), max_size=20))
def test_any_column_is_shown_as_each_of_its_figures(values: list[float]):
    """No number is an exception."""
    assert repr(figures(np.array(values))) == repr([figure(value) for value in values])


@pytest.mark.parametrize(("number", "words"), [(0, "0 devices"), (1, "1 device"), (2.0, "2 devices")])
def test_one_is_no_plural(number: float, words: str):
    """A noun follows its number."""
    assert counted(number, "device") == words


@pytest.mark.parametrize(
    ("gib", "words"), [(137.74, "137.7 GiB"), (0.1, "0.1 GiB"), (0.0999, "102 MiB"), (9.3e-6, "less than 1 MiB")]
)
def test_an_amount_of_memory_is_never_told_as_none(gib: float, words: str):
    """An amount below the last shown digit of a GiB is shown in MiB."""
    assert amount(gib) == words


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00001, "0.00001"), (0.5, "0.5"), (1234.5678, "1234.6"), (10_000.0, "10,000"), (1.5e12, "1,500,000,000,000")],
)
def test_a_number_in_a_text_is_no_power_of_ten(value: float, text: str) -> None:
    """Five digits, and thousands are separated from 10,000 on."""
    assert text == said(value)


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [(108.82, 2.0, "109"), (1.0004, 1.0, "1.0004"), (1.004, 1.0, "1.004"), (0.99996, 1.0, "0.99996")],
)
def test_a_number_that_misses_a_limit_looks_like_it(value: float, limit: float, text: str) -> None:
    """As few digits as keep it on its side of the limit."""
    assert text == said_beside(value, limit)


@pytest.mark.parametrize(
    ("rank", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (121, "121st")]
)
def test_places_in_an_order(rank: int, text: str) -> None:
    """The ending follows the number."""
    assert text == ordinal(rank)
