"""The served model: bytes and operations a token, and the cache of a request."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine import frameworks
from plimsoll_service.engine.coefficients import EngineFit, Serving
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.models.transformers import active_parameters_of, decode_weights, kv_elements_per_token
from plimsoll_service.engine.units import GIB

WEIGHT_BYTES = {"fp64": 8.0, "fp32": 4.0, "tf32": 4.0, "mixed": 2.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0,
                "int4": 0.53, "fp4": 0.5625}  # fmt: skip
# llama.cpp: Q4_K_M keeps some matrices in 6 bits; rows that blocks of 256 do not divide fall back to larger formats.
GGUF_BYTES = {"int8": 1.0625, "int4": 0.605}
GGUF_BLOCK, GGUF_UNDIVIDED = 256, 0.77
WEIGHT_ONLY = ("int8", "int4")
LLAMA_CPP, NEURON, PYTORCH, VLLM = "llama.cpp", "neuron", "pytorch", "vllm"

Lengths = Floats | float


@dataclass(frozen=True)
class Served:
    """The served model: bytes and operations per token, the request's lengths (one a row, or one for all)."""

    dims: Transformer
    precision: str
    dense_bytes: float  # per parameter
    expert_bytes: float
    kv_bytes: float  # per token of context
    dense: float  # parameters read every step
    experts: float  # parameters of all routed experts
    active: float
    decode_attention: float  # FLOPs per token and token of context
    prefill_attention: float
    input_tokens: Lengths
    output_tokens: Lengths
    engine_name: str
    tuned: bool
    fit: Serving
    beside: float = 0.0  # parameters held in 16 bits that text does not pass, as a tower of images

    @property
    def engine(self) -> EngineFit:
        return self.fit.engine(self.engine_name)

    @property
    def weight_only(self) -> bool:
        return self.precision in WEIGHT_ONLY

    @property
    def layer_split(self) -> bool:
        """Whether devices hold layers in turn: each adds memory, none adds speed."""
        return self.engine_name == LLAMA_CPP

    @property
    def undivided(self) -> bool:
        """Whether llama.cpp falls back to other 4-bit formats, since its blocks do not divide the rows."""
        return self.layer_split and self.precision == "int4" and self.dims.hidden_size % GGUF_BLOCK > 0

    @property
    def dequantised(self) -> bool:
        """Whether 4-bit weights are unpacked at each step, as bitsandbytes does: how PyTorch and vLLM were measured.

        Tuned ones are packed for kernels that read 4 bits (AWQ, GPTQ), as the vendor's engine has them.
        """
        stock = self.engine_name in (PYTORCH, VLLM) and not self.tuned
        return self.precision == "int4" and stock and self.dims.moe is None

    @property
    def weights(self) -> float:
        """Bytes of the weights that a large batch reads in a step."""
        return self.dense * self.dense_bytes + self.experts * self.expert_bytes

    @property
    def total_bytes(self) -> float:
        return self.weights + self.embedding_bytes + 2.0 * self.beside

    @property
    def embedding_bytes(self) -> float:
        """An input table that is kept but not read every step."""
        tied = self.dims.tied_embeddings
        return 0.0 if tied else self.dims.vocabulary * self.dims.hidden_size * max(self.dense_bytes, 2.0)


def served(job: Job, dims: Transformer) -> Served:
    """The figures of a model at the asked precision and request."""
    dense, experts = decode_weights(dims)
    prefill = decode = 4.0 * dims.heads * dims.head_size * dims.layers * dims.attention_share
    if dims.latent is not None:
        prefill = 2.0 * dims.heads * (dims.latent.query_key_size + dims.latent.value_size) * dims.layers
        # Decoding works on the compressed cache itself: its width for the scores, without the rotary part for the sum.
        decode = 2.0 * dims.heads * (2 * dims.latent.cache_elements - dims.latent.rotary_size) * dims.layers
    workload = job.workload
    engine = _engine(workload.framework)
    dense_bytes, expert_bytes = _bytes(job.precision, engine, dims)
    return Served(
        dims=dims,
        precision=job.precision,
        dense_bytes=dense_bytes,
        expert_bytes=expert_bytes,
        kv_bytes=kv_elements_per_token(dims) * (1.0 if job.precision in ("fp8", "fp4") else 2.0),
        dense=dense,
        experts=experts,
        active=active_parameters_of(dims) * (job.profile.stated_work if job.profile is not None else 1.0),
        decode_attention=decode,
        prefill_attention=prefill,
        input_tokens=float(workload.input_tokens or 1),
        output_tokens=float(workload.output_tokens or 1),
        engine_name=engine,
        tuned=job.tuned,
        fit=job.coefficients.serving,
        beside=job.profile.frozen_parameters if job.profile is not None else 0.0,
    )


def _engine(framework: str | None) -> str:
    """The fitted engine of a framework; vLLM where there is none."""
    known = frameworks.find(framework) if framework else None
    return known.serving if known is not None and known.serving is not None else VLLM


def _bytes(precision: str, engine: str, dims: Transformer) -> tuple[float, float]:
    """Bytes of a weight, dense and of the experts: only the experts of a mixture are kept in 4-bit integers."""
    if engine == LLAMA_CPP and precision in GGUF_BYTES:
        undivided = precision == "int4" and dims.hidden_size % GGUF_BLOCK
        size = GGUF_UNDIVIDED if undivided else GGUF_BYTES[precision]
        return size, size
    size = WEIGHT_BYTES[precision]
    return (WEIGHT_BYTES["bf16"] if precision == "int4" and dims.moe is not None else size), size


def kv_tokens(model: Served) -> Lengths:
    """Mean tokens that a running request keeps."""
    return windowed(model.dims, model.input_tokens + 0.75 * model.output_tokens)


def windowed(dims: Transformer, context: Lengths) -> Lengths:
    """Mean tokens that a layer keeps: a sliding window caps its share of the layers."""
    if not dims.sliding_window:
        return context
    window = np.minimum(context, float(dims.sliding_window))
    return (1 - dims.sliding_share) * context + dims.sliding_share * window


def kv_gib_per_sequence(model: Served) -> Lengths:
    """KV cache of one running request."""
    return model.kv_bytes * kv_tokens(model) / GIB
