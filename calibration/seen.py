"""Coverage of the measurements: the words that decide an estimate's basis, and measured speeds to look up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, cast

from calibration.asked import asked, states_software
from calibration.files import Document, Entry, rounded_rate
from calibration.problems.serving_rows import NOT_FITTED, WITHOUT_END
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind import kind_of
from plimsoll_service.engine.estimate.serving.curves import LOADS
from plimsoll_service.engine.hardware import Accelerators, Processors
from plimsoll_service.engine.known import Known, Loads, cell_of, fitted_architecture, software_of, stack_of, trained_as
from plimsoll_service.engine.measured import Point, cell_tuned, key_of
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Query, Task, Workload
from plimsoll_service.evidence import models
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.statements import frameworks

SPEEDS = ("samples/s", "tokens/s", "output_tokens/s", "prefill_tokens/s", "ttft_ms", "tpot_ms", "latency_ms", "seconds")
LISTS = ("architectures", "models", "software", "generations", "stacks", "vectors")


def known_of(
    measurements: Iterable[Measurement], accelerators: Accelerators, processors: Processors
) -> dict[str, Known]:
    """Return the coverage of undoubted rows of speed, by kind of work (with ``cpu_`` before it for processors)."""
    rows: dict[str, list[tuple[Measurement, ModelProfile]]] = defaultdict(list)
    for one in measurements:
        profile = models.find(one.model, one.framework)
        if one.doubt or one.metric not in SPEEDS or profile is None:
            continue
        work = kind_of(Workload(task=cast(Task, one.task)), profile)
        rows[work if one.accelerator else f"cpu_{work}"].append((one, profile))
    generations = dict(zip(accelerators.name, accelerators.generation, strict=True))
    vectors = dict(zip(processors.microarchitecture, processors.vector, strict=True))
    vectors |= dict(zip(processors.name, processors.vector, strict=True))
    found = {name: _known(rows[name], generations.get, vectors.get) for name in sorted(rows)}
    if kind.SERVING in found:
        found[kind.SERVING] = replace(found[kind.SERVING], loads=_loads(rows[kind.SERVING]))
    return found


def _known(
    rows: Sequence[tuple[Measurement, ModelProfile]],
    generation: Callable[[str], str | None],
    vector: Callable[[str], str | None],
) -> Known:
    cells: dict[str, set[str]] = defaultdict(set)
    for one, profile in rows:
        if one.accelerator:
            cells[_cell(one, profile)].add(one.accelerator)
    return Known(
        architectures=frozenset(_architecture(one, profile) for one, profile in rows),
        models=frozenset(trained_as(profile.name, _adapters(one)) for one, profile in rows),
        software=frozenset(software_of(one.framework, one.tuning) for one, _ in rows),
        generations=_named(generation(one.accelerator or "") for one, _ in rows),
        stacks=_named(_stack(one, profile, generation) for one, profile in rows),
        vectors=_named(vector(one.cpu or "") for one, _ in rows if not one.accelerator),
        cells={cell: " ".join(sorted(names)) for cell, names in sorted(cells.items())},
    )


def _cell(one: Measurement, profile: ModelProfile) -> str:
    return cell_of(trained_as(profile.name, _adapters(one)), one.precision, software_of(one.framework, one.tuning))


def _architecture(one: Measurement, profile: ModelProfile) -> str:
    return trained_as(fitted_architecture(profile), _adapters(one))


def _adapters(one: Measurement) -> str | None:
    return one.method if one.method in kind.ADAPTED else None


def _loads(rows: Sequence[tuple[Measurement, ModelProfile]]) -> Loads:
    """The most requests at once on a replica, by cell and accelerator.

    Runs that only check an estimate say nothing of the loads of other devices.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for one, profile in rows:
        if one.accelerator and one.source not in NOT_FITTED:
            of_cell = found[_cell(one, profile)]
            of_cell[one.accelerator] = max(of_cell.get(one.accelerator, 1.0), _load(one))
    return {cell: dict(sorted(of_cell.items())) for cell, of_cell in sorted(found.items())}


def _load(one: Measurement) -> float:
    """Requests at once on one replica; the most that the formulas have, where all are sent at once."""
    most = LOADS[-1]
    return most if one.load in WITHOUT_END else min(round(one.concurrency or 1.0, 1), most)


def _stack(one: Measurement, profile: ModelProfile, generation: Callable[[str], str | None]) -> str | None:
    """Key of the row's library and architecture on its generation of devices; ``None`` for an unknown generation."""
    device = generation(one.accelerator or "")
    return stack_of(frameworks().of(one.framework).library, device, _architecture(one, profile)) if device else None


def _named(words: Iterable[str | None]) -> frozenset[str]:
    return frozenset(word for word in words if word)


def known_document(about: str, known: Mapping[str, Known]) -> Document:
    """Return the content of its file, in a fixed order."""
    return {"about": about, "known": {work: _words(one) for work, one in known.items()}}


def _words(known: Known) -> dict[str, Any]:
    listed = {name: sorted(getattr(known, name)) for name in LISTS}
    loads = {cell: Entry(of_cell) for cell, of_cell in known.loads.items()}
    return {name: words for name, words in (*listed.items(), ("cells", known.cells), ("loads", loads)) if words}


KINDS = (kind.SAMPLE_TRAINING, kind.INFERENCE)
# Loads without a latency target, under which a service reaches its highest rate.
FLAT_OUT = (None, "offline", "static", "saturated")
# Domino Data Lab's benchmark does not say which kind of recurrent cell it ran.
STANDS_FOR: Mapping[tuple[str, str], tuple[str, ...]] = {("domino", "rnn"): ("rnn", "lstm")}
ABOUT = "Samples a second as published, by work: precision, accelerator, devices, batch and year of the software."


def measured_document(measurements: Iterable[Measurement]) -> Document:
    """Return the file's content; equal runs are one point, their median."""
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
    """Yield the row's points; none for doubted rows, several machines, processors, or other units than samples."""
    sound = row.metric == "samples/s" and not row.doubt and row.load in FLAT_OUT
    if not sound or row.accelerator is None or row.node_count > 1:
        return
    job = job_of(Query(asked(row)[0]), starting())
    if job.kind not in KINDS or job.profile is None:
        return
    for model in STANDS_FOR.get((row.source, row.model), (job.profile.name,)):
        yield cell_tuned(model, job.workload, job.workload.tuning), _point(row, job)


def _point(row: Measurement, job: Job) -> Point:
    """Return the row as a point; devices infer independently, so inference has the rate of one device.

    A date of the row instead of a version is good enough for a fit, but no reason to change what was measured.
    """
    assert row.accelerator is not None  # the caller's rows have one
    devices = row.device_count if row.task == "training" else 1
    rate = row.value * devices / row.device_count
    year = job.software_year if states_software(row) else None
    return Point(job.precision, row.accelerator, devices, row.batch_size, year, rate)
