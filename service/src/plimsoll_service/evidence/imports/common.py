"""What every family of sources shares: names, counts, precision, and the columns that most rows leave empty."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from plimsoll_service.evidence.imports import names
from plimsoll_service.evidence.imports.dates import date_of
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import whole
from plimsoll_service.evidence.measurement import Measurement

Columns = dict[str, Any]
_CLOUDS = (("p2", "aws"), ("p3", "aws"), ("c5", "aws"), ("inf", "aws"), ("trn", "aws"), ("GCE", "gcp"))
GPUS_A_MACHINE = 8  # of the servers that these sources run on, unless a row says otherwise


def common(raw: RawRow, printed_model: str | None = None) -> Columns:
    """The columns of a row as far as they mean the same in every source; the rest is empty.

    ``doubts`` is a list that ``measurement`` joins.
    """
    model = names.model(printed_model or raw["model"])
    columns: Columns = {field.name: None for field in fields(Measurement)}
    columns |= {
        "source": raw["source"],
        "task": raw["task"],
        "model": model.name,
        "printed_model": raw["model"],
        "framework": names.framework(raw["framework"]),
        "framework_version": raw["framework_version"] or None,
        "tuning": "stock",
        "date": date_of(raw, names.framework(raw["framework"])),
        "precision": precision(raw["precision"], names.accelerator(raw["device"])),
        "batch_size": whole(raw["batch_size_per_device"]),
        "attention_data_parallel": False,
        "printed_value": raw["value"],
        "printed_unit": raw["metric"],
        "doubts": [model.doubt],
    }
    _machine(columns, raw)
    return columns


def _machine(columns: Columns, raw: RawRow) -> None:
    """The device or processor, one machine, and its cloud where the instance type tells."""
    device, processor = names.accelerator(raw["device"]), names.processor(raw["device"])
    columns |= {
        "accelerator": device.name if device else None,
        "cpu": processor.name if processor else None,
        "vcpus": processor.vcpus if processor else None,
        "device_count": 1 if device is None else whole(raw["device_count"]) or 1,
        "node_count": 1,
        "cloud": next((cloud for start, cloud in _CLOUDS if raw["instance_type"].startswith(start)), None),
    }
    if device is not None:
        columns["doubts"].append(device.doubt)
    elif processor is None:
        columns["doubts"].append("the device is not stated")


def precision(printed: str, device: names.Device | None) -> str:
    """The contract's word: half precision of training scripts is mixed, fp32 on Ampere and later is TF32."""
    text = printed.lower()
    if "tf32" in text or text.startswith("fp32"):
        return "tf32" if device is not None and device.tf32 else "fp32"
    if text.startswith("fp16") or text == "f16":
        return "mixed" if "(" in text else "fp16"
    return text


def nodes(columns: Columns, devices_a_machine: int = GPUS_A_MACHINE) -> None:
    """Spread the devices over machines of so many."""
    columns["node_count"] = max(1, columns["device_count"] // devices_a_machine)


def measurement(columns: Columns, identity: str) -> Measurement:
    """The finished row."""
    doubts = dict.fromkeys(doubt for doubt in columns.pop("doubts") if doubt)
    return Measurement(**{**columns, "id": identity, "doubt": "; ".join(doubts)})
