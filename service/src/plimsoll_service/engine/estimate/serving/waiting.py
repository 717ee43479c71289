"""Wait for one of the slots of all replicas: the requests that the engines run at once.

As in M/M/c, since the lengths of answers vary: of the requests that wait the time is exponential, and how many wait
follows Sakasegawa (1977), load ^ (sqrt(2 (c + 1)) − 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.outcome import backlog_seconds
from plimsoll_service.engine.estimate.serving.curves import LOADS, Curves, points_at
from plimsoll_service.engine.hardware import Floats, Places

SLOWEST, HALF = 0.05, 0.5  # shares of the requests


@dataclass(frozen=True, eq=False)
class Slots:
    """Slots of a replica: how many, seconds of a request and requests a second where all are taken.

    Up to ``free`` requests a second of a replica hardly any waits, in however many replicas.
    """

    count: Floats
    stay: Floats
    rate: Floats
    free: Floats


@dataclass(frozen=True, eq=False)
class Waits:
    """Seconds that the slowest twentieth of the requests waits for a slot, and half of them."""

    long: Floats
    usual: Floats


def slots_of(most: Floats, line: Places, curves: Curves) -> Slots:
    """Slots of replicas whose memory holds so many requests; no target bounds what an engine takes on."""
    count = np.clip(most, 1.0, LOADS[-1])
    stay = points_at(line, count).of(curves.whole)
    rate = count / stay
    free = np.where(most >= 1, rate * SLOWEST ** (1 / _exponent(count)), np.inf)  # what does not fit serves nobody
    return Slots(count, stay, rate, free)


def _exponent(count: Floats) -> Floats:
    exponent: Floats = np.sqrt(2 * (count + 1)) - 1
    return exponent


def crowded(slots: Slots, asked: float, replicas: Floats) -> Places:
    """Rows where one in twenty requests at that rate waits for a slot."""
    rows = (slots.free * replicas < asked).nonzero()[0]
    if not len(rows):
        return rows
    load = asked / (slots.rate[rows] * replicas[rows])
    many: Places = rows[load ** _exponent(slots.count[rows] * replicas[rows]) > SLOWEST]
    return many


def waits_at_rate(slots: Slots, asked: float, replicas: Floats) -> Waits:
    """Waits of requests at that rate for the slots of so many replicas; in a queue that grows after an hour of it."""
    rows = crowded(slots, asked, replicas)
    long, usual = np.zeros(len(replicas)), np.zeros(len(replicas))
    if not len(rows):
        return Waits(long, usual)
    count, rate = slots.count[rows] * replicas[rows], slots.rate[rows] * replicas[rows]
    load = np.minimum(asked / rate, 1.0)
    waiting = _exponent(count) * np.log(load)  # of the share that waits, the logarithm
    each = np.where(load < 1, slots.stay[rows] / (count * np.maximum(1 - load, 1e-12)), 0.0)  # none where a queue grows
    grown = backlog_seconds(asked, rate)
    for wait, beyond in ((long, SLOWEST), (usual, HALF)):
        wait[rows] = grown + np.maximum(waiting - np.log(beyond), 0.0) * each
    return Waits(long, usual)


def held_back_seconds(slots: Slots, at_once: float, replicas: Floats, answer: Floats) -> Floats:
    """Wait of users where more send at once than there are slots, each taking so long (Little's law)."""
    return np.maximum(at_once / replicas / slots.count - 1.0, 0.0) * answer
