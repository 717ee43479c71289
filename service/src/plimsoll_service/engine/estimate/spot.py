"""A run that may be interrupted: expected time and restarts, chance to end in time, and the rate that still pays.

Checkpoints come at the best interval (Young 1974, Daly 2006). Interruptions come at λ an hour (Poisson). The work is
cut into segments of τ, each followed by a checkpoint of δ. An interruption costs the work done in the segment and a
restart R, which can be interrupted too. A segment of s = τ + δ hours then takes e^(λR)·(e^(λs) − 1)/λ hours on
average (docs/method.md derives it). The delay of a run is a sum of independent delays, one a segment, so its
distribution is a product of their transforms. It is computed on a lattice with the fast Fourier transform and
exponential tilting (Grübel and Hermesmeier 1999), which keeps probability beyond the lattice out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, log, log2

import numpy as np
from numpy.typing import NDArray

from ..hardware import Floats

# Of one machine, where nobody states it: 15% a day, the upper end of GCE's figures for preemptible machines (5 to
# 15%); AWS's worst band is lower.
INTERRUPTIONS_PER_HOUR = 0.007
SHORTEST_INTERVAL_HOURS = 10 / 60  # without a checkpoint's cost the formula would write all the time
LONGEST_EXPONENT = 50.0  # beyond it the run never ends; the figure only has to stay finite
RAREST_PER_HOUR = 1e-12  # below it nothing is ever interrupted; keeps 1/λ finite
ROUNDING = 1e-9  # of a segment: work that is a whole number of intervals has no remainder


@dataclass(frozen=True, eq=False)
class Interrupted:
    """Expected hours of the run, work in hours between two checkpoints, and the interruptions that it will meet."""

    hours: Floats
    interval_hours: Floats
    restarts: Floats


@dataclass(frozen=True, eq=False)
class Interruptions:
    """Conditions of a run: hours to write a checkpoint, to restart and to start, interruptions, a stated interval."""

    write: Floats
    restart: Floats
    per_hour: Floats
    interval: float | None
    start: Floats | None = None  # as long as a restart where it is not given

    @cached_property
    def rate(self) -> Floats:
        """Interruptions an hour by which can be divided."""
        return np.maximum(self.per_hour, RAREST_PER_HOUR)

    @property
    def starting(self) -> Floats:
        """Hours of the first start."""
        return self.restart if self.start is None else self.start

    @cached_property
    def restarting(self) -> Floats:
        """Factor of restarts that are themselves interrupted."""
        return np.exp(np.minimum(self.restart * self.rate, LONGEST_EXPONENT))

    @cached_property
    def best_interval(self) -> Floats:
        """See ``best_interval_hours``."""
        return best_interval_hours(self.write, self.per_hour)

    def over(self, work: Floats) -> Interrupted:
        """Expected run of ``work`` hours; starting up counts once.

        Without a stated interval, the work is cut into the number of equal segments that takes least time. If these
        would be shorter than ``SHORTEST_INTERVAL_HOURS``, all segments but the last have that length.
        """
        if self.interval is not None:
            tau = np.maximum(np.minimum(self.interval, work), RAREST_PER_HOUR)
            segments = np.maximum(np.ceil(work / tau - ROUNDING), 1.0)
            running = self._expected(work, tau, segments)
            return Interrupted(running + self.starting, tau, running * self.per_hour)
        most = np.maximum(np.ceil(work / SHORTEST_INTERVAL_HOURS - ROUNDING), 1.0)
        fewer = np.maximum(np.floor(work / self.best_interval), 1.0)
        more = np.minimum(fewer + 1, most)
        few_tau, many_tau = (np.maximum(work / count, SHORTEST_INTERVAL_HOURS) for count in (fewer, more))
        few, many = self._expected(work, few_tau, fewer), self._expected(work, many_tau, more)
        running, tau = np.minimum(few, many), np.minimum(work, np.where(few <= many, few_tau, many_tau))
        return Interrupted(running + self.starting, tau, running * self.per_hour)

    def _expected(self, work: Floats, interval: Floats, segments: Floats) -> Floats:
        """Expected hours from the first start on: all segments but the last of one interval, the last of the rest."""
        others, last = segments - 1, work - (segments - 1) * interval
        lost = others * _grown(self.rate, interval + self.write) + _grown(self.rate, last + self.write)
        return self.restarting * lost / self.rate


def best_interval_hours(write: Floats, per_hour: Floats) -> Floats:
    """Hours of work between two checkpoints that make an endless run shortest (Daly 2006, the higher-order estimate).

    √(2δM)·(1 + √(δ/2M)/3 + (δ/2M)/9) − δ, with M hours between interruptions, for δ < 2M, else M; never under ten
    minutes.
    """
    between = 1 / np.maximum(per_hour, RAREST_PER_HOUR)
    share = np.sqrt(np.minimum(write / (2 * between), 1.0))
    higher_order = np.sqrt(2 * write * between) * (1 + share / 3 + share**2 / 9) - write
    return np.maximum(np.where(write < 2 * between, higher_order, between), SHORTEST_INTERVAL_HOURS)


def _grown(rate: Floats, hours: Floats) -> Floats:
    """e^(λs) − 1."""
    return np.expm1(np.minimum(rate * hours, LONGEST_EXPONENT))


FEWEST_POINTS, MOST_POINTS = 1 << 10, 1 << 15  # of the lattice: a thousandth of the slack, or finer
POINTS_A_SEGMENT = 8  # a delay is spread over its segment, so the lattice must tell its parts
# e^-16 of the probability a lattice's length too far leaks in, and rounding grows to no more than e^16 · 1e-16.
TILT = 16.0
NEGLIGIBLE = 1e-6  # answers show five digits
# Rates among which the break-even is looked for, an hour: once in 100,000 years to once a second.
RAREST, MOST_FREQUENT = 1e-9, 3600.0
GRID = 48  # rates tried at once; each round narrows 28 powers of e to a 47th, so three leave less than 0.03%
ROUNDS = 3

Transform = NDArray[np.complex128]


@dataclass(frozen=True)
class SpotRun:
    """One run in hours: its work, one checkpoint's writing, one restart, the interval, the first start."""

    work: float
    write: float
    restart: float
    interval: float
    start: float | None = None  # as long as a restart where it is not given

    @property
    def starting(self) -> float:
        """Hours of the first start."""
        return self.restart if self.start is None else self.start

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
    slack = deadline - run.starting - run.undisturbed
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
    """Transform of the delay of one segment.

    None comes with probability e^(−λs). Else the work done is lost, and then restart and segment are tried until they
    are done without another; of these R + s hours each failure loses a part, and the success adds the restart.
    """
    again = restart + segment
    untouched, success = exp(-per_hour * segment), exp(-per_hour * again)
    first = _lost(segment, per_hour, step, points, z)
    repeated = _lost(again, per_hour, step, points, z)
    whole = int(restart / step)
    share = restart / step - whole
    started = z**whole * (1 - share + share * z)
    return untouched + (1 - untouched) * first * started * success / (1 - (1 - success) * repeated)


