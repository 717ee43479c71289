"""How a language model lies on the devices of each machine in training: the layouts that are tried, and their needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

import numpy as np

from ...clusters import Splits
from ...columns import Groups, groups_of, groups_of_pairs, joined, select, take
from ...demand.global_batch import equal_micro_batches, share_of
from ...demand.job import Job, profile_of
from ...demand.kind import ADAPTED
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ..requirements import recommended_memory_share, roomy_gib, sure_share, usable_gib
from .memory import (
    COPIES,
    IN_TURN,
    ON_HOST,
    OPTIMIZER,
    SHARDED,
    STAGES,
    Layout,
    Place,
    TokenNeed,
    Trained,
    offloads,
    place,
    recomputing,
    sequence_length,
    token_need,
)

MOST_SEQUENCES = 8.0  # micro-batch chosen unasked: beyond it the measured rows gain nothing
MOST_TOKENS = 16_384.0
# Smaller models take more to keep a device busy: llm-foundry's published micro-batches of sequences up to 4,096 have
# 16,000 to 41,000 tokens for 1.3 billion parameters, 25,000 to 49,000 for 0.76, 33,000 to 66,000 for 0.35 and 53,000
# to 82,000 for 0.125.
USUAL_PARAMETERS, MOST_MORE = 1.3e9, 4.0
RECOMPUTATIONS = ("none", "full")  # of ``auto``, in order
# Experts lie on the devices of one machine, and the layers in stages on so many, before all states are spread: expert
# parallelism inside a node, pipeline parallelism between nodes (Megatron Core, MoE parallel mapping guidelines).
MOST_EXPERT, STAGES_TRIED = 8, (None, 2, 4, 8, 16)
# Devices that share each layer unasked: at most those of a machine, usually 8 (arXiv 2104.04473, takeaway 1). Where a
# device is several workers, so many of these, as in the LoRA of Llama-3.1-8B (huggingface/optimum-neuron @1b8100ab,
# finetune_llama.mdx, 2025); larger models take all of a machine (AWS Neuron, Llama-3.1-70B: 32).
MOST_TENSOR, MOST_WORKERS = 8, 32
# Frameworks that split each layer over devices, and the methods that they train so; with others a model that no device
# holds has its states spread. READMEs of Megatron-LM, torchtitan and MaxText; AWS Neuron, NxD Training;
# docs.pytorch.org, torch.distributed.tensor.parallel; pytorch/torchtune, recipes/full_finetune_distributed.py.
EVERY_METHOD = ("full", *ADAPTED)
SPLIT_LAYERS = {
    "megatron": EVERY_METHOD, "neuron": EVERY_METHOD, "torchtitan": EVERY_METHOD, "jax": EVERY_METHOD,
    "pytorch": ("full",), "torchtune": ("full",),
}  # fmt: skip
# Degrees to which a layer is split though the model fits without: powers of two, among the devices of one machine
# (arXiv 2104.04473, takeaway 1; docs.nvidia.com/megatron-core, parallelism guide, read on 2026-11-28).
TENSOR_TRIED = (2, 4, MOST_TENSOR)
NOWHERE = -1
# Programs that lay a model over the devices of a machine by ``device_map``, in one process, where no other layout fits:
# all but one device are idle (huggingface/transformers, perf_train_gpu_many and issue 31557; axolotl-ai-cloud/axolotl,
# pull request 538). Scripts that train adapters with PyTorch take Hugging Face's libraries.
IN_SEQUENCE = {
    "huggingface": EVERY_METHOD, "peft": EVERY_METHOD, "unsloth": EVERY_METHOD, "axolotl": EVERY_METHOD,
    "pytorch": ADAPTED,
}  # fmt: skip
# Micro-batches of a step and pipeline stage where the step's size is not said: from 4 on the bubble is small
# (Huang et al. 2019, GPipe, section 3).
MICRO_BATCHES_A_STAGE = 4.0


@dataclass(frozen=True, eq=False)
class LaidOut:
    """The few layouts that are taken, the parts of the need of a device in each, and the layout of every machine.

    ``others`` may be faster, and are compared with it in turn; ``NOWHERE``: there is none for that machine.
    """

    few: Layout
    parts: dict[str, Floats]
    of: Places
    others: tuple[Places, ...] = ()

    def layout(self) -> Layout:
        """That of every machine."""
        return take(self.few, self.of)


class _Placed(NamedTuple):
    """Place of the model, and its need without recomputation."""

    place: Place
    need: TokenNeed


@dataclass(frozen=True, eq=False)
class _Option:
    """A layout that is tried, and the parts of its need."""

    layout: Layout
    parts: dict[str, Floats]


def lay_out(job: Job, trained: Trained, machines: Machines, devices: Floats, inside: Floats, splits: Splits) -> LaidOut:
    """The first layout that fits on each machine, with the parts of its need of memory, and those that may be faster.

    A layout follows from a device's memory and the devices of a run: machines alike in these are laid out once.
    """
    alike = _alike(job, machines, devices, inside)
    first = alike.rows
    search = _Search(job, trained, machines.take(first), devices[first], inside[first])
    taken, shapes = _first_fitting(search, splits)
    found = take(joined([search.option(shape) for shape in shapes]), taken * len(first) + np.arange(len(first)))
    rivals = _rivals(search, splits, taken, shapes, found.layout)
    every = joined([found, *(take(option, rows) for rows, option in rivals)]) if rivals else found
    others = _side_by_side(len(first), [rows for rows, _ in rivals])
    return LaidOut(every.layout, every.parts, alike.of, tuple(other.take(alike.of) for other in others))


def _side_by_side(groups: int, rivals: Sequence[Places]) -> list[Places]:
    """Where the rivals of each group lie behind the layouts that were found, in as few columns as hold them."""
    columns: list[Places] = []
    laid = groups
    for rows in rivals:
        free = next((column for column in columns if np.all(column[rows] == NOWHERE)), None)
        if free is None:
            columns.append(free := np.full(groups, NOWHERE))
        free[rows] = np.arange(laid, laid + len(rows))
        laid += len(rows)
    return columns


def _alike(job: Job, machines: Machines, devices: Floats, inside: Floats) -> Groups:
    """Machines with as much memory on each device, surely and by the middle, as many devices, and the same batch."""
    hardware = machines.hardware_groups
    some = machines.take(hardware.rows)
    parts = sure_share(job, some) + some.workers  # the first is at most 1
    _, memory = np.unique(usable_gib(some) + 1j * parts, return_inverse=True)
    within, among = inside.astype(np.intp), devices.astype(np.intp)
    boxes = groups_of(memory.take(hardware.of) * (int(within.max(initial=0)) + 1) + within).of
    laid = groups_of(boxes * (int(among.max(initial=0)) + 1) + among)
    stated = machines.at_once
    return laid if np.isnan(stated).all() else groups_of_pairs(laid.of.astype(np.int32), stated)


class _Shape(NamedTuple):
    """A layout to try: its sharding, recomputation, workers that share each layer, and splits."""

    sharding: str
    mode: str
    tensor: int | None
    splits: Splits


@dataclass(frozen=True, eq=False)
class _Search:
    """The layouts of a job on each of several machines; each is worked out once."""

    job: Job
    trained: Trained
    machines: Machines
    devices: Floats
    inside: Floats
    _placed: dict[tuple[str, int | None, Splits], _Placed] = field(default_factory=dict)
    _options: dict[_Shape, _Option] = field(default_factory=dict)

    @cached_property
    def usable(self) -> Floats:
        """GiB of a device that a recommendation may use."""
        return usable_gib(self.machines) * recommended_memory_share(self.job)

    @cached_property
    def sure(self) -> Floats:
        """GiB of a device that a layout may fill which nobody stated."""
        return usable_gib(self.machines) * sure_share(self.job, self.machines)

    @cached_property
    def stated(self) -> Floats | None:
        """Sequences of a device, where they are stated."""
        batch = self.job.workload.batch_size
        return None if batch is None else self.machines.at_once_or(batch)

    def placed(self, shape: _Shape) -> _Placed:
        """Where the model lies; recomputing changes activations alone."""
        at = (shape.sharding, shape.tensor, shape.splits)
        if at not in self._placed:
            within, workers = np.minimum(self.inside, self.devices), self.machines.workers
            one = place(self.trained.dims, self.devices, within, shape.splits, shape.sharding, shape.tensor, workers)
            self._placed[at] = _Placed(one, token_need(self.job, self.trained, one, _accumulates(self.job, one)))
        return self._placed[at]

    def option(self, shape: _Shape) -> _Option:
        """The layout of that shape on every machine."""
        if shape not in self._options:
            placed, unasked = self.placed(shape), self.job.workload.activation_recomputation in (None, "auto")
            found = self._laid(placed, shape.mode)
            if self.trained.software.recomputes_shards and unasked:
                found = select(placed.place.sharded > 0, self._laid(placed, "full"), found)
            self._options[shape] = found
        return self._options[shape]

    def _laid(self, placed: _Placed, mode: str) -> _Option:
        return _option(self.job, self.trained, self.usable, self.sure, placed, mode, self.stated)


def _first_fitting(search: _Search, splits: Splits) -> tuple[Ints, list[_Shape]]:
    """The shapes that were tried, and the one that is taken on each of the machines."""
    job, machines, devices = search.job, search.machines, search.devices
    spare = roomy_gib(job, usable_gib(machines), splits.named)[-1]  # before layers are shared
    shapes: list[_Shape] = []
    taken = np.zeros(len(devices), dtype=np.int32)
    need = np.full(len(devices), np.inf)
    alone = bool(np.all(devices * machines.workers <= 1))
    for shape in starmap(_Shape, _shapes(job, search.trained, splits, alone)):
        further = ~(need <= (spare if shape.tensor is not None or shape.sharding == IN_TURN else search.sure))
        if shape.sharding == IN_TURN:
            further &= devices <= search.inside
        if shape.tensor is not None and shape.tensor > MOST_TENSOR:
            further &= machines.workers > 1
        if shapes and not np.any(further):
            break
        if shape.tensor is not None and job.workload.sharding == "zero3":
            further &= search.placed(shape).place.sharded > 0  # not where one split replica is all there is
        taken[further] = len(shapes)
        need = np.where(further, search.option(shape).layout.need_gib, need)
        shapes.append(shape)
    return taken, shapes


def _rivals(
    search: _Search, splits: Splits, taken: Ints, shapes: list[_Shape], found: Layout
) -> list[tuple[Places, _Option]]:
    """Layouts that surely fit and may be faster than the one that was found, with the machines that they are for.

    Spread weights are gathered for every micro-batch: where memory limits it, recomputing leaves room for more to share
    that. torchtitan recomputes the cheap activations alone, and Megatron-LM splits layers rather than compute them
    again or gather their weights. Rule: training-layout.
    """
    job, software = search.job, search.trained.software
    if search.stated is not None or (job.workload.activation_recomputation or "auto") != "auto":
        return []
    rivals: list[tuple[Places, _Option]] = []

    def add(shape: _Shape, among: Flags) -> Flags:
        option = search.option(shape)
        rows = among & (option.layout.need_gib <= search.sure)
        if rows.any():
            rivals.append((rows.nonzero()[0], option))
        return rows

    for number, shape in enumerate(shapes):
        mine = (taken == number) & (found.need_gib <= search.sure)
        few = mine & (found.place.sharded > 0) & (found.sequences < _most_sequences(job))
        if shape.mode == "none" and np.any(few):
            fuller = shape._replace(mode="full")
            add(fuller, few & (search.option(fuller).layout.sequences > found.sequences))
        if software.selective and np.any(mine):
            add(shape._replace(mode="selective"), mine)
    if _may_split_layers(job, search.trained, splits):
        left = (found.place.sharded > 0) | (found.recomputed > 0)
        for degree in TENSOR_TRIED:
            if np.any(among := left & (search.inside >= degree)):
                left &= ~add(_Shape(OPTIMIZER, "none", degree, splits), among)
    return rivals


def _may_split_layers(job: Job, trained: Trained, splits: Splits) -> bool:
    """Whether each layer may be split over devices though the model fits without, where nothing is stated of it."""
    unasked = (job.workload.sharding or "auto") == "auto" and not splits.stated and not offloads(job)
    return trained.software.splits_if_faster and trained.dims.moe is None and unasked


def _shapes(job: Job, trained: Trained, splits: Splits, alone: bool) -> Iterator[tuple[str, str, int | None, Splits]]:
    """Layouts from the fastest to the smallest."""
    asked = job.workload.activation_recomputation or "auto"
    modes = RECOMPUTATIONS if asked == "auto" else (asked,)
    shares = splits.tensor is None and job.method in SPLIT_LAYERS.get(job.workload.framework or "", ())
    shardings = _shardings(job, trained, splits)
    if shares and trained.software.shares_first and len(shardings) > 1:
        *first, last = shardings
        yield from ((one, mode, None, splits) for one in first for mode in modes)
        yield from ((first[-1], mode, most, splits) for most in (MOST_TENSOR, MOST_WORKERS) for mode in modes)
        shardings = (last,)
    for sharding in shardings[:1] if alone else shardings:
        if sharding == SHARDED and _spreads_experts(job, trained, splits):
            for stages in STAGES_TRIED:
                spread = replace(splits, expert=MOST_EXPERT, pipeline=stages)
                yield from ((OPTIMIZER, mode, None, spread) for mode in modes)
        yield from ((sharding, mode, None, splits) for mode in modes)
    if splits.tensor is not None or alone:
        return
    if trained.software.keeps_on_host and modes[-1] == "full":
        yield shardings[-1], ON_HOST, None, splits
    if shares:
        yield from ((shardings[-1], modes[-1], most, splits) for most in (MOST_TENSOR, MOST_WORKERS))
    elif _takes_turns(job, splits):
        yield IN_TURN, modes[-1], None, splits


def _shardings(job: Job, trained: Trained, splits: Splits) -> tuple[str, ...]:
    """The shardings that are tried, in order: those of the software unless one is asked."""
    asked = job.workload.sharding or "auto"
    if asked != "auto":
        return (STAGES[asked],)
    shardings = trained.software.shardings
    if offloads(job):  # the host would hold as many copies
        return shardings[-1:]
    if (splits.pipeline or 1) > 1 and shardings[-1] == SHARDED:
        return COPIES, OPTIMIZER  # stages would gather spread weights for every micro-batch
    return shardings


def _spreads_experts(job: Job, trained: Trained, splits: Splits) -> bool:
    """Whether the experts are spread over a machine before all states are, unasked."""
    unasked = (job.workload.sharding or "auto") == "auto" and not splits.stated
    return trained.software.spreads_experts and trained.dims.moe is not None and unasked


def _takes_turns(job: Job, splits: Splits) -> bool:
    """Whether the program may lay the layers on devices that work one after another."""
    asked = job.workload.sharding or "auto"
    return job.method in IN_SEQUENCE.get(job.program, ()) and splits.pipeline is None and asked in ("auto", "none")


def _option(
    job: Job, trained: Trained, usable: Floats, sure: Floats, placed: _Placed, mode: str, stated: Floats | None
) -> _Option:
    one, need = placed.place, recomputing(placed.need, job, trained, placed.place, mode)
    length = sequence_length(job)
    largest = _largest(need, usable, length)
    sequences = _sequences(job, _largest(need, sure, length), one.replicas) if stated is None else stated
    tokens = sequences * length
    layout = Layout(
        place=one,
        recomputed=np.full_like(usable, mode in ("full", ON_HOST)),
        selective=np.full_like(usable, mode == "selective"),
        sequences=sequences,
        micro_batches=_micro_batches(job, one, sequences),
        largest=largest,
        need_gib=need.required(tokens),
    )
    return _Option(layout, need.breakdown(tokens))


def _accumulates(job: Job, one: Place) -> Flags:
    """Whether gradients of several micro-batches add up: as the batches say, and always in a pipeline."""
    together = job.workload.global_batch_size or job.usual_batch  # 0 where nothing says how many
    return (one.pipeline > 1) | (together > (job.workload.batch_size or 1) * one.replicas)


def _largest(need: TokenNeed, usable: Floats, length: float) -> Floats:
    """Whole sequences a micro-batch within ``usable`` GiB; 0 where not even one fits, or there is no device."""
    return np.floor(np.fmax(need.tokens_within(usable) / length, 0.0))


def _sequences(job: Job, largest: Floats, replicas: Floats) -> Floats:
    """Sequences a micro-batch unless stated: equal parts of the step, or the largest power of two that gains."""
    if job.workload.global_batch_size is not None:
        return equal_micro_batches(job.workload.global_batch_size, replicas, largest)
    fitting = 2.0 ** np.floor(np.log2(np.clip(largest, 1.0, _most_sequences(job))))
    return np.minimum(fitting, share_of(job, replicas))


def _most_sequences(job: Job) -> float:
    """Sequences of a micro-batch beyond which nothing is gained."""
    # A small model takes more where gradients of several micro-batches would add up anyway.
    more = min(max(USUAL_PARAMETERS / profile_of(job).parameters, 1.0), MOST_MORE) if job.usual_batch else 1.0
    return max(1.0, min(MOST_SEQUENCES * more, MOST_TOKENS * more / sequence_length(job)))


def _micro_batches(job: Job, one: Place, sequences: Floats) -> Floats:
    together, at_once = job.workload.global_batch_size, sequences * one.replicas
    if job.usual_batch:
        return np.maximum(1.0, np.floor(job.usual_batch / at_once))
    if together is None:
        return np.where((one.pipeline > 1) & (one.in_turn == 0), MICRO_BATCHES_A_STAGE * one.pipeline, 1.0)
    return np.maximum(1.0, together / at_once)
