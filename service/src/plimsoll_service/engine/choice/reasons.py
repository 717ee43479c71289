"""Why a candidate looks as it does, and what to beware of: notes that name their rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.advise import advice_of, caution_of
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
from plimsoll_service.engine.spreads import ALIKE, BASES, CALIBRATED, MEASURED, UNSTUDIED

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
RATE_WORDS = {STATED: "as stated", FEED: "by the price feed", ASSUMED: "are assumed"}
PLAIN_BOTTLENECK = {name: name.replace("_", " ") for name in BOTTLENECKS}


def reasons_of(
    job: Job, scored: Scored, row: int, rank: int | None, objective: str, catalog: Catalog
) -> tuple[Note, ...]:
    """What decided speed, memory, processors and rank, and what could be done better."""
    return (*_reasons(job, scored, row, rank, objective), *advice_of(job, scored, row, catalog))


def _reasons(job: Job, scored: Scored, row: int, rank: int | None, objective: str) -> Iterator[Note]:
    outcome, machines = scored.outcome, scored.machines
    limit = PLAIN_BOTTLENECK[BOTTLENECKS[int(outcome.bottleneck[row])]]
    yield ESTIMATE_RULE[job.kind].note(f"limited by {limit}")
    yield _basis(job, scored, row)
    on_device = bool(machines.has_accelerator()[row])
    if on_device and job.kind in MEMORY_RULE:
        need, usable = outcome.device.required[row], outcome.device.usable[row]
        yield MEMORY_RULE[job.kind].note(f"{need:.1f} of {usable:.1f} usable GiB on each device")
    yield from _release(job, float(machines.vcpus[row]), on_device)
    yield _vcpus(job, scored, row, on_device)
    yield from _input(job, scored, row)
    total = outcome.devices_used[row] * scored.nodes[row]
    if job.kind in SCALED_KINDS and total > 1:
        yield _together(job, total)
    if job.workload.batch_size is None and job.kind in (*SCALED_KINDS, kind.INFERENCE) and outcome.batch_used[row] > 0:
        yield sizing.BATCH.note(
            f"batch {outcome.batch_used[row]:.0f} per device of at most {outcome.batch_largest[row]:.0f}"
        )
    if rank is not None:
        yield OBJECTIVE_RULE[objective].note(f"rank {rank} by {objective.replace('_', ' ')}")


def _release(job: Job, vcpus: float, on_device: bool) -> Iterator[Note]:
    """What comes with a framework of 2017."""
    if early_software.early(job) and not on_device:
        yield estimate.EARLY_THREADS.note(f"{vcpus:.0f} vCPUs under {job.workload.framework} of that time")
        if not job.tuned:
            yield advice.COMPILED_BUILD.note("the packaged build is taken as asked")
    if early_software.looped(job) and on_device:
        yield estimate.EARLY_LOOPS.note("both directions run one after the other")


def _together(job: Job, devices: float) -> Note:
    """One run over all devices, or runs side by side that exchange nothing between them."""
    if job.experiments == 1:
        return estimate.DATA_PARALLEL.note(f"{devices:.0f} devices share the work")
    at_once = min(job.experiments, devices)
    return estimate.INDEPENDENT.note(f"{at_once:.0f} runs side by side on {devices:.0f} devices")


def _basis(job: Job, scored: Scored, row: int) -> Note:
    code = int(scored.machines.basis[row])
    texts = {
        MEASURED: f"{job.workload.framework} was measured at {job.precision} on this accelerator",
        CALIBRATED: "fitted to this model, and to devices of this generation",
        ALIKE: "fitted to models like this, and to devices of this generation",
        UNSTUDIED: "the formula alone",
    }
    return BASIS_RULE[BASES[code]].note(texts.get(code, "the formula, fitted to other models, software or devices"))


def _vcpus(job: Job, scored: Scored, row: int, on_device: bool) -> Note:
    required = scored.outcome.vcpus_required[row]
    if not on_device or job.kind in PLAIN_KINDS:
        idle = job.kind == kind.PREPROCESSING and not job.tuned
        busy = min(required, scored.machines.vcpus[row]) if idle else scored.machines.vcpus[row]
        return sizing.CPU_WORK.note(f"{busy:.0f} vCPUs do the work")
    rule = sizing.TRAINING_VCPUS if job.training else sizing.INFERENCE_VCPUS
    return rule.note(f"{required:.0f} vCPUs feed {_devices(scored.outcome.devices_used[row])}")


def _input(job: Job, scored: Scored, row: int) -> Iterator[Note]:
    """What brings the data in: cores, memory, page cache, disk."""
    outcome = scored.outcome
    if job.feed is not None:
        yield sizing.HOST_MEMORY.note(f"{outcome.host.required[row]:.1f} GiB for the process")
    if BOTTLENECKS[int(outcome.bottleneck[row])] == "input_pipeline":
        yield estimate.INPUT_PIPELINE.note(
            f"{scored.machines.vcpus[row]:.0f} vCPUs bring in fewer samples than the devices take"
        )
    cache = outcome.host.parts.get("page_cache")
    if cache is not None and cache[row] > 0:
        yield estimate.PAGE_CACHE.note(f"{cache[row]:.1f} GiB of free memory keep what has been read")
    if job.feed is not None and job.kind in DISK_RULE and BOTTLENECKS[int(outcome.bottleneck[row])] in DISK_BOTTLENECKS:
        yield DISK_RULE[job.kind].note("the disk takes a tenth of the time or more: a faster class pays")
    yield sizing.DISK.note(f"{ceil(outcome.disk.size_gib[row])} GiB on each machine")


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
    if outcome.emulated[row]:
        yield advice.EMULATED.note(f"{job.precision} is not native here")
    if machines.has_accelerator()[row] and outcome.device.required[row] > outcome.device.usable[row]:
        need, usable = outcome.device.required[row], outcome.device.usable[row]
        yield advice.TIGHT_MEMORY.note(f"needs about {need:.1f} GiB of {usable:.1f} usable")
    devices = outcome.devices_used[row]
    if job.kind in SCALED_KINDS and devices > 1 and not machines.link_gb_s[row] > 0 and job.experiments < devices:
        yield advice.NO_NVLINK.note(f"{devices:.0f} devices without NVLink")
    if outcome.vcpus_required[row] > machines.vcpus[row]:
        yield advice.FEW_VCPUS.note(f"{machines.vcpus[row]:.0f} of {outcome.vcpus_required[row]:.0f} vCPUs")
    if machines.basis[row] == UNSTUDIED:
        yield advice.NOT_MEASURED.note("low and high are a factor of 2.9 apart from the middle")
    yield from _context(job)
    asked = job.workload.requests_per_second
    per_request = float(job.workload.output_tokens or 1) if outcome.serving is not None else 1.0
    if asked is not None and asked * per_request > outcome.capacity[row]:
        yield advice.OVERLOAD.note(f"carries {outcome.capacity[row] / per_request:.3g} of {asked:g} requests/s")
    catalog_row = int(machines.catalog_row[row])
    if rented is not None:
        yield from _price_warnings(rented)
        if catalog_row >= 0 and scored.product[row] < 0 and not outcome.local_disk[row]:
            yield advice.DISK_PRICE.note("the disk is not in the cost")
    if catalog_row >= 0:
        yield from _type_warnings(catalog.instance_types, catalog_row)


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
    if types.retired[row]:
        yield constraint.RETIRED.note("no longer offered to new customers")
    share, vcpus = types.sustained_cpu[row], types.vcpus[row]
    if share < 1 and types.accelerator[row] < 0:
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
