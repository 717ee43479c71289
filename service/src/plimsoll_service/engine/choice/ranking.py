"""Ranking of options: a score by objective, one choice for each kind of hardware, and the frontier of cost and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.expected import Expected, expected_of
from plimsoll_service.engine.choice.limits import CONCURRENCY, LIMITS
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.rounding import DIGITS
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job, answer_target_ms
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places, known_or
from plimsoll_service.engine.rules import choice as rules
from plimsoll_service.engine.support import UNTESTED

# Factors of ``balanced`` for special software: 1.1 for AMD's ROCm, which runs the same programs rebuilt, and 1.5 for
# chips with a compiler of their own (Neuron, TPU, Gaudi). Rule: objective-balanced.
# Software that is untested there must be tried first, and a run on several machines needs a launcher and shared
# storage: also 1.1 each. So does a learner that takes several devices by a process for each, which Dask starts.
REBUILT, RECOMPILED, UNTRIED, DISTRIBUTED = 1.10, 1.50, 1.10, 1.10
BY_PROCESSES = ("xgboost",)  # doc/tutorials/dask.rst; rule: boosting-on-several-gpus
# Recompiling a service costs work whatever its size (S4-16): a week per year, 40 h at 110 USD over 8,760 h.
RECOMPILED_USD_PER_HOUR = 0.50
# Half the time is worth a fifth more money: 2^0.26 = 1.20. Rule: objective-balanced. From 0.253 to 0.263, 16 vCPUs are
# the best of cost and speed together on both networks of S2-12; below, 8 vCPUs are, and above, the GPU.
WORTH_OF_TIME = 0.26
# Prices are per hour: of two jobs that take less than one, the shorter is worth no more. Rule: objective-balanced.
NOTICEABLE_HOURS = 1.0
# ``balanced`` takes more machines where fewer need over a week, and beyond it time weighs twice as much: nobody plans
# to wait so long unless asked. Rules: nodes-needed, objective-balanced.
LONGEST_RUN_HOURS = 168.0
# No range over three times wide decides: an option within 1.3 times of its means with half its width comes first.
WIDE, NEAR, NARROWER = 3.0, 1.3, 0.5
# Latencies that are shorter than 200 ms are hardly worth money.
NOTICEABLE_MS = 200.0
ROUNDING = 10.0 ** (2 - DIGITS)  # relative; larger than the difference of two values that are shown alike
CHEAPER = 0.8  # of another's expected cost or time: what an engineer would take more machines or a risk for
# One machine comes before several that save less than a third of a job, or one USD; of options within a tenth, one with
# half the devices (of a service: half the machines) does. Rule: simpler-first.
SEVERAL_SAVE, NOTICEABLE_USD, FEWER = 2 / 3, 1.0, 2.0
# A gain of a twentieth is less than any estimate is sure of. Rule: as-good-first.
AS_GOOD, HALF = 1.05, 2.0
ALTERNATIVES = 5  # of the same hardware, listed with a choice


@dataclass(frozen=True, eq=False)
class Scored:
    """The feasible options with their scores; lower is better."""

    objective: str
    rows: Places
    scores: Floats
    expected: Expected
    listed: Flags  # those in as few machines as the objective allows
    first: int = -1  # place of the option that comes first though another has a better score
    why: Note | None = None  # the reason for that


@dataclass(frozen=True)
class Choice:
    """An option, and the next best ones on the same hardware; each a place in ``Scored``."""

    place: int
    others: tuple[int, ...] = ()


def default_objective(job: Job) -> str:
    """Return ``cost`` if a limit is stated that asks for the cheapest, else ``balanced``.

    Users ask for the cheapest only within a time: without one, any machine answers them in turn.
    """
    patient = job.kind in (kind.INFERENCE, kind.TABULAR_INFERENCE) and answer_target_ms(job) is None
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
    listed = _listed(job, chosen, objective, rows, means)
    found = Scored(objective, rows, scores, means, listed)
    return _surest_first(chosen, _as_good_first(job, chosen, _simpler_first(job, chosen, found)))


def cheapest_of(job: Job, chosen: Selection) -> int:
    """Return the row of the first choice under the objective ``cost``."""
    found = scored(job, chosen, "cost")
    return int(found.rows[_best_of(job, chosen, found, np.flatnonzero(found.listed))])


def _simpler_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """The same, with the best option behind a simpler one that costs little more. Rule: simpler-first."""
    listed = np.flatnonzero(found.listed)
    if not len(listed) or found.objective not in ("cost", "balanced"):
        return found
    candidates, scores = chosen.options.candidate[found.rows[listed]], found.scores[listed]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    best = int(np.flatnonzero(listed == _best_of(job, chosen, found, listed))[0])
    simpler = _fewer_devices(chosen, found, listed, best) | ((untested < untested[best]) & (nodes <= nodes[best]))
    if job.serves:
        devices = nodes * chosen.estimates.outcome.devices_used[candidates]
        simpler |= (FEWER * nodes <= nodes[best]) & (devices < FEWER * devices[best])
    else:
        simpler &= found.expected.time[listed] <= DISTRIBUTED * found.expected.time[listed][best]
    simpler &= scores <= DISTRIBUTED * scores.min()
    premium = found.expected.premium[listed]
    proven = (premium <= premium[best]) & (untested <= untested[best])
    if nodes[best] > 1 and not job.serves:
        alone = (nodes == 1) & _worth_one(found, listed, best) & proven
        simpler = alone if alone.any() else simpler
    why = rules.SIMPLER_FIRST.note("fewer machines or devices, or tested software, for little more money")
    return _with_first(job, chosen, found, listed[simpler & proven], why)


def _with_first(job: Job, chosen: Selection, found: Scored, places: Places, why: Note) -> Scored:
    """The same, with the best of those places first, and the reason."""
    if not len(places):
        return found
    moved, first = found.scores.copy(), _best_of(job, chosen, found, places)
    moved[first] = found.scores[found.listed].min() * (1 - 10 * ROUNDING)
    return replace(found, scores=moved, first=first, why=why)


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


def _as_good_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """The same, with an option first that is hardly behind in the objective and far ahead in the other figure.

    Under ``time`` the cheapest of those as fast but for a few percent; under ``cost`` the fastest of a job's options
    as cheap. Rule: as-good-first.
    """
    listed = np.flatnonzero(found.listed)
    if not len(listed) or found.objective not in ("time", "cost"):
        return found
    cost, time = found.expected.counted_cost[listed], found.expected.time[listed]
    best = int(np.flatnonzero(listed == _best_of(job, chosen, found, listed))[0])
    if found.objective == "time":
        near = found.scores[listed] <= AS_GOOD * found.scores[listed].min()
        near, merit = near & (cost <= CHEAPER * cost[best]), cost
        why = rules.AS_GOOD.note("hardly slower than the fastest, for at least a fifth less money")
    elif job.serves or not time[best] > NOTICEABLE_HOURS:
        return found
    else:
        near, merit = (cost <= AS_GOOD * cost[best]) & (HALF * time <= time[best]), time
        near &= _no_riskier(chosen, found, listed, best)
        why = rules.AS_GOOD.note("hardly dearer than the cheapest, in at most half the time")
    if not near.any():
        return found
    return _with_first(job, chosen, found, listed[near & (merit <= _with_equals(merit[near].min()))], why)


def _no_riskier(chosen: Selection, found: Scored, listed: Places, best: int) -> Flags:
    """Whether the listed options take no more machines than the best one and are no less proven."""
    candidates, premium = chosen.options.candidate[found.rows[listed]], found.expected.premium[listed]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    safe: Flags = (nodes <= nodes[best]) & (premium <= premium[best]) & (untested <= untested[best])
    return safe


def _best_of(job: Job, chosen: Selection, found: Scored, places: Places) -> int:
    """Place of the best of some options, wherever they stand in the catalog."""
    near = places[found.scores[places] <= _with_equals(found.scores[places].min())]
    best = order(job, chosen.estimates, chosen.options, found.rows[near], found.scores[near])[0]
    return int(near[best])


def _worth_one(found: Scored, listed: Places, best: int) -> Flags:
    """Whether the listed options, in one machine, are preferred to the best one, which takes several."""
    scores, cost, by_cost = found.scores[listed], found.expected.cost[listed], found.objective == "cost"
    cents = (cost - cost[best] < NOTICEABLE_USD) & (by_cost | (found.expected.time[listed] <= NOTICEABLE_HOURS))
    preferred: Flags = cents | ((SEVERAL_SAVE if by_cost else CHEAPER) * scores <= scores[best])
    return preferred


def _surest_first(chosen: Selection, found: Scored) -> Scored:
    """The same, with a job's best option behind one nearly as good whose range is half as wide. Rule: sure-first."""
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


