"""The serving problems: on bundled measurements, and on runs of rented instances where a user has their file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from calibration.files import Written, fields_of, form_file
from calibration.fitting import Fit, Levels, Parameter, figures_of, fit, no_levels, shared_noise
from calibration.problems.serving_rows import Group, groups_of
from calibration.results import Calibrated, Evidence, Residual, generations_of, held_out
from plimsoll_service.engine.choice.market import market_of
from plimsoll_service.engine.hardware import Catalog, Floats, Ints
from plimsoll_service.engine.serving_coefficients import Serving, VectorRates
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

CLASSES = tuple(one.name for one in fields(VectorRates))
RATE_DEVIATION = 0.4  # of ln(GFLOP/s of a core)
FORM: Mapping[str, float] = {
    "cpu.bandwidth_llama_cpp": 0.2, "cpu.bandwidth_kv": 0.3, "cpu.sockets_reading": 0.3,
    "cpu.sockets_prefill": 0.3, "cpu.decode_cores": 0.05, "cpu.prefill_cores": 0.05, "cpu.host_exponent": 0.3,
    "cpu.layer_s": 0.5, "cpu.layer_core_s": 0.5, "cpu.layer_llama_cpp_s": 0.5, "cpu.layer_core_llama_cpp_s": 0.5,
    "cpu.step_s": 0.5, "cpu.sequence_s": 0.5, "cpu.first_token_s": 0.5, "cpu.prefill_batch": 0.4,
    "cpu.interference": 0.3, "cpu.queue": 0.7, "cpu.attention": 0.5, "cpu.fp16_decode": 0.4, "cpu.fp16_prefill": 0.4,
    "cpu.word_s": 1.0, "cpu.undivided_prefill": 0.4,
}  # fmt: skip
PROCESSORS: Mapping[str, float] = {
    **FORM,
    **{
        f"{table}.{name}": RATE_DEVIATION
        for table in ("decode", "prefill", "decode_llama_cpp", "prefill_llama_cpp")
        for name in CLASSES
    },
}
MOST_ALIKE = 6  # rows of one model and load on one processor: thousands of machines differ in size alone


def thinned(rows: Sequence[Measurement]) -> list[Measurement]:
    """Keep ``MOST_ALIKE`` evenly spread rows of those that differ in machine size, lengths and load alone."""
    alike: dict[tuple[object, ...], list[Measurement]] = {}
    for one in rows:
        key = (one.source, one.cpu, one.model, one.precision, one.metric, one.load)
        alike.setdefault(key, []).append(one)
    kept = {one.id for members in alike.values() for one in _spread(members)}
    return [one for one in rows if one.id in kept]


def _spread(members: list[Measurement]) -> list[Measurement]:
    """Return rows evenly spread in order of size, lengths and load."""
    ordered = sorted(members, key=lambda one: (one.vcpus or 0, one.input_tokens or 0, one.concurrency or 0.0, one.id))
    count = min(len(ordered), MOST_ALIKE)
    return [ordered[(2 * place + 1) * len(ordered) // (2 * count)] for place in range(count)]


# Prior standard deviation of ln(coefficient): a quarter for efficiencies, a factor of 1.6 for latencies, wider
# where the study had few rows.
DEVICES: Mapping[str, float] = {
    "device.bandwidth_hbm": 0.1, "device.bandwidth_gddr": 0.1, "device.bandwidth_neuron": 0.1,
    "device.bandwidth_llama_cpp": 0.1,
    "device.experts": 0.3, "device.kv": 0.2, "device.compute16": 0.25, "device.compute8": 0.25,
    "device.compute4": 0.4, "device.compute_weight_only": 0.3, "device.compute_quantised": 0.3,
    "device.norm": 0.15, "device.attention": 0.2, "device.attention_llama_cpp": 0.4,
    "device.step_s": 0.4, "device.layer_s": 0.4, "device.moe_layer_s": 0.4, "device.allreduce_nvlink_s": 0.4,
    "device.allreduce_neuron_s": 0.5, "host.pcie_gb_s": 0.5, "device.interference": 0.2, "device.prefill_s": 0.4,
    "device.prefill_launches": 0.4, "device.queue_steps": 0.3, "device.queue": 0.2, "device.offline": 0.1,
    "tensorrt_llm.step": 0.3, "tensorrt_llm.layer": 0.3, "tensorrt_llm.host_s": 0.5,
    "tensorrt_llm.first_token_s": 0.25, "tensorrt_llm.moe_prefill_s": 0.25,
    "sglang.step": 0.3, "sglang.layer": 0.3, "sglang.host_s": 0.5, "sglang.first_token_s": 0.25,
    "sglang.moe_prefill_s": 1.0,
    "llama_cpp.step": 0.3, "llama_cpp.layer": 0.3, "llama_cpp.first_token_s": 0.5,
    "neuron.step": 0.3, "neuron.layer": 0.3, "neuron.first_token_s": 0.5,
    "pytorch.layer": 0.5, "pytorch.unpacking_layer": 0.5,
}  # fmt: skip
HOSTS: Mapping[str, float] = {
    "host.exponent": 0.3, "host.allreduce_pcie_s": 0.4, "host.kv_before_hopper": 0.2, "host.dequantise_flop": 0.4,
    "host.dequantised_bytes": 0.4, "host.layer_split": 0.7,
    "vllm.step": 0.3, "vllm.layer": 0.3, "vllm.host_s": 0.4, "vllm.first_token_s": 0.5,
}  # fmt: skip
NOISE = 0.10  # of one row, in ln
FIRST_TOKEN_NOISE = 0.25  # times to first token scatter more between equal runs (study, section 9)
WEIGHT = 0.25  # the noise of a row grows with so much of a power of the rows of its source, and of its cell


@dataclass(frozen=True, eq=False)
class ServingProblem:
    """The serving form fitted to grouped rows; its parameters are fields of the form's parts."""

    measurements: tuple[Measurement, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    start: Serving  # for the fields that are not fitted
    log_measured: Floats
    noise: Floats

    @property
    def levels(self) -> Levels:
        return no_levels(len(self.measurements))

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of each row's figure at those coefficients."""
        fit = with_parts(self.start, self.parameters, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            every = np.concatenate([group.log_predicted(fit) for group in self.groups])
        return every[rows]


def with_parts(start: Serving, parameters: Sequence[Parameter], values: Floats) -> Serving:
    """Return ``start`` with the named fields (``part.field``) at those values."""
    parts: dict[str, dict[str, float]] = {}
    for parameter, value in zip(parameters, values, strict=True):
        part, field = parameter.name.split(".")
        parts.setdefault(part, {})[field] = float(value)
    changed = {part: replace(getattr(start, part), **fields) for part, fields in parts.items()}
    return replace(start, **changed)


def problem_of(groups: Sequence[Group], deviations: Mapping[str, float], start: Serving) -> ServingProblem:
    """The problem of those rows; priors are the study's values, whatever ``start`` holds."""
    measurements = tuple(one for group in groups for one in group.measurements)
    return ServingProblem(
        measurements=measurements,
        groups=tuple(groups),
        parameters=tuple(Parameter(name, _default(name), deviation) for name, deviation in deviations.items()),
        start=start,
        log_measured=np.log([one.value for one in measurements]),
        noise=_noise(measurements),
    )


def _default(name: str) -> float:
    return _field(Serving(), name)


def _field(form: Serving, name: str) -> float:
    part, field = name.split(".")
    value: float = getattr(getattr(form, part), field)
    return value


def _noise(measurements: Sequence[Measurement]) -> Floats:
    """Noise of each row, larger where its source, or its model on its device, has many rows."""
    single = np.array([FIRST_TOKEN_NOISE if one.metric == "ttft_ms" else NOISE for one in measurements])
    by_source = shared_noise(single, [one.source for one in measurements], WEIGHT)
    return shared_noise(by_source, [_cell(one) for one in measurements], WEIGHT)


def _cell(one: Measurement) -> tuple[str, ...]:
    return one.source, one.model, one.accelerator or one.cpu or "", one.metric


def last_of(problem: ServingProblem, evidence: Evidence) -> list[float]:
    """The parameters' values by the last calibration."""
    return [_field(evidence.committed.serving, one.name) for one in problem.parameters]


ENGINE_ON_RENTED = "vllm"  # its coefficients are fitted to rented instances


def on_devices(evidence: Evidence) -> Calibrated:
    """Fit serving on accelerators to the bundled table."""
    groups = groups_of((one for one in evidence.shipped if one.accelerator), market_of(evidence.catalog, starting()))
    problem = problem_of(groups, DEVICES, evidence.committed.serving)
    found = fit(problem, last_of(problem, evidence))
    about = "Serving on accelerators: coefficients of decode and prefill, and of the engines."
    return _calibrated("serving", about, problem, found, errors_of(problem, found, evidence.catalog, "llm_serving"))


def on_rented_devices(evidence: Evidence) -> Calibrated:
    """Fit hosts, buses and vLLM to rented instances; without their runs the result is empty.

    Errors come from a fit of all coefficients to all rows, so that a held-out device is in neither part.
    """
    if not evidence.cloud:
        return Calibrated("serving_hosts", {}, (), shipped=False)
    market, start = market_of(evidence.catalog, starting()), evidence.committed.serving
    rented = groups_of((one for one in evidence.cloud if one.accelerator), market)
    own = groups_of((one for one in evidence.shipped if one.accelerator), market)
    engine = [group for group in own if group.model.engine_name == ENGINE_ON_RENTED]
    problem = problem_of((*rented, *engine), HOSTS, start)
    found = fit(problem, last_of(problem, evidence))
    whole = problem_of((*rented, *own), {**DEVICES, **HOSTS}, start)
    sources = {one.source for one in evidence.cloud}
    residuals = [
        one
        for one in errors_of(whole, fit(whole, last_of(whole, evidence)), evidence.catalog, "llm_serving")
        if one.source in sources
    ]
    about = "Serving on rented accelerators: hosts, buses, older devices, and vLLM."
    return _calibrated("serving_hosts", about, problem, found, residuals, shipped=False)


def on_processors(evidence: Evidence) -> Calibrated:
    """Fit serving on processors to rented instances; without their runs the result is empty."""
    if not evidence.cloud:
        return Calibrated("cpu_serving", {}, (), shipped=False)
    rows = thinned([one for one in evidence.cloud if not one.accelerator])
    groups = groups_of(rows, market_of(evidence.catalog, starting()))
    problem = problem_of(groups, PROCESSORS, evidence.committed.serving)
    found = fit(problem, last_of(problem, evidence))
    about = "Serving on processors: coefficients of decode and prefill, and rates by vector class."
    residuals = errors_of(problem, found, evidence.catalog, "cpu_llm_serving")
    return _calibrated("cpu_serving", about, problem, found, residuals, shipped=False)


def _calibrated(
    name: str, about: str, problem: ServingProblem, found: Fit, residuals: Sequence[Residual], shipped: bool = True
) -> Calibrated:
    figures = figures_by_part(problem, found)
    fields = {part: fields_of(of_part) for part, of_part in figures.items()}
    return Calibrated(name, {name: form_file(about, "serving", fields)}, residuals, figures, shipped=shipped)


def figures_by_part(problem: ServingProblem, found: Fit) -> Mapping[str, list[Written]]:
    """The fitted coefficients by part of the form."""
    figures: dict[str, list[Written]] = {}
    for one in figures_of(problem, found):
        part, field = one.name.split(".")
        figures.setdefault(part, []).append(replace(one, name=field))
    return figures


def errors_of(problem: ServingProblem, found: Fit, catalog: Catalog, kind: str) -> list[Residual]:
    """Return the errors of every row, with its device, model and source held out in turn."""
    rows = problem.measurements
    return held_out(problem, found, rows, [kind] * len(rows), generations_of(catalog))
