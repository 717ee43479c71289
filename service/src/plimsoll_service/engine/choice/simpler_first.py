"""A simpler option that costs little more comes first: fewer machines, fewer devices. Rule: simpler-first."""

from __future__ import annotations

import numpy as np

from ..demand.job import Job
from ..hardware import Flags
from ..rules import Remark, RuleId
from ..units import HOURS_PER_DAY
from . import scores
from .listed import (
    AS_GOOD,
    DEAREST,
    EQUAL,
    FEWER,
    LITTLE_USD,
    NOBODY,
    NOTICEABLE_USD,
    SEVERAL_SAVE,
    SLOWER,
    TENTH,
    TWICE_AS_FAST,
    Listed,
    Step,
    apart,
    too_late,
)
from .options import fixed_load
from .rounding import counted, said
from .scores import with_equals
from .selection import Selection
from .shown_estimates import unit_of

OVERNIGHT_HOURS = 12.0  # what starts in the evening is done by the morning
MANY = 8.0  # devices are a whole host, and are attended every day


def simpler_first(job: Job, chosen: Selection, objective: str, those: Listed) -> Step:
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


def what_is_simpler(job: Job, those: Listed, place: int) -> Remark:
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


def _bearable(job: Job, objective: str, those: Listed) -> Flags:
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


def _one_for_many(those: Listed) -> Flags:
    """Which options are one machine with few devices that answers in half the time of many, for a tenth more at most.

    What counts is the expected cost: a host that may leave is less trouble than so many devices.
    """
    best, unweighed = those.best, those.counted / those.premium  # without the doubt of what nothing proves
    few = (those.nodes == 1) & (those.devices > 0) & (MANY * those.devices <= those.devices[best])
    near = those.known & (unweighed <= TENTH * unweighed[best])
    single: Flags = few & near & (TWICE_AS_FAST * those.time <= those.time[best])
    return single


def _simpler_run(job: Job, objective: str, those: Listed, simpler: Flags) -> Flags:
    """Which options come before the best one of a job, of the ``simpler`` ones or by their number of machines."""
    best, time = those.best, np.maximum(those.time, scores.NOTICEABLE_HOURS)
    soon = ~(time > TENTH * time[best])
    cents = those.cost - those.cost[best] < NOTICEABLE_USD
    simpler = simpler & soon & (those.scores <= np.where(cents, 1 / scores.CHEAPER, TENTH) * those.scores.min())
    late = np.zeros(len(time), dtype=bool)
    if apart(job):
        late = too_late(job, time, best) if objective == "cost" else ~soon
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


def _handier(worth: float, those: Listed, among: Flags, simpler: Flags, usd: float = 0.0) -> Flags:
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


def _fewer_devices(chosen: Selection, those: Listed) -> Flags:
    """Whether the listed options take at most half the devices of the best one."""
    best, hourly = those.best, chosen.options.whole_usd_per_hour[those.rows]
    device = chosen.estimates.machines.accelerator[chosen.options.candidate[those.rows]]
    # At one price, but for what their volumes differ in, more of a device are no burden.
    same = (device == device[best]) & (EQUAL * hourly >= hourly[best])
    several = bool(those.devices[best] > 1 or (those.devices[best] > 0 and those.nodes[best] > 1))
    fewer: Flags = several & (FEWER * those.devices <= those.devices[best]) & ~same
    return fewer
