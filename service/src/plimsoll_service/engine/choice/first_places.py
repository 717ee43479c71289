"""Options that come first though another has a better score: simpler, own, surer ones, or as good for less."""

from __future__ import annotations

import numpy as np

from ..columns import changed, columnar
from ..demand import kind
from ..demand.job import Job
from ..hardware import Flags, Floats, Ints, Places
from ..rules import Remark, RuleId
from ..units import HOURS_PER_DAY
from . import scores
from .limits import roomy
from .options import Options, fixed_load
from .rounding import counted, said
from .scores import Scored, best_of, with_equals
from .selection import Selection
from .shown_estimates import unit_of

# Each figure is a decision of this project, with its reason in the rule of that name.
# Rule: sure-first. A range so wide, times of the means, and shares of the width.
WIDE, NEAR, NARROWER = 3.0, 1.3, 0.5
# Rule: simpler-first. A tenth is less than any estimate is sure of, a twentieth less than clouds differ in the price of
# one machine, a USD less than the minutes that another machine takes; half the machines take twice as long.
SEVERAL_SAVE, TENTH, NOTICEABLE_USD, FEWER, SLOWER, HALVED = 2 / 3, 1.1, 1.0, 2.0, 1.5, 2.02
DEAREST = 1.5  # times the best one's cost, however few USD that is
OVERNIGHT_HOURS = 12.0  # what starts in the evening is done by the morning
UNHURRIED_HOURS = 48.0  # for which a job without a deadline may run to take fewer machines
MANY = 8.0  # devices are a whole host, and are attended every day
# Rule: equal-costs. An answer hardly shows so little.
EQUAL = 1.01
# Rule: as-good-first. A gain of a twentieth of the cost, or a tenth of the time, is less than any estimate is sure of.
AS_GOOD, THIRD_MORE, TWICE_AS_FAST = 1.05, 4 / 3, 1.98  # to a hundredth: twice the devices take not quite half the time
# What two minutes of an engineer cost, at 110 USD an hour (S4-16), is not waited for; an hour saved costs no more than
# the minute in which an engineer looks after the run.
LITTLE_USD, HOUR_WAITED_USD = 3.0, 110 / 60
AHEAD = 1 - 10 * scores.ROUNDING  # over the best score: less than it even where both are rounded
# A process of XGBoost works on one GPU; several take Dask or Spark, which start and join as many (dmlc/xgboost,
# doc/gpu/index.rst and doc/tutorials/dask.rst, read on 2026-11-28).
A_PROCESS_A_DEVICE = "xgboost"
APART = (*kind.INFERENCE_KINDS, kind.PREPROCESSING)  # kinds of work whose machines exchange nothing


def put_first(job: Job, chosen: Selection, found: Scored) -> Scored:
    """Return the scores with another option than the best first, where an engineer would take that."""
    if found.objective != "performance_per_cost" and found.listed.any():
        those = _listed_of(job, chosen, found)
        counted, alike = those.counted.item(those.best), np.ones(len(those.places), dtype=bool)
        for step, objectives in STEPS:
            among, why = step(job, chosen, found.objective, those) if found.objective in objectives else NOBODY
            if among.any():
                place = best_of(job, chosen, found, those.places[among])
                why = why or _simpler(job, those, place)
                found = _ahead(found, place, those.places.item(those.best), why)
                alike = alike & among  # what each step would have put first, which nothing adds up for
                those = _listed_of(job, chosen, found, np.where(alike, np.inf, counted))
    return _unbeaten_first(job, chosen, _surest_first(chosen, found))


