"""Options that a first choice names beside itself: a near miss, own machines, and what tuned converters would take.

A near miss is a cheaper option (under ``time`` a faster one) that meets every limit at its estimate, but not
over all of its range.

A job's options have the same machines at both ends. Those of a service follow from its range: a second selection takes
every range as its middle, and so has as many machines as the estimates alone would need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..answer import Assumption
from ..coefficients import Coefficients
from ..demand import kind
from ..demand.filling import changed
from ..demand.job import DEFAULT_MAX_NODES, Job
from ..estimate.work import least_nodes
from ..hardware import PURCHASE_NAMES, Floats, Places
from ..known import Check
from ..rules import Remark, RuleId
from ..spreads import MEMORY, SPREAD_BASES, Spread
from ..units import TINY
from ..workload import Hardware, Query
from .candidates import SPLIT_KINDS
from .charged import SHORT
from .comparing import in_words_of, unknown_networks
from .evaluate import why_not
from .kept import Kept
from .limits import LIMITS, RATE, Limit, overloaded
from .listed import TENTH
from .loosening import Choose
from .market import Market
from .named_hardware import NamedHardware, named_hardware_of, shortfalls
from .own_machines import OwnMachines
from .present import plate_of
from .ranking import first_row
from .rounding import said
from .scores import Expected, Scored, awaited_token, expected_of
from .selection import Named, Selection, prepared_in, select

CERTAIN = (Spread(1.0, 1.0),) * SPREAD_BASES
LESS = 1 / TENTH  # what is hardly less is no reason to risk a miss
TRIED = 5  # near misses, cheapest first, until one holds as a request would name it


def near_miss_note(
    job: Job, market: Market, own: OwnMachines, kept: Kept | None, chosen: Selection, found: Scored, first: int
) -> Remark | None:
    """Return the reason against the near miss; ``None`` where there is none. ``first``: row of rank 1."""
    if not job.serves:
        return _of_job(job, market, own, chosen, found, first)
    limits = [limit for limit in LIMITS if limit.nearly and limit.stated(job.query) is not None]
    if not limits:
        return None
    sure = _counted(job, chosen, found.rows, found.expected, by_time=False).min()
    options = chosen.options
    if not (options.each(chosen.possible) & (options.usd_per_hour < LESS * sure)).any():  # one machine alone costs more
        return None
    proven = found.expected.proven.item(found.rows.searchsorted(first))
    kept = kept or Kept()
    middle = changed(job, coefficients=kept.of("middle", (), lambda: at_the_middle(job.coefficients)))
    most = LESS * options.charges.usd_per_hour.item(first)
    if not _fleet_below(most, middle, market, own, kept, chosen):
        return None
    nearly = select(middle, market, own, kept)
    # What only counts less, as a marketplace's listing counts more than its price, is no cheaper.
    price = nearly.options.charges.usd_per_hour[nearly.feasible]
    cheaper = nearly.feasible[price <= most]
    tried = _likeliest_first(limits, middle, nearly, _cheapest_below(LESS * sure, middle, nearly, cheaper, proven))
    notes = (_note(job, market, own, kept, limits, middle, nearly, row) for row in tried[:TRIED])
    return next((note for note in notes if note is not None), None)


def _likeliest_first(limits: list[Limit], middle: Job, nearly: Selection, rows: list[int]) -> list[int]:
    """The rows, cheapest first, with those before them that cost hardly more: nearest to a miss comes last of these."""
    if not rows:
        return rows
    options, places = nearly.options, np.array(rows)
    usd, used = options.charges.usd_per_hour[places], np.zeros(len(rows))
    for limit in limits:
        share = limit.reached(middle, nearly.estimates, options)[places] / limit.stated(middle.query)
        used = np.maximum(used, 1 / share if limit.at_least else share)
    near = usd <= TENTH * usd[0]
    found: list[int] = places[np.lexsort((np.where(near, used, usd), ~near))].tolist()
    return found


def _of_job(job: Job, market: Market, own: OwnMachines, chosen: Selection, found: Scored, first: int) -> Remark | None:
    """The reason against an option that meets deadline and budget at its middle, but not surely."""
    options, masks, workload, asked = chosen.options, chosen.masks, job.workload, {"deadline", "budget"}
    if asked.isdisjoint(masks):
        return None
    missed = options.each(chosen.possible) & (options.hours <= (workload.deadline_hours or np.inf))
    missed &= options.cost <= (workload.budget_usd or np.inf)
    missed[chosen.feasible] = False
    for name in masks.keys() - asked:
        missed &= masks[name]
    by_time = found.objective == "time"
    sure = _counted(job, chosen, found.rows, found.expected, by_time).item(found.rows.searchsorted(first))
    missed &= (options.hours if by_time else options.cost) < LESS * sure  # no option counts less
    if by_time:  # more machines are sooner still, and nearer to a miss
        missed &= options.each(chosen.estimates.nodes) <= chosen.estimates.nodes[options.candidate.item(first)]
    below = _cheapest_below(LESS * sure, job, chosen, missed.nonzero()[0], by_time=by_time)
    if not below:
        return None
    row, only = below[0], np.array(below[:1])
    hours, most, cost, dearest = (
        said(one[only].item()) for one in (options.hours, options.hours_high, options.cost, options.cost_high)
    )
    figures = f"takes {hours} h, at most {most} h, and costs {cost} USD, at most {dearest} USD"
    return RuleId("cheaper-but-unsure").note(f"{in_words(market, own, chosen, row)} {figures}")


def _cheapest_below(
    most: float, job: Job, chosen: Selection, rows: Places, proven: bool = False, by_time: bool = False
) -> list[int]:
    """Rows of the options whose cost, or time, counts less than that, cheapest first.

    Where they must be ``proven``, what is not is passed over: it may miss the limit by far.
    """
    if not len(rows):
        return []
    means = expected_of(job, chosen.estimates, chosen.options, rows)
    below = (_counted(job, chosen, rows, means, by_time) < most) & (means.proven | (not proven))
    costs = _counted(job, chosen, rows, means, by_time=False)[below]
    found: list[int] = rows[below][np.argsort(costs, kind="stable")].tolist()
    return found


def _counted(job: Job, chosen: Selection, rows: Places, means: Expected, by_time: bool) -> Floats:
    """What the ranking counts of each option: its time, or its cost; of machines that cost nothing, their number."""
    if by_time:
        return means.time * means.doubt
    nodes = chosen.estimates.nodes[chosen.options.candidate[rows]]
    return np.maximum(means.counted_cost * awaited_token(job, means.time), TINY * nodes)


def remedy_note(job: Job, choose: Choose, named: Named, objective: str, before: Selection, first: int) -> Remark | None:
    """Return what tuned converters take, or training on processors in 16 bits, where that saves time or money.

    The latter only where nobody stated FP32.
    """
    asked, stock = job.query.workload.precision, job.kind == kind.PREPROCESSING and not job.tuned
    widened = job.kind in kind.NEURAL_TRAINING and asked in (None, "auto", "mixed") and _on_cores(before, first)
    if not (stock or widened):
        return None
    query = job.query.asking(tuning="tuned") if stock else job.query.asking(precision="bf16")
    other, chosen = choose(query)
    row = first_row(other, chosen, objective)
    if row is None or (widened and not _on_cores(chosen, row)):
        return None
    pairs = ((one.options.hours.item(at), one.options.cost.item(at)) for one, at in ((before, first), (chosen, row)))
    (had, paid), (hours, cost) = pairs
    if not (cost < LESS * paid or hours < LESS * had):
        return None
    figures = f"{named(chosen, row)} takes {said(hours, SHORT)} h, and costs {said(cost, SHORT)} USD"
    if widened:
        return RuleId("emulated-precision").note(f"with precision bf16, set in the script, {figures}")
    untested = chosen.estimates.grounds.untested[chosen.options.candidate[row]]
    where = "; its software is untested there" if untested else ""
    return RuleId("stock-converter").note(f"with tuning tuned, {figures}{where}")


def _on_cores(chosen: Selection, row: int) -> bool:
    return bool(chosen.estimates.machines.accelerator[chosen.options.candidate[[row]]].item() < 0)


# Machines of a fleet that is named: four times the default, as each halving of their number is worth a tenth.
# A decision of this project. Rule: larger-fleet.
LARGEST_FLEET = 64
DEFAULT_NODES = Assumption("constraints.max_nodes", DEFAULT_MAX_NODES, "the limit of this service where none is stated")
STATE_SPEED = "if you know the speed of one, ask /v1/estimates for it with node_count and network_gbps"


def larger_fleet_note(
    query: Query, job: Job, choose: Choose, named: Named, objective: str, chosen: Selection, first: int
) -> Remark | None:
    """Return the reason that names the larger fleet, where the first choice costs a tenth more. Rule: larger-fleet."""
    if not bounded(query, job, chosen):
        return None
    sure = chosen.options.charges.usd_per_hour.item(first)
    if not _least_usd(job, chosen) <= sure / TENTH:
        return None
    larger_job, larger = choose(query.within(max_nodes=LARGEST_FLEET))
    row = first_row(larger_job, larger, objective)
    assert row is not None  # the first choice itself is left
    usd, nodes = larger.options.charges.usd_per_hour.item(row), larger.estimates.nodes[larger.options.candidate[row]]
    if nodes <= DEFAULT_MAX_NODES or usd > sure / TENTH:
        return None
    return RuleId("larger-fleet").note(
        f"{named(larger, row)} at {said(usd)} USD per hour does the same work; state max_nodes to take more than "
        f"{DEFAULT_MAX_NODES} machines"
    )


def assumed_against_all(query: Query, job: Job, chosen: Selection) -> Iterator[Assumption]:
    """Assumptions that leave out machines where nothing is left: their most, and networks of unknown speed."""
    if bounded(query, job, chosen):
        yield DEFAULT_NODES
    unknown = unknown_networks(job, chosen)
    if unknown:
        yield Assumption("network_gbps", "unknown", f"{unknown}; {STATE_SPEED}")


def bounded(query: Query, job: Job, chosen: Selection) -> bool:
    """Return whether the default number of machines, which nobody stated, leaves out replicas of a service."""
    return job.serves and query.constraints.max_nodes is None and "max_nodes" in chosen.rejected


def _least_usd(job: Job, chosen: Selection) -> float:
    """The least that a fleet may cost per hour that is too large: no more machines than were tried were counted."""
    options, nodes, load = chosen.options, chosen.estimates.nodes, job.workload.requests_per_second
    if load is not None and job.kind in kind.INFERENCE_KINDS:
        nodes = nodes * np.fmax(load / np.fmax(chosen.estimates.outcome.capacity[:], TINY), 1.0)
    nodes = options.each(nodes)
    larger = (nodes > DEFAULT_MAX_NODES) & (nodes <= LARGEST_FLEET)
    fleet = np.where(larger, nodes * options.priced.usd_per_hour, np.inf)
    return float(np.fmin.reduce(fleet, initial=np.inf))


def own_notes(
    job: Job, market: Market, own: OwnMachines, kept: Kept | None, chosen: Selection, objective: str
) -> Iterator[Remark]:
    """Yield why each of the user's own machines that is not listed is left out, with all that there are of it."""
    if not len(own):
        return
    listed = set(chosen.options.priced.machine_row[chosen.feasible].tolist())
    for row, (plate, hardware) in enumerate(zip(own.nameplates, own.hardware, strict=True)):
        if len(market.nameplates) + row in listed:
            continue
        all_of_it = replace(hardware, node_count=hardware.max_nodes or 1)
        named = named_hardware_of(job, market, all_of_it, kept)
        short = shortfalls(job, named)
        _, reasons = why_not(job, market, named, short, chosen, objective)
        if reasons:
            machines = in_words_of(all_of_it.node_count, plate.cloud, plate.name, plate.accelerator)
            rated = overloaded(job, named.estimates) and not short
            behind = (one for one in reasons if rated and one.rule == RuleId("rate-at-low-end"))
            why = next(behind, reasons[0])  # what cannot carry the load has no latency worth telling
            alike = sum(replace(one, label=hardware.label) == hardware for one in own.hardware) > 1
            alike &= job.kind in (*SPLIT_KINDS, *kind.INFERENCE_KINDS)
            apart = "; state those that are alike once, with max_nodes, and they share the work" if alike else ""
            yield RuleId("own-machine-left-out").note(f"{machines}: {why.text}{apart}")


