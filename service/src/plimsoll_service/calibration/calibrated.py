"""What one problem gives the calibration: files to write, left-out residuals, figures for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plimsoll_service.calibration.residual import Residual
from plimsoll_service.calibration.writing import Document, Written


@dataclass(frozen=True)
class Calibrated:
    """A fitted problem; ``files`` are those of the coefficients by name, ``shipped`` tells its evidence."""

    name: str
    files: Mapping[str, Document]
    residuals: Sequence[Residual]
    figures: Mapping[str, Sequence[Written]] = field(default_factory=dict)
    notes: Sequence[str] = ()  # paragraphs for the report
    shipped: bool = True  # rests on the project's own table; else on runs that are not part of it
