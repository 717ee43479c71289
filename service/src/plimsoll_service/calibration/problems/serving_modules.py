"""Writes fitted parts of the serving form as one module of ``engine.fitted``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plimsoll_service.calibration.writing import Written, rounded

HEADER = '''"""{statement}

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from dataclasses import replace

from plimsoll_service.engine.serving_coefficients import Serving
'''


def serving_module(statement: str, figures: Mapping[str, Sequence[Written]]) -> str:
    """A module with one constant a part, whose other fields keep their defaults."""
    lines = [HEADER.format(statement=statement)]
    for part, values in figures.items():
        lines += [f"{part.upper()} = replace(", f"    Serving().{part},"]
        for one in values:
            said = f"±{100 * one.error:.0f}%, from {rounded(one.prior)!r}"
            lines.append(f"    {one.name}={rounded(one.value)!r},  # {said}")
        lines += [")", ""]
    return "\n".join(lines)
