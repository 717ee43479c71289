"""What the engine's form says of each bundled measurement when its fit has not seen it, read once."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from plimsoll_service.evidence.columns import EvidenceError

FILE = "data/left_out.csv"
SCHEMES = ("device", "model", "source")  # what the fit had not seen, whole
HEADER = ("id", *SCHEMES)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Predictions in the unit of the measurement; ``None`` where no fit without that group was judged by the row."""

    device: float | None = None
    model: float | None = None
    source: float | None = None


NONE = LeftOut()


@lru_cache(maxsize=1)
def load() -> Mapping[str, LeftOut]:
    """The bundled predictions by measurement; raises ``EvidenceError`` for a broken file."""
    with (resources.files(__package__) / FILE).open(encoding="utf-8") as file:
        return read(file)


def read(file: Iterable[str]) -> dict[str, LeftOut]:
    """The predictions of an open file by measurement; raises ``EvidenceError`` where it is not one."""
    lines = csv.reader(file)
    if tuple(next(lines, ())) != HEADER:
        raise EvidenceError(f"{FILE}: the header is not {','.join(HEADER)}")
    try:
        return {key: LeftOut(*(float(cell) if cell else None for cell in cells)) for key, *cells in lines}
    except (TypeError, ValueError) as error:
        raise EvidenceError(f"{FILE}: {error}") from error
