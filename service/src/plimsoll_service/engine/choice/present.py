"""Chosen options as values of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plimsoll_service.engine.answer import (
    AcceleratorChoice,
    Alternative,
    FrontierPoint,
    Note,
    Recommendation,
    RegionPrice,
    Runs,
)
from plimsoll_service.engine.choice.charged import charged_notes, unmoved_note
from plimsoll_service.engine.choice.comparing import (
    nodes_note,
    rank_note,
    standings,
    starved_note,
    sure_note,
    unproven_note,
)
from plimsoll_service.engine.choice.details import Detail, details_of, nameplate_of
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.limits import met_by_recommendations
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.notes import Rented, reasons_of, warnings_of
from plimsoll_service.engine.choice.offers import allowed_offers
from plimsoll_service.engine.choice.own_machines import OWN_CLOUD, OwnMachines
from plimsoll_service.engine.choice.pricing_agreements import agreement_notes, price_of, usd
from plimsoll_service.engine.choice.ranking import Choice, Scored
from plimsoll_service.engine.choice.rounding import figure, known_figure
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.choice.shown_estimates import shown_estimates, spots_of
from plimsoll_service.engine.choice.sizings import sizings_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Ints
from plimsoll_service.engine.quantities import Sizing
from plimsoll_service.engine.support import STATUSES

OTHER_REGIONS = 4


def points_of(
    job: Job, market: Market, own: OwnMachines, chosen: Selection, shown: Sequence[int]
) -> dict[int, FrontierPoint]:
    """Return the shown options in short, by their row."""
    if not shown:
        return {}
    options, rows = chosen.options, np.array(shown, dtype=np.intp)
    spots = spots_of(job, market, chosen.prices, chosen.estimates, options, shown)
    estimates = shown_estimates(job, chosen.estimates, options, rows, spots)
    nodes = chosen.estimates.nodes[options.candidate[rows]].tolist()
    columns = zip(shown, nodes, options.purchase[rows].tolist(), options.offer[rows].tolist(), estimates, strict=True)
    points = {}
    for option, count, purchase, offer, estimate in columns:
        cloud, region, name, label = _place(market, own, options.priced.machine_row.item(option), offer)
        accelerator = _accelerator_of(market, chosen.estimates, options.candidate.item(option))
        price = price_of(market, chosen.prices, options.usd_per_hour.item(option), offer, count)
        bought = PURCHASE_NAMES[purchase]
        points[option] = FrontierPoint(cloud, region, name, int(count), bought, accelerator, estimate, price, label)
    return points


def _place(market: Market, own: OwnMachines, machine: int, offer: int) -> tuple[str, str, str, str | None]:
    """Cloud, region and name of a machine, and the label of one of the user's own."""
    types = market.catalog.instance_types
    if machine >= len(types):
        one = own.hardware[machine - len(types)]
        name = one.label or one.accelerator or one.cpu or OWN_CLOUD
        return OWN_CLOUD, OWN_CLOUD, name, name
    region = market.catalog.regions.name[market.offers.region.item(offer)]
    return types.cloud[machine] or "", region, types.name[machine], None


def _accelerator_of(market: Market, estimates: Estimates, row: int) -> AcceleratorChoice | None:
    """Accelerators of a candidate's machine."""
    machines = estimates.machines
    accelerator = machines.accelerator.item(row)
    if accelerator < 0:
        return None
    name = market.catalog.accelerators.name[accelerator]
    count, memory_gib = machines.figure("count", row), machines.figure("device_memory_gib", row)
    return AcceleratorChoice(name, figure(count), figure(memory_gib))


def recommendations_of(
    job: Job,
    market: Market,
    own: OwnMachines,
    chosen: Selection,
    found: Scored,
    choices: Sequence[Choice],
    points: Mapping[int, FrontierPoint],
) -> tuple[Recommendation, ...]:
    """Return the choices up to the query's limit in full, best first; ``points`` has all of them in short."""
    if not choices:
        return ()
    estimates, options = chosen.estimates, chosen.options
    listed = found.rows[[one.place for one in choices]]
    ordered = standings(found, choices, [points[option] for option in listed.tolist()])
    choices, shown = choices[: job.query.limit], listed[: job.query.limit].astype(np.intp)
    rows = options.candidate[shown].astype(np.intp)
    plates = [nameplate_of(estimates.machines, row, market.catalog) for row in rows.tolist()]
    details = details_of(estimates, rows, plates)
    sizings = sizings_of(job, estimates, options, shown, market.prices.disks, details)
    return tuple(
        _recommendation(
            job,
            market,
            chosen,
            _Listed(option, rank, points[option], detail, sizing),
            found.objective,
            (
                rank_note(job, rank, ordered, found.objective),
                sure_note(found, choice),
                nodes_note(chosen, found, option, points[option]),
                unproven_note(ordered[rank - 1], points[option].estimate.basis),
                starved_note(ordered[rank - 1]),
            ),
            alternatives_of(market, own, chosen, found.rows[list(choice.others)]),
        )
        for rank, (option, choice, detail, sizing) in enumerate(
            zip(shown.tolist(), choices, details, sizings, strict=True), start=1
        )
    )


