"""Options that come first though another has a better score: simpler, as good for less, or surer ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.scores import (
    CHEAPER,
    NOTICEABLE_HOURS,
    ROUNDING,
    Scored,
    best_of,
    with_equals,
)
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places
from plimsoll_service.engine.rules import choice as rules

# No range over three times wide decides: an option within 1.3 times of its means with half its width comes first.
# Decisions of this project: 1.3 times is little beside what a range of three leaves open. Rule: sure-first.
WIDE, NEAR, NARROWER = 3.0, 1.3, 0.5
# One machine comes before several that save less than a third of a run whose machines communicate, or one USD; of
# options within a tenth, one with half the devices does. Half the machines, where they exchange nothing, are worth a
# twentieth of the cost (`balanced`: a tenth of the score). Rule: simpler-first. Decisions of this project: a tenth is
# less than any estimate is sure of, and a USD less than the minutes of work that another machine takes.
SEVERAL_SAVE, TENTH, NOTICEABLE_USD, FEWER = 2 / 3, 1.1, 1.0, 2.0
# A gain of a twentieth of the cost, or a tenth of the time, is less than any estimate is sure of. Rule: as-good-first.
AS_GOOD, TWICE_AS_FAST = 1.05, 1.98  # to a hundredth: twice the devices take not quite half the time

APART = (*kind.INFERENCE_KINDS, kind.PREPROCESSING)  # kinds of work whose machines exchange nothing


def put_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """Return the scores with another option than the best first, where an engineer would take that."""
    good = _as_good_first(job, chosen, _simpler_first(job, chosen, found))
    return _unbeaten_first(chosen, _surest_first(chosen, good))


def _simpler_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """The scores, with the best option behind a simpler one that costs little more. Rule: simpler-first."""
    listed = np.flatnonzero(found.listed)
    if not len(listed) or found.objective not in ("cost", "balanced"):
        return found
    candidates, scores = chosen.options.candidate[found.rows[listed]], found.scores[listed]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    best = int(np.flatnonzero(listed == best_of(job, chosen, found, listed))[0])
    simpler = _fewer_devices(chosen, found, listed, best) | ((untested < untested[best]) & (nodes <= nodes[best]))
    time = np.maximum(found.expected.time[listed], NOTICEABLE_HOURS)
    slower = time > TENTH * time[best]
    if not job.serves:
        simpler &= ~slower
    cost = found.expected.cost[listed]
    little: Floats | float = TENTH
    if not job.serves:
        little = np.where(cost - cost[best] < NOTICEABLE_USD, 1 / CHEAPER, TENTH)
    simpler &= scores <= little * scores.min()
    premium = found.expected.premium[listed]
    proven = (premium <= premium[best]) & (untested <= untested[best])
    if job.serves or job.kind in APART:
        devices = nodes * chosen.estimates.outcome.devices_used[candidates]
        alike = (devices < FEWER * devices[best]) | (devices <= devices[best])  # processors have none
        near = alike & proven & (job.serves | ~slower)
        handier = _handiest(scores, nodes, near, AS_GOOD if found.objective == "cost" else TENTH)
        simpler = handier if (nodes[handier] < nodes[best]).any() else simpler
    if nodes[best] > 1 and not job.serves:
        alone = (nodes == 1) & _worth_one(job, found, listed, best) & proven
        simpler = alone if alone.any() else simpler
    why = rules.SIMPLER_FIRST.note("fewer machines or devices, or tested software, for little more money")
    return _with_first(job, chosen, found, listed[simpler & proven], why)


def _handiest(scores: Floats, nodes: Floats, among: Flags, worth: float) -> Flags:
    """The best of the options where each halving of the number of machines is worth that factor of the score."""
    weighed = np.where(among, scores * nodes ** np.log2(worth), np.inf)
    best: Flags = weighed <= with_equals(float(weighed.min()))
    return best


def _fewer_devices(chosen: Selection, found: Scored, listed: Places, best: int) -> Flags:
    """Whether the listed options take at most half the devices of the best one, and no more machines."""
    candidates = chosen.options.candidate[found.rows[listed]]
    nodes, device = chosen.estimates.nodes[candidates], chosen.estimates.machines.accelerator[candidates]
    devices = nodes * chosen.estimates.outcome.devices_used[candidates]
    hourly = chosen.options.whole_usd_per_hour[found.rows[listed]]
    same = (device == device[best]) & (hourly >= hourly[best])  # at one price, more of a device are no burden
    fewer: Flags = (nodes <= nodes[best]) & (FEWER * devices <= devices[best]) & ~same
    several = bool(devices[best] > 1 or nodes[best] > 1)
    return fewer if several else np.zeros_like(fewer)


def _worth_one(job: Job, found: Scored, listed: Places, best: int) -> Flags:
    """Whether the listed options, in one machine, are preferred to the best one, which takes several."""
    scores, cost, by_cost = found.scores[listed], found.expected.cost[listed], found.objective == "cost"
    cents = (cost - cost[best] < NOTICEABLE_USD) & (by_cost | (found.expected.time[listed] <= NOTICEABLE_HOURS))
    saved = SEVERAL_SAVE if by_cost else CHEAPER
    preferred: Flags = cents if job.kind in APART else cents | (saved * scores <= scores[best])
    return preferred


def _as_good_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """The scores, with an option first that is hardly behind in the objective and far ahead in the other figure.

    Under ``time`` the cheapest of those as fast but for a few percent; under ``cost`` the fastest of a job's options
    as cheap. Rule: as-good-first.
    """
    listed = np.flatnonzero(found.listed)
    if not len(listed) or found.objective not in ("time", "cost"):
        return found
    cost, time = found.expected.counted_cost[listed], found.expected.time[listed]
    best = int(np.flatnonzero(listed == best_of(job, chosen, found, listed))[0])
    if found.objective == "time":
        near = found.scores[listed] <= TENTH * found.scores[listed].min()
        near, merit = near & (cost <= CHEAPER * cost[best]), cost
        why = rules.AS_GOOD.note("hardly slower than the fastest, for at least a fifth less money")
    elif job.serves or not time[best] > NOTICEABLE_HOURS:
        return found
    else:
        near, merit = (cost <= AS_GOOD * cost[best]) & (TWICE_AS_FAST * time <= time[best]), time
        near &= _no_riskier(chosen, found, listed, best)
        why = rules.AS_GOOD.note("hardly dearer than the cheapest, in at most half the time")
    if not near.any():
        return found
    return _with_first(job, chosen, found, listed[near & (merit <= with_equals(merit[near].min()))], why)


def _no_riskier(chosen: Selection, found: Scored, listed: Places, best: int) -> Flags:
    """Whether the listed options take no more machines than the best one and are no less proven."""
    candidates, premium = chosen.options.candidate[found.rows[listed]], found.expected.premium[listed]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    safe: Flags = (nodes <= nodes[best]) & (premium <= premium[best]) & (untested <= untested[best])
    return safe


def _surest_first(chosen: Selection, found: Scored) -> Scored:
    """The scores, with the best option behind one nearly as good whose range is half as wide. Rule: sure-first."""
    options, means, scores = chosen.options, found.expected, found.scores
    listed = np.flatnonzero(found.listed)
    if not len(listed):
        return found
    best = listed[scores[listed].argmin()]
    widest = _width(options, found.objective, found.rows[[best]]).item()
    if not widest > WIDE:
        return found
    weighed = {"time": (means.time,), "balanced": (means.cost, means.time)}.get(found.objective, (means.cost,))
    near = listed[np.logical_and.reduce([one[listed] <= NEAR * one[best] for one in weighed])]
    surer = near[_width(options, found.objective, found.rows[near]) <= max(NARROWER * widest, widest**NARROWER)]
    if not len(surer):
        return found
    moved = scores.copy()
    first = int(surer[scores[surer].argmin()])
    moved[first] = scores[best] * (1 - 10 * ROUNDING)
    why = rules.SURE_FIRST.note("its range is at most half as wide as that of the option with the best expected value")
    return replace(found, scores=moved, first=first, why=why)


def _unbeaten_first(chosen: Selection, found: Scored) -> Scored:
    """The scores, with a fleet first that beats the listed one on time and cost in no more machines, under ``time``.

    A type is listed with as many machines as are worth it: another type's larger fleet may beat that. Rule:
    nodes-needed.
    """
    if found.objective != "time" or not found.listed.any():
        return found
    first = int(np.flatnonzero(found.listed)[found.scores[found.listed].argmin()])
    means, candidates = found.expected, chosen.options.candidate[found.rows]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    better = (AS_GOOD * means.time <= means.time[first]) & (means.counted_cost <= means.counted_cost[first])
    better &= (nodes <= nodes[first]) & (means.premium <= means.premium[first]) & (untested <= untested[first])
    if not better.any():
        return found
    moved, listed = found.scores.copy(), found.listed.copy()
    place = int(np.where(better, means.time, np.inf).argmin())
    moved[place], listed[place] = found.scores[first] * (1 - 10 * ROUNDING), True
    return replace(found, scores=moved, listed=listed, first=place, why=None)


def _width(options: Options, objective: str, rows: Ints | Places) -> Floats:
    """High end over low end of the hours or the cost of a job, whichever the objective weighs and is wider."""
    hours: Floats = options.hours_high[rows] / options.hours_low[rows]
    if objective == "time":
        return hours
    cost: Floats = options.cost_high[rows] / options.cost_low[rows]
    return np.maximum(hours, cost) if objective == "balanced" else cost


def _with_first(job: Job, chosen: Selection, found: Scored, places: Places, why: Note) -> Scored:
    """The scores with the best of those places first, and the reason."""
    if not len(places):
        return found
    moved, first = found.scores.copy(), best_of(job, chosen, found, places)
    moved[first] = found.scores[found.listed].min() * (1 - 10 * ROUNDING)
    return replace(found, scores=moved, first=first, why=why)
