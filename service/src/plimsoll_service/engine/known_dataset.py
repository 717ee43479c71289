"""What is known of a public data set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownDataset:
    """A public data set: samples and bytes of its training part, per storage format where known."""

    name: str
    samples: float
    format: str  # customary one
    bytes: tuple[tuple[str, float], ...]  # (format, bytes)
    source: str
    aliases: tuple[str, ...] = ()
    sample: str = "one image"
    validation_samples: float | None = None
    validation_bytes: tuple[tuple[str, float], ...] = ()
    tokens: float | None = None  # of texts, under the customary tokeniser
    features: int | None = None  # columns of tables
