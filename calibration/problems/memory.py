"""The problem of device memory in training: bytes kept per stored element, by class of network and release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.files import fields_of, form_file
from calibration.fitting import Fit, FormProblem, figures_of, fit, hold_out, no_levels, shared_noise
from calibration.problems.rows import Question, SampleGroup, asked_machine, by_work, grouped
from calibration.problems.token_training import STATED_CARD, layouts_of
from calibration.results import (
    Calibrated,
    Evidence,
    Residual,
    generations_of,
    held_out,
    labels,
    residuals_of,
)
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.coefficients import TOKEN_TRAINING, TRAINING_MEMORY, Coefficients, TrainingMemory
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.estimate.requirements import device_need, usable_gib
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.machines import concatenate
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import SCHEMES

PEAK, LARGEST = "peak_memory_gib", "largest_batch"


class Group(SampleGroup):
    """Rows whose figure is the memory of one device."""

    def required(self, coefficients: Coefficients, times: float = 1.0) -> Floats:
        """GiB of one device at ``times`` the batch, by the engine's own formula."""
        job, numbers = self.at(coefficients)
        need = device_need(job, self.profile, self.machines, numbers.element_bytes)
        required: Floats = need.required(self.batch * times)
        return required

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the GiB of one device."""
        needed: Floats = np.log(self.required(coefficients))
        return needed

    @property
    def usable(self) -> Floats:
        return usable_gib(self.machines)


def usable_rows(measurements: Iterable[Measurement], market: Market) -> list[Measurement]:
    """Return undoubted peaks and largest batches, without devices that held more than the catalog says."""
    rows = [
        row for row in measurements
        if row.metric in (PEAK, LARGEST) and row.task == "training" and not row.doubt and row.batch_size
    ]  # fmt: skip
    memory = dict(zip(market.catalog.accelerators.name, market.catalog.accelerators.memory_gib, strict=True))
    larger = {
        row.accelerator for row in rows if row.metric == PEAK and row.value > memory.get(row.accelerator or "", np.inf)
    }
    return [row for row in rows if row.accelerator not in larger]


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Measurement, ...], tuple[Group, ...]]:
    """The rows of models that are counted in samples, and their groups."""
    works = by_work(usable_rows(measurements, market), "batch_size")
    return grouped(works, lambda members, first: _group(members, first, market))


def _group(members: Sequence[Question], first: int, market: Market) -> tuple[list[Measurement], Group] | None:
    job = job_of(Query(replace(members[0].workload, batch_size=None)), starting())
    if job.kind != kind.SAMPLE_TRAINING or job.profile is None:
        return None
    machines = concatenate([asked_machine(one.hardware, market) for one in members])
    batch = np.array([float(one.row.batch_size or 1) for one in members])
    order = np.arange(first, first + len(members), dtype=np.int32)
    return [one.row for one in members], Group(job, job.profile, order, machines, batch)


# Sources whose figures lack a part of a device's need: the allocator's reserve, or the framework's context.
ALLOCATED = ("litgpt", "torchtune")  # allocated memory
RESERVED = ("torchtitan",)  # the allocator's memory


@dataclass(frozen=True)
class TokenPeak:
    """A measured peak as a device's need, and the engine's figure for it, both in GiB."""

    row: Measurement
    measured: float
    required: float

    @property
    def log_error(self) -> float:
        return float(np.log(self.required / self.measured))


def token_peaks(measurements: Iterable[Measurement], market: Market) -> list[TokenPeak]:
    """Every undoubted peak of a training by tokens."""
    wanted = [
        row for row in measurements
        if row.metric == PEAK and row.task == "training" and row.doubt in ("", STATED_CARD)
    ]  # fmt: skip
    return [TokenPeak(row, _as_needed(row), float(layout.need_gib[0])) for row, layout in layouts_of(wanted, market)]


def _as_needed(row: Measurement) -> float:
    if row.source in ALLOCATED:
        return row.value * TOKEN_TRAINING.reserve + TRAINING_MEMORY.context_gib
    return row.value + TRAINING_MEMORY.context_gib if row.source in RESERVED else row.value


# Prior standard deviation of ln(coefficient). ``mlp`` and ``other`` have a prior of their own in the study.
DEVIATIONS: Mapping[str, float] = {
    "kappa_convolution": 0.15, "kappa_encoder": 0.15, "kappa_eager_encoder": 0.15, "kappa_segment_transformer": 0.3,
    "kappa_rnn": 0.15, "kappa_convolution_1d": 0.15, "kappa_lean_convolution_1d": 0.2, "kappa_mlp": 0.15,
    "context_gib": 0.1,
}  # fmt: skip
PEAK_NOISE, LARGEST_NOISE = 0.05, 0.10  # of one configuration, in ln
TWICE = float(np.log(2.0))
KIND = "memory"


@dataclass(frozen=True, eq=False)
class MemoryProblem(FormProblem[Measurement]):
    """Peaks, and largest batches, whose need lies in an interval."""

    peaks: Flags  # the others are largest batches

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of the GiB that a device needs; for a largest batch, measured value plus distance to the interval."""
        needed = super().log_predicted(values, rows)
        measured = self.log_measured[rows]
        inside = np.clip(needed, measured - TWICE, measured)
        predicted: Floats = np.where(self.peaks[rows], needed, measured + needed - inside)
        return predicted


