"""Why a choice has its rank: its figures beside the next choice or the first; and why it takes several machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isnan

import numpy as np

from ..answer import AcceleratorChoice, Alternative, FrontierPoint
from ..demand import kind
from ..demand.job import Job
from ..estimate.input.disks import streams
from ..frozen import value
from ..hardware import Places
from ..rules import Remark, RuleId
from ..units import MS
from . import scores
from .limits import LIMITS
from .listed import UNHURRIED_HOURS, apart
from .options import fixed_load
from .rounding import counted, said
from .scores import Scored
from .selection import Named, Selection

ALIKE = 0.005  # two figures that differ by less than half a percent are called equal
NOTED_DISK = 0.05  # of the cost; a disk of unknown price that counts less is not worth a word
SEVERAL = 2.0  # from here on, a factor says more than a percentage


@value
class Standing:
    """Expected figures of a choice, with its name in words."""

    name: str
    cost: float
    time: float
    premium: float
    starved: float
    disk: float
    starting: float
    late: float  # how many times it counts for its first token; 1 where another figure ranks


def standings(job: Job, found: Scored, places: Sequence[int], names: Iterable[str]) -> list[Standing]:
    """Return the standing of the options at those places of ``found``, which have these names."""
    means, some = found.expected, list(places)
    ranked = found.objective == "performance_per_cost"
    by_rate = ranked and job.workload.requests_per_second is None
    cost = means.usd_per_rate if by_rate else means.cost
    columns = (cost, means.time, means.premium, means.starved, means.disk, means.starting)
    time = means.time[some]
    late = scores.awaited_token(job, time) if found.objective == "cost" or (ranked and not by_rate) else 1.0
    late = np.ones(len(time)) * late
    return list(map(Standing, names, *(column[some].tolist() for column in columns), late.tolist()))


def name_of(point: FrontierPoint) -> str:
    """Return a point's machines in words."""
    return in_words_of(point.node_count, point.cloud, point.instance_type, point.accelerator)


def in_words_of(nodes: int, cloud: str, name: str, chips: AcceleratorChoice | None) -> str:
    """Return machines in words: their accelerators, which people know them by, then number, cloud and type."""
    machines = f"{nodes} × {cloud} {name}"
    return machines if chips is None else f"{said(nodes * chips.count)} × {chips.name} ({machines})"


FIRST_BECAUSE = {
    RuleId("simpler-first"): "; it comes first because it is simpler",
    RuleId("tested-first"): "; it comes first because its software is supported",
    RuleId("own-first"): "; it comes first because it is your own",
}


def rank_note(job: Job, rank: int, ordered: Sequence[Standing], objective: str, put: Remark | None = None) -> Remark:
    """Return the reason for the rank: against the next choice (rank 1), or against the first.

    ``put``: why it was preferred to the next choice though that has a better score.
    """
    if len(ordered) == 1:
        return RuleId("why-this-rank").note("the only kind of hardware that meets every constraint and limit")
    mine, other = ordered[rank - 1], ordered[1 if rank == 1 else 0]
    lead = "ahead of" if rank == 1 else "behind"
    why = "" if put is None else FIRST_BECAUSE.get(put.rule, "")
    return RuleId("why-this-rank").note(f"{lead} {other.name}: it {_beside(job, mine, other, objective)}{why}")


def preferred_note(job: Job, found: Scored, first: int, named: Callable[[int], str]) -> Remark | None:
    """Return why the first choice is preferred to an option with a better score; ``None`` where it has the best one.

    ``first``: the first choice's row; ``named`` says a row in words.
    """
    if found.why is None or found.rows.item(found.first) != first:
        return None
    both = (found.first, found.over)
    mine, other = standings(job, found, both, map(named, found.rows[list(both)].tolist()))
    figures = _beside(job, mine, other, found.objective)
    return found.why.rule.note(f"before {other.name}: it {figures}; {found.why.text}")


def _beside(job: Job, mine: Standing, other: Standing, objective: str) -> str:
    """What one choice costs and takes beside another, and what else counts."""
    return " and ".join(_compared(job, mine, other, objective)) + "".join(_counted(mine, other))


