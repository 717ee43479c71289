"""The problem of language-model training: coefficients of a micro-batch's time, fitted to tokens a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.asked import asked
from calibration.files import fields_of, form_file
from calibration.fitting import Fit, FormProblem, figures_of, fit, no_levels, noise_by_source
from calibration.problems.rows import Question, asked_machine, by_work, grouped
from calibration.results import Calibrated, Evidence, Residual, generations_of, held_out
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.clusters import splits_of
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.columns import joined
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind import ADAPTED
from plimsoll_service.engine.estimate.arithmetic import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.token_training.layouts import lay_out
from plimsoll_service.engine.estimate.token_training.memory import Layout, Trained, trained_of
from plimsoll_service.engine.estimate.token_training.step import TokenRun, micro_batch_seconds
from plimsoll_service.engine.hardware import Catalog, Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import Hardware, Query
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

# torchtitan's card is in no catalog, but its figures are stated: an H100 with other memory and less power.
STATED_CARD = "no such device in the catalog: 96 GB of HBM2e at 2.4 TB/s and a limit of 500 W"
STATED_CARD_NAME, STATED_CARD_BASE = "H100-96GB-HBM2e", "H100-SXM"
STATED_CARD_GIB, STATED_CARD_GB_S, STATED_CARD_W = 95.0, 2400.0, 500.0


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that make one job: everything the same but machine, batch and counts."""

    job: Job
    trained: Trained
    rows: Ints
    machines: Machines
    numbers: Arithmetic
    layout: Layout

    def log_figure(self, coefficients: Coefficients) -> Floats:
        """ln of the tokens a second of all devices, by the engine's own formula."""
        job = replace(self.job, coefficients=coefficients)
        inside = np.maximum(self.machines.devices, 1.0)
        run = TokenRun(job, self.trained, self.machines, self.numbers, self.layout, inside)
        seconds, _ = micro_batch_seconds(run)
        rate: Floats = np.log(run.tokens * self.layout.place.replicas / seconds)
        return rate


def usable(row: Measurement) -> bool:
    """Whether a row is tokens a second in training, undoubted except for the doubt that is resolved here."""
    return row.task == "training" and row.metric == "tokens/s" and row.doubt in ("", STATED_CARD)


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Measurement, ...], tuple[Group, ...]]:
    """Return the rows that the formula covers, and their groups."""
    works = by_work(filter(usable, measurements), "batch_size", "global_batch_size")
    return grouped(works, lambda members, first: _group(members, first, market))


def _group(members: Sequence[Question], first: int, market: Market) -> tuple[list[Measurement], Group] | None:
    jobs = [job_of(Query(one.workload), starting()) for one in members]
    job = jobs[0]
    if job.kind != kind.TOKEN_TRAINING or job.profile is None or job.profile.transformer is None:
        return None
    trained = trained_of(job)
    machines = [_machine(one.row, one.hardware, market) for one in members]
    layouts = []
    for one, machine, member in zip(jobs, machines, members, strict=True):
        inside = np.maximum(machine.devices, 1.0)
        devices, splits = inside * member.hardware.node_count, splits_of(member.hardware)
        layouts.append(lay_out(one, trained, machine, devices, inside, splits).layout())
    together = concatenate(machines)
    numbers = arithmetic(together, job.precision, job.half_falls_back, job.coefficients.roofline)
    order = np.arange(first, first + len(members), dtype=np.int32)
    return [one.row for one in members], Group(job, trained, order, together, numbers, joined(layouts))


def layouts_of(measurements: Iterable[Measurement], market: Market) -> Iterator[tuple[Measurement, Layout]]:
    """Yield each row of training by tokens, with its layout on all its devices."""
    for row in measurements:
        workload, hardware = asked(row)
        job = job_of(Query(workload), starting())
        if job.kind != kind.TOKEN_TRAINING or job.profile is None or job.profile.transformer is None:
            continue
        machine = _machine(row, hardware, market)
        inside = np.maximum(machine.devices, 1.0)
        devices = inside * hardware.node_count
        yield row, lay_out(job, trained_of(job), machine, devices, inside, splits_of(hardware)).layout()


def _machine(row: Measurement, hardware: Hardware, market: Market) -> Machines:
    if row.doubt != STATED_CARD:
        return asked_machine(hardware, market)
    machine = asked_machine(replace(hardware, accelerator=STATED_CARD_BASE), market)
    return replace(
        machine,
        device_memory_gib=np.array([STATED_CARD_GIB]),
        bandwidth_gb_s=np.array([STATED_CARD_GB_S]),
        power_w=np.array([STATED_CARD_W]),
    )


# Prior standard deviation of ln(coefficient): what another kernel library or release may change (study, section 4).
# How often a layer of experts launches was a guess: its rows may not speak of the launches of other layers.
# The coefficients that are not here stay at the study's physical values.
DEVIATIONS: Mapping[str, float] = {
    "gemm": 0.15, "peak_exponent": 0.4, "attention": 0.3, "attention_peak_exponent": 0.4, "elementwise": 0.3,
    "experts": 0.3, "recomputation": 0.3, "stock": 0.1, "neuron": 0.5, "tpu": 0.5, "gaudi": 0.5,
    "peak8_exponent": 0.5, "layer_launch_s": 0.4, "tensor_exchange": 0.5,
    "moe_launch": 1.0, "rack_experts": 0.5, "dequantise_gptq": 0.5, "adapter_bytes": 0.4,
}  # fmt: skip
NOISE = 0.10  # of one row, in ln
KIND, OF_ADAPTERS = "llm_training", "adapter_training"


def problem_of(rows: tuple[Measurement, ...], groups: tuple[Group, ...]) -> FormProblem[Measurement]:
    """The problem of those rows, with the priors of the study."""
    measured = np.log([row.value for row in rows])
    noise = noise_by_source(rows, NOISE)
    return FormProblem("token_training", DEVIATIONS, rows, groups, measured, noise, no_levels(len(rows)))


def calibrated(evidence: Evidence) -> Calibrated:
    """Fit the form to the table's rows, and hold out each device, model and source in turn."""
    rows, groups = groups_of(evidence.shipped, market_of(evidence.catalog, starting()))
    problem = problem_of(rows, groups)
    found = fit(problem)
    figures = figures_of(problem, found)
    about = "Language-model training by tokens: coefficients of a micro-batch's time."
    return Calibrated(
        name="token_training",
        files={"token_training": form_file(about, "token_training", fields_of(figures))},
        residuals=errors_of(problem, found, evidence.catalog),
        figures={"token_training": figures},
    )


def errors_of(problem: FormProblem[Measurement], found: Fit, catalog: Catalog) -> list[Residual]:
    """Return the errors of every row, with its device, model and source held out in turn."""
    generations = {**generations_of(catalog), STATED_CARD_NAME: "Hopper"}
    return held_out(problem, found, problem.rows, [kind_of_row(row) for row in problem.rows], generations)


def kind_of_row(row: Measurement) -> str:
    """Kind of work of a row in the report."""
    return OF_ADAPTERS if row.method in ADAPTED else KIND
