"""How much memory a structure of arrays takes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Taken


def array_bytes(value: Any) -> int:
    """Bytes of all distinct arrays in dataclasses, dictionaries and sequences; a view counts as what it looks into."""
    seen: dict[int, int] = {}
    _count(value, seen)
    return sum(seen.values())


def _count(value: Any, seen: dict[int, int]) -> None:
    if isinstance(value, np.ndarray):
        whole = value if value.base is None else value.base
        seen[id(whole)] = whole.nbytes if isinstance(whole, np.ndarray) else value.nbytes
    elif isinstance(value, Job):  # has none
        return
    elif isinstance(value, Taken):  # the rest is the catalog's
        for array in value.gathered():
            _count(array, seen)
    elif is_dataclass(value):
        for column in fields(value):
            _count(getattr(value, column.name), seen)
    elif isinstance(value, dict):
        for part in value.values():
            _count(part, seen)
    elif isinstance(value, (tuple, list)):
        for part in value:
            _count(part, seen)
