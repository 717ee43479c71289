"""How much memory a structure of arrays takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Taken
from plimsoll_service.engine.models.profile import ModelProfile

PLAIN = (str, int, float, type(None))  # most of what is met on the way, and holds nothing


def array_bytes(value: Any) -> int:
    """Bytes of all distinct arrays in dataclasses, dictionaries and sequences; a view counts as what it looks into."""
    seen: dict[int, int] = {}
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, np.ndarray):
            whole = part if part.base is None else part.base
            seen[id(whole)] = whole.nbytes if isinstance(whole, np.ndarray) else part.nbytes
        elif not isinstance(part, PLAIN):
            waiting.extend(_parts(part))
    return sum(seen.values())


def _parts(value: Any) -> Iterable[Any]:
    """What may hold arrays: of machines what was gathered of the catalog's; jobs and models have none."""
    if isinstance(value, Taken):
        return value.gathered()
    if isinstance(value, (Job, ModelProfile)):
        return ()
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (tuple, list)):
        return value
    return vars(value).values() if hasattr(value, "__dataclass_fields__") else ()
