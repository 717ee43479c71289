"""Effects of a question's measurements: what the user's own runs say of the estimates of all hardware."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from .. import anchors
from ..anchors import Anchoring, AnchorSaid, Effect
from ..demand import kind
from ..demand.assume import job_of
from ..demand.job import Job, profile_of
from ..demand.kind_of_work import kind_key
from ..estimate.token_training.estimate import range_of
from ..hardware import PEAKS, Accelerators, Ints
from ..known import SAME_SPEED, kind_of_network
from ..machines import VECTOR_CLASSES
from ..spreads import ANCHORED, MEASURED_HERE
from ..workload import Query
from . import measured_runs
from .kept import Kept
from .market import Market
from .measured_runs import Run

NEURAL = (*measured_runs.WITH_MEMORY, kind.SERVING)
# Language models have other kernels before BF16 (FlashAttention-2's README asks for Ampere): residuals of training on
# both sides differ by 0.17 in ln, on one side by 0.06. Those of vision networks do not.
BY_BF16 = (kind.TOKEN_TRAINING, kind.SERVING)


def anchored_job_of(query: Query, market: Market, kept: Kept | None = None) -> Job:
    """Return the job of a query with the effects of its measurements; raises ``Refused`` where one is impossible."""
    job, measurements = job_of(query, market.coefficients), query.workload.measurements
    if not measurements:
        return job
    kept = kept or Kept()
    key = (kind_key(job), measured_runs.amounts_of(job, query), query.workload.framework is None, measurements)
    return replace(job, anchoring=kept.of("anchoring", key, lambda: anchoring_of(job, query, market, kept)))


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def anchoring_of(job: Job, query: Query, market: Market, kept: Kept) -> Anchoring:
    """Return what the measurements of a query say of every kind of hardware; raises ``Refused``."""
    on = tuple(one.on for one in query.workload.measurements or ())
    machines = kept.of("measured machines", on, lambda: measured_runs.measured_machines(on, market))
    devices = len(market.catalog.accelerators)
    runs = measured_runs.runs_of(job, query, market, machines)
    effects: dict[str, Effect] = {}
    apart: list[str] = []

    def look() -> list[Run]:
        """The runs under the effects that are known."""
        nothing = np.full(devices + len(VECTOR_CLASSES), -1, dtype=np.int32)
        parts = Anchoring(devices, dict(effects), nothing, memory_factor=_memory_factor(effects))
        return measured_runs.runs_of(job, query, market, machines, parts)

    for what, told in _serving(runs, look) if job.kind == kind.SERVING else _plain(runs, look):
        if told:
            effects[what] = _effect(job, what, told, market, apart)
    if anchors.PROMPT in effects and all(run.one.ttft_ms is None for run in runs):
        effects[anchors.PROMPT] = replace(effects[anchors.PROMPT], left=np.ones_like(effects[anchors.PROMPT].left))
    memory_factor, memory = _memory_factor(effects), effects.pop(anchors.MEMORY, None)
    return Anchoring(
        devices=devices,
        effects=effects,
        basis=_basis(effects, runs, devices),
        memory_factor=memory_factor,
        memory_left=(1.0, 1.0) if memory is None else tuple(memory.left[:, SOME_DEVICE].tolist()),
        most_nodes=max(run.one.on.node_count for run in runs),
        anchors=tuple(one for run in runs for one in measured_runs.said_of(run)),
        names=(_names(runs, range(devices)), _names(runs, range(devices, devices + len(VECTOR_CLASSES)))),
        disagree="; ".join(dict.fromkeys(apart)),
    )


def _names(runs: Sequence[Run], kinds: range) -> tuple[str, ...]:
    """The machines of those kinds of hardware whose speed was measured, each once."""
    return tuple(dict.fromkeys(run.name for run in runs if run.kind in kinds and measured_runs.tells_speed(run)))


EFFECT = ("log", "left", "informed")
SOME_DEVICE = 0  # the memory of a network is as large on any device: one effect holds for all


def _memory_factor(effects: Mapping[str, Effect]) -> float:
    return float(np.exp(effects[anchors.MEMORY].log[SOME_DEVICE])) if anchors.MEMORY in effects else 1.0


@lru_cache(maxsize=4)  # one or two catalogs
def kinds_of(accelerators: Accelerators, by_bf16: bool = False) -> anchors.Kinds:
    """Devices of the catalog, and behind them the vector classes of processors, in the words of the kernel.

    ``by_bf16``: a maker's devices without BF16 are as those of another maker, for work whose kernels differ there.
    """
    without = np.isnan(accelerators.peak_tflops[:, PEAKS.index("bf16")]) & by_bf16
    makers = zip(accelerators.vendor, without.tolist(), strict=True)
    vendors, generations = _numbered(list(makers)), _numbered(accelerators.generation)
    classes = len(VECTOR_CLASSES)
    return anchors.Kinds(
        vendor=np.append(vendors, np.full(classes, -1)).astype(np.int32),
        generation=np.append(generations, -1 - np.arange(classes)).astype(np.int32),
        device=np.arange(len(accelerators) + classes, dtype=np.int32),
    )


def _numbered(words: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in words]


Told = list[tuple[Run, float]]  # measurements, each with its residual


def _plain(runs: Sequence[Run], look: Callable[[], list[Run]]) -> Iterator[tuple[str, Told]]:
    """Yield the residuals of the memory, and of the rate of the runs as they are laid out with that memory."""
    memory = _known(runs, measured_runs.memory_log)
    yield anchors.MEMORY, memory
    yield anchors.RATE, _known(look() if memory else runs, measured_runs.rate_log)


def _serving(runs: Sequence[Run], look: Callable[[], list[Run]]) -> Iterator[tuple[str, Told]]:
    """Yield the residuals of prompts, of tokens and of the rate, each beyond what follows from those before.

    A rate stands for the times that were not measured.
    """
    first = _known(runs, lambda run: measured_runs.log_of(run, "ttft_ms"))
    yield anchors.PROMPT, first or _known(runs, measured_runs.rate_log)
    runs = look() if first else runs
    tokens = _known(runs, lambda run: measured_runs.log_of(run, "tpot_ms"))
    yield anchors.TOKEN, tokens or _known(runs, measured_runs.rate_log)
    yield anchors.RATE, _known(look(), _rest_of_rate)


def _rest_of_rate(run: Run) -> float | None:
    """What is left of a rate's residual; 0 if only the time per token was measured."""
    return 0.0 if run.one.throughput is None and run.one.tpot_ms is not None else measured_runs.rate_log(run)


