"""The few chosen options as the contract's values."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.answer import AcceleratorChoice, FrontierPoint, Meets, Recommendation, RegionPrice
from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.figures import estimate_of, sizing_of
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OWN_CLOUD, OwnMachines
from plimsoll_service.engine.choice.provenance import price_of, term_notes, usd
from plimsoll_service.engine.choice.reasons import Rented, reasons_of, warnings_of
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.choice.shown import figure
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import PURCHASE_NAMES
from plimsoll_service.engine.quantities import Spot

OTHER_REGIONS = 4


def recommendation(
    job: Job,
    market: Market,
    own: OwnMachines,
    chosen: Selection,
    option: int,
    rank: int,
    objective: str,
    spot: Spot | None,
) -> Recommendation:
    """One option in full."""
    options, prices = chosen.options, chosen.prices
    row = int(options.candidate[option])
    nodes = float(chosen.scored.nodes[row])
    place = place_of(market, own, chosen, option)
    purchase = PURCHASE_NAMES[int(options.purchase[option])]
    price = price_of(market, prices, options, option, nodes)
    reasons = reasons_of(job, chosen.scored, row, rank, objective, market.catalog)
    return Recommendation(
        rank=rank,
        cloud=place["cloud"],
        region=place["region"],
        instance_type=place["instance_type"],
        node_count=int(nodes),
        purchase=purchase,
        accelerator=accelerator_of(market, chosen, row),
        sizing=sizing_of(job, chosen.scored, row, market.prices.disks, float(options.disk_usd_per_hour[option])),
        estimate=estimate_of(job, chosen.scored, row, options, option, spot),
        price=price,
        meets=meets_of(job, chosen, option),
        reasons=(*reasons, *term_notes(market, prices, options, option, nodes)),
        warnings=warnings_of(job, chosen.scored, row, market.catalog, Rented(purchase, price, spot)),
        other_regions=other_regions(job, market, chosen, option),
        label=place.get("label"),
    )


def place_of(market: Market, own: OwnMachines, chosen: Selection, option: int) -> dict[str, str]:
    """Cloud, region, instance type (and label) of an option."""
    machine = int(chosen.machine_row[int(chosen.options.candidate[option])])
    types = market.catalog.instance_types
    if machine >= len(types):
        one = own.hardware[machine - len(types)]
        name = one.label or one.accelerator or one.cpu or OWN_CLOUD
        return {"cloud": OWN_CLOUD, "region": OWN_CLOUD, "instance_type": name, "label": name}
    region = market.catalog.regions.name[int(market.offers.region[int(chosen.options.offer[option])])]
    return {"cloud": types.cloud[machine] or "", "region": region, "instance_type": types.name[machine]}


def accelerator_of(market: Market, chosen: Selection, row: int) -> AcceleratorChoice | None:
    """The accelerators of a candidate's machine."""
    machines = chosen.scored.machines
    accelerator = int(machines.accelerator[row])
    if accelerator < 0:
        return None
    name = market.catalog.accelerators.name[accelerator]
    return AcceleratorChoice(name, figure(machines.count[row]), figure(machines.device_memory_gib[row]))


def meets_of(job: Job, chosen: Selection, option: int) -> Meets:
    """Each stated limit, judged at its own end of the range."""
    masks = limit_masks(job, chosen.scored, chosen.options)

    def holds(name: str) -> bool | None:
        return bool(masks[name][option]) if name in masks else None

    return Meets(holds("deadline"), holds("budget"), holds("latency"), holds("requests_per_second"))


def other_regions(job: Job, market: Market, chosen: Selection, option: int) -> tuple[RegionPrice, ...]:
    """The next cheapest allowed regions of the same machine and purchase option."""
    offer, offers = int(chosen.options.offer[option]), market.offers
    if offer < 0:
        return ()
    kind_row = int(offers.instance_type[offer])
    rows = np.arange(market.first_offer[kind_row], market.first_offer[kind_row + 1])
    allowed = machine_constraints.region_mask(job.query.constraints, market)[offers.region[rows]]
    same = rows[allowed & offers.current[rows] & (offers.purchase[rows] == offers.purchase[offer]) & (rows != offer)]
    prices = chosen.prices.of(same, float(chosen.scored.nodes[int(chosen.options.candidate[option])]))
    cheapest = np.argsort(prices, kind="stable")[:OTHER_REGIONS]
    return tuple(
        RegionPrice(market.catalog.regions.name[int(offers.region[same[place]])], usd(prices[place]))
        for place in cheapest
    )


def frontier_point(
    job: Job, market: Market, own: OwnMachines, chosen: Selection, option: int, spot: Spot | None
) -> FrontierPoint:
    """One point of the frontier, short."""
    row = int(chosen.options.candidate[option])
    place = place_of(market, own, chosen, option)
    return FrontierPoint(
        cloud=place["cloud"],
        region=place["region"],
        instance_type=place["instance_type"],
        node_count=int(chosen.scored.nodes[row]),
        purchase=PURCHASE_NAMES[int(chosen.options.purchase[option])],
        accelerator=accelerator_of(market, chosen, row),
        estimate=estimate_of(job, chosen.scored, row, chosen.options, option, spot),
        price=price_of(market, chosen.prices, chosen.options, option, float(chosen.scored.nodes[row])),
        label=place.get("label"),
    )
