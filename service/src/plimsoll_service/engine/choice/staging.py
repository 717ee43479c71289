"""Data that lie elsewhere: where they are, the price of moving them, the time to stage them, and the region that pays.

Data are copied once, from their region to that of the machines. A machine takes as much from outside its region as its
network brings in and its disk writes. A restart on a machine of its own stages anew: weights, the state of the run, and
the data,
which are paid for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import names
from ..clouds import Egress, internet_usd
from ..columns import with_rows
from ..datasets import FILE_A_SAMPLE
from ..demand import kind
from ..demand.adapters import adapted
from ..demand.host_process import data_bytes
from ..demand.job import Job
from ..estimate.input.pipeline import STORAGE_GBPS
from ..estimate.job_time import checkpoint_size_gib, model_bytes
from ..estimate.outcome import Outcome
from ..hardware import Flags, Floats, Ints, Places
from ..machines import Machines
from ..units import BITS_PER_BYTE, GB, GIB, GIGA, MIB, MILLION, SECONDS_PER_HOUR
from ..workload import Constraints
from .constraints import region_mask
from .estimating import Estimates
from .market import Market
from .own_machines import OWN_CLOUD
from .priced_options import PricedOptions

# Traffic from outside the region: 5 Gbps, with 32 or more vCPUs half of the machine's network if that is more (Amazon
# EC2 User Guide, "Amazon EC2 instance network bandwidth", read 2026-11-23). Taken for every cloud. Rule: data-staging.
OUTSIDE_GBPS, OUTSIDE_SHARE, LARGE_VCPUS = 5.0, 0.5, 32.0
# Objects that a bucket gives in a second when reading begins: about 5,000 of Google Cloud, at most twice that after 20
# minutes (cloud.google.com/storage/docs/request-rate), and 5,500 of Amazon S3 for each prefix (Amazon S3 user guide,
# best practices design patterns), both read on 2026-11-28. Taken for every cloud: no names of objects are known, nor
# whether a client reads faster. Rule: data-staging.
OBJECTS_PER_S = 5000.0
HOME, NEAR, FAR, INTERNET = range(4)  # distance from the data: their region; same cloud and continent; same cloud; else
DISTANCES = (HOME, NEAR, FAR, INTERNET)
SEPARATOR = "/"  # between a cloud and its region, where several clouds have a region of that name
# Data leave their continent only for a fifth, as much as an untried machine must save. Rule: data-leave-continent.
LEAVING = 1.25
FREE = Egress((), 0.0, 0.0)  # what leaves machines of the user's own


@dataclass(frozen=True)
class Place:
    """Where data are: a cloud, and the row of its region; -1 for any region of the cloud."""

    cloud: str
    region: int
    name: str
    namesakes: tuple[str, ...] = ()  # other clouds with a region of that name


@dataclass(frozen=True, eq=False)
class Staging:
    """Hours and USD to bring the data to each option, and what it counts for bringing them to another continent."""

    hours: Floats
    usd: Floats
    leaving: Floats
    home: Flags  # in the region of the data


def place_of(name: str, constraints: Constraints, market: Market) -> Place | None:
    """Return the place of that name; ``None`` if no region or cloud has it.

    Of several clouds with a region of that name, it is in one that the constraints allow, and has the most offers.
    """
    cloud, _, region = name.rpartition(SEPARATOR)
    regions, spellings = market.catalog.regions, market.spellings["cloud"]
    rows = list(market.rows_of_region.get(region.lower()) or market.rows_of_region.get(names.key(region), ()))
    if cloud:
        rows = [row for row in rows if regions.cloud[row] == names.find(cloud, spellings)]
    if rows:
        wanted = {names.find(one, spellings) for one in constraints.clouds or ()}
        offers = np.diff(market.first_in_region).tolist()
        rows.sort(key=lambda row: (regions.cloud[row] not in wanted, -offers[row]))
        others = tuple(sorted(regions.cloud[row] or "" for row in rows[1:]))
        return Place(regions.cloud[rows[0]] or "", rows[0], regions.name[rows[0]], () if cloud else others)
    found = OWN_CLOUD if names.key(name) == OWN_CLOUD else names.find(name, spellings)
    return None if found is None else Place(found, -1, found)


def place_names(market: Market) -> tuple[str, ...]:
    """Return the names that ``dataset.region`` may have."""
    return (*market.catalog.regions.name, *market.catalog.clouds, OWN_CLOUD)


def data_place(job: Job, market: Market) -> Place | None:
    """Return the stated place of the job's data; ``None`` if it is not stated, or there are no data to move."""
    name = job.workload.dataset.region
    return None if name is None or job.feed is None else place_of(name, job.query.constraints, market)


