"""Where the parts of a language model lie in training, and the memory of one device that they take.

M = W + O + gather + deq + max(act + logits, G + (act + logits)/4); with accumulation the gradients add in full
(memory and training study, section 3). Korthikanti et al. 2022 (activations), Rajbhandari et al. 2020 (states,
sharding), Dettmers et al. 2023 (nf4), Narayanan et al. 2021 (a pipeline's first stage keeps as many micro-batches as
there are stages).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...clusters import Splits
from ...demand.adapters import NF4_BYTES, adapter_parameters
from ...demand.anchored import memory_factor
from ...demand.job import Job, dimensions_of, profile_of
from ...demand.training_states import AUTOCAST, HALF, reduced_bytes, states_of
from ...hardware import Flags, Floats
from ...models.profile import Transformer
from ...units import GIB

# Bytes a token and word of the vocabulary at the loss (memory and training study, section 3): logits in 16 bits,
# their copy, log-softmax and gradient in fp32; the copies of Hugging Face's heads; in place; in chunks. A compiled loss
# keeps the logits and their gradient alone (Dao-AILab/quack, issue 48, 2025-10-07). XLA always does so: Llama-3.1-8B
# with 3 sequences of 8,192 tokens on each chip of 32 GB (AI-Hypercomputer/tpu-recipes, 2025) has no room for more.
PLAIN_LOSS, COPIED_LOSS, FUSED_LOSS, COMPILED_LOSS, CHUNKED_LOSS = 14.0, 16.0, 6.0, 4.0, 1.5
# Where weights, gradients and optimizer states lie: whole copies (data parallel), optimizer states alone spread over
# the copies (ZeRO-1), everything spread (ZeRO-3, fully sharded data parallel). Rajbhandari et al. 2020. Or the layers
# of one copy lie on the devices of a machine, which take turns.
COPIES, OPTIMIZER, GRADIENTS, SHARDED, IN_TURN = "copies", "optimizer", "gradients", "sharded", "in turn"
# The same by the names of their stages.
STAGES = {"none": COPIES, "zero1": OPTIMIZER, "zero2": GRADIENTS, "zero3": SHARDED}


@dataclass(frozen=True)
class TokenSoftware:
    """``vendor``: the accelerator vendor's kernels; ``compiled``: element-wise kernels are fused and launched together.

    ``shardings`` are tried in order. ``whole_gradients``: between two steps each device adds up the gradients of the
    whole model, frozen weights included (fully sharded data parallel under ``no_sync``).
    """

    loss_bytes: float = PLAIN_LOSS
    loss_compiled_since: float | None = None  # decimal year
    compiled: bool = False
    vendor: bool = False
    shardings: tuple[str, ...] = (COPIES, SHARDED)
    whole_gradients: bool = False
    recomputes_shards: bool = False  # unasked, wherever the model is spread
    interleaved: bool = False  # a pipeline's stages come in several pieces each
    shares_first: bool = False  # each layer among workers, before all states are spread
    splits_if_faster: bool = False  # each layer over devices, though the model fits without
    selective: bool = False  # may recompute the cheap activations alone
    spreads_experts: bool = False  # over the devices of a machine, and stages over machines
    rotates: bool = True  # positions are rotated in kernels of their own, where they are
    keeps_gradients: bool = False  # on the devices, where optimizer states lie in the host's memory
    # Where spread states alone do not make it fit: inputs of layers in the host's memory, and the loss in parts.
    keeps_on_host: bool = False


_PLAIN = TokenSoftware()
_SOFTWARE = {
    "peft": TokenSoftware(COPIED_LOSS),
    # unslothai/unsloth@0050c73 (2026): kernels/cross_entropy_loss.py keeps gradients in place, norms, rotations and
    # gates have a kernel each. Its guide to several devices starts copies (unsloth.ai: multi-gpu-training-with-unsloth,
    # read 2026-11-28).
    "unsloth": TokenSoftware(FUSED_LOSS, compiled=True, shardings=(COPIES,)),
    "litgpt": TokenSoftware(FUSED_LOSS, shardings=(SHARDED,), whole_gradients=True, recomputes_shards=True),
    "torchtune": TokenSoftware(CHUNKED_LOSS, shardings=(SHARDED,)),
    # pytorch/torchtitan, pull request 1033 (2025-04-01): the loss is compiled where the model is.
    # Its modes of recomputation are none, selective and full: train_configs/qwen3_0_6b.py, read on 2026-11-28.
    "torchtitan": TokenSoftware(
        PLAIN_LOSS, loss_compiled_since=2025.25, compiled=True, shardings=(SHARDED,), selective=True
    ),
    "llm-foundry": TokenSoftware(FUSED_LOSS, shardings=(SHARDED,), rotates=False),  # MPT: linear biases instead
    # docs.jax.dev, JAX Memories and Host Offloading; AI-Hypercomputer/maxtext, pull request 4081 (num_vocab_tiling).
    "jax": TokenSoftware(COMPILED_LOSS, keeps_gradients=True, keeps_on_host=True),
    "maxtext": TokenSoftware(COMPILED_LOSS, compiled=True, vendor=True, keeps_gradients=True, keeps_on_host=True),
    "megatron": TokenSoftware(
        FUSED_LOSS,
        compiled=True,
        vendor=True,
        shardings=(OPTIMIZER, SHARDED),
        interleaved=True,
        spreads_experts=True,
        keeps_gradients=True,
        splits_if_faster=True,
    ),
    # huggingface/optimum-neuron, distributed training, 2026: ZeRO-1, and layers shared among workers.
    "neuron": TokenSoftware(PLAIN_LOSS, compiled=True, vendor=True, shardings=(OPTIMIZER, SHARDED), shares_first=True),
}


def token_software(job: Job) -> TokenSoftware:
    """That of the job's framework; tuned scripts are compiled, without a trainer's name on the vendor's kernels."""
    name = job.workload.framework or ""
    known = _SOFTWARE.get(job.program) or _SOFTWARE.get(name, _PLAIN)
    since = known.loss_compiled_since
    if since is not None and (job.software_year is None or job.software_year >= since):
        known = replace(known, loss_bytes=COMPILED_LOSS)
    if not job.tuned:
        return known
    if name in _SOFTWARE and name != "jax":
        return replace(known, compiled=True)
    return replace(known, compiled=True, vendor=True, loss_bytes=min(known.loss_bytes, FUSED_LOSS))