def _compared(job: Job, mine: Standing, other: Standing, objective: str) -> Iterator[str]:
    """Phrases on the expected cost and time of one choice against another's; the objective's own figure first."""
    serves = job.serves
    costs = _ratio("is expected to cost", mine.cost, other.cost, ("less", "more", "as much", "the same"))
    if (mine.cost == 0) != (other.cost == 0):
        costs = "costs nothing" if mine.cost == 0 else "is not free"
    timed = serves or not isnan(job.samples)  # work without an end takes no time of its own
    verb = {kind.SERVING: "gives its first token in"}.get(job.kind, "answers in") if serves else "takes"
    times = _ratio(verb, mine.time, other.time, ("less time", "more time", "the time", "the same time"))
    phrases = [costs, times if timed or objective == "time" else None]
    told = [phrase for phrase in phrases if phrase is not None]
    if all(phrase.endswith(("the same", "the same time")) for phrase in told):
        told = ["is equal in expected cost and time"]
    yield from reversed(told) if objective == "time" else told


def _ratio(verb: str, mine: float, other: float, words: tuple[str, str, str, str]) -> str | None:
    ratio = mine / other if other else 0.0
    if not ratio > 0:
        return None
    less, more, times, same = words
    if abs(ratio - 1) < ALIKE:
        return f"{verb} {same}"
    if ratio < SEVERAL:
        return f"{verb} {100 * abs(ratio - 1):.0f}% {less if ratio < 1 else more}"
    return f"{verb} {said(ratio, 2)} times {times}"


def _counted(mine: Standing, other: Standing) -> Iterator[str]:
    """Clauses on what counts beside cost and time, where one of the two counts noticeably more for it."""
    for who, one in (("this choice", mine), ("the other", other)):
        if one.disk > 1 + NOTED_DISK:
            yield f"; {who} counts {100 * (one.disk - 1):.0f}% more for its disk, whose price is unknown"
    starting, late = mine.starting / other.starting, mine.late / other.late
    if abs(starting - 1) >= ALIKE:
        more = f"{100 * (max(starting, 1 / starting) - 1):.0f}% more"
        yield f"; {_who(starting)} counts {more}, because its starts of each day are uncertain"
    if mine.premium != other.premium:
        less, most = sorted((mine.premium, other.premium))
        why = "because it is unproven" if less == 1 else "because it is less proven"
        yield f"; {_who(mine.premium / other.premium)} counts {said(most / less)} times, {why}"
    if late != 1 and (times := said(max(late, 1 / late), 2)) != "1":
        yield f"; {_who(late)} counts {times} times, because its first token is late"


def _who(more: float) -> str:
    return "this choice" if more > 1 else "the other"


def standing_notes(job: Job, one: Standing, point: FrontierPoint, untested: bool, listing: bool) -> Iterator[Remark]:
    """Yield the reasons for what an option counts beside its expected value; ``listing``: of a marketplace."""
    if one.premium != 1:
        why = _unproven_because(point, untested, listing)
        if listing and fixed_load(job):  # a service depends on such a host
            stays = "how long the hosts of a marketplace stay is not published"
            why = stays if one.premium == scores.UNPROVEN else f"{why}; {stays}"
        yield RuleId("unproven").note(f"{why}; ranked at {said(one.premium)} times its expected value")
    if one.starting >= 1 + ALIKE:
        saved = f"{scores.SAVED_FOR_SURE:.0%} of what the day's schedule saves counts"
        yield RuleId("uncertain-starts").note(f"{saved}, because its machines may be unavailable at a start")
    if one.starved != 1:
        yield RuleId("starved").note(f"ranked at {said(one.starved)} times its expected value")
    if one.late >= 1 + ALIKE:
        allowed = f"{said(scores.soon_ms(job) / MS, 2)} s"
        waited = f"the first token takes more than {allowed} (95th percentile), and no latency is stated"
        yield RuleId("first-token").note(f"{waited}; ranked at {said(one.late)} times its expected value")


def _unproven_because(point: FrontierPoint, untested: bool, listing: bool) -> str:
    if point.estimate.basis == "modelled":
        return "no measurement supports the estimate"
    if untested:
        return "its software is untested there"
    if listing and point.node_count > 1:
        return "several listings of a marketplace may not be had at once"
    return "it waits for its disk, whose speed is assumed"


