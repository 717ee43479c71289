"""Notes on what a job pays beside its hours: data that are moved, and time that is billed but not used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ..answer import FrontierPoint, RegionPrice
from ..clouds import ASSUMED_EGRESS
from ..demand import kind
from ..demand.data import padding_of
from ..demand.host_process import data_bytes
from ..demand.job import Job, stated_target_ms
from ..estimate.input.disks import streams
from ..rules import Remark, RuleId
from ..units import GB, MINUTES_PER_HOUR, SECONDS_PER_HOUR, TB
from ..workload import Constraints
from . import staging
from .estimating import Estimates
from .market import Market
from .options import Options
from .own_machines import OWN_CLOUD
from .rounding import said

READ_ONCE = "each sample is read once, from the region's storage while the run goes on"
SHORT = 3  # digits of a figure in words
# What a cloud without a known spot price says of it (azure.microsoft.com/pricing/spot, read on 2026-11-28).
SPOT_SAID = {"azure": "Azure says that spot costs up to 90% less than on demand, by region, type and capacity"}
LONE = 1.5  # rule spot-price-apart
CENT = 0.01  # USD: smaller fees are not worth a sentence
NOTICEABLE = 1.01  # billed over used: less is not worth a sentence


def charged_notes(job: Job, market: Market, options: Options, row: int) -> Iterator[Remark]:
    """Yield the reasons for the cost of an option beside its hours."""
    if options.staging is not None:
        yield RuleId("data-staging").note(_moved(job, market, options, row))
    hours, terms = options.hours.item(row), options.charges.billed
    if job.serves or not (hours < terms.least.item(row) or terms.step.item(row) > 0):
        return
    billed = terms.hours(np.array([hours]), np.array([row])).item(0)
    if billed > hours * NOTICEABLE:
        yield RuleId("billing-minimum").note(f"this run is billed as {_time(billed)}; the run takes {_time(hours)}")


def leaving_note(options: Options, row: int) -> Iterator[Remark]:
    """Yield the warning that the data may leave their continent."""
    counts = 1.0 if options.staging is None else options.staging.leaving.item(row)
    if counts > 1:
        what = "the data are not known to stay on their continent"
        yield RuleId("data-leave-continent").note(f"{what}; ranked at {counts:g} times its expected value")


def _moved(job: Job, market: Market, options: Options, row: int) -> str:
    place, moved = staging.data_place(job, market), options.staging
    assert place is not None
    assert moved is not None
    hours, usd = moved.hours.item(row), moved.usd.item(row)
    origin = "your own machines" if place.cloud == OWN_CLOUD else place.name
    if hours == 0:
        return f"the data are {'on' if place.cloud == OWN_CLOUD else 'in'} {origin}; nothing is moved"
    if moved.home.item(row):
        copied = f"copying {_data(job)} to the disks from the storage of {origin} takes about {_time(hours)} more"
        paid = _meanwhile(hours * options.whole_usd_per_hour.item(row))
        return f"{copied}{paid}{_read_one_by_one(staging.objects_of(job), usd)}; the estimate counts all of it"
    priced = f"moving {_data(job)} from {origin} costs {said(usd, SHORT)} USD and takes {_time(hours)}"
    again = options.charges.moving(np.array([row])) - usd
    if np.any(again > 0):
        priced += f"; expected restarts add {said(float(np.sum(again)), SHORT)} USD"
    cloud = staging.assumed_egress(job, market)
    if cloud is None:
        return priced
    return f"{priced}; {cloud} publishes no price, so {ASSUMED_EGRESS.near:g} USD per GB is assumed"


def data_notes(job: Job, market: Market, options: Options, estimates: Estimates, row: int) -> Iterator[Remark]:
    """Yield the warnings on the data: padding, and what of moving and copying them is not counted.

    Nothing is moved, for a data set whose place is not stated; tokens alone are none.
    """
    yield from padded_note(job)
    data = job.workload.dataset
    described = data.name is not None or data.size_bytes is not None or data.samples is not None
    if described and job.feed is not None and not job.serves and data.region is None:
        here = f"the {_data(job)} of data are taken to be where the machine is"
        yield RuleId("data-not-moved").note(f"{here}; state dataset.region to count moving them")
    yield from _copied(job, market, options, estimates, row)


def without_spot_prices(constraints: Constraints, market: Market) -> tuple[str, ...]:
    """Return the named clouds of which no spot price is known, where spot is allowed."""
    if "spot" not in (constraints.purchase or ()):
        return ()
    return tuple(one for one in constraints.clouds or () if one not in (*market.spot_clouds, OWN_CLOUD))


def said_of_spot(clouds: Iterable[str]) -> str:
    """What clouds without a known spot price say of it, as further parts of a sentence."""
    return "".join(f"; {SPOT_SAID[one]}" for one in clouds if one in SPOT_SAID)


def unpriced_spot_note(job: Job, market: Market) -> Iterator[Remark]:
    """Yield the warning that spot was allowed on named clouds without a known spot price, and what becomes of them."""
    asked = job.query.constraints
    unknown = without_spot_prices(asked, market)
    if unknown:
        alone = set(asked.purchase or ()) == {"spot"}
        then = "left out, as spot alone is allowed" if alone else "compared at their other prices"
        told = f"no spot price of {' or '.join(unknown)} is known"
        yield RuleId("spot-price-unknown").note(f"{told}; machines there are {then}{said_of_spot(unknown)}")


def lone_spot_note(point: FrontierPoint, elsewhere: tuple[RegionPrice, ...]) -> Iterator[Remark]:
    """Yield the warning that a listed spot price is far below that of the next region."""
    price = point.price
    if point.purchase != "spot" or price.confidence != "list" or not elsewhere:
        return
    if elsewhere[0].usd_per_hour >= LONE * price.usd_per_hour:
        here = f"spot in {point.region} is {said(price.usd_per_hour, SHORT)} USD per hour"
        there = f"and {said(elsewhere[0].usd_per_hour, SHORT)} in {elsewhere[0].region}, the next region"
        when = "without a date" if price.as_of is None else f"dated {price.as_of}"
        yield RuleId("spot-price-apart").note(f"{here}, {when}, {there}; look up the current price before you start")


def padded_note(job: Job) -> Iterator[Remark]:
    """Yield the warning that most of the counted tokens are padding, where the bytes that are stated say so."""
    told = {one.field for one in job.assumptions}
    counted = job.kind == kind.SAMPLE_TRAINING or (job.kind == kind.TOKEN_TRAINING and "sequence_length" not in told)
    counted &= job.workload.tokens is None or "tokens" in told
    known = job.coefficients.datasets.find(job.workload.dataset.name)
    share = padding_of(job.workload, known, job.profile) if counted and job.profile is not None else 0.0
    if share:
        yield RuleId("padded-samples").note(
            f"{share:.0%} of samples × sequence_length is padding, by the size of the data; state tokens, or a shorter "
            "sequence_length, if you pack samples or pad them to the longest of a batch"
        )


def distant_note(job: Job, rented: bool) -> Iterator[Remark]:
    """Yield the warning that a latency target is met where the machines are, which no constraint decides."""
    if job.serves and rented and stated_target_ms(job) is not None and not job.query.constraints.regions:
        yield RuleId("users-elsewhere").note(
            "the latency leaves out the network between your users and this region; state regions to choose the region"
        )


def _copied(job: Job, market: Market, options: Options, estimates: Estimates, row: int) -> Iterator[Remark]:
    """Copying data from their own region to the disks is not counted, where it would be felt."""
    moved = options.staging is not None and options.staging.hours.item(row) > 0
    if job.feed is None or job.serves or moved or np.isnan(options.hours[row]):
        return
    candidate, outcome = options.candidate[[row]], estimates.outcome
    nodes, machines = estimates.nodes[candidate], estimates.machines.take(candidate)
    part = data_bytes(job, nodes)
    copies = nodes * part / job.feed.stored_bytes
    objects = staging.objects_of(job) * copies
    filled = None if outcome.filled_mib_s is None else outcome.filled_mib_s[candidate]
    hours = staging.hours_to_read(part, staging.storage_gbps(machines), filled, objects).item()
    run = options.hours.item(row)
    outside = staging.hours_to_read(part, staging.outside_gbps(machines), None, objects)
    if streams(job):
        told = f"{READ_ONCE}; no disk is ordered to hold the data, unless disk.type is stated"
        if objects.item() > staging.OBJECTS_PER_S * SECONDS_PER_HOUR * run:
            told += f"; it reads more than {staging.OBJECTS_PER_S:,.0f} files a second"
            told += "; spread their names over prefixes, or pack them"
    elif hours <= (NOTICEABLE - 1) * run:
        return
    elif job.kind == kind.INFERENCE and outside.item() <= run:
        told = f"{READ_ONCE}; copying the data to the disks first takes about {_time(hours)} more"
    else:
        copied = f"copying them there from the region's storage takes about {_time(hours)} more"
        told = f"the data are taken to be on the disks when the run starts; {copied}"
    usd = copies.item() * staging.reading_usd(job, _cloud(market, options, row), market)
    paid = 0.0 if streams(job) else hours * options.whole_usd_per_hour.item(row)
    yield RuleId("data-not-copied").note(f"{told}{_read_one_by_one(objects.item(), usd)}{_meanwhile(paid)}")


def _read_one_by_one(objects: float, usd: float) -> str:
    """What a cloud's storage takes for so many files, where it is worth a sentence."""
    return f"; reading {objects:,.0f} files one by one costs {said(usd, SHORT)} USD" if usd > CENT else ""


def _meanwhile(usd: float) -> str:
    """What the machines cost while the data come, where it is worth a sentence."""
    return f"; the machines cost {said(usd, SHORT)} USD while they copy" if usd > CENT else ""


def _cloud(market: Market, options: Options, row: int) -> str:
    """The cloud of an option's machines; empty where they are not rented."""
    offer = options.offer.item(row)
    return market.catalog.regions.cloud[market.offers.region.item(offer)] or "" if offer >= 0 else ""


def _data(job: Job) -> str:
    assert job.feed is not None
    size = job.feed.stored_bytes
    number, unit = (size / TB, "TB") if size >= TB else (size / GB, "GB") if size >= GB else (size / GB * 1e3, "MB")
    return f"{said(number, SHORT)} {unit}"


def _time(hours: float) -> str:
    return f"{said(hours, SHORT)} h" if hours >= 1 else f"{said(hours * MINUTES_PER_HOUR, SHORT)} min"
