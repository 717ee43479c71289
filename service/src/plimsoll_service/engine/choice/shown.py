"""Numbers to the digits that an answer shows."""

from __future__ import annotations

from math import isfinite

from plimsoll_service.engine.quantities import Range

DIGITS = 5  # significant digits of an estimate in an answer: more would pretend


def figure(value: float) -> float:
    """A number to the digits that an answer shows."""
    number = float(value)
    return float(f"{number:.{DIGITS}g}") if isfinite(number) else number


def ranged(value: float, low: float, high: float) -> Range:
    """A range to those digits."""
    return Range(figure(value), figure(low), figure(high))
