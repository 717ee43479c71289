"""The few chosen options as the contract's values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from plimsoll_service.engine.answer import AcceleratorChoice, FrontierPoint, Meets, Recommendation, RegionPrice
from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.cautions import Rented, warnings_of
from plimsoll_service.engine.choice.details import Detail, details_of
from plimsoll_service.engine.choice.estimating import Scored
from plimsoll_service.engine.choice.interruptions import spots_of
from plimsoll_service.engine.choice.listing import Listing
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.nameplate import Nameplate, nameplate_of
from plimsoll_service.engine.choice.own_machines import OWN_CLOUD, OwnMachines
from plimsoll_service.engine.choice.pricing_agreements import AgreedPrices
from plimsoll_service.engine.choice.provenance import price_of, term_notes, usd
from plimsoll_service.engine.choice.reasons import reasons_of
from plimsoll_service.engine.choice.rounding import figure
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.choice.shown_estimates import estimates_of
from plimsoll_service.engine.choice.sizings import sizings_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import PURCHASE_NAMES
from plimsoll_service.engine.quantities import Sizing
from plimsoll_service.engine.workload import Constraints

OTHER_REGIONS = 4
ACCELERATORS_KEPT = 1 << 10  # a catalog has a few hundred; bounded, since users describe machines of their own


def points_of(
    job: Job, market: Market, own: OwnMachines, chosen: Selection, shown: Sequence[int]
) -> dict[int, FrontierPoint]:
    """The shown options in short, by their row."""
    if not shown:
        return {}
    options, rows = chosen.options, np.array(shown, dtype=np.intp)
    spots = spots_of(job, market, chosen.prices, chosen.estimates, options, shown)
    estimates = estimates_of(job, chosen.estimates, options, rows, spots)
    nodes = chosen.estimates.nodes[options.candidate[rows]].tolist()
    columns = zip(shown, nodes, options.purchase[rows].tolist(), options.offer[rows].tolist(), estimates, strict=True)
    points = {}
    for option, count, purchase, offer, estimate in columns:
        cloud, region, name, label, accelerator, price = _listing(market, own, chosen, option, offer, count)
        bought = PURCHASE_NAMES[purchase]
        points[option] = FrontierPoint(cloud, region, name, int(count), bought, accelerator, estimate, price, label)
    return points


def _listing(market: Market, own: OwnMachines, chosen: Selection, option: int, offer: int, nodes: float) -> Listing:
    """What is said of an option whatever the work is."""
    if offer < 0:
        return _listing_of(market, own, chosen, option, nodes)
    listings = chosen.prices.said.listings
    return listings.of((offer, nodes), lambda: _listing_of(market, own, chosen, option, nodes))


def _listing_of(market: Market, own: OwnMachines, chosen: Selection, option: int, nodes: float) -> Listing:
    accelerator = _accelerator_of(market, chosen.estimates, chosen.options.candidate.item(option))
    price = price_of(market, chosen.prices, chosen.options, option, nodes)
    machine, types = chosen.options.priced.machine_row.item(option), market.catalog.instance_types
    if machine >= len(types):
        one = own.hardware[machine - len(types)]
        name = one.label or one.accelerator or one.cpu or OWN_CLOUD
        return Listing(OWN_CLOUD, OWN_CLOUD, name, name, accelerator, price)
    region = market.catalog.regions.name[market.offers.region.item(chosen.options.offer.item(option))]
    return Listing(types.cloud[machine] or "", region, types.name[machine], None, accelerator, price)


def _accelerator_of(market: Market, scored: Scored, row: int) -> AcceleratorChoice | None:
    """The accelerators of a candidate's machine."""
    machines = scored.machines
    accelerator = machines.accelerator.item(row)
    if accelerator < 0:
        return None
    name = market.catalog.accelerators.name[accelerator]
    return _accelerators(name, machines.figure("count", row), machines.figure("device_memory_gib", row))


@lru_cache(maxsize=ACCELERATORS_KEPT)
def _accelerators(name: str, count: float, memory_gib: float) -> AcceleratorChoice:
    return AcceleratorChoice(name, figure(count), figure(memory_gib))


