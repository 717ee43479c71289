"""Left-out errors as residuals: what each row's fit still knew of its model, device and software."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.calibration.fitting import Fit, Problem, leave_out
from plimsoll_service.calibration.residual import SCHEMES, Residual
from plimsoll_service.engine.hardware import Catalog, Floats
from plimsoll_service.engine.known import software_of
from plimsoll_service.evidence.measurement import Measurement

NO_DEVICE = ""


def generations_of(catalog: Catalog) -> dict[str, str]:
    """The generation of each accelerator."""
    return dict(zip(catalog.accelerators.name, catalog.accelerators.generation, strict=True))


@dataclass(frozen=True)
class Described:
    """Rows in the words of a residual."""

    rows: Sequence[Measurement]
    kind: str
    families: Sequence[str]
    generations: Mapping[str, str]  # by accelerator


def left_out(problem: Problem, found: Fit, described: Described) -> list[Residual]:
    """Errors of every row by the fit that has not seen its device, model or source."""
    residuals: list[Residual] = []
    for scheme in SCHEMES:
        errors = leave_out(problem, found, labels(described.rows, scheme))
        residuals += residuals_of(described, scheme, errors)
    return residuals


def labels(rows: Sequence[Measurement], scheme: str) -> NDArray[np.str_]:
    """What is left out together: a device, a model or a source."""
    of: dict[str, Callable[[Measurement], str]] = {
        "device": lambda row: row.accelerator or row.cpu or NO_DEVICE,
        "model": lambda row: row.model,
        "source": lambda row: row.source,
    }
    return np.array([of[scheme](row) for row in rows], dtype=np.str_)


def residuals_of(described: Described, scheme: str, errors: Floats) -> list[Residual]:
    """One residual a row: ``errors`` are ln(predicted ÷ measured) by the fit that had not seen the row's group."""
    rows, groups = described.rows, labels(described.rows, scheme)
    models, devices = labels(rows, "model"), labels(rows, "device")
    software = np.array([software_of(row.framework, row.tuning) for row in rows], dtype=np.str_)
    known = [_held(words, groups) for words in (models, devices, software)]
    return [
        Residual(
            measurement_id=row.id,
            source=row.source,
            kind=described.kind,
            metric=row.metric,
            model=row.model,
            family=described.families[place],
            device=str(devices[place]),
            generation=described.generations.get(str(devices[place]), ""),
            scheme=scheme,
            log_error=float(errors[place]),
            known_model=bool(known[0][place]),
            known_device=bool(known[1][place]),
            known_software=bool(known[2][place]),
        )
        for place, row in enumerate(rows)
    ]


def _held(words: NDArray[np.str_], groups: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Whether a row of another group has the same word."""
    spread = {word: len(set(groups[words == word])) for word in np.unique(words)}
    return np.array([spread[word] > 1 for word in words])
