"""Simulated runs with interruptions, with which the closed forms are compared."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

RUNS = 100_000


@dataclass(frozen=True)
class Simulated:
    """Hours from order to end, and interruptions met, of each run."""

    hours: np.ndarray
    restarts: np.ndarray


def simulate(work: float, write: float, restart: float, per_hour: float, interval: float) -> Simulated:
    """Runs that are interrupted after exponential times and go on from their last finished checkpoint."""
    draw = np.random.default_rng(20061)
    segment = interval + write
    segments = max(ceil(work / interval - 1e-9), 1)
    last = work - (segments - 1) * interval + write
    left = np.full(RUNS, segments - 1)  # whole segments still to be done, besides the last
    hours, restarts = np.full(RUNS, restart), np.zeros(RUNS)
    coming_up = np.zeros(RUNS)  # hours of restart before work goes on
    going = np.arange(RUNS)
    while len(going):
        until = draw.exponential(1 / per_hour, len(going))
        needed = coming_up[going] + left[going] * segment + last
        ended = until >= needed
        hours[going] += np.where(ended, needed, until)
        worked = np.maximum(until - coming_up[going], 0.0)
        left[going] -= np.minimum(np.floor(worked / segment).astype(int), left[going])
        coming_up[going] = restart
        going = going[~ended]
        restarts[going] += 1
    return Simulated(hours, restarts)
