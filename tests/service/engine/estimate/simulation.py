"""A discrete-event simulation of devices that answer in batches, apart from the one that the table was made with."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence

DIFFER = 0.04  # of the logarithm of equal devices' speeds, and of equal steps
WARM_UP = 0.1  # share of the requests that is not counted


def answered(
    step: Callable[[int], float], largest: int, devices: int, rate: float, requests: int, seed: int
) -> list[float]:
    """Times to answer of requests that arrive at random; a free device takes all that wait, up to the largest batch."""
    chance = random.Random(seed)
    arrivals, now = [], 0.0
    for _ in range(requests):
        now += chance.expovariate(rate)
        arrivals.append(now)
    slow = [chance.lognormvariate(0.0, DIFFER) for _ in range(devices)]
    even = sum(1 / one for one in slow) / devices
    free = [(0.0, device) for device in range(devices)]
    times: list[float] = []
    while len(times) < requests:
        at, device = heapq.heappop(free)
        first = len(times)
        start, last = max(at, arrivals[first]), first + 1
        while last < min(first + largest, requests) and arrivals[last] <= start:
            last += 1
        own = step(last - first)
        times += [start + own - arrival for arrival in arrivals[first:last]]
        heapq.heappush(free, (start + own * slow[device] * even * chance.lognormvariate(0.0, DIFFER), device))
    return times[int(requests * WARM_UP) :]


def quantile(times: Sequence[float], share: float) -> float:
    """The time that so large a share of them stays within."""
    return sorted(times)[int(len(times) * share)]
