"""Why a candidate looks as it does: notes that name their rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, isnan

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.advise import NOTES_KEPT, advice_of, computed_in
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.rounding import amount, counted
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import software
from plimsoll_service.engine.rules import advice, choice, estimate, sizing
from plimsoll_service.engine.rules.rule import Rule
from plimsoll_service.engine.spreads import ALIKE, BASES, CALIBRATED, MEASURED, MODELLED, UNSTUDIED

ESTIMATE_RULE: dict[str, Rule] = {
    kind.SAMPLE_TRAINING: estimate.ROOFLINE,
    kind.TOKEN_TRAINING: estimate.TOKEN_TRAINING,
    kind.TABULAR_TRAINING: estimate.TABULAR,
    kind.SERVING: estimate.SERVING,
    kind.INFERENCE: estimate.ROOFLINE,
    kind.TABULAR_INFERENCE: estimate.TABULAR,
    kind.PREPROCESSING: estimate.PREPROCESSING,
    kind.HPC: estimate.HPC,
}
PLAIN_KINDS = (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE, kind.PREPROCESSING, kind.HPC)
BASIS_RULE = {"measured": estimate.MEASURED, "calibrated": estimate.CALIBRATED, "modelled": estimate.MODELLED}
BASIS_TEXTS = {
    CALIBRATED: "fitted to this model, and to devices of this generation",
    ALIKE: "fitted to models like this, and to devices of this generation",
    MODELLED: "the formula, fitted to other models, software or devices",
    UNSTUDIED: "the formula alone",
}
MEMORY_RULE = {
    kind.SAMPLE_TRAINING: sizing.DEVICE_MEMORY,
    kind.INFERENCE: sizing.DEVICE_MEMORY,
    kind.TOKEN_TRAINING: sizing.TOKEN_MEMORY,
    kind.SERVING: sizing.SERVING_MEMORY,
}
OBJECTIVE_RULE = {
    "cost": choice.COST,
    "time": choice.TIME,
    "performance_per_cost": choice.PERFORMANCE_PER_COST,
    "balanced": choice.BALANCED,
}
DISK_RULE = {
    kind.SAMPLE_TRAINING: estimate.TRAINING_DISK,
    kind.TOKEN_TRAINING: estimate.TRAINING_DISK,
    kind.INFERENCE: estimate.INFERENCE_DISK,
}
DISK_BOTTLENECKS = ("disk_throughput", "disk_iops")
SCALED_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING)
BATCHED_KINDS = (*SCALED_KINDS, kind.INFERENCE)


def reasons_of(job: Job, one: Detail, bottleneck: str, rank: int | None, objective: str) -> tuple[Note, ...]:
    """What decided speed, memory, processors and rank, and what could be done better."""
    return (*_reasons(job, one, bottleneck, rank, objective), *advice_of(job, one))


def _reasons(job: Job, one: Detail, bottleneck: str, rank: int | None, objective: str) -> Iterator[Note]:
    device = one.plate.chip is not None
    yield _limited(job.kind, bottleneck)
    yield _basis(one.basis, job.workload.framework, computed_in(job, one.plate.chip))
    if device and job.kind in MEMORY_RULE:
        need = f"{one.device:.1f} of {one.usable_device:.1f} usable GiB on each device"
        yield MEMORY_RULE[job.kind].note(need)
    if software.early(job):
        yield from _release(job, one.plate.vcpus, device)
    yield from _vcpus(job, one)
    yield from _input(job, one, bottleneck)
    total = one.devices * one.nodes
    if job.kind in SCALED_KINDS and total > 1:
        yield _together(job.experiments, total)
    if job.workload.batch_size is None and job.kind in BATCHED_KINDS and one.batch > 0:
        yield _batch(one.batch, one.largest_batch)
    if rank is not None:
        yield _ranked(objective, rank)


@lru_cache(maxsize=NOTES_KEPT)
def _limited(what: str, bottleneck: str) -> Note:
    return ESTIMATE_RULE[what].note(f"limited by {bottleneck.replace('_', ' ')}")


@lru_cache(maxsize=NOTES_KEPT)
def _basis(code: int, framework: str | None, precision: str) -> Note:
    measured = f"{framework} was measured at {precision} on this accelerator"
    return BASIS_RULE[BASES[code]].note(measured if code == MEASURED else BASIS_TEXTS[code])


@lru_cache(maxsize=NOTES_KEPT)
def _batch(used: float, largest: float) -> Note:
    return sizing.BATCH.note(f"batch {used:.0f} per device of at most {largest:.0f}")


@lru_cache(maxsize=NOTES_KEPT)
def _ranked(objective: str, rank: int) -> Note:
    return OBJECTIVE_RULE[objective].note(f"rank {rank} by {objective.replace('_', ' ')}")


def _release(job: Job, vcpus: float, device: bool) -> Iterator[Note]:
    """What comes with a framework of 2017."""
    if not device:
        yield estimate.EARLY_THREADS.note(f"{counted(vcpus, 'vCPU')} under {job.workload.framework} of that time")
        if not job.tuned:
            yield advice.COMPILED_BUILD.note("the packaged build is taken as asked")
    elif software.looped(job):
        yield estimate.EARLY_LOOPS.note("both directions run one after the other")


@lru_cache(maxsize=NOTES_KEPT)
def _together(experiments: int, devices: float) -> Note:
    """One run over all devices, or runs side by side that exchange nothing between them."""
    if experiments == 1:
        return estimate.DATA_PARALLEL.note(f"{devices:.0f} devices share the work")
    at_once = min(experiments, devices)
    return estimate.INDEPENDENT.note(f"{at_once:.0f} runs side by side on {devices:.0f} devices")


def _vcpus(job: Job, one: Detail) -> Iterator[Note]:
    """What the vCPUs do: feed the devices, do the work, or nothing where devices do it that no feeding holds up."""
    vcpus = one.plate.vcpus
    if job.kind not in PLAIN_KINDS and one.plate.chip is not None:
        yield _feeding(job.training, one.vcpus, one.devices)
    elif _without_device(one):
        idle = job.kind == kind.PREPROCESSING and not job.tuned
        yield _at_work(min(one.vcpus, vcpus) if idle else vcpus)


def _without_device(one: Detail) -> bool:
    return one.plate.chip is None or isnan(one.device)


@lru_cache(maxsize=NOTES_KEPT)
def _at_work(vcpus: float) -> Note:
    return sizing.CPU_WORK.note(f"{counted(vcpus, 'vCPU')} {'does' if vcpus == 1 else 'do'} the work")


@lru_cache(maxsize=NOTES_KEPT)
def _feeding(training: bool, vcpus: float, devices: float) -> Note:
    rule = sizing.TRAINING_VCPUS if training else sizing.INFERENCE_VCPUS
    fed = f"{counted(vcpus, 'vCPU')} {'feeds' if vcpus == 1 else 'feed'} {counted(devices, 'device')}"
    return rule.note(fed)


def _input(job: Job, one: Detail, bottleneck: str) -> Iterator[Note]:
    """What brings the data in: cores, memory, page cache, disk."""
    if job.feed is not None:
        yield sizing.HOST_MEMORY.note(f"{one.host:.1f} GiB for the process")
    if bottleneck == "input_pipeline":
        yield _held_up(one.plate.vcpus, _without_device(one))
    if one.page_cache > 0:
        yield estimate.PAGE_CACHE.note(f"{amount(one.page_cache)} of free memory keep what has been read")
    if job.feed is not None and job.kind in DISK_RULE and bottleneck in DISK_BOTTLENECKS:
        yield DISK_RULE[job.kind].note("the disk takes a tenth of the time or more: a faster class pays")
    yield _disk(ceil(one.disk_gib))


@lru_cache(maxsize=NOTES_KEPT)
def _held_up(vcpus: float, alone: bool) -> Note:
    brings = f"{counted(vcpus, 'vCPU')} {'brings' if vcpus == 1 else 'bring'} in fewer samples"
    return estimate.INPUT_PIPELINE.note(f"{brings} than {'they could compute' if alone else 'the devices take'}")


@lru_cache(maxsize=NOTES_KEPT)
def _disk(size_gib: int) -> Note:
    return sizing.DISK.note(f"{size_gib} GiB on each machine")
