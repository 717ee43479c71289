"""Training of language models by tokens: layout, step and devices of each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import FixedNeed, recommended_share, usable_gib
from plimsoll_service.engine.estimate.drives import Drives
from plimsoll_service.engine.estimate.feeding import TRAINING_VCPUS, busy_vcpus
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.job_time import Run, finish
from plimsoll_service.engine.estimate.kinds import hardware_kinds
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import bars, device_memory, model_on_host
from plimsoll_service.engine.estimate.outcome import Outcome, take
from plimsoll_service.engine.estimate.precision import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.ranges import ends
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


def estimate(
    job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork, splits: Splits = UNSAID
) -> Outcome:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    run, largest = ground.of(lambda plain: _run(plain, machines.again(), nodes, splits), "run")
    return finish(job, machines, nodes, run, drives, largest=largest, floor=TRAINING_VCPUS)


def _run(job: Job, machines: Machines, nodes: Floats, splits: Splits) -> tuple[Run, Floats]:
    """The faster plan of each candidate, with what it needs and its range; and the largest micro-batch."""
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    dims = job.profile.transformer
    kinds = hardware_kinds(machines)
    some = machines.take(kinds.rows)
    numbers = take(arithmetic(some, job.precision, job.half_falls_back, job.coefficients.roofline), kinds.of)
    plan = _planned(job, dims, machines, nodes, numbers, splits)
    batch, need = plan.layout.sequences, FixedNeed(plan.layout.need_gib, plan.layout.parts)
    device = device_memory(machines, need, batch)
    run = Run(
        devices=plan.devices,
        batch=batch,
        rate=plan.rate,
        busy=busy_vcpus(machines, plan.rate / nodes),
        bottleneck=plan.bottleneck,
        spread=ends(machines, range_of(dims)),
        device=device,
        model_gib=model_on_host(machines, need, batch),
        emulated=numbers.emulated,
        bars=bars(job, machines, nodes, numbers.supported, device, only_devices=True),
    )
    return run, plan.layout.largest


def _planned(
    job: Job, dims: Transformer, machines: Machines, nodes: Floats, numbers: Arithmetic, splits: Splits
) -> _Plan:
    assert job.profile is not None
    what = trained(job, dims, job.profile.parameters)
    every = np.maximum(machines.devices, 1.0)
    # Where links join the devices, fewer of them are never faster.
    bus = np.flatnonzero((every > 1) & ~(machines.link_gb_s > 0))
    if not len(bus) or splits.stated:
        return _plan(job, dims, what, machines, nodes, numbers, every, splits)
    rows = np.concatenate([np.arange(len(every)), bus])  # the plans with one device behind all others
    devices = np.concatenate([every, np.ones(len(bus))])
    both = _plan(job, dims, what, machines.take(rows), nodes[rows], take(numbers, rows), devices, splits)
    one = len(every) + np.arange(len(bus))
    fits = both.layout.need_gib[one] <= usable_gib(machines)[bus] * recommended_share(job)
    better = np.flatnonzero(fits & (both.rate[one] > both.rate[bus]))
    chosen = np.arange(len(every))
    chosen[bus[better]] = one[better]
    return take(both, chosen)


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
