"""The throughput problem: coefficients of a step's formula and shrunk effects, fitted to one-device rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.files import Written, effects_of, fields_of, form_file
from calibration.fitting import Fit, FormProblem, Levels, figures_of, fit, shared_noise
from calibration.problems.rows import Question, SampleGroup, asked_machine, by_work, grouped
from calibration.results import Calibrated, Evidence, Residual, generations_of, held_out
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.software import two_stages
from plimsoll_service.engine.effects import CLASSES, Device, Work, chip_levels, match_of, model_level, work_levels
from plimsoll_service.engine.estimate.arithmetic import arithmetic, class_of, devices_at, work_of
from plimsoll_service.engine.estimate.roofline import step_terms
from plimsoll_service.engine.estimate.samples.inference import batches_of
from plimsoll_service.engine.estimate.samples.layouts import recomputing
from plimsoll_service.engine.hardware import Catalog, Floats
from plimsoll_service.engine.machines import concatenate
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

KINDS = (kind.SAMPLE_TRAINING, kind.INFERENCE)


class Group(SampleGroup):
    """Rows whose figure is the rate of one device."""

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the samples a second of one device, by the engine's formula; the engine's effects are not applied."""
        job, numbers = self.at(coefficients)
        seconds = step_terms(job, self.profile, self.machines, numbers).step(self.batch).seconds
        again = recomputing(job, "full") if job.workload.activation_recomputation == "full" else 1.0
        rate: Floats = np.log(self.batch / (seconds * again))
        return rate


@dataclass(frozen=True)
class Row:
    """A measurement of one device in the words of the levels."""

    measurement: Measurement
    work: Work
    arithmetic: str
    device: Device

    @property
    def rate(self) -> float:
        """Samples a second of one device: devices infer side by side."""
        return self.measurement.value / self.measurement.device_count


# Boards whose processor and device share one memory and few watts: they would move what cards share.
NOT_FITTED = ("ultralytics-jetson",)


def device_levels(work: Work, arithmetic: str, device: Device) -> tuple[str, ...]:
    """Levels that belong to the device, or to the work on its microarchitecture."""
    own = chip_levels(arithmetic, device)
    return (*own, model_level(work, arithmetic, device)) if own and work.model else own


def usable(row: Measurement) -> bool:
    """Whether a row is an undoubted rate in samples, of one device where devices exchange gradients."""
    alone = row.device_count == 1 or row.task == "inference"
    return row.metric == "samples/s" and not row.doubt and alone and row.source not in NOT_FITTED


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Row, ...], tuple[Group, ...]]:
    """Return the rows that the formula covers, and their groups, without work that the engine cannot run."""
    works = by_work(filter(usable, measurements), "batch_size")
    return grouped(works, lambda members, first: _group(members, first, market))


def _group(members: Sequence[Question], first: int, market: Market) -> tuple[list[Row], Group] | None:
    job = job_of(Query(replace(members[0].workload, batch_size=None)), starting())
    profile = job.profile
    # The host's time between two stages is a constant drawn from those very rows.
    if profile is None or job.kind not in KINDS or two_stages(job, profile):
        return None
    machines = concatenate([asked_machine(one.hardware, market) for one in members])
    numbers = arithmetic(machines, job.precision, job.half_falls_back, job.coefficients.roofline)
    most = batches_of(profile)[-1]
    batch = np.array([float(one.row.batch_size or most) for one in members])
    seconds = step_terms(job, profile, machines, numbers).step(batch).seconds
    meant = np.array([one.row.accelerator is not None for one in members]) == machines.has_accelerator()
    kept = np.flatnonzero(numbers.supported & np.isfinite(seconds) & meant).astype(np.int32)
    if not len(kept):
        return None
    classes, work = class_of(machines, numbers, job.precision), work_of(job, profile)
    devices = zip(kept.tolist(), devices_at(machines, kept), strict=True)
    rows = [Row(members[i].row, work, CLASSES[classes[i]], device) for i, device in devices]
    order = np.arange(first, first + len(kept), dtype=np.int32)
    return rows, Group(job, profile, order, machines.take(kept), batch[kept])


