"""Anchors of a question: the user's own measurements beside the estimates of just those runs, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plimsoll_service.engine.anchors import (
    MEMORY,
    NEAR,
    PROMPT,
    RATE,
    TOKEN,
    Anchoring,
    Effect,
    Kinds,
    Residuals,
    Sharing,
    disagrees,
    effect_of,
)
from plimsoll_service.engine.answer import AnchorSaid
from plimsoll_service.engine.choice.candidates import candidates_among
from plimsoll_service.engine.choice.estimating import outcome_of
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.measurement_faults import limit_faults
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.rounding import figure, said
from plimsoll_service.engine.choice.suited import with_suited_engine
from plimsoll_service.engine.clusters import splits_of
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job, dimensions_of, profile_of
from plimsoll_service.engine.demand.kind_of_work import kind_key
from plimsoll_service.engine.estimate.outcome import OBSTACLES, Outcome
from plimsoll_service.engine.estimate.token_training.estimate import range_of
from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.hardware import Accelerators, Flags, Floats, Ints
from plimsoll_service.engine.known import SAME_SPEED, kind_of_network
from plimsoll_service.engine.machines import VECTOR_CLASSES, Machines, concatenate
from plimsoll_service.engine.spreads import ANCHORED, MEASURED_HERE
from plimsoll_service.engine.workload import CONDITIONS, FIGURES, NO_TARGET, OwnMeasurement, Query, Workload

# The estimate of a run that waits for its input for more of its time says little of the devices.
STARVED = 0.02
# Work that runs on processors though the machine has devices.
ON_PROCESSORS = (kind.PREPROCESSING, kind.TABULAR_INFERENCE)
WITH_MEMORY = (*kind.NEURAL_TRAINING, kind.INFERENCE)
NEURAL = (*WITH_MEMORY, kind.SERVING)
# A ratio that nothing explains: beyond it the estimate and the measurement are not of the same work.
NOT_THE_SAME = np.log(1e3)


@dataclass(frozen=True, eq=False)
class _Run:
    """One measurement, the job that it is of, and its estimate by figure; NaN where there is none."""

    one: OwnMeasurement
    name: str
    job: Job
    machine: int  # among those estimated together
    kind: int  # of hardware
    estimated: Mapping[str, float]
    starved: bool
    obstacle: str
    usable_gib: float
    batch: float


def anchored_job_of(query: Query, market: Market, kept: Kept | None = None) -> Job:
    """Return the job of a query with the effects of its measurements; raises ``Refused`` where one is impossible."""
    job, measurements = job_of(query, market.coefficients), query.workload.measurements
    if not measurements:
        return job
    kept, workload = kept or Kept(), job.workload
    amounts = (job.feed, workload.tokens is None, workload.flops, workload.bytes, query.workload.framework is None)
    key = (kind_key(job), amounts, measurements)
    return replace(job, anchoring=kept.of("anchoring", key, lambda: anchoring_of(job, query, market)))


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def anchoring_of(job: Job, query: Query, market: Market) -> Anchoring:
    """Return what the measurements of a query say of every kind of hardware; raises ``Refused``."""
    runs, devices = _runs(job, query, market), len(market.catalog.accelerators)
    effects: dict[str, Effect] = {}
    apart: list[str] = []
    for what, residuals in (_parts_of_serving if job.kind == kind.SERVING else _plain)(runs).items():
        effects[what] = _effect(job, what, residuals, market, apart)
    if job.kind == kind.SERVING:  # the rate follows from prompts and tokens, but for a rest
        parts = Anchoring(devices, effects, np.full(devices + len(VECTOR_CLASSES), -1, dtype=np.int32))
        rest = _known((run, _rest_of_rate(run)) for run in _runs(job, query, market, parts))
        effects |= {RATE: _effect(job, RATE, rest, market, apart)} if rest else {}
        if PROMPT in effects and all(run.one.ttft_ms is None for run in runs):
            effects[PROMPT] = replace(effects[PROMPT], left=np.ones_like(effects[PROMPT].left))
    memory = effects.pop(MEMORY, None)
    return Anchoring(
        devices=devices,
        effects=effects,
        basis=_basis(effects, runs, devices),
        memory_factor=1.0 if memory is None else float(np.exp(memory.log[SOME_DEVICE])),
        memory_left=1.0 if memory is None else float(memory.left[SOME_DEVICE]),
        most_nodes=max(run.one.on.node_count for run in runs),
        anchors=tuple(one for run in runs for one in _said(run)),
        disagree="; ".join(dict.fromkeys(apart)),
    )


EFFECT = ("log", "left", "informed")
SOME_DEVICE = 0  # the memory of a network is as large on any device: one effect holds for all


def kinds_of(accelerators: Accelerators) -> Kinds:
    """Devices of the catalog, and behind them the vector classes of processors, in the words of the kernel."""
    vendors, generations = (_numbered(words) for words in (accelerators.vendor, accelerators.generation))
    classes = len(VECTOR_CLASSES)
    return Kinds(
        vendor=np.append(vendors, np.full(classes, -1)).astype(np.int32),
        generation=np.append(generations, -1 - np.arange(classes)).astype(np.int32),
        device=np.arange(len(accelerators) + classes, dtype=np.int32),
    )


def _numbered(words: Sequence[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in words]


def _runs(job: Job, query: Query, market: Market, parts: Anchoring | None = None) -> list[_Run]:
    """The measurements with their estimates under the effects of ``parts``; those of one job together."""
    groups: dict[tuple[object, ...], list[int]] = {}
    measurements = query.workload.measurements or ()
    for place, one in enumerate(measurements):
        conditions = tuple(getattr(one, name) for name in CONDITIONS)
        engine = with_suited_engine(query, (one.on,), market)[0].workload.framework
        groups.setdefault((conditions, engine, replace(splits_of(one.on), named=True)), []).append(place)
    found: dict[int, _Run] = {}
    faults: list[Fault] = []
    for places in groups.values():
        some = [measurements[place] for place in places]
        asked, _ = with_suited_engine(
            Query(_measured_work(query.workload, some[0], job.kind == kind.SERVING)), (some[0].on,), market
        )
        measured = replace(job_of(asked, market.coefficients), anchoring=parts)
        machines = _machines(some, market)
        faults += limit_faults(measured, some, machines, [f"/workload/measurements/{place}" for place in places])
        if not faults:
            found |= zip(places, _estimated(measured, some, machines, market), strict=True)
    if faults:
        raise Refused(tuple(sorted(faults, key=lambda fault: fault.pointer)))
    return [found[place] for place in sorted(found)]


def _measured_work(workload: Workload, one: OwnMeasurement, serving: bool) -> Workload:
    """The work that was measured: that of the question in the measurement's conditions, without amounts and limits."""
    stated = {name: getattr(one, name) for name in CONDITIONS if getattr(one, name) is not None}
    bare = replace(workload, measurements=None, deadline_hours=None, budget_usd=None, experiments=None)
    if workload.task == "inference":
        served: dict[str, Any] = dict.fromkeys(("requests", "tokens", "hours_of_audio", "latency_ms", "end_to_end_ms"))
        served |= dict.fromkeys(("requests_per_second", "requests_per_second_by_hour", "spare_replicas"))
        bare = replace(bare, **served, dataset=replace(bare.dataset, samples=None))
        bare = replace(bare, tpot_ms=NO_TARGET if serving else None)
    if "batch_size" in stated:
        bare = replace(bare, global_batch_size=None)
    return replace(bare, **stated)


