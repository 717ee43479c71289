"""Training of language models by tokens: layout, step and devices of each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import FixedNeed, recommended_share, usable_gib
from plimsoll_service.engine.estimate.feeding import TRAINING_VCPUS, Volume
from plimsoll_service.engine.estimate.job_time import finish
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Outcome, obstacle, select
from plimsoll_service.engine.estimate.precision import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.ranges import Ends, ends
from plimsoll_service.engine.estimate.token_layout import Layout, choose_layout, sequence_length
from plimsoll_service.engine.estimate.token_memory import (
    Trained,
    trained,
)
from plimsoll_service.engine.estimate.token_step import micro_batch_seconds
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.spreads import SPREADS


@dataclass(frozen=True, eq=False)
class _Plan:
    """How many devices of each machine take part, how the model lies on them, and sequences a second of them all."""

    devices: Floats
    layout: Layout
    rate: Floats
    bottleneck: Ints


def estimate(job: Job, machines: Machines, nodes: Floats, volume: Volume) -> Outcome:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    dims = job.profile.transformer
    what = trained(job, dims, job.profile.parameters)
    numbers = arithmetic(machines, job.precision, job.half_falls_back, job.coefficients.roofline)
    every = np.maximum(machines.devices, 1.0)
    plan = _plan(job, dims, what, machines, nodes, numbers, every)
    if np.any(every > 1):
        one = _plan(job, dims, what, machines, nodes, numbers, np.ones_like(every))
        fits = one.layout.need_gib <= usable_gib(machines) * recommended_share(job)
        plan = select(fits & (one.rate > plan.rate), one, plan)
    outcome = finish(
        job, machines, nodes, plan.devices, numbers, volume,
        batch=plan.layout.sequences, largest=plan.layout.largest,
        need=FixedNeed(plan.layout.need_gib, plan.layout.parts),
        device_rate=plan.rate, limit=plan.bottleneck, spread=ends_of(job, machines), floor_vcpus=TRAINING_VCPUS,
    )  # fmt: skip
    outcome.obstacle[~machines.has_accelerator()] = obstacle("accelerators")
    return outcome


def _plan(
    job: Job, dims: Transformer, what: Trained, machines: Machines, nodes: Floats, numbers: Arithmetic, devices: Floats
) -> _Plan:
    at_once = np.minimum(job.experiments, devices * nodes)
    per_run = np.maximum(np.floor(devices * nodes / at_once), 1.0)
    layout = choose_layout(job, dims, what, machines, per_run)
    tokens = layout.sequences * sequence_length(job)
    seconds, limit = micro_batch_seconds(job, dims, what, machines, numbers, layout, tokens, per_run, devices)
    return _Plan(devices, layout, layout.sequences * per_run * at_once / seconds, limit)


def ends_of(job: Job, machines: Machines) -> Ends:
    """The study's range; mixtures of experts, Neuron and other vendors have their own."""
    dims = job.profile.transformer if job.profile is not None else None
    studied = "token_training_moe" if dims is not None and dims.moe is not None else "token_training"
    found = ends(machines, device=studied, neuron="token_training_neuron", other="token_training_other")
    early = machines.nvidia & np.isnan(machines.peak("bf16"))  # before Ampere: no row, and no fused attention
    unstudied = SPREADS["unstudied"]
    return Ends(np.where(early, unstudied.low, found.low), np.where(early, unstudied.high, found.high))
