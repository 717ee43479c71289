"""Faults of the hardware and measurements that a question states: unknown names, fields that do not apply, limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from .. import names
from ..demand import kind
from ..demand.adapters import adapted
from ..demand.applicability import WORDS_OF_KIND, applies
from ..demand.job import Job, dimensions_of
from ..demand.served_model import Served, served
from ..estimate.serving.replica import touched_experts
from ..faults import Fault
from ..hardware import PEAKS
from ..hardware_names import find_processor
from ..machines import Machines
from ..models.profile import ModelProfile
from ..units import GB, GIGA, MS, TERA
from ..workload import CONDITIONS, FIGURES, Hardware, OwnMeasurement, Workload
from .market import Market, row_of
from .rounding import counted, said


def hardware_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """Faults of given hardware, from the catalog or described."""
    in_catalog = one.cloud is not None or one.instance_type is not None
    yield from (_catalog_machine if in_catalog else _bare)(one, market, at)
    devices = _devices(one, market)
    if devices is not None:
        yield from _splits(one, max(devices, 1.0), at)


def _splits(one: Hardware, devices: float, at: str) -> Iterator[Fault]:
    """Faults of splits: tensors stay on one machine; stages and experts use all of them."""
    tensor, together = one.tensor_parallel or 1, devices * one.node_count
    if tensor > devices:
        text = f"tensor_parallel splits a model over the devices of one machine: at most {devices:g}"
        yield Fault(f"{at}/tensor_parallel", text)
    elif tensor * (one.pipeline_parallel or 1) > together:
        text = f"tensor_parallel × pipeline_parallel exceeds the {counted(together, 'device')}"
        yield Fault(f"{at}/pipeline_parallel", text)
    if (one.expert_parallel or 1) > together:
        text = f"expert_parallel spreads the experts over the devices: at most {together:g}"
        yield Fault(f"{at}/expert_parallel", text)


def _devices(one: Hardware, market: Market) -> float | None:
    if one.instance_type is None:
        return 0.0 if one.accelerator is None else one.count or 1.0
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    row = row_of(market, cloud or "", one.instance_type)
    return None if row is None else float(market.catalog.instance_types.accelerator_count[row])


def _catalog_machine(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    for name in ("cloud", "instance_type"):
        if getattr(one, name) is None:
            yield Fault(f"{at}/{name}", "a machine from the catalog requires cloud and instance_type")
    for item in ("accelerator", "count", "cpu", "vcpus", "memory_gib"):
        if getattr(one, item) is not None:
            text = "the catalog states this for the instance type; omit it, or omit cloud and instance_type"
            yield Fault(f"{at}/{item}", text)
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    yield from _unknown("cloud", one.cloud, cloud, market.catalog.clouds, at)
    if cloud is not None and one.instance_type is not None and row_of(market, cloud, one.instance_type) is None:
        types = market.catalog.instance_types
        mine = [name for row, name in enumerate(types.name) if types.cloud[row] == cloud]
        yield Fault(f"{at}/instance_type", names.unknown(f"instance type of {cloud}", one.instance_type, mine))
    region = names.find(one.region or "", market.spellings["region"])
    yield from _unknown("region", one.region, region, market.catalog.regions.name, at)


def _unknown(what: str, stated: str | None, found: str | None, known: Iterable[str], at: str) -> Iterator[Fault]:
    if stated is not None and found is None:
        yield Fault(f"{at}/{what}", names.unknown(what, stated, known))


NAMED_PROCESSORS = "; name its product number (EPYC 9654, Ryzen 9 7950X, Core i9-13900K) or its generation (Zen 4)"


def _bare(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    if one.accelerator is None and one.cpu is None and one.vcpus is None:
        yield Fault(at, "name a machine: state cloud and instance_type, or accelerator and count, or cpu or vcpus")
    device = names.find(one.accelerator or "", market.spellings["accelerator"])
    yield from _unknown("accelerator", one.accelerator, device, market.catalog.accelerators.name, at)
    if one.count is not None and one.accelerator is None:
        yield Fault(f"{at}/count", "count requires accelerator")
    if one.cpu is not None and find_processor(one.cpu, market.spellings["processor"]) is None:
        near = names.did_you_mean(names.suggest(one.cpu, market.spellings["processor"].values()))
        yield Fault(f"{at}/cpu", f"unknown processor {one.cpu!r}{near or NAMED_PROCESSORS}")
    for name in ("region", "purchase"):
        if getattr(one, name) is not None:
            yield Fault(f"{at}/{name}", f"{name} requires a machine from the catalog; state cloud and instance_type")


def own_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """Faults of a machine of the user's own, which is described and has a price."""
    if one.cloud is not None or one.instance_type is not None:
        yield Fault(at, "describe your own machine with accelerator and count, or with cpu, vcpus and memory_gib")
        return
    yield from hardware_faults(one, market, at)
    if one.usd_per_hour is None:
        yield Fault(f"{at}/usd_per_hour", "state the price of the machine per hour; an unknown price is never guessed")
    if one.node_count != 1:
        yield Fault(f"{at}/node_count", "state max_nodes instead, the number of machines that you have")


