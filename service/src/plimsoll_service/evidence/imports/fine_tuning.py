"""Fine-tuning on one or two devices: torchtune and LitGPT, speed and peak memory."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns, common
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import found, found_whole

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
        # Of several devices it is not stated, and what each further sequence takes says that it was on.
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