@dataclass(frozen=True, eq=False)
class Place:
    """Degrees of one layout, one row a machine; ``replicas`` times tensor times pipeline are its devices."""

    tensor: Floats
    pipeline: Floats
    expert: Floats
    replicas: Floats
    sharded: Floats  # 1 where everything is spread over the replicas
    optimizer_spread: Floats  # 1 where the optimizer states are
    gradients_spread: Floats  # 1 where the gradients are
    in_turn: Floats  # 1 where one stage works at a time
    copies: Floats  # of what is not spread, on one device: each of its workers has one unless they share each layer

    @property
    def devices(self) -> Floats:
        """Devices of one run."""
        return self.tensor * self.pipeline * self.replicas

    @property
    def split(self) -> Floats:
        """Devices that share one replica's work."""
        return self.tensor * self.pipeline

    def state_share(self, dense: float, experts: float) -> Floats:
        """Share of dense and expert parameters that one device holds."""
        if experts == 0:
            return 1 / np.where(self.sharded > 0, self.devices, self.split)
        whole = (dense + experts) * self.pipeline
        own = (dense / self.tensor + experts / np.maximum(self.expert, self.tensor)) / whole
        return np.where(self.sharded > 0, 1 / self.devices, own)

    def optimizer_share(self, states: Floats) -> Floats:
        """Share of the optimizer states that one device holds; ``states``: of the parameters."""
        return np.where(self.optimizer_spread > 0, 1 / self.devices, states)

    def gradients_share(self, states: Floats) -> Floats:
        """Share of the gradients that one device holds; ``states``: of the parameters."""
        return np.where(self.gradients_spread > 0, 1 / self.devices, states)


def place(
    dims: Transformer, devices: Floats, inside: Floats, splits: Splits, sharding: str, tensor: int | None,
    workers: Floats | float = 1.0,
) -> Place:  # fmt: skip
    """The layout of a sharding; so many workers as ``tensor`` share each layer where no degree is asked, in a machine.

    ``workers``: of each device.
    """
    split, stages = np.ones_like(devices), np.ones_like(devices)
    if splits.tensor is not None:
        split = np.minimum(float(splits.tensor), np.maximum(inside, 1.0))
    elif tensor is not None:  # a power of two: all devices of an odd machine share nothing evenly
        split = 2.0 ** np.floor(np.log2(np.clip(tensor / workers, 1.0, np.maximum(inside, 1.0))))
    if splits.pipeline is not None:
        stages = np.clip(float(splits.pipeline), 1.0, np.maximum(np.floor(devices / split), 1.0))
    elif sharding == IN_TURN:
        stages = np.maximum(inside, 1.0)
    replicas = np.maximum(np.floor(devices / (split * stages)), 1.0)
    sharded = np.where((replicas > 1) & (sharding == SHARDED), 1.0, 0.0)
    spread = np.where((replicas > 1) & (sharding not in (COPIES, IN_TURN)), 1.0, 0.0)
    gradients = np.where((replicas > 1) & (sharding == GRADIENTS), 1.0, 0.0)
    experts, in_turn = _experts(dims, splits, split * replicas, sharded), np.full_like(devices, sharding == IN_TURN)
    copies = np.where((split > 1) | (tensor is not None), 1.0, workers)
    return Place(split, stages, experts, replicas, sharded, spread, gradients, in_turn, copies)