# Passes of a training step in forward passes: the backward pass computes gradients of inputs and of weights.
PASSES, ADAPTER_PASSES = 3.0, 2.0
# Winograd's algorithm has so many times fewer products in a convolution of 3 × 3 (Lavin and Gray 2016, F(2×2, 3×3)).
WINOGRAD = 2.25
WIDE = {"fp64": ("fp64",), "fp32": ("fp32", "tf32"), "tf32": ("fp32", "tf32")}
HALF_PEAKS = ("fp32", "tf32", "fp16", "bf16")
OF_HALF = ("mixed", "fp16", "bf16")
# A mean over requests may exceed that over tokens, which Little's law (1961) is about: short answers count as much.
# By a quarter is a decision of this project: prompts of the answers' length, counted by mistake, make it two.
MEANS = 1.25


def field_faults(workload: Workload, what: str, profile: ModelProfile | None) -> Iterator[Fault]:
    """Yield the faults of the measurements' own fields; ``what`` is empty of unknown work."""
    for place, one in enumerate(workload.measurements or ()):
        pointer = f"/workload/measurements/{place}"
        if one.on.max_nodes is not None:
            yield Fault(f"{pointer}/on/max_nodes", "state node_count, the number of machines that were measured")
        if all(getattr(one, name) is None for name in FIGURES):
            yield Fault(pointer, f"state what was measured: {', '.join(FIGURES[:-1])} or {FIGURES[-1]}")
        if one.precision == "auto":
            yield Fault(f"{pointer}/precision", "state the precision that ran, or leave it out")
        if what:
            yield from _meaningless(one, what, profile, pointer)


def _meaningless(one: OwnMeasurement, what: str, profile: ModelProfile | None, pointer: str) -> Iterator[Fault]:
    given = [name for name in (*KINDS_OF_FIGURE, *CONDITIONS) if getattr(one, name) is not None]
    for name in given:
        has = what in KINDS_OF_FIGURE[name] if name in KINDS_OF_FIGURE else applies(name, what, profile)
        if not has:
            yield Fault(f"{pointer}/{name}", f"{name} does not apply to {WORDS_OF_KIND[what]}")
    if what == kind.SERVING and {"batch_size", "concurrency"} <= set(given):
        yield Fault(f"{pointer}/batch_size", "for serving, batch_size is the concurrency; state only one of them")
    if "accelerator_memory_gib" in given and one.on.accelerator is None and one.on.instance_type is None:
        yield Fault(f"{pointer}/accelerator_memory_gib", "the machine in on has no accelerator")


KINDS_OF_FIGURE: dict[str, tuple[str, ...]] = {
    "ttft_ms": (kind.SERVING,),
    "tpot_ms": (kind.SERVING,),
    "accelerator_memory_gib": (*kind.NEURAL_TRAINING, kind.INFERENCE, kind.SERVING),
}


