"""Numbers to the digits that an answer shows."""

from __future__ import annotations

from math import isfinite

from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.quantities import Range

FIGURE = "%.5g"  # significant digits of an estimate in an answer: more would pretend


def figure(value: float) -> float:
    """A number to the digits that an answer shows."""
    return float(FIGURE % value)


def figures(values: Floats) -> list[float]:
    """Each number of a column to those digits."""
    return [float(FIGURE % value) for value in values.tolist()]


def known_figure(value: float) -> float | None:
    """The figure, or ``None`` where it has no meaning or no end."""
    return figure(value) if isfinite(value) else None


def ranges(value: Floats, low: Floats, high: Floats) -> list[Range]:
    """Each range of three columns to those digits."""
    return [Range(*ends) for ends in zip(figures(value), figures(low), figures(high), strict=True)]