@columnar
class _Listed:
    """The listed options, by the places where they stand in ``Scored``; ``best`` is the best one's position here."""

    places: Places
    rows: Places  # of the options
    best: int
    scores: Floats
    cost: Floats  # expected
    counted: Floats  # that, with what disks of an unknown price count
    time: Floats  # expected
    machines: Floats
    nodes: Floats  # these, or processes that are started one by one
    devices: Floats  # of all machines
    premium: Floats
    untested: Flags
    known: Flags  # software and estimate, and one machine at the most of a marketplace
    proven: Flags  # no less than the best one, nor is the price of its disk, or that it stays
    may_leave: Flags  # as those, but that it stays is less certain: a host of a marketplace
    no_larger: Flags  # in no more machines than the best one
    least: Floats  # what the best one counts, or the one with the best score, which a rule has put behind it

    def near(self, times: float, usd: float = 0.0, dearest: float = np.inf) -> Flags:
        """Which options count at most that many times as much as the best one, or few USD more.

        Where a rule has put that one first, they count so little more than the one with the best score, or no more than
        the one that is first: what several rules allow does not add up. What that rule itself would have put first is
        compared with the one that it did put there. Rule: as-good-first.
        """
        best = self.counted.item(self.best)
        least = np.minimum(self.least, best)
        little = np.maximum(times * least, np.minimum(least + usd, dearest * least))
        near: Flags = self.counted <= np.maximum(little, best)
        return near


def _listed_of(job: Job, chosen: Selection, found: Scored, least: Floats | float = np.inf) -> _Listed:
    """The options that may come first; ``least``: what each one's count is held against, if less than the best's."""
    places = found.listed.nonzero()[0]
    best = int(np.searchsorted(places, best_of(job, chosen, found, places)))
    rows, premium = found.rows[places], found.expected.premium[places]
    candidates, listings = chosen.options.candidate[rows], chosen.options.priced.listings[rows]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    devices = nodes * chosen.estimates.outcome.devices_used[candidates]
    machines, disk, spread = nodes, found.expected.disk[places], _of_fewest_disks(job, chosen, found, places)
    if job.kind == kind.TABULAR_TRAINING and job.learner == A_PROCESS_A_DEVICE:
        has_device = chosen.estimates.machines.accelerator[candidates] >= 0
        nodes = np.maximum(np.where(has_device, devices, devices[best]), nodes)  # processors are slower, not simpler
    # What is not known of a machine's own price is in its expected cost.
    certain = (premium <= premium[best]) & (untested <= untested[best])
    certain &= disk * spread <= max(disk[best] * spread[best], AS_GOOD)
    leaving = listings > listings[best]
    return _Listed(
        places, rows, best, found.scores[places] * spread, found.expected.cost[places],
        found.expected.counted_cost[places] * spread, found.expected.time[places],
        machines, nodes,
        devices=devices,
        premium=premium,
        untested=untested,
        known=found.expected.proven[places],
        proven=certain & ~leaving,
        may_leave=certain & leaving,
        no_larger=nodes <= nodes[best],
        least=np.broadcast_to(least, len(places)),
    )  # fmt: skip


def _of_fewest_disks(job: Job, chosen: Selection, found: Scored, places: Places) -> Floats:
    """What each option counts where its disk of unknown price counts as with any number of its machines, over that.

    Fewer machines hold more data each, and for longer: but no large disk is bought for data that can be read in parts.
    Where a deadline leaves no time for that, a disk that counts more than a third of the cost counts in full.
    """
    disk = found.expected.disk[places]
    if job.serves or not apart(job) or disk.max() <= 1:
        return np.ones(len(places))
    priced, rows = chosen.options.priced, found.rows[places]
    of_type = priced.machine_row[rows] * priced.purchases + chosen.options.purchase[rows]
    least = np.full(int(of_type.max()) + 1, np.inf)
    np.minimum.at(least, of_type, disk)
    in_parts = (disk <= THIRD_MORE) | (job.workload.deadline_hours is None)
    fewest: Floats = np.where(in_parts, least[of_type] / disk, 1.0)
    return fewest


# What a step may put before the best option, and why; without a reason, for being simpler.
Step = tuple[Flags, Remark | None]
NOBODY: Step = (np.zeros(1, dtype=bool), None)


def _tested_first(job: Job, _chosen: Selection, _objective: str, those: _Listed) -> Step:
    """Supported software, where untested software saves less than a fifth. Rule: tested-first.

    Twice the machines are no more of a burden than software that may not run.
    """
    if not those.untested[those.best]:
        return NOBODY
    certain = those.scores / those.premium
    tested = ~those.untested & those.proven & (those.nodes <= FEWER * those.nodes[those.best])
    tested &= scores.CHEAPER * certain < certain[those.best]
    if not job.serves:
        tested &= ~_late(job, np.maximum(those.time, scores.NOTICEABLE_HOURS), those.best)
    return tested, RuleId("tested-first").note("its software is supported, and that of the other is untested")


