"""The errors that the calibration is held to, and the rows that each target speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.calibration.pool import Pool

TRAINING = ("cnn_training", "rnn_training", "transformer_training", "llm_training")
PROCESSORS = ("cpu_training", "cpu_inference", "cpu_llm_serving")
_CONSUMER = re.compile(r"^(GTX|Titan|RTX-\d{4}(?!-(Ada|Turing)))")
_WORKSTATION = re.compile(r"^(Quadro|RTX-)")


@dataclass(frozen=True)
class Target:
    """A statement about left-out errors: the mean over sources of their median may be at most ``most``."""

    name: str
    most: float
    rows: Callable[[Pool], NDArray[np.bool_]]


def class_of_device(name: str) -> str:
    """Data-centre, workstation or consumer, by the name of the card."""
    if _CONSUMER.match(name):
        return "consumer"
    return "workstation" if _WORKSTATION.match(name) else "data centre"


def _training_on(kind: str) -> Callable[[Pool], NDArray[np.bool_]]:
    def rows(pool: Pool) -> NDArray[np.bool_]:
        on = np.array([class_of_device(str(name)) == kind for name in pool.device], dtype=bool)
        chosen: NDArray[np.bool_] = np.isin(pool.kind, TRAINING) & on
        return chosen

    return rows


def _serving(pool: Pool) -> NDArray[np.bool_]:
    chosen: NDArray[np.bool_] = (pool.kind == "llm_serving") & (pool.range_name == "tokens_per_second")
    return chosen


def _processors(pool: Pool) -> NDArray[np.bool_]:
    return np.isin(pool.kind, PROCESSORS)


def _memory(pool: Pool) -> NDArray[np.bool_]:
    chosen: NDArray[np.bool_] = pool.kind == "memory"
    return chosen


TARGETS = (
    Target("training throughput, data-centre GPUs", 0.15, _training_on("data centre")),
    Target("training throughput, consumer GPUs", 0.20, _training_on("consumer")),
    Target("language-model serving throughput", 0.25, _serving),
    Target("processors", 0.25, _processors),
    Target("peak device memory", 0.10, _memory),
)
