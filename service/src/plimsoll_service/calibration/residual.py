"""How far one estimate lay from one measurement that its fit had not seen."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = (
    "cnn_training", "rnn_training", "transformer_training", "llm_training", "classic_inference", "cpu_training",
    "cpu_inference", "llm_serving", "cpu_llm_serving", "memory", "scaling", "tabular_training", "tabular_training",
)  # fmt: skip
SCHEMES = ("device", "model", "source")  # what was left out of the fit, whole


@dataclass(frozen=True)
class Residual:
    """One left-out row; ``known_*``: is the row's model, device, software still among the rows that were kept?

    ``log_error`` is ln(predicted ÷ measured); software is framework × tuning.
    """

    measurement_id: str
    source: str
    kind: str
    metric: str
    model: str
    family: str
    device: str
    generation: str
    scheme: str
    log_error: float
    known_model: bool
    known_device: bool
    known_software: bool