def _width(options: Options, objective: str, rows: Ints | Places) -> Floats:
    """High end over low end of the hours or the cost of a job, whichever the objective weighs and is wider."""
    hours: Floats = options.hours_high[rows] / options.hours_low[rows]
    if objective == "time":
        return hours
    cost: Floats = options.cost_high[rows] / options.cost_low[rows]
    return np.maximum(hours, cost) if objective == "balanced" else cost


def score_of(job: Job, estimates: Estimates, options: Options, objective: str, rows: Places) -> Floats:
    """Return the score of the options in these rows."""
    means = expected_of(job, estimates, options, rows)
    return score(job, estimates, options, objective, rows, means)


def ranked(job: Job, chosen: Selection, found: Scored, limit: int | None = None) -> Places:
    """Return the places of the options, best first; all of them, or at least the first ``limit``."""
    places = np.arange(len(found.rows))
    if limit is not None and len(places) > limit:
        places = places[found.scores <= _with_equals(np.partition(found.scores, limit - 1)[limit - 1])]
    return places[order(job, chosen.estimates, chosen.options, found.rows[places], found.scores[places])]


def first_row(job: Job, chosen: Selection, found: Scored) -> int:
    """Return the row of the first choice, of which there is one."""
    return int(found.rows[_best_of(job, chosen, found, np.flatnonzero(found.listed))])


