"""A discrete-event simulation of devices that answer in batches, independent of the one behind the table."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from plimsoll_service.engine.hardware import Floats

DIFFER = 0.04  # of the logarithm of equal devices' speeds, and of equal steps
WARM_UP = 0.1  # share of the requests that is not counted


def answered(step: Callable[[int], float], largest: int, devices: int, rate: float, requests: int, seed: int) -> Floats:
    """Times to answer of requests that arrive at random; a free device takes all that wait, up to the largest batch."""
    chance = np.random.default_rng(seed)
    arrivals = np.cumsum(chance.exponential(1 / rate, requests))
    came = arrivals.tolist()
    slow = chance.lognormal(0.0, DIFFER, devices)
    pace = (slow * np.mean(1 / slow)).tolist()
    differ = chance.lognormal(0.0, DIFFER, requests).tolist()
    own = [0.0, *map(step, range(1, largest + 1))]
    free = [(0.0, device) for device in range(devices)]
    taken: list[int] = []
    ends: list[float] = []
    first = 0
    while first < requests:
        at, device = free[0]
        start = max(at, came[first])
        last = bisect_right(came, start, first + 1, min(first + largest, requests))
        taken.append(last - first)
        ends.append(start + own[last - first])
        heapq.heapreplace(free, (start + own[last - first] * pace[device] * differ[first], device))
        first = last
    times: Floats = np.repeat(ends, taken) - arrivals
    return times[int(requests * WARM_UP) :]


def quantile(times: Floats, share: float) -> float:
    """Time within which that share of them stays."""
    return float(np.partition(times, place := int(len(times) * share))[place])