def _simpler_first(job: Job, chosen: Selection, objective: str, those: _Listed) -> Step:
    """A simpler option that costs little more. Rule: simpler-first."""
    fewer = (those.machines < those.machines[those.best]) | (those.devices < those.devices[those.best])
    if not fewer.any():
        return NOBODY
    simpler = those.no_larger & _fewer_devices(chosen, those)
    if job.serves:
        bearable = _bearable(job, objective, those)
        little = simpler & (those.scores <= TENTH * those.scores.min())
        simpler = _handier(TENTH, those, those.proven & bearable, little) & bearable
    else:
        simpler = _simpler_run(job, objective, those, simpler)
    # One device, overnight, where the best one multiplies the batch that is stated, by its devices.
    stated = job.training and job.workload.batch_size is not None and job.workload.global_batch_size is None
    if stated and not apart(job) and those.devices[those.best] > 1:
        alone = (those.devices == 1) & (those.nodes == 1) & (those.time <= OVERNIGHT_HOURS)
        alone &= those.proven & (those.counted <= TENTH * those.counted[those.best])
        simpler = alone if alone.any() else simpler
    first = simpler & those.proven
    if job.serves and (single := _one_for_many(those)).any():
        first = single
    return first & fewer, None


def _simpler(job: Job, those: _Listed, place: int) -> Remark:
    """What the option at that place has fewer of than the best one, and the USD that this costs."""
    first, best = int(np.searchsorted(those.places, place)), those.best
    noun, numbers = "machine", those.machines
    if not numbers[first] < numbers[best]:
        noun, numbers = "device", those.devices
    few, many = numbers.item(first), numbers.item(best)
    fewer = f"{counted(few, noun)} instead of {many:.0f}" if few else f"no device instead of {many:.0f}"
    more = those.cost.item(first) - those.cost.item(best)
    by_rate = "USD per hour" if fixed_load(job) else f"USD per million {unit_of(job).removesuffix('/s')}"
    unit = by_rate if job.serves else "USD"
    paid = f", for {said(more, 2)} {unit} more" if more > 0 else ""
    return RuleId("simpler-first").note(f"it is simpler: {fewer}{paid}")


def _bearable(job: Job, objective: str, those: _Listed) -> Flags:
    """Whether an option counts little more than the best one: a twentieth, or few USD for a job, or one for a day.

    It is a tenth for half the machines of a service, and under ``cost`` for a job that nobody waits for. Few USD are no
    more than half of the best one's cost.
    """
    best, halved = those.counted[those.best], job.serves & (FEWER * those.nodes <= those.nodes[those.best])
    few = LITTLE_USD if not job.serves else NOTICEABLE_USD / HOURS_PER_DAY if fixed_load(job) else 0.0
    unawaited = not job.serves and objective == "cost" and job.workload.deadline_hours is None
    share = np.where(halved | unawaited, TENTH, AS_GOOD) - 1
    bearable: Flags = those.counted - best <= np.maximum(share * best, min(few, (DEAREST - 1) * best))
    return bearable


def _one_for_many(those: _Listed) -> Flags:
    """Which options are one machine with few devices that answers in half the time of many, for a tenth more at most.

    What counts is the expected cost: a host that may leave is less trouble than so many devices.
    """
    best, unweighed = those.best, those.counted / those.premium  # without the doubt of what nothing proves
    few = (those.nodes == 1) & (those.devices > 0) & (MANY * those.devices <= those.devices[best])
    near = those.known & (unweighed <= TENTH * unweighed[best])
    single: Flags = few & near & (TWICE_AS_FAST * those.time <= those.time[best])
    return single


