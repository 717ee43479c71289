"""Weights in fewer bits, where no machine serves a language model in 16: a way that most users would take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..demand import kind
from ..demand.job import Job, dimensions_of
from ..demand.served_model import served
from ..models.stored import AWQ, BITSANDBYTES, GGUF
from ..units import GIB
from ..workload import Query
from .loosening import Choose, Looser
from .rounding import said

GIB_DIGITS = 3  # of a size in words
WIDE = ("fp32", "tf32", "bf16", "fp16", "mixed")
# The usual format of 4-bit weights by engine, and engines that read FP8 (docs.vllm.ai, features/quantization; SGLang,
# quantization; TensorRT-LLM, numerical precision; huggingface/text-generation-inference, conceptual/quantization;
# huggingface.co/docs/transformers, quantization/bitsandbytes; ggml-org/llama.cpp, README; all read 2026-11-28).
FOUR_BITS = {
    **dict.fromkeys(("vllm", "sglang", "tensorrt-llm", "tgi"), AWQ),
    **dict.fromkeys(("huggingface", "pytorch"), BITSANDBYTES),
    "llama.cpp": GGUF,
}
EIGHT_BITS = ("vllm", "sglang", "tensorrt-llm", "tgi")


def loosened(query: Query, choose: Choose) -> Iterator[Looser]:
    """Yield FP8 and the engine's usual 4-bit format, each where it leaves options."""
    job, _ = choose(query)
    workload = query.workload
    if job.kind != kind.SERVING or workload.quantization is not None or job.precision not in WIDE:
        return
    eight = replace(workload, precision="fp8") if job.program in EIGHT_BITS else None
    four = FOUR_BITS.get(job.program)
    packed = replace(workload, precision=None, quantization=four) if four is not None else None
    for name, to, fewer in (("precision", "fp8", eight), ("quantization", four, packed)):
        if fewer is not None:
            other, chosen = choose(replace(query, workload=fewer))
            if len(chosen.feasible):
                why = f"the weights take {_weights(other)} instead of {_weights(job)}"
                yield Looser(name, to, other, chosen, why=why)


def _weights(job: Job) -> str:
    """What the weights take, in words."""
    return f"{said(served(job, dimensions_of(job)).total_bytes / GIB, GIB_DIGITS)} GiB"
