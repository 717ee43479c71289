"""Build of the table of measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from gathered.measurements.figures import own_measurements
from plimsoll_service.evidence.measurement import Measurement, by_source, write
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
    sources = by_source([*rows, *own_measurements()])
    folder = output or Path(str(resources.files("plimsoll_service.evidence") / MEASUREMENTS))
    folder.mkdir(parents=True, exist_ok=True)
    for source, found in sorted(sources.items()):
        write(folder / f"{source}.csv", found)
    return Built(Counter({source: len(found) for source, found in sorted(sources.items())}))
