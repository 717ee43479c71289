"""The evidence command as a function: gathered figures in, the table's files out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from plimsoll_service.evidence.imports import run
from plimsoll_service.evidence.table import MEASUREMENTS


@dataclass(frozen=True)
class Built:
    """How many measurements of each source were written."""

    rows: Counter[str]

    def __str__(self) -> str:
        lines = [f"{'source':<18}{'measurements':>14}", *(f"{key:<18}{rows:>14,}" for key, rows in self.rows.items())]
        return "\n".join([*lines, f"{'total':<18}{self.rows.total():>14,}"])


def build(figures: Path | None, output: Path | None = None) -> Built:
    """Write the gathered tables, and those of a figures folder, where ``output`` is left out over the bundled table.

    Raises ``EvidenceError`` for what cannot be read, and then writes nothing.
    """
    return Built(run.build(figures, output or Path(str(resources.files(__package__) / MEASUREMENTS))))