def _lost(hours: float, per_hour: float, step: float, points: int, z: Transform) -> Transform:
    """Transform of the time to an interruption that comes within ``hours``, each mass shared by its two neighbours."""
    at = np.arange(-1, points + 1) * step
    inside = np.clip(at, 0.0, hours)
    share = -np.expm1(-per_hour * hours)
    area = (inside + np.expm1(-per_hour * inside) / per_hour) / share + np.maximum(at - hours, 0.0)
    masses = np.diff(area, 2) / step
    return np.fft.rfft(masses * np.abs(z[0]) ** np.arange(points))


def break_even_per_hour(
    work: Floats,
    write: Floats,
    restart: Floats,
    interval: float | None,
    spot_usd_per_hour: Floats,
    on_demand_usd: Floats,
    start: Floats | None = None,
    usd_per_restart: Floats | float = 0.0,
) -> Floats:
    """Interruptions an hour at which the expected cost on spot is that on demand; 0 where it always costs more.

    ``interval`` is the stated one; without it each rate has its own best. NaN where a price is unknown. Found on grids
    of rates, each finer than the one before.
    """
    low, high = np.full(len(work), RAREST), np.full(len(work), MOST_FREQUENT)
    places, every = np.linspace(0, 1, GRID), np.arange(len(work))
    for _ in range(ROUNDS):
        rates = low[:, None] * (high / low)[:, None] ** places
        hours = (work, write, restart, restart if start is None else start)
        working, writing, again, first_start = (np.broadcast_to(one[:, None], rates.shape) for one in hours)
        run = Interruptions(writing, again, rates, interval, first_start).over(working)
        moving = run.restarts * np.broadcast_to(usd_per_restart, len(work))[:, None]
        dearer = run.hours * spot_usd_per_hour[:, None] + moving > on_demand_usd[:, None]
        first = np.where(dearer.any(axis=1), dearer.argmax(axis=1), GRID - 1)
        low, high = rates[every, np.maximum(first - 1, 0)], rates[every, first]
    found = np.where(high <= RAREST, 0.0, np.sqrt(low * high))
    return np.where(np.isnan(spot_usd_per_hour * on_demand_usd), np.nan, found)
