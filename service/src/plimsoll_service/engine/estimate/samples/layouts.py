"""How a network that is counted in samples is spread over devices: what they exchange, and where its states lie.

States are spread over devices, activations computed again, and weights or optimizer states kept in the host's memory:
Rajbhandari et al. 2020 (ZeRO: what each stage spreads, and its traffic), Chen et al. 2016 and Korthikanti et al. 2022
(activations computed again), Rajbhandari et al. 2021 (ZeRO-Infinity: states in the host's memory).

Scaling of data parallel (throughput study, section 5): T_n = T_1 · (1 + h·log2 n) + softplus(t_ar − o·T_1).
Ring all-reduce moves 2·(n−1)/n of the gradients (Patarasuk and Yuan 2009).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...coefficients import Scaling
from ...columns import joined, take
from ...demand.adapters import ADAPTER_PASSES, adapted, trained_parameters
from ...demand.job import Job, profile_of
from ...hardware import Flags, Floats
from ...machines import Machines
from ...models.profile import ModelProfile
from ...models.transformers import KERNELS_PER_LAYER
from ...units import BITS_PER_BYTE, GB, GIB
from ...workload import OFFLOADS
from ..outcome import TrainingLayout
from ..requirements import (
    SPREAD_TABLES,
    DeviceNeed,
    device_need,
    encoding_gib,
    kept_bytes,
    recommended_memory_share,
    roomy_gib,
    usable_gib,
)


def exchanging_step(fit: Scaling, one: Floats, total: Floats, exchange: Floats) -> Floats:
    """Seconds of a step on ``total`` devices that exchange for so many seconds, partly while they compute."""
    excess = exchange - fit.overlap * one
    width = fit.softness * one
    exposed = width * np.logaddexp(0.0, excess / width)
    grown = one * (1 + fit.step_growth * np.log2(np.maximum(total, 1.0)))
    return np.where(total > 1, grown + exposed, one)


def exchanged_bytes(job: Job, profile: ModelProfile, element_bytes: Floats, batch: Floats, devices: Floats) -> Floats:
    """Gradient bytes of a step of ``batch`` on each of ``devices``; a global batch exchanges once for its passes."""
    fit, together = job.coefficients.scaling, job.workload.global_batch_size
    per_parameter = np.where(element_bytes >= 4, fit.gradient_bytes_fp32, fit.gradient_bytes_half)
    passes = 1.0 if together is None else np.maximum(1.0, together / (batch * devices))
    moved = trained_parameters(job, profile) if adapted(job) else profile.parameters - profile.embedding_parameters
    return per_parameter * moved / passes


def table_bytes(profile: ModelProfile, samples: Floats) -> Floats:
    """Bytes of what the tables give for so many samples, which devices and machines exchange there and back.

    Tables are spread over devices, each of which sums the rows of its own (Naumov et al. 2019, arXiv 1906.00091,
    section 4.1: all to all, in both passes; TorchRec sends 4 bytes a value unless told otherwise).
    """
    pooled = profile.gathered_bytes if profile.pooled_bytes is None else profile.pooled_bytes
    return samples * (pooled if profile.architecture == SPREAD_TABLES else 0.0)


def exchange_inside(fit: Scaling, machines: Machines, devices: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among the devices of one machine. Rule: through-the-host."""
    sharing = np.maximum(devices / 2, 1.0)
    direct = machines.pcie_gb_s * fit.pcie / sharing**fit.pcie_contention
    staged = np.fmin(direct, fit.staged_gb_s / sharing**fit.staged_contention)
    pcie = np.where(machines.staged, staged, direct)
    bus = np.where(machines.link_gb_s > 0, np.fmax(machines.link_gb_s * fit.nvlink, pcie), pcie)
    return _ring_seconds(bus, devices, gradient_bytes)


