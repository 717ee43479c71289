"""Language models: pre-training, fine-tuning, and serving, from tables and from runs under load."""

from __future__ import annotations

from gathered.measurements.common import (
    GPUS_A_MACHINE,
    Columns,
    common,
    found,
    found_whole,
    nodes,
    one_request,
)
from gathered.measurements.figures import RawRow

RACKS = ("GB200", "GB300")
NVLINK_DOMAIN = 64  # devices that the recipes use of a rack's 72, all connected by NVLink
_FOUNDRY_PRECISIONS = {"bf16": "bf16", "amp_bf16": "mixed", "amp_fp8": "fp8"}

TWO_RECIPES = "two recipes in one row"
ASYNCHRONOUS = "asynchronous tensor parallelism, which cannot be asked for"
BY_ROWS = "8-bit products are scaled by rows, not by tensors, which cannot be asked for"
CONTEXT = "sequences are split over devices, which cannot be asked for"


def llm_foundry(raw: RawRow) -> Columns:
    """MPT with fully sharded data parallelism; tokens a second of all devices."""
    columns, detail = common(raw), raw["workload_detail"]
    columns |= {
        "precision": _FOUNDRY_PRECISIONS[raw["precision"]],
        "sequence_length": found_whole(r"seq len (\d+)", detail),
        "global_batch_size": found_whole(r"global batch (\d+)", detail),
        "activation_recomputation": "full" if "checkpointing True" in detail else "none",
        "method": "full",
        "packed": True,
        "network_gbps": float(found(r"interconnect (\d+) Gbps", raw["note"]) or 0) or None,
        "metric": "tokens/s",
        "value": float(raw["value"]),
    }
    nodes(columns)
    return columns


def megatron(raw: RawRow) -> Columns:
    """Vendor-tuned recipes; tokens a second are printed by device."""
    columns, detail = common(raw), raw["workload_detail"]
    degree = {name: found_whole(rf"\b{name}=(\d+)", detail) for name in ("TP", "PP", "CP", "EP")}
    columns |= {
        "tuning": "tuned",
        "precision": _megatron_precision(raw["precision"]),
        "sequence_length": found_whole(r"Sequence Length=(\d+)", detail),
        "global_batch_size": found_whole(r"GBS=(\d+)", detail),
        "method": "lora" if detail.startswith("LoRA") else "full",
        "packed": True,
        "tensor_parallel": degree["TP"],
        "pipeline_parallel": degree["PP"],
        "context_parallel": degree["CP"],
        "expert_parallel": degree["EP"],
        "device_count": found_whole(r"(\d+)", raw["device_count"]) or 1,
        "metric": "tokens/s",
    }
    columns["value"] = float(raw["value"]) * columns["device_count"]
    if "(" in detail or "(" in raw["precision"]:
        columns["doubts"].append(TWO_RECIPES)
    nodes(columns, NVLINK_DOMAIN if columns["accelerator"] in RACKS else GPUS_A_MACHINE)
    return columns


def _megatron_precision(printed: str) -> str:
    """Precision: fp8 for MXFP8 and per-tensor FP8, bf16 where nothing is printed."""
    text = printed.upper()
    return "fp8" if "FP8" in text else "fp4" if "FP4" in text else "bf16"


def torchtitan(raw: RawRow) -> Columns:
    """Llama with fully sharded data parallelism and more; tokens a second by device, or reserved memory in GiB."""
    columns, detail = common(raw), raw["workload_detail"]
    context = found_whole(r"CP (\d+)", detail)
    columns |= {
        "precision": "fp8" if "float8" in raw["precision"] else "mixed",
        "sequence_length": found_whole(r"seq len (\d+)", detail) or 8192,  # the configuration's default
        "global_batch_size": found_whole(r"global batch size (\d+)", detail),
        "activation_recomputation": "full" if "full a" in detail.lower() else "selective",
        "compiled": _compiled(detail),
        "method": "full",
        "packed": True,
        "tensor_parallel": found_whole(r"TP[= ](\d+)", detail),
        "context_parallel": context,
    }
    if "async" in detail.lower():
        columns["doubts"].append(ASYNCHRONOUS)
    if "rowwise" in raw["precision"] and raw["metric"] != "peak_memory_gb":
        columns["doubts"].append(BY_ROWS)
    if (context or 1) > 1:
        columns["doubts"].append(CONTEXT)
    _titan_value(columns, raw)
    nodes(columns)
    return columns


