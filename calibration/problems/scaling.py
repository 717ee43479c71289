"""The problem of data parallelism: the gain of several devices over one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from calibration.asked import asked
from calibration.files import fields_of, form_file
from calibration.fitting import Fit, FormProblem, figures_of, fit, no_levels, noise_by_source
from calibration.problems.rows import asked_machine, grouped
from calibration.results import Calibrated, Evidence, Residual, generations_of, held_out
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.coefficients import Coefficients, Scaling
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import arithmetic
from plimsoll_service.engine.estimate.samples.layouts import (
    exchange_between,
    exchange_inside,
    exchanged_bytes,
    exchanging_step,
)
from plimsoll_service.engine.hardware import Catalog, Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

LARGEST_BATCH_RATIO = 1.5  # between the two rows of a pair
EMBEDDING_ARCHITECTURES = ("ncf",)  # their gradients are sparse: the exchanged bytes are unknown
# Runs whose printed speed has no exchange in it: eight RTX 3090 have 99% of eight times one's speed, beside 18% with
# BERT-large, whose gradients are about as large.
WITHOUT_EXCHANGE = (("lambda", "transformer-xl-base"), ("lambda", "transformer-xl-large"))

# Tuned pre-training of these gathers the gradients of many passes before an exchange; the tables do not say how many.
ACCUMULATING = (("tuned", "bert"), ("tuned", "seq2seq"))
# On several machines these exchange gradients through parameter servers, which the formula of all-reduce does not hold.
PARAMETER_SERVERS = ("tf-benchmarks", "mxnet-perf")


@dataclass(frozen=True)
class Pair:
    """A row of several devices, with the samples a second of one device."""

    many: Measurement
    one_rate: float

    @property
    def speedup(self) -> float:
        """Measured gain over one device."""
        return self.many.value / self.one_rate


@dataclass(frozen=True, eq=False)
class PairGroup:
    """Pairs that make one job: everything the same but the machines and the batch."""

    job: Job
    profile: ModelProfile
    rows: Ints
    machines: Machines
    devices: Floats  # of each machine
    nodes: Floats
    batch: Floats
    one_seconds: Floats  # a step of one device, as measured

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the gain over one device, by the engine's formula."""
        job = replace(self.job, coefficients=coefficients)
        numbers = arithmetic(self.machines, job.precision, job.half_falls_back, coefficients.roofline)
        total = self.devices * self.nodes
        gradients = exchanged_bytes(job, self.profile, numbers.element_bytes, self.batch, total)
        together = parallel_step(
            coefficients.scaling, self.machines, self.one_seconds, self.devices, self.nodes, gradients
        )
        gain: Floats = np.log(total * self.one_seconds / together)
        return gain


def parallel_step(
    fit: Scaling, machines: Machines, one: Floats, devices: Floats, nodes: Floats, gradient_bytes: Floats
) -> Floats:
    """Seconds of a step on ``devices`` of each of ``nodes`` machines, from that of one device."""
    inside = exchange_inside(fit, machines, devices, gradient_bytes)
    return exchanging_step(fit, one, devices * nodes, inside + exchange_between(fit, machines, nodes, gradient_bytes))


def pairs_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Pair, ...], tuple[PairGroup, ...]]:
    """Return all pairs whose links are known, and their groups."""
    rows = [row for row in measurements if _usable(row)]
    alone: dict[tuple[object, ...], list[Measurement]] = defaultdict(list)
    for row in rows:
        if row.device_count == 1:
            alone[_same(row)].append(row)
    jobs: dict[Workload, list[tuple[Measurement, float]]] = defaultdict(list)
    for row in rows:
        partner = _partner(row, alone[_same(row)]) if row.device_count > 1 else None
        if partner is not None:
            jobs[replace(asked(row)[0], batch_size=None)].append((row, partner.value))
    return grouped(jobs.items(), lambda work, first: _group(*work, market, first))


