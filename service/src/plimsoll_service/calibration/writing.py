"""Writes fitted values as the modules of ``engine.fitted``: plain literals, each with its error and its start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DIGITS = 4  # significant: fewer than what another linear algebra library would change
RATE_DIGITS = 6


@dataclass(frozen=True)
class Written:
    """One fitted figure: its value, the standard error of its logarithm (of an effect: of itself), its prior."""

    name: str
    value: float
    error: float
    prior: float


def rounded(value: float) -> float:
    """To the digits that are written."""
    return float(f"{value:.{DIGITS}g}")


def rounded_rate(value: float) -> float:
    """A measured rate, to more digits than are ever printed."""
    return float(f"{value:.{RATE_DIGITS}g}")


def values_module(
    statement: str, form: str, constant: str, figures: Sequence[Written], home: str = "coefficients"
) -> str:
    """A module that sets the named fields of a form of ``engine.<home>``."""
    lines = [
        f'"""{statement}\n\nWritten by ``plimsoll-service calibrate``; not edited by hand.\n"""\n',
        f"from plimsoll_service.engine.{home} import {form}\n",
        f"{constant} = {form}(",
    ]
    for one in figures:
        said = f"±{100 * one.error:.0f}%, from {rounded(one.prior)!r}"
        lines.append(f"    {one.name}={rounded(one.value)!r},  # {said}")
    return "\n".join([*lines, ")", ""])


def table_module(statement: str, constants: Mapping[str, Sequence[Written]]) -> str:
    """A module of tables of effects: ``name → value``; those that round to nothing are left out."""
    lines = [f'"""{statement}\n\nWritten by ``plimsoll-service calibrate``; not edited by hand.\n"""\n']
    for constant, figures in constants.items():
        lines.append(f"{constant}: dict[str, float] = {{")
        lines += [
            f'    "{one.name}": {round(one.value, 3)!r},  # ±{one.error:.2f}' for one in figures if round(one.value, 3)
        ]
        lines += ["}", ""]
    return "\n".join(lines)
