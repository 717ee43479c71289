"""More requests than a service carries: the queue grows as long as they keep coming."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.hardware import Floats

# A queue that grows has no latency of its own; what is stated is that after an hour of it.
OVERLOAD_SECONDS = 3600.0


def backlog_seconds(asked: float | None, capacity: Floats) -> Floats:
    """How long a request waits after an hour at the asked rate: what was left over, at the rate that is carried."""
    if asked is None:
        return np.zeros_like(capacity)
    left: Floats = np.maximum(asked / np.maximum(capacity, 1e-12) - 1.0, 0.0) * OVERLOAD_SECONDS
    return left
