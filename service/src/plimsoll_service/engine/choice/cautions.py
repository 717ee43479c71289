"""What to beware of in a candidate: notes that name their rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.advise import caution_of, on_device
from plimsoll_service.engine.choice.interruptions import ASSUMED, FEED, STATED
from plimsoll_service.engine.choice.reasons import SCALED_KINDS
from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Catalog, InstanceTypes
from plimsoll_service.engine.quantities import Price, Spot
from plimsoll_service.engine.rules import advice, constraint, estimate
from plimsoll_service.engine.spreads import UNSTUDIED

RATE_WORDS = {STATED: "as stated", FEED: "by the price feed", ASSUMED: "are assumed"}
NOT_MEASURED = advice.NOT_MEASURED.note("low and high are a factor of 2.9 apart from the middle")
DISK_UNPRICED = advice.DISK_PRICE.note("the disk is not in the cost")
RETIRED = constraint.RETIRED.note("no longer offered to new customers")
INTERRUPTIBLE = advice.SPOT_CHECKPOINTS.note("may be interrupted; checkpoint and resume")


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
        yield NOT_MEASURED
    yield from _context(job)
    yield from _overload(job, scored, row)
    catalog_row = machines.figure("catalog_row", row)
    if rented is not None:
        yield from _price_warnings(rented)
        if catalog_row >= 0 and scored.product.item(row) < 0 and not outcome.local_disk.item(row):
            yield DISK_UNPRICED
    if catalog_row >= 0:
        yield from _type_warnings(catalog.instance_types, catalog_row)


def _tight(job: Job, scored: Scored, row: int) -> Iterator[Note]:
    """Of what the machine has little: device memory, links between devices, processors."""
    outcome, machines = scored.outcome, scored.machines
    need, usable = outcome.device.required.item(row), outcome.device.usable.item(row)
    if need > usable and on_device(scored, row):
        yield advice.TIGHT_MEMORY.note(f"needs about {need:.1f} GiB of {usable:.1f} usable")
    devices = outcome.devices_used.item(row)
    alone = job.kind in SCALED_KINDS and job.experiments < devices > 1
    if alone and not scored.machines.figure("link_gb_s", row) > 0:
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
        yield RETIRED
    share, vcpus = types.sustained_cpu.item(row), types.vcpus.item(row)
    if share < 1 and types.accelerator.item(row) < 0:
        yield estimate.BURSTABLE.note(
            f"the baseline is {100 * share:.3g}% of {vcpus:.0f} vCPUs; the estimate counts no more"
        )


def _price_warnings(rented: Rented) -> Iterator[Note]:
    if rented.purchase == "spot":
        yield INTERRUPTIBLE
    if rented.spot is not None:
        spot = rented.spot
        rate = f"{spot.interruptions_per_hour:g} interruptions an hour {RATE_WORDS[spot.interruptions_source]}"
        yield estimate.SPOT.note(f"{rate}; a checkpoint every {spot.checkpoint_interval_minutes:.0f} min")
    if rented.price.confidence != "list":
        yield advice.PRICE_QUALITY.note(f"the price is {rented.price.confidence}: {rented.price.source}")
