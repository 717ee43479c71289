"""The model that is served: bytes and operations a token, and what a request keeps in the cache."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.coefficients import SERVING_ENGINES, EngineFit
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.models.shape import active_parameters_of, decode_weights, kv_elements_per_token
from plimsoll_service.engine.units import GIB

WEIGHT_BYTES = {"fp64": 8.0, "fp32": 4.0, "tf32": 4.0, "mixed": 2.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0,
                "int4": 0.53, "fp4": 0.5625}  # fmt: skip
WEIGHT_ONLY = ("int8", "int4")


@dataclass(frozen=True)
class Served:
    """The served model: bytes and operations per token, and the request's lengths."""

    dims: Transformer
    weight_bytes: float
    kv_bytes: float  # per token of context
    dense: float  # parameters read every step
    experts: float  # parameters of all routed experts
    active: float
    attention_flops: float  # per token and token of context
    input_tokens: float
    output_tokens: float
    engine: EngineFit
    weight_only: bool

    @property
    def total_bytes(self) -> float:
        return (self.dense + self.experts) * self.weight_bytes + self.embedding_bytes

    @property
    def embedding_bytes(self) -> float:
        """An input table that is kept but not read every step."""
        tied = self.dims.tied_embeddings
        return 0.0 if tied else self.dims.vocabulary * self.dims.hidden_size * max(self.weight_bytes, 2.0)


def served(job: Job, dims: Transformer) -> Served:
    """The figures of a model at the asked precision and request."""
    dense, experts = decode_weights(dims)
    heads = dims.heads * dims.head_size
    attention = 4.0 * heads * dims.layers * dims.attention_share
    if dims.latent is not None:
        attention = 2.0 * dims.heads * (dims.latent.query_key_size + dims.latent.value_size) * dims.layers
    workload = job.workload
    kv_element = 1.0 if job.precision in ("fp8", "fp4") else 2.0
    return Served(
        dims=dims,
        weight_bytes=WEIGHT_BYTES[job.precision],
        kv_bytes=kv_elements_per_token(dims) * kv_element,
        dense=dense,
        experts=experts,
        active=active_parameters_of(dims) * (job.profile.stated_work if job.profile is not None else 1.0),
        attention_flops=attention,
        input_tokens=float(workload.input_tokens or 1),
        output_tokens=float(workload.output_tokens or 1),
        engine=SERVING_ENGINES.get(workload.framework or "vllm", SERVING_ENGINES["vllm"]),
        weight_only=job.precision in WEIGHT_ONLY,
    )


def kv_tokens(model: Served) -> float:
    context = model.input_tokens + 0.75 * model.output_tokens
    return windowed(model.dims, context)


def windowed(dims: Transformer, context: float) -> float:
    """Mean tokens that a layer keeps: a sliding window caps its share of the layers."""
    window = min(context, float(dims.sliding_window)) if dims.sliding_window else context
    return (1 - dims.sliding_share) * context + dims.sliding_share * window


def kv_gib_per_sequence(model: Served) -> float:
    """KV cache of one running request."""
    return model.kv_bytes * kv_tokens(model) / GIB
