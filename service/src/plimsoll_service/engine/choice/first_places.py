"""Options that come first though another has a better score: simpler, own, surer ones, or as good for less."""

from __future__ import annotations

import numpy as np

from ..columns import changed
from ..demand.job import Job
from ..hardware import Flags, Floats, Ints, Places
from ..rules import Remark, RuleId
from . import scores
from .limits import roomy
from .listed import (
    AS_GOOD,
    DEAREST,
    EQUAL,
    FEWER,
    HOUR_WAITED_USD,
    LITTLE_USD,
    NOBODY,
    NOTICEABLE_USD,
    TENTH,
    THIRD_MORE,
    TWICE_AS_FAST,
    UNHURRIED_HOURS,
    Listed,
    Step,
    apart,
    listed_of,
    too_late,
)
from .options import Options
from .rounding import said
from .scores import Scored, best_of, with_equals
from .selection import Selection
from .simpler_first import simpler_first, what_is_simpler

# Rule: sure-first. A range so wide, times of the means, and shares of the width.
WIDE, NEAR, NARROWER = 3.0, 1.3, 0.5
AHEAD = 1 - 10 * scores.ROUNDING  # over the best score: less than it even where both are rounded


def put_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """Return the scores with another option than the best first, where an engineer would take that."""
    if found.objective != "performance_per_cost" and found.listed.any():
        those = listed_of(job, chosen, found)
        counted, alike = those.counted.item(those.best), np.ones(len(those.places), dtype=bool)
        for step, objectives in STEPS:
            among, why = step(job, chosen, found.objective, those) if found.objective in objectives else NOBODY
            if among.any():
                place = best_of(job, chosen, found, those.places[among])
                why = why or what_is_simpler(job, those, place)
                found = _ahead(found, place, those.places.item(those.best), why)
                alike = alike & among  # what each step would have put first, which nothing adds up for
                those = listed_of(job, chosen, found, np.where(alike, np.inf, counted))
    return _unbeaten_first(job, chosen, _surest_first(chosen, found))


def _tested_first(job: Job, _chosen: Selection, _objective: str, those: Listed) -> Step:
    """Supported software, where untested software saves less than a fifth. Rule: tested-first.

    Twice the machines are no more of a burden than software that may not run. The saving is in money: that the other's
    machines may be unavailable at a start each day is no reason for software that may not start at all.
    """
    if not those.untested[those.best]:
        return NOBODY
    certain = those.scores / (those.premium * those.starting)
    tested = ~those.untested & those.proven & (those.nodes <= FEWER * those.nodes[those.best])
    tested &= scores.CHEAPER * certain < certain[those.best]
    if not job.serves:
        tested &= ~too_late(job, np.maximum(those.time, scores.NOTICEABLE_HOURS), those.best)
    return tested, RuleId("tested-first").note("its software is supported, and that of the other is untested")


def _as_good_first(job: Job, _chosen: Selection, objective: str, those: Listed) -> Step:
    """An option that is hardly behind in the objective and far ahead in the other figure.

    Under ``time`` the cheapest of those as fast but for a few percent; under ``cost`` the fastest of those as cheap,
    of a job or of a service whose latency is left open; under ``balanced``, and under a budget alone, a job's
    that is sooner for little money. Rule: as-good-first.
    """
    cost, best = those.counted, those.best
    if objective == "time":
        slowness = those.scores / those.scores.min()
        near = (slowness <= TENTH) & (cost <= scores.CHEAPER * cost[best])
        near |= (slowness <= THIRD_MORE) & (cost <= cost[best] / FEWER)
        near &= those.untested <= those.untested[best]
        merit, why = cost, RuleId("as-good-first").note("so little time is not worth so much money")
    else:
        noticed = those.time[best] > _noticeable(job, objective)
        if not noticed and (job.serves or objective != "cost"):
            return NOBODY
        near, merit = _sooner(job, objective, those)
        near &= noticed
        why = RuleId("as-good-first").note("so little money is not worth so much time")
        if objective == "cost" and not job.serves and not near.any():
            near, merit = (TENTH * those.time <= those.time[best]) & those.no_larger & those.proven, those.time
            near &= those.devices <= max(those.devices[best], 1.0)
            near &= (those.cost <= EQUAL * those.cost[best]) & those.near(EQUAL)
            why = RuleId("equal-costs").note("costs that differ by less than 1% are equal, so the faster comes first")
    return near & (merit <= with_equals(merit[near].min(initial=np.inf))), why


