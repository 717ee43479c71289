"""How likely an interrupted run ends in time, and how often it may be interrupted before on demand is cheaper.

The model is that of ``spot``. What an interruption adds to a run is a sum of independent delays, one a segment, so the
distribution of the sum is a product of their transforms. It is taken on a lattice with the fast Fourier transform and
exponential tilting (Grübel and Hermesmeier 1999), which keeps what lies beyond the lattice out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, log, log2

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.estimate.spot import ROUNDING, interrupted
from plimsoll_service.engine.hardware import Floats

FEWEST_POINTS, MOST_POINTS = 1 << 10, 1 << 15  # of the lattice: a thousandth of the slack, or finer
POINTS_A_SEGMENT = 8  # a delay is spread over its segment, so the lattice must tell its parts
TILT = 16.0  # e^-16 of what lies a lattice's length too far leaks in, and rounding grows to no more than e^16 · 1e-16
NEGLIGIBLE = 1e-6  # answers show five digits
# Rates among which the break-even is looked for, an hour: once in 100,000 years to once a second.
RAREST, MOST_FREQUENT = 1e-9, 3600.0
GRID = 48  # rates tried at once; each round narrows 28 powers of e to a 47th, so three leave less than 0.03%
ROUNDS = 3

Transform = NDArray[np.complex128]


@dataclass(frozen=True)
class SpotRun:
    """One run in hours: its work, one checkpoint's writing, one restart (as long as the first start), the interval."""

    work: float
    write: float
    restart: float
    interval: float

    @property
    def segments(self) -> int:
        """Pieces that the work is cut into; each ends with a checkpoint."""
        return max(ceil(self.work / self.interval - ROUNDING), 1) if self.interval > 0 else 1

    @property
    def undisturbed(self) -> float:
        """Hours from the end of the first start to the last checkpoint, if nothing interrupts."""
        return self.work + self.segments * self.write


def survival_probability(hours: float, per_hour: float) -> float:
    """Chance that so many hours pass without an interruption: e^(−λt)."""
    return exp(-per_hour * max(hours, 0.0))


def finish_probability(run: SpotRun, deadline: float | None, per_hour: float) -> float:
    """Chance that the run ends within ``deadline`` hours of its order, with all its interruptions; 1 without one."""
    if deadline is None:
        return 1.0
    slack = deadline - run.restart - run.undisturbed
    if slack < 0:
        return 0.0
    untouched = survival_probability(run.undisturbed, per_hour)
    # No delay is shorter than a restart: less slack than that bears no interruption.
    if slack <= run.restart or 1 - untouched < ROUNDING:
        return untouched
    if _surely(slack, run, per_hour):
        return 1.0
    return max(untouched, min(_delayed_at_most(slack, run, per_hour), 1.0))


def _surely(slack: float, run: SpotRun, per_hour: float) -> bool:
    """Whether longer delays are so unlikely that no answer would show them, by Chernoff's bound at one exponent.

    The moment E[e^(θX)] of a segment's delay is its transform in ``_delay`` with e^θ for z; the last is no longer.
    """
    segment = min(run.interval, run.work) + run.write
    again = run.restart + segment
    theta = 2 / again
    grown = exp((theta - per_hour) * again)
    if per_hour >= theta or per_hour * grown >= theta:
        return False  # at that exponent the moment is infinite
    delayed = per_hour * (exp(-per_hour * segment) - exp(-theta * segment)) * grown / (theta - per_hour * grown)
    return run.segments * log(exp(-per_hour * segment) + delayed) - theta * slack < log(NEGLIGIBLE)


def _delayed_at_most(slack: float, run: SpotRun, per_hour: float) -> float:
    """Chance that all interruptions together delay the run by no more than ``slack`` hours."""
    last = run.work - (run.segments - 1) * run.interval + run.write
    finest = min(POINTS_A_SEGMENT * slack / max(last, min(run.interval + run.write, slack), ROUNDING), MOST_POINTS)
    points = 1 << ceil(log2(max(finest, FEWEST_POINTS)))
    step = slack / (points - 0.5)  # the lattice's last cell ends at the slack
    tilt = TILT / points
    z = np.exp(-tilt - 2j * np.pi * np.arange(points // 2 + 1) / points)
    transform = _delay(last, run.restart, per_hour, step, points, z)
    if run.segments > 1:
        whole = _delay(run.interval + run.write, run.restart, per_hour, step, points, z)
        transform = transform * whole ** (run.segments - 1)
    masses = np.fft.irfft(transform, points) * np.exp(tilt * np.arange(points))
    return float(masses.sum())


def _delay(segment: float, restart: float, per_hour: float, step: float, points: int, z: Transform) -> Transform:
    """Transform of what interruptions add to one segment.

    None comes with probability e^(−λs). Else what was done is lost, and then restart and segment are tried until they
    are done without another; of these R + s hours each failure loses a part, and the success adds the restart.
    """
    again = restart + segment
    untouched, success = exp(-per_hour * segment), exp(-per_hour * again)
    first = _lost(segment, per_hour, step, points, z)
    repeated = _lost(again, per_hour, step, points, z)
    whole = int(restart / step)
    share = restart / step - whole
    started = z**whole * (1 - share + share * z)
    found: Transform = untouched + (1 - untouched) * first * started * success / (1 - (1 - success) * repeated)
    return found


def _lost(hours: float, per_hour: float, step: float, points: int, z: Transform) -> Transform:
    """Transform of the time to an interruption that comes within ``hours``, each mass shared by its two neighbours."""
    at = np.arange(-1, points + 1) * step
    inside = np.clip(at, 0.0, hours)
    share = -np.expm1(-per_hour * hours)
    area = (inside + np.expm1(-per_hour * inside) / per_hour) / share + np.maximum(at - hours, 0.0)
    masses = np.diff(area, 2) / step
    tilted = masses * np.abs(z[0]) ** np.arange(points)
    found: Transform = np.fft.rfft(tilted)
    return found


def break_even_per_hour(
    work: Floats,
    write: Floats,
    restart: Floats,
    interval: float | None,
    spot_usd_per_hour: Floats,
    on_demand_usd: Floats,
) -> Floats:
    """Interruptions an hour at which the expected cost on spot is that on demand; 0 where it always costs more.

    ``interval`` is the stated one; without it each rate has its own best. NaN where a price is unknown. Found on grids
    of rates, each finer than the one before.
    """
    low, high = np.full(len(work), RAREST), np.full(len(work), MOST_FREQUENT)
    places, every = np.linspace(0, 1, GRID), np.arange(len(work))
    for _ in range(ROUNDS):
        rates = low[:, None] * (high / low)[:, None] ** places
        working, writing, starting = (np.broadcast_to(one[:, None], rates.shape) for one in (work, write, restart))
        run = interrupted(working, writing, starting, rates, interval)
        dearer = run.hours * spot_usd_per_hour[:, None] > on_demand_usd[:, None]
        first = np.where(dearer.any(axis=1), dearer.argmax(axis=1), GRID - 1)
        low, high = rates[every, np.maximum(first - 1, 0)], rates[every, first]
    found = np.where(high <= RAREST, 0.0, np.sqrt(low * high))
    return np.where(np.isnan(spot_usd_per_hour * on_demand_usd), np.nan, found)
