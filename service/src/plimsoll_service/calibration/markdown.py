"""Tables of the report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int = 1) -> str:
    """A table; columns from ``numbers_from`` on are set to the right."""
    ruler = ["---"] * numbers_from + ["---:"] * (len(head) - numbers_from)
    lines = [head, ruler, *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def percent(share: float) -> str:
    """A share as whole percent, one decimal below ten."""
    return f"{100 * share:.1f}%" if abs(share) < 0.0995 else f"{100 * share:.0f}%"


def factor(value: float) -> str:
    """A factor with two decimals."""
    return f"{value:.2f}"
