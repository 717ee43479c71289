"""The tails of a service under a rate against a simulation, event by event, of the same replica."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
import pytest

from plimsoll_service.engine.estimate.serving.curves import GRID, Latency, curves_of, points_at
from plimsoll_service.engine.estimate.serving.delivered import Slots, waits_at_rate

TOKENS, PROMPT_S, REQUESTS = 200, 0.02, 20_000
ONE = np.zeros(1, dtype=np.intp)


def decode_s(running: float) -> float:
    """Seconds of a step: reading weights, and a part for each running request."""
    return 0.010 + 0.0003 * running


def simulated(
    rate: float, slots: int, step: Callable[[float], float], prompt_s: float
) -> tuple[np.ndarray, np.ndarray]:
    """Seconds per token, and seconds of waiting for a slot, of requests that arrive at random.

    Running requests advance together, a token a step; each prompt that starts holds all of them up.
    """
    chance = np.random.default_rng(1)
    arrivals = np.cumsum(chance.exponential(1 / rate, REQUESTS))
    lengths = chance.exponential(TOKENS, REQUESTS)
    running: list[tuple[float, int, float]] = []  # progress at which it ends, request, moment of its start
    queue: list[int] = []
    now = progress = 0.0
    coming, each, waited = 0, np.full(REQUESTS, np.nan), np.zeros(REQUESTS)
    while coming < REQUESTS or running:
        ends = now + (running[0][0] - progress) * step(len(running)) if running else np.inf
        comes = arrivals[coming] if coming < REQUESTS else np.inf
        if comes < ends:
            progress += (comes - now) / step(len(running)) if running else 0.0
            now = comes
            queue.append(coming)
            coming += 1
        else:
            now, progress = ends, running[0][0]
            _, one, start = heapq.heappop(running)
            each[one] = (now - start) / lengths[one]
        while queue and len(running) < slots:
            one = queue.pop(0)
            waited[one] = now - arrivals[one]
            for place, (until, other, start) in enumerate(running):  # held up by the prompt
                running[place] = (until + prompt_s / step(len(running)), other, start)
            heapq.heappush(running, (progress + lengths[one], one, now))
    return each, waited


@pytest.mark.parametrize("rate", [0.3, 2.0, 6.0])
def test_time_per_token_under_a_rate(rate: float) -> None:
    """Median and 95th percentile lie within 15% of the simulation, from next to no load on."""
    each, _ = simulated(rate, 10_000, decode_s, PROMPT_S)
    long = each[np.isfinite(each)]
    running = GRID[:, None]
    times = decode_s(running) + (running - 1) / TOKENS * PROMPT_S
    nothing = np.zeros_like(times)
    curves = curves_of(
        Latency(nothing, nothing, times, times, nothing), running / (TOKENS * times), float(TOKENS), True
    )
    load = np.interp(rate, ((GRID - 1) / curves.whole[:, 0]), GRID)
    there = points_at(ONE, np.array([load]))

    assert there.of(curves.tpot)[0] == pytest.approx(np.median(long), rel=0.15)
    assert there.of(curves.tpot_p95)[0] == pytest.approx(np.quantile(long, 0.95), rel=0.15)


@pytest.mark.parametrize(("slots", "load"), [(4, 0.3), (4, 0.7), (16, 0.6), (16, 0.9), (64, 0.7), (64, 0.9)])
def test_wait_for_a_slot(slots: int, load: float) -> None:
    """One in twenty waits as long as in a simulation, within 15% of the time that a request stays."""
    stay = TOKENS * 0.010
    _, waited = simulated(load * slots / stay, slots, lambda _running: 0.010, 0.0)
    column = np.array([float(slots)])
    found = waits_at_rate(Slots(column, np.array([stay]), column / stay, np.zeros(1)), load * slots / stay, np.ones(1))

    assert abs(found.long[0] - np.quantile(waited, 0.95)) < 0.15 * stay + 0.15 * found.long[0]
