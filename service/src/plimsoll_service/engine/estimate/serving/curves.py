"""Latency and rate of a replica at each load: few curves, each shared by all machines that serve alike.

Chunked prefill shares the device with running steps (Sarathi-Serve, Agrawal et al. 2024); Little's law joins load and
rate (serving study, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...columns import columnar
from ...demand.job import Job
from ...demand.served_model import PYTORCH, Lengths, Served
from ...hardware import Floats, Places
from ...units import TINY
from .replica import (
    CpuReplica,
    Replica,
    computing_seconds,
    cpu_decode_seconds,
    cpu_marginal_prefill_seconds,
    cpu_prefill_seconds,
    decode_seconds,
    host_factor,
    marginal_prefill_seconds,
    prefill_seconds,
)

TAIL = 3.0  # 95th percentile of an exponential wait over its mean (ln 20)
DEVIATIONS = 1.645  # of a normal distribution, from its mean to its 95th percentile
# Of the variance of a Poisson number of running requests, what is left in its mean over one request's stay: the
# number at two moments agrees in the share of a stay that they have in common, so 2 × ∫(1 − u)² du.
OVER_A_STAY = 2 / 3


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of the latencies at a load, in seconds; ``running`` requests at once, ``decode`` is their step."""

    running: Floats
    decode: Floats
    prefill: Floats  # of all prompts that are prefilled together
    marginal: Floats
    computed: Floats  # of that, products and scores alone; of images what the host takes, where it is longer
    first: Floats
    interference: Floats | float  # share of the arriving prompts' time that running requests lose
    queue: Floats | float  # of the prompts ahead, where requests come at once
    turn: Floats | float = 0.0  # 1 where requests come at a rate to batches that begin and end together


@dataclass(frozen=True, eq=False)
class Latency:
    """Seconds to the first token (median, 95th percentile) and for each after it, also where more prompts come."""

    first: Floats
    first_p95: Floats
    each: Floats
    each_p95: Floats  # among a steady number of running requests
    front: Floats  # share of a lone request's time to the first token that is not its prompt's products
    waited: Floats | float = 0.0  # of the median, for the end of the batch that runs

    def rate(self, running: Floats, output_tokens: Lengths) -> Floats:
        """Requests a second of so many that always run."""
        return running / (self.first - self.waited + (output_tokens - 1) * self.each)


def on_devices(model: Served, on: Replica, running: Floats, closed: Floats | float) -> Parts:
    """The parts on accelerators; ``closed``: 1 where requests come all at once, 0 where they come at a rate.

    Of a static batch all prompts are read first, then all answers are written.
    """
    static = model.static_batches
    prefill = prefill_seconds(model, on, running if static else 1.0)
    fit, engine, slower = model.fit.device, model.engine, host_factor(model, on.machines)
    imaging = (model.imaging_s * model.prompt + model.image_s) * slower
    return Parts(
        running=running,
        decode=_with_drafts(model, lambda positions: decode_seconds(model, on, running, positions))
        * model.slower_steps,
        prefill=prefill * model.slower_prompts,
        marginal=marginal_prefill_seconds(model, on) * model.slower_prompts,
        computed=np.maximum(computing_seconds(model, on) * model.slower_prompts, imaging),
        first=engine.first_token_s * slower + imaging,
        interference=0.0 if static else fit.interference,
        queue=0.0 if static else closed * fit.queue,
        turn=(1.0 - closed) * (model.engine_name == PYTORCH),
    )


def on_processors(model: Served, on: CpuReplica, running: Floats, closed: Floats | float) -> Parts:
    """The parts on processors."""
    computed, static = cpu_marginal_prefill_seconds(model, on), model.static_batches
    interference = 1.0 if model.layer_split else model.fit.cpu.interference  # llama.cpp was measured alone
    return Parts(
        running=running,
        decode=_with_drafts(model, lambda positions: cpu_decode_seconds(model, on, running, positions)),
        prefill=cpu_prefill_seconds(model, on) + (running - 1) * computed * static,
        marginal=computed,
        computed=computed,
        first=(0.0 if model.layer_split else model.fit.cpu.first_token_s) * on.slowness,
        interference=0.0 if static else interference,
        queue=0.0 if static else closed * model.fit.cpu.queue,
        turn=(1.0 - closed) * (model.engine_name == PYTORCH),
    )


