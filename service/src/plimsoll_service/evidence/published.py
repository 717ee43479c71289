"""The bundled evidence, read once: measurements, their sources, and predictions with the measurement held out."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from .measurement import EvidenceError, Measurement, read

MEASUREMENTS = "data/measurements"
_VERSION_DIGITS = 12


@lru_cache(maxsize=1)
def measurements() -> tuple[Measurement, ...]:
    """Return every bundled measurement, by source and in the source's order; raises ``EvidenceError``."""
    folder = resources.files(__package__) / MEASUREMENTS
    found: list[Measurement] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        with file.open(encoding="utf-8") as text:
            found += read(text, file.name)
    return tuple(found)


@lru_cache(maxsize=1)
def version() -> str:
    """Fingerprint of the bundled files; it changes with any measurement."""
    digest = hashlib.sha256()
    folder = resources.files(__package__) / MEASUREMENTS
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:_VERSION_DIGITS]


SOURCES = ("data/sources.csv", "figures/sources.csv")


@dataclass(frozen=True, slots=True)
class Source:
    """A laboratory's publication; ``doubts`` in the project's own words."""

    key: str
    title: str
    url: str
    licence: str
    what: str
    doubts: str


@lru_cache(maxsize=1)
def sources() -> dict[str, Source]:
    """Return every source by its key; raises ``EvidenceError`` for a broken file or a repeated key."""
    found = [source for name in SOURCES for source in _sources_of(name)]
    by_key = {source.key: source for source in found}
    if len(by_key) != len(found):
        raise EvidenceError(f"{' and '.join(SOURCES)}: a key stands twice")
    return by_key


def _sources_of(name: str) -> list[Source]:
    with (resources.files(__package__) / name).open(encoding="utf-8") as file:
        try:
            return [Source(**row) for row in csv.DictReader(file)]
        except TypeError as error:
            raise EvidenceError(f"{name}: {error}") from error


PREDICTIONS = "data/held_out.csv"
SCHEMES = ("device", "model", "source")  # groups that are held out whole
PREDICTION_COLUMNS = ("id", *SCHEMES)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Predictions in the unit of the measurement; ``None`` where there is no fit without that group."""

    device: float | None = None
    model: float | None = None
    source: float | None = None


NONE = HeldOut()


@lru_cache(maxsize=1)
def predictions() -> Mapping[str, HeldOut]:
    """Return the bundled predictions by measurement; raises ``EvidenceError``."""
    with (resources.files(__package__) / PREDICTIONS).open(encoding="utf-8") as file:
        return read_predictions(file)


def predictions_path() -> Path:
    """Path of the bundled predictions."""
    return Path(str(resources.files(__package__) / PREDICTIONS))


def read_predictions(file: Iterable[str]) -> dict[str, HeldOut]:
    """Return the predictions of an open file by measurement; raises ``EvidenceError``."""
    lines = csv.reader(file)
    if tuple(next(lines, ())) != PREDICTION_COLUMNS:
        raise EvidenceError(f"{PREDICTIONS}: the header is not {','.join(PREDICTION_COLUMNS)}")
    try:
        return {key: HeldOut(*(float(cell) if cell else None for cell in cells)) for key, *cells in lines}
    except (TypeError, ValueError) as error:
        raise EvidenceError(f"{PREDICTIONS}: {error}") from error
