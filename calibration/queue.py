"""The table of waits of a batch server, from a simulation: ``python -m calibration.queue``.

Requests arrive one by one at random (Poisson). A device that becomes free takes all that wait, up to the batch. A step
of n takes ``fixed`` + (1 − ``fixed``)·n, in units of a step of one. Equal devices differ by 4%, and so do equal steps:
the full range of equal rented machines is 10% of their median (serving study, section 9). That keeps devices from
running in step with each other. A request's own step then counts as if it did not vary, as ranges say how it does.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from calibration.files import Document, Entry, text_of
from plimsoll_service.engine.hardware import Floats, Places
from plimsoll_service.engine.waits import BATCHES, FIXED, LOADS, QUANTILES, SERVERS
from plimsoll_service.evidence import coefficients

DEVICES_DIFFER, STEPS_DIFFER = 0.04, 0.04  # standard deviation of the logarithm
STARTS, WARM_UP, REPLICATES, SEED = 40_000, 4_000, 8, 20_261_123
TOGETHER = 5  # shares of fixed time that are simulated together, which bounds the memory
DIGITS = 3
NOISE = 1.1  # of the variation of an idle service, over its mean: what noise makes of it is no wait
ABOUT = (
    "ln(time to answer ÷ step of the batch that the load makes): by quantile, fixed share of a step of one, "
    "largest batch, devices and load. From calibration/queue.py."
)


def made_batch(fixed: Floats, batch: Floats, load: Floats) -> Floats:
    """The batch that the load makes: as many requests as arrive at each device in a step of it."""
    rate = load * batch / (fixed + (1 - fixed) * batch)
    spare = 1 - rate * (1 - fixed)
    made: Floats = np.clip(rate * fixed / np.where(spare > 0, spare, np.inf), 1.0, batch)
    return np.where(spare > 0, made, batch)


def simulated(fixed: Floats, load: Floats, batch: int, servers: int, seed: int) -> Floats:
    """Both quantiles of the time to answer, in steps of one request; a column a case."""
    random = np.random.default_rng(seed)
    cases = np.repeat(np.arange(len(fixed)), REPLICATES)
    rate = (load * servers * batch / (fixed + (1 - fixed) * batch))[cases]
    arrived = np.cumsum(random.exponential(size=(REPLICATES, STARTS * batch + 1)), axis=1)
    run = _Run(arrived.ravel(), fixed[cases], rate, batch, servers, random)
    waits, taken = np.empty((STARTS, len(cases)), np.float32), np.empty((STARTS, len(cases)), np.int16)
    for start in range(STARTS):
        waits[start], taken[start] = run.start()
    columns = np.split(np.arange(len(cases)), len(fixed))
    return np.array([_quantiles(waits[WARM_UP:, mine], taken[WARM_UP:, mine]) for mine in columns]).T


class _Run:
    """Every case and replicate side by side, one batch after another."""

    def __init__(
        self, arrived: Floats, fixed: Floats, rate: Floats, batch: int, servers: int, random: np.random.Generator
    ) -> None:
        self.arrived, self.fixed, self.rate, self.batch, self.random = arrived, fixed, rate, batch, random
        self.first = np.tile(np.arange(REPLICATES) * (len(arrived) // REPLICATES), len(fixed) // REPLICATES)
        slow = np.exp(random.normal(0.0, DEVICES_DIFFER, (len(fixed), servers)))
        self.slow = slow * np.mean(1 / slow, axis=1, keepdims=True)  # the same rate of all together
        self.free = np.zeros((len(fixed), servers))
        self.rows = np.arange(len(fixed))

    def start(self) -> tuple[Floats, Places]:
        """Start the next batch of each run: the time to answer of one of its requests, and its size."""
        server = self.free.argmin(axis=1)
        now = np.maximum(self.free[self.rows, server], self.arrived[self.first] / self.rate)
        taken = self._waiting(now * self.rate)
        slow = self.slow[self.rows, server] * np.exp(self.random.normal(0.0, STEPS_DIFFER, len(now)))
        done = now + (self.fixed + (1 - self.fixed) * taken) * slow
        one = self.first + (self.random.random(len(now)) * taken).astype(np.intp)
        self.free[self.rows, server] = done
        self.first = self.first + taken
        return done - self.arrived[one] / self.rate, taken

    def _waiting(self, now: Floats) -> Places:
        """Requests that have arrived, up to the batch; the first has."""
        taken, step = np.ones(len(now), dtype=np.intp), self.batch // 2
        while step:
            more = np.minimum(taken + step, self.batch)
            taken = np.where(self.arrived[self.first + more - 1] <= now, more, taken)
            step //= 2
        return taken


def _quantiles(waits: Any, taken: Any) -> list[float]:
    """Quantiles of the requests, of which each batch shows one."""
    order = np.argsort(waits, axis=None)
    share = np.cumsum(taken.ravel()[order], dtype=np.float64)
    return [float(waits.ravel()[order[np.searchsorted(share, quantile * share[-1])]]) for quantile in QUANTILES]


def table() -> Floats:
    """The time to answer over the step of the batch that the load makes, as a logarithm; an axis a quantity."""
    shape = (len(QUANTILES), len(FIXED), len(BATCHES), len(SERVERS), len(LOADS))
    seconds, cases = np.empty(shape), np.array(list(product(FIXED, LOADS)))
    for (place, batch), (column, servers) in product(enumerate(BATCHES), enumerate(SERVERS)):
        each = np.array_split(cases, len(FIXED) // TOGETHER)
        parts = [simulated(part[:, 0], part[:, 1], int(batch), int(servers), SEED + n) for n, part in enumerate(each)]
        found = np.concatenate(parts, axis=1).reshape(len(QUANTILES), len(FIXED), len(LOADS))
        seconds[:, :, place, column] = found.mean(axis=1, keepdims=True) if batch == 1 else found
    share, largest, _, loads = np.meshgrid(FIXED, BATCHES, SERVERS, LOADS, indexing="ij")
    step = share + (1 - share) * made_batch(share, largest, loads)
    waits = _without_variation(seconds / step)
    logs: Floats = np.log(np.maximum.accumulate(waits * step, axis=4) / step)  # no load answers sooner than a lower one
    return logs


def _without_variation(waits: Floats) -> Floats:
    """Times to answer, in steps, without the variation of the step itself: that of an idle service, in quadrature."""
    idle = (waits[:, :1, :1, :, :1] - 1) * NOISE
    beyond = np.sqrt(np.maximum((waits - 1) ** 2 - idle**2, 0.0))
    return np.where(waits > 1, 1 + beyond, waits)


def document(found: Floats) -> Document:
    """The file of the table: a line for each quantile, share, batch and number of devices."""
    lines = {
        f"{quantile:g} {fixed:g} {batch:g} {servers:g}": Entry(values=np.round(found[place], DIGITS).tolist())
        for place, (quantile, fixed, batch, servers) in _places()
    }
    return {"about": ABOUT, "waits": lines}


def _places() -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    axes = (QUANTILES, FIXED, BATCHES, SERVERS)
    places = product(*(range(len(axis)) for axis in axes))
    return list(zip(places, product(*axes), strict=True))


def main(folder: Path) -> None:
    """Write the table."""
    (folder / "queue.json").write_text(text_of(document(table())), encoding="utf-8")


if __name__ == "__main__":
    main(coefficients.folder())
