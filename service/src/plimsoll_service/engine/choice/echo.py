"""The workload as understood, in the contract's words; what is unset is left out."""

from __future__ import annotations

from plimsoll_service.engine.units import GB
from plimsoll_service.engine.workload import CustomModel, Dataset, Disk, Workload


def echo(workload: Workload) -> dict[str, object]:
    """JSON-ready fields of the workload, in their order."""
    shown: dict[str, object] = {}
    for name, value in vars(workload).items():
        if value is None:
            continue
        if name == "deadline_hours":
            shown["deadline"] = f"{value:.6g}h"
        elif isinstance(value, CustomModel):
            shown["model"] = value.name if value.config is None else str(value.config.get("model_type", value.name))
        elif isinstance(value, Dataset):
            shown["dataset"] = _dataset(value)
        elif isinstance(value, Disk):
            shown["disk"] = {"type": value.type}
        else:
            shown[name] = list(value) if isinstance(value, tuple) else value
    return {name: value for name, value in shown.items() if value not in ({}, None)}


def _dataset(dataset: Dataset) -> dict[str, object]:
    size = None if dataset.size_bytes is None else f"{dataset.size_bytes / GB:.6g}GB"
    shown = {"size": size, "samples": dataset.samples, "format": dataset.format, "name": dataset.name}
    return {name: value for name, value in shown.items() if value is not None}
