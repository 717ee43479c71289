"""Tables of serving engines: TensorRT-LLM's own, and llama.cpp one request at a time."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns, common
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import found_whole

STARVED = "little memory is left beside the weights"
WRONG_PREFILL = "a tenth of the rate of the same chip on a PCIe card: measured wrongly"


def tensorrt_llm(raw: RawRow) -> Columns:
    """Static batches and first tokens (0.9), or as many requests as it takes (0.17 and later)."""
    columns, detail = common(raw), raw["workload_detail"]
    columns |= {
        "tuning": "tuned",
        "precision": raw["precision"].lower(),
        "input_tokens": found_whole(r"ISL (\d+)", detail),
        "output_tokens": found_whole(r"OSL (\d+)", detail),
        "tensor_parallel": found_whole(r"TP (\d+)", detail),
        "pipeline_parallel": found_whole(r"PP (\d+)", detail),
        "metric": "ttft_ms" if raw["metric"] == "ttft_ms" else "output_tokens/s",
        "value": float(raw["value"]) * (columns["device_count"] if raw["metric"].endswith("/gpu") else 1),
    }
    batch = columns["batch_size"]
    load = "single" if raw["metric"] == "ttft_ms" else "static" if batch else "offline"
    columns |= {"load": load, "concurrency": None if batch is None else float(batch)}
    if columns["model"] == "llama-3.1-70b" and columns["accelerator"] == "H100-SXM" and columns["device_count"] == 1:
        columns["doubts"].append(STARVED)
    return columns


def llama_cpp(raw: RawRow) -> Columns:
    """One request at a time: prefill of a prompt, or generation from an empty context; layers split over devices."""
    columns = common(raw)
    tokens = found_whole(r"of (\d+) tokens", raw["workload_detail"])
    prefill = raw["metric"] == "prefill_tokens/s"
    columns |= {
        "precision": "int4" if raw["precision"].startswith("Q4") else "fp16",
        "input_tokens": tokens if prefill else 1,
        "output_tokens": 1 if prefill else tokens,
        "batch_size": None,
        "load": "single",
        "concurrency": 1.0,
        "metric": "prefill_tokens/s" if prefill else "output_tokens/s",
        "value": float(raw["value"]),
    }
    sxm = raw["device"] == "A100 SXM 80GB"
    if prefill and sxm and columns["precision"] == "fp16" and columns["model"] == "llama-3-8b":
        columns["doubts"].append(WRONG_PREFILL)
    return columns
