"""What to beware of in a candidate: notes that name their rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.advise import NOTES_KEPT, caution_of
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.interruptions import ASSUMED, FEED, STATED
from plimsoll_service.engine.choice.reasons import SCALED_KINDS
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.quantities import Price, Spot
from plimsoll_service.engine.rules import advice, estimate
from plimsoll_service.engine.spreads import UNSTUDIED
from plimsoll_service.engine.workload import Workload

RATE_WORDS = {STATED: "as stated", FEED: "by the price feed", ASSUMED: "are assumed"}
NOT_MEASURED = advice.NOT_MEASURED.note("low and high are a factor of 2.9 apart from the middle")
DISK_UNPRICED = advice.DISK_PRICE.note("the disk is not in the cost")
INTERRUPTIBLE = advice.SPOT_CHECKPOINTS.note("may be interrupted; checkpoint and resume")


@dataclass(frozen=True)
class Rented:
    """How an option is rented, as far as it gives rise to warnings."""

    purchase: str
    price: Price
    spot: Spot | None


def warnings_of(job: Job, one: Detail, rented: Rented | None) -> tuple[Note, ...]:
    """What may go wrong, or is less certain than it looks; ``rented`` is ``None`` where there is no price."""
    return (*_warnings(job, one, rented), *caution_of(job, one))


def _warnings(job: Job, one: Detail, rented: Rented | None) -> Iterator[Note]:
    if one.emulated:
        yield _emulated(job.kind, job.precision)
    yield from _tight(job, one)
    if one.basis == UNSTUDIED:
        yield NOT_MEASURED
    if job.profile is not None:
        yield from _context(job.profile, job.workload)
    if job.workload.requests_per_second is not None:
        yield from _overload(job, one.capacity, job.workload.requests_per_second)
    if rented is not None:
        yield from _price_warnings(rented)
        if one.plate.rented and one.product < 0 and not one.local_disk:
            yield DISK_UNPRICED
    yield from one.plate.of_type


@lru_cache(maxsize=NOTES_KEPT)
def _emulated(what: str, precision: str) -> Note:
    """What stands in for a precision that the device lacks: engines widen weights as they can, all else is fp32."""
    return advice.EMULATED.note(
        f"{precision} is not native here" + ("" if what == kind.SERVING else ": it runs as fp32")
    )


def _tight(job: Job, one: Detail) -> Iterator[Note]:
    """Of what the machine has little: device memory, links between devices, processors."""
    need, usable, chip = one.device, one.usable_device, one.plate.chip
    if need > usable and chip is not None:
        yield advice.TIGHT_MEMORY.note(f"needs about {need:.1f} GiB of {usable:.1f} usable")
    alone = job.kind in SCALED_KINDS and job.experiments < one.devices > 1
    if alone and not (chip is not None and chip.linked):
        yield advice.NO_NVLINK.note(f"{one.devices:.0f} devices without NVLink")
    if one.vcpus > one.plate.vcpus:
        yield advice.FEW_VCPUS.note(f"{one.plate.vcpus:.0f} of {one.vcpus:.0f} vCPUs")


def _overload(job: Job, capacity: float, asked: float) -> Iterator[Note]:
    per_request = float(job.workload.output_tokens or 1) if job.kind == kind.SERVING else 1.0
    if asked * per_request > capacity:
        yield advice.OVERLOAD.note(f"carries {capacity / per_request:.3g} of {asked:g} requests/s")


def _context(profile: ModelProfile, workload: Workload) -> Iterator[Note]:
    """Sequences longer than the model's context; images are cut into as many tokens as they make."""
    if profile.transformer is None or profile.reference.image_size is not None:
        return
    served = (workload.input_tokens or 0) + (workload.output_tokens or 0)
    longest, most = max(workload.sequence_length or 0, served), profile.transformer.context_length
    if longest > most:
        yield advice.BEYOND_CONTEXT.note(f"{longest} tokens; {profile.name} was made for {most}")


def _price_warnings(rented: Rented) -> Iterator[Note]:
    if rented.purchase == "spot":
        yield INTERRUPTIBLE
    if rented.spot is not None:
        spot = rented.spot
        rate = f"{spot.interruptions_per_hour:g} interruptions an hour {RATE_WORDS[spot.interruptions_source]}"
        yield estimate.SPOT.note(f"{rate}; a checkpoint every {spot.checkpoint_interval_minutes:.0f} min")
    if rented.price.confidence != "list":
        yield advice.PRICE_QUALITY.note(f"the price is {rented.price.confidence}: {rented.price.source}")