def _compiled(detail: str) -> bool:
    """Whether the row is compiled: all of tables 2 and 4, otherwise as its techniques say."""
    table, _, technique = detail.rpartition(";")
    return "Table 2" in table or "Table 4" in table or "compile" in (technique if "Table" in table else detail)


def _titan_value(columns: Columns, raw: RawRow) -> None:
    value = float(raw["value"])
    if raw["metric"] == "peak_memory_gb":
        columns |= {"metric": "peak_memory_gib", "value": value}
    else:
        columns |= {"metric": "tokens/s", "value": value * columns["device_count"]}


GIB_A_GB = 1e9 / 2**30
ALPACA_TOKENS = 110  # of an example at the mean (memory and training study, section 4)
SECONDS_A_MINUTE, ITERATIONS = 60.0, 1000.0
# torchtune adds one technique after another.
_TECHNIQUES = (
    "Baseline",
    "+ Packed Dataset",
    "+ Compile",
    "+ Chunked Cross Entropy",
    "+ Activation Checkpointing",
    "+ Fuse optimizer step into backward",
    "+ Activation Offloading",
    "+ 8-bit AdamW",
)

UNPACKED = "examples are padded, not packed: what a token counts is not stated"
ADAPTER = "adapters, which cannot be asked for"
WHOLE_LOSS = "the loss is computed at once, not in chunks as the recipes do since, which cannot be asked for"
SAVING = "memory is saved by an optimizer in the backward pass or by offloading, which cannot be asked for"


def torchtune(raw: RawRow) -> Columns:
    """Llama 3.2 3B on one device: tokens a second, or active memory in GiB."""
    columns = common(raw)
    technique = found(r"technique: (.+)$", raw["workload_detail"]) or ""
    place = _TECHNIQUES.index(technique) if technique in _TECHNIQUES else None
    reached = len(_TECHNIQUES) if place is None else place
    columns |= {
        "sequence_length": found_whole(r"max seq len (\d+)", raw["workload_detail"]),
        "method": "full" if place is not None else technique.lower(),
        "optimizer": "adamw8bit" if technique == "+ 8-bit AdamW" else "adamw",
        "activation_recomputation": "full" if reached >= _TECHNIQUES.index("+ Activation Checkpointing") else "none",
        "compiled": reached >= _TECHNIQUES.index("+ Compile"),
        "packed": reached >= _TECHNIQUES.index("+ Packed Dataset"),
        "metric": "peak_memory_gib" if raw["metric"] == "peak_memory_gb" else "tokens/s",
        "value": float(raw["value"]),
    }
    columns["tuning"] = "tuned" if columns["compiled"] else "stock"
    if not columns["packed"]:
        columns["doubts"].append(UNPACKED)
    if place is not None and place >= _TECHNIQUES.index("+ Fuse optimizer step into backward"):
        columns["doubts"].append(SAVING if columns["metric"] == "peak_memory_gib" else "")
    if reached < _TECHNIQUES.index("+ Chunked Cross Entropy") and columns["metric"] == "peak_memory_gib":
        columns["doubts"].append(WHOLE_LOSS)
    return columns


def litgpt(raw: RawRow) -> Columns:
    """LoRA, adapters and generation; allocated memory in decimal GB, or minutes for 1,000 micro-batches."""
    columns = common(raw)
    columns["precision"] = "bf16"
    if raw["task"] == "inference":
        _generation(columns, raw)
    else:
        _trained(columns, raw)
    _litgpt_value(columns, raw)
    return columns


def _generation(columns: Columns, raw: RawRow) -> None:
    """One sequence at a time; nf4 weights are 4-bit."""
    columns |= {"load": "single", "concurrency": 1.0, "input_tokens": 1, "batch_size": None}
    if "nf4" in raw["precision"]:
        columns["precision"] = "int4"


