"""The serving problems: coefficients on bundled measurements, and those that rest on runs of rented instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.calibration.fitting import Levels, Parameter, no_levels
from plimsoll_service.calibration.problems.serving_rows import Group
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.serving_coefficients import Serving
from plimsoll_service.evidence.measurement import Measurement

# Prior standard deviation of ln(coefficient): efficiencies by a quarter, latencies within a factor of 1.6, what the
# study could hardly tell more tightly.
DEVICES: Mapping[str, float] = {
    "device.bandwidth_hbm": 0.1, "device.bandwidth_gddr": 0.1, "device.bandwidth_llama_cpp": 0.1,
    "device.experts": 0.3, "device.kv": 0.2, "device.compute16": 0.25, "device.compute8": 0.25,
    "device.compute4": 0.4, "device.compute_weight_only": 0.3, "device.compute_quantised": 0.3,
    "device.norm": 0.15, "device.attention": 0.4, "device.attention_llama_cpp": 0.4,
    "device.step_s": 0.4, "device.layer_s": 0.4, "device.moe_layer_s": 0.4, "device.allreduce_nvlink_s": 0.4,
    "device.allreduce_neuron_s": 0.3, "device.interference": 0.2, "device.prefill_s": 0.4,
    "device.prefill_launches": 0.4, "device.queue_steps": 0.3, "device.offline": 0.1,
    "tensorrt_llm.step": 0.3, "tensorrt_llm.layer": 0.3, "tensorrt_llm.host_s": 0.5,
    "tensorrt_llm.first_token_s": 0.5, "tensorrt_llm.queue": 0.5,
    "sglang.step": 0.3, "sglang.layer": 0.3, "sglang.host_s": 0.5, "sglang.first_token_s": 0.5, "sglang.queue": 0.5,
    "llama_cpp.step": 0.3, "llama_cpp.layer": 0.3, "llama_cpp.first_token_s": 0.5,
    "neuron.step": 0.3, "neuron.layer": 0.3, "neuron.first_token_s": 0.5,
    "pytorch.layer": 0.5,
}  # fmt: skip
HOSTS: Mapping[str, float] = {
    "host.exponent": 0.3, "host.allreduce_pcie_s": 0.4, "host.kv_before_hopper": 0.2, "host.dequantise_flop": 0.4,
    "host.dequantised_bytes": 0.4, "host.layer_split": 0.7,
    "vllm.step": 0.3, "vllm.layer": 0.3, "vllm.host_s": 0.4, "vllm.first_token_s": 0.5, "vllm.queue": 0.5,
}  # fmt: skip
NOISE = 0.10  # of one row, in ln
FIRST_TOKEN_NOISE = 0.25  # times to first token scatter more between equal runs (study, section 9)
SOURCE_WEIGHT = 0.25  # the noise of a row grows with so much of a power of its source's rows
CELL_WEIGHT = 0.25  # and of the rows of one model on one device


@dataclass(frozen=True, eq=False)
class ServingProblem:
    """The problem that ``fitting.fit`` solves."""

    measurements: tuple[Measurement, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    start: Serving  # what is not fitted
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
    """``start`` with the named fields (``part.field``) at those values."""
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
    part, field = name.split(".")
    value: float = getattr(getattr(Serving(), part), field)
    return value


def _noise(measurements: Sequence[Measurement]) -> Floats:
    """Noise of one figure, more where a source, or a model on a device in it, has many rows."""
    sources = Counter(one.source for one in measurements)
    cells = Counter(_cell(one) for one in measurements)
    return np.array(
        [
            (FIRST_TOKEN_NOISE if one.metric == "ttft_ms" else NOISE)
            * sources[one.source] ** SOURCE_WEIGHT
            * cells[_cell(one)] ** CELL_WEIGHT
            for one in measurements
        ]
    )


def _cell(one: Measurement) -> tuple[str, ...]:
    return one.source, one.model, one.accelerator or one.cpu or "", one.metric