def alternatives_of(market: Market, own: OwnMachines, chosen: Selection, rows: Ints) -> tuple[Alternative, ...]:
    """Return options as alternatives; a service has USD per hour, a job hours and USD."""
    options, outcome = chosen.options, chosen.estimates.outcome
    timed = not np.isnan(outcome.hours[options.candidate[rows]]).any()
    found = []
    for row in rows.tolist():
        _, region, name, _ = _place(market, own, options.priced.machine_row.item(row), options.offer.item(row))
        candidate = options.candidate.item(row)
        found.append(
            Alternative(
                instance_type=name,
                node_count=int(chosen.estimates.nodes.item(candidate)),
                region=region,
                purchase=PURCHASE_NAMES[options.purchase.item(row)],
                time_hours=known_figure(options.hours.item(row)),
                cost_usd=known_figure(options.cost.item(row)) if timed else None,
                usd_per_hour=known_figure(options.whole_usd_per_hour.item(row)),
            )
        )
    return tuple(found)


class _Listed(NamedTuple):
    """A listed option: its row, rank, and figures."""

    option: int
    rank: int
    point: FrontierPoint
    detail: Detail
    sizing: Sizing


def _recommendation(
    job: Job,
    market: Market,
    chosen: Selection,
    one: _Listed,
    objective: str,
    why: Iterable[Note | None],
    alternatives: tuple[Alternative, ...],
) -> Recommendation:
    point, detail = one.point, one.detail
    of_price = agreement_notes(market, chosen.prices, chosen.options.offer.item(one.option), detail.nodes)
    reasons = reasons_of(job, detail, point.estimate.bottleneck, one.rank, objective)
    charged = charged_notes(job, market, chosen.options, one.option)
    warnings = warnings_of(job, detail, Rented(point.purchase, point.price, point.estimate.spot))
    once = unmoved_note(job) if one.rank == 1 else ()
    return Recommendation(
        rank=one.rank,
        cloud=point.cloud,
        region=point.region,
        instance_type=point.instance_type,
        node_count=point.node_count,
        purchase=point.purchase,
        accelerator=point.accelerator,
        sizing=one.sizing,
        estimate=point.estimate,
        price=point.price,
        meets=met_by_recommendations(job),
        runs=Runs(STATUSES[detail.runs.status], detail.runs.why, detail.runs.source),
        reasons=(*(note for note in why if note is not None), *reasons, *charged, *of_price),
        warnings=(*warnings, *once),
        other_regions=other_regions(job, market, chosen, one.option, detail.nodes),
        alternatives=alternatives,
        label=point.label,
    )


def other_regions(job: Job, market: Market, chosen: Selection, option: int, nodes: float) -> tuple[RegionPrice, ...]:
    """Return the next cheapest allowed regions of the same machine and purchase option."""
    offer, prices = chosen.options.offer.item(option), chosen.prices
    if offer < 0:
        return ()
    offers, kind_row = market.offers, market.offers.instance_type.item(offer)
    slot = slice(market.first_offer.item(kind_row), market.first_offer.item(kind_row + 1))
    same = (
        allowed_offers(job.query.constraints, market, slot)
        & market.current[slot]
        & (offers.purchase[slot] == offers.purchase.item(offer))
    )
    same[offer - slot.start] = False
    rows = (slot.start + np.flatnonzero(same)).astype(np.int32)
    usd_per_hour = prices.of(rows, nodes)
    cheapest = np.argsort(usd_per_hour, kind="stable")[:OTHER_REGIONS]
    places = zip(offers.region[rows[cheapest]].tolist(), usd_per_hour[cheapest].tolist(), strict=True)
    return tuple(RegionPrice(market.catalog.regions.name[region], usd(price)) for region, price in places)