def _trained(columns: Columns, raw: RawRow) -> None:
    detail = raw["workload_detail"]
    adapter = "adapter" in detail
    columns |= {
        "method": "adapter" if adapter else "qlora" if "nf4" in raw["precision"] else "lora",
        # Not stated for several devices; the memory of each further sequence shows that it was on.
        "activation_recomputation": "none" if columns["device_count"] == 1 else None,
        "packed": False,
        "compiled": False,
        "global_batch_size": found_whole(r"minibatch (\d+)", detail),
        "sequence_length": found_whole(r"longest example (\d+)", detail),
    }
    if adapter:
        columns["doubts"].append(ADAPTER)


def _litgpt_value(columns: Columns, raw: RawRow) -> None:
    if raw["value"] == "OOM":
        columns |= {"metric": "fits", "value": 0.0}
    elif raw["metric"] == "peak_memory_gb":
        columns |= {"metric": "peak_memory_gib", "value": float(raw["value"]) * GIB_A_GB}
    elif raw["metric"] == "minutes_per_1k_iterations":
        tokens = columns["batch_size"] * columns["device_count"] * ALPACA_TOKENS * ITERATIONS
        value = tokens / (float(raw["value"]) * SECONDS_A_MINUTE)
        columns |= {"metric": "tokens/s", "value": value, "sequence_length": ALPACA_TOKENS}
    else:
        columns |= {"metric": "output_tokens/s", "value": float(raw["value"])}


_PRECISIONS = (("int4", "int4"), ("fp4", "fp4"), ("fp8", "fp8"))
DEVICES_A_MACHINE = 8

CACHED = "prompts share their beginnings, which the engine keeps"
RACK = "split over the devices of a rack, partly with prefill apart"
DATA_PARALLEL = "attention is data parallel, which cannot be asked for"
COUNT = "the device count contradicts the degrees of parallelism"
# DeepGEMM's grouped products, the default for block-wise FP8 below eight devices in that release alone of those here
# (vllm-project/vllm pull requests 29346, 2025-11-24, and 44220, 2026-06-01), whose time is the same from 16 tokens on
# (its pull request 20087): 56 to 51 ms a token for 4 to 20 requests.
EVERY_EXPERT = "a kernel that later releases do not choose: the time per token is the same at any load"
# 85 to 92 ms a token for 40 to 224 requests on four and on eight devices, 17 and 21 ms for 320 and 448 on eight.
AT_ANY_LOAD = "the time per token is the same at any load, or falls as the load grows: another limit held these runs"


def aiconfigurator(raw: RawRow) -> Columns:
    """AIConfigurator: time to first token or per token at a concurrency."""
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
    """Format of the weights as printed, otherwise bf16, or fp8 where the model's name says so."""
    printed = raw["precision"].split(" ")[0]
    known = next((word for start, word in _PRECISIONS if printed.startswith(start)), None)
    return known or ("fp8" if "FP8" in raw["model"] else "bf16")


def _count(columns: Columns, degree: dict[str, int | None]) -> None:
    """Correct a count that is tensor × expert degree: by the run's name, both use the same devices."""
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
        EVERY_EXPERT if vllm and columns["precision"] == "fp8" and columns["model"] == "qwen3-235b-a22b" else "",
        AT_ANY_LOAD if _held_by_another_limit(columns) else "",
    ]


def _held_by_another_limit(columns: Columns) -> bool:
    """Whether the run is one of DeepSeek in FP4 under TensorRT-LLM."""
    deepseek = columns["model"] in ("deepseek-r1", "deepseek-v3")
    return deepseek and columns["precision"] == "fp4" and columns["framework"] == "tensorrt-llm"


STARVED = "little memory is left beside the weights"
WRONG_PREFILL = "a tenth of the rate of the same chip on a PCIe card: measured wrongly"


def tensorrt_llm(raw: RawRow) -> Columns:
    """TensorRT-LLM: static batches and first tokens (0.9), or as many requests as fit (0.17 and later)."""
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
    """llama.cpp, with its layers split over the devices."""
    columns = common(raw)
    one_request(columns, raw)
    columns["precision"] = "int4" if raw["precision"].startswith("Q4") else "fp16"
    prefill, sxm = columns["metric"] == "prefill_tokens/s", raw["device"] == "A100 SXM 80GB"
    if prefill and sxm and columns["precision"] == "fp16" and columns["model"] == "llama-3-8b":
        columns["doubts"].append(WRONG_PREFILL)
    return columns
