"""Basis of each estimate (a measurement, a fit of its like, or a formula), and the low and high ends that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..columns import Column, Lookup, groups_of, groups_of_pairs
from ..demand import kind
from ..demand.anchored import left_of_range
from ..demand.job import Job, dimensions_of, lone_requests
from ..demand.requests import bring_rows
from ..demand.served_model import served
from ..demand.software import device_tuning, measured_points, separate_tables
from ..frameworks import WHISPER
from ..generations import of_the_same_cores
from ..hardware import Flags, Floats, Ints, Places
from ..known import (
    HALF_PRECISIONS,
    NOTHING,
    Agreed,
    Check,
    Known,
    cell_of,
    fitted_architecture,
    lasting_checks,
    software_of,
    stack_of,
    trained_as,
)
from ..machines import VECTOR_CLASSES, Machines
from ..measured import Point, at_precision
from ..spreads import ALIKE, CALIBRATED, MEASURED, MODELLED, SPREAD_BASES, UNSTUDIED, UNSTUDIED_SPREAD, Spreads
from .token_training.memory import trained_of

LEARNERS = ("xgboost", "lightgbm")  # tabular learners with a fit
NEURON = "neuron"
NEAR = 2  # times the measured batch, where the measured gain fades to exp(−1) (``measured_steps``)


def basis(job: Job, machines: Machines, nodes: Floats | None = None) -> Ints:
    """The place in ``spreads.BASES`` of every machine's estimate, in so many machines.

    Measurements are of one machine: training on several follows from one and the formulas of scaling.
    """
    if job.profile is None or over_http(job):
        return np.full(len(machines), UNSTUDIED if job.profile is None else MODELLED, dtype=np.int32)
    groups = machines.hardware_groups
    alone = _basis(job, machines.take(groups.rows))[groups.of]
    if job.kind == kind.TOKEN_TRAINING:
        least = UNSTUDIED if job.method == "full" else MODELLED  # where gradients of all weights travel too
        alone = np.where(_split_over_pcie(job, machines), np.maximum(alone, least), alone).astype(np.int32)
    if nodes is None or not job.training:
        return alone
    return np.where((nodes > 1) & (alone == MEASURED), CALIBRATED, alone).astype(np.int32)


def over_http(job: Job) -> bool:
    """Whether requests of one row each spend most of their time on the way over HTTP.

    Their range is that of tabular learners on processors, the nearest work of a host's own that was measured widely.
    """
    alone = job.kind in (kind.INFERENCE, kind.TABULAR_INFERENCE) and job.serves and job.workload.batch_size is None
    return alone and job.profile is not None and bring_rows(job.workload, job.profile)


def _split_over_pcie(job: Job, machines: Machines) -> Flags:
    """Machines whose devices must share one model without links; all measured runs of several devices had links.

    Published runs over PCIe agree with the estimate of adapters; nobody published one that trains all weights so.
    """
    usable = machines.device_memory_gib * machines.usable_memory_share
    return (machines.devices > 1) & ~(machines.link_gb_s > 0) & (trained_of(job).state_gib() > usable)


def _basis(job: Job, machines: Machines) -> Ints:
    assert job.profile is not None
    if job.kind == kind.TABULAR_TRAINING:
        fitted = job.known_model and job.profile.name in LEARNERS
        return np.full(len(machines), CALIBRATED if fitted else UNSTUDIED, dtype=np.int32)
    seen = job.coefficients.known
    on_device, on_cores = (seen.get(name, NOTHING) for name in (job.kind, f"cpu_{job.kind}"))
    devices, cores = _of_devices(job, machines, on_device), _of_cores(job, machines, on_cores)
    return np.where(machines.has_accelerator(), devices, cores).astype(np.int32)


def _near(job: Job, known: Known, software: str) -> int:
    """The basis on hardware that the fit saw: by the software, and by the model or its like."""
    assert job.profile is not None
    architecture = trained_as(fitted_architecture(job.profile), _adapters(job))
    if architecture not in known.architectures or software not in known.software:
        return MODELLED
    if separate_tables(job, job.profile):  # all runs of its like had fused embeddings
        return MODELLED
    name = trained_as(job.profile.name, _adapters(job))
    # A server's step is its engine's own: runs of this model with another one say nothing of that.
    ran = job.kind != kind.SERVING or (name, job.workload.framework) in known.served
    return CALIBRATED if job.known_model and name in known.models and ran else ALIKE


def _of_devices(job: Job, machines: Machines, known: Known) -> Ints:
    """The basis on each accelerator, spread over its machines."""
    assert job.profile is not None
    software = software_of(job.workload.framework, device_tuning(job))
    adapters = _adapters(job)
    cell = cell_of(trained_as(job.profile.name, adapters) if job.known_model else "", job.precision, software)
    measured = known.cells.get(cell, "").split(" ")
    checks = job.coefficients.checks.get(cell, {}) if job.kind == kind.SERVING else {}
    measured += [name for name, one in checks.items() if one.is_of(job.software_year)]
    points, near = measured_points(job), _near(job, known, software)
    lacking = np.isnan(machines.peak("fp16")) & np.isnan(machines.peak("bf16"))
    emulated = lacking & (job.precision in HALF_PRECISIONS)  # 16 bits in 32
    library, architecture = job.framework.library, trained_as(fitted_architecture(job.profile), adapters)
    # NVIDIA's devices are alike; before Ampere they run language models without bf16 and without fused attention.
    language = job.kind in (kind.TOKEN_TRAINING, kind.SERVING)
    fused = machines.nvidia & np.isfinite(machines.peak("bf16")) if language else machines.nvidia
    alike = (fused if job.kind == kind.TOKEN_TRAINING else machines.nvidia) & bool(known.generations)
    text = job.profile.family == "encoder"  # points of just this length are found above
    # In inference a maker's software that was measured with one kind of network says nothing of another.
    # Measured cards of its generation say little of a device that shares the memory of its processor: Jetson Orin Nano
    # makes 0.60 and 0.63 of the estimate for YOLOv8n in TensorRT (hokwangchoi's benchmarks, 2025). Some were measured.
    integrated = machines.nvidia & ~machines.host_bus & (job.kind == kind.INFERENCE)
    own_software = ~machines.nvidia & (job.kind in (kind.INFERENCE, kind.SERVING))
    # Nobody published what kernels that unpack weights make there: rows of other formats say nothing of them.
    unpacked = machines.tensor_memory() & (job.kind == kind.SERVING and served(job, dimensions_of(job)).packed)

    def code(row: int) -> int:
        name = machines.accelerator_name[row]
        here = at_precision(points.get(name, ()), job.precision, bool(emulated[row]))
        if here:
            return MEASURED if of_batch(job, here) else CALIBRATED
        if name in measured and machines.accelerator[row] >= 0:
            return CALIBRATED if text else MEASURED  # of another length
        if integrated[row] and name not in known.devices:
            return UNSTUDIED
        generations = of_the_same_cores(machines.generation[row])
        if not known.generations.isdisjoint(generations):
            # Other makers' devices are as fast as their own software makes them.
            runs = NEURON if own_software[row] and machines.neuron[row] else library  # frameworks run through it there
            # Whole training runs alike on NVIDIA's devices; adapters wait for the host, and unpack weights.
            stacks = {stack_of(runs, one, architecture) for one in generations}
            seen = (fused[row] and adapters is None) or not known.stacks.isdisjoint(stacks)
            near_here = max(near, MODELLED) if unpacked[row] else near
            return near_here if seen else max(near, UNSTUDIED if own_software[row] else MODELLED)
        return MODELLED if alike[row] else UNSTUDIED

    some_row = np.full(machines.accelerator.max(initial=-1) + 2, -1)  # of each accelerator; the last is of none
    some_row[machines.accelerator] = np.arange(len(machines))
    table = np.array([code(row) if row >= 0 else MODELLED for row in some_row], dtype=np.int32)
    return table[machines.accelerator]


def _adapters(job: Job) -> str | None:
    return job.method if job.training and job.method in kind.ADAPTED else None


def of_batch(job: Job, points: Sequence[Point]) -> bool:
    """Return whether measurements of inference say how the asked batch runs: they are of one at most twice or half it.

    Where the batch is left open, those of a batch of one alone do not: they say nothing of the largest that is chosen.
    """
    batches = [point.batch for point in points if point.batch is not None]
    if job.kind != kind.INFERENCE or len(batches) < len(points):
        return True
    asked = 1 if lone_requests(job) or job.workload.concurrency == 1 else job.workload.batch_size
    if asked is None:
        return max(batches) > 1
    return min(batches) <= NEAR * asked and asked <= NEAR * max(batches)


def _of_cores(job: Job, machines: Machines, known: Known) -> Ints:
    """By the processors' vector class; a processor is one of thousands of machines, never ``measured``."""
    assert job.profile is not None
    of_class = np.full(len(VECTOR_CLASSES), UNSTUDIED, dtype=np.int32)
    if known.vectors and job.kind == kind.INFERENCE and job.profile.name in WHISPER and job.framework.whisper_on_cores:
        of_class[:] = MODELLED
    elif known.vectors and (job.kind != kind.INFERENCE or fitted_architecture(job.profile) in known.architectures):
        # Rows of convolutions say nothing of a decoder.
        near = _near(job, known, software_of(job.workload.framework, job.workload.tuning))
        of_class[:] = [near if name in known.vectors else MODELLED for name in VECTOR_CLASSES]
    return of_class[machines.vector]


