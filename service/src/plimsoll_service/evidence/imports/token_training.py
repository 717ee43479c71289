"""Pre-training of language models: LLM Foundry, Megatron-Bridge, torchtitan."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import GPUS_A_MACHINE, Columns, common, nodes
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import found, found_whole

NVLINK_DOMAIN = 64  # GB200 that the recipes use of the 72 of a rack, all joined by NVLink
_FOUNDRY_PRECISIONS = {"bf16": "bf16", "amp_bf16": "mixed", "amp_fp8": "fp8"}

TWO_RECIPES = "two recipes in one row"
ASYNCHRONOUS = "asynchronous tensor parallelism, which cannot be asked for"
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
    nodes(columns, NVLINK_DOMAIN if columns["accelerator"] == "GB200" else GPUS_A_MACHINE)
    return columns


def _megatron_precision(printed: str) -> str:
    """MXFP8 and per-tensor FP8 are fp8; where nothing is printed, bf16."""
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
    if (context or 1) > 1:
        columns["doubts"].append(CONTEXT)
    _titan_value(columns, raw)
    nodes(columns)
    return columns


def _compiled(detail: str) -> bool:
    """Every row of tables 2 and 4; elsewhere where the row's own techniques say so."""
    table, _, technique = detail.rpartition(";")
    return "Table 2" in table or "Table 4" in table or "compile" in (technique if "Table" in table else detail)


def _titan_value(columns: Columns, raw: RawRow) -> None:
    value = float(raw["value"])
    if raw["metric"] == "peak_memory_gb":
        columns |= {"metric": "peak_memory_gib", "value": value}
    else:
        columns |= {"metric": "tokens/s", "value": value * columns["device_count"]}
