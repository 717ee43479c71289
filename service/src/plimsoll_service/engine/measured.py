"""Measurements of exactly one kind of work, looked up by accelerator, count and batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .known import SAME_SPEED, trained_as
from .workload import Workload

UNSAID = "-"
EMULATION = "fp32"  # what a device computes in where it lacks 16 bits


@dataclass(frozen=True, slots=True)
class Point:
    """Samples a second of ``devices`` of one machine; ``year`` is the software's, both ``None`` where not stated."""

    precision: str
    accelerator: str
    devices: int
    batch: int | None
    year: float | None
    rate: float


Measured = Mapping[str, Mapping[str, tuple[Point, ...]]]  # cell → accelerator → points


def cell_tuned(model: str, workload: Workload, tuning: str | None) -> str:
    """The work that a point shares with a question under that tuning; of a sample, a square is one side."""
    sides = "x".join(str(side) for side in dict.fromkeys(workload.image_size or ()))
    shape = [workload.sequence_length, sides, workload.steps]
    adapters = None if workload.method in (None, "full") else workload.method
    words = [trained_as(model, adapters), workload.task, workload.framework, tuning, *shape]
    return " ".join(str(word) if word else UNSAID for word in words)


def key_of(point: Point) -> str:
    """The point without its rate, as one word for the written table; years to the hundredth."""
    year = UNSAID if point.year is None else f"{point.year:.2f}"
    return f"{point.precision} {point.accelerator} {point.devices} {point.batch or UNSAID} {year}"


def parsed(table: Mapping[str, Mapping[str, float]]) -> Measured:
    """The written table as points."""
    found: dict[str, dict[str, tuple[Point, ...]]] = {}
    for cell, rates in table.items():
        of_cell = found.setdefault(cell, {})
        for key, rate in rates.items():
            precision, accelerator, devices, batch, year = key.split(" ")
            sizes = int(devices), None if batch == UNSAID else int(batch), None if year == UNSAID else float(year)
            point = Point(precision, accelerator, *sizes, rate)
            of_cell[accelerator] = (*of_cell.get(accelerator, ()), point)
    return found


def at_precision(points: Iterable[Point], precision: str, emulated: bool) -> list[Point]:
    """The points at that precision; where there are none, those that count as alike; emulated ones ran in fp32."""
    wanted = EMULATION if emulated else precision
    same = [point for point in points if point.precision == wanted]
    alike = SAME_SPEED.get(wanted)
    return same or [point for point in points if alike and SAME_SPEED.get(point.precision) == alike]


def nearest_software(points: Iterable[Point], year: float) -> list[Point]:
    """Of each batch the point whose software is nearest to that year, by batch; an undated one is as near as can be."""
    ordered = sorted(points, key=lambda point: 0.0 if point.year is None else abs(point.year - year))
    best = {point.batch: point for point in reversed(ordered)}  # the nearest is written last; of equals the first
    return sorted(best.values(), key=lambda point: point.batch or 0)