def faster_note(job: Job, chosen: Selection, found: Scored, first: int, named: Named) -> Remark | None:
    """Return what a faster choice costs; ``None`` if there is none.

    Under ``cost`` and ``balanced`` it takes at most half the time on no more machines, or on more of the same
    that run independently; under ``time`` a fifth less.
    ``first``: the first choice's row; ``named`` says a row in words.
    """
    options, objective = chosen.options, found.objective
    if objective == "performance_per_cost" or job.serves or isnan(job.samples):
        return None
    means, place = found.expected, found.rows.searchsorted(first)
    noticed, some = np.maximum(means.time, scores.NOTICEABLE_HOURS), np.arange(len(found.rows))
    if objective == "balanced":
        some = (SEVERAL * noticed <= noticed[place]).nonzero()[0]
    for column in (means.premium, means.starved):
        some = some[column[some] <= column[place]]
    rows, untested = found.rows[some], chosen.estimates.grounds.untested
    candidates, its = options.candidate[rows], options.candidate[first]
    may = untested[candidates] <= untested[its]
    if objective != "time":
        nodes, machine = chosen.estimates.nodes[candidates], options.priced.machine_row
        alone = (machine[rows] == machine[first]) & scores.independent(job, nodes)
        may &= (nodes <= chosen.estimates.nodes[its]) | alone
    some, most = some[may], scores.CHEAPER if objective == "time" else 1 / SEVERAL
    if not len(some):
        return None
    merit = {"time": means.time, "balanced": found.scores}.get(objective)
    weighed = means.cost[some] * noticed[some] if merit is None else merit[some]
    alike = some[weighed <= (1 + ALIKE) * weighed.min()]
    row = int(found.rows[alike[means.cost[alike].argmin()]])
    hours, before = options.hours.item(row), options.hours.item(first)
    if hours > most * before:
        return None
    cost, paid = options.cost.item(row), options.cost.item(first)
    figures = f"takes {said(hours, 3)} h instead of {said(before, 3)} h, and costs {said(cost, 3)} USD"
    return RuleId("faster-choice").note(f"{named(chosen, row)} {figures} instead of {said(paid, 3)} USD")


def nodes_notes(
    job: Job, chosen: Selection, found: Scored, option: int, point: FrontierPoint, alternatives: Sequence[Alternative]
) -> Iterator[Remark]:
    """Yield why the option takes several machines, and why no more that take less time and cost no more."""
    if point.node_count > 1:
        unknown = unknown_networks(job, chosen)
        left = f"; {unknown}" if unknown else ""
        yield RuleId("nodes-needed").note(_needed(job, chosen, found, option, point.node_count) + left)
    usd, hours = point.estimate.cost_usd, point.estimate.time_hours
    if usd is None or hours is None:
        return
    mine = [one for one in alternatives if (one.instance_type, one.purchase) == (point.instance_type, point.purchase)]
    more = [one for one in mine if one.node_count > point.node_count and (one.cost_usd or np.inf) <= usd.value]
    best = min(more, key=lambda one: one.time_hours or np.inf, default=None)
    if best is not None and (best.time_hours or np.inf) < hours.value:
        figures = f"would take {said(best.time_hours or 0.0, 3)} h for {said(best.cost_usd or 0.0, 4)} USD"
        first = "the fewest machines that meet every limit come first"
        if np.isin(found.rows[found.listed], _of_fewer(chosen, option)).any():
            twice = "no more than twice the fewest machines that meet every limit come first"
            first = "more machines come first only where each saves a USD" if apart(job) else twice
        why = f"{first}, as each must be obtained, started and watched"
        yield RuleId("nodes-needed").note(f"{counted(best.node_count, 'machine')} {figures}; {why}")


def unknown_networks(job: Job, chosen: Selection) -> str:
    """How many groups of machines the unknown speed of their network leaves out; empty where none needs it."""
    unknown = chosen.rejected.get("network", 0) if job.training or job.kind == kind.HPC else 0  # replicas need none
    return f"{counted(unknown, 'group')} of machines with a network of unknown speed left out" if unknown else ""


