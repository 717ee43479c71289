"""The batch at which each machine answers: the one with the highest rate that meets the latency and fits.

A request waits for the batch that is running and, under load, for those before it: 95th percentile =
step · (1 + 0.95) + 3 · step · ρ / (2·(1 − ρ)) (mean wait of an M/D/1 queue; the 95th percentile of an exponential tail
is 3 times its mean).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS
from plimsoll_service.engine.estimate.kinds import Kinds
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.measured_pace import Steps
from plimsoll_service.engine.estimate.outcome import Gathered, Worked
from plimsoll_service.engine.estimate.roofline import Step
from plimsoll_service.engine.estimate.supply import Fed, Input
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile

RUNNING_BATCH_WAIT = 0.95
TAIL = 3.0
FULLEST = 0.95  # load at which a queue is still finite in practice
BATCHES = tuple(2.0**power for power in range(9))  # 1 … 256: beyond it the published rows gain under 5%
ROW_BATCHES = tuple(4.0**power for power in range(9))  # 1 … 65,536, where a sample is a row of a table


@dataclass(frozen=True, eq=False)
class OneStep:
    """A step of one batch on each machine (see ``Step``)."""

    seconds: Floats
    bottleneck: Gathered
    at_once: Floats


@dataclass(frozen=True, eq=False)
class Tried:
    """The step of each batch that may be chosen: a row a batch, a column a kind of hardware."""

    batches: Floats
    steps: Step
    of: Places  # the kind of every machine

    def at(self, place: int | Places) -> OneStep:
        """Every machine's step of the batch in that place, or in its own."""
        steps, cell = self.steps, place * self.steps.seconds.shape[1] + self.of
        return OneStep(steps.seconds.take(cell), Gathered(steps.bottleneck.ravel(), cell), steps.at_once.take(cell))


@dataclass(frozen=True, eq=False)
class Operating:
    """How each candidate runs: batch, samples a second of one machine, latency unloaded and at the load."""

    batch: Floats
    machine_rate: Floats
    step_seconds: Floats
    bottleneck: Ints | Gathered | Worked
    lone_seconds: Floats  # a step of the smallest batch
    most_rate: Floats  # samples a second of one machine at the best batch that it may run


def batches_of(profile: ModelProfile) -> tuple[float, ...]:
    """The batches that are tried where none is asked."""
    return ROW_BATCHES if family_of(profile.family).data == "table" else BATCHES


def batches_tried(job: Job, profile: ModelProfile) -> tuple[float, ...]:
    """Those that may be chosen: the asked one, the smallest for a request alone, else as many as may be at once."""
    asked = job.workload.batch_size
    if asked is not None or lone_requests(job):
        return (float(asked or 1),)
    most = np.inf if job.workload.concurrency is None else float(job.workload.concurrency)
    return (1.0, *(size for size in batches_of(profile)[1:] if size <= most))


def tried(steps: Steps, hardware: Kinds, batches: tuple[float, ...]) -> Tried:
    """The steps of those batches; ``steps`` has a row a kind of hardware."""
    each = [steps.step(np.full(len(hardware), batch)) for batch in batches]
    together = Step(
        np.stack([one.seconds for one in each]),
        np.stack([one.bottleneck for one in each]),
        np.stack([one.at_once for one in each]),
    )
    return Tried(np.array(batches), together, hardware.of)


@dataclass(frozen=True, eq=False)
class Paces:
    """Samples a second of one machine at each batch that may be chosen, and the largest batch that it may run."""

    rates: tuple[Floats, ...]
    largest: Floats


def paces_of(options: Tried, supply: Input, largest: Floats) -> Paces:
    """The rates with the data brought in; no batch is above the ``largest``, but the first."""
    devices = np.maximum(supply.machines.devices, 1.0)
    batches = enumerate(options.batches.tolist())
    return Paces(tuple(_fed(supply, devices, batch, options.at(place)).rate for place, batch in batches), largest)


def choose(job: Job, options: Tried, supply: Input, cautious: Floats, paces: Paces) -> Operating:
    """The batch with the highest rate whose unloaded latency meets the target; the smallest where none does.

    At a given rate a larger batch only delays answers, unless fewer machines then carry it. ``cautious`` is the low end
    of each machine's rate, as a factor.
    """
    devices = np.maximum(supply.machines.devices, 1.0)
    place, most_rate = _best(job, options, devices, cautious, paces)
    batch, step = options.batches.take(place), options.at(place)
    run = _fed(supply, devices, batch, step)
    lone = _slowed(devices, options.batches.item(0), options.at(0), paces.rates[0])
    return Operating(batch, run.rate, _slowed(devices, batch, step, run.rate), run.bottleneck, lone, most_rate)


def _best(job: Job, options: Tried, devices: Floats, cautious: Floats, paces: Paces) -> tuple[Places, Floats]:
    """The place of each machine's batch, and the highest rate that any batch allows."""
    limit, asked = job.workload.latency_ms, job.workload.requests_per_second
    place, best = np.zeros(len(devices), dtype=np.intp), paces.rates[0]
    most_rate, needed = best, machines_needed(asked, cautious, best)
    for number, rate in enumerate(paces.rates[1:], 1):
        batch = options.batches.item(number)
        allowed = batch <= paces.largest
        if limit is not None:
            seconds = _slowed(devices, batch, options.at(number), rate)
            allowed &= ~(latency_seconds(seconds, 0.0) / cautious > limit / 1e3)
        better = allowed & (rate > best)
        if asked is not None:
            fewer = machines_needed(asked, cautious, rate)
            better &= fewer < needed
            needed = np.where(better, fewer, needed)
        most_rate = np.where(allowed, np.fmax(most_rate, rate), most_rate)
        best = np.where(better, rate, best)
        place[better] = number
    return place, most_rate


def machines_needed(asked: float | None, cautious: Floats, rate: Floats) -> Floats:
    """Machines that carry the asked rate at the low end of what each can do; one where none is asked."""
    if asked is None:
        return np.ones(len(rate))
    wanted = asked / (rate * cautious * FULLEST)
    return np.maximum(1.0, np.ceil(np.nan_to_num(wanted, posinf=1e9)))


def _fed(supply: Input, devices: Floats, batch: Floats | float, step: OneStep) -> Fed:
    """Samples a second of each machine with its data brought in."""
    host = feeding.process_gib(supply.job, devices, batch, INFERENCE_VCPUS * devices)
    return supply.fed(batch * devices / step.seconds, step.bottleneck, host)


def _slowed(devices: Floats, batch: Floats | float, step: OneStep, rate: Floats) -> Floats:
    """Seconds of a step that waits for its data."""
    seconds: Floats = np.maximum(step.seconds, batch * devices / rate) * step.at_once
    return seconds


def latency_seconds(step_seconds: Floats, load: Floats | float) -> Floats:
    """95th percentile of the time to answer, at a load between 0 and 1."""
    bounded = np.minimum(load, FULLEST)
    seconds: Floats = step_seconds * (1 + RUNNING_BATCH_WAIT + TAIL * bounded / (2 * (1 - bounded)))
    return seconds