def in_words(market: Market, own: OwnMachines, chosen: Selection, row: int, nodes: int = 0) -> str:
    """Return an option's machines in words, or so many ``nodes`` of them."""
    plate, mine = plate_of(market, own, chosen.options, row), chosen.estimates.nodes
    count = nodes or int(mine.item(chosen.options.candidate.item(row)))
    return in_words_of(count, plate.cloud, plate.name, plate.accelerator)


def at_the_middle(coefficients: Coefficients) -> Coefficients:
    """Return the coefficients with every rate certain; a need is no rate, and keeps its range."""
    spreads = coefficients.spreads
    certain = {name: found if name == MEMORY else CERTAIN for name, found in spreads.of_kind.items()}
    checks = {cell: {name: _certain(one) for name, one in found.items()} for cell, found in coefficients.checks.items()}
    return replace(coefficients, spreads=replace(spreads, of_kind=certain, load_growth=0.0), checks=checks)


def _certain(check: Check) -> Check:
    """A check that moves an estimate as before, and leaves it no range."""
    if check.aged:
        return replace(check, low=1.0, high=1.0)
    middle = check.middle
    return replace(check, low=middle, high=middle, now_low=middle, now_high=middle)


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def _fleet_below(
    usd_per_hour: float, middle: Job, market: Market, own: OwnMachines, kept: Kept, chosen: Selection
) -> bool:
    """Whether the fewest machines that may carry the load cost no more, where each of them has the same price."""
    if chosen.prices.committed or middle.workload.requests_per_second_by_hour is not None:
        return True
    least = least_nodes(middle, prepared_in(middle, market, own, kept).estimate)
    return bool((chosen.options.each(least) * chosen.options.usd_per_hour <= usd_per_hour).any())


