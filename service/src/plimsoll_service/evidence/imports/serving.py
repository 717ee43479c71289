"""Serving of language models: AIConfigurator's runs under load, TensorRT-LLM's own tables, llama.cpp."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns, common, found, found_whole
from plimsoll_service.evidence.imports.figures import RawRow

_PRECISIONS = (("int4", "int4"), ("fp4", "fp4"), ("fp8", "fp8"))
DEVICES_A_MACHINE = 8

CACHED = "prompts share their beginnings, which the engine keeps"
RACK = "split over the devices of a rack, partly with prefill apart"
DATA_PARALLEL = "attention is data parallel, which cannot be asked for"
COUNT = "the device count contradicts the degrees of parallelism"


def aiconfigurator(raw: RawRow) -> Columns:
    """Time to first token or per token of so many requests at once."""
    columns, detail = common(raw), raw["workload_detail"]
    degree = {name: found_whole(rf"{name} (\d+)", detail) for name in ("TP", "PP", "attnDP", "moeTP", "moeEP")}
    columns |= {
        "tuning": "tuned" if columns["framework"] == "tensorrt-llm" else "stock",
        "precision": _precision(raw),
        "input_tokens": found_whole(r"ISL (\d+)", detail),
        "output_tokens": found_whole(r"OSL (\d+)", detail),
        "concurrency": float(found(r"concurrency (\d+)", detail) or 1),
        "load": "closed",
        "batch_size": None,
        "tensor_parallel": degree["TP"],
        "pipeline_parallel": degree["PP"],
        "expert_parallel": degree["moeEP"],
        "attention_data_parallel": (degree["attnDP"] or 1) > 1,
        "metric": raw["metric"],
        "value": float(raw["value"]),
    }
    _count(columns, degree)
    columns["doubts"] += _doubts(columns, degree)
    return columns


def _precision(raw: RawRow) -> str:
    """The weights' format as printed; without one it is bf16, unless the model's name says FP8."""
    printed = raw["precision"].split(" ")[0]
    known = next((word for start, word in _PRECISIONS if printed.startswith(start)), None)
    return known or ("fp8" if "FP8" in raw["model"] else "bf16")


def _count(columns: Columns, degree: dict[str, int | None]) -> None:
    """Mend a count that is tensor times expert degree: the run's name says both are over the same devices."""
    both = (degree["moeTP"] or 1) * (degree["moeEP"] or 1)
    count = columns["device_count"]
    if columns["accelerator"] == "H200" and count > DEVICES_A_MACHINE and count == both:
        columns["device_count"] = DEVICES_A_MACHINE
        columns["tensor_parallel"] = min(degree["TP"] or 1, DEVICES_A_MACHINE)


def _doubts(columns: Columns, degree: dict[str, int | None]) -> list[str]:
    vllm, count = columns["framework_version"] == "0.12.0", columns["device_count"]
    experts = (degree["moeTP"] or 1) * (degree["moeEP"] or 1)
    return [
        CACHED if vllm and columns["precision"] == "fp8" and columns["model"] == "llama-3.1-8b" else "",
        RACK if count > DEVICES_A_MACHINE else "",
        DATA_PARALLEL if columns["attention_data_parallel"] else "",
        COUNT if vllm and columns["model"] != "llama-3.1-8b" and experts != count else "",
    ]


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