def choices(job: Job, market: Market, chosen: Selection, found: Scored, limit: int, grouped: bool) -> list[Choice]:
    """Return the first ``limit`` choices, best first: one for each kind of hardware, or every option.

    The last of several is the user's own machine where it would stand behind them: it is what they compare with.
    """
    if not grouped:
        return [Choice(place) for place in ranked(job, chosen, found, limit)[:limit].tolist()]
    hardware = _hardware(market, chosen.options, found.rows)
    few = found.listed
    listed = np.flatnonzero(few)
    best = np.full(int(hardware.max(initial=-1)) + 1, np.inf)
    np.minimum.at(best, hardware[listed], found.scores[listed])
    if len(best) > limit:
        listed = listed[found.scores[listed] <= _with_equals(np.partition(best, limit - 1)[limit - 1])]
    places = listed[order(job, chosen.estimates, chosen.options, found.rows[listed], found.scores[listed])]
    first: dict[int, int] = {}  # place by hardware
    for each, place in zip(hardware[places].tolist(), places.tolist(), strict=True):
        first.setdefault(each, place)
    firsts = _with_own(job, market, chosen, found, list(first.values())[:limit], limit)
    others = _others(job, chosen, found, [np.flatnonzero(hardware == hardware[place]) for place in firsts], few)
    alike = zip(firsts, others, strict=True)
    return [Choice(place, tuple([one for one in mine if one != place][:ALTERNATIVES])) for place, mine in alike]


def _with_own(job: Job, market: Market, chosen: Selection, found: Scored, firsts: list[int], limit: int) -> list[int]:
    """The same places, with that of the best own machine last where none is among them."""
    own = chosen.options.priced.machine_row[found.rows] >= len(market.machines.group)
    mine = np.flatnonzero(own & found.listed)
    if limit < 2 or not len(mine) or own[firsts].any():
        return firsts
    return [*firsts[: limit - 1], _best_of(job, chosen, found, mine)]


def _with_equals(last: float) -> float:
    """A bound that includes every score that may round to the last one."""
    return last + abs(last) * ROUNDING


def _hardware(market: Market, options: Options, rows: Places) -> Ints:
    """Kind of hardware of each option: accelerators, or processors, of a cloud; each own machine is one of its own."""
    group, machine = market.machines.group, options.priced.machine_row[rows]
    mine = machine >= len(group)
    if not mine.any():
        return group.take(machine)
    return np.where(mine, machine + int(group.max(initial=0)) + 1, group.take(np.where(mine, 0, machine)))