def recommendations_of(
    job: Job,
    market: Market,
    chosen: Selection,
    listed: Sequence[int],
    points: Mapping[int, FrontierPoint],
    objective: str,
) -> tuple[Recommendation, ...]:
    """The listed options in full, best first; ``points`` has them in short."""
    if not listed:
        return ()
    scored, options, shown = chosen.estimates, chosen.options, np.array(listed, dtype=np.intp)
    rows = options.candidate[shown].astype(np.intp)
    plates = [_nameplate(market, chosen, *one) for one in zip(listed, rows.tolist(), strict=True)]
    details = details_of(scored, rows, plates)
    sizings, meets = sizings_of(job, scored, options, shown, market.prices.disks, details), meets_of(job)
    columns = zip(listed, details, sizings, strict=True)
    return tuple(
        _recommendation(job, market, chosen, option, rank, points[option], detail, sizing, meets, objective)
        for rank, (option, detail, sizing) in enumerate(columns, start=1)
    )


def _nameplate(market: Market, chosen: Selection, option: int, row: int) -> Nameplate:
    """That of the machine of an option; ``row`` is its candidate."""
    machines = chosen.estimates.machines
    if chosen.options.offer.item(option) < 0:
        return nameplate_of(machines, row, market.catalog)
    known = chosen.prices.said.nameplates
    machine = chosen.options.priced.machine_row.item(option)
    return known.of(machine, lambda: nameplate_of(machines, row, market.catalog))


def _recommendation(
    job: Job,
    market: Market,
    chosen: Selection,
    option: int,
    rank: int,
    point: FrontierPoint,
    detail: Detail,
    sizing: Sizing,
    meets: Meets,
    objective: str,
) -> Recommendation:
    of_price = term_notes(market, chosen.prices, chosen.options, option, detail.nodes)
    return Recommendation(
        rank=rank,
        cloud=point.cloud,
        region=point.region,
        instance_type=point.instance_type,
        node_count=point.node_count,
        purchase=point.purchase,
        accelerator=point.accelerator,
        sizing=sizing,
        estimate=point.estimate,
        price=point.price,
        meets=meets,
        reasons=(*reasons_of(job, detail, point.estimate.bottleneck, rank, objective), *of_price),
        warnings=warnings_of(job, detail, Rented(point.purchase, point.price, point.estimate.spot)),
        other_regions=other_regions(job, market, chosen, option, detail.nodes),
        label=point.label,
    )


def meets_of(job: Job) -> Meets:
    """Each stated limit, judged at its own end of the range: what is recommended meets all that are."""
    workload = job.workload
    limits = (workload.deadline_hours, workload.budget_usd, workload.latency_ms, workload.requests_per_second)
    return Meets(*(None if limit is None else True for limit in limits))


def other_regions(job: Job, market: Market, chosen: Selection, option: int, nodes: float) -> tuple[RegionPrice, ...]:
    """The next cheapest allowed regions of the same machine and purchase option."""
    offer, prices = chosen.options.offer.item(option), chosen.prices
    if offer < 0:
        return ()
    constraints = job.query.constraints
    return prices.said.elsewhere.of(
        (offer, nodes, constraints.regions), lambda: _other_regions(market, prices, offer, nodes, constraints)
    )


def _other_regions(
    market: Market, prices: AgreedPrices, offer: int, nodes: float, constraints: Constraints
) -> tuple[RegionPrice, ...]:
    offers, allowed = market.offers, machine_constraints.region_mask(constraints, market)
    kind_row = offers.instance_type.item(offer)
    slot = slice(market.first_offer.item(kind_row), market.first_offer.item(kind_row + 1))
    same = allowed[offers.region[slot]] & offers.current[slot] & (offers.purchase[slot] == offers.purchase.item(offer))
    same[offer - slot.start] = False
    rows = (slot.start + np.flatnonzero(same)).astype(np.int32)
    usd_per_hour = prices.of(rows, nodes)
    cheapest = np.argsort(usd_per_hour, kind="stable")[:OTHER_REGIONS]
    places = zip(offers.region[rows[cheapest]].tolist(), usd_per_hour[cheapest].tolist(), strict=True)
    return tuple(RegionPrice(market.catalog.regions.name[region], usd(price)) for region, price in places)
