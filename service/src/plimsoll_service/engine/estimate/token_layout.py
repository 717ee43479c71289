"""How a language model lies on the devices in training: the first layout that fits, and its micro-batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import recommended_share, refused_share, usable_gib
from plimsoll_service.engine.estimate.kinds import Kinds, hardware_kinds, kinds_of
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import joined, select, take
from plimsoll_service.engine.estimate.splits import Splits
from plimsoll_service.engine.estimate.token_memory import TokenNeed, Trained, recomputing, token_need
from plimsoll_service.engine.estimate.token_place import Place, place
from plimsoll_service.engine.estimate.token_software import COPIES, OPTIMIZER, SHARDED
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.models.profile import Transformer

MOST_SEQUENCES = 8.0  # micro-batch chosen unasked: beyond it the measured rows gain nothing
MOST_TOKENS = 16_384.0
RECOMPUTATIONS = ("none", "full")  # what ``auto`` tries, in order
MOST_TENSOR = 8  # devices that share each layer unasked: what one machine joins
# Micro-batches of a step and pipeline stage where the step's size is not said: from 4 on the bubble is small
# (Huang et al. 2019, GPipe, section 3).
MICRO_BATCHES_A_STAGE = 4.0


@dataclass(frozen=True, eq=False)
class Layout:
    """How the model lies on the devices, what is recomputed, sequences of a replica's micro-batch, and the need."""

    place: Place
    recomputed: Floats  # 1 where all activations are
    selective: Floats  # 1 where only the cheap ones are
    sequences: Floats
    micro_batches: Floats  # of a step on each replica: what is done once a step is shared among them
    largest: Floats
    need_gib: Floats


@dataclass(frozen=True, eq=False)
class LaidOut:
    """The few layouts that are taken, what the need of a device is made of in each, and the one of every machine."""

    few: Layout
    parts: dict[str, Floats]
    of: Places

    def layout(self) -> Layout:
        """That of every machine."""
        return take(self.few, self.of)


@dataclass(frozen=True, eq=False)
class _Placed:
    """Where the model lies, and what it then needs while nothing is recomputed."""

    place: Place
    need: TokenNeed


@dataclass(frozen=True, eq=False)
class _Rung:
    """A layout that is tried, and the parts of its need."""

    layout: Layout
    parts: dict[str, Floats]


def choose_layout(
    job: Job, dims: Transformer, what: Trained, machines: Machines, devices: Floats, inside: Floats, splits: Splits
) -> Layout:
    """The first that fits of: whole copies, spread states, layers shared inside a machine; each also recomputed."""
    return lay_out(job, dims, what, machines, devices, inside, splits).layout()


def lay_out(
    job: Job, dims: Transformer, what: Trained, machines: Machines, devices: Floats, inside: Floats, splits: Splits
) -> LaidOut:
    """The same with its parts.

    A layout follows from a device's memory and the devices of a run: machines alike in these are laid out once.
    """
    alike = _alike(machines, devices, inside)
    first = alike.rows
    whole = usable_gib(machines.take(first))
    taken, rungs = _first_fitting(job, dims, what, whole, devices[first], inside[first], splits)
    chosen = take(joined(rungs), taken * len(first) + np.arange(len(first)))
    return LaidOut(chosen.layout, chosen.parts, alike.of)


def _alike(machines: Machines, devices: Floats, inside: Floats) -> Kinds:
    """Machines with as much memory on each device, as many devices, and as many in a run."""
    hardware = hardware_kinds(machines)
    _, memory = np.unique(usable_gib(machines.take(hardware.rows)), return_inverse=True)
    within, among = inside.astype(np.intp), devices.astype(np.intp)
    boxes = kinds_of(memory.take(hardware.of) * (int(within.max(initial=0)) + 1) + within).of
    return kinds_of(boxes * (int(among.max(initial=0)) + 1) + among)


