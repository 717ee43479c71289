"""The workload as understood, in the contract's words; what is unset is left out."""

from __future__ import annotations

from plimsoll_service.engine.units import GB
from plimsoll_service.engine.workload import CustomModel, Dataset, Disk, Workload

PLAIN = frozenset({str, int, float, bool})  # shown as they are


def echo(workload: Workload) -> dict[str, object]:
    """JSON-ready fields of the workload, in their order."""
    shown: dict[str, object] = {}
    for name, value in vars(workload).items():
        if value is None:
            continue
        if name == "deadline_hours":
            shown["deadline"] = f"{value:.6g}h"
        elif type(value) in PLAIN:
            shown[name] = value
        elif (said := _said(value)) not in ({}, None):
            shown[name] = said
    return shown


def _said(value: object) -> object:
    """A field of several parts, in the contract's words; nothing where none of them is set."""
    if isinstance(value, CustomModel):
        return value.name if value.config is None else str(value.config.get("model_type", value.name))
    if isinstance(value, Dataset):
        return _dataset(value)
    if isinstance(value, Disk):
        return {"type": value.type}
    return list(value) if isinstance(value, tuple) else value


def _dataset(dataset: Dataset) -> dict[str, object]:
    size = None if dataset.size_bytes is None else f"{dataset.size_bytes / GB:.6g}GB"
    shown = {"size": size, "samples": dataset.samples, "format": dataset.format, "name": dataset.name}
    return {name: value for name, value in shown.items() if value is not None}