def limit_faults(job: Job, some: Sequence[OwnMeasurement], machines: Machines, at: Sequence[str]) -> Iterator[Fault]:
    """Yield the figures of measurements of one job that exceed the limits of their hardware; ``at`` are pointers."""
    model = served(job, dimensions_of(job)) if job.kind == kind.SERVING else None
    peak = _peak(job, machines)
    for row, (one, pointer) in enumerate(zip(some, at, strict=True)):
        memory, has = one.accelerator_memory_gib, machines.device_memory_gib.item(row)
        if memory is not None and memory > has:
            yield Fault(f"{pointer}/accelerator_memory_gib", f"one device has {said(has)} GiB")
        nodes = one.on.node_count
        most = _most(job, model, peak[row] * nodes)
        if one.throughput is not None and most is not None and one.throughput > most:
            text = f"the peak rate of this hardware allows at most {said(most, 3)} (state the whole machine in on)"
            yield Fault(f"{pointer}/throughput", text)
        if model is not None:
            yield from _latencies(model, one, machines, row, peak[row] * nodes, pointer)
            yield from _together(one, job.workload, pointer)


def _peak(job: Job, machines: Machines) -> list[float]:
    """Operations a second of all devices of each machine at the job's precision or a faster one that it may use."""
    names = WIDE.get(job.precision) or (HALF_PEAKS if job.precision in OF_HALF else PEAKS)
    rates = np.array([machines.peak(name) for name in names])
    known = np.where(np.isnan(rates), 0.0, rates).max(axis=0) * np.maximum(machines.devices, 1.0) * TERA
    return [float(rate) for rate in known]


def _most(job: Job, model: Served | None, peak: float) -> float | None:
    """The highest rate in the unit of the answer; ``None`` where none is known."""
    if not peak > 0:
        return None
    if job.kind == kind.HPC:
        return peak / GIGA
    if model is not None:
        return peak / (2 * model.active)
    if job.profile is None or job.kind not in (*kind.NEURAL_TRAINING, kind.INFERENCE):
        return None
    passes = (ADAPTER_PASSES if adapted(job) else PASSES) if job.training else 1.0
    fewer = 1.0 if job.profile.transformer is not None else WINOGRAD
    samples = peak / (passes * job.profile.forward_flops / fewer)
    by_tokens = job.training and job.by_tokens
    return samples * float(job.profile.reference.sequence_length or 1) if by_tokens else samples


def _latencies(
    model: Served, one: OwnMeasurement, machines: Machines, row: int, peak: float, pointer: str
) -> Iterator[Fault]:
    """Times that are shorter than it takes to read the weights, or to compute a prompt."""
    on_device = machines.accelerator.item(row) >= 0
    devices = max(machines.devices.item(row), 1.0) * one.on.node_count
    bandwidth = machines.bandwidth_gb_s.item(row) if on_device else np.nan
    weights = model.dense_weights + float(np.max(touched_experts(model, np.ones(1)))) * model.expert_bytes
    least = weights / (bandwidth * GB * devices) * MS
    if one.tpot_ms is not None and model.drafting is None and one.tpot_ms < least:
        text = f"reading the weights takes at least {said(least, 3)} ms a token on this hardware"
        yield Fault(f"{pointer}/tpot_ms", text)
    prompt = 2 * model.active * float(model.prompt) / peak * MS if peak > 0 else 0.0
    if one.ttft_ms is not None and one.ttft_ms < prompt:
        text = f"computing the prompt takes at least {said(prompt, 3)} ms on this hardware"
        yield Fault(f"{pointer}/ttft_ms", text)


def _together(one: OwnMeasurement, work: Workload, pointer: str) -> Iterator[Fault]:
    """A rate and a time a token that need more requests in service than there were; a first token takes none."""
    users = one.concurrency or one.batch_size or work.concurrency
    if one.throughput is None or one.tpot_ms is None or users is None:
        return
    later = 1 - 1 / (work.output_tokens or np.inf)
    needed = one.throughput * later * one.tpot_ms / MS
    if needed > MEANS * users:
        text = f"{said(one.throughput, 4)} tokens/s at {said(one.tpot_ms, 3)} ms each need {said(needed, 3)} requests"
        stated = f"{text} in service, {users} are stated; are tokens of prompts counted?"
        yield Fault(f"{pointer}/throughput", stated)
