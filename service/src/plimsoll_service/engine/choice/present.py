"""Chosen options as values of the contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from math import isfinite

import numpy as np

from ..answer import Alternative, FrontierPoint, Recommendation, RegionPrice, Runs
from ..demand.job import Job
from ..hardware import PURCHASE_NAMES, Places
from ..rules import Remark, cited
from ..support import STATUSES
from .charged import charged_notes, data_notes, distant_note, leaving_note, lone_spot_note, unpriced_spot_note
from .comparing import Standing, name_of, nodes_notes, rank_note, standing_notes, standings
from .details import Detail, details_of, sizings_of
from .limits import met_by_recommendations
from .market import Market
from .nameplates import Nameplate
from .notes import reasons_of
from .options import Options
from .own_machines import OWN_CLOUD, OwnMachines
from .priced_options import allowed_offers
from .pricing_agreements import agreement_notes, price_of, usd
from .ranking import Choice
from .rounding import figures
from .scores import Scored
from .selection import Selection
from .shown_estimates import shown_estimates, spots_of
from .warning_notes import warnings_of

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
    nodes, purchases = chosen.estimates.nodes[options.candidate[rows]].tolist(), options.purchase[rows].tolist()
    plates, offers = plates_of(market, own, options, rows), options.offer[rows].tolist()
    # Several numbers of one machine have the same price, unless they are committed.
    counted = nodes if chosen.prices.committed else [1.0] * len(nodes)
    terms = list(zip(options.usd_per_hour[rows].tolist(), offers, counted, strict=True))
    price = {each: price_of(market, chosen.prices, *each) for each in set(terms)}
    columns = (shown, plates, _regions(market, plates, offers), nodes, purchases, terms, estimates)
    return {
        option: FrontierPoint(
            plate.cloud,
            region,
            plate.name,
            int(count),
            PURCHASE_NAMES[purchase],
            plate.accelerator,
            estimate,
            price[each],
            plate.label,
        )
        for option, plate, region, count, purchase, each, estimate in zip(*columns, strict=True)
    }


def plate_of(market: Market, own: OwnMachines, options: Options, option: int) -> Nameplate:
    """Return the nameplate of an option's machine."""
    [plate] = plates_of(market, own, options, np.array([option]))
    return plate


def plates_of(market: Market, own: OwnMachines, options: Options, rows: Places) -> list[Nameplate]:
    """Return the nameplates of the options' machines."""
    known, types = market.nameplates, len(market.nameplates)
    machines = options.priced.machine_row[rows].tolist()
    return [known[one] if one < types else own.nameplates[one - types] for one in machines]


def _regions(market: Market, plates: Sequence[Nameplate], offers: Sequence[int]) -> list[str]:
    names, region = market.catalog.regions.name, market.offers.region
    pairs = zip(plates, offers, strict=True)
    return [names[region.item(offer)] if plate.rented else OWN_CLOUD for plate, offer in pairs]


def recommendations_of(
    job: Job,
    market: Market,
    own: OwnMachines,
    chosen: Selection,
    found: Scored,
    choices: Sequence[Choice],
    points: Mapping[int, FrontierPoint],
    beside: tuple[Remark, ...] = (),
) -> tuple[Recommendation, ...]:
    """Return the choices up to the query's limit in full, best first; ``points`` has all of them in short.

    ``beside``: what is said of other options with the first.
    """
    if not choices:
        return ()
    places, sources = [one.place for one in choices], market.coefficients.rules
    put = found.why if [*places, -1][:2] == [found.first, found.over] else None
    names = (name_of(points[option]) for option in found.rows[places].tolist())
    ordered, choices = standings(job, found, places, names), choices[: job.query.limit]
    shown = found.rows[places[: len(choices)]]
    details = details_of(
        chosen.estimates, chosen.options.candidate[shown], plates_of(market, own, chosen.options, shown)
    )
    others = alternatives_of(market, own, chosen, [found.rows[list(one.others)] for one in choices])
    sizings = sizings_of(job, chosen.estimates, chosen.options, shown, market.prices.disks, details)
    meets = met_by_recommendations(job)
    once = (  # warnings that hold for every option
        *data_notes(job, market, chosen.options, chosen.estimates, shown.item(0)),
        *distant_note(job, details[0].plate.rented),
        *unpriced_spot_note(job, market),
    )
    regions, short = other_regions(job, market, chosen, shown), [points[option] for option in shown.tolist()]
    columns = zip(shown.tolist(), short, details, sizings, regions, others, strict=True)
    return tuple(
        Recommendation(
            **vars(point),
            rank=rank,
            sizing=sizing,
            meets=meets,
            runs=Runs(STATUSES[detail.runs.status], detail.runs.why, detail.runs.source),
            reasons=cited(
                chain(
                    [rank_note(job, rank, ordered, found.objective, put if rank == 1 else None)],
                    beside if rank == 1 else (),
                    _why(job, market, chosen, found, ordered[rank - 1], option, point, detail, rank, mine),
                ),
                sources,
            ),
            warnings=cited(
                chain(
                    leaving_note(chosen.options, option),
                    warnings_of(job, detail, point.purchase, point.price, point.estimate),
                    lone_spot_note(point, elsewhere),
                    once if rank == 1 else (),
                ),
                sources,
            ),
            other_regions=elsewhere,
            alternatives=mine,
        )
        for rank, (option, point, detail, sizing, elsewhere, mine) in enumerate(columns, start=1)
    )


