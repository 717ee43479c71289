"""Fields of a measurement, and hardware as tools and drivers call it in the service's terms."""

from __future__ import annotations

import re
from typing import Any

FIELDS_OF_MEASUREMENTS = frozenset(
    {
        "on", "throughput", "ttft_ms", "tpot_ms", "accelerator_memory_gib", "batch_size", "concurrency", "precision",
        "sequence_length", "input_tokens", "output_tokens",
    }
)  # fmt: skip

# A slice of a device that NVIDIA's MIG makes, and into how many a device is divided: seven, of some fewer
# (NVIDIA, MIG User Guide, "Supported GPUs").
_SLICE = re.compile(r"\s+MIG\s+(\d+)g\.\d+gb.*$", re.IGNORECASE)
_SLICES = 7
_FEWER_SLICES = {"A30": 4, "RTX PRO 6000": 4, "RTX PRO 5000": 2}
# Words of drivers after a name that tell no device from another: mounting, cooling, virtual function.
_MOUNTING = re.compile(r"\s+(OAM|VF|AC|LC|SXM6)\b", re.IGNORECASE)
# Processors that the service knows by these names; of others it does not take the name.
_SERVER_PROCESSOR = re.compile(r"xeon|epyc|neoverse|graviton|ampere altra|axion|apple m\d", re.IGNORECASE)

PRECISIONS = {
    "float64": "fp64", "float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "fp32": "fp32", "fp16": "fp16",
    "bf16": "bf16", "half": "fp16", "fp8": "fp8", "int8": "int8", "nvfp4": "fp4", "mxfp4": "fp4", "int4": "int4",
    "f32": "fp32", "f16": "fp16", "f64": "fp64", "i8": "int8", "f8_e4m3": "fp8", "f8_e5m2": "fp8",
}  # fmt: skip


def accelerators(name: str, count: float) -> dict[str, Any]:
    """Return ``on`` for that number of devices with a driver's name; a slice of a device counts as its share."""
    share = _SLICE.search(name)
    plain = _MOUNTING.sub("", _SLICE.sub("", name)).strip()
    if share is None:
        return {"accelerator": plain, "count": count}
    slices = next((slices for device, slices in _FEWER_SLICES.items() if device in plain), _SLICES)
    return {"accelerator": plain, "count": round(count * int(share.group(1)) / slices, 4)}


def processor(name: str) -> dict[str, Any]:
    """Return ``on`` of a processor where the service knows its kind, else nothing."""
    plain = " ".join(name.split())
    return {"cpu": plain} if _SERVER_PROCESSOR.search(plain) else {}


def precision(word: str | None) -> str | None:
    """Return the API's word for a precision as tools write it, or ``None``."""
    return PRECISIONS.get(str(word).lower().removeprefix("torch."))