def _simpler_run(job: Job, objective: str, those: _Listed, simpler: Flags) -> Flags:
    """Which options come before the best one of a job, of the ``simpler`` ones or by their number of machines."""
    best, time = those.best, np.maximum(those.time, scores.NOTICEABLE_HOURS)
    soon = ~(time > TENTH * time[best])
    cents = those.cost - those.cost[best] < NOTICEABLE_USD
    simpler = simpler & soon & (those.scores <= np.where(cents, 1 / scores.CHEAPER, TENTH) * those.scores.min())
    late = np.zeros(len(time), dtype=bool)
    if apart(job):
        late = _late(job, time, best) if objective == "cost" else ~soon
        bearable = _bearable(job, objective, those)
        worth = AS_GOOD if objective == "cost" else TENTH
        simpler = _handier(worth, those, those.proven & ~late & bearable, simpler & bearable, NOTICEABLE_USD)
    if those.nodes[best] > 1:
        by_cost = objective == "cost"
        worth_it = cents & (by_cost | (those.time <= scores.NOTICEABLE_HOURS))
        if not apart(job):
            slower = those.time > SLOWER * those.time[best]
            saved = np.where(slower, 1 / TENTH, SEVERAL_SAVE if by_cost else scores.CHEAPER)
            worth_it |= saved * those.scores <= those.scores[best]
        alone = (those.nodes == 1) & worth_it & those.proven & ~late
        simpler = alone if alone.any() else simpler
    return simpler


def _late(job: Job, time: Floats, best: int) -> Flags:
    """Which options of a job under ``cost`` take too long beside the best one: those in time are not, where one is set.

    A deadline is met at the high end of the range, or the option is not listed. Else two days are bearable, and twice
    the time.
    """
    if job.workload.deadline_hours is not None:
        return np.zeros(len(time), dtype=bool)
    late: Flags = time > max(HALVED * time[best], UNHURRIED_HOURS)
    return late


def apart(job: Job) -> bool:
    """Return whether the machines of the work exchange nothing."""
    return job.kind in APART or job.experiments > 1


def _handier(worth: float, those: _Listed, among: Flags, simpler: Flags, usd: float = 0.0) -> Flags:
    """The best where each halving of the number of machines is ``worth`` so much, if it takes fewer; else ``simpler``.

    Each machine counts that many ``usd`` beside its cost.
    """
    devices = those.devices
    alike = (devices < FEWER * devices[those.best]) | (devices <= devices[those.best])  # processors have none
    attended = 1 + usd * those.nodes / np.where(those.counted > 0, those.counted, np.inf)  # over what it counts
    weighed = np.where(among & alike, those.scores * attended * those.nodes ** np.log2(worth), np.inf)
    handiest: Flags = weighed <= with_equals(float(weighed.min()))
    fewer = handiest & (those.nodes < those.nodes[those.best])
    return fewer & ~handiest[those.best] if fewer.any() else simpler  # of equals, the best stays


def _fewer_devices(chosen: Selection, those: _Listed) -> Flags:
    """Whether the listed options take at most half the devices of the best one."""
    best, hourly = those.best, chosen.options.whole_usd_per_hour[those.rows]
    device = chosen.estimates.machines.accelerator[chosen.options.candidate[those.rows]]
    # At one price, but for what their volumes differ in, more of a device are no burden.
    same = (device == device[best]) & (EQUAL * hourly >= hourly[best])
    several = bool(those.devices[best] > 1 or (those.devices[best] > 0 and those.nodes[best] > 1))
    fewer: Flags = several & (FEWER * those.devices <= those.devices[best]) & ~same
    return fewer


def _as_good_first(job: Job, _chosen: Selection, objective: str, those: _Listed) -> Step:
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


def _in_days_first(job: Job, _chosen: Selection, _objective: str, those: _Listed) -> Step:
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


def _own_first(job: Job, chosen: Selection, objective: str, those: _Listed) -> Step:
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


def _sooner(job: Job, objective: str, those: _Listed) -> tuple[Flags, Floats]:
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


def _roomy_first(job: Job, chosen: Selection, _objective: str, those: _Listed) -> Step:
    """An option with room beside the load for little more money than one without. Rule: headroom."""
    if not job.serves or (room := roomy(job, chosen.estimates, chosen.options)[those.rows])[those.best]:
        return NOBODY
    near = room & those.proven & those.no_larger & those.near(AS_GOOD)
    return near, RuleId("headroom").note("it has room beside the load, and the other has none")


# In their order, with the objectives that they are for.
STEPS = (
    (_tested_first, ("cost", "balanced")),
    (_simpler_first, ("cost", "balanced")),
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
