"""Billed hours of options: minimums, steps, and moved data."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.choice.priced_options import Charges, billed_of

# By the second, at least a minute, at least an hour, in whole hours.
TERMS = np.array([[0.0, 1 / 60, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
EVERY = np.arange(4)


def test_two_minutes_are_billed_as_each_provider_says() -> None:
    """By the second they cost two minutes, with a minimum or a step of an hour the hour."""
    expected = [2 / 60, 2 / 60, 1.0, 1.0]
    actual = billed_of(TERMS).hours(np.full(4, 2 / 60)).tolist()
    assert expected == actual


def test_steps_count_beyond_the_first() -> None:
    """An hour and a minute cost two hours in whole hours; a whole number of hours is not rounded up."""
    billed = billed_of(TERMS)
    expected = [[61 / 60] * 3 + [2.0], [3.0] * 4]
    actual = [billed.hours(np.full(4, hours)).tolist() for hours in (61 / 60, 3.0)]
    assert expected == actual


def test_rows_are_billed_by_their_own_terms() -> None:
    """Some rows are billed in the same way alone as among all options."""
    billed, hours, rows = billed_of(TERMS), np.full(4, 0.01), np.array([3, 0])
    expected = billed.hours(hours)[rows].tolist()
    actual = billed.hours(hours[rows], rows).tolist()
    assert expected == actual


def test_what_is_moved_is_paid_once() -> None:
    """The price of moving the data is added to the hours, and taken along with the rows."""
    charges = Charges(np.full(4, 10.0), billed_of(TERMS), np.array([0.0, 1.0, 2.0, 3.0]))
    expected = [20.0, 21.0, 22.0, 23.0]
    actual = charges.job_usd(np.full(4, 2.0)).tolist()
    assert expected == actual
    assert expected[2:] == charges.job_usd(np.full(2, 2.0), EVERY[2:]).tolist()


def test_only_rounded_options_are_told_apart() -> None:
    """Hours are billed as they are if the shortest run is longer than the billing minimum."""
    expected = [False, False, True, True]
    actual = billed_of(TERMS).rounds(np.full(4, 0.5), EVERY).tolist()
    assert expected == actual
