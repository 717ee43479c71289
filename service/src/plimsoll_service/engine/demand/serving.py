"""Contradictions of a served language model: weights, lengths, and the devices that its tensors are split over."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine.demand.weights import LLAMA_CPP, NEURON, asked_precision, engine_of
from plimsoll_service.engine.faults import Fault
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.stored import FP8, GGUF, NONE, PRECISIONS_OF, agrees, said_by
from plimsoll_service.engine.models.transformers import BLOCK_ENGINES, splits_blocks, splits_evenly
from plimsoll_service.engine.speculation import METHODS
from plimsoll_service.engine.workload import Hardware, SpeculativeDecoding, Workload

MOST_DEVICES = 64  # of the numbers that a fault names


def faults_of_serving(workload: Workload) -> Iterator[Fault]:
    """Yield the faults of weights, and of requests that are longer than the longest context."""
    yield from _weights(workload)
    yield from _drafting(workload)
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
        yield Fault(
            f"{at}/acceptance_rate", f"no acceptance rate of {asked.method} is published; state yours, such as 0.6"
        )


def _weights(workload: Workload) -> Iterator[Fault]:
    """Contradictions between precision, quantization, the model's name and the framework."""
    said, asked, quantization = said_by(workload.model), asked_precision(workload), workload.quantization
    if quantization is not None and asked is not None and not agrees(quantization, asked):
        have = " or ".join(PRECISIONS_OF[quantization][:2]) if quantization != NONE else "16 bits or more"
        yield Fault("/workload/quantization", f"{quantization} weights have {have}, not {asked}; state one of the two")
    if said is not None and said.quantization not in ("", NONE) and _has_format(workload):
        ending = f"the name {workload.model!r} says {said.quantization} weights in {said.precision}"
        if quantization is not None and quantization != said.quantization:
            yield Fault("/workload/quantization", f"{ending}, not {quantization}; leave quantization out")
        if quantization is None and asked is not None and not agrees(said.quantization, asked):
            yield Fault("/workload/precision", f"{ending}, not {asked}; leave precision out")
    if quantization not in (None, NONE, GGUF) and engine_of(workload) == LLAMA_CPP:
        yield Fault("/workload/quantization", f"llama.cpp reads GGUF files, not {quantization} weights; state gguf")


def _has_format(workload: Workload) -> bool:
    return workload.quantization is not None or asked_precision(workload) is not None


def uneven_split(one: Hardware, workload: Workload, profile: ModelProfile | None, at: str) -> Iterator[Fault]:
    """Yield the fault of a number of devices over which a model's tensors cannot be split.

    llama.cpp splits whole layers, and Neuron's compiler pads the heads.
    """
    dims, asked = None if profile is None else profile.transformer, one.tensor_parallel
    if dims is None or asked is None or engine_of(workload) in (LLAMA_CPP, NEURON):
        return
    if not splits_evenly(dims, asked):
        able = ", ".join(str(n) for n in range(1, MOST_DEVICES + 1) if splits_evenly(dims, n))
        heads = f"{dims.heads} attention heads and {dims.kv_heads} key-value heads"
        yield Fault(f"{at}/tensor_parallel", f"{heads} are split over {able} devices, not {asked}")
    elif _in_blocks(workload, profile) and splits_blocks(dims, asked):
        able = ", ".join(
            str(n) for n in range(1, MOST_DEVICES + 1) if splits_evenly(dims, n) and not splits_blocks(dims, n)
        )
        text = f"experts in 8-bit floats are split over {able} devices, not {asked}: each takes whole blocks of weights"
        yield Fault(f"{at}/tensor_parallel", text)


def _in_blocks(workload: Workload, profile: ModelProfile | None) -> bool:
    """Whether the engine takes the model's weights in blocks of 8-bit floats."""
    if (engine_of(workload) or BLOCK_ENGINES[0]) not in BLOCK_ENGINES:
        return False
    said, published = said_by(workload.model), None if profile is None else profile.published
    open_to_it = asked_precision(workload) is None and workload.quantization is None
    stated = workload.quantization == FP8 or (asked_precision(workload) == "fp8" and workload.quantization is None)
    stored = said if said is not None else published
    return stated or (open_to_it and stored is not None and stored.quantization == FP8)