def problem_of(rows: tuple[Measurement, ...], groups: tuple[Group, ...]) -> MemoryProblem:
    """The problem of those rows, with the priors of the study."""
    usable = np.concatenate([group.usable for group in groups])
    peaks = np.array([row.metric == PEAK for row in rows])
    measured = np.log(np.where(peaks, [row.value for row in rows], usable))
    levels = no_levels(len(rows))
    return MemoryProblem("memory", DEVIATIONS, rows, groups, measured, noise_of(rows), levels, peaks)


def noise_of(rows: Sequence[Measurement]) -> Floats:
    """Noise of each row; every configuration of a metric counts alike, whatever the number of its rows."""
    single = np.array([{PEAK: PEAK_NOISE, LARGEST: LARGEST_NOISE}[row.metric] for row in rows])
    return shared_noise(single, [configuration(row) for row in rows], 0.5)


def configuration(row: Measurement) -> tuple[str, str, str, str | None]:
    """Key of the rows that differ in device and batch alone."""
    return row.metric, row.model, row.precision, row.framework_version


def calibrated(evidence: Evidence) -> Calibrated:
    """Fit the bytes kept per element, and compare language-model training with its closed form."""
    market = market_of(evidence.catalog, starting())
    rows, groups = groups_of(evidence.shipped, market)
    problem = problem_of(rows, groups)
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Device memory in training: bytes kept over those of the stored elements, by class of network."
    generations = generations_of(evidence.catalog)
    peaks = token_peaks(evidence.shipped, market)
    return Calibrated(
        name="memory",
        files={"memory": form_file(about, "memory", fields_of(figures))},
        residuals=[*errors_of(problem, found, generations), *of_token_peaks(peaks, generations)],
        figures={"memory": figures},
        notes=[decisions(problem, found)],
    )


def errors_of(problem: MemoryProblem, found: Fit, generations: Mapping[str, str]) -> list[Residual]:
    """Errors of every peak by the fits without its device, model or source; a largest batch has no known need."""
    every = held_out(problem, found, problem.rows, [KIND] * len(problem.rows), generations)
    return [one for one, peak in zip(every, [*problem.peaks] * len(SCHEMES), strict=True) if peak]


def of_token_peaks(peaks: Sequence[TokenPeak], generations: Mapping[str, str]) -> list[Residual]:
    """Errors of peaks to which nothing was fitted: the same under every scheme."""
    rows, kinds = [one.row for one in peaks], [KIND] * len(peaks)
    errors = np.array([one.log_error for one in peaks])
    return [one for scheme in SCHEMES for one in residuals_of(rows, kinds, generations, scheme, errors)]


def decisions(problem: MemoryProblem, found: Fit) -> str:
    """Share of largest batches that are said to fit, with their device or their model held out."""
    shares = []
    for scheme in ("device", "model"):
        errors = hold_out(problem, found, labels(problem.rows, scheme))[~problem.peaks]
        shares.append(f"{np.mean(errors <= -np.log(TrainingMemory().low)):.1%} ({scheme} held out)")
    return f"{' and '.join(shares)} of the {int(np.sum(~problem.peaks))} largest batches that ran are estimated to fit."
