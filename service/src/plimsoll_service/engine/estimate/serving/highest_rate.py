"""The highest rate that an answer shows: within the targets at the middle of the estimate, with its ends.

Fleets are sized by the rate that is within the targets at the slow end of the times, which lies below. Where a load is
beyond even that, the targets are missed, and the rate is what the replicas reach whatever they are.
"""

from __future__ import annotations

import numpy as np

from ...demand.job import Job
from ...demand.served_model import Served
from ...hardware import Flags, Floats, Places
from ..ranges import Ends
from .configuration import Configuration
from .curves import Curves, points_at
from .delivered import Delivered


def highest_rate(
    job: Job, model: Served, chosen: Configuration, curves: Curves, run: Delivered, load: Floats, groups: Places
) -> Floats:  # fmt: skip
    """Tokens a second; ``load``: requests that a replica of each of the groups runs within the targets."""
    sure, line = run.capacity[groups], chosen.line[groups]
    if job.workload.requests_per_second is not None:
        rate = np.minimum(points_at(line, load).of(curves.arriving), chosen.possible[groups])
        sure = np.maximum(sure, rate * run.replicas[groups] * model.output_tokens)
    return np.where(_late(run, groups), run.possible[groups], sure)


def its_ends(job: Job, run: Delivered, sure: Floats, rate: Ends, value: Floats, groups: Places) -> Ends:
    """Its ends; ``sure``: tokens a second at the low end whatever the targets, ``rate``: the range of a rate."""
    low = value * rate.low[groups]
    if job.workload.requests_per_second is not None:
        within = np.minimum(run.capacity[groups], sure[groups])
        low = np.minimum(value, np.where(_late(run, groups), sure[groups], within))
    return Ends(low, value * rate.high[groups])


def _late(run: Delivered, groups: Places) -> Flags:
    """Whether the load is beyond the targets."""
    late: Flags = run.tokens[groups] > run.capacity[groups]
    return late