def _machines(some: Sequence[OwnMeasurement], market: Market) -> Machines:
    """The machine of each measurement."""
    rows = [type_row(market, one.on) for one in some]
    own = own_machines([one.on for one, row in zip(some, rows, strict=True) if row < 0], market).machines
    rented = market.machines.take(np.array([row for row in rows if row >= 0], dtype=np.int32))
    both = concatenate([rented, own]) if len(own) and len(rented) else own if len(own) else rented
    order, before = [], [0, len(rented)]
    for row in rows:
        order.append(before[row < 0])
        before[row < 0] += 1
    stated = np.array([np.nan if one.on.network_gbps is None else one.on.network_gbps for one in some])
    found = both.take(np.array(order, dtype=np.int32))
    return found.changed(network_gbps=np.where(np.isnan(stated), found.network_gbps, stated))


def _estimated(job: Job, some: Sequence[OwnMeasurement], machines: Machines, market: Market) -> Iterator[_Run]:
    """The runs of one job with their estimates, as ``/v1/estimates`` makes them."""
    nodes = np.array([float(one.on.node_count) for one in some])
    every = np.arange(len(some), dtype=np.int32)
    sellers = np.where(machines.catalog_row >= 0, market.disk_sellers.take(machines.catalog_row), -1).astype(np.int32)
    candidates = candidates_among(machines, sellers, every, nodes, market.products(job))
    outcome = outcome_of(job, candidates, market.prices.disks, splits_of(some[0].on))
    figures, lost = _figures(outcome), _lost(outcome)
    vectors = len(market.catalog.accelerators) + machines.vector
    kinds = np.where(_on_devices(job, machines), machines.accelerator, vectors).tolist()
    for row, one in enumerate(some):
        estimated = {name: float(column[row]) for name, column in figures.items()}
        yield _Run(
            one=one,
            name=_name(one, machines, row),
            job=job,
            machine=row,
            kind=kinds[row],
            estimated=estimated,
            starved=bool(lost[row] > STARVED),
            obstacle=OBSTACLES[int(outcome.obstacle[row])],
            usable_gib=float(outcome.device.usable[row]),
            batch=float(outcome.batch_used[every][row]),
        )


