"""Build of the table of measurements."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from gathered.measurements.figures import own_measurements
from plimsoll_service.evidence.measurement import COLUMNS, FALSE, SIDES, TRUE, Measurement
from plimsoll_service.evidence.published import MEASUREMENTS


@dataclass(frozen=True)
class Built:
    """Number of measurements written, by source."""

    rows: Counter[str]

    def __str__(self) -> str:
        lines = [f"{'source':<18}{'measurements':>14}", *(f"{key:<18}{rows:>14,}" for key, rows in self.rows.items())]
        return "\n".join([*lines, f"{'total':<18}{self.rows.total():>14,}"])


def build(output: Path | None = None, rows: Iterable[Measurement] = ()) -> Built:
    """Write one file for each source into ``output``, by default over the bundled table; raises ``EvidenceError``.

    The rows are the given ones and those of the project's own tables.
    """
    sources = _by_source([*rows, *own_measurements()])
    folder = output or Path(str(resources.files("plimsoll_service.evidence") / MEASUREMENTS))
    folder.mkdir(parents=True, exist_ok=True)
    for source, found in sorted(sources.items()):
        write(folder / f"{source}.csv", found)
    return Built(Counter({source: len(found) for source, found in sorted(sources.items())}))


def write(path: Path, measurements: Sequence[Measurement]) -> None:
    """Write the rows, without columns that are empty in all of them."""
    used = [name for name in COLUMNS if any(_cell(getattr(row, name)) for row in measurements)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(used)
        writer.writerows([_cell(getattr(row, name)) for name in used] for row in measurements)


def _cell(value: Any) -> str:
    if value is None or value is False or value == "":
        return FALSE if value is False else ""
    if value is True:
        return TRUE
    if isinstance(value, tuple):
        return SIDES.join(map(str, value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _by_source(measurements: Iterable[Measurement]) -> dict[str, list[Measurement]]:
    """The rows of each source, in their order."""
    found: dict[str, list[Measurement]] = {}
    for row in measurements:
        found.setdefault(row.source, []).append(row)
    return found
