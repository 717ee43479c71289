"""Ranking of options: one choice for each kind of hardware, best first, with its alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from ..columns import changed, with_rows
from ..demand import kind
from ..demand.job import Job, stated_target_ms
from ..hardware import Flags, Floats, Ints, Places
from .first_places import put_first
from .limits import CONCURRENCY, LIMITS
from .listed import EQUAL, NOTICEABLE_USD, TENTH, TWICE_AS_FAST, UNHURRIED_HOURS, apart
from .market import Market
from .options import Options
from .scores import (
    CHEAPER,
    DISTRIBUTED,
    LONGEST_RUN_HOURS,
    NOTICEABLE_HOURS,
    Expected,
    Scored,
    best_of,
    expected_of,
    independent,
    order,
    score,
    with_equals,
)
from .selection import Selection

ALTERNATIVES = 5  # of the same hardware, listed with a choice
LESS = 0.98  # of the cost: what more machines must save where several are needed. Rule: nodes-needed


@dataclass(frozen=True)
class Choice:
    """An option, and the next best ones on the same hardware; each a place in ``Scored``."""

    place: int
    others: tuple[int, ...] = ()


def default_objective(job: Job) -> str:
    """Return ``cost`` if a limit is stated that asks for the cheapest, else ``balanced``.

    Users ask for the cheapest only within a time: without one, any machine answers them in turn.
    """
    patient = job.kind in (kind.INFERENCE, kind.TABULAR_INFERENCE) and stated_target_ms(job) is None
    asks = any(
        limit.asks_for_cost and limit.stated(job.query) is not None and not (limit.name == CONCURRENCY and patient)
        for limit in LIMITS
    )
    return "cost" if asks else "balanced"


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def scored(job: Job, chosen: Selection, objective: str) -> Scored:
    """Return the scores of the feasible options."""
    rows = chosen.feasible
    means = expected_of(job, chosen.estimates, chosen.options, rows)
    scores = score(job, chosen.estimates, chosen.options, objective, rows, means)
    listed = _with_used_devices(chosen, rows, means, _listed(job, chosen, objective, rows, means))
    found = Scored(objective, rows, scores, means, listed)
    return put_first(job, chosen, _with_better(chosen, found))


def _with_used_devices(chosen: Selection, rows: Places, means: Expected, listed: Flags) -> Flags:
    """Those listed, but for accelerators left idle where a machine without takes hardly longer for no more money.

    Rule: as-good-first.
    """
    count, idle = chosen.estimates.machines.count, listed.nonzero()[0]
    some = chosen.options.candidate[rows[idle]]
    idle = idle[np.isnan(chosen.estimates.outcome.device.required[some]) & (count[some] > 0)]
    without = (~(count[chosen.options.candidate[rows]] > 0)).nonzero()[0] if len(idle) else idle
    if not len(without):
        return listed
    by_time = without[np.argsort(means.time[without])]
    least = np.fmin.accumulate(means.counted_cost[by_time])
    sooner = np.searchsorted(means.time[by_time], TENTH * means.time[idle], side="right")
    beaten = (sooner > 0) & (least[np.maximum(sooner - 1, 0)] <= means.counted_cost[idle])
    return with_rows(listed, idle[beaten], False)


def ranked(job: Job, chosen: Selection, found: Scored, limit: int | None = None) -> Places:
    """Return the places of the options, best first; all of them, or at least the first ``limit``."""
    places = np.arange(len(found.rows))
    if limit is not None and len(places) > limit:
        places = places[found.scores <= with_equals(np.partition(found.scores, limit - 1)[limit - 1])]
    return places[order(job, chosen.estimates, chosen.options, found.rows[places], found.scores[places])]


def first_row(job: Job, chosen: Selection, objective: str) -> int | None:
    """Return the row of the first choice; ``None`` if no option is left."""
    return first_of(job, chosen, scored(job, chosen, objective)) if len(chosen.feasible) else None


def first_of(job: Job, chosen: Selection, found: Scored) -> int | None:
    """Return the row of the first choice of those scored; ``None`` if there are none."""
    if not len(found.rows):
        return None
    return int(found.rows[best_of(job, chosen, found, found.listed.nonzero()[0])])


def choices(job: Job, market: Market, chosen: Selection, found: Scored, limit: int, grouped: bool) -> list[Choice]:
    """Return the first ``limit`` choices, best first: one for each kind of hardware, or every option.

    The last of several is the user's own machine where it would stand behind them: it is what they compare with.
    """
    if not grouped:
        return [Choice(place) for place in ranked(job, chosen, found, limit)[:limit].tolist()]
    hardware = _hardware(market, chosen.options, found.rows)
    listed = found.listed.nonzero()[0]
    best = np.full(int(hardware.max(initial=-1)) + 1, np.inf)
    np.minimum.at(best, hardware[listed], found.scores[listed])
    if len(best) > limit:
        listed = listed[found.scores[listed] <= with_equals(np.partition(best, limit - 1)[limit - 1])]
    places = listed[order(job, chosen.estimates, chosen.options, found.rows[listed], found.scores[listed])]
    first: dict[int, int] = {}  # place by hardware
    for each, place in zip(hardware[places].tolist(), places.tolist(), strict=True):
        first.setdefault(each, place)
    leading = _as_good_for_less(job, chosen, found, list(first.values())[:limit], hardware)
    firsts = _with_own(job, market, chosen, found, leading, limit)
    others = _others(job, chosen, found, [(hardware == hardware[place]).nonzero()[0] for place in firsts])
    useful = (_useful(chosen, found, place, mine) for place, mine in zip(firsts, others, strict=True))
    return [Choice(place, tuple(mine[:ALTERNATIVES])) for place, mine in zip(firsts, useful, strict=True)]


def _as_good_for_less(job: Job, chosen: Selection, found: Scored, firsts: list[int], hardware: Ints) -> list[int]:
    """The places, where the time decides each but the first with the cheapest that is as fast, of the same hardware.

    Rule: as-good-first.
    """
    if found.objective != "time" or len(firsts) < 2:
        return firsts
    places, scores, cost = [firsts[0]], found.scores, found.expected.counted_cost
    for place in firsts[1:]:
        near = found.listed & (hardware == hardware[place]) & (scores <= TENTH * scores[place])
        near &= cost <= CHEAPER * cost[place]
        rows = near.nonzero()[0]
        places.append(int(rows[cost[rows].argmin()]) if len(rows) else place)
    rest = np.array(places[1:])
    ranked_rest = rest[order(job, chosen.estimates, chosen.options, found.rows[rest], scores[rest])]
    return [places[0], *ranked_rest.tolist()]


def _useful(chosen: Selection, found: Scored, place: int, others: Sequence[int]) -> list[int]:
    """The other options beside a choice; more of its own machines only where they take less time."""
    options, time, cost = chosen.options, found.expected.time, found.expected.cost
    machine, purchase = options.priced.machine_row.item(found.rows[place]), options.purchase.item(found.rows[place])

    def slower(other: int) -> bool:
        row = found.rows.item(other)
        same = options.priced.machine_row.item(row) == machine and options.purchase.item(row) == purchase
        return same and time.item(other) >= time.item(place) and cost.item(other) > cost.item(place)

    return [one for one in others if one != place and not slower(one)]


def _with_own(job: Job, market: Market, chosen: Selection, found: Scored, firsts: list[int], limit: int) -> list[int]:
    """The places of the first choices, with that of the best own machine last where none is among them."""
    own = chosen.options.priced.machine_row[found.rows] >= len(market.machines.group)
    mine = (own & found.listed).nonzero()[0]
    if limit < 2 or not len(mine) or own[firsts].any():
        return firsts
    return [*firsts[: limit - 1], best_of(job, chosen, found, mine)]


def _hardware(market: Market, options: Options, rows: Places) -> Ints:
    """Kind of hardware of each option: accelerators, or processors, of a cloud; each own machine is one of its own."""
    group, machine = market.machines.group, options.priced.machine_row[rows]
    mine = machine >= len(group)
    if not mine.any():
        return group.take(machine)
    return np.where(mine, machine + int(group.max(initial=0)) + 1, group.take(np.where(mine, 0, machine)))


def _listed(job: Job, chosen: Selection, objective: str, rows: Places, means: Expected) -> Flags:
    """Options in as few machines of their type and purchase option as the objective allows, or much cheaper in more.

    Each machine of an inference job answers for itself; what communicates is not spread out to save money alone. A
    program that is set up for one device, or may be, runs on more where none alone meets the limits. A program of which
    nobody knows that runs on all devices of a machine where that costs a tenth less, and takes half the time. Rules:
    nodes-needed, hpc-devices.
    """
    listed = _in_few_machines(job, chosen, objective, rows, means)
    if not job.one_device or objective == "time":
        return listed
    candidates = chosen.options.candidate[rows]
    one = listed & (chosen.estimates.outcome.devices_used[candidates] <= 1)
    if not one.any():
        return listed
    if job.kind != kind.HPC:
        return one
    cost, alone = means.counted_cost, chosen.estimates.nodes[candidates] == 1
    cheapest = np.fmin.reduce(cost[one])
    its_time = np.fmin.reduce(means.time[one & (cost <= with_equals(cheapest))], initial=np.inf)
    several: Flags = listed & alone & (DISTRIBUTED * cost < cheapest) & (TWICE_AS_FAST * means.time <= its_time)
    return one | several


def _in_few_machines(job: Job, chosen: Selection, objective: str, rows: Places, means: Expected) -> Flags:
    """As ``_listed``, whatever the trainer is set up for."""
    options = chosen.options
    nodes = chosen.estimates.nodes[options.candidate[rows]]
    if nodes.max(initial=1) <= 1 or (objective == "time" and job.serves):
        return np.ones(len(nodes), dtype=bool)
    group = options.priced.machine_row[rows]  # options of one type and purchase option
    if options.priced.purchases > 1:
        group = group * options.priced.purchases + options.purchase[rows]
    if objective == "time":
        time = means.time if np.isnan(job.samples) else np.maximum(means.time, NOTICEABLE_HOURS)
        return _worth_their_number(nodes, time, group)
    enough = _fewest_enough(nodes, group, means.hours if objective == "balanced" else None)
    if objective == "balanced":
        enough = enough | independent(job, nodes)
    cost = means.counted_cost
    of_enough = np.full(int(group.max()) + 1, np.inf)
    np.minimum.at(of_enough, group[enough], cost[enough])
    if job.kind in kind.INFERENCE_KINDS:
        patient = job.query.objective is not None or job.workload.deadline_hours is not None
        if objective == "cost" and not (job.serves or patient):
            enough = enough | _in_days(nodes, group, means.hours, cost <= EQUAL * of_enough[group])
        return enough | ((cost <= CHEAPER * of_enough[group]) & np.isfinite(cost))
    if objective == "cost" and apart(job):
        hardware = chosen.estimates.machines.group[options.candidate[rows]]
        enough = enough | _least_of(cost + NOTICEABLE_USD * nodes, hardware)
    return enough | _cheaper_and_sooner(means, nodes, group, enough & (nodes > 1), of_enough)


def _least_of(figure: Floats, group: Ints | Places) -> Flags:
    """The options with the least figure of their group."""
    found: Flags = figure <= _least_of_each(figure, group)[group]
    return found


def _with_better(chosen: Selection, found: Scored) -> Scored:
    """Those listed, with options that are as good as the best one listed of their hardware: score, time and machines.

    A larger machine may need fewer of its type than the best one takes, and is as good in as many.
    """
    estimates, means, scores = chosen.estimates, found.expected, found.scores
    places, others = found.listed.nonzero()[0], (~found.listed).nonzero()[0]
    if not len(others) or not len(places):
        return found
    candidates = chosen.options.candidate[found.rows]
    hardware = estimates.machines.group[candidates]
    least = np.full(int(hardware.max()) + 1, np.inf)
    np.minimum.at(least, hardware[places], scores[places])
    leading = places[scores[places] <= least[hardware[places]]]
    best = np.full(len(least), -1)
    best[hardware[leading]] = leading  # of equals, the last one stays
    others = others[scores[others] <= least[hardware[others]]]
    beside = best[hardware[others]]
    others, beside = others[beside >= 0], beside[beside >= 0]
    good = (means.time[others] <= means.time[beside]) & (means.premium[others] <= means.premium[beside])
    for column in (estimates.nodes, estimates.grounds.untested):
        good &= column[candidates[others]] <= column[candidates[beside]]
    return changed(found, listed=with_rows(found.listed, others[good], True))


def _fewest_enough(nodes: Floats, group: Places, hours: Floats | None) -> Flags:
    """Options in the fewest machines of their group that need no week of ``hours``; in its most where all need more."""
    long = np.empty(0, dtype=np.intp) if hours is None else (hours > LONGEST_RUN_HOURS).nonzero()[0]
    needed = _least_of_each(with_rows(nodes, long, np.inf), group)
    if len(long):
        most = np.zeros(len(needed))
        np.maximum.at(most, group, nodes)
        needed = np.where(np.isfinite(needed), needed, most)
    enough: Flags = nodes == needed[group]
    return enough


def _in_days(nodes: Floats, group: Places, hours: Floats, equal: Flags) -> Flags:
    """Options in the fewest machines of their group that end in two days for an ``equal`` cost. Rule: equal-costs."""
    soon = equal & (hours <= UNHURRIED_HOURS)
    return soon & _least_of(np.where(soon, nodes, np.inf), group)


def _least_of_each(figure: Floats, group: Ints | Places) -> Floats:
    """The least known figure of each group; infinite where there is none."""
    least = np.full(int(group.max()) + 1, np.inf)
    np.fmin.at(least, group, figure)
    return least


def _cheaper_and_sooner(means: Expected, nodes: Floats, group: Places, several: Flags, of_enough: Floats) -> Flags:
    """Whether up to twice the several that are needed cost less: the cheapest number, or twice in half the time."""
    time, twice = np.full((2, len(of_enough)), np.nan)
    time[group[several]], twice[group[several]] = means.time[several], 2 * nodes[several]
    cheaper = (means.counted_cost <= LESS * of_enough[group]) & (nodes <= twice[group]) & (2 * nodes > twice[group])
    cheapest = _least_of(np.where(cheaper, means.counted_cost, np.inf), group)
    sooner: Flags = (nodes == twice[group]) & (TWICE_AS_FAST * means.time <= time[group])
    return cheaper & (cheapest | sooner)


def _worth_their_number(nodes: Floats, time: Floats, group: Places) -> Flags:
    """Whether each doubling up to this node count still saves a fifth of the time."""
    weighed = time * nodes ** -np.log2(CHEAPER)
    worth: Flags = ~(weighed > with_equals(1.0) * _least_of_each(weighed, group)[group])
    return worth


def _others(job: Job, chosen: Selection, found: Scored, groups: Sequence[Places]) -> list[list[int]]:
    """The best options of each group: other types and purchase options first, then other node counts."""
    if all(len(same) == 1 for same in groups):
        return [[] for _ in groups]
    listed = found.listed
    parts = [_leading(found, among) for same in groups for among in (same[listed[same]], same[~listed[same]])]
    places, part = np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(each) for each in parts])
    by_merit = order(job, chosen.estimates, chosen.options, found.rows[places], found.scores[places])
    ordered = by_merit[np.argsort(part[by_merit], kind="stable")]
    best, ends = places[ordered].tolist(), list(accumulate(map(len, parts), initial=0))
    return [best[begin:end] for begin, end in pairwise(ends[::2])]


def _leading(found: Scored, among: Places) -> Places:
    """The places with the best scores, in their order; somewhat more than the alternatives of a choice."""
    if len(among) <= ALTERNATIVES + 1:
        return among
    mine = found.scores[among]
    return among[mine <= with_equals(np.partition(mine, ALTERNATIVES)[ALTERNATIVES])]