@dataclass(frozen=True, eq=False)
class Ends:
    """Factors on an estimate, one row a machine: an 80% prediction interval."""

    low: Column
    high: Column


def ends(
    job: Job,
    machines: Machines,
    name: str,
    on_processors: str | None = None,
    devices: Floats | None = None,
    on_matrix_units: str | None = None,
    on_compiled: str | None = None,
) -> Ends:
    """The named range by the basis of each machine's estimate, on so many devices; processors have their own.

    So may NVIDIA's devices with matrix units, and chips with a compiler of their own. The user's own measurements leave
    a part of it.
    """
    spreads = job.coefficients.spreads
    low, high = _by_basis(spreads, name, on_processors or f"cpu_{name}", on_matrix_units or name, on_compiled or name)
    place = np.where(machines.has_accelerator(), machines.basis, machines.basis + SPREAD_BASES).astype(np.intp)
    if on_matrix_units is not None:
        place += np.where(machines.nvidia & machines.tensor & machines.has_accelerator(), 2 * SPREAD_BASES, 0)
        place += np.where(machines.compiled_chip, 3 * SPREAD_BASES, 0)
    left = left_of_range(job, machines, name)
    if left is not None:
        of_low = groups_of_pairs(place.astype(np.int32), left[0])
        groups = groups_of_pairs(of_low.of.astype(np.int32), left[1])
        few, place = place[groups.rows], groups.of
        low, high = (end[few] ** share[groups.rows] for end, share in zip((low, high), left, strict=True))
    if devices is not None:  # few machines differ in both
        groups = groups_of(place * (int(devices.max(initial=0)) + 1) + devices.astype(np.int64))
        few, place = place[groups.rows], groups.of
        low, high = over_devices(spreads, low[few], high[few], devices[groups.rows])
    return Ends(Lookup(low, place), Lookup(high, place))


