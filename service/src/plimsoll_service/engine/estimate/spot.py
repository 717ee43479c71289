"""A run that may be interrupted: expected time at the best checkpoint interval (Young 1974, Daly 2006).

T = M·e^(R/M)·(e^((τ+δ)/M) − 1)·W/τ  with M hours between interruptions, R to restart, δ to write a checkpoint,
τ between two, W of work; the best τ is √(2·δ·M).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from plimsoll_service.engine.hardware import Floats

# 15% a day, the upper end of what GCE states for preemptible machines (5 to 15%); AWS's worst band is lower.
INTERRUPTIONS_PER_HOUR = 0.007
SHORTEST_INTERVAL_HOURS = 10 / 60  # without a checkpoint's cost the formula would write all the time
LONGEST_EXPONENT = 50.0  # beyond it the run never ends; the figure only has to stay finite


@dataclass(frozen=True, eq=False)
class Interrupted:
    """Expected hours of the run, the checkpoint interval in hours, and the interruptions that it will meet."""

    hours: Floats
    interval_hours: Floats
    restarts: Floats


def interrupted(work: Floats, write: Floats, restart: Floats, per_hour: Floats, interval: float | None) -> Interrupted:
    """Expected run time of ``work`` hours at ``per_hour`` interruptions of the whole candidate."""
    between = 1 / np.maximum(per_hour, 1e-12)
    best = np.maximum(np.sqrt(2 * write * between), SHORTEST_INTERVAL_HOURS)
    tau = np.full_like(work, interval) if interval is not None else best
    tau = np.maximum(np.minimum(tau, np.maximum(work, SHORTEST_INTERVAL_HOURS)), 1e-6)
    segment = np.minimum((tau + write) / between, LONGEST_EXPONENT)
    hours = between * np.exp(np.minimum(restart / between, LONGEST_EXPONENT)) * np.expm1(segment) * work / tau
    return Interrupted(hours + restart, tau, hours * per_hour)


def finish_probability(hours: float, deadline: float | None, per_hour: float, loss_hours: float) -> float:
    """Chance that no more interruptions come than the slack before the deadline absorbs (Poisson); 1 without one."""
    if deadline is None:
        return 1.0
    if hours > deadline:
        return 0.0
    bearable = int((deadline - hours) / max(loss_hours, 1e-9))
    mean = per_hour * hours
    term = total = exp(-mean)
    for count in range(1, min(bearable, 1000) + 1):
        term *= mean / count
        total += term
    return min(total, 1.0)
