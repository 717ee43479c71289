"""How much memory a structure of arrays takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Taken
from plimsoll_service.engine.models.profile import ModelProfile


def array_bytes(value: Any) -> int:
    """Bytes of all distinct arrays in dataclasses, dictionaries and sequences; a view counts as what it looks into."""
    seen: dict[int, int] = {}
    _count(value, seen)
    return sum(seen.values())


def _count(value: Any, seen: dict[int, int]) -> None:
    if isinstance(value, np.ndarray):
        whole = value if value.base is None else value.base
        seen[id(whole)] = whole.nbytes if isinstance(whole, np.ndarray) else value.nbytes
    for part in _parts(value):
        _count(part, seen)


def _parts(value: Any) -> Iterable[Any]:
    """What may hold arrays: of machines what was gathered of the catalog's; jobs and models have none."""
    if isinstance(value, Taken):
        return value.gathered()
    if isinstance(value, (Job, ModelProfile)):
        return ()
    if is_dataclass(value):
        return (getattr(value, column.name) for column in fields(value))
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (tuple, list)) else ()
