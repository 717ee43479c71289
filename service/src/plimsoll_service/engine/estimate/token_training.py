"""Training of language models by tokens: layout, step and devices of each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import FixedNeed, recommended_share, usable_gib
from plimsoll_service.engine.estimate.feeding import TRAINING_VCPUS, Volume
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.job_time import finish
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Outcome, obstacle, put, take
from plimsoll_service.engine.estimate.precision import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.ranges import Ends, ends
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.estimate.token_layout import Layout, choose_layout
from plimsoll_service.engine.estimate.token_memory import Trained, trained
from plimsoll_service.engine.estimate.token_run import TokenRun
from plimsoll_service.engine.estimate.token_step import micro_batch_seconds
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import Transformer


@dataclass(frozen=True, eq=False)
class _Plan:
    """How many devices of each machine take part, how the model lies on them, and sequences a second of them all."""

    devices: Floats
    layout: Layout
    rate: Floats
    bottleneck: Ints


@dataclass(frozen=True, eq=False)
class _Planned:
    """The faster plan of each candidate, its arithmetic and its range."""

    plan: _Plan
    numbers: Arithmetic
    spread: Ends


def estimate(
    job: Job, machines: Machines, nodes: Floats, volume: Volume, ground: Groundwork, splits: Splits = UNSAID
) -> Outcome:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    known = ground.of(lambda plain: _planned(plain, machines, nodes, splits), "planned")
    plan = known.plan
    outcome = finish(
        job, machines, nodes, plan.devices, known.numbers, volume,
        batch=plan.layout.sequences, largest=plan.layout.largest,
        need=FixedNeed(plan.layout.need_gib, plan.layout.parts),
        device_rate=plan.rate, limit=plan.bottleneck, spread=known.spread, floor_vcpus=TRAINING_VCPUS,
    )  # fmt: skip
    outcome.obstacle[~machines.has_accelerator()] = obstacle("accelerators")
    return outcome


def _planned(job: Job, machines: Machines, nodes: Floats, splits: Splits) -> _Planned:
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    dims = job.profile.transformer
    what = trained(job, dims, job.profile.parameters)
    numbers = arithmetic(machines, job.precision, job.half_falls_back, job.coefficients.roofline)
    every = np.maximum(machines.devices, 1.0)
    plan = _plan(job, dims, what, machines, nodes, numbers, every, splits)
    # Where links join the devices, fewer of them are never faster.
    bus = np.flatnonzero((every > 1) & ~(machines.link_gb_s > 0)).astype(np.int32)
    if len(bus) and not splits.stated:
        some = machines.take(bus)
        one = _plan(job, dims, what, some, nodes[bus], take(numbers, bus), np.ones(len(bus)), splits)
        fits = one.layout.need_gib <= usable_gib(some) * recommended_share(job)
        better = np.flatnonzero(fits & (one.rate > plan.rate[bus])).astype(np.int32)
        plan = put(plan, bus[better], take(one, better))
    return _Planned(plan, numbers, ends(machines, range_of(dims)))


def _plan(
    job: Job, dims: Transformer, what: Trained, machines: Machines, nodes: Floats, numbers: Arithmetic, devices: Floats,
    splits: Splits,
) -> _Plan:  # fmt: skip
    at_once = np.minimum(job.experiments, devices * nodes)
    per_run = np.maximum(np.floor(devices * nodes / at_once), 1.0)
    layout = choose_layout(job, dims, what, machines, per_run, devices, splits)
    seconds, limit = micro_batch_seconds(TokenRun(job, dims, what, machines, numbers, layout, devices))
    return _Plan(devices, layout, layout.sequences * layout.place.replicas * at_once / seconds, limit)


def range_of(dims: Transformer) -> str:
    """The name of the range: mixtures of experts depend more on the release of the software."""
    return "token_training" if dims.moe is None else "token_training_moe"