def _experts(dims: Transformer, splits: Splits, devices: Floats, sharded: Floats) -> Floats:
    """Devices that share the experts of a layer: as asked, else all where the states are sharded, else none."""
    if dims.moe is None:
        return np.ones_like(devices)
    most = np.minimum(devices, float(dims.moe.experts))
    if splits.expert is not None:
        return np.minimum(float(splits.expert), most)
    return np.where(sharded > 0, most, 1.0)


DEQUANTISE_GIB = 0.05
EIGHT_BITS_OR_FEWER = ("fp8", "int8", "fp4", "int4")
LIVE_BESIDE_GRADIENTS = 0.25
LEAST_GIB_A_TOKEN = 1e-15  # of a device that keeps nothing of a token: as many as one likes
ROUNDING = 1e-9  # a need that just fits may exceed in its last digit
RECOMPUTED_LAYERS = 1.3  # layers whose activations live while one is recomputed
SELECTIVE_SHARE = 0.5  # of the layers, with selective recomputation
# All is recomputed, from inputs of layers of which so much is on the device at once, the rest in the host's memory
# (memory and training study, section 3).
ON_HOST, LEFT_ON_DEVICE = "on host", 0.1


@dataclass(frozen=True)
class Trained:
    """A model, how much of it is trained and how it is kept, in parameters and bytes a parameter."""

    dims: Transformer
    parameters: float
    embedding: float  # input embeddings and output head
    experts: float  # routed experts of all layers
    trainable: float
    weight_bytes: float  # of the matrices, as loaded
    gradient_bytes: float
    reduced_bytes: float  # of a gradient that travels between devices
    optimizer_bytes: float
    quantised: bool
    adapters: bool
    software: TokenSoftware
    beside: float = 0.0  # frozen parameters held in 16 bits, as a tower of images

    def weights(self) -> float:
        """Bytes of all weights; embeddings and head are never quantised. An adapter's own copy is in fp32."""
        matrices = (self.parameters - self.embedding) * self.weight_bytes
        own = self.trainable * 4.0 if self.adapters else 0.0
        return matrices + self.embedding * max(self.weight_bytes, HALF) + own + self.beside * HALF

    def gathered(self, layers: float) -> float:
        """Bytes in which devices gather so many spread parameters of layers, at most in 16 bits, and the embeddings."""
        return min(self.weight_bytes, HALF) * layers + HALF * self.embedding

    def state_gib(self) -> float:
        """GiB of weights, gradients and optimizer states of one whole copy."""
        return (self.weights() + self.trainable * (self.gradient_bytes + self.optimizer_bytes)) / GIB


