"""What the measurements cover, as the file that tells an estimate's basis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from plimsoll_service.calibration.writing import Document
from plimsoll_service.engine import models
from plimsoll_service.engine.demand.kind import kind_of
from plimsoll_service.engine.hardware import Accelerators, Processors
from plimsoll_service.engine.known import Known, architecture_of, cell_of, software_of
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Workload
from plimsoll_service.evidence.measurement import Measurement

SPEEDS = ("samples/s", "tokens/s", "output_tokens/s", "prefill_tokens/s", "ttft_ms", "tpot_ms", "latency_ms", "seconds")
LISTS = ("architectures", "models", "software", "generations", "vectors")


def known_of(
    measurements: Iterable[Measurement], accelerators: Accelerators, processors: Processors
) -> dict[str, Known]:
    """What undoubted rows of speed cover, by kind of work (``cpu_`` before it where no accelerator did it)."""
    rows: dict[str, list[tuple[Measurement, ModelProfile]]] = defaultdict(list)
    for one in measurements:
        profile = models.find(one.model, one.framework)
        if one.doubt or one.metric not in SPEEDS or profile is None:
            continue
        work = kind_of(Workload(task=one.task), profile)  # type: ignore[arg-type]
        rows[work if one.accelerator else f"cpu_{work}"].append((one, profile))
    generations = dict(zip(accelerators.name, accelerators.generation, strict=True))
    vectors = dict(zip(processors.microarchitecture, processors.vector, strict=True))
    vectors |= dict(zip(processors.name, processors.vector, strict=True))
    return {name: _known(rows[name], generations.get, vectors.get) for name in sorted(rows)}


def _known(
    rows: Sequence[tuple[Measurement, ModelProfile]],
    generation: Callable[[str], str | None],
    vector: Callable[[str], str | None],
) -> Known:
    cells: dict[str, set[str]] = defaultdict(set)
    for one, profile in rows:
        if one.accelerator:
            cells[cell_of(profile.name, one.precision, software_of(one.framework, one.tuning))].add(one.accelerator)
    return Known(
        architectures=frozenset(architecture_of(profile) for _, profile in rows),
        models=frozenset(profile.name for _, profile in rows),
        software=frozenset(software_of(one.framework, one.tuning) for one, _ in rows),
        generations=_named(generation(one.accelerator or "") for one, _ in rows),
        vectors=_named(vector(one.cpu or "") for one, _ in rows if not one.accelerator),
        cells={cell: " ".join(sorted(names)) for cell, names in sorted(cells.items())},
    )


def _named(words: Iterable[str | None]) -> frozenset[str]:
    return frozenset(word for word in words if word)


def known_document(about: str, known: Mapping[str, Known]) -> Document:
    """The file that holds it, in a fixed order."""
    return {"about": about, "known": {work: _words(one) for work, one in known.items()}}


def _words(known: Known) -> dict[str, Any]:
    listed = {name: sorted(getattr(known, name)) for name in LISTS}
    return {name: words for name, words in (*listed.items(), ("cells", known.cells)) if words}
