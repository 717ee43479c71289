"""Why a candidate looks as it does, and what to beware of: notes that name their rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.advise import advice_of, caution_of, on_device
from plimsoll_service.engine.choice.interruptions import ASSUMED, FEED, STATED
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import early_software
from plimsoll_service.engine.estimate.outcome import BOTTLENECKS
from plimsoll_service.engine.hardware import Catalog, InstanceTypes
from plimsoll_service.engine.quantities import Price, Spot
from plimsoll_service.engine.rules import advice, choice, constraint, estimate, sizing
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
RATE_WORDS = {STATED: "as stated", FEED: "by the price feed", ASSUMED: "are assumed"}


def reasons_of(
    job: Job, scored: Scored, row: int, rank: int | None, objective: str, catalog: Catalog
) -> tuple[Note, ...]:
    """What decided speed, memory, processors and rank, and what could be done better."""
    return (*_reasons(job, scored, row, rank, objective), *advice_of(job, scored, row, catalog))


def _reasons(job: Job, scored: Scored, row: int, rank: int | None, objective: str) -> Iterator[Note]:
    outcome, device = scored.outcome, on_device(scored, row)
    yield _limited(job.kind, BOTTLENECKS[outcome.bottleneck.item(row)])
    yield _basis(job, scored, row)
    if device and job.kind in MEMORY_RULE:
        need, usable = outcome.device.required.item(row), outcome.device.usable.item(row)
        yield MEMORY_RULE[job.kind].note(f"{need:.1f} of {usable:.1f} usable GiB on each device")
    yield from _release(job, scored.machines.vcpus.item(row), device)
    yield _vcpus(job, scored, row, device)
    yield from _input(job, scored, row)
    total = outcome.devices_used.item(row) * scored.nodes.item(row)
    if job.kind in SCALED_KINDS and total > 1:
        yield _together(job, total)
    used = outcome.batch_used.item(row)
    if job.workload.batch_size is None and job.kind in BATCHED_KINDS and used > 0:
        yield sizing.BATCH.note(f"batch {used:.0f} per device of at most {outcome.batch_largest.item(row):.0f}")
    if rank is not None:
        yield OBJECTIVE_RULE[objective].note(f"rank {rank} by {objective.replace('_', ' ')}")


@cache  # of a few dozen pairs
def _limited(what: str, bottleneck: str) -> Note:
    return ESTIMATE_RULE[what].note(f"limited by {bottleneck.replace('_', ' ')}")


def _release(job: Job, vcpus: float, device: bool) -> Iterator[Note]:
    """What comes with a framework of 2017."""
    if early_software.early(job) and not device:
        yield estimate.EARLY_THREADS.note(f"{vcpus:.0f} vCPUs under {job.workload.framework} of that time")
        if not job.tuned:
            yield advice.COMPILED_BUILD.note("the packaged build is taken as asked")
    if early_software.looped(job) and device:
        yield estimate.EARLY_LOOPS.note("both directions run one after the other")


def _together(job: Job, devices: float) -> Note:
    """One run over all devices, or runs side by side that exchange nothing between them."""
    if job.experiments == 1:
        return estimate.DATA_PARALLEL.note(f"{devices:.0f} devices share the work")
    at_once = min(job.experiments, devices)
    return estimate.INDEPENDENT.note(f"{at_once:.0f} runs side by side on {devices:.0f} devices")


def _basis(job: Job, scored: Scored, row: int) -> Note:
    code = scored.machines.basis.item(row)
    if code == MEASURED:
        text = f"{job.workload.framework} was measured at {job.precision} on this accelerator"
    else:
        text = BASIS_TEXTS[code]
    return BASIS_RULE[BASES[code]].note(text)


def _vcpus(job: Job, scored: Scored, row: int, device: bool) -> Note:
    required, vcpus = scored.outcome.vcpus_required.item(row), scored.machines.vcpus.item(row)
    if not device or job.kind in PLAIN_KINDS:
        idle = job.kind == kind.PREPROCESSING and not job.tuned
        busy = min(required, vcpus) if idle else vcpus
        return sizing.CPU_WORK.note(f"{busy:.0f} vCPUs do the work")
    rule = sizing.TRAINING_VCPUS if job.training else sizing.INFERENCE_VCPUS
    return rule.note(f"{required:.0f} vCPUs feed {_devices(scored.outcome.devices_used.item(row))}")


def _input(job: Job, scored: Scored, row: int) -> Iterator[Note]:
    """What brings the data in: cores, memory, page cache, disk."""
    outcome = scored.outcome
    bottleneck = BOTTLENECKS[outcome.bottleneck.item(row)]
    if job.feed is not None:
        yield sizing.HOST_MEMORY.note(f"{outcome.host.required.item(row):.1f} GiB for the process")
    if bottleneck == "input_pipeline":
        vcpus = scored.machines.vcpus.item(row)
        yield estimate.INPUT_PIPELINE.note(f"{vcpus:.0f} vCPUs bring in fewer samples than the devices take")
    page_cache = outcome.host.parts.get("page_cache")
    if page_cache is not None and (kept := page_cache[row]) > 0:
        yield estimate.PAGE_CACHE.note(f"{kept:.1f} GiB of free memory keep what has been read")
    if job.feed is not None and job.kind in DISK_RULE and bottleneck in DISK_BOTTLENECKS:
        yield DISK_RULE[job.kind].note("the disk takes a tenth of the time or more: a faster class pays")
    yield sizing.DISK.note(f"{ceil(outcome.disk.size_gib.item(row))} GiB on each machine")


def _devices(count: float) -> str:
    return f"{count:.0f} device" + ("" if count == 1 else "s")


@dataclass(frozen=True)
class Rented:
    """How an option is rented, as far as it gives rise to warnings."""

    purchase: str
    price: Price
    spot: Spot | None


def warnings_of(job: Job, scored: Scored, row: int, catalog: Catalog, rented: Rented | None) -> tuple[Note, ...]:
    """What may go wrong, or is less certain than it looks; ``rented`` is ``None`` where there is no price."""
    return (*_warnings(job, scored, row, catalog, rented), *caution_of(job, scored, row, catalog))


def _warnings(job: Job, scored: Scored, row: int, catalog: Catalog, rented: Rented | None) -> Iterator[Note]:
    outcome, machines = scored.outcome, scored.machines
    if outcome.emulated.item(row):
        yield advice.EMULATED.note(f"{job.precision} is not native here")
    yield from _tight(job, scored, row)
    if machines.basis.item(row) == UNSTUDIED:
        yield advice.NOT_MEASURED.note("low and high are a factor of 2.9 apart from the middle")
    yield from _context(job)
    yield from _overload(job, scored, row)
    catalog_row = machines.catalog_row.item(row)
    if rented is not None:
        yield from _price_warnings(rented)
        if catalog_row >= 0 and scored.product.item(row) < 0 and not outcome.local_disk.item(row):
            yield advice.DISK_PRICE.note("the disk is not in the cost")
    if catalog_row >= 0:
        yield from _type_warnings(catalog.instance_types, catalog_row)


def _tight(job: Job, scored: Scored, row: int) -> Iterator[Note]:
    """Of what the machine has little: device memory, links between devices, processors."""
    outcome, machines = scored.outcome, scored.machines
    need, usable = outcome.device.required.item(row), outcome.device.usable.item(row)
    if need > usable and on_device(scored, row):
        yield advice.TIGHT_MEMORY.note(f"needs about {need:.1f} GiB of {usable:.1f} usable")
    devices = outcome.devices_used.item(row)
    if job.kind in SCALED_KINDS and devices > 1 and not machines.link_gb_s.item(row) > 0 and job.experiments < devices:
        yield advice.NO_NVLINK.note(f"{devices:.0f} devices without NVLink")
    required, vcpus = outcome.vcpus_required.item(row), machines.vcpus.item(row)
    if required > vcpus:
        yield advice.FEW_VCPUS.note(f"{vcpus:.0f} of {required:.0f} vCPUs")


def _overload(job: Job, scored: Scored, row: int) -> Iterator[Note]:
    asked = job.workload.requests_per_second
    if asked is None:
        return
    per_request = float(job.workload.output_tokens or 1) if scored.outcome.serving is not None else 1.0
    capacity = scored.outcome.capacity.item(row)
    if asked * per_request > capacity:
        yield advice.OVERLOAD.note(f"carries {capacity / per_request:.3g} of {asked:g} requests/s")


def _context(job: Job) -> Iterator[Note]:
    """Sequences longer than the model's context; images are cut into as many tokens as they make."""
    profile, workload = job.profile, job.workload
    if profile is None or profile.transformer is None or profile.reference.image_size is not None:
        return
    served = (workload.input_tokens or 0) + (workload.output_tokens or 0)
    longest, most = max(workload.sequence_length or 0, served), profile.transformer.context_length
    if longest > most:
        yield advice.BEYOND_CONTEXT.note(f"{longest} tokens; {profile.name} was made for {most}")


def _type_warnings(types: InstanceTypes, row: int) -> Iterator[Note]:
    if types.retired.item(row):
        yield constraint.RETIRED.note("no longer offered to new customers")
    share, vcpus = types.sustained_cpu.item(row), types.vcpus.item(row)
    if share < 1 and types.accelerator.item(row) < 0:
        yield estimate.BURSTABLE.note(
            f"the baseline is {100 * share:.3g}% of {vcpus:.0f} vCPUs; the estimate counts no more"
        )


def _price_warnings(rented: Rented) -> Iterator[Note]:
    if rented.purchase == "spot":
        yield advice.SPOT_CHECKPOINTS.note("may be interrupted; checkpoint and resume")
    if rented.spot is not None:
        spot = rented.spot
        rate = f"{spot.interruptions_per_hour:g} interruptions an hour {RATE_WORDS[spot.interruptions_source]}"
        yield estimate.SPOT.note(f"{rate}; a checkpoint every {spot.checkpoint_interval_minutes:.0f} min")
    if rented.price.confidence != "list":
        yield advice.PRICE_QUALITY.note(f"the price is {rented.price.confidence}: {rented.price.source}")