def trained_of(job: Job) -> Trained:
    """The trained part: everything, or adapters of ``lora_rank`` on the attention (or all) matrices."""
    dims, profile, software = dimensions_of(job), profile_of(job), token_software(job)
    full, quantised, parameters = job.method == "full", job.method == "qlora", profile.parameters
    states = states_of(job) if full else AUTOCAST  # adapters are in fp32
    weights = states.weights
    if not full:
        weights = NF4_BYTES if quantised else (4.0 if job.precision in ("fp32", "tf32") else HALF)
    rank, targets = job.workload.lora_rank or 1, job.workload.lora_targets or "attention"
    return Trained(
        dims=dims,
        parameters=parameters,
        embedding=float(dims.vocabulary * dims.hidden_size * (1 if dims.tied_embeddings else 2)),
        experts=expert_parameters(dims),
        trainable=parameters if full else adapter_parameters(dims, rank, targets),
        weight_bytes=weights,
        gradient_bytes=states.gradients,
        reduced_bytes=reduced_bytes(job, states) if full else states.gradients,
        optimizer_bytes=states.optimizer(job.optimizer),
        quantised=quantised,
        adapters=not full,
        software=software,
        beside=profile.frozen_parameters,
    )


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
    """GiB on one device by micro-batch tokens of its replica."""

    weights: Floats
    gradients: Floats
    optimizer: Floats
    buffers: Floats  # gathered layers, dequantised layers
    activation_per_token: Floats
    logits_per_token: Floats
    context: float
    reserve: float  # reserved over allocated
    accumulates: Flags  # gradients wait for further micro-batches

    def required(self, tokens: Floats | float) -> Floats:
        """Peak as reserved on the device."""
        live = (self.activation_per_token + self.logits_per_token) * tokens
        kept = live + self.gradients
        peak = np.where(self.accumulates, kept, np.maximum(live, self.gradients + LIVE_BESIDE_GRADIENTS * live))
        allocated = self.weights + self.optimizer + self.buffers + peak
        return allocated * self.reserve + self.context

    def tokens_within(self, usable: Floats) -> Floats:
        """The most tokens whose need is within ``usable`` GiB: the inverse of ``required``."""
        each = np.maximum(self.activation_per_token + self.logits_per_token, LEAST_GIB_A_TOKEN)
        room = (usable - self.context) / self.reserve - self.weights - self.optimizer - self.buffers
        beside = (room - self.gradients) / each
        tokens: Floats = np.where(self.accumulates, beside, np.minimum(room / each, beside / LIVE_BESIDE_GRADIENTS))
        return tokens * (1 - ROUNDING)

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


def token_need(job: Job, trained: Trained, place: Place, accumulates: Flags) -> TokenNeed:
    """The need of one device where the model lies as ``place`` says, and nothing is recomputed."""
    dims, dense = trained.dims, trained.parameters - trained.experts
    states = place.state_share(dense, trained.experts)
    layer = (dense - trained.embedding) / dims.layers  # experts are not gathered
    gathered = place.sharded * trained.gathered(2 * layer) / place.tensor
    h = dims.hidden_size
    unpacked = 2 * HALF * h * active_feed_forward(dims) + DEQUANTISE_GIB * GIB if trained.quantised else 0.0
    gradients = trained.trainable * trained.gradient_bytes * place.gradients_share(states)
    if trained.software.whole_gradients:
        whole = trained.weights() / place.split
        gradients = np.where(accumulates & (place.sharded > 0), whole, gradients)
    tokens = memory_factor(job) / place.tensor / GIB
    weights, optimizer = trained.weights() * states, trained.trainable * trained.optimizer_bytes
    alone, whole, each = place.copies, place.sharded == 0, memory_factor(job) / GIB
    if job.workload.offload == "parameters":  # the layer in use and the next
        weights, gathered = np.zeros_like(states), trained.gathered(2 * layer) / place.tensor
    if offloads(job):
        optimizer = 0.0
        if moves_gradients(job, trained):  # but those of the layer in use and the next
            gradients = np.minimum(gradients, trained.gradient_bytes * 2 * layer / place.tensor)
    return TokenNeed(
        weights=weights * each * np.where(whole, alone, 1.0),
        gradients=gradients * each * np.where(whole & (place.gradients_spread == 0), alone, 1.0),
        optimizer=optimizer * place.optimizer_share(states) * each * np.where(place.optimizer_spread > 0, 1.0, alone),
        buffers=(gathered + unpacked) * each * alone,
        activation_per_token=activation_bytes(job, trained, place, "none") * tokens,
        logits_per_token=dims.vocabulary * trained.software.loss_bytes * tokens,
        context=job.coefficients.memory.context_gib * memory_factor(job),
        reserve=job.coefficients.token_training.reserve,
        accumulates=accumulates,
    )


def offloads(job: Job) -> bool:
    """Whether states lie in the host's memory."""
    return job.workload.offload in ("optimizer", "parameters")


def moves_gradients(job: Job, trained: Trained) -> bool:
    """Whether gradients go to the host's memory as they come (Ren et al. 2021, ZeRO-Offload, section 3)."""
    return offloads(job) and not trained.software.keeps_gradients


def offloaded_bytes(job: Job, trained: Trained, place: Place) -> Floats:
    """Bytes of states of one device in the host's memory (Rajbhandari et al. 2021, ZeRO-Infinity)."""
    states = place.state_share(trained.parameters - trained.experts, trained.experts)
    if not offloads(job):
        return np.zeros_like(states)
    kept = trained.gradient_bytes * moves_gradients(job, trained)
    found = trained.trainable * (trained.optimizer_bytes + kept) * place.optimizer_share(states)
    return found + trained.weights() * states if job.workload.offload == "parameters" else found


