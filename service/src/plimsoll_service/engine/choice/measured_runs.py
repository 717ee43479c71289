"""The runs that a user measured, each beside the estimate that the service makes of just that run."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log2
from typing import Any

import numpy as np

from ..anchors import Anchoring, AnchorSaid
from ..clusters import splits_of
from ..demand import kind
from ..demand.assume import job_of
from ..demand.job import Feed, Job
from ..demand.requests import TARGETS, targets_of
from ..estimate.input.pipeline import DISK_BOUND_SHARE
from ..estimate.outcome import Outcome
from ..faults import Fault, Refused
from ..hardware import Flags, Floats
from ..machines import Machines
from ..obstacles import OBSTACLES
from ..workload import CONDITIONS, FIGURES, NO_TARGET, Hardware, OwnMeasurement, Query, Workload
from .candidates import candidates_among
from .engines import with_suited_engine
from .estimating import outcome_of
from .market import Market
from .named_hardware import machines_of
from .rounding import figure, said
from .software import ON_PROCESSORS
from .stated_faults import limit_faults

WITH_MEMORY = (*kind.NEURAL_TRAINING, kind.INFERENCE)
# A ratio that nothing explains: beyond it the estimate and the measurement are not of the same work. A decision of this
# project: a wrong unit, milliseconds for seconds, is as far off, and no estimate of the same work.
NOT_THE_SAME = np.log(1e3)


@dataclass(frozen=True, eq=False)
class Run:
    """One measurement, the job that it is of, and its estimate by figure; NaN where there is none."""

    one: OwnMeasurement
    name: str
    job: Job
    machine: int  # among those estimated together
    kind: int  # of hardware
    estimated: Mapping[str, float]
    starved: bool  # its estimate is bound by its input, and says little of the devices
    obstacle: str
    usable_gib: float
    batch: float


def runs_of(job: Job, query: Query, market: Market, every: Machines, parts: Anchoring | None = None) -> list[Run]:
    """The measurements with their estimates under the effects of ``parts``; those of one job together.

    Runs that differ in their batch or load alone are of one job, whose machines tell them apart.
    """
    groups: dict[tuple[object, ...], list[int]] = {}
    measurements = query.workload.measurements or ()
    sizes = [had_at_once(one, job) for one in measurements]
    for place, (one, size) in enumerate(zip(measurements, sizes, strict=True)):
        conditions = conditions_of(one, job)
        if size is not None:
            conditions[AT_ONCE[job.kind]] = None
        engine = with_suited_engine(query, (one.on,), market)[0].workload.framework
        groups.setdefault((*conditions.items(), engine, replace(splits_of(one.on), named=True)), []).append(place)
    found: dict[int, Run] = {}
    faults: list[Fault] = []
    for places in groups.values():
        some = [measurements[place] for place in places]
        asked, _ = with_suited_engine(Query(_measured_work(query.workload, some[0], job)), (some[0].on,), market)
        had = job_of(asked, market.coefficients)
        measured = replace(had, anchoring=parts, feed=about(had))
        machines, apart = every.take(np.array(places, dtype=np.int32)), [sizes[place] for place in places]
        if len(set(apart)) > 1:  # runs that differ in their batch or load are told apart by their machines
            each = np.arange(len(apart), dtype=np.int32)
            machines = machines.changed(alike=each, memory_alike=each, at_once=np.array(apart, dtype=np.float64))
        faults += limit_faults(measured, some, machines, [f"/workload/measurements/{place}" for place in places])
        if not faults:
            found |= zip(places, _estimated(measured, some, machines, market), strict=True)
    if faults:
        raise Refused(tuple(sorted(faults, key=lambda fault: fault.pointer)))
    return [found[place] for place in sorted(found)]


def about(job: Job) -> Feed | None:
    """Return the data of a measured run, which decide its speed only where it waits for them.

    Of networks they decide it hardly: their power of two is taken, and a later pass, where there are several, for the
    passes that a question asks for say nothing of the run. Tables are taken to two figures; preprocessing's data are
    its work. So questions that differ in their amount of data share what their measurements say.
    """
    feed = job.feed
    if feed is None or job.kind == kind.PREPROCESSING:
        return feed
    samples, each, core_seconds = (
        float(f"{one:.1e}") for one in (feed.samples, feed.bytes_per_sample, feed.core_seconds)
    )
    if job.kind in kind.NEURAL_TRAINING:
        samples = 2.0 ** floor(log2(feed.samples))
    passes = MANY_PASSES if feed.passes > 1 else feed.passes
    return replace(feed, samples=samples, stored_bytes=samples * each, passes=passes, core_seconds=core_seconds)


MANY_PASSES = 1000.0  # the first one, which reads from the disk, hardly counts


def amounts_of(job: Job, query: Query) -> Hashable:
    """All amounts of a question that the estimates of its measured runs depend on (see ``_measured_work``)."""
    workload = job.workload
    if job.kind in kind.INFERENCE_KINDS:
        return replace(query.workload.dataset, samples=None)
    epochs = workload.epochs if job.kind == kind.TABULAR_TRAINING else None
    return about(job), workload.dataset.sharded, workload.tokens is None, epochs, workload.flops, workload.bytes


# The condition that is a column of the estimate: runs that differ in it alone are estimated together.
AT_ONCE = {**dict.fromkeys((*kind.NEURAL_TRAINING, kind.INFERENCE), "batch_size"), kind.SERVING: "concurrency"}


def conditions_of(one: OwnMeasurement, job: Job) -> dict[str, Any]:
    """The conditions that a measurement states; for serving, the batch size is the concurrency."""
    stated = {name: getattr(one, name) for name in CONDITIONS if getattr(one, name) is not None}
    if job.kind == kind.SERVING and "batch_size" in stated:
        stated["concurrency"] = stated.pop("batch_size")
    return stated


def had_at_once(one: OwnMeasurement, job: Job) -> int | None:
    """The batch or load of a measurement that is a column of its estimate; ``None`` where it is none.

    Users in batches wait for the steps of smaller ones, which differ by the largest.
    """
    users = one.concurrency or job.workload.concurrency
    if job.kind == kind.INFERENCE and users is not None:
        return None
    return conditions_of(one, job).get(AT_ONCE.get(job.kind, ""))


def _measured_work(workload: Workload, one: OwnMeasurement, job: Job) -> Workload:
    """The work that was measured: that of the question in the measurement's conditions, without amounts and limits."""
    stated = conditions_of(one, job)
    bare = replace(workload, measurements=None, deadline_hours=None, budget_usd=None, experiments=None)
    if workload.task == "inference":
        served: dict[str, Any] = dict.fromkeys(("requests", "tokens", "hours_of_audio", *TARGETS, "latency_ms"))
        served |= dict.fromkeys(("requests_per_second", "requests_per_second_by_hour", "spare_replicas"))
        served |= dict.fromkeys(targets_of(job.kind), NO_TARGET)
        bare = replace(bare, **served, dataset=replace(bare.dataset, samples=None))
    if "batch_size" in stated:
        bare = replace(bare, global_batch_size=None)
    return replace(bare, **stated)


