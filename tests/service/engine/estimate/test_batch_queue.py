"""Times to answer of a service with batches, compared with a simulation, and the machines that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.estimate.simulation import answered, quantile
from tests.service.fitted import FITTED

from plimsoll_service.engine.estimate.batch_queue import (
    AS_FAST,
    AS_SOON,
    BatchService,
    Load,
    machines_needed,
    operation,
)
from plimsoll_service.engine.waits import MEDIAN, QUANTILES, TAIL

SECONDS = 0.02  # of a step of one request
STEPS: dict[str, Callable[[float], float]] = {
    "constant": lambda _: SECONDS,
    "mostly fixed": lambda taken: SECONDS * (0.9 + 0.1 * taken),
    "half fixed": lambda taken: SECONDS * (0.5 + 0.5 * taken),
    "roofline": lambda taken: SECONDS * float(np.hypot(1.0, taken / 8)),
}
SIZES = ((1, 1), (1, 32), (4, 2), (16, 1), (16, 8), (64, 4), (64, 32))  # largest batch, devices
CASES = [
    (name, largest, devices, load, 0.15 if name != "roofline" or largest * devices < 200 else 0.3)
    for name in STEPS
    for largest, devices in SIZES
    if largest > 1 or name == "constant"  # one by one, all steps are alike
    for load in (0.05, 0.5, 0.8, 0.95)
]  # of many devices whose steps bend, the batches of each other keep them in two states, which no fixed part tells


def service_of(step: Callable[[float], float], largest: int, devices: int) -> BatchService:
    """One machine with those devices, which may take batches of up to the largest."""
    batches = np.array([2.0**power for power in range(largest.bit_length())])
    allowed = (batches == largest)[:, None]
    steps = np.array([[step(batch)] for batch in batches.tolist()])
    return BatchService(FITTED.waits, batches, steps, allowed, np.array([float(devices)]))


def said(service: BatchService, rate: float, place: int) -> float:
    """Time to answer of one machine at its largest batch."""
    cells = service.all(np.array([len(service.batches) - 1]))
    return float(service.seconds(cells, np.ones(1), np.array([rate]), place)[0])


@pytest.mark.parametrize(("name", "largest", "devices", "load", "error"), CASES)
def test_the_time_to_answer_is_that_of_a_simulation(
    name: str, largest: int, devices: int, load: float, error: float
) -> None:
    """Median and 95th percentile lie within 15%, from an idle service to a nearly full one."""
    service = service_of(STEPS[name], largest, devices)
    rate = load * float(service.rates[-1, 0])
    requests = max(20_000 if load < 0.9 else 200_000, 60 * largest * devices)  # a full queue forgets slowly
    times = answered(lambda taken: STEPS[name](taken), largest, devices, rate, requests, seed=largest * devices)

    for place in (MEDIAN, TAIL):
        assert said(service, rate, place) == pytest.approx(quantile(times, QUANTILES[place]), rel=error)


def needed(rate: float, limit: float | None, devices: int = 1, low: float = 1.0) -> float:
    """Machines for a rate and a limit of seconds."""
    service = service_of(STEPS["half fixed"], 16, devices)
    service = BatchService(
        service.waits, service.batches, service.steps, np.ones_like(service.allowed), service.servers
    )
    return float(machines_needed(service, Load(np.array([low]), rate=rate), limit, 64)[0])


def test_an_idle_service_answers_in_its_own_time() -> None:
    """A single request waits for no other, whatever the largest batch is."""
    for largest in (1, 8, 64):
        assert said(service_of(STEPS["half fixed"], largest, 1), 1e-6, TAIL) == pytest.approx(SECONDS, rel=1e-3)


def test_devices_share_a_queue() -> None:
    """At the same load of each device, more of them answer sooner."""
    times = [said(service_of(STEPS["half fixed"], 8, devices), 200.0 * devices, TAIL) for devices in (1, 2, 8, 32)]
    assert times == sorted(times, reverse=True)


def test_more_requests_never_need_fewer_machines() -> None:
    """More requests, or a tighter limit, never need fewer machines."""
    by_rate = [needed(rate, 2.5 * SECONDS) for rate in np.geomspace(1, 1000, 40)]
    by_limit = [needed(200.0, limit) for limit in np.geomspace(SECONDS, 1.0, 40)]
    assert by_rate == sorted(by_rate)
    assert by_limit == sorted(by_limit, reverse=True)


def test_a_machine_fewer_is_late_or_too_slow() -> None:
    """The machines are the fewest at which the rate and the limit hold at the low end."""
    for rate in (10.0, 100.0, 700.0):
        for limit in (1.2, 2.0, 4.0):
            enough = needed(rate, limit * SECONDS, low=0.7)
            service = service_of(STEPS["half fixed"], 16, 1)
            free = BatchService(
                service.waits, service.batches, service.steps, np.ones_like(service.allowed), service.servers
            )
            load = Load(np.array([0.7]), rate=rate)

            def met(
                machines: float, load: Load = load, free: BatchService = free, limit: float = limit, rate: float = rate
            ) -> bool:
                run = operation(free, load, np.array([machines]), None)
                carried = float(run.capacity[0]) * 0.7 >= rate
                return carried and float(run.late_seconds[0]) <= limit * SECONDS

            if limit * 0.7 < 1:
                continue
            assert met(enough)
            assert enough == 1 or not met(enough - 1)


def test_users_with_a_device_each_do_not_wait() -> None:
    """With more users than devices, each waits for the next free device."""
    service = service_of(STEPS["half fixed"], 8, 4)
    times = [
        float(service.seconds_of_users(service.all(np.array([3])), np.ones(1), users)[0]) for users in (1, 4, 5, 50)
    ]
    assert times[0] == times[1] == SECONDS
    assert times[1] < times[2] < times[3]


def test_the_batch_is_the_smallest_of_those_that_answer_as_soon() -> None:
    """A batch that never fills is no setting to recommend, nor is one that a limit rules out."""
    service = service_of(STEPS["mostly fixed"], 64, 1)
    free = BatchService(service.waits, service.batches, service.steps, np.ones_like(service.allowed), service.servers)
    load = Load(np.ones(1), rate=0.5 / SECONDS)
    runs = [operation(free, load, np.ones(1), limit) for limit in (None, 1.0)]
    largest = operation(service, load, np.ones(1), None)

    for run in runs:
        assert 2 <= free.batches[run.place[0]] <= 8
        assert run.seconds[0] <= AS_SOON * largest.seconds[0]


@pytest.mark.parametrize(("gain", "taken"), [(1.03, 1), (1.2, 8)])
def test_a_larger_batch_that_gains_less_than_a_twentieth_is_not_taken(gain: float, taken: int) -> None:
    """Without a load, the smallest batch runs that carries as much as any but for a twentieth, at its own rate."""
    service = service_of(lambda batch: SECONDS * batch / (gain if batch >= 8 else 1.0), 8, 1)
    free = BatchService(service.waits, service.batches, service.steps, np.ones_like(service.allowed), service.servers)
    run = operation(free, Load(np.ones(1)), np.ones(1), None)

    assert taken == free.batches[run.place[0]]
    assert run.capacity[0] == free.rates[run.place[0], 0]
    assert run.capacity[0] * AS_FAST >= free.most()[0]


def test_tuned_software_takes_no_batch_slower_than_that_of_stock_software() -> None:
    """A batch of one would be within a twentieth of the best, and slower than two, which stock software takes."""
    service = service_of(lambda batch: SECONDS * batch / (1.0 if batch == 1 else 1.04), 2, 1)
    both = np.ones_like(service.allowed)
    stock = SECONDS * np.array([[1.0 / 0.9], [2.0 / 1.02]])
    for beside, taken in ((None, 1), (stock, 2)):
        tuned = replace(service, allowed=both, stock=beside)
        assert taken == tuned.batches[tuned.fastest()[0]]
