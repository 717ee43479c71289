"""Weights of a served model: format and precision as said, as the model's name says, or as they are published.

Contradictions of a served language model: weights, lengths, and the devices that its tensors are split over.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..faults import Fault
from ..models.profile import ModelProfile
from ..models.stored import AWQ, BITSANDBYTES, FP8, GGUF, GPTQ, INT8, NONE, PRECISIONS_OF, Stored, agrees, said_by
from ..models.transformers import BLOCK_ENGINES, splits_blocks, splits_evenly, splits_experts
from ..names import key
from ..speculation import METHODS
from ..workload import Hardware, SpeculativeDecoding, Workload
from .filling import Filling
from .job import Job
from .kind import SERVING, has_end

MOST_DEVICES = 64  # of the numbers that a fault names
UNQUANTISED = "bf16"
LLAMA_CPP, PYTORCH, NEURON = "llama.cpp", "pytorch", "neuron"
SET_BATCHES = (PYTORCH, NEURON)  # engines whose scripts set how many requests a batch has
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
    by_ollama = key(workload.framework or "").startswith(OLLAMA)
    if workload.quantization is not None:
        named = said.precision if said is not None and agrees(workload.quantization, said.precision) else None
        _take(filling, named or PRECISIONS_OF[workload.quantization][0], "the precision of weights in that format")
    elif said is not None and asked in (None, said.precision):
        _take(filling, said.precision, "the model's name says so")
        if said.quantization:
            exl = said.quantization == GPTQ and said.bits > 0
            filling.take("quantization", said.quantization, EXL_WHY if exl else "the model's name says so")
    elif asked is None and by_ollama and (profile.published is None or profile.published.precision != FOUR_BIT_FLOAT):
        _take(filling, "int4", OLLAMA_WHY)
        filling.take("quantization", GGUF, _WHY[GGUF])
    elif profile.published is not None and (asked is None or asked == FOUR_BIT_FLOAT == profile.published.precision):
        _as_published(filling, profile.name, profile.published)  # four-bit floats as published are weights alone
    else:
        _take(filling, UNQUANTISED, "16 bits (FP16 on devices without BF16), as the weights are published")
    _format(filling, profile)


def asked_precision(workload: Workload) -> str | None:
    """The precision that was asked for by name."""
    return None if workload.precision in (None, "auto") else workload.precision


def _take(filling: Filling, precision: str, why: str) -> None:
    if asked_precision(filling.workload) is None:
        filling.put(precision=None)
        filling.take("precision", precision, why)


def _as_published(filling: Filling, model: str, published: Stored) -> None:
    """Take the published weights' precision and format; llama.cpp has files of its own."""
    published_in, precision = f"the weights of {model} are published in", published.precision
    why = f"{published_in} this precision"
    if filling.framework.serving == LLAMA_CPP:
        other = _IN_GGUF.get(precision, precision)
        _take(filling, other, why if other == precision else f"{published_in} 8 bits, GGUF files likewise")
        filling.take("quantization", GGUF, _WHY[GGUF])
        return
    _take(filling, precision, why)
    if published.quantization:
        filling.take("quantization", published.quantization, why)


def _format(filling: Filling, profile: ModelProfile) -> None:
    """Take the usual format of the precision; a mixture in 4 bits has only its experts so, in no format of a name."""
    workload = filling.workload
    precision, engine = workload.precision or UNQUANTISED, filling.framework.serving
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


def faults_of_serving(workload: Workload, engine: str) -> Iterator[Fault]:
    """Yield the faults of weights in a serving engine, and of requests that are longer than the longest context."""
    yield from _weights(workload, engine)
    yield from _drafting(workload)
    if workload.batch_size is not None and has_end(workload, SERVING) and engine not in SET_BATCHES:
        text = "batch_size does not apply to an amount of requests: the engine runs as many at once as fit"
        yield Fault("/workload/batch_size", text)
    longest, served = workload.max_model_len, (workload.input_tokens or 1) + (workload.output_tokens or 1)
    if longest is not None and served > longest:
        text = f"input_tokens and output_tokens are {served} together, more than max_model_len; state at least {served}"
        yield Fault("/workload/max_model_len", text)