def measured_machines(on: Sequence[Hardware], market: Market) -> Machines:
    """The machine of each measurement."""
    each = list(dict.fromkeys(on))
    return machines_of(each, market).take(np.array([each.index(one) for one in on], dtype=np.int32))


def _estimated(job: Job, some: Sequence[OwnMeasurement], machines: Machines, market: Market) -> Iterator[Run]:
    """The runs of one job with their estimates, as ``/v1/estimates`` makes them."""
    nodes = np.array([float(one.on.node_count) for one in some])
    every = np.arange(len(some), dtype=np.int32)
    sellers = np.where(machines.catalog_row >= 0, market.disk_sellers.take(machines.catalog_row), -1).astype(np.int32)
    candidates = candidates_among(machines, sellers, every, nodes, market.products(job))
    outcome = outcome_of(job, candidates, market.prices.disks, splits_of(some[0].on))
    figures, lost = _figures(outcome), outcome.lost_share
    vectors = len(market.catalog.accelerators) + machines.vector
    kinds = np.where(_on_devices(job, machines), machines.accelerator, vectors).tolist()
    for row, one in enumerate(some):
        estimated = {name: float(column[row]) for name, column in figures.items()}
        yield Run(
            one=one,
            name=_name(one, machines, row),
            job=job,
            machine=row,
            kind=kinds[row],
            estimated=estimated,
            starved=lost is not None and bool(lost[every][row] > DISK_BOUND_SHARE),
            obstacle=OBSTACLES[int(outcome.obstacle[row])],
            usable_gib=float(outcome.device.usable[row]),
            batch=float(outcome.batch_used[every][row]),
        )


