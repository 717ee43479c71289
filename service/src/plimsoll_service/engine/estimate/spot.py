"""A run that may be interrupted: expected time and restarts at the best checkpoint interval (Young 1974, Daly 2006).

Interruptions come at λ an hour (Poisson). The work is cut into segments of τ, each followed by a checkpoint of δ; an
interruption costs what the segment had got to and a restart R, which can itself be interrupted. A segment of
s = τ + δ hours then takes e^(λR)·(e^(λs) − 1)/λ hours on average (docs/method.md derives it).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plimsoll_service.engine.hardware import Floats

# Of one machine, where nobody states it: 15% a day, the upper end of what GCE states for preemptible machines (5 to
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


def interrupted(work: Floats, write: Floats, restart: Floats, per_hour: Floats, interval: float | None) -> Interrupted:
    """Expected run of ``work`` hours at ``per_hour`` interruptions of the whole candidate; starting up counts once.

    Without a stated ``interval`` the work is cut into the number of equal segments that takes least; where those would
    be shorter than ``SHORTEST_INTERVAL_HOURS``, each but the last has that length.
    """
    return Interruptions(write, restart, per_hour, interval).over(work)


@dataclass(frozen=True, eq=False)
class Interruptions:
    """What runs of any length meet: hours to write a checkpoint and to restart, interruptions, a stated interval."""

    write: Floats
    restart: Floats
    per_hour: Floats
    interval: float | None

    @cached_property
    def rate(self) -> Floats:
        """Interruptions an hour by which can be divided."""
        return np.maximum(self.per_hour, RAREST_PER_HOUR)

    @cached_property
    def restarting(self) -> Floats:
        """What restarts that are themselves interrupted make of an hour."""
        factor: Floats = np.exp(np.minimum(self.restart * self.rate, LONGEST_EXPONENT))
        return factor

    @cached_property
    def best_interval(self) -> Floats:
        """See ``best_interval_hours``."""
        return best_interval_hours(self.write, self.per_hour)

    def over(self, work: Floats) -> Interrupted:
        """Expected run of ``work`` hours; see ``interrupted``."""
        if self.interval is not None:
            tau = np.maximum(np.minimum(self.interval, work), RAREST_PER_HOUR)
            segments = np.maximum(np.ceil(work / tau - ROUNDING), 1.0)
            running = self._expected(work, tau, segments)
            return Interrupted(running + self.restart, tau, running * self.per_hour)
        most = np.maximum(np.ceil(work / SHORTEST_INTERVAL_HOURS - ROUNDING), 1.0)
        fewer = np.maximum(np.floor(work / self.best_interval), 1.0)
        more = np.minimum(fewer + 1, most)
        few_tau, many_tau = (np.maximum(work / count, SHORTEST_INTERVAL_HOURS) for count in (fewer, more))
        few, many = self._expected(work, few_tau, fewer), self._expected(work, many_tau, more)
        running, tau = np.minimum(few, many), np.minimum(work, np.where(few <= many, few_tau, many_tau))
        return Interrupted(running + self.restart, tau, running * self.per_hour)

    def _expected(self, work: Floats, interval: Floats, segments: Floats) -> Floats:
        """Expected hours from the first start on: all segments but the last of one interval, the last of the rest."""
        others, last = segments - 1, work - (segments - 1) * interval
        lost = others * _grown(self.rate, interval + self.write) + _grown(self.rate, last + self.write)
        hours: Floats = self.restarting * lost / self.rate
        return hours


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
    grown: Floats = np.expm1(np.minimum(rate * hours, LONGEST_EXPONENT))
    return grown