def _drafting(workload: Workload) -> Iterator[Fault]:
    """Parts of speculative decoding that are neither stated nor published."""
    asked, at = workload.speculative_decoding, "/workload/speculative_decoding"
    if asked is None or asked == SpeculativeDecoding():
        return
    if asked.method is None:
        yield Fault(f"{at}/method", f"name the method: {', '.join(METHODS)}")
    elif asked.acceptance_rate is None and METHODS[asked.method].acceptance_rate is None:
        text = f"no acceptance rate of {asked.method} is published; state yours, such as 0.6"
        yield Fault(f"{at}/acceptance_rate", text)


def _weights(workload: Workload, engine: str) -> Iterator[Fault]:
    """Contradictions between precision, quantization, the model's name and the framework."""
    said, asked, quantization = said_by(workload.model), asked_precision(workload), workload.quantization
    if quantization is not None and asked is not None and not agrees(quantization, asked):
        have = " or ".join(PRECISIONS_OF[quantization][:2]) if quantization != NONE else "16 bits or more"
        yield Fault("/workload/quantization", f"{quantization} weights have {have}, not {asked}; state one of the two")
    if said is not None and said.quantization not in ("", NONE):
        ending = f"the name {workload.model!r} says {said.quantization} weights in {said.precision}"
        if quantization is not None and quantization != said.quantization:
            yield Fault("/workload/quantization", f"{ending}, not {quantization}; leave quantization out")
        if quantization is None and asked is not None and not agrees(said.quantization, asked):
            yield Fault("/workload/precision", f"{ending}, not {asked}; leave precision out")
    if quantization not in (None, NONE, GGUF) and engine == LLAMA_CPP:
        yield Fault("/workload/quantization", f"llama.cpp reads GGUF files, not {quantization} weights; state gguf")


def uneven_split(
    one: Hardware, workload: Workload, engine: str, profile: ModelProfile | None, at: str
) -> Iterator[Fault]:
    """Yield the fault of a number of devices over which a model's tensors cannot be split.

    llama.cpp splits whole layers, and Neuron's compiler pads the heads.
    """
    dims, asked = None if profile is None else profile.transformer, one.tensor_parallel
    if dims is None or asked is None or engine in (LLAMA_CPP, NEURON):
        return
    even = [n for n in range(1, MOST_DEVICES + 1) if splits_evenly(dims, n)]
    if not splits_evenly(dims, asked):
        able = ", ".join(map(str, even))
        heads = f"{dims.heads} attention heads and {dims.kv_heads} key-value heads"
        yield Fault(f"{at}/tensor_parallel", f"{heads} are split over {able} devices, not {asked}")
    elif _in_blocks(workload, engine, profile) and splits_blocks(dims, asked) and one.expert_parallel is None:
        able = ", ".join(str(n) for n in even if not splits_blocks(dims, n))
        text = f"experts in 8-bit floats are split over {able} devices, not {asked}: each takes whole blocks of weights"
        if splits_experts(dims, asked):
            text += f"; state expert_parallel {asked} for whole experts on each device"
        yield Fault(f"{at}/tensor_parallel", text)


def expert_parallel(job: Job, profile: ModelProfile, n: int, divided: int = 1) -> int | None:
    """Return the devices that share the experts whole, where a split over ``n`` would cut blocks of 8-bit weights.

    Those over which requests are ``divided`` do, too. 1 where tensors are split; ``None`` of a model without experts.
    """
    dims = profile.transformer
    if dims is None or dims.moe is None:
        return None
    cut = _in_blocks(job.workload, job.framework.serving, profile) and splits_blocks(dims, n)
    return n if divided > 1 or (cut and splits_experts(dims, n)) else 1


def _in_blocks(workload: Workload, engine: str, profile: ModelProfile | None) -> bool:
    """Whether the engine takes the model's weights in blocks of 8-bit floats."""
    if (engine or BLOCK_ENGINES[0]) not in BLOCK_ENGINES:
        return False
    asked = asked_precision(workload)
    if workload.quantization is not None or asked is not None:
        return workload.quantization == FP8 or (asked == "fp8" and workload.quantization is None)
    stored = said_by(workload.model) or (None if profile is None else profile.published)
    return stored is not None and stored.quantization == FP8