def _first_fitting(
    job: Job, dims: Transformer, what: Trained, whole: Floats, devices: Floats, inside: Floats, splits: Splits
) -> tuple[Ints, list[_Rung]]:
    """The rungs of the ladder, and the one that is taken on each device of ``whole`` usable GiB."""
    usable = whole * recommended_share(job)
    # A stated batch is taken to run without sharing layers wherever it may fit at all.
    spare = usable if job.workload.batch_size is None else whole / refused_share(job)
    rungs: list[_Rung] = []
    taken = np.zeros(len(whole), dtype=np.int32)
    need = np.full(len(whole), np.inf)
    tried: dict[tuple[str, int | None], _Placed] = {}  # recomputing changes activations alone
    for sharding, mode, tensor in _ladder(job, what, splits, alone=bool(np.all(devices <= 1))):
        further = ~(need <= (usable if tensor is None else spare))
        if rungs and not np.any(further):
            break
        if (sharding, tensor) not in tried:
            tried[sharding, tensor] = _placed(job, dims, what, devices, inside, splits, sharding, tensor)
        placed = tried[sharding, tensor]
        rung = _rung(job, dims, what, usable, placed, mode)
        if what.software.recomputes_shards and job.workload.activation_recomputation in (None, "auto"):
            rung = select(placed.place.sharded > 0, _rung(job, dims, what, usable, placed, "full"), rung)
        taken[further] = len(rungs)
        need = np.where(further, rung.layout.need_gib, need)
        rungs.append(rung)
    return taken, rungs


def _ladder(job: Job, what: Trained, splits: Splits, alone: bool) -> Iterator[tuple[str, str, int | None]]:
    """Layouts from the fastest to the smallest: sharding, recomputation, devices that share each layer."""
    asked = job.workload.activation_recomputation or "auto"
    modes = RECOMPUTATIONS if asked == "auto" else (asked,)
    shardings = what.software.shardings
    if (splits.pipeline or 1) > 1 and shardings[-1] == SHARDED:
        shardings = (COPIES, OPTIMIZER)  # stages would gather spread weights for every micro-batch
    for sharding in shardings[:1] if alone else shardings:
        yield from ((sharding, mode, None) for mode in modes)
    if splits.tensor is None and not alone:
        yield shardings[-1], modes[-1], MOST_TENSOR


def _placed(
    job: Job, dims: Transformer, what: Trained, devices: Floats, inside: Floats, splits: Splits, sharding: str,
    tensor: int | None,
) -> _Placed:  # fmt: skip
    one = place(dims, devices, np.minimum(inside, devices), splits, sharding, tensor)
    return _Placed(one, token_need(job, dims, what, one, _accumulates(job, one)))


def _rung(job: Job, dims: Transformer, what: Trained, usable: Floats, placed: _Placed, mode: str) -> _Rung:
    one, need = placed.place, recomputing(placed.need, job, dims, what, placed.place, mode)
    length = sequence_length(job)
    largest = _largest(need, usable, length)
    sequences = _sequences(job, largest, length, one.replicas)
    tokens = sequences * length
    layout = Layout(
        place=one,
        recomputed=np.full_like(usable, mode == "full"),
        selective=np.full_like(usable, mode == "selective"),
        sequences=sequences,
        micro_batches=_micro_batches(job, one, sequences),
        largest=largest,
        need_gib=need.required(tokens),
    )
    return _Rung(layout, need.breakdown(tokens))


def _accumulates(job: Job, one: Place) -> Flags:
    """Whether gradients of several micro-batches add up: as the batches say, and always in a pipeline."""
    together = job.workload.global_batch_size
    several = one.pipeline > 1
    if together is None:
        return several
    return several | (together > (job.workload.batch_size or 1) * one.replicas)


def _largest(need: TokenNeed, usable: Floats, length: float) -> Floats:
    """Whole sequences a micro-batch within ``usable`` GiB; 0 where not even one fits, or there is no device."""
    return np.floor(np.fmax(need.tokens_within(usable) / length, 0.0))


def _sequences(job: Job, largest: Floats, length: float, replicas: Floats) -> Floats:
    """Sequences a micro-batch: as asked, else the largest power of two that fits and still gains."""
    if job.workload.batch_size is not None:
        return np.full_like(largest, float(job.workload.batch_size))
    most = max(1.0, min(MOST_SEQUENCES, MOST_TOKENS / length))
    if job.workload.global_batch_size is not None:
        wanted = np.maximum(1.0, np.floor(job.workload.global_batch_size / replicas))
        return np.minimum(wanted, np.maximum(largest, 1.0))
    return 2.0 ** np.floor(np.log2(np.clip(largest, 1.0, most)))


def _micro_batches(job: Job, one: Place, sequences: Floats) -> Floats:
    together = job.workload.global_batch_size
    if together is None:
        return np.where(one.pipeline > 1, MICRO_BATCHES_A_STAGE * one.pipeline, 1.0)
    return np.maximum(1.0, together / (sequences * one.replicas))


def sequence_length(job: Job) -> float:
    """Tokens of one sequence."""
    return float(job.profile.reference.sequence_length or 1) if job.profile is not None else 1.0