def _why(
    job: Job, market: Market, chosen: Selection, found: Scored, standing: Standing, option: int, point: FrontierPoint,
    detail: Detail, rank: int, alternatives: Sequence[Alternative],
) -> Iterator[Remark]:  # fmt: skip
    """Yield the reasons for a listed option beside its rank: its number of machines, its sizing, what it costs."""
    options = chosen.options
    untested = chosen.estimates.grounds.untested.item(options.candidate.item(option))
    yield from nodes_notes(job, chosen, found, option, point, alternatives)
    listing = bool(options.priced.listings[option])
    yield from standing_notes(job, standing, point, untested, listing)
    yield from reasons_of(job, detail, point.estimate.bottleneck, rank, found.objective)
    yield from charged_notes(job, market, options, option)
    yield from agreement_notes(market, chosen.prices, options.offer.item(option), detail.nodes)


def alternatives_of(
    market: Market, own: OwnMachines, chosen: Selection, groups: Sequence[Places]
) -> list[tuple[Alternative, ...]]:
    """Return options as alternatives, group by group; a service has USD per hour, a job hours and USD."""
    options, rows = chosen.options, np.concatenate(groups)
    if not len(rows):
        return [()] * len(groups)
    candidates = options.candidate[rows]
    usd = np.where(np.isnan(chosen.estimates.outcome.hours[candidates]), np.nan, options.cost[rows])
    shown = figures(np.array([options.hours[rows], usd, options.charges.usd_per_hour[rows]]))
    plates = plates_of(market, own, options, rows)
    regions = _regions(market, plates, options.offer[rows].tolist())
    purchases, nodes = options.purchase[rows].tolist(), chosen.estimates.nodes[candidates].tolist()
    known = [[one if isfinite(one) else None for one in column] for column in shown]
    found = [
        Alternative(plate.name, int(count), region, PURCHASE_NAMES[purchase], *figured)
        for plate, region, count, purchase, *figured in zip(plates, regions, nodes, purchases, *known, strict=True)
    ]
    return [tuple(found[begin:end]) for begin, end in pairwise(accumulate(map(len, groups), initial=0))]


def other_regions(job: Job, market: Market, chosen: Selection, shown: Places) -> list[tuple[RegionPrice, ...]]:
    """Return the next cheapest allowed regions of the same machine and purchase option, for each shown option."""
    offers, nodes = market.offers, chosen.estimates.nodes[chosen.options.candidate[shown]]
    offer = chosen.options.offer[shown]
    type_row = offers.instance_type[offer]
    first, end = market.first_offer[type_row], np.where(offer >= 0, market.first_offer[type_row + 1], 0)
    rows = np.concatenate([np.arange(*slot, dtype=np.int32) for slot in zip(first.tolist(), end.tolist(), strict=True)])
    of = np.repeat(np.arange(len(shown)), np.maximum(end - first, 0))
    same = (
        allowed_offers(job.query.constraints, market, rows)
        & market.current[rows]
        & (offers.purchase[rows] == offers.purchase[offer][of])
        & (rows != offer[of])
    )
    rows, of = rows[same], of[same]
    usd_per_hour = chosen.prices.of(rows, nodes[of])
    cheapest = np.lexsort((usd_per_hour, of))  # of each shown option in turn
    found = list(zip(offers.region[rows[cheapest]].tolist(), usd_per_hour[cheapest].tolist(), strict=True))
    name, slots = market.catalog.regions.name, pairwise(np.searchsorted(of, np.arange(len(shown) + 1)).tolist())
    several = (found[begin : min(end, begin + OTHER_REGIONS)] for begin, end in slots)
    return [tuple(RegionPrice(name[region], usd(price)) for region, price in one) for one in several]
