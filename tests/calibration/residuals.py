"""Made-up residuals whose errors are known."""

from __future__ import annotations

import numpy as np
from calibration.results import SCHEMES, Residual


def residual(**facts: object) -> Residual:
    """One residual with usual values, except those given."""
    ordinary: dict[str, object] = {
        "measurement_id": "a-1", "source": "a", "kind": "cnn_training", "metric": "samples/s", "model": "resnet50",
        "family": "resnet", "device": "V100-16GB", "generation": "Volta", "scheme": "device", "log_error": 0.0,
        "known_model": True, "known_device": False, "known_software": True,
    }  # fmt: skip
    return Residual(**{**ordinary, **facts})


def many(
    count: int = 300, spread: float = 0.2, kind: str = "cnn_training", metric: str = "samples/s"
) -> list[Residual]:
    """``count`` measurements of 3 sources, 6 devices of 2 generations and 5 models of 2 families, in every scheme."""
    random = np.random.default_rng(7)
    found = []
    for index in range(count):
        device, model, source = index % 6, index % 5, index % 3
        for scheme in SCHEMES:
            found.append(
                residual(
                    measurement_id=f"{kind}-{metric}-{index}", source=f"source{source}", kind=kind, metric=metric,
                    model=f"model{model}", family=f"family{model % 2}", device=f"device{device}",
                    generation=f"generation{device % 2}", scheme=scheme, log_error=float(random.normal(0.0, spread)),
                    known_model=scheme != "model", known_device=scheme != "device", known_software=True,
                )
            )  # fmt: skip
    return found