def _on_devices(job: Job, machines: Machines) -> Flags:
    """Machines whose devices did the work, where they have any."""
    idle = job.kind in ON_PROCESSORS or (job.kind == kind.TABULAR_TRAINING and not job.learner.startswith("xgboost"))
    return machines.has_accelerator() & (not idle)


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


def _lost(outcome: Outcome) -> Floats:
    every = np.arange(len(outcome))
    return np.zeros(len(every)) if outcome.lost_share is None else outcome.lost_share[every]


SPEEDS = {"throughput": 1.0, "ttft_ms": -1.0, "tpot_ms": -1.0}  # sign of ln(measured) in the speed


def _log(run: _Run, figure: str) -> float | None:
    """ln(measured ÷ estimated) of a speed or of the memory; ``None`` where the measurement does not tell it."""
    stated, estimated = getattr(run.one, figure), run.estimated.get(figure, np.nan)
    if stated is None or not estimated > 0 or not np.isfinite(estimated):
        return None
    log = SPEEDS.get(figure, 1.0) * float(np.log(stated / estimated))
    return log if abs(log) < NOT_THE_SAME else None


def _memory_log(run: _Run) -> float | None:
    """ln(measured ÷ estimated) of the memory: what ran needed no more than there is."""
    if run.job.kind not in WITH_MEMORY:
        return None
    measured = _log(run, "accelerator_memory_gib")
    if measured is not None or run.obstacle != "accelerator_memory":
        return measured
    return float(np.log(run.usable_gib / run.estimated["accelerator_memory_gib"]))


def _rate_log(run: _Run) -> float | None:
    """The same of the throughput: a run that waits for its input tells of the devices only if it was faster."""
    log = _log(run, "throughput")
    return None if log is not None and run.starved and log <= 0 else log


Told = list[tuple[_Run, float]]  # measurements, each with its residual


def _plain(runs: Sequence[_Run]) -> dict[str, Told]:
    """The residuals of rate and memory."""
    found = {
        RATE: _known((run, _rate_log(run)) for run in runs),
        MEMORY: _known((run, _memory_log(run)) for run in runs),
    }
    return {name: told for name, told in found.items() if told}


def _parts_of_serving(runs: Sequence[_Run]) -> dict[str, Told]:
    """The residuals of tokens and prompts; a rate stands for the times that were not measured."""

    def either(figure: str) -> Told:
        found = _known((run, _log(run, figure)) for run in runs)
        return found or _known((run, _rate_log(run)) for run in runs)

    found = {TOKEN: either("tpot_ms"), PROMPT: either("ttft_ms")}
    return {name: told for name, told in found.items() if told}


def _rest_of_rate(run: _Run) -> float | None:
    """What is left of a rate's residual; nothing where only the time a token was measured."""
    return 0.0 if run.one.throughput is None and run.one.tpot_ms is not None else _rate_log(run)


def _known(told: Iterable[tuple[_Run, float | None]]) -> Told:
    return [(run, log) for run, log in told if log is not None]


def _effect(job: Job, figure: str, measured: Told, market: Market, apart: list[str]) -> Effect:
    """The effect on devices, then on processors; anchors that contradict each other are named in ``apart``."""
    kinds, devices = kinds_of(market.catalog.accelerators), len(market.catalog.accelerators)
    found = [_part(job, figure, on, measured, kinds, devices) for on in (True, False)]
    apart += [words for one in found for words in one[1]]
    return Effect(*(np.concatenate([getattr(one[0], name) for one in found]) for name in EFFECT))


