"""The throughput problem: coefficients of the step's formula and shrunk effects, fitted to one-device rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plimsoll_service.calibration.fitting import Levels, Parameter, parameters_of, with_values
from plimsoll_service.calibration.problems.throughput_levels import levels_of
from plimsoll_service.calibration.problems.throughput_rows import Group, Row
from plimsoll_service.engine.coefficients import Coefficients, Roofline
from plimsoll_service.engine.effects import match_of
from plimsoll_service.engine.hardware import Floats, Ints

# Prior standard deviation of ln(coefficient): efficiencies are wide, latencies are known within a factor of two,
# exponents and yearly gains within the studies' errors; what tuning adds is known within a factor of two.
DEVIATIONS: Mapping[str, float] = {
    "compute_fp32": 0.3, "compute_tf32": 0.3, "compute_tensor16": 0.3, "compute_8bit": 0.5, "compute_neuron": 0.5,
    "compute_cpu": 0.5, "compute_cpu_8bit": 0.5, "memory": 0.2, "memory_inference": 0.2, "fused_traffic": 0.4,
    "gather": 0.5, "launch_training_s": 0.5, "launch_inference_s": 0.5, "launch_sequential_s": 0.5, "host_s": 0.7,
    "filling": 0.3, "cpu_filling": 0.5, "balance_exponent": 0.3, "power_exponent": 0.3, "cpu_core_saturation": 0.7,
    "kepler_clock": 0.2, "tuned_tensor": 0.5, "tuned_inference": 0.7, "tuned_plain": 0.7,
    "year_tensor": 0.03, "year_plain": 0.03, "recent_year": 0.03,
}  # fmt: skip
NOISE = 0.07  # of one row, in ln
SOURCE_WEIGHT = 0.20  # the noise of a row grows with so much of a power of its source's rows
REPEAT_WEIGHT = 0.5  # and of the rows that differ in batch alone


@dataclass(frozen=True, eq=False)
class Throughput:
    """The problem that ``fitting.fit`` solves."""

    rows: tuple[Row, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    levels: Levels
    log_measured: Floats
    noise: Floats

    def log_predicted(self, values: Floats, rows: Ints) -> Floats:
        """ln of samples a second; a level's effect is on the rate here, the engine's is on the time."""
        coefficients = Coefficients(roofline=with_values(Roofline(), self.parameters, values))
        every = np.full(len(self.rows), np.nan)
        wanted = np.zeros(len(self.rows), dtype=bool)
        wanted[rows] = True
        with np.errstate(all="ignore"):  # the processors' terms of a row on an accelerator, and the other way round
            for group in self.groups:
                if np.any(wanted[group.rows]):
                    every[group.rows] = group.log_rate(coefficients)
        return every[rows]


def problem_of(rows: tuple[Row, ...], groups: tuple[Group, ...]) -> Throughput:
    """The problem of those rows."""
    return Throughput(
        rows=rows,
        groups=groups,
        parameters=parameters_of(Roofline(), DEVIATIONS),
        levels=levels_of(rows),
        log_measured=np.log([row.rate for row in rows]),
        noise=noise_of(rows),
    )


def noise_of(rows: Sequence[Row]) -> Floats:
    """A row counts less the more rows its source and its own configuration have."""
    of_source = Counter(row.measurement.source for row in rows)
    repeats = Counter(configuration(row) for row in rows)
    return np.array(
        [
            NOISE * of_source[row.measurement.source] ** SOURCE_WEIGHT * repeats[configuration(row)] ** REPEAT_WEIGHT
            for row in rows
        ]
    )


def configuration(row: Row) -> str:
    """What rows share that differ in batch alone."""
    return match_of(row.work, row.arithmetic, row.device)