def no_faster(estimated: Ends, most: Floats) -> Ends:
    """The range, whose favourable end is at most so many times the estimate."""
    return Ends(estimated.low, np.minimum(estimated.high[:], np.maximum(most, 1.0)))


def no_surer(estimated: Ends, least: Floats) -> Ends:
    """The range, whose unfavourable end is at most so many times the estimate."""
    return Ends(np.minimum(estimated.low[:], least), estimated.high)


def first_token_ends(job: Job, machines: Machines, front: Floats) -> Ends:
    """The range of the time to the first token, of which all but the share ``front`` are the prompt's products.

    A server's milliseconds before a prompt are uncertain, the rate of its products less so: the two err apart, so that
    the ends of the sum lie as far from it as the parts' ends together, in quadrature (serving study, section 6).
    """
    whole, prompt = ends(job, machines, "ttft"), ends(job, machines, "prefill")

    def reach(server: Floats, products: Floats) -> Floats:
        return np.hypot(front * (server - 1), (1 - front) * (products - 1))

    # The rate of prompts has the spread: the slowest rate makes the longest time.
    return Ends(1 - reach(whole.low[:], 1 / prompt.high[:]), 1 + reach(whole.high[:], 1 / prompt.low[:]))


def served_ends(job: Job, machines: Machines) -> Ends:
    """The range of tokens a second; where runs check this work, wide enough for them."""
    plain = ends(job, machines, "tokens_per_second")
    software = software_of(job.workload.framework, job.workload.tuning)
    exact = job.coefficients.checks.get(cell_of(_known_name(job), job.precision, software), {})
    early = {name: one for name, one in exact.items() if one.aged and one.is_of(job.software_year)}
    moved = _checks(job)
    if not early and not moved:
        return plain
    low, high = plain.low[:].copy(), plain.high[:].copy()
    for accelerator, one in {**early, **moved}.items():
        rows, middle = _rows_of(machines, accelerator), 1.0 if one.aged else one.middle
        low[rows], high[rows] = np.minimum(low[rows], one.low / middle), np.maximum(high[rows], one.high / middle)
    return Ends(low, high)


