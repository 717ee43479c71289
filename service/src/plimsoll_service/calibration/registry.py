"""Every problem of the calibration, in the order in which they are fitted."""

from __future__ import annotations

from plimsoll_service.calibration.calibrated import Calibrated
from plimsoll_service.calibration.command import Evidence, Problem
from plimsoll_service.calibration.problems import (
    boosting,
    memory,
    scaling,
    serving_calibrated,
    throughput_calibrated,
    token_training,
)


def token_training_problem(evidence: Evidence) -> Calibrated:
    """Language-model training by tokens."""
    return token_training.calibrated(evidence.shipped, evidence.catalog)


def throughput_problem(evidence: Evidence) -> Calibrated:
    """Training and inference counted in samples, on one device."""
    return throughput_calibrated.calibrated(evidence.shipped, evidence.catalog)


def scaling_problem(evidence: Evidence) -> Calibrated:
    """Data parallel over devices and nodes."""
    return scaling.calibrated(evidence.shipped, evidence.catalog)


def serving_problem(evidence: Evidence) -> Calibrated:
    """Language-model serving on accelerators."""
    return serving_calibrated.on_devices(evidence.shipped, evidence.catalog, evidence.committed.serving)


def rented_serving_problem(evidence: Evidence) -> Calibrated:
    """Language-model serving on rented accelerators: hosts, buses, vLLM."""
    start = evidence.committed.serving
    return serving_calibrated.on_rented_devices(evidence.shipped, evidence.cloud, evidence.catalog, start)


def processor_serving_problem(evidence: Evidence) -> Calibrated:
    """Language-model serving on processors."""
    return serving_calibrated.on_processors(evidence.cloud, evidence.catalog, evidence.committed.serving)


def memory_problem(evidence: Evidence) -> Calibrated:
    """Device memory of training."""
    return memory.calibrated(evidence.shipped, evidence.catalog)


def boosting_problem(evidence: Evidence) -> Calibrated:
    """Gradient boosting on processors and GPUs."""
    return boosting.calibrated(evidence.shipped, evidence.catalog)


PROBLEMS: tuple[Problem, ...] = (
    throughput_problem,
    scaling_problem,
    token_training_problem,
    memory_problem,
    boosting_problem,
    serving_problem,
    rented_serving_problem,
    processor_serving_problem,
)
