"""The bundled table of measurements, read once."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources

from plimsoll_service.evidence import columns
from plimsoll_service.evidence.measurement import Measurement

MEASUREMENTS = "data/measurements"
_VERSION_DIGITS = 12


@lru_cache(maxsize=1)
def load() -> tuple[Measurement, ...]:
    """Every bundled measurement, by source and in the source's order; raises ``EvidenceError`` for a broken file."""
    folder = resources.files(__package__) / MEASUREMENTS
    found: list[Measurement] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        with file.open(encoding="utf-8") as text:
            found += columns.read(text, file.name)
    return tuple(found)


@lru_cache(maxsize=1)
def version() -> str:
    """A fingerprint of the bundled files: changes where any measurement does."""
    digest = hashlib.sha256()
    folder = resources.files(__package__) / MEASUREMENTS
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:_VERSION_DIGITS]
