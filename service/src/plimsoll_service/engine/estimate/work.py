"""Kinds of work: for each, the part that no amounts decide, the part that they do, and the outcome of both."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..clusters import UNSAID, Clusters, Drives, Splits
from ..demand import kind
from ..demand.anchored import shown_basis
from ..demand.host_process import devices_within
from ..demand.job import Job
from ..demand.kind_of_work import at_its_rate, without_amounts
from ..hardware import Floats
from ..machines import Machines
from .inference_job import started
from .non_neural import hpc, preprocessing, tabular
from .outcome import Outcome
from .ranges import basis
from .samples import inference, training
from .serving import estimate as serving
from .token_training import estimate as token_training

# Work that runs a process of its own for each device.
DEVICE_PROCESSES = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)


@dataclass(frozen=True)
class _Estimate:
    """Functions of a kind of work.

    ``planned``: the decisions of the amounts that a plan depends on, and the plan; ``least``: as in ``least_nodes``.
    """

    prepare: Callable[[Job, Clusters], Any]
    outcome: Callable[[Job, Clusters, Any, Drives], tuple[Outcome, Floats]]
    planned: tuple[Callable[[Job, Clusters, Any], Hashable], Callable[[Job, Clusters, Any, Any], Any]] | None = None
    least: Callable[[Job, Any], Floats] | None = None


ESTIMATES = {
    kind.SAMPLE_TRAINING: _Estimate(training.prepare, training.estimate, (training.plan_key, training.plan)),
    kind.TOKEN_TRAINING: _Estimate(token_training.prepare, token_training.estimate),
    kind.TABULAR_TRAINING: _Estimate(tabular.prepare_training, tabular.training),
    kind.SERVING: _Estimate(serving.prepare, serving.estimate, least=serving.least_machines),
    kind.INFERENCE: _Estimate(inference.prepare, inference.estimate),
    kind.TABULAR_INFERENCE: _Estimate(tabular.prepare_inference, tabular.inference),
    kind.PREPROCESSING: _Estimate(preprocessing.prepare, preprocessing.estimate),
    kind.HPC: _Estimate(hpc.prepare, hpc.estimate, (hpc.intensity, hpc.plan)),
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """The candidates as a job without its amounts uses them, and the parts of their estimate that follow."""

    job: Job
    clusters: Clusters
    known: Any  # by the kind of work

    @property
    def machines(self) -> Machines:
        """With the basis of the estimate, and as many devices as the work can keep busy."""
        return self.clusters.machines


def prepare(job: Job, machines: Machines, nodes: Floats | None, splits: Splits = UNSAID) -> Prepared:
    """The part that does not depend on amounts; ``nodes`` is None where the estimate sets the number of machines.

    Columns that are gathered of the machines on the way are not held.
    """
    plain = without_amounts(job) if nodes is None else at_its_rate(job)
    clusters = Clusters(_as_used(plain, machines.afresh(), nodes, splits), nodes, splits)
    known = ESTIMATES[job.kind].prepare(plain, clusters)
    return Prepared(plain, replace(clusters, machines=clusters.machines.afresh()), known)


def _as_used(job: Job, machines: Machines, nodes: Floats | None, splits: Splits) -> Machines:
    found = basis(job, machines, nodes)
    chosen = machines.changed(basis=found, shown_basis=shown_basis(job, machines, found, nodes))
    if job.kind not in DEVICE_PROCESSES or splits.stated:
        return chosen
    devices = devices_within(job, chosen)
    return chosen if np.array_equal(devices, chosen.devices) else chosen.changed(devices=devices)


def plan_key(job: Job, prepared: Prepared) -> Hashable | None:
    """The few decisions of a job's amounts that a plan depends on; None for work without any."""
    planned = ESTIMATES[job.kind].planned
    return None if planned is None else planned[0](job, prepared.clusters, prepared.known)


def plan(prepared: Prepared, key: Hashable | None) -> Any:
    """The part that those decisions determine, whatever else the amounts are."""
    planned, clusters = ESTIMATES[prepared.job.kind].planned, prepared.clusters
    afresh = replace(clusters, machines=clusters.machines.afresh())
    return None if planned is None else planned[1](prepared.job, afresh, prepared.known, key)


def estimate(job: Job, prepared: Prepared, plan: Any, drives: Drives) -> tuple[Outcome, Floats]:
    """The outcome, and the machines that it takes."""
    known, clusters = prepared.known if plan is None else plan, prepared.clusters
    outcome, nodes = ESTIMATES[job.kind].outcome(job, clusters, known, drives)
    if job.kind in kind.INFERENCE_KINDS:
        served_bytes = known.model.total_bytes if job.kind == kind.SERVING else None
        outcome = started(job, clusters.machines, served_bytes, drives, outcome)
    return outcome, nodes


def least_nodes(job: Job, prepared: Prepared) -> Floats:
    """Machines of each candidate below which it does not carry the load in time; infinite where no number does."""
    least = ESTIMATES[job.kind].least
    return np.ones(len(prepared.machines)) if least is None else least(job, prepared.known)