def _in_days_first(job: Job, _chosen: Selection, _objective: str, those: Listed) -> Step:
    """The fewest machines that end a job within two days for what one takes longer for. Rule: equal-costs.

    That is where they exchange nothing, and neither an objective nor a deadline is stated.
    """
    patient = job.query.objective is not None or job.workload.deadline_hours is not None
    waits = patient or those.time[those.best] <= UNHURRIED_HOURS
    if job.serves or waits or not apart(job):
        return NOBODY
    equal = those.proven & (those.cost <= EQUAL * those.cost[those.best]) & those.near(EQUAL)
    soon = equal & (those.time <= UNHURRIED_HOURS)
    why = RuleId("equal-costs").note("costs that differ by less than 1% are equal, so the faster comes first")
    return soon & (those.nodes <= those.nodes[soon].min(initial=np.inf)), why


def _own_first(job: Job, chosen: Selection, objective: str, those: Listed) -> Step:
    """A machine of the user's own that is hardly dearer than a rental. Rule: own-first."""
    own, best = chosen.estimates.machines.owned[chosen.options.candidate[those.rows]], those.best
    if own[best] or not own.any():
        return NOBODY
    time = np.maximum(those.time, scores.NOTICEABLE_HOURS)
    near = own & (those.untested <= those.untested[best])
    if job.serves or objective == "time":
        near &= those.scores <= TENTH * those.scores[best]
    if not job.serves:
        near &= those.near(TENTH, NOTICEABLE_USD, DEAREST) & (time < TWICE_AS_FAST * time[best])
    return near, RuleId("own-first").note("it is your own: nothing is rented")


def _noticeable(job: Job, objective: str) -> float:
    """Hours of a job, or milliseconds of a service, below which nobody pays for less; any that is asked for will do."""
    if not job.serves:
        return scores.NOTICEABLE_HOURS
    return scores.NOTICEABLE_MS if scores.unhurried(job) and objective == "cost" else np.inf


def _sooner(job: Job, objective: str, those: Listed) -> tuple[Flags, Floats]:
    """Options that take at most half the time of the best one for little money, and their merit."""
    best, time = those.best, np.maximum(those.time, scores.NOTICEABLE_HOURS)
    sooner = (TWICE_AS_FAST * time <= time[best]) & those.no_larger & those.proven
    repeated = (TWICE_AS_FAST**2 * time <= time[best]) & those.no_larger & those.may_leave
    usd = LITTLE_USD * those.premium.item(best)  # in the costs that are compared, the doubt multiplies all
    little = (sooner | repeated) & those.near(1.0, usd) & (those.devices <= max(those.devices[best], 1.0))
    if objective == "cost":
        near = sooner & those.near(AS_GOOD)
        patient = job.query.objective is not None or job.workload.deadline_hours is not None
        if near.any() or job.serves or patient:
            return near, those.time
        little &= those.counted - those.counted[best] <= HOUR_WAITED_USD * (time[best] - time)
    weighed = those.scores * time ** (1 - scores.WORTH_OF_TIME * (objective == "balanced"))  # cost × time
    return little & (weighed < weighed[best]), weighed


def _roomy_first(job: Job, chosen: Selection, _objective: str, those: Listed) -> Step:
    """An option with room beside the load for little more money than one without. Rule: headroom."""
    if not job.serves or (room := roomy(job, chosen.estimates, chosen.options)[those.rows])[those.best]:
        return NOBODY
    near = room & those.proven & those.no_larger & those.near(AS_GOOD)
    return near, RuleId("headroom").note("it has room beside the load, and the other has none")


