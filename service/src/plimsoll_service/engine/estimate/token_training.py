"""Training of language models by tokens: layout, step and devices of each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import FixedNeed, recommended_share, usable_gib
from plimsoll_service.engine.estimate.drives import Drives
from plimsoll_service.engine.estimate.feeding import TRAINING_VCPUS, busy_vcpus, process_of
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.job_time import Run, finish
from plimsoll_service.engine.estimate.kinds import hardware_kinds
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.needs import bars, device_memory, model_on_host
from plimsoll_service.engine.estimate.outcome import Gathered, Outcome, take
from plimsoll_service.engine.estimate.precision import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.ranges import shared_ends
from plimsoll_service.engine.estimate.side_by_side import machines_working, side_by_side
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.estimate.token_layout import LaidOut, lay_out
from plimsoll_service.engine.estimate.token_memory import Trained, trained
from plimsoll_service.engine.estimate.token_run import TokenRun
from plimsoll_service.engine.estimate.token_step import micro_batch_seconds
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import Transformer


@dataclass(frozen=True, eq=False)
class _Plan:
    """How many devices of each machine take part, how the model lies on them, and sequences a second of them all."""

    devices: Floats
    layout: Places  # among those laid out
    rate: Floats
    bottleneck: Ints


def estimate(
    job: Job, machines: Machines, nodes: Floats, drives: Drives, ground: Groundwork, splits: Splits = UNSAID
) -> Outcome:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    run, largest = ground.of(lambda plain: _run(plain, machines.again(), nodes, splits), "run")
    return finish(job, machines, nodes, run, drives, largest=largest, floor=TRAINING_VCPUS)


def _run(job: Job, machines: Machines, nodes: Floats, splits: Splits) -> tuple[Run, Gathered]:
    """The faster plan of each candidate, with what it needs and its range; and the largest micro-batch."""
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    dims = job.profile.transformer
    kinds = hardware_kinds(machines)
    numbers = arithmetic(machines.take(kinds.rows), job.precision, job.half_falls_back, job.coefficients.roofline)
    plan, laid = _planned(job, dims, machines, nodes, numbers, splits)
    of, sequences = plan.layout, laid.few.sequences.take(plan.layout)
    need = FixedNeed(laid.few.need_gib.take(of), {name: Gathered(part, of) for name, part in laid.parts.items()})
    device = device_memory(machines, need, sequences)
    devices = np.where(machines.has_accelerator(), plan.devices, 0.0)
    run = Run(
        devices=devices,
        batch=Gathered(laid.few.sequences, of),
        rate=plan.rate,
        busy=busy_vcpus(machines, plan.rate / machines_working(job.experiments, devices, nodes)),
        bottleneck=plan.bottleneck,
        spread=shared_ends(job.coefficients.spreads, machines, range_of(dims)),
        device=device,
        process=process_of(job, devices, sequences, model_on_host(machines, need, sequences)),
        emulated=numbers.emulated.take(kinds.of),
        bars=bars(job, machines, nodes, numbers.supported.take(kinds.of), device, only_devices=True),
    )
    return run, Gathered(laid.few.largest, of)


def _planned(
    job: Job, dims: Transformer, machines: Machines, nodes: Floats, numbers: Arithmetic, splits: Splits
) -> tuple[_Plan, LaidOut]:
    """The faster plan of each candidate; ``numbers`` are of each kind of hardware."""
    assert job.profile is not None
    what = trained(job, dims, job.profile.parameters)
    every, kind = np.maximum(machines.devices, 1.0), hardware_kinds(machines).of
    # Where links join the devices, fewer of them are never faster.
    bus = np.flatnonzero((every > 1) & ~(machines.link_gb_s > 0))
    if not len(bus) or splits.stated:
        return _plan(job, dims, what, machines, nodes, take(numbers, kind), every, splits)
    rows = np.concatenate([np.arange(len(every)), bus])  # the plans with one device behind all others
    devices = np.concatenate([every, np.ones(len(bus))])
    both, laid = _plan(job, dims, what, machines.take(rows), nodes[rows], take(numbers, kind[rows]), devices, splits)
    pace = both.rate / side_by_side(job.experiments, devices, nodes[rows]).turns(job.experiments)
    one = len(every) + np.arange(len(bus))
    fits = laid.few.need_gib[both.layout[one]] <= usable_gib(machines)[bus] * recommended_share(job)
    better = np.flatnonzero(fits & (pace[one] > pace[bus]))
    chosen = np.arange(len(every))
    chosen[bus[better]] = one[better]
    return take(both, chosen), laid


def _plan(
    job: Job, dims: Transformer, what: Trained, machines: Machines, nodes: Floats, numbers: Arithmetic, devices: Floats,
    splits: Splits,
) -> tuple[_Plan, LaidOut]:  # fmt: skip
    shares = side_by_side(job.experiments, devices, nodes)
    laid = lay_out(job, dims, what, machines, shares.of_a_run, devices, splits)
    layout = laid.layout()
    seconds, limit = micro_batch_seconds(TokenRun(job, dims, what, machines, numbers, layout, devices))
    rate = layout.sequences * layout.place.replicas * shares.at_once / seconds
    return _Plan(devices, laid.of, rate, limit), laid


def range_of(dims: Transformer) -> str:
    """The name of the range: mixtures of experts depend more on the release of the software."""
    return "token_training" if dims.moe is None else "token_training_moe"