def _note(
    job: Job, market: Market, own: OwnMachines, kept: Kept, limits: list[Limit], middle: Job, nearly: Selection,
    row: int,
) -> Remark | None:  # fmt: skip
    """The reason, with the figures of just those machines at the ends of their ranges.

    ``None`` where their estimate has another layout than the near miss, and so is of another server.
    """
    options = nearly.options
    nodes = int(nearly.estimates.nodes[options.candidate[row]])
    named = named_hardware_of(job, market, _hardware(market, own, nearly, row, nodes), kept)
    if _layout(nearly, options.candidate[row]) != _layout(named, 0) or shortfalls(job, named):
        return None
    missed, of = {}, (named.estimates, named.options)
    for limit in limits:
        met = limit.met(job, *of)
        if met is not None and not met[0]:
            ends = limit.reached(middle, nearly.estimates, options).item(row), limit.reached(job, *of).item(0)
            missed[limit.name] = limit.nearly.format(*(said(end, SHORT) for end in ends))
    if not missed:
        return None
    # What cannot carry the load falls ever further behind: its latency says no more. Else that is what it misses.
    behind = overloaded(job, named.estimates) or missed.keys() == {RATE}
    phrases = [missed[RATE]] if RATE in missed and behind else [missed[one] for one in missed if one != RATE]
    return RuleId("cheaper-but-unsure").note(f"{_priced(market, own, nearly, row, nodes)} {' and '.join(phrases)}")


