"""A service that costs less on more machines than the default of ``max_nodes`` allows. Rule: larger-fleet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..answer import Assumption
from ..demand.job import DEFAULT_MAX_NODES, Job
from ..demand.kind import INFERENCE_KINDS
from ..rules import Remark, RuleId
from ..units import TINY
from ..workload import Query
from .first_places import TENTH
from .loosening import Choose, objective_of
from .ranking import first_row, scored
from .relax import Named
from .rounding import said
from .selection import Selection

# Machines of a fleet that is named: four times the default, as each halving of their number is worth a tenth.
# A decision of this project. Rule: larger-fleet.
LARGEST_FLEET = 64
DEFAULT_NODES = Assumption("constraints.max_nodes", DEFAULT_MAX_NODES, "the limit of this service where none is stated")


def larger_fleet_note(
    query: Query, job: Job, chosen: Selection, first: int, choose: Choose, named: Named
) -> Remark | None:
    """Return the reason that names the larger fleet, where the first choice costs a tenth more; ``first``: its row."""
    if not bounded(query, job, chosen):
        return None
    sure = chosen.options.charges.usd_per_hour.item(first)
    if not _least_usd(job, chosen) <= sure / TENTH:
        return None
    wider = replace(query, constraints=replace(query.constraints, max_nodes=LARGEST_FLEET))
    larger_job, larger = choose(wider)
    row = first_row(larger_job, larger, scored(larger_job, larger, objective_of(wider, larger_job)))
    usd, nodes = larger.options.charges.usd_per_hour.item(row), larger.estimates.nodes[larger.options.candidate[row]]
    if nodes <= DEFAULT_MAX_NODES or usd > sure / TENTH:
        return None
    return RuleId("larger-fleet").note(
        f"{named(larger, row)} at {said(usd)} USD per hour does the same work; state max_nodes to take more than "
        f"{DEFAULT_MAX_NODES} machines"
    )


def bounded(query: Query, job: Job, chosen: Selection) -> bool:
    """Return whether the default number of machines, which nobody stated, leaves out replicas of a service."""
    return job.serves and query.constraints.max_nodes is None and "max_nodes" in chosen.rejected


def _least_usd(job: Job, chosen: Selection) -> float:
    """The least that a fleet may cost per hour that is too large: no more machines than were tried were counted."""
    options, nodes, load = chosen.options, chosen.estimates.nodes, job.workload.requests_per_second
    if load is not None and job.kind in INFERENCE_KINDS:
        nodes = nodes * np.fmax(load / np.fmax(chosen.estimates.outcome.capacity[:], TINY), 1.0)
    nodes = options.each(nodes)
    larger = (nodes > DEFAULT_MAX_NODES) & (nodes <= LARGEST_FLEET)
    fleet = np.where(larger, nodes * options.priced.usd_per_hour, np.inf)
    return float(np.fmin.reduce(fleet, initial=np.inf))