# In their order, with the objectives that they are for.
STEPS = (
    (_tested_first, ("cost", "balanced")),
    (simpler_first, ("cost", "balanced")),
    (_as_good_first, ("cost", "balanced", "time")),
    (_in_days_first, ("cost",)),
    (_own_first, ("cost", "balanced", "time")),
    (_roomy_first, ("cost",)),
)


def _surest_first(chosen: Selection, found: Scored) -> Scored:
    """The scores, with the best option behind one nearly as good whose range is half as wide. Rule: sure-first."""
    options, means = chosen.options, found.expected
    listed = found.listed.nonzero()[0]
    if not len(listed):
        return found
    best = listed[found.scores[listed].argmin()]
    weighed = {"time": (means.time,), "balanced": (means.cost, means.time)}.get(found.objective, (means.cost,))
    near = listed[np.logical_and.reduce([one[listed] <= NEAR * one[best] for one in weighed])]
    if len(near) <= 1:  # itself
        return found
    width, high = _range(options, found.objective, found.rows[near])
    at = int(near.searchsorted(best))
    widest = width.item(at)
    if not widest > WIDE:
        return found
    candidates, narrow = options.candidate[found.rows[near]], max(NARROWER * widest, widest**NARROWER)
    own, status = chosen.estimates.machines.owned[candidates], chosen.estimates.grounds.status[candidates]
    # Half of the ratio of both ends, or of its logarithm. What is billed whole hours is not surer for it, nor what is
    # less supported. One's own machine can be tried for nothing.
    surer = (width <= narrow) & (high <= high[at]) & (status <= status[at]) & (own >= own[at])
    if not surer.any():
        return found
    place = np.where(surer, found.scores[near], np.inf).argmin()
    first, mine = int(near[place]), width.item(place)
    wide = f"its high end is {said(mine, 2)} times its low end, that of the other {said(widest, 2)} times"
    return _ahead(found, first, int(best), RuleId("sure-first").note(f"it is surer: {wide}"))


def _unbeaten_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """The scores, with a fleet first that beats the listed one on time and cost in no more machines, under ``time``.

    A type is listed with as many machines as are worth it: another type's larger fleet may beat that. Rule:
    nodes-needed.
    """
    if found.objective != "time" or not found.listed.any():
        return found
    first = int(found.listed.nonzero()[0][found.scores[found.listed].argmin()])
    means, candidates = found.expected, chosen.options.candidate[found.rows]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    time, cost = means.time, means.counted_cost
    better = (AS_GOOD * time <= time[first]) & (cost <= cost[first])
    better |= (time <= time[first]) & (AS_GOOD * cost <= cost[first])
    better &= (nodes <= nodes[first]) & (means.premium <= means.premium[first]) & (untested <= untested[first])
    if not better.any():
        return found
    soonest = better & (time <= with_equals(time[better].min()))
    cheapest = soonest & (cost <= with_equals(cost[soonest].min()))
    place, listed = best_of(job, chosen, found, cheapest.nonzero()[0]), found.listed.copy()
    listed[place] = True
    return changed(_ahead(found, place), listed=listed)


def _range(options: Options, objective: str, rows: Ints | Places) -> tuple[Floats, Floats]:
    """High end over low end of the hours or the cost of a job, whichever the objective weighs and is wider; that end.

    Of two figures, the end is that of the cost.
    """
    if objective == "time":
        high: Floats = options.hours_high[rows]
        return high / options.hours_low[rows], high
    high = options.cost_high[rows]
    width: Floats = high / options.cost_low[rows]
    if objective == "balanced":
        width = np.maximum(options.hours_high[rows] / options.hours_low[rows], width)
    return width, high


def _ahead(found: Scored, first: int, over: int = -1, why: Remark | None = None) -> Scored:
    """The scores with that place ahead of all others, that of the one that it is preferred to, and the reason."""
    moved = found.scores.copy()
    moved[first] = found.scores[found.listed].min() * AHEAD
    return changed(found, scores=moved, first=first, over=over, why=why)
