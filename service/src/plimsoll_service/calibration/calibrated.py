"""What one problem gives the calibration: modules to write, left-out residuals, figures for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plimsoll_service.calibration.residual import Residual
from plimsoll_service.calibration.writing import Written


@dataclass(frozen=True)
class Calibrated:
    """A fitted problem; ``modules`` are the texts of ``engine.fitted`` by file name, ``shipped`` its evidence."""

    name: str
    modules: Mapping[str, str]
    residuals: Sequence[Residual]
    figures: Mapping[str, Sequence[Written]] = field(default_factory=dict)
    notes: Sequence[str] = ()  # paragraphs for the report
    shipped: bool = True  # rests on the project's own table; else on runs that are not part of it