def _of_fewer(chosen: Selection, option: int) -> Places:
    """The options of its type and purchase option that take fewer machines."""
    options, nodes = chosen.options, chosen.estimates.nodes
    same = (options.priced.machine_row == options.priced.machine_row[option]).nonzero()[0]
    same = same[options.purchase[same] == options.purchase[option]]
    found: Places = same[nodes[options.candidate[same]] < nodes[options.candidate[option]]]
    return found


def _needed(job: Job, chosen: Selection, found: Scored, option: int, nodes: int) -> str:
    """Why no fewer machines do, or what they lose to the option."""
    options, fewer = chosen.options, _of_fewer(chosen, option)
    if not len(fewer):
        return f"the load takes {counted(nodes, 'machine')} of this type"
    if job.experiments <= 1 and found.objective != "time":
        listed = _fewest(chosen, found, option, np.intersect1d(fewer, found.rows[found.listed]))
        if listed is not None and listed[1] >= 1 + ALIKE and listed[2] >= SEVERAL:
            machines, cost, time = listed
            return f"{machines} would cost {100 * (cost - 1):.0f}% more and take {said(time, 2)} times as long"
    count = chosen.estimates.nodes[options.candidate[fewer]]
    nearest, machines = fewer[np.argmax(count)], counted(count.max().item(), "machine")
    shared = chosen.estimates.outcome.together
    if shared is not None and not shared.sensible[options.candidate[nearest]]:
        return f"the devices of {machines} cannot share the global batch in equal parts"
    if not chosen.possible[options.candidate[nearest]]:
        return f"the work does not fit into the memory of {machines}"
    missed = next((name for name, passing in chosen.masks.items() if not passing[nearest]), None)
    if missed is not None:
        limit = next((limit for limit in LIMITS if limit.name == missed), None)
        return (
            f"{machines} {limit.fails(job, chosen.estimates, options, nearest) if limit else 'would not be available'}"
        )
    return _worse(job, chosen, found, option, nodes, fewer) or _unlisted(job, chosen, nearest, machines)


def _unlisted(job: Job, chosen: Selection, nearest: int, machines: str) -> str:
    """Why so many machines, which meet every limit, are not listed."""
    hours = chosen.options.hours.item(nearest)
    if hours > scores.LONGEST_RUN_HOURS:
        return f"{machines} would take longer than a week"
    if streams(job) and hours > UNHURRIED_HOURS:
        return f"{machines} would take longer than two days, and cost as much"
    return f"{machines} would cost more, with their disks"


def _worse(job: Job, chosen: Selection, found: Scored, option: int, nodes: int, fewer: Places) -> str | None:
    """What fewer machines that would do lose to the option; ``None`` if nothing of note."""
    if found.objective == "time":
        count = chosen.estimates.nodes[chosen.options.candidate[fewer]].max()
        return f"{counted(int(count), 'machine')} would take longer"
    if 1 < nodes <= job.experiments:
        alike = f"{nodes} machines take about 1/{nodes} of the time at about the same cost"
        return f"independent runs side by side: {alike}"
    least = _fewest(chosen, found, option, fewer)
    if least is None or not least[1] * scores.CHEAPER >= 1 - ALIKE:
        return None
    ratio = least[1]
    more = f"{100 * (ratio - 1):.0f}% more" if ratio < SEVERAL else f"{said(ratio, 2)} times as much"
    return f"{least[0]} would cost {more}"


def _fewest(chosen: Selection, found: Scored, option: int, among: Places) -> tuple[str, float, float] | None:
    """The fewest machines of the feasible ones of some options, with their cost and time over those of the option."""
    places = np.isin(found.rows, among).nonzero()[0]
    if not len(places):
        return None
    nodes = chosen.estimates.nodes[chosen.options.candidate[found.rows[places]]]
    least, mine = places[nodes.argmin()], int(found.rows.searchsorted(option))
    cost, time = (of.item(least) / of.item(mine) for of in (found.expected.cost, found.expected.time))
    return counted(int(nodes.min()), "machine"), cost, time
