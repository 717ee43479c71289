"""The few chosen options as the contract's values."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.answer import AcceleratorChoice, FrontierPoint, Meets, Recommendation, RegionPrice
from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.figures import estimate_of, figure, sizing_of
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.own import OWN_CLOUD, OwnMachines
from plimsoll_service.engine.choice.reasons import reasons_of, warnings_of
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import PURCHASE_NAMES
from plimsoll_service.engine.quantities import Price

OTHER_REGIONS = 4
PRICE_DIGITS = 6


def recommendation(
    job: Job, market: Market, own: OwnMachines, chosen: Selection, option: int, rank: int, objective: str
) -> Recommendation:
    """One option in full."""
    options = chosen.options
    row = int(options.candidate[option])
    place = place_of(market, own, chosen, option)
    return Recommendation(
        rank=rank,
        cloud=place["cloud"],
        region=place["region"],
        instance_type=place["instance_type"],
        node_count=int(chosen.scored.nodes[row]),
        purchase=PURCHASE_NAMES[int(options.purchase[option])],
        accelerator=accelerator_of(market, chosen, row),
        sizing=sizing_of(job, chosen.scored, row, market.catalog.disks),
        estimate=estimate_of(job, chosen.scored, row, options, option),
        price=price_of(market, options, option),
        meets=meets_of(job, chosen, option),
        reasons=reasons_of(job, chosen.scored, row, rank, objective, market.catalog),
        warnings=warnings_of(job, chosen.scored, row, market.catalog, market.offers, options, option),
        other_regions=other_regions(job, market, options, option),
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


def price_of(market: Market, options: Options, option: int) -> Price:
    """The price of one machine with its provenance; of own machines the stated one."""
    usd = float(f"{float(options.usd_per_hour[option]):.{PRICE_DIGITS}g}")
    offer = int(options.offer[option])
    if offer < 0:
        return Price(usd, None, "stated in the request", False, "list")
    offers = market.offers
    stale = bool(market.prices.stale[offer])
    return Price(usd, offers.as_of[offer], offers.source[offer] or "", stale, offers.confidence[offer] or "undated")


def meets_of(job: Job, chosen: Selection, option: int) -> Meets:
    """Each stated limit, judged at its own end of the range."""
    masks = limit_masks(job, chosen.scored, chosen.options)

    def holds(name: str) -> bool | None:
        return bool(masks[name][option]) if name in masks else None

    return Meets(holds("deadline"), holds("budget"), holds("latency"), holds("requests_per_second"))


def other_regions(job: Job, market: Market, options: Options, option: int) -> tuple[RegionPrice, ...]:
    """The next cheapest allowed regions of the same machine and purchase option."""
    offer = int(options.offer[option])
    if offer < 0:
        return ()
    offers = market.offers
    kind_row = int(offers.instance_type[offer])
    rows = np.arange(market.first_offer[kind_row], market.first_offer[kind_row + 1])
    allowed = machine_constraints.region_mask(job.query.constraints, market)[offers.region[rows]]
    same = rows[allowed & offers.current[rows] & (offers.purchase[rows] == offers.purchase[offer]) & (rows != offer)]
    prices = machine_constraints.offer_prices(job.query.constraints, market)[same]
    cheapest = same[np.argsort(prices, kind="stable")][:OTHER_REGIONS]
    all_prices = dict(zip(same.tolist(), prices.tolist(), strict=True))
    return tuple(
        RegionPrice(
            market.catalog.regions.name[int(offers.region[row])], float(f"{all_prices[int(row)]:.{PRICE_DIGITS}g}")
        )
        for row in cheapest
    )


def frontier_point(job: Job, market: Market, own: OwnMachines, chosen: Selection, option: int) -> FrontierPoint:
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
        estimate=estimate_of(job, chosen.scored, row, chosen.options, option),
        price=price_of(market, chosen.options, option),
        label=place.get("label"),
    )
