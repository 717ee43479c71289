"""Numbers to the digits that an answer shows."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import GIB, MIB

DIGITS = 5  # of an estimate in an answer: more would pretend
FIGURE = f"%.{DIGITS}g"
# Whole powers of ten up to here are exact as floating-point numbers, and so is a figure times or over one of them.
EXACT = 22
POWERS = np.array([float(f"1e{max(power, 0)}") for power in range(-EXACT, EXACT + 1)])
REVERSED = POWERS[::-1].copy()
LEAST_GIB = 0.1  # below, one digit of a GiB says nothing
WHOLE_FROM = 1e4  # thousands are separated from here on
TIE = 0.4999  # what lies so far from a whole number may round to either side, by the last bit of a product


def figure(value: float) -> float:
    """A number to the digits that an answer shows."""
    return float(FIGURE % value)


@np.errstate(divide="ignore", invalid="ignore")  # 0 and what is unknown have no magnitude, and need no rounding
def figures(values: Floats) -> list[Any]:
    """Each number of an array to those digits, as (nested) lists; the same as one by one, and sooner done."""
    magnitude = np.abs(values)
    places = DIGITS - 1 - np.floor(np.log10(magnitude))
    row = (places + EXACT).astype(np.intp)
    up, down = POWERS.take(row, mode="clip"), REVERSED.take(row, mode="clip")
    scaled = values * up / down
    whole = np.rint(scaled)
    shown = whole / up * down
    doubtful = (np.abs(scaled - whole) > TIE) | ((np.abs(places) > EXACT) & (magnitude > 0))
    if doubtful.any():
        shown[doubtful] = [figure(value) for value in values[doubtful].tolist()]
    listed: list[Any] = shown.tolist()
    return listed


def known_figure(value: float) -> float | None:
    """The figure, or ``None`` where it has no meaning or no end."""
    return figure(value) if isfinite(value) else None


def counted(number: float, noun: str) -> str:
    """So many of something: "1 vCPU", "4 vCPUs"."""
    return f"{number:.0f} {noun}" + ("" if round(number) == 1 else "s")


def amount(gib: float) -> str:
    """Memory in words: GiB to one digit, whole MiB of what would be none of them."""
    mib = gib * GIB / MIB
    if gib >= LEAST_GIB:
        return f"{gib:.1f} GiB"
    return f"{mib:.0f} MiB" if mib >= 1 else "less than 1 MiB"


def said(value: float, digits: int = DIGITS) -> str:
    """A number in a text: so many significant digits, and never a power of ten."""
    shown = Decimal(f"{value:.{digits}g}")
    return f"{shown:,f}" if float(shown) >= WHOLE_FROM else f"{shown:f}"


def said_beside(value: float, limit: float) -> str:
    """A number in a text beside the limit that it misses: the fewest digits, from three on, that tell the two apart."""
    for digits in range(3, DIGITS):
        shown = float(f"{value:.{digits}g}")
        if (shown - limit) * (value - limit) > 0:
            return said(value, digits)
    return said(value)


def ordinal(rank: int) -> str:
    """A place in an order: "1st", "2nd", "11th"."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def precision_words(precision: str) -> str:
    """A precision in a text: "FP16", "mixed precision"."""
    return "mixed precision" if precision == "mixed" else precision.upper()
