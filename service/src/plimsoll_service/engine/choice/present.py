"""Chosen options as values of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, chain, pairwise, repeat
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ..answer import Alternative, FrontierPoint, Meets, Recommendation, RegionPrice, Runs
from ..demand.job import Job
from ..hardware import PURCHASE_NAMES, Places
from ..quantities import Sizing
from ..rules import Remark, cited
from ..support import STATUSES
from .charged import (
    charged_notes,
    copied_note,
    distant_note,
    leaving_note,
    lone_spot_note,
    padded_note,
    unmoved_note,
    unpriced_spot_note,
)
from .comparing import (
    Standing,
    late_note,
    more_note,
    name_of,
    nodes_note,
    rank_note,
    standings,
    starved_note,
    unproven_note,
)
from .details import Detail, details_of
from .limits import met_by_recommendations
from .market import Market
from .nameplates import Nameplate
from .notes import reasons_of
from .offers import allowed_offers
from .options import Options, fixed_load
from .own_machines import OWN_CLOUD, OwnMachines
from .pricing_agreements import agreement_notes, price_of, usd
from .ranking import Choice
from .rounding import figures
from .scores import Scored
from .selection import Selection
from .shown_estimates import shown_estimates, spots_of
from .sizings import sizings_of
from .warning_notes import Rented, warnings_of

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
    hourly = options.usd_per_hour[rows].tolist()
    columns = (shown, plates, _regions(market, plates, offers), nodes, purchases, offers, hourly, estimates)
    points = {}
    # Several numbers of one machine have the same price, unless they are committed.
    price = cache(partial(price_of, market, chosen.prices))
    for option, plate, region, count, purchase, offer, usd_per_hour, estimate in zip(*columns, strict=True):
        points[option] = FrontierPoint(
            plate.cloud,
            region,
            plate.name,
            int(count),
            PURCHASE_NAMES[purchase],
            plate.accelerator,
            estimate,
            price(usd_per_hour, offer, count if chosen.prices.committed else 1.0),
            plate.label,
        )
    return points


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
    beside: tuple[Remark | None, ...] = (),
) -> tuple[Recommendation, ...]:
    """Return the choices up to the query's limit in full, best first; ``points`` has all of them in short.

    ``beside``: what is said of other options with the first.
    """
    if not choices:
        return ()
    estimates, options = chosen.estimates, chosen.options
    listed = found.rows[[one.place for one in choices]]
    names = (name_of(points[option]) for option in listed.tolist())
    ordered = standings(job, found, [one.place for one in choices], names)
    next_place = choices[1].place if len(choices) > 1 else -1
    choices, shown = choices[: job.query.limit], listed[: job.query.limit]
    rows = options.candidate[shown]
    details = details_of(estimates, rows, plates_of(market, own, options, shown))
    columns: dict[str, Iterable[Any]] = {
        "option": shown.tolist(),
        "rank": range(1, len(choices) + 1),
        "place": [one.place for one in choices],
        "point": [points[option] for option in shown.tolist()],
        "detail": details,
        "sizing": sizings_of(job, estimates, options, shown, market.prices.disks, details),
        "meets": repeat(met_by_recommendations(job), len(choices)),
        "other_regions": other_regions(job, market, chosen, shown),
        "alternatives": alternatives_of(market, own, chosen, [found.rows[list(one.others)] for one in choices]),
    }
    each = [_Listed(**dict(zip(columns, one, strict=True))) for one in zip(*columns.values(), strict=True)]
    put = found.why if (choices[0].place, next_place) == (found.first, found.over) else None
    reasons = (_why(job, market, chosen, found, ordered, one, beside, put) for one in each)
    return tuple(_recommendation(job, market, chosen, *both) for both in zip(each, reasons, strict=True))


def alternatives_of(
    market: Market, own: OwnMachines, chosen: Selection, groups: Sequence[Places]
) -> list[tuple[Alternative, ...]]:
    """Return options as alternatives, group by group; a service has USD per hour, a job hours and USD."""
    options, rows = chosen.options, np.concatenate(groups)
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


class _Listed(NamedTuple):
    """A listed option: its row, rank, place in ``Scored``, and figures."""

    option: int
    rank: int
    place: int
    point: FrontierPoint
    detail: Detail
    sizing: Sizing
    meets: Meets
    other_regions: tuple[RegionPrice, ...]
    alternatives: tuple[Alternative, ...]


def _why(
    job: Job, market: Market, chosen: Selection, found: Scored, ordered: Sequence[Standing], one: _Listed,
    beside: tuple[Remark | None, ...], put: Remark | None,
) -> Iterator[Remark]:  # fmt: skip
    """Yield the reasons for a listed option: its rank, then its sizing, then what it costs."""
    mine, point, options = ordered[one.rank - 1], one.point, chosen.options
    untested = chosen.estimates.grounds.untested.item(options.candidate.item(one.option))
    listing = bool(options.priced.listings[one.option])
    of_rank = (
        rank_note(job, one.rank, ordered, found.objective, put if one.rank == 1 else None),
        *(beside if one.rank == 1 else ()),
        nodes_note(job, chosen, found, one.option, point),
        more_note(job, chosen, found, one.option, point, one.alternatives),
        unproven_note(
            mine, point.estimate.basis, untested, listing and one.detail.nodes > 1, listing and fixed_load(job)
        ),
        starved_note(mine),
        late_note(job, mine),
    )
    yield from (note for note in of_rank if note is not None)
    yield from reasons_of(job, one.detail, point.estimate.bottleneck, one.rank, found.objective)
    yield from charged_notes(job, market, options, one.option)
    yield from agreement_notes(market, chosen.prices, options.offer.item(one.option), one.detail.nodes)


def _recommendation(
    job: Job, market: Market, chosen: Selection, one: _Listed, reasons: Iterable[Remark]
) -> Recommendation:
    point, detail = one.point, one.detail
    leaving = leaving_note(chosen.options, one.option)
    rented = Rented(point.purchase, point.price, point.estimate.spot)
    warnings = (*leaving, *warnings_of(job, detail, rented), *lone_spot_note(point, one.other_regions))
    once: Iterable[Remark] = ()
    if one.rank == 1:
        copied = copied_note(job, market, chosen.options, chosen.estimates, one.option)
        of_data = chain(padded_note(job), unmoved_note(job), copied)
        once = chain(of_data, distant_note(job, detail.plate.rented), unpriced_spot_note(job, market))
    return Recommendation(
        **vars(point),
        rank=one.rank,
        sizing=one.sizing,
        meets=one.meets,
        runs=Runs(STATUSES[detail.runs.status], detail.runs.why, detail.runs.source),
        reasons=cited(reasons, market.coefficients.rules),
        warnings=cited((*warnings, *once), market.coefficients.rules),
        other_regions=one.other_regions,
        alternatives=one.alternatives,
    )


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