# Prior standard deviation of a level's effect on ln(time), by the first words of its name: the throughput study's
# (section 2), but half for ports and one and a half for models: held-out errors are the same, and related networks
# keep their order. Tuning beyond the formula's gain has the prior of a framework's task.
LEVEL_DEVIATIONS: Mapping[str, float] = {
    "family": 0.20, "architecture": 0.30, "architecture mode": 0.15, "model": 0.12, "model mode": 0.08,
    "software": 0.20, "software mode": 0.12, "framework": 0.10, "tuned": 0.10, "network": 0.20,
    "port": 0.08, "port class": 0.10,
    "microarchitecture": 0.10, "microarchitecture model": 0.12, "consumer": 0.15, "laptop": 0.20,
    "device": 0.08, "device class": 0.06, "chip": 0.10,
}  # fmt: skip
JOINED = " & "  # joins the names of levels with the same rows


def level_names(row: Row) -> tuple[str, ...]:
    """All levels of a row."""
    return (*work_levels(row.work, row.arithmetic), *device_levels(row.work, row.arithmetic, row.device))


def kind_of_level(name: str) -> str:
    """Return the prior's name of a level: its first word, and whether it is nested in another."""
    words = name.split(" ")
    nested = {
        ("architecture", 4): "architecture mode", ("model", 4): "model mode", ("software", 4): "software mode",
        ("port", 5): "port class", ("device", 3): "device class", ("microarchitecture", 4): "microarchitecture model",
    }  # fmt: skip
    return nested.get((words[0], len(words)), words[0])


def levels_of(rows: Sequence[Row]) -> Levels:
    """Return the design: −1 where a row has a level, because an effect on the time is negative for the rate.

    Levels with the same rows are one unknown with the sum of their prior variances; ``split`` divides it again.
    """
    members: dict[tuple[int, ...], list[str]] = {}
    of_name: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        for name in level_names(row):
            of_name.setdefault(name, []).append(index)
    for name in sorted(of_name):
        members.setdefault(tuple(of_name[name]), []).append(name)
    design = np.zeros((len(rows), len(members)))
    for column, indices in enumerate(members):
        design[list(indices), column] = -1.0
    names = tuple(JOINED.join(found) for found in members.values())
    return Levels(names, design, np.array([np.sqrt(sum(_variances(name))) for name in names]))


def split(levels: Levels, found: Fit) -> list[Written]:
    """Return the effect and error of each level; levels of one unknown share it by their prior variances."""
    parted = []
    for name, effect, error in zip(levels.names, found.effects, found.effect_errors, strict=True):
        variances = _variances(name)
        for one, variance in zip(name.split(JOINED), variances, strict=True):
            share = variance / sum(variances)
            spread = np.sqrt(variance * (1 - share) + (share * error) ** 2)
            parted.append(Written(one, float(effect) * share, float(spread), 0.0))
    return sorted(parted, key=lambda one: one.name)


def _variances(name: str) -> list[float]:
    return [LEVEL_DEVIATIONS[kind_of_level(one)] ** 2 for one in name.split(JOINED)]


# Prior standard deviation of ln(coefficient): efficiencies are wide, latencies are known within a factor of two,
# exponents and yearly gains within the studies' errors; what tuning adds is known within a factor of two. The
# efficiency of cores is as narrow as left-out laboratories ask for: inference would raise what training shares.
DEVIATIONS: Mapping[str, float] = {
    "compute_fp32": 0.3, "compute_tf32": 0.3, "compute_tensor16": 0.3, "compute_8bit": 0.5, "compute_neuron": 0.5,
    "compute_cpu": 0.25, "compute_cpu_8bit": 0.5, "memory": 0.2, "memory_inference": 0.2, "fused_traffic": 0.4,
    "gather": 0.5, "launch_training_s": 0.5, "launch_inference_s": 0.5, "launch_sequential_s": 0.5,
    "launch_denoising_s": 0.5, "host_s": 0.7,
    "cpu_launches": 0.7,
    "filling": 0.3, "cpu_filling": 0.5, "balance_exponent": 0.3, "power_exponent": 0.3, "cpu_core_saturation": 0.7,
    "kepler_clock": 0.2, "tuned_tensor": 0.5, "tuned_inference": 0.7, "tuned_plain": 0.7,
    "year_tensor": 0.03, "year_recurrent": 0.03, "recent_year": 0.03,
}  # fmt: skip
NOISE = 0.07  # of one row, in ln
SOURCE_WEIGHT = 0.20  # the noise of a row grows with so much of a power of its source's rows
REPEAT_WEIGHT = 0.5  # and of the rows that differ in batch alone