def exchange_between(fit: Scaling, machines: Machines, nodes: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among machines over the network; NaN where its speed is unknown."""
    return _ring_seconds(machines.network_gbps / BITS_PER_BYTE * fit.network, nodes, gradient_bytes)


def _ring_seconds(bus_gb_s: Floats, places: Floats, moved: Floats) -> Floats:
    """Seconds in which so many places send all bytes around a ring, there and back."""
    ring = 2 * (places - 1) / np.maximum(places, 1.0)
    return np.where(places > 1, ring * moved / (bus_gb_s * GB), 0.0)


STAGES = ("none", "zero1", "zero2", "zero3")
# Parts of the need that each stage spreads over the devices of a run.
SPREAD = {"none": (), "zero1": ("optimizer",), "zero2": ("optimizer", "gradients"),
          "zero3": ("optimizer", "gradients", "weights")}  # fmt: skip
# Those that spread states where a model needs it: by their own settings, Accelerate's, PyTorch's (fully sharded data
# parallel, its SHARD_GRAD_OP, and ZeroRedundancyOptimizer), or axes of a mesh of devices (google-research/t5x,
# docs/usage/partitioning.md).
SHARDING_FRAMEWORKS = ("deepspeed", "megatron", "huggingface", "pytorch", "jax")
GATHERING = 1.5  # traffic of spread weights over that of gradients alone (Rajbhandari et al. 2020, section 7)
GRADIENT_BYTES = 4.0
HALF_BYTES, STEP_BYTES = 2.0, GRADIENT_BYTES + 2.0  # of a weight on its way; of a gradient to the host, its weight back
LIVE_BLOCKS = 2.0  # gathered or fetched at a time: the one in use and the next
INPUT_SHARE = 2 / 34  # of a block's activations, its input, which is all that is kept (Korthikanti et al. 2022)
RECOMPUTED = {"none": 0.0, "selective": 0.5, "full": 1.0}  # share of the blocks, and so of a forward pass
NARROW_BYTES = 1.0  # of a frozen weight in 8 bits
UPDATE_BYTES = 22.0  # moved in memory to update a trained parameter


@dataclass(frozen=True)
class Shape:
    """One way to lay out a network."""

    stage: str
    recomputation: str
    offload: str
    encoded: bool = False  # outputs of frozen encoders from before
    narrow: bool = False  # that, and frozen weights in 8 bits


@dataclass(frozen=True, eq=False)
class Placed:
    """The network on each kind of machine: its need, and what that costs in time."""

    need: DeviceNeed
    slower: Floats  # factor on a step, for activations that are computed again
    spread: Floats  # 1 where states are spread over the devices of a run
    gathering: Floats  # factor on the bytes that a step exchanges
    host_gib: Floats  # of one device in the host's memory
    fetched_bytes: Floats  # of one device over PCIe, each step
    updated_bytes: Floats  # of one device in the host's memory, each step
    laid: TrainingLayout

    @property
    def plain(self) -> bool:
        """Whether nothing is spread, computed again or in the host's memory."""
        return bool(np.all(self.slower == 1) and not np.any(self.spread) and not np.any(self.host_gib))


def spread_where(
    job: Job, profile: ModelProfile, machines: Machines, devices: Floats, element_bytes: Floats
) -> Flags | bool:
    """Machines on which states are spread over devices, so that the need follows from their number.

    Unasked only those that whole copies do not fit well, whatever is computed again.
    """
    every = list(shapes(job))
    whole = [shape for shape in every if shape.stage == "none"]
    if not whole or len(whole) == len(every):
        return not whole
    plain = device_need(job, profile, machines, element_bytes)
    smallest = _option(job, profile, plain, devices, element_bytes, whole[-1])
    batch = machines.at_once_or(job.workload.batch_size or 1)
    fits: Flags = smallest.need.required(batch) <= usable_gib(machines) * recommended_memory_share(job)
    return machines.has_accelerator() & ~fits


def shapes(job: Job) -> Iterator[Shape]:
    """Layouts from the fastest to the smallest; stated parts are followed."""
    workload = job.workload
    again = workload.activation_recomputation or "auto"
    modes = ("none", "full") if again == "auto" else (again,)
    stages: tuple[str, ...] = (workload.sharding or "auto",)
    if stages == ("auto",):
        shards = workload.framework in SHARDING_FRAMEWORKS and not job.keeps_copies
        stages = STAGES if shards else STAGES[:1]
        stages = stages[-1:] if workload.offload in OFFLOADS[1:] else stages  # the host would hold as many copies
    # Frozen encoders may be gone before a denoiser trains, as its captions and images stay the same:
    # kohya-ss/musubi-tuner requires it (docs, text encoder output pre-caching, 2025), modelscope/DiffSynth-Studio has a
    # task for it (issue 552, 2025-04-25), tdrussell/diffusion-pipe does it unasked. Named trainers of adapters hold the
    # frozen weights in 8 bits.
    denoises = job.profile is not None and job.profile.family == "diffusion"
    encoded = denoises and profile_of(job).frozen_parameters > 0
    narrow = denoises and job.narrows and job.method == "lora"
    for stage in stages:
        yield from (Shape(stage, mode, workload.offload or "none") for mode in modes)
        if encoded and stage == stages[0]:
            yield Shape(stage, modes[-1], workload.offload or "none", encoded)
        if narrow and stage == stages[0]:
            yield Shape(stage, modes[-1], workload.offload or "none", encoded, narrow)
    if workload.offload is None and adapted(job):  # frozen weights are only read
        yield Shape(stages[-1], modes[-1], "parameters", encoded, narrow)


def fetches_alone(job: Job) -> bool:
    """Whether unasked, frozen weights leave the device for the host's memory only where a run has no other device."""
    return job.keeps_copies and job.workload.offload is None and adapted(job)


def placed_of(
    job: Job, profile: ModelProfile, machines: Machines, devices: Floats, element_bytes: Floats, named: bool
) -> Placed:
    """The first shape that fits on each machine, ``devices`` of which are in a run; else the smallest.

    Where none fits by the middle of its need, the first that may fit: all of ``roomy_gib`` one after another.
    """
    plain = device_need(job, profile, machines, element_bytes)
    batch = machines.at_once_or(job.workload.batch_size or 1)
    usable = np.where(machines.has_accelerator(), usable_gib(machines), np.inf)  # processors recompute nothing unasked
    limits = roomy_gib(job, usable, named)
    # Where links or a network join the devices, all take part; without links, one may.
    together = (devices > 1) & ((machines.link_gb_s > 0) | (devices > machines.devices)) & fetches_alone(job)
    options, needs = list[Placed](), list[Floats]()
    for shape in shapes(job):
        options.append(_option(job, profile, plain, devices, element_bytes, shape))
        barred = together & (shape.offload != "none")
        needs.append(np.where(barred, np.inf, options[-1].need.required(batch)))
        if np.all(np.min(needs, axis=0) <= limits[0]):
            break
    if len(options) == 1:
        return options[0]
    last = np.arange(len(options))[:, None] == len(options) - 1 - np.isinf(needs[-1])
    fits = [*(np.array(needs) <= limit for limit in limits), last]
    taken = np.argmax(np.concatenate(fits), axis=0) % len(options)
    return take(joined(options), taken * len(machines) + np.arange(len(machines)))


def _option(
    job: Job, profile: ModelProfile, plain: DeviceNeed, devices: Floats, element_bytes: Floats, shape: Shape
) -> Placed:
    """The network in that shape."""
    shared, ones = np.where(devices > 1, devices, 1.0), np.ones(len(devices))
    whole = plain.parts
    if shape.encoded or shape.narrow:  # encoders are gone before training, and frozen weights may be in 8 bits
        narrowed = profile.parameters * (element_bytes - NARROW_BYTES) * shape.narrow
        spared = job.coefficients.memory.allocator * (profile.frozen_parameters * element_bytes + narrowed) / GIB
        whole = {**whole, "weights": whole["weights"] - spared}
    parts = {name: part / shared if name in SPREAD[shape.stage] else part for name, part in whole.items()}
    live = profile.parameters * HALF_BYTES * LIVE_BLOCKS / blocks_of(profile) / GIB
    host, fetched, updated = 0.0 * ones, 0.0 * ones, 0.0 * ones
    trained = trained_parameters(job, profile) / shared
    if shape.offload != "none":
        host, parts["optimizer"] = host + parts["optimizer"] + parts["gradients"], 0.0 * ones
        parts["gradients"] = np.minimum(parts["gradients"], live * GRADIENT_BYTES / HALF_BYTES)
        fetched, updated = fetched + STEP_BYTES * trained, updated + UPDATE_BYTES * trained
    if shape.offload == "parameters":
        host, parts["weights"] = host + parts["weights"], live * ones
        each = NARROW_BYTES if shape.narrow else HALF_BYTES
        fetched = fetched + each * profile.parameters * 2  # for the forward and the backward pass
    elif shape.stage == "zero3":
        parts["weights"] = parts["weights"] + np.where(devices > 1, live, 0.0)
    share = RECOMPUTED[shape.recomputation]
    kept_share = min(1.0, INPUT_SHARE + 1 / blocks_of(profile))  # where all compute theirs again: inputs, and one block
    per_sample = plain.per_sample - share * (1 - kept_share) * kept_bytes(job, profile, element_bytes) / GIB
    per_sample = np.maximum(per_sample, encoding_gib(job, profile))
    spread = np.where((shape.stage != "none") & (devices > 1), 1.0, 0.0)
    return Placed(
        need=DeviceNeed(sum(parts.values(), 0.0 * ones), per_sample, parts),
        slower=ones * recomputing(job, shape.recomputation),
        spread=spread,
        gathering=np.where((shape.stage == "zero3") & (devices > 1), GATHERING, 1.0),
        host_gib=host,
        fetched_bytes=fetched,
        updated_bytes=updated,
        laid=TrainingLayout(
            recomputed=share * ones,
            stage=STAGES.index(shape.stage) * spread,
            devices=shared,
            **dict.fromkeys(("tensor", "pipeline", "expert"), ones),
            **dict.fromkeys(("in_turn", "roomier"), 0.0 * ones),
            offload=OFFLOADS.index(shape.offload) * ones,
            frozen=(2.0 if shape.narrow else float(shape.encoded)) * ones,
        ),
    )


def recomputing(job: Job, mode: str) -> float:
    """Factor on the time of a step whose activations are computed again in that mode."""
    passes = ADAPTER_PASSES if adapted(job) else job.coefficients.roofline.training_passes
    return 1 + RECOMPUTED[mode] / passes


def blocks_of(profile: ModelProfile) -> float:
    """Blocks of layers that a network is made of, by its kernels."""
    return max(1.0, profile.kernels / KERNELS_PER_LAYER)


def held_up(placed: Placed, machines: Machines, devices: Floats, pcie: float) -> Floats:
    """Seconds a step of states that come from the host's memory, and of updates there; nothing of it is hidden."""
    moved = placed.fetched_bytes / (machines.pcie_gb_s * pcie * GB)
    updates = placed.updated_bytes * np.maximum(devices, 1.0) / (machines.cpu_bandwidth_gb_s * GB)
    return np.where(placed.host_gib > 0, moved + updates, 0.0)