def distances(place: Place, market: Market) -> NDArray[np.int8]:
    """Return the distance of each region from the data, and last of all that of the user's own machines."""
    regions = market.catalog.regions
    mine = regions.cloud.codes == regions.cloud.code_of(place.cloud)
    found = np.full(len(regions) + 1, INTERNET, dtype=np.int8)
    if place.region < 0:
        found[:-1][mine] = HOME
        found[-1] = HOME if place.cloud == OWN_CLOUD else INTERNET
        return found
    continent_of = market.coefficients.clouds.continent_of
    here = continent_of(regions.location[place.region])
    near = np.array([bool(here) and continent_of(location) == here for location in regions.location])
    found[:-1][mine] = np.where(near, NEAR, FAR)[mine]
    found[place.region] = HOME
    return found


def leaving(place: Place, market: Market) -> Floats:
    """Return what each region counts, and last the user's own machines: 1.25 where it is not known to be near."""
    locations, continent_of = market.catalog.regions.location, market.coefficients.clouds.continent_of
    here = "" if place.region < 0 else continent_of(locations[place.region])
    away = [bool(here) and continent_of(location) != here for location in locations]
    return np.where(np.array([*away, False]), LEAVING, 1.0)


def usd_by_distance(job: Job, place: Place, market: Market) -> Floats:
    """Return the price of moving the job's data once, for each of ``DISTANCES``."""
    assert job.feed is not None
    gb, egress, reads = job.feed.stored_bytes / GB, FREE, reading_usd(job, place.cloud, market)
    if place.cloud != OWN_CLOUD:
        clouds = market.coefficients.clouds
        where = "" if place.region < 0 else clouds.continent_of(market.catalog.regions.location[place.region])
        egress = clouds.egress_of(place.cloud, where)
    home = reads if copies_at_home(job) else 0.0
    return np.array([home, *(usd + reads for usd in (gb * egress.near, gb * egress.far, internet_usd(egress, gb)))])


def copies_at_home(job: Job) -> bool:
    """Whether data come to the disks in their own region too: a conversion reads each sample once, where it is told."""
    return job.kind == kind.PREPROCESSING


def objects_of(job: Job) -> float:
    """Return the objects of the data in storage, where each sample is one; 0 where they are packed."""
    return job.feed.samples if job.feed is not None and job.feed.format in FILE_A_SAMPLE else 0.0


def reading_usd(job: Job, cloud: str, market: Market) -> float:
    """Return the fee of a cloud's storage for reading each object of the data once."""
    return objects_of(job) * market.coefficients.clouds.of(cloud).usd_per_million_reads / MILLION


def outside_gbps(machines: Machines) -> Floats:
    """Return what each machine takes from outside its region; an unknown network takes what the smallest do."""
    network = machines.network_gbps
    large = machines.vcpus >= LARGE_VCPUS
    most = np.where(large, np.fmax(network * OUTSIDE_SHARE, OUTSIDE_GBPS), OUTSIDE_GBPS)
    return np.fmin(most, storage_gbps(machines))


def staging_hours(job: Job, machines: Machines, nodes: Floats, outcome: Outcome) -> Floats:
    """Return the hours in which the data reach each candidate from outside its region.

    One machine brings them in and passes them on; of data that are split, each machine brings in its part. All of them
    together are no faster than one machine reads from storage: no cloud publishes what its ways to another carry.
    """
    part = data_bytes(job, nodes)
    share = np.fmin(outside_gbps(machines), STORAGE_GBPS * part / data_bytes(job, np.ones(1)))
    return hours_to_read(part, share, filled(outcome), objects_of(job))


def filled(outcome: Outcome) -> Floats | None:
    """Return the MiB a second that each candidate's disk takes in; ``None`` where no disk is filled."""
    return None if outcome.filled_mib_s is None else outcome.filled_mib_s[:]