def _with_drafts(model: Served, step: Callable[[float], Floats]) -> Floats:
    """Seconds of a step for each token that it keeps: drafts are verified in one step of as many positions, and one."""
    drafting, plain = model.drafting, step(1.0)
    if drafting is None:
        return plain
    whole = step(drafting.tokens + 1) + drafting.tokens * drafting.share * plain
    return whole / drafting.kept


def latency(model: Served, parts: Parts) -> Latency:
    """A first token waits for a running step, for queued prompts and for its own; steps give way to prompts.

    A batch that begins and ends together keeps an arrival waiting until it has ended: for half of its time in the mean.
    Of a prompt beside steps the engine hides a part, but no products: requests end no sooner than those are computed.
    """
    fit = model.fit.device
    others = np.maximum(parts.running - 1, 0.0)
    arriving = others / model.output_tokens * parts.marginal
    each = parts.decode + parts.interference * arriving
    least = parts.running * parts.computed  # in which so many requests can be answered
    busy = np.minimum(np.where(np.equal(parts.interference, 0.0), 0.0, arriving / each), fit.load_cap)
    wait = 0.0 * each if model.static_batches else np.minimum(others, 1.0) * each
    alone = parts.first + parts.prefill
    ahead = parts.queue * others * parts.marginal
    by_chance = TAIL * parts.prefill * busy / (2 * (1 - busy))
    median = alone + fit.queue_steps * wait + fit.queue_load * busy / (1 - busy) * parts.prefill + ahead
    # The prompts ahead come by chance or since all users send at once: the same prompts, so never both. A fixed number
    # of users send no more of them than there are others.
    most_ahead = np.where(np.equal(parts.queue, 0.0), np.inf, others * parts.marginal)
    tail = alone + wait + np.minimum(np.maximum(by_chance, ahead), most_ahead)
    # Each of the others ends and comes again once in a request's stay, in the mean: a Poisson number of prompts, of
    # two for each at most.
    more = np.minimum(DEVIATIONS * np.sqrt(others), others) / model.output_tokens * parts.marginal
    front = np.broadcast_to(1 - np.minimum(parts.marginal / alone, 1.0), each.shape)
    median = np.maximum(median, least - (model.output_tokens - 1) * each)
    batch = parts.turn * np.minimum(others, 1.0) * (median + (model.output_tokens - 1) * each)
    # Of a fixed number of users, as many prompts are ahead as the median has, and vary as a Poisson number does.
    queued = np.minimum(np.maximum(median - alone - fit.queue_steps * wait, 0.0) / parts.marginal, others)
    later = np.minimum(DEVIATIONS * np.sqrt(queued), others - queued) * np.not_equal(parts.queue, 0.0)
    first, tail = median + batch / 2, np.maximum(tail, median + later * parts.marginal) + batch
    return Latency(first, tail, each, each + parts.interference * more, front, batch / 2)


def endless_rate(model: Served, parts: Parts, on_cores: bool) -> Floats:
    """Requests a second where there are always more: every place is taken again at once; see ``latency``.

    Nobody measured how much longer prompts then take on processors. A static batch follows when all of one has ended.
    """
    slower = 1.0 if on_cores else model.flooded_prompts
    if model.static_batches:
        batch = parts.first + slower * parts.prefill + (model.output_tokens - 1) * parts.decode
        return parts.running / np.maximum(batch, parts.running * parts.computed)
    cycle = model.output_tokens * parts.decode + parts.interference * slower * parts.running * parts.marginal
    return parts.running / np.maximum(cycle / model.fit.device.offline, parts.running * parts.computed)


def parts_of(job: Job, model: Served, on: Replica | CpuReplica, running: Floats) -> Parts:
    """The parts as a job asks: requests come one by one only where a rate is given; an old PyTorch is slower."""
    closed = 0.0 if job.workload.requests_per_second is not None else 1.0
    parts = (
        on_devices(model, on, running, closed) if isinstance(on, Replica) else on_processors(model, on, running, closed)
    )
    return faster(parts, job.software_factor, job.software_factor) if model.engine_name == PYTORCH else parts


def faster(parts: Parts, prompts: Floats | float, tokens: Floats | float) -> Parts:
    """The parts where prompts and the steps of running requests are so many times as fast."""
    of_prompts = {name: getattr(parts, name) / prompts for name in ("prefill", "marginal", "computed", "first")}
    return replace(parts, decode=parts.decode / tokens, **of_prompts)


