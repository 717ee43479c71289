"""Numbers as answers and texts show them."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite
from typing import Any

from ..hardware import Floats
from ..units import GIB, MIB, SECONDS_PER_MINUTE

DIGITS = 5  # of an estimate in an answer; more digits would suggest a false precision
FIGURE = f"%.{DIGITS}g"
LEAST_GIB = 0.1  # below this, one decimal of a GiB says nothing
WHOLE_FROM = 1e4  # thousands are separated from here on


def figure(value: float) -> float:
    """Round a number to the digits that an answer shows."""
    return float(FIGURE % value)


def figures(values: Floats) -> list[Any]:
    """Round each number of an array, and return (nested) lists."""
    return [figures(row) for row in values] if values.ndim > 1 else [figure(value) for value in values.tolist()]


def known_figure(value: float) -> float | None:
    """Return the figure, or ``None`` if it is unknown or infinite."""
    return figure(value) if isfinite(value) else None


def counted(number: float, noun: str) -> str:
    """Return a number with its noun: "1 vCPU", "4 vCPUs"."""
    return f"{number:.0f} {noun}" + ("" if round(number) == 1 else "s")


def amount(gib: float) -> str:
    """Return memory in words: GiB with one decimal, or whole MiB below 0.1 GiB."""
    mib = gib * GIB / MIB
    if gib >= LEAST_GIB:
        return f"{gib:.1f} GiB"
    return f"{mib:.0f} MiB" if mib >= 1 else "less than 1 MiB"


def said(value: float, digits: int = DIGITS) -> str:
    """Return a number for a text: ``digits`` significant digits, and never a power of ten."""
    text = f"{value:.{digits}g}"
    if "e" not in text and abs(value) < WHOLE_FROM - 1:
        return text
    shown = Decimal(text)
    return f"{shown:,f}" if float(shown) >= WHOLE_FROM else f"{shown:f}"


def said_beside(value: float, limit: float) -> str:
    """Return a number for a text with the limit that it misses: the fewest digits (at least 3) that show the miss."""
    for digits in range(3, DIGITS):
        shown = float(f"{value:.{digits}g}")
        if (shown - limit) * (value - limit) > 0:
            return said(value, digits)
    return said(value)


def ordinal(rank: int) -> str:
    """Return a rank in words: "1st", "2nd", "11th"."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def precision_words(precision: str) -> str:
    """Return a precision in words: "FP16", "mixed precision"."""
    return "mixed precision" if precision == "mixed" else precision.upper()


def seconds_said(seconds: float, longest: float) -> str:
    """Return a time in words: seconds, or minutes from the ``longest`` on that is said in seconds."""
    return f"{said(seconds, 2)} s" if seconds < longest else f"{said(seconds / SECONDS_PER_MINUTE, 2)} min"