def recomputing(need: TokenNeed, job: Job, trained: Trained, place: Place, recomputation: str) -> TokenNeed:
    """The need where activations are recomputed in that way."""
    if recomputation == "none":
        return need
    tokens, loss = memory_factor(job) / place.tensor / GIB, trained.software.loss_bytes
    if recomputation == ON_HOST:
        loss = min(CHUNKED_LOSS, loss)
    return replace(
        need,
        activation_per_token=activation_bytes(job, trained, place, recomputation) * tokens,
        logits_per_token=trained.dims.vocabulary * loss * tokens,
    )


def activation_bytes(job: Job, trained: Trained, place: Place, recomputation: str) -> Floats:
    """Bytes of activations that one token keeps until the backward pass, over all layers, or those that lie there.

    A pipeline's first stage keeps a share of the layers of as many micro-batches as there are stages: the same.
    """
    element = 4.0 if job.precision in ("fp32", "tf32") else HALF
    h, one = trained.dims.hidden_size, _layer_bytes(job, trained, element)
    layers: Floats = trained.dims.layers / np.where(place.in_turn > 0, place.pipeline, 1.0)
    if recomputation in ("full", ON_HOST):
        return layers * element * h * (LEFT_ON_DEVICE if recomputation == ON_HOST else 1.0) + RECOMPUTED_LAYERS * one
    if recomputation == "selective":
        return layers * element * _kept_products(trained.dims) + RECOMPUTED_LAYERS * one
    return layers * one


def _kept_products(dims: Transformer) -> float:
    """Elements of a layer that selective recomputation keeps of a token: its input, attention, every other product.

    PyTorch's ``create_selective_checkpoint_contexts`` with the policy of pytorch/torchtitan (its pull request 3397,
    2026-05-19, counts the products): of query, key, value, output, gate, up and down the first, third, fifth, seventh.
    """
    h, q, k = dims.hidden_size, dims.heads * dims.head_size, dims.kv_heads * dims.head_size
    return h + q + (q + k + active_feed_forward(dims) + (h if dims.gated else 0))


# Transformers trains models whose attention has sinks in the eager way, which keeps the scores and, beside them, what
# the softmax made of them (OpenAI's cookbook, fine-tune-transformers, 2025-08: attn_implementation="eager").
EAGER_SCORES = 2.0
EAGER_LIBRARIES = ("huggingface", "peft", "pytorch")


def eager_sinks(job: Job) -> bool:
    """Whether the model's attention has sinks for which the software has no fused kernel."""
    return dimensions_of(job).sinks and job.program in EAGER_LIBRARIES


def _layer_bytes(job: Job, trained: Trained, element: float) -> float:
    """Bytes of one layer a token: no input of a frozen matrix; 8-bit inputs of the vendor's 8-bit products."""
    dims = trained.dims
    h, q, k = dims.hidden_size, dims.heads * dims.head_size, dims.kv_heads * dims.head_size
    f, compiled = active_feed_forward(dims), trained.software.compiled
    stores_inputs = trained.quantised or not trained.adapters or job.workload.lora_targets == "all"
    mlp = (4 * f if stores_inputs else 3 * f) if dims.gated else (2 * f if stores_inputs else f)
    if compiled:
        mlp -= f if dims.gated else f / 2
    experts = dims.moe.active * h if dims.moe is not None else 0
    rotary = q + k if trained.software.rotates and not compiled and not dims.positions else 0
    block = h + h + q + 2 * k + rotary + q + 2 * h + (h if stores_inputs else 0) + mlp + experts
    if trained.software.vendor and job.precision in EIGHT_BITS_OR_FEWER:
        block -= (2 * h + q + f) / 2
    if eager_sinks(job):
        block += EAGER_SCORES * dims.heads * sequence_length(job)
    norm = 0 if compiled or not dims.gated else 8 * h
    return element * block + norm + (h * element if trained.adapters else 0)


@dataclass(frozen=True, eq=False)
class Layout:
    """Place of the model on the devices, recomputation, sequences of a replica's micro-batch, and the need."""

    place: Place
    recomputed: Floats  # 1 where all activations are
    selective: Floats  # 1 where only the cheap ones are
    sequences: Floats
    micro_batches: Floats  # of a step on each replica: work that is done once a step is shared among them
    largest: Floats
    need_gib: Floats


def sequence_length(job: Job) -> float:
    """Tokens of one sequence."""
    return float(profile_of(job).reference.sequence_length or 1)
