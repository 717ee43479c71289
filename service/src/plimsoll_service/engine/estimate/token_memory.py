"""Memory of one device in language-model training (memory and training study, section 3).

M = W + O + gather + deq + max(act + logits, G + (act + logits)/4); with accumulation the gradients add in full.
Korthikanti et al. 2022 (activations), Rajbhandari et al. 2020 (states, sharding), Dettmers et al. 2023 (nf4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import TOKEN_TRAINING, TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.units import GIB

HALF = 2.0
NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)  # double-quantised
DEQUANTISE_GIB = 0.05
OPTIMIZER_BYTES = {"adamw": 8.0, "adamw8bit": 2.0, "sgd": 4.0, "adafactor": 0.1}  # per trained parameter in fp32
LIVE_BESIDE_GRADIENTS = 0.25


@dataclass(frozen=True)
class Trained:
    """How much of the model is trained and how it is kept, in parameters and bytes a parameter."""

    parameters: float
    embedding: float  # input embeddings and output head
    trainable: float
    weight_bytes: float  # of the matrices, as loaded
    gradient_bytes: float
    optimizer_bytes: float
    quantised: bool
    adapters: bool

    def weights(self) -> float:
        """Bytes of all weights; embeddings and head are never quantised. An adapter's own copy is in fp32."""
        matrices = (self.parameters - self.embedding) * self.weight_bytes
        own = self.trainable * 4.0 if self.adapters else 0.0
        return matrices + self.embedding * max(self.weight_bytes, HALF) + own


def trained(job: Job, dims: Transformer, parameters: float) -> Trained:
    """What is trained: everything, or adapters of ``lora_rank`` on the attention (or all) matrices."""
    embedding = float(dims.vocabulary * dims.hidden_size * (1 if dims.tied_embeddings else 2))
    if job.method == "full":
        pure = job.precision in ("bf16", "fp16")
        each = HALF if pure else 4.0
        scale = 0.5 if pure and job.optimizer in ("adamw", "sgd") else 1.0
        optimizer = OPTIMIZER_BYTES[job.optimizer] * scale
        return Trained(parameters, embedding, parameters, each, each, optimizer, False, False)
    quantised = job.method == "qlora"
    loaded = NF4_BYTES if quantised else (4.0 if job.precision in ("fp32", "tf32") else HALF)
    adapters = adapter_parameters(dims, job.workload.lora_rank or 1, job.workload.lora_targets or "attention")
    return Trained(parameters, embedding, adapters, loaded, 4.0, OPTIMIZER_BYTES[job.optimizer], quantised, True)


def adapter_parameters(dims: Transformer, rank: int, targets: str) -> float:
    """Parameters of low-rank adapters: rank × (inputs + outputs) of each matrix (Hu et al. 2021)."""
    h, q, k = dims.hidden_size, dims.heads * dims.head_size, dims.kv_heads * dims.head_size
    sides = float((h + q) + 2 * (h + k) + (q + h))
    if targets == "all":
        sides += (3 if dims.gated else 2) * (h + active_feed_forward(dims))
    return float(rank * sides * dims.layers)


def expert_parameters(dims: Transformer) -> float:
    """Parameters of all routed experts of all layers."""
    if dims.moe is None:
        return 0.0
    matrices = 3 if dims.gated else 2
    return float(matrices * dims.hidden_size * dims.moe.feed_forward * dims.moe.experts * dims.moe.moe_layers)


def active_feed_forward(dims: Transformer) -> float:
    """Inner size of the feed-forward block that one token passes, over all layers' mean."""
    if dims.moe is None:
        return float(dims.feed_forward)
    routed = dims.moe.active * dims.moe.feed_forward + dims.moe.shared_feed_forward
    share = dims.moe.moe_layers / dims.layers
    return routed * share + dims.feed_forward * (1 - share)


@dataclass(frozen=True, eq=False)
class TokenNeed:
    """GiB on one device by micro-batch tokens, without and with sharding over the devices."""

    weights: Floats
    gradients: Floats
    optimizer: Floats
    buffers: Floats  # gathered layers, dequantised layers
    activation_per_token: float  # GiB
    logits_per_token: float  # GiB
    context: float
    accumulates: bool

    def required(self, tokens: Floats) -> Floats:
        """Peak as reserved on the device."""
        live = (self.activation_per_token + self.logits_per_token) * tokens
        peak = (
            live + self.gradients
            if self.accumulates
            else np.maximum(live, self.gradients + LIVE_BESIDE_GRADIENTS * live)
        )
        allocated = self.weights + self.optimizer + self.buffers + peak
        required: Floats = allocated * TOKEN_TRAINING.reserve + self.context
        return required

    def breakdown(self, tokens: Floats) -> dict[str, Floats]:
        return {
            "weights": self.weights,
            "gradients": self.gradients,
            "optimizer": self.optimizer,
            "activations": self.activation_per_token * tokens,
            "logits": self.logits_per_token * tokens,
            "buffers": self.buffers,
            "framework": np.full_like(self.weights, self.context),
        }


def token_need(job: Job, dims: Transformer, what: Trained, shards: Floats, recomputation: str) -> TokenNeed:
    """The need of one device when states lie on ``shards`` devices (1: whole copies)."""
    sharded: Flags = shards > 1
    layer = (what.parameters - what.embedding - expert_parameters(dims)) / dims.layers  # experts are not gathered
    gathered = np.where(sharded, 2 * layer * HALF + what.embedding * HALF, 0.0)
    h = dims.hidden_size
    unpacked = 2 * HALF * h * active_feed_forward(dims) + DEQUANTISE_GIB * GIB if what.quantised else 0.0
    element = 4.0 if job.precision in ("fp32", "tf32") else HALF
    return TokenNeed(
        weights=what.weights() / shards / GIB,
        gradients=what.trainable * what.gradient_bytes / shards / GIB,
        optimizer=what.trainable * what.optimizer_bytes / shards / GIB,
        buffers=(gathered + unpacked) / GIB,
        activation_per_token=activation_bytes(job, dims, what, recomputation, element) / GIB,
        logits_per_token=dims.vocabulary * TOKEN_TRAINING.logits_bytes / GIB,
        context=TRAINING_MEMORY.context_gib,
        accumulates=job.workload.global_batch_size is not None,
    )


def activation_bytes(job: Job, dims: Transformer, what: Trained, recomputation: str, element: float) -> float:
    """Bytes of activations that one token keeps until the backward pass, over all layers."""
    h, q, k = dims.hidden_size, dims.heads * dims.head_size, dims.kv_heads * dims.head_size
    f = active_feed_forward(dims)
    compiled = job.tuned
    stores_inputs = what.quantised or not what.adapters or job.workload.lora_targets == "all"
    mlp = (4 * f if stores_inputs else 3 * f) if dims.gated else (2 * f if stores_inputs else f)
    if compiled:
        mlp -= f if dims.gated else f / 2
    experts = dims.moe.active * h if dims.moe is not None else 0
    rotary = 0 if compiled else q + k
    block = h + h + q + 2 * k + rotary + q + 2 * h + (h if stores_inputs else 0) + mlp + experts
    norm = 0 if compiled or not dims.gated else 8 * h
    adapter = h * element if what.adapters else 0
    one = element * block + norm + adapter
    if recomputation == "full":
        return dims.layers * element * h + 1.3 * one
    if recomputation == "selective":
        return 0.5 * dims.layers * (one + element * h)
    return dims.layers * one