def hours_to_read(size: Floats, gbps: Floats, mib_s: Floats | None, objects: Floats | float = 0.0) -> Floats:
    """Return the hours in which bytes come out of storage, over the network and onto the disk: the slowest decides.

    ``objects``: how many of them are asked for one by one, by all machines together.
    """
    seconds = np.fmax(size * BITS_PER_BYTE / (gbps * GIGA), objects / OBJECTS_PER_S)
    if mib_s is not None:
        seconds = np.fmax(seconds, size / (mib_s * MIB))
    return seconds / SECONDS_PER_HOUR


@dataclass(frozen=True, eq=False)
class Moves:
    """Data that are moved: how far each region is from them, the price by distance, and the hours of each candidate."""

    place: Place
    by_region: NDArray[np.int8]  # the last is that of the user's own machines
    leaving: Floats  # by region
    usd: Floats
    hours: Floats
    copying: Floats  # hours of each candidate in the region of the data

    def to(self, market: Market, offer: Ints, candidate: Ints | Places) -> Staging:
        """Return what it takes to bring the data to those candidates at those offers; own machines have none."""
        return self.to_regions(np.where(offer >= 0, market.offers.region[np.maximum(offer, 0)], -1), candidate)

    def to_regions(self, region: Ints, candidate: Ints | Places) -> Staging:
        """Return what it takes to bring the data to those candidates in those regions; -1 is that of own machines."""
        away = self.by_region[region]
        hours = np.where(away == HOME, np.where(region < 0, 0.0, self.copying[candidate]), self.hours[candidate])
        return Staging(hours, self.usd[away], self.leaving[region], away == HOME)

    def nearest(self, cloud: str, region: str | None, market: Market) -> int:
        """Return the region of that name in a cloud, else the cloud's region nearest to the data."""
        regions = market.catalog.regions
        rows = np.flatnonzero(regions.cloud.codes == regions.cloud.code_of(cloud))
        named = [row for row in rows if region is not None and names.key(regions.name[row]) == names.key(region)]
        return int(named[0] if named else rows[np.argmin(self.by_region[rows])]) if len(rows) else -1


def moves_of(job: Job, market: Market, machines: Machines, nodes: Floats, outcome: Outcome) -> Moves | None:
    """Return how the data reach the candidates; ``None`` where it is not stated where they are."""
    place = data_place(job, market)
    if place is None:
        return None
    hours, copying = staging_hours(job, machines, nodes, outcome), np.zeros(len(nodes))
    if copies_at_home(job):
        copying = hours_to_read(data_bytes(job, nodes), storage_gbps(machines), filled(outcome), objects_of(job))
    usd = usd_by_distance(job, place, market)
    return Moves(place, distances(place, market), leaving(place, market), usd, hours, copying)


def regions_at(moves: Moves, job: Job, market: Market) -> list[tuple[str, ...]]:
    """Return the allowed regions of the data's own cloud, those at one distance together, the nearest first.

    Last come those of other clouds on the continent of the data.
    """
    regions, by_region = market.catalog.regions, moves.by_region[:-1]
    mine = regions.cloud.codes == regions.cloud.code_of(moves.place.cloud)
    allowed = region_mask(job.query.constraints, market)
    groups = [np.flatnonzero(allowed & mine & (by_region == distance)) for distance in DISTANCES]
    if np.any(moves.leaving[:-1] > 1):
        groups.append(np.flatnonzero(allowed & ~mine & (moves.leaving[:-1] == 1)))
    return [tuple(regions.name[row] for row in rows) for rows in groups if len(rows)]


def at_best_regions(
    job: Job, market: Market, moves: Moves, nodes: Floats, outcome: Outcome, several: Sequence[PricedOptions]
) -> PricedOptions:
    """Return each option at the offer that costs least with the data.

    The first of ``several`` are the cheapest of all regions, the others of some each. Where the objective is ``time``,
    and where others miss the deadline, the offer is that of the shortest time.
    """
    first, *others = several
    rows = np.flatnonzero(np.any([one.offer >= 0 for one in others], axis=0)) if others else np.empty(0, dtype=np.intp)
    if not len(rows):
        return first
    scores = np.array([_scores(job, market, moves, nodes, outcome, one, rows) for one in several])
    best = np.lexsort((scores[:, 2], scores[:, 1], scores[:, 0]), axis=0)[0]
    return _picked(several, rows, best)


