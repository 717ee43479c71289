"""Training of language models by tokens: layout, micro-batch and devices of each candidate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...clusters import Clusters, Drives, Splits, device_counts, machines_working, side_by_side
from ...columns import Groups, Lookup, groups_of, groups_of_pairs, joined, select, take
from ...demand.anchored import speed
from ...demand.global_batch import equal_micro_batches, sensible, share_of
from ...demand.host_process import TRAINING_VCPUS, busy_vcpus, process_of
from ...demand.job import Job, dimensions_of, profile_of
from ...demand.kind import ADAPTED
from ...demand.software import own_script
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ...spreads import MEASURED
from ...units import GIB
from ...workload import OFFLOADS
from ..arithmetic import Arithmetic, arithmetic
from ..job_time import Run, finish
from ..outcome import GlobalBatch, Outcome, TrainingLayout, looked_up
from ..ranges import Ends, ends, no_faster, no_surer
from ..requirements import (
    device_memory,
    model_on_host,
    obstacles,
    recommended_memory_share,
    roomy_gib,
    sure_share,
    usable_gib,
    weights_loading,
)
from .memory import (
    COPIES,
    IN_TURN,
    ON_HOST,
    OPTIMIZER,
    SELECTIVE_SHARE,
    SHARDED,
    STAGES,
    Layout,
    Place,
    TokenNeed,
    Trained,
    offloaded_bytes,
    offloads,
    place,
    recomputing,
    sequence_length,
    token_need,
    trained_of,
)
from .step import TokenRun, eager_slowness, least_seconds, micro_batch_seconds

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
# Programs that lay a model over the devices of a machine by ``device_map``, in one process, where no other layout fits:
# all but one device are idle (huggingface/transformers, perf_train_gpu_many and issue 31557; axolotl-ai-cloud/axolotl,
# pull request 538). Scripts that train adapters with PyTorch take Hugging Face's libraries.
IN_SEQUENCE = {
    "huggingface": EVERY_METHOD, "peft": EVERY_METHOD, "unsloth": EVERY_METHOD, "axolotl": EVERY_METHOD,
    "pytorch": ADAPTED,
}  # fmt: skip
# Where tuned recipes alone were measured, a stock script may gain less from the device: BERT-large in PyTorch runs 1.69
# times as fast on B200 as on H100 (lambda, mixed precision), whose peak rates differ by 2.28.
TUNED_THERE, STOCK_SHARE = ("megatron",), 1.69 / 2.28
# Micro-batches of a step and pipeline stage where the step's size is not said: from 4 on the bubble is small
# (Huang et al. 2019, GPipe, section 3).
MICRO_BATCHES_A_STAGE = 4.0


@dataclass(frozen=True, eq=False)
class LaidOut:
    """The few layouts that are taken, the parts of the need of a device in each, and the layout of every machine."""

    few: Layout
    parts: dict[str, Floats]
    of: Places

    def layout(self) -> Layout:
        """That of every machine."""
        return take(self.few, self.of)


@dataclass(frozen=True, eq=False)
class _Placed:
    """Place of the model, and its need without recomputation."""

    place: Place
    need: TokenNeed


@dataclass(frozen=True, eq=False)
class _Option:
    """A layout that is tried, and the parts of its need."""

    layout: Layout
    parts: dict[str, Floats]


def lay_out(job: Job, trained: Trained, machines: Machines, devices: Floats, inside: Floats, splits: Splits) -> LaidOut:
    """The first layout that fits on each machine, with the parts of its need of memory.

    A layout follows from a device's memory and the devices of a run: machines alike in these are laid out once.
    """
    alike = _alike(job, machines, devices, inside)
    first = alike.rows
    some = machines.take(first)
    taken, options = _first_fitting(job, trained, some, devices[first], inside[first], splits)
    chosen = take(joined(options), taken * len(first) + np.arange(len(first)))
    return LaidOut(chosen.layout, chosen.parts, alike.of)


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


def _first_fitting(
    job: Job, trained: Trained, machines: Machines, devices: Floats, inside: Floats, splits: Splits
) -> tuple[Ints, list[_Option]]:
    """The options, and the one that is taken on each of the machines."""
    whole, batch = usable_gib(machines), job.workload.batch_size
    stated = None if batch is None else machines.at_once_or(batch)
    usable, sure = whole * recommended_memory_share(job), whole * sure_share(job, machines)
    spare = roomy_gib(job, whole, splits.named)[-1]  # before layers are shared
    options: list[_Option] = []
    taken = np.zeros(len(whole), dtype=np.int32)
    need = np.full(len(whole), np.inf)
    tried: dict[tuple[str, int | None, Splits], _Placed] = {}  # recomputing changes activations alone
    alone = bool(np.all(devices * machines.workers <= 1))
    for sharding, mode, tensor, spread in _shapes(job, trained, splits, alone):
        further = ~(need <= (spare if tensor is not None or sharding == IN_TURN else sure))
        if sharding == IN_TURN:
            further &= devices <= inside
        if tensor is not None and tensor > MOST_TENSOR:
            further &= machines.workers > 1
        if options and not np.any(further):
            break
        if (sharding, tensor, spread) not in tried:
            laid = _placed(job, trained, devices, inside, spread, sharding, tensor, machines.workers)
            tried[sharding, tensor, spread] = laid
        placed = tried[sharding, tensor, spread]
        if tensor is not None and job.workload.sharding == "zero3":  # not where one split replica is all there is
            further &= placed.place.sharded > 0
        option = _option(job, trained, usable, sure, placed, mode, stated)
        if trained.software.recomputes_shards and job.workload.activation_recomputation in (None, "auto"):
            full = _option(job, trained, usable, sure, placed, "full", stated)
            option = select(placed.place.sharded > 0, full, option)
        taken[further] = len(options)
        need = np.where(further, option.layout.need_gib, need)
        options.append(option)
    return taken, options


_Shape = tuple[str, str, int | None, Splits]  # sharding, recomputation, workers that share each layer, splits


def _shapes(job: Job, trained: Trained, splits: Splits, alone: bool) -> Iterator[_Shape]:
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


def _placed(
    job: Job, trained: Trained, devices: Floats, inside: Floats, splits: Splits, sharding: str,
    tensor: int | None, workers: Floats,
) -> _Placed:  # fmt: skip
    one = place(trained.dims, devices, np.minimum(inside, devices), splits, sharding, tensor, workers)
    return _Placed(one, token_need(job, trained, one, _accumulates(job, one)))


def _option(
    job: Job, trained: Trained, usable: Floats, sure: Floats, placed: _Placed, mode: str, stated: Floats | None
) -> _Option:
    one, need = placed.place, recomputing(placed.need, job, trained, placed.place, mode)
    length = sequence_length(job)
    largest = _largest(need, usable, length)
    sequences = _sequences(job, _largest(need, sure, length), length, one.replicas) if stated is None else stated
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
    together = job.workload.global_batch_size or job.usual_batch
    several = one.pipeline > 1
    if not together:
        return several
    return several | (together > (job.workload.batch_size or 1) * one.replicas)


def _largest(need: TokenNeed, usable: Floats, length: float) -> Floats:
    """Whole sequences a micro-batch within ``usable`` GiB; 0 where not even one fits, or there is no device."""
    return np.floor(np.fmax(need.tokens_within(usable) / length, 0.0))


def _sequences(job: Job, largest: Floats, length: float, replicas: Floats) -> Floats:
    """Sequences a micro-batch unless stated: equal parts of the step, or the largest power of two that gains."""
    more = _room_for_more(job)
    most = max(1.0, min(MOST_SEQUENCES * more, MOST_TOKENS * more / length))
    if job.workload.global_batch_size is not None:
        return equal_micro_batches(job.workload.global_batch_size, replicas, largest)
    fitting = 2.0 ** np.floor(np.log2(np.clip(largest, 1.0, most)))
    return np.minimum(fitting, share_of(job, replicas))


def _room_for_more(job: Job) -> float:
    """How many times the usual micro-batch a small model takes where gradients of several would add up anyway."""
    return min(max(USUAL_PARAMETERS / profile_of(job).parameters, 1.0), MOST_MORE) if job.usual_batch else 1.0


def _micro_batches(job: Job, one: Place, sequences: Floats) -> Floats:
    together = job.workload.global_batch_size
    if job.usual_batch:
        return np.maximum(1.0, np.floor(job.usual_batch / (sequences * one.replicas)))
    if together is None:
        return np.where((one.pipeline > 1) & (one.in_turn == 0), MICRO_BATCHES_A_STAGE * one.pipeline, 1.0)
    return np.maximum(1.0, together / (sequences * one.replicas))


@dataclass(frozen=True, eq=False)
class _Plan:
    """How many devices of each machine take part, how the model lies on them, and sequences a second of them all."""

    devices: Floats
    layout: Places  # among those laid out
    rate: Floats
    bottleneck: Ints
    eager: Floats  # of a plain script: its time over that of the measured trainers


@dataclass(frozen=True, eq=False)
class Prepared:
    """The faster plan of each candidate, with its needs and its range; and the largest micro-batch."""

    run: Run
    largest: Lookup


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """The time that the tokens take, and their way in."""
    machines, nodes = clusters.machines, clusters.fixed_nodes
    return finish(job, machines, nodes, known.run, drives, largest=known.largest, floor=TRAINING_VCPUS), nodes


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    machines, nodes = clusters.machines, clusters.fixed_nodes
    kinds = machines.hardware_groups
    numbers = arithmetic(machines.take(kinds.rows), job.precision, job.half_falls_back, job.coefficients.roofline)
    plan, laid = _planned(job, machines, nodes, numbers, clusters.splits)
    of, sequences = plan.layout, laid.few.sequences.take(plan.layout)
    need_gib = laid.few.need_gib.take(of)
    device = device_memory(machines, need_gib, {name: Lookup(part, of) for name, part in laid.parts.items()})
    devices, rate = np.where(machines.has_accelerator(), plan.devices, 0.0), plan.rate * speed(job, machines)
    run = Run(
        devices=devices,
        batch=Lookup(laid.few.sequences, of),
        rate=rate,
        busy=busy_vcpus(machines, rate / machines_working(job.experiments, devices, nodes)),
        bottleneck=plan.bottleneck,
        spread=no_faster(
            _ends(job, machines, plan.eager),
            np.maximum(devices, 1.0)
            * nodes
            / (least_seconds(job, trained_of(job), numbers.peak).take(kinds.of) * rate),
        ),
        device=device,
        process=process_of(
            job,
            devices,
            sequences,
            _on_host(job, machines, laid.few, of, need_gib, devices),
            weights_loading(job, machines, _loaded_share(trained_of(job), laid.few, of, devices)),
        ),
        emulated=numbers.emulated.take(kinds.of),
        obstacles=obstacles(job, machines, nodes, numbers.supported.take(kinds.of), device, only_devices=True),
        together=_global_batch(job, laid.few, of),
        layout=looked_up(_as_laid(job, laid.few), of),
    )
    return Prepared(run, Lookup(laid.few.largest, of))


def _as_laid(job: Job, few: Layout) -> TrainingLayout:
    """The few layouts in the terms of the answer."""
    place, nothing = few.place, np.zeros_like(few.sequences)
    stages = [(place.sharded > 0), (place.gradients_spread > 0), (place.optimizer_spread > 0)]
    return TrainingLayout(
        recomputed=np.where(few.selective > 0, SELECTIVE_SHARE, few.recomputed),
        stage=np.select(stages, [3.0, 2.0, 1.0], 0.0),
        devices=place.devices,
        tensor=place.tensor,
        pipeline=place.pipeline,
        expert=np.where((place.sharded == 0) | trained_of(job).software.spreads_experts, place.expert, 1.0),
        in_turn=place.in_turn,
        offload=nothing + OFFLOADS.index(job.workload.offload or "none"),
        frozen=nothing,
        roomier=nothing,
    )


def _on_host(job: Job, machines: Machines, few: Layout, of: Places, need_gib: Floats, devices: Floats) -> Floats | None:
    """GiB in the host's memory: of the model where there is no device, of states that are kept there."""
    model = model_on_host(machines, need_gib)
    if not offloads(job):
        return model
    states: Floats = offloaded_bytes(job, trained_of(job), few.place).take(of) / GIB * devices
    return states if model is None else states + model