def _usable(row: Measurement) -> bool:
    trains = row.task == "training" and row.metric == "samples/s" and row.accelerator is not None
    alone = row.node_count == 1 or row.source not in PARAMETER_SERVERS
    exchanges = (row.source, row.model) not in WITHOUT_EXCHANGE
    return trains and alone and exchanges and not row.doubt and row.batch_size is not None


def _same(row: Measurement) -> tuple[object, ...]:
    """Key that both rows of a pair share."""
    return (
        row.source, row.model, row.framework, row.framework_version, row.tuning, row.precision, row.accelerator,
        row.sequence_length, row.image_size, row.compiled, row.optimizer,
    )  # fmt: skip


def _partner(row: Measurement, alone: Sequence[Measurement]) -> Measurement | None:
    """The one-device row of the nearest batch, where one is near enough."""

    def distance(other: Measurement) -> float:
        return abs(log((other.batch_size or 1) / (row.batch_size or 1)))

    near = [other for other in alone if distance(other) <= log(LARGEST_BATCH_RATIO)]
    return min(near, key=distance, default=None)


def _group(
    workload: Workload, members: list[tuple[Measurement, float]], market: Market, first: int
) -> tuple[list[Pair], PairGroup] | None:
    job = job_of(Query(workload), starting())
    profile = job.profile
    if profile is None or job.kind != kind.SAMPLE_TRAINING or profile.architecture in EMBEDDING_ARCHITECTURES:
        return None
    if (workload.tuning, profile.architecture) in ACCUMULATING and workload.global_batch_size is None:
        return None
    machines = concatenate([asked_machine(asked(row)[1], market) for row, _ in members])
    nodes = np.array([float(row.node_count) for row, _ in members])
    kept = np.flatnonzero((nodes == 1) | np.isfinite(machines.network_gbps)).astype(np.int32)
    if not len(kept):
        return None
    rows = [members[place] for place in kept]
    batch = np.array([float(row.batch_size or 1) for row, _ in rows])
    group = PairGroup(
        job=job,
        profile=profile,
        rows=np.arange(first, first + len(kept), dtype=np.int32),
        machines=machines.take(kept),
        devices=np.array([float(row.device_count // row.node_count) for row, _ in rows]),
        nodes=nodes[kept],
        batch=batch,
        one_seconds=batch / np.array([rate for _, rate in rows]),
    )
    return [Pair(row, rate) for row, rate in rows], group


KIND = "scaling"
# Prior standard deviation of ln(coefficient) about the throughput study's value, which saw links that these rows lack.
DEVIATIONS: Mapping[str, float] = {
    "nvlink": 0.15, "pcie": 0.05, "pcie_contention": 0.15, "network": 0.3, "step_growth": 0.05, "overlap": 0.05,
    "staged_gb_s": 0.3, "staged_contention": 0.5,
}  # fmt: skip
NOISE = 0.012  # of a pair, in ln: small, so that Huber's loss keeps a tail of slow hosts from moving the middle


def problem_of(pairs: tuple[Pair, ...], groups: tuple[PairGroup, ...]) -> FormProblem[Pair]:
    """The problem of those pairs, with the priors of the study."""
    measured = np.log([pair.speedup for pair in pairs])
    noise = noise_by_source([pair.many for pair in pairs], NOISE)
    return FormProblem("scaling", DEVIATIONS, pairs, groups, measured, noise, no_levels(len(pairs)))


def calibrated(evidence: Evidence) -> Calibrated:
    """Fit the form to all pairs, and hold out each device, model and source in turn."""
    problem = problem_of(*pairs_of(evidence.shipped, market_of(evidence.catalog, starting())))
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Data parallel over devices and nodes: what the exchange of gradients costs."
    return Calibrated(
        name=KIND,
        files={"scaling": form_file(about, "scaling", fields_of(figures))},
        residuals=errors_of(problem, found, evidence.catalog),
        figures={KIND: figures},
    )


def errors_of(problem: FormProblem[Pair], found: Fit, catalog: Catalog) -> list[Residual]:
    """Return the errors of every pair, with its device, model and source held out in turn."""
    rows = [pair.many for pair in problem.rows]
    return held_out(problem, found, rows, [KIND] * len(rows), generations_of(catalog))