# Running requests of a replica that are tried; engines admit 256 to 2,048 unless told otherwise.
LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0, 1024.0, 2048.0)
GRID = np.array(LOADS)


@dataclass(frozen=True, eq=False)
class Curves:
    """Loads of ``LOADS`` × curves: seconds to first token and a token (median, 95th) and to the end, requests a second.

    A load is the number of requests that run beside one, itself included: under a rate those that an arrival finds
    (Poisson arrivals see time averages) and one more.
    """

    ttft: Floats
    ttft_p95: Floats
    tpot: Floats
    tpot_p95: Floats
    whole: Floats  # median
    whole_p95: Floats
    rate: Floats  # of so many users, each sending its next when it is answered, or with always more waiting
    front: Floats  # share of a lone first token that is not its prompt's products
    waited: Floats  # of the first token, for the end of the batch that runs

    @cached_property
    def arriving(self) -> Floats:
        """Requests a second at which an arrival finds those that run at each load (Little's law)."""
        return (GRID[:, None] - 1) / (self.whole - self.waited)

    @property
    def count(self) -> int:
        return len(self.ttft[0])


@columnar
class CurvePoints:
    """A load of every machine as a point of its curve: on a straight line between two points of the grid."""

    line: Places
    above: Places
    share: Floats

    def of(self, curves: Floats) -> Floats:
        """The value there of each machine's curve."""
        flat, width = curves.ravel(), curves.shape[1]
        upper = self.above * width + self.line
        low = flat.take(upper - width)
        value: Floats = low + self.share * (flat.take(upper) - low)
        return value


def points_at(line: Places, load: Floats) -> CurvePoints:
    """The points of those loads; beyond the grid its ends hold."""
    above = _inside(GRID.searchsorted(load))
    low = GRID.take(above - 1)
    return CurvePoints(line, above, np.minimum(np.maximum((load - low) / (GRID.take(above) - low), 0.0), 1.0))


def _inside(above: NDArray[np.integer[Any]]) -> Places:
    """A point of the grid that has one below it."""
    inside: Places = np.minimum(np.maximum(above, 1), len(LOADS) - 1).astype(np.intp)
    return inside


def reached(rising: Floats, wanted: Floats, line: Places) -> Floats:
    """The load at which each machine's curve reaches the wanted value; at least 1, at most the highest."""
    below = np.add.reduce(rising.take(line, axis=1) < wanted, axis=0, dtype=np.uint8)  # as sums of bytes: fastest
    above = _inside(below)
    flat, upper = rising.ravel(), above * rising.shape[1] + line
    low = flat.take(upper - rising.shape[1])
    share = np.minimum(np.maximum((wanted - low) / np.maximum(flat.take(upper) - low, TINY), 0.0), 1.0)
    least = GRID.take(above - 1)
    load: Floats = np.maximum(least + share * (GRID.take(above) - least), 1.0)
    return load


def joined_curves(several: Sequence[Curves]) -> Curves:
    """All curves of several, in order."""
    parts = ([getattr(one, column.name) for one in several] for column in fields(Curves))
    return Curves(*(np.concatenate(part, axis=1) for part in parts))


def curves_of(times: Latency, rate: Floats, output_tokens: Lengths, at_a_rate: bool) -> Curves:
    """The curves of those times; under a rate the number of running requests varies, too."""
    tail = _among_more(times.each) if at_a_rate else times.each_p95
    tokens = output_tokens - 1
    whole = times.first + tokens * times.each
    late = np.hypot(times.first_p95 - times.first, tokens * (tail - times.each))  # independent, so not both at once
    waited = np.broadcast_to(times.waited, whole.shape)
    return Curves(times.first, times.first_p95, times.each, tail, whole, whole + late, rate, times.front, waited)


def _among_more(each: Floats) -> Floats:
    """Seconds a token among as many as run in the mean over a stay at the 95th percentile; straight beyond the grid."""
    many = GRID + DEVIATIONS * np.sqrt(OVER_A_STAY * (GRID - 1))
    above = _inside(np.searchsorted(GRID, many))
    share = ((many - GRID[above - 1]) / (GRID[above] - GRID[above - 1]))[:, None]
    return np.asarray(each[above - 1] + share * (each[above] - each[above - 1]))