def _known(runs: Sequence[Run], log: Callable[[Run], float | None]) -> Told:
    return [(run, found) for run in runs if (found := log(run)) is not None]


def _effect(job: Job, figure: str, measured: Told, market: Market, apart: list[str]) -> Effect:
    """The effect on devices, then on processors; anchors that contradict each other are named in ``apart``."""
    kinds, devices = kinds_of(market.catalog.accelerators, job.kind in BY_BF16), len(market.catalog.accelerators)
    found = [_part(job, figure, on, measured, kinds, devices) for on in (True, False)]
    apart += [words for one in found for words in one[1]]
    return Effect(*(np.concatenate([getattr(one[0], name) for one in found], axis=-1) for name in EFFECT))


def _part(
    job: Job, figure: str, on_devices: bool, measured: Sequence[tuple[Run, float]], kinds: anchors.Kinds, devices: int
) -> tuple[Effect, list[str]]:
    """The effect on devices, or on processors, of the measurements there; and those that contradict each other."""
    rows = np.arange(devices) if on_devices else np.arange(devices, len(kinds.device))
    mine = [(run, log) for run, log in measured if (run.kind < devices) == on_devices]
    if not mine:
        return Effect(np.zeros(len(rows)), np.ones((2, len(rows))), np.zeros(len(rows))), []
    sharing = sharing_of(job, figure, on_devices)

    def speed(precision: str) -> str:
        return SAME_SPEED.get(precision, precision)

    residuals = anchors.Residuals(
        kinds=kinds.take(np.array([run.kind for run, _ in mine])),
        condition=np.array([_condition(job, run) for run, _ in mine]),
        precision=np.array([speed(run.job.precision) != speed(job.precision) for run, _ in mine], dtype=int),
        log=np.array([log for _, log in mine]),
    )
    unknown = np.full(1, -1 - len(VECTOR_CLASSES), dtype=np.int32)  # another device of the first anchor's maker
    another = anchors.Kinds(residuals.kinds.vendor[:1], unknown, unknown)
    targets = another if figure == anchors.MEMORY else kinds.take(rows.astype(np.int32))
    pairs = anchors.disagrees(residuals, sharing)
    return anchors.effect_of(residuals, targets, sharing), [
        " and ".join(measured_runs.in_words(mine[row][0], FIGURE[figure]) for row in pair) for pair in pairs[:1]
    ]