def problem_of(rows: tuple[Row, ...], groups: tuple[Group, ...]) -> FormProblem[Row]:
    """The problem of those rows; a level's effect is on the rate here, the engine's is on the time."""
    measured = np.log([row.rate for row in rows])
    return FormProblem("roofline", DEVIATIONS, rows, groups, measured, noise_of(rows), levels_of(rows))


def noise_of(rows: Sequence[Row]) -> Floats:
    """Noise of each row, larger the more rows its source and its configuration have."""
    by_source = shared_noise(NOISE, [row.measurement.source for row in rows], SOURCE_WEIGHT)
    return shared_noise(by_source, [configuration(row) for row in rows], REPEAT_WEIGHT)


def configuration(row: Row) -> str:
    """Key of the rows that differ in batch alone."""
    return match_of(row.work, row.arithmetic, row.device)


# Standard deviations, in ln: of a configuration about the sum of its levels, and of a row about its configuration.
MATCH_DEVIATION, ROW_DEVIATION = 0.15, 0.10
EFFECTS = (
    "Effects on ln(time of a step): levels of architecture, software and device, "
    "and measured configurations beyond their sum."
)
LEAST_EFFECT = 0.004  # smaller ones are not written: the comparison of two fits allows them


def calibrated(evidence: Evidence) -> Calibrated:
    """Fit the form and its effects to the table's rows, and hold out each device, model and source in turn."""
    rows, groups = groups_of(evidence.shipped, market_of(evidence.catalog, starting()))
    problem = problem_of(rows, groups)
    last = evidence.committed.roofline
    found = fit(problem, [getattr(last, one.name) for one in problem.parameters])
    figures = figures_of(problem, found)
    return Calibrated(
        name="throughput",
        files={
            "roofline": form_file("Step time on one device.", "roofline", fields_of(figures)),
            "effects": {
                "about": EFFECTS,
                "levels": effects_of(_large(split(problem.levels, found))),
                "matches": effects_of(_large(matches_of(problem, found))),
            },
        },
        residuals=errors_of(problem, found, evidence.catalog),
        figures={"roofline": figures},
    )


def matches_of(problem: FormProblem[Row], found: Fit) -> list[Written]:
    """Return the shrunk residual of each measured configuration: n·s² ÷ (n·s² + σ²) of its rows' median."""
    errors: dict[str, list[float]] = defaultdict(list)
    for row, error in zip(problem.rows, found.errors, strict=True):
        if row.device.name:
            errors[configuration(row)].append(float(error))
    return [Written(name, shrunk(members), ROW_DEVIATION, 0.0) for name, members in sorted(errors.items())]


def shrunk(errors: Sequence[float]) -> float:
    """A normal effect given its rows' errors; their median, because ports of one name can be two programs."""
    weight = len(errors) * MATCH_DEVIATION**2
    return float(np.median(errors)) * weight / (weight + ROW_DEVIATION**2)


def _large(figures: Iterable[Written]) -> list[Written]:
    return [one for one in figures if abs(one.value) >= LEAST_EFFECT]


def errors_of(problem: FormProblem[Row], found: Fit, catalog: Catalog) -> list[Residual]:
    """Return the errors of every row, with its device, model and source held out in turn."""
    rows = [row.measurement for row in problem.rows]
    return held_out(problem, found, rows, [kind_of_row(row) for row in problem.rows], generations_of(catalog))


def kind_of_row(row: Row) -> str:
    """Kind of work of a row in the report."""
    training = row.work.mode == "training"
    if not row.device.name:
        return "cpu_training" if training else "cpu_inference"
    return f"{row.work.network}_training" if training else "classic_inference"
