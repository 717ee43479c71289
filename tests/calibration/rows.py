"""Made-up measurements."""

from __future__ import annotations

from dataclasses import fields

from plimsoll_service.evidence.measurement import Measurement


def row(**facts: object) -> Measurement:
    """A measurement of ResNet-50 training on one V100, with usual or unknown values except those given."""
    ordinary: dict[str, object] = {
        "id": "a-1", "source": "a", "task": "training", "model": "resnet50", "printed_model": "ResNet-50",
        "framework": "pytorch", "tuning": "stock", "date": "2022", "precision": "mixed", "accelerator": "V100-16GB",
        "attention_data_parallel": False, "device_count": 1, "node_count": 1, "metric": "samples/s", "value": 800.0,
        "printed_value": "800", "printed_unit": "images/s", "doubt": "",
    }  # fmt: skip
    nothing = {column.name: None for column in fields(Measurement)}
    return Measurement(**{**nothing, **ordinary, **facts})