def _layout(of: Selection | NamedHardware, candidate: int) -> tuple[float, ...]:
    """Degrees of a candidate's tensors, stages and divided requests."""
    serving, one = of.estimates.outcome.serving, np.array([candidate])
    if serving is None:
        return ()
    degrees = (serving.tensor_parallel, serving.pipeline_parallel, serving.attention_data_parallel)
    return tuple(degree[one].item() for degree in degrees)


def _hardware(market: Market, own: OwnMachines, chosen: Selection, row: int, nodes: int) -> Hardware:
    """So many of an option's machines, as a request names them."""
    options, types = chosen.options, len(market.nameplates)
    machine = options.priced.machine_row.item(row)
    if machine >= types:
        return replace(own.hardware[machine - types], node_count=nodes)
    plate, purchase = market.nameplates[machine], PURCHASE_NAMES[options.purchase.item(row)]
    region = market.catalog.regions.name[market.offers.region.item(options.offer.item(row))]
    return Hardware(plate.cloud, plate.name, region=region, purchase=purchase, node_count=nodes)


def _priced(market: Market, own: OwnMachines, chosen: Selection, row: int, nodes: int) -> str:
    usd = chosen.options.charges.usd_per_hour.item(row)
    return f"{in_words(market, own, chosen, row, nodes)} at {said(usd)} USD per hour"