def _part(
    job: Job, figure: str, on_devices: bool, measured: Sequence[tuple[_Run, float]], kinds: Kinds, devices: int
) -> tuple[Effect, list[str]]:
    """The effect on devices, or on processors, of the measurements there; and those that contradict each other."""
    rows = np.arange(devices) if on_devices else np.arange(devices, len(kinds.device))
    mine = [(run, log) for run, log in measured if (run.kind < devices) == on_devices]
    if not mine:
        return Effect(np.zeros(len(rows)), np.ones(len(rows)), np.zeros(len(rows))), []
    sharing = sharing_of(job, figure, on_devices)
    residuals = Residuals(
        kinds=kinds.take(np.array([run.kind for run, _ in mine])),
        condition=np.array([_condition(job, run) for run, _ in mine]),
        precision=np.array([0 if _alike(run.job.precision, job.precision) else 1 for run, _ in mine]),
        log=np.array([log for _, log in mine]),
    )
    targets = _same_maker(residuals.kinds) if figure == MEMORY else kinds.take(rows.astype(np.int32))
    pairs = disagrees(residuals, sharing)
    words = [f"{mine[one][0].name} and {mine[other][0].name}" for one, other in pairs[:1]]
    return effect_of(residuals, targets, sharing), words


def _same_maker(kinds: Kinds) -> Kinds:
    """Another device of the first anchor's maker."""
    unknown = np.full(1, -1 - len(VECTOR_CLASSES), dtype=np.int32)
    return Kinds(kinds.vendor[:1], unknown, unknown)


def _alike(one: str, other: str) -> bool:
    return SAME_SPEED.get(one, one) == SAME_SPEED.get(other, other)


def _condition(job: Job, run: _Run) -> list[float]:
    """How far batch or load and lengths lie from those of the question, in logarithms; 0 where it leaves them open."""
    asked, had = job.workload, run.job.workload
    pairs = [(had.batch_size, asked.batch_size), (had.sequence_length, asked.sequence_length)]
    if job.kind in kind.INFERENCE_KINDS:
        pairs += [(had.concurrency, asked.concurrency)]
        pairs += [(had.input_tokens, asked.input_tokens), (had.output_tokens, asked.output_tokens)]
    return [float(np.log(one / other)) if one and other else 0.0 for one, other in pairs] + [0.0] * (5 - len(pairs))


OF_SERVING = {RATE: "tokens_per_second", TOKEN: "tpot", PROMPT: "ttft"}


def sharing_of(job: Job, figure: str, on_devices: bool) -> Sharing:
    """The fitted sharing of a figure of the work."""
    if figure == MEMORY:
        return job.coefficients.anchors.of(MEMORY)
    if job.kind == kind.SERVING:
        name = OF_SERVING[figure]
    elif job.kind == kind.SAMPLE_TRAINING:
        name = f"{kind_of_network(profile_of(job))}_training" if on_devices else "training"
    elif job.kind == kind.TOKEN_TRAINING:
        name = range_of(dimensions_of(job))
    else:
        name = job.kind
    return job.coefficients.anchors.of(name if on_devices or job.kind not in NEURAL else f"cpu_{name}")


def _basis(effects: Mapping[str, Effect], runs: Sequence[_Run], devices: int) -> Ints:
    """The basis by kind of hardware: ``measured`` on the device itself, ``anchored`` where an anchor is near."""
    informed = [effects[name].informed for name in (RATE, TOKEN) if name in effects]
    if not informed:
        return np.full(devices + len(VECTOR_CLASSES), -1, dtype=np.int32)
    found = np.where(np.max(informed, axis=0) >= NEAR, ANCHORED, -1)
    told = [run.kind for run in runs if run.kind < devices and _tells_speed(run)]
    found[told] = MEASURED_HERE
    return found.astype(np.int32)


def _tells_speed(run: _Run) -> bool:
    return _rate_log(run) is not None or _log(run, "tpot_ms") is not None


WHY_UNUSED = {
    "throughput": "the estimate of this run waits for its input, so that it says nothing of the devices",
    "accelerator_memory_gib": "a server reserves its memory ahead; what it took says nothing of what it needs",
}


def _said(run: _Run) -> Iterator[AnchorSaid]:
    """Each measured figure of a run beside its estimate, and whether it says anything."""
    for name in FIGURES:
        stated, estimated = getattr(run.one, name), run.estimated.get(name, np.nan)
        if stated is None:
            continue
        told = {"throughput": _rate_log, "accelerator_memory_gib": _memory_log}.get(name)
        used = (told(run) if told is not None else _log(run, name)) is not None
        known = figure(estimated) if np.isfinite(estimated) and estimated > 0 else None
        why = None if used else "there is no estimate of this run" if known is None else WHY_UNUSED.get(name, FAR_OFF)
        yield AnchorSaid(run.name, name, figure(stated), known, used, why)


FAR_OFF = "it is over a thousand times off the estimate: the two are not of the same work"


def anchors_said(job: Job) -> tuple[AnchorSaid, ...]:
    """Return the measured figures of a question beside their estimates."""
    return () if job.anchoring is None else job.anchoring.anchors