FIGURE = {
    anchors.RATE: "throughput",
    anchors.PROMPT: "ttft_ms",
    anchors.TOKEN: "tpot_ms",
    anchors.MEMORY: "accelerator_memory_gib",
}


def _condition(job: Job, run: Run) -> list[float]:
    """How far batch or load and lengths lie from those of the question, in logarithms; 0 where it leaves them open."""
    asked, had = job.workload, run.job.workload
    own = measured_runs.conditions_of(run.one, job)
    batch, users = own.get("batch_size", had.batch_size), own.get("concurrency", had.concurrency)
    pairs = [(batch, asked.batch_size), (had.sequence_length, asked.sequence_length)]
    if job.kind in kind.INFERENCE_KINDS:
        pairs += [(users, asked.concurrency)]
        pairs += [(had.input_tokens, asked.input_tokens), (had.output_tokens, asked.output_tokens)]
    return [float(np.log(one / other)) if one and other else 0.0 for one, other in pairs] + [0.0] * (5 - len(pairs))


OF_SERVING = {anchors.RATE: "tokens_per_second", anchors.TOKEN: "tpot", anchors.PROMPT: "ttft"}


def sharing_of(job: Job, figure: str, on_devices: bool) -> anchors.Sharing:
    """The fitted sharing of a figure of the work."""
    if figure == anchors.MEMORY:
        return job.coefficients.anchors.of(anchors.MEMORY)
    if job.kind == kind.SERVING:
        name = OF_SERVING[figure]
    elif job.kind == kind.SAMPLE_TRAINING:
        name = f"{kind_of_network(profile_of(job))}_training" if on_devices else "training"
    elif job.kind == kind.TOKEN_TRAINING:
        name = range_of(job)
    else:
        name = job.kind
    return job.coefficients.anchors.of(name if on_devices or job.kind not in NEURAL else f"cpu_{name}")


def _basis(effects: Mapping[str, Effect], runs: Sequence[Run], devices: int) -> Ints:
    """The basis by kind of hardware: ``measured`` on the device itself, ``anchored`` where an anchor is near."""
    informed = [effects[name].informed for name in (anchors.RATE, anchors.TOKEN) if name in effects]
    if not informed:
        return np.full(devices + len(VECTOR_CLASSES), -1, dtype=np.int32)
    found = np.where(np.max(informed, axis=0) >= anchors.NEAR, ANCHORED, -1)
    for run in runs:
        tells = measured_runs.rate_log(run) is not None or measured_runs.log_of(run, "tpot_ms") is not None
        if run.kind < devices and tells:
            found[run.kind] = MEASURED_HERE
    return found.astype(np.int32)


def anchors_said(job: Job) -> tuple[AnchorSaid, ...]:
    """Return the measured figures of a question beside their estimates."""
    return () if job.anchoring is None else job.anchoring.anchors