def _loaded_share(trained: Trained, few: Layout, of: Places, devices: Floats) -> Floats:
    """Share of the weights that the devices of one machine hold together: all of them where each has a copy."""
    states = few.place.state_share(trained.parameters - trained.experts, trained.experts)
    return np.minimum(states.take(of) * np.maximum(devices, 1.0), 1.0)


def _global_batch(job: Job, few: Layout, of: Places) -> GlobalBatch:
    """Global batch of each candidate, from that of the few layouts; one sequence keeps a device busy."""
    samples = few.sequences * few.place.replicas * few.micro_batches
    return GlobalBatch(Lookup(samples, of), sensible(job, samples, few.place.replicas).take(of))


def _planned(job: Job, machines: Machines, nodes: Floats, numbers: Arithmetic, splits: Splits) -> tuple[_Plan, LaidOut]:
    """The faster plan of each candidate; ``numbers`` are of each hardware group."""
    trained, counts, group = trained_of(job), device_counts(machines), machines.hardware_groups.of
    rows = counts.rows[: counts.candidates] if splits.stated else counts.rows
    some, devices = machines.take(rows), counts.devices[: len(rows)]
    shares = side_by_side(job.experiments, devices, nodes[rows])
    laid = lay_out(job, trained, some, shares.of_a_run, devices, splits)
    layout = laid.layout()
    run = TokenRun(job, trained, some, take(numbers, group[rows]), layout, devices)
    seconds, limit = micro_batch_seconds(run)
    rate = layout.sequences * layout.place.replicas * shares.at_once / seconds
    both = _Plan(devices, laid.of, rate, limit, eager_slowness(run, seconds))
    if splits.stated:
        return both, laid
    fits = layout.need_gib <= usable_gib(some) * recommended_memory_share(job)
    return take(both, counts.best(rate / shares.rounds(job.experiments), fits)), laid


def _ends(job: Job, machines: Machines, eager: Floats) -> Ends:
    """The range of the fit; no row of it is of a plain script, which may run its kernels one by one.

    The user's own measurements know how the script runs, and so does a measurement of just this work.
    """
    of_fit = ends(job, machines, range_of(job))
    if not job.tuned and job.workload.framework not in TUNED_THERE and job.anchoring is None:
        of_fit = no_surer(of_fit, np.where(machines.tuned_alone & (machines.basis != MEASURED), STOCK_SHARE, 1.0))
    if not own_script(job.workload) or job.anchoring is not None:
        return of_fit
    one_by_one = ~machines.compiled_chip() & (machines.basis != MEASURED)
    return no_surer(of_fit, np.where(one_by_one, 1 / eager, 1.0))


def range_of(job: Job) -> str:
    """The name of the range: experts depend more on the release of the software, adapters on the trainer."""
    if dimensions_of(job).moe is not None:
        return "token_training_moe"
    return "token_training" if job.method == "full" else "token_training_adapters"
