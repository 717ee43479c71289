"""Language models measured on rented instances: vLLM under load and llama.cpp one request at a time.

The table is share-alike: the calibration may read it where a user has it, but its rows are not part of the project.
Beside the columns of a figures folder it has ``cloud``, ``cpu``, ``vcpus``, ``instances_merged`` and ``spread``.
"""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.evidence.imports import disturbed, figures_folder
from plimsoll_service.evidence.imports.common import Columns, common, measurement
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import found, found_whole, number, whole
from plimsoll_service.evidence.measurement import Measurement

_LOADS = (("synchronous", "single"), ("saturated", "saturated"), ("constant rate", "rate"))
_PRECISIONS = {"bfloat16": "bf16", "float16": "fp16"}
_FALLEN_BACK_2025 = ("H100 80GB HBM3", "H100 NVL", "H200")
_FALLEN_BACK_TYPES = ("p4d.24xlarge", "a3-edgegpu-8g-nolssd")
_LARGE_MODEL, _SMALL_MEMORY = "Llama 3.3 70B", ("V100-SXM2-16GB", "V100-SXM2-32GB", "A100-SXM4-40GB")

ON_PROCESSOR = "ran on the processor although an accelerator is named"
PARTLY_ON_PROCESSOR = "the model does not fit the device and runs partly on the processor"


def measurements(path: Path) -> list[Measurement]:
    """All rows, with doubts on disturbed runs; raises ``EvidenceError`` for a file that cannot be read."""
    rows = figures_folder.read_file(path)
    served = [row for row in rows if row["source"] == "sparecores-vllm"]
    single = [row for row in rows if row["source"] == "sparecores-llamacpp"]
    runs = disturbed.runs_of(served)
    columns = [column for run in disturbed.judged(runs) for column in _served(run.rows, run.doubt)]
    columns += [_single(raw) for raw in single]
    return [measurement(one, f"{one['source']}-{place:05d}") for place, one in enumerate(columns, start=1)]


def _machine(raw: RawRow) -> Columns:
    """Names and sizes of the machine; a run on the processor has no accelerator."""
    columns = common(raw if raw["device"] != raw["cpu"] else {**raw, "device": ""})
    on_processor = raw["device"] == raw["cpu"]
    if on_processor:
        columns["doubts"] = []
    columns |= {
        "cloud": raw["cloud"],
        "instance_type": raw["instance_type"],
        "cpu": raw["cpu"],
        "vcpus": whole(raw["vcpus"]),
        "spread": number(raw["spread"]),
        "batch_size": None,
        "metric": "output_tokens/s" if raw["metric"] == "tokens/s" else raw["metric"],
        "value": float(raw["value"]),
    }
    return columns


def _served(run: dict[str, RawRow], doubt: str) -> list[Columns]:
    """The figures of one run under load; the time per token leaves the first one out, as the contract has it."""
    found_rows = [_under_load(raw, doubt) for raw in run.values()]
    values = {columns["metric"]: columns for columns in found_rows}
    each, first = values.get("tpot_ms"), values.get("ttft_ms")
    if each is not None and first is not None:
        tokens = each["output_tokens"]
        each["value"] = (tokens * each["value"] - first["value"]) / (tokens - 1)
        if each["value"] <= 0:
            each["doubts"].append(disturbed.DISTURBED)
    return found_rows


def _under_load(raw: RawRow, doubt: str) -> Columns:
    columns, detail = _machine(raw), raw["workload_detail"]
    quantised = raw["precision"].startswith("int4")
    columns |= {
        "precision": "int4" if quantised else _PRECISIONS[raw["precision"]],
        "input_tokens": found_whole(r"ISL (\d+)", detail),
        "output_tokens": found_whole(r"OSL (\d+)", detail),
        "concurrency": float(found(r"concurrency ([\d.]+)", detail) or 1),
        "max_running": found_whole(r"max_num_seqs (\d+)", detail),
        "tensor_parallel": found_whole(r"TP (\d+)", detail),
        "pipeline_parallel": columns["device_count"] if quantised else None,
        "load": next(load for words, load in _LOADS if words in detail),
    }
    columns["doubts"].append(doubt)
    return columns


def _single(raw: RawRow) -> Columns:
    """llama.cpp: prefill of a prompt, or generation from an empty context; weights in 4 bits."""
    columns = _machine(raw)
    tokens = found_whole(r"of (\d+) tokens", raw["workload_detail"])
    prefill = raw["metric"] == "prefill_tokens/s"
    columns |= {
        "precision": "int4",
        "input_tokens": tokens if prefill else 1,
        "output_tokens": 1 if prefill else tokens,
        "load": "single",
        "concurrency": 1.0,
    }
    columns["doubts"].append(_fallen_back(raw))
    return columns


def _fallen_back(raw: RawRow) -> str:
    """A doubt where llama.cpp did not use the device, or not for the whole model."""
    if raw["device"] == raw["cpu"]:
        return ""
    early = raw["commit_or_date"].startswith("2025") and raw["device"] in _FALLEN_BACK_2025
    if early or (raw["commit_or_date"].startswith("2026") and raw["instance_type"] in _FALLEN_BACK_TYPES):
        return ON_PROCESSOR
    large = raw["model"] == _LARGE_MODEL and raw["device"] in _SMALL_MEMORY and raw["device_count"] == "1"
    return PARTLY_ON_PROCESSOR if large else ""
