"""Weights of a served model: format and precision as said, as the model's name says, or as they are published."""

from __future__ import annotations

from plimsoll_service.engine import frameworks
from plimsoll_service.engine.demand.filling import Filling
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.stored import (
    AWQ,
    BITSANDBYTES,
    FP8,
    GGUF,
    GPTQ,
    INT8,
    PRECISIONS_OF,
    Stored,
    agrees,
    said_by,
)
from plimsoll_service.engine.names import key
from plimsoll_service.engine.workload import Workload

HALF = "bf16"
LLAMA_CPP, PYTORCH, NEURON = "llama.cpp", "pytorch", "neuron"
# Formats that engines take weights of a precision in, where nothing else is said.
_USUAL = {"int4": AWQ, "int8": INT8, "fp8": FP8}
_OF_ENGINE = {
    LLAMA_CPP: {"int4": GGUF, "int8": GGUF, "fp4": GGUF},
    PYTORCH: {"int4": BITSANDBYTES, "int8": BITSANDBYTES, "fp8": FP8},
    NEURON: {"fp8": FP8},
}
FOUR_BIT_FLOAT = "fp4"
_IN_GGUF = {"fp8": "int8"}  # what a GGUF file has in place of 8-bit floats
OLLAMA = "ollama"
OLLAMA_WHY = (
    "Ollama's tags without a quantization are files in Q4_K_M (docs.ollama.com, import); state precision for others"
)
EXL_WHY = "EXL weights run in ExLlama; memory is that of their mean bits, speed that of GPTQ's kernels"
_WHY = {
    AWQ: "packed 4-bit weights, which engines read with kernels of their own; state bitsandbytes where a checkpoint is "
    "quantised while it loads: those are unpacked at each step, and slower for many concurrent requests",
    BITSANDBYTES: "the usual quantization while loading in this framework: weights are unpacked at each step",
    INT8: "8-bit weights and activations; state gptq or bitsandbytes for weights alone",
    FP8: "8-bit floats; devices without units for them widen the weights",
    GGUF: "the files of llama.cpp",
}


def fill(filling: Filling, profile: ModelProfile) -> None:
    """Fill in precision and quantization of a served language model."""
    workload = filling.workload
    said, asked = said_by(workload.model), asked_precision(workload)
    if workload.quantization is not None:
        named = said.precision if said is not None and agrees(workload.quantization, said.precision) else None
        _take(filling, named or PRECISIONS_OF[workload.quantization][0], "the precision of weights in that format")
    elif said is not None and asked in (None, said.precision):
        _take(filling, said.precision, "the model's name says so")
        if said.quantization:
            exl = said.quantization == GPTQ and said.bits > 0
            filling.take("quantization", said.quantization, EXL_WHY if exl else "the model's name says so")
    elif asked is None and _by_ollama(workload) and not _of_four_bits(profile.published):
        _take(filling, "int4", OLLAMA_WHY)
        filling.take("quantization", GGUF, _WHY[GGUF])
    elif profile.published is not None and (asked is None or asked == FOUR_BIT_FLOAT == profile.published.precision):
        _as_published(filling, profile.name, profile.published)  # four-bit floats as published are weights alone
    else:
        _take(filling, HALF, "16 bits (FP16 on devices without BF16), as the weights are published")
    _format(filling, profile)


def _by_ollama(workload: Workload) -> bool:
    """Whether Ollama serves it, whose tags without a quantization are 4-bit files."""
    return workload.framework is not None and key(workload.framework).startswith(OLLAMA)


def _of_four_bits(published: Stored | None) -> bool:
    return published is not None and published.precision == FOUR_BIT_FLOAT


def asked_precision(workload: Workload) -> str | None:
    """The precision that was asked for by name."""
    return None if workload.precision in (None, "auto") else workload.precision


def _take(filling: Filling, precision: str, why: str) -> None:
    if asked_precision(filling.workload) is None:
        filling.put(precision=None)
        filling.take("precision", precision, why)


def engine_of(workload: Workload) -> str:
    """The serving engine whose figures hold for the framework; empty where none is known."""
    known = frameworks.find(workload.framework) if workload.framework else None
    return (known.serving or "") if known is not None else ""


def _as_published(filling: Filling, model: str, published: Stored) -> None:
    """Take the published weights' precision and format; llama.cpp has files of its own."""
    why, precision = f"the weights of {model} are published so", published.precision
    if engine_of(filling.workload) == LLAMA_CPP:
        other = _IN_GGUF.get(precision, precision)
        _take(filling, other, why if other == precision else f"{why} in 8 bits, GGUF files likewise")
        filling.take("quantization", GGUF, _WHY[GGUF])
        return
    _take(filling, precision, why)
    if published.quantization:
        filling.take("quantization", published.quantization, why)


def _format(filling: Filling, profile: ModelProfile) -> None:
    """Take the usual format of the precision; a mixture in 4 bits has only its experts so, in no format of a name."""
    workload = filling.workload
    precision, engine = workload.precision or HALF, engine_of(filling.workload)
    mixture = profile.transformer is not None and profile.transformer.moe is not None
    if precision == "int4" and mixture and engine != LLAMA_CPP:
        return
    usual = _OF_ENGINE.get(engine, _USUAL).get(precision)
    if usual == BITSANDBYTES and workload.tuning == "tuned" and precision == "int4":
        usual = AWQ
    if usual is not None:
        filling.take("quantization", usual, _WHY[usual])


def bits_of(name: object, workload: Workload) -> float:
    """Bits of a weight that the model's name as asked says, where they are of the format that is served; else 0."""
    said = said_by(name)
    if said is None or said[:2] != (workload.quantization, workload.precision):
        return 0.0
    return said.bits


def in_gguf(workload: Workload) -> bool:
    """Whether the request, or the model's name, says that the weights are GGUF files."""
    said = said_by(workload.model)
    stated = workload.quantization or (said.quantization if said is not None else "")
    return workload.task == "inference" and stated == GGUF
