"""Measured speeds of samples as the file in which the engine looks them up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import median

from plimsoll_service.calibration.writing import Document, rounded_rate
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.measured import Point, key_of, work_cell
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

KINDS = (kind.SAMPLE_TRAINING, kind.INFERENCE)
# Loads under which a service does all that it can; under a latency target it does less.
FLAT_OUT = (None, "offline", "static", "saturated")
# Domino Data Lab's benchmark runs cells of several kinds, and which one was run is not said.
STANDS_FOR: Mapping[tuple[str, str], tuple[str, ...]] = {("domino", "rnn"): ("rnn", "lstm")}
ABOUT = "Samples a second as published, by work: precision, accelerator, devices, batch and year of the software."


def measured_document(measurements: Iterable[Measurement]) -> Document:
    """The file's content; several runs of just the same are one point, their median."""
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in measurements:
        for cell, point in _points(row):
            rates[cell][key_of(point)].append(point.rate)
    return {
        "about": ABOUT,
        "rates": {
            cell: {key: rounded_rate(median(found)) for key, found in sorted(rates[cell].items())}
            for cell in sorted(rates)
        },
    }


def _points(row: Measurement) -> Iterator[tuple[str, Point]]:
    """The row as points; none where it is doubted, not of one machine's accelerators, or not counted in samples."""
    sound = row.metric == "samples/s" and not row.doubt and row.load in FLAT_OUT
    if not sound or row.accelerator is None or row.node_count > 1:
        return
    job = job_of(Query(asked(row)[0]), Coefficients())
    if job.kind not in KINDS or job.profile is None:
        return
    for model in STANDS_FOR.get((row.source, row.model), (job.profile.name,)):
        yield work_cell(model, job.workload), _point(row, job)


def _point(row: Measurement, job: Job) -> Point:
    """Devices infer side by side, so that the rate of one stands for any number of them."""
    assert row.accelerator is not None  # the caller's rows have one
    devices = row.device_count if row.task == "training" else 1
    rate = row.value * devices / row.device_count
    return Point(job.precision, row.accelerator, devices, row.batch_size, job.software_year, rate)