def independent(job: Job, nodes: Floats) -> Flags:
    """Whether so many machines do runs that exchange nothing, each of them on one machine."""
    apart: Flags = (job.experiments > 1) & (nodes <= job.experiments)
    return apart


def _listed(job: Job, chosen: Selection, objective: str, rows: Places, means: Expected) -> Flags:
    """Options in as few machines of their type and purchase option as the objective allows, or much cheaper in more.

    Each machine of an inference job answers for itself; what communicates is not spread out to save money alone.
    """
    options = chosen.options
    nodes = chosen.estimates.nodes[options.candidate[rows]]
    if nodes.max(initial=1) <= 1 or (objective == "time" and job.serves):
        return np.ones(len(nodes), dtype=bool)
    sold = options.priced.machine_row[rows].astype(np.intp)
    if options.priced.purchases > 1:
        sold = sold * options.priced.purchases + options.purchase[rows]
    if objective == "time":
        return _worth_their_number(nodes, means.time, sold)
    short = np.ones(len(nodes), dtype=bool)
    if objective == "balanced" and not np.isnan(means.hours).all():
        short = ~(means.hours > LONGEST_RUN_HOURS)
    fewest, most = np.full(int(sold.max()) + 1, np.inf), np.zeros(int(sold.max()) + 1)
    np.minimum.at(fewest, sold[short], nodes[short])
    np.maximum.at(most, sold, nodes)
    enough: Flags = nodes == np.where(np.isfinite(fewest), fewest, most)[sold]
    if objective == "balanced":
        enough = enough | independent(job, nodes)
    if job.kind not in kind.INFERENCE_KINDS:
        return enough
    cost = means.counted_cost
    of_enough = np.full(len(fewest), np.inf)
    np.minimum.at(of_enough, sold[enough], cost[enough])
    return enough | ((cost <= CHEAPER * of_enough[sold]) & np.isfinite(cost))


def _worth_their_number(nodes: Floats, time: Floats, sold: Ints | Places) -> Flags:
    """Whether so many machines of a type are as many as still save a fifth of the time for each doubling."""
    weighed = time * nodes ** -np.log2(CHEAPER)
    least = np.full(int(sold.max()) + 1, np.inf)
    np.fmin.at(least, sold, weighed)
    worth: Flags = ~(weighed > _with_equals(1.0) * least[sold])
    return worth


def _others(job: Job, chosen: Selection, found: Scored, groups: Sequence[Places], listed: Flags) -> list[list[int]]:
    """The best options of each group: other types and purchase options first, then other node counts."""
    if all(len(same) == 1 for same in groups):
        return [[] for _ in groups]
    parts = [_leading(found, among) for same in groups for among in (same[listed[same]], same[~listed[same]])]
    places, part = np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(each) for each in parts])
    by_merit = order(job, chosen.estimates, chosen.options, found.rows[places], found.scores[places])
    ordered = by_merit[np.argsort(part[by_merit], kind="stable")]
    ends = np.cumsum([len(each) for each in parts])[1::2]
    return [places[each].tolist() for each in np.split(ordered, ends[:-1])]


def _leading(found: Scored, among: Places) -> Places:
    """The places with the best scores, in their order; somewhat more than the alternatives of a choice."""
    if len(among) <= ALTERNATIVES + 1:
        return among
    mine = found.scores[among]
    return among[mine <= _with_equals(np.partition(mine, ALTERNATIVES)[ALTERNATIVES])]