def checked_speed(job: Job, machines: Machines) -> Floats:
    """Middle of the measured over the estimated speed, where runs of this model in this engine check it; else 1."""
    return _middles(machines, _checks(job))


def agreed_speed(job: Job, machines: Machines) -> Floats:
    """Measured over estimated speed of writing where the runs of just this work agree; else 1."""
    return _middles(machines, agreements(job))


def _middles(machines: Machines, known: Mapping[str, Check] | Mapping[str, Agreed]) -> Floats:
    factor = np.ones(len(machines))
    for accelerator, one in known.items():
        factor[_rows_of(machines, accelerator)] = one.middle
    return factor


def agreements(job: Job) -> Mapping[str, Agreed]:
    """What the runs of just this work agree on, by accelerator. Rule: runs-that-agree."""
    software = software_of(job.workload.framework, job.workload.tuning)
    return job.coefficients.agreed.get(cell_of(_known_name(job), job.precision, software), {})


def _checks(job: Job) -> Mapping[str, Check]:
    return lasting_checks(job.coefficients.checks, _known_name(job), job.workload.framework)


def _known_name(job: Job) -> str:
    return job.profile.name if job.profile is not None and job.known_model else ""


def _rows_of(machines: Machines, accelerator: str) -> Places:
    return np.flatnonzero((machines.accelerator_name == accelerator) & machines.has_accelerator())


@lru_cache(maxsize=64)  # more than there are named ranges
def _by_basis(spreads: Spreads, name: str, *others: str) -> tuple[Floats, Floats]:
    """Low and high ends on devices by basis, behind them those of other hardware."""
    found = [one for other in (name, *others) for one in spreads.of(other, name)]
    return np.array([one.low for one in found]), np.array([one.high for one in found])


def over_devices(spreads: Spreads, low: Floats, high: Floats, devices: Floats) -> tuple[Floats, Floats]:
    """The ends on so many devices: the error of scaling is added to that of one device, in quadrature of logarithms."""
    growing = spreads.scaling_error + spreads.scaling_growth * np.log2(np.maximum(devices, 1.0))
    extra = np.where(devices > 1, growing, 0.0)
    return np.exp(-np.hypot(np.log(low), extra)), np.exp(np.hypot(np.log(high), extra))


def unstudied(job: Job, machines: Machines) -> Ends:
    """The range of work that nobody measured but the user."""
    left, both = left_of_range(job, machines, job.kind), (UNSTUDIED_SPREAD.low, UNSTUDIED_SPREAD.high)
    shares = np.ones((2, len(machines))) if left is None else left
    return Ends(*(end**share for end, share in zip(both, shares, strict=True)))