def _scores(
    job: Job, market: Market, moves: Moves, nodes: Floats, outcome: Outcome, one: PricedOptions, rows: Places
) -> Floats:
    """Whether the price is unknown, the time by which offers are compared, and the cost: lower is better."""
    candidate, usd = one.candidate[rows].astype(np.intp), one.usd_per_hour[rows]
    staging = moves.to(market, one.offer[rows], candidate)
    hours = outcome.hours[candidate] + staging.hours
    restarts = nodes[candidate] * one.interruptions_per_hour[rows] * hours
    again = restarts * moved_again(job, nodes, outcome, candidate, one.volumes_stay[rows])
    cost = (nodes[candidate] * usd * hours + staging.usd * (1 + again)) * staging.leaving
    time: Floats = np.zeros(len(rows))
    deadline = job.workload.deadline_hours
    if job.query.objective == "time":
        time = staging.hours
    elif deadline is not None:
        time = np.where(outcome.hours_high[candidate] + staging.hours > deadline, 1.0, 0.0)
    return np.array([~np.isfinite(usd), time, np.where(np.isfinite(cost), cost, np.inf)])


def _picked(several: Sequence[PricedOptions], rows: Places, best: Places) -> PricedOptions:
    """Offers and their figures: in these rows those of the best, else the first."""
    chosen: dict[str, Any] = {}
    for name in ("offer", "usd_per_hour", "disk_factor", "interruptions_per_hour", "price_sigma"):
        columns = [getattr(one, name) for one in several]
        chosen[name] = with_rows(columns[0], rows, np.choose(best, [column[rows] for column in columns]))
    return replace(several[0], **chosen)


def assumed_egress(job: Job, market: Market) -> str | None:
    """Return the cloud of the data if it publishes no price of moving them."""
    place = data_place(job, market)
    if place is None or place.cloud == OWN_CLOUD:
        return None
    return place.cloud if market.coefficients.clouds.of(place.cloud).egress is None else None


def cheapest_with_data(
    market: Market, moves: Moves | None, estimates: Estimates, offers: Ints, usd_per_hour: Floats
) -> int:
    """Return the place of the offer of one named machine that costs least, with its data where they lie elsewhere."""
    hours = estimates.outcome.hours[0]
    if moves is None or np.isnan(hours):
        return int(np.argmin(usd_per_hour))
    staging = moves.to(market, offers, np.zeros(len(offers), dtype=np.int32))
    cost = estimates.nodes[0] * usd_per_hour * (hours + staging.hours) + staging.usd
    return int(np.argmin(cost * staging.leaving))


def storage_gbps(machines: Machines) -> Floats:
    """Rate at which each machine reads from object storage in its region; NaN where its network is unknown."""
    return np.minimum(machines.network_gbps, STORAGE_GBPS)


def restaging_hours(
    job: Job, machines: Machines, nodes: Floats, outcome: Outcome, rows: Places, volumes_stay: Flags
) -> Floats:
    """Hours in which a new machine reads all that it needs, at the speed of its disk and of its network.

    ``volumes_stay``: an interruption leaves the volumes in place; data on them are not staged again. Local drives are
    always empty. Inference reads each sample once, where the data lie unless their place says that they are moved.
    """
    if outcome.filled_mib_s is None:
        return np.zeros(len(rows))
    data = data_bytes(job, nodes[rows]) * staged_anew(job, outcome, rows, volumes_stay)
    # Weights to start from are read at each start, and so counted there.
    again = adapted(job) or job.kind in kind.INFERENCE_KINDS
    state = checkpoint_size_gib(job) * GIB if again else max(model_bytes(job), checkpoint_size_gib(job) * GIB)
    objects = objects_of(job) * data / np.maximum(data_bytes(job, np.ones(1)), 1.0)
    return hours_to_read(state + data, storage_gbps(machines)[rows], outcome.filled_mib_s[rows], objects)


def staged_anew(job: Job, outcome: Outcome, rows: Places, volumes_stay: Flags) -> Flags:
    """Whether a machine that replaces an interrupted one reads its data again: they are not on a volume that stays."""
    if not job.training and job.workload.dataset.region is None:
        return np.zeros(len(rows), dtype=bool)
    anew: Flags = ~volumes_stay | outcome.local_disk[rows]
    return anew


def moved_again(job: Job, nodes: Floats, outcome: Outcome, rows: Places, volumes_stay: Flags) -> Floats:
    """Share of the data that a restart moves, and pays for, again: those of one machine."""
    if job.feed is None:
        return np.zeros(len(rows))
    share: Floats = data_bytes(job, nodes[rows]) / data_bytes(job, np.ones(1))
    return share * staged_anew(job, outcome, rows, volumes_stay)