def duration(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Return the hours of a job, the latency of a service in ms, or the time of one unit of work without an end."""
    if job.serves:
        return options.each(estimates.outcome.latency_ms)
    if not np.isnan(job.samples):
        return options.hours
    slowness: Floats = 1 / estimates.outcome.throughput
    return options.each(slowness)


def score(job: Job, estimates: Estimates, options: Options, objective: str, rows: Places, means: Expected) -> Floats:
    """Return the score of the options in these rows; lower is better."""
    if objective == "cost":
        return means.counted_cost
    if objective == "time":
        return means.time * means.doubt
    if objective == "performance_per_cost":
        usd_per_rate: Floats = means.usd_per_rate[:]
        return usd_per_rate * means.disk * means.doubt
    software = _software(job, estimates, options)[rows]
    return means.counted_cost * _worth(job, estimates, options, rows, means) * software


def _worth(job: Job, estimates: Estimates, options: Options, rows: Places, means: Expected) -> Floats | float:
    """Weight of time in ``balanced``; work without an end is compared by cost alone."""
    if job.serves:
        return np.sqrt(NOTICEABLE_MS + _awaited(job, estimates, options, rows, means))
    if np.isnan(job.samples):
        return 1.0
    noticed = np.maximum(means.time, NOTICEABLE_HOURS)
    worth: Floats = (noticed * np.maximum(means.time / LONGEST_RUN_HOURS, 1.0)) ** WORTH_OF_TIME
    return worth


def _awaited(job: Job, estimates: Estimates, options: Options, rows: Places, means: Expected) -> Floats:
    """Latency that ``balanced`` uses; for a service without a given load, that of a single request."""
    lone, workload = estimates.outcome.lone_latency_ms, job.workload
    if lone is not None and workload.requests_per_second is None and workload.concurrency is None:
        alone: Floats = lone[options.candidate[rows]]
        return alone
    return means.time


def _software(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Factor for special software; recompiling a service costs at least a fixed sum per hour."""
    factor = options.each(special_software(job, estimates))
    if not job.serves:
        return factor
    least = 1 + RECOMPILED_USD_PER_HOUR / np.maximum(options.whole_usd_per_hour, 1e-30)
    recompiled = options.each(estimates.machines.compiled_chip())
    return np.where(recompiled, np.maximum(factor, least), factor)


def special_software(job: Job, estimates: Estimates) -> Floats:
    """Return 1 for CPUs and NVIDIA, and more for programs that are rebuilt, recompiled, untested or distributed."""
    machines = estimates.machines
    together = ~np.isnan(estimates.outcome.hours) & (estimates.nodes > 1)  # replicas of a service do not communicate
    together &= ~independent(job, estimates.nodes)
    if job.learner in BY_PROCESSES and job.training:
        together |= estimates.outcome.devices_used[:] > 1
    factor = np.where(together, DISTRIBUTED, 1.0)
    factor[estimates.grounds.status == UNTESTED] *= UNTRIED
    for few, dearer in ((machines.rebuilt_chip(), REBUILT), (machines.compiled_chip(), RECOMPILED)):
        factor[np.flatnonzero(few)] *= dearer
    return factor


def order(job: Job, estimates: Estimates, options: Options, rows: Places, scores: Floats) -> Places:
    """Return the order of the rows, best first: by score, cost, time, throughput, fewer and larger machines, name.

    ``scores`` are those of the rows.
    """
    time, cost, mine = firsts = rounded(np.array([duration(job, estimates, options)[rows], options.cost[rows], scores]))
    keys = (time, cost, mine)
    places = np.lexsort(keys)
    before, after = firsts[:, places[:-1]], firsts[:, places[1:]]
    if not np.any((before < after) | (before > after), axis=0).all():  # some are equal in all three
        places = np.lexsort((*_among_equals(estimates, options, rows), *keys))
    return places


def _among_equals(estimates: Estimates, options: Options, rows: Places) -> tuple[NDArray[Any], ...]:
    """Tie-break columns for options with the same score, cost and time; the last column decides first."""
    candidate = options.candidate[rows]
    machines = estimates.machines.take(candidate)
    return (
        options.purchase[rows],
        options.priced.name_order[rows],
        -known_or(machines.local_disk_gb),
        -known_or(machines.network_gbps),
        -machines.count,
        -machines.memory_gib,
        -machines.vcpus,
        estimates.nodes[candidate],
        -estimates.outcome.capacity[candidate],
        options.priced.price_sigma[rows],  # of equals, a certain price first
    )


def rounded(values: Floats) -> Floats:
    """Round to the digits that are shown; a difference beyond them makes no machine better."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        magnitude = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        scaled = np.round(values * magnitude) / magnitude
    return np.where(np.isfinite(scaled), scaled, values)
