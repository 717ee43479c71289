"""Columns that all kinds of sources share, from printed words: names, counts, dates, precision and rates."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from gathered.measurements import names
from gathered.measurements.figures import RawRow
from plimsoll_service.engine.frameworks import released
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.statements import releases


def number(text: str) -> float | None:
    """Number of a text (``64k`` is 64 × 1024), or ``None``."""
    factor = 1024.0 if text.lower().endswith("k") else 1.0
    try:
        return float(text[:-1] if factor > 1 else text) * factor
    except ValueError:
        return None


def whole(text: str) -> int | None:
    """Whole number of a text, or ``None``."""
    value = number(text)
    return None if value is None else int(value)


def found(pattern: str, text: str) -> str | None:
    """First match of the pattern's group, in any case, or ``None``."""
    match = re.search(pattern, text, re.IGNORECASE)
    return match[1] if match else None


def found_whole(pattern: str, text: str) -> int | None:
    """First match of the pattern's group as a whole number, or ``None``."""
    return whole(found(pattern, text) or "")


_DAY = re.compile(r"\b(20[12]\d)[-_](\d{2})[-_](\d{2})")
_MONTH = re.compile(r"\b(20[12]\d)-(0[1-9]|1[0-2])\b(?!-)")
_CONTAINER = re.compile(r"(?:\bngc\s*|nv|^)(\d{2})\.(0[1-9]|1[0-2])\b", re.IGNORECASE)  # NVIDIA's: year.month
_YEARS = re.compile(r"\b20[12]\d(?:-(20[12]\d))?\b")


def date_of(raw: RawRow, framework: str) -> str:
    """ISO day, month or year; empty where neither the row nor a known release states it."""
    version, commit, note = raw["framework_version"], raw["commit_or_date"], raw["note"]
    for text in (version, commit, note if note.startswith("id ") else ""):
        day = _DAY.search(text)
        if day:
            return "-".join(day.groups())
        container = _CONTAINER.search(version)
        if container:
            return f"20{container[1]}-{container[2]}"
        month = _MONTH.search(text)
        if month:
            return "-".join(month.groups())
    return _year(commit) or _year(version) or _release(framework, version)


def _year(text: str) -> str:
    """Last year in a text."""
    years = _YEARS.search(text)
    return (years[1] or years[0]) if years else ""


def _release(framework: str, version: str) -> str:
    year = released(releases().get("pytorch" if framework == "litgpt" else framework, ()), version)
    return "" if year is None else str(int(year))


Columns = dict[str, Any]
_CLOUDS = (("p2", "aws"), ("p3", "aws"), ("c5", "aws"), ("inf", "aws"), ("trn", "aws"), ("GCE", "gcp"))
GPUS_A_MACHINE = 8  # of the servers that these sources run on, unless a row says otherwise


def common(raw: RawRow, printed_model: str | None = None) -> Columns:
    """Return the columns of a row that mean the same in every source; the others are empty.

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
    """Fill in the device or processor, one machine, and its cloud if the instance type shows it."""
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
    """Precision as in the API: half precision of training scripts is mixed, fp32 on Ampere and later is TF32."""
    text = printed.lower()
    if "tf32" in text or text.startswith("fp32"):
        return "tf32" if device is not None and device.tf32 else "fp32"
    if text.startswith("fp16") or text == "f16":
        return "mixed" if "(" in text else "fp16"
    return "mixed" if text == "bf16 (mixed)" else text


def one_request(columns: Columns, raw: RawRow) -> None:
    """Fill in a run of llama.cpp: one request, which is a prefill or a generation from an empty context."""
    tokens = found_whole(r"of (\d+) tokens", raw["workload_detail"])
    prefill = raw["metric"] == "prefill_tokens/s"
    columns |= {
        "input_tokens": tokens if prefill else 1,
        "output_tokens": 1 if prefill else tokens,
        "batch_size": None,
        "load": "single",
        "concurrency": 1.0,
        "metric": "prefill_tokens/s" if prefill else "output_tokens/s",
        "value": float(raw["value"]),
    }


def measurement(columns: Columns, identity: str) -> Measurement:
    """Return the finished row."""
    doubts = dict.fromkeys(doubt for doubt in columns.pop("doubts") if doubt)
    return Measurement(**{**columns, "id": identity, "doubt": "; ".join(doubts)})


def nodes(columns: Columns, devices_a_machine: int = GPUS_A_MACHINE) -> None:
    """Fill in the number of machines with so many devices each."""
    columns["node_count"] = max(1, columns["device_count"] // devices_a_machine)


# Printed units in one sample of the row: target tokens of a segment, mel frames of a clip, audio samples.
UNITS_A_SAMPLE = {
    ("transformer-xl-base", "tokens/s"): 192.0,
    ("tacotron2", "mel_frames/s"): 566.0,
    ("fastpitch", "frames/s"): 566.0,
    ("fastpitch", "mel_frames/s"): 566.0,
    ("waveglow", "audio_samples/s"): 8000.0,
    ("gnmt", "tokens/s"): 50.0,  # source and target tokens, both counted by the script's log
    ("transformer-xl-large", "tokens/s"): 256.0,
}
MS_A_SECOND = 1e3
US_A_SECOND = 1e6


def set_rate(columns: Columns, raw: RawRow) -> None:
    """Fill in metric and value; a time per batch becomes a rate over all devices."""
    value, unit = float(raw["value"]), raw["metric"]
    columns["metric"] = "samples/s"
    if unit == "ms_per_batch":
        columns["value"] = columns["batch_size"] * MS_A_SECOND / value * columns["device_count"]
    elif unit == "us_per_example":
        columns["value"] = US_A_SECOND / value * columns["device_count"]
    else:
        columns["value"] = value / UNITS_A_SAMPLE.get((columns["model"], unit), 1.0)