def _on_devices(job: Job, machines: Machines) -> Flags:
    boosted = job.kind == kind.TABULAR_TRAINING and job.learner.startswith("xgboost")
    return machines.has_accelerator() & (boosted or job.kind not in ON_PROCESSORS)


def _name(one: OwnMeasurement, machines: Machines, row: int) -> str:
    on = one.on
    if on.label or on.instance_type:
        name = on.label or f"{on.cloud} {on.instance_type}"
    elif on.accelerator:
        count = machines.count.item(row)
        name = machines.accelerator_name[row] if count == 1 else f"{said(count)} × {machines.accelerator_name[row]}"
    else:
        name = on.cpu or f"{said(machines.vcpus.item(row))} vCPUs"
    return name if on.node_count == 1 else f"{on.node_count} × ({name})"


def _figures(outcome: Outcome) -> dict[str, Floats]:
    """The estimates of the figures that may be measured; devices that wait for their data could do more."""
    every = np.arange(len(outcome))
    found = {"throughput": outcome.throughput, "accelerator_memory_gib": outcome.device.required}
    if outcome.serving is not None:
        found |= {"ttft_ms": outcome.serving.ttft_ms[every], "tpot_ms": outcome.serving.tpot_ms[every]}
    return found


SPEEDS = {"throughput": 1.0, "ttft_ms": -1.0, "tpot_ms": -1.0}  # sign of ln(measured) in the speed


def log_of(run: Run, figure: str) -> float | None:
    """ln(measured ÷ estimated) of a speed or of the memory; ``None`` where the measurement does not tell it."""
    stated, estimated = getattr(run.one, figure), run.estimated.get(figure, np.nan)
    if stated is None or not estimated > 0 or not np.isfinite(estimated):
        return None
    log = SPEEDS.get(figure, 1.0) * float(np.log(stated / estimated))
    return log if abs(log) < NOT_THE_SAME else None


def memory_log(run: Run) -> float | None:
    """ln(measured ÷ estimated) of the memory: what ran needed no more than there is."""
    if run.job.kind not in WITH_MEMORY:
        return None
    measured = log_of(run, "accelerator_memory_gib")
    if measured is not None or run.obstacle != "accelerator_memory":
        return measured
    return float(np.log(run.usable_gib / run.estimated["accelerator_memory_gib"]))


def rate_log(run: Run) -> float | None:
    """ln(measured ÷ estimated) of the throughput: of a run that waits for its input only if it was faster."""
    log = log_of(run, "throughput")
    return None if log is not None and run.starved and log <= 0 else log


def tells_speed(run: Run) -> bool:
    """Whether a measured rate or time of the run counts."""
    return rate_log(run) is not None or any(log_of(run, name) is not None for name in ("ttft_ms", "tpot_ms"))


def in_words(run: Run, name: str) -> str:
    """The machine of a run, its stated conditions and a figure: the rate, where that figure was not measured."""
    figure_name = name if getattr(run.one, name) is not None else "throughput"
    stated = {one: getattr(run.one, one) for one in (*CONDITIONS, figure_name) if getattr(run.one, one) is not None}
    told = (f"{one} {value if isinstance(value, str) else said(value, 4)}" for one, value in stated.items())
    return f"{run.name} ({', '.join(told)})" if stated else run.name


WHY_UNUSED = {
    "throughput": "the estimate of this run waits for its input, so that it says nothing of the devices",
    "accelerator_memory_gib": "a server reserves its memory ahead; what it took says nothing of what it needs",
}


def said_of(run: Run) -> Iterator[AnchorSaid]:
    """Each measured figure of a run beside its estimate, and whether it says anything."""
    for name in FIGURES:
        stated, estimated = getattr(run.one, name), run.estimated.get(name, np.nan)
        if stated is None:
            continue
        told = {"throughput": rate_log, "accelerator_memory_gib": memory_log}.get(name)
        used = (told(run) if told is not None else log_of(run, name)) is not None
        known = figure(estimated) if np.isfinite(estimated) and estimated > 0 else None
        why = None if used else "there is no estimate of this run" if known is None else WHY_UNUSED.get(name, FAR_OFF)
        yield AnchorSaid(run.name, name, figure(stated), known, used, why)


FAR_OFF = "it is over a thousand times off the estimate: the two are not of the same work"
