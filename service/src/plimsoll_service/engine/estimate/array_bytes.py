"""How much memory a structure of arrays takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.shared import Shared
from plimsoll_service.engine.hardware import Offers
from plimsoll_service.engine.machines import Machines, Taken
from plimsoll_service.engine.models.profile import ModelProfile

APART = (str, int, float, type(None), Job, ModelProfile, Offers, Shared)  # what holds no arrays, or none of its own


def array_bytes(value: Any) -> int:
    """Bytes of all distinct arrays in dataclasses, dictionaries and sequences; a view counts as what it looks into.

    What is ``Shared`` counts for nothing, except as the ``value`` itself.
    """
    seen: dict[int, int] = {}
    waiting = list(_parts(value)) if isinstance(value, Shared) else [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, np.ndarray):
            whole = part if part.base is None else part.base
            seen[id(whole)] = whole.nbytes if isinstance(whole, np.ndarray) else part.nbytes
        elif not isinstance(part, APART):
            waiting.extend(_parts(part))
    return sum(seen.values())


def _parts(value: Any) -> Iterable[Any]:
    """What may hold arrays: of machines what was gathered of the catalog's."""
    if isinstance(value, Machines):
        return value.gathered() if isinstance(value, Taken) else ()
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (tuple, list)):
        return value
    return vars(value).values() if hasattr(value, "__dataclass_fields__") else ()
