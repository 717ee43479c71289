"""How far measured figures lay from the estimates, by kind of work and machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """10th and 90th percentile of measured ÷ estimated, on what the fit had not seen."""

    low: float
    high: float


# Ranges by kind of estimate: 10th and 90th percentile of measured ÷ estimated, sources weighed equally, over published
# measurements of this engine's own estimates (docs/method.md), rounded outwards; serving: the study's own section 6.
SPREADS: dict[str, Spread] = {
    "training": Spread(0.40, 1.40),
    "cpu_training": Spread(0.20, 1.00),  # one laboratory, small Keras nets
    "inference": Spread(0.50, 2.20),
    "cpu_inference": Spread(0.60, 2.00),  # one laboratory
    "token_training": Spread(0.80, 1.45),
    "token_training_moe": Spread(0.60, 1.70),
    "token_training_neuron": Spread(0.90, 2.60),
    "token_training_other": Spread(0.80 * 0.75, 1.45 * 1.15),  # the study's widening for another vendor
    "memory": Spread(0.85, 1.25),  # memory study, section 3
    "tokens_per_second": Spread(0.78 / 1.2, 1.25 * 1.2),  # ×1.2: a laboratory that the fit had not seen
    "tpot": Spread(0.76 / 1.2, 1.35 * 1.2),
    "ttft": Spread(0.50 / 1.2, 3.2 * 1.2),
    "cpu_tokens_per_second": Spread(0.67, 2.15),
    "cpu_tpot": Spread(0.63, 1.78),
    "cpu_ttft": Spread(0.58, 2.26),
    "unstudied": Spread(1 / 2.9, 2.9),  # nothing measured: the widest class of the throughput study
}
