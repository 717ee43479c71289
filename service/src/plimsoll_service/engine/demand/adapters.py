"""Low-rank adapters: the trained part, and the work that frozen weights save.

Hu et al. 2021 (LoRA): of a frozen matrix of n1 × n2, rank × (n1 + n2) parameters are trained. A backward pass computes
the gradients of the activations and of the adapters, not those of the frozen weights.
"""

from __future__ import annotations

from ..hardware import Floats
from ..models.profile import ModelProfile, Transformer
from ..models.transformers import KERNELS_PER_LAYER
from .job import Job
from .kind import ADAPTED

# Width of a network's matrices where its dimensions are unknown: a narrow one, so that adapters are never too small.
UNKNOWN_WIDTH = 512.0
# Share of attention in a block of 12 (patches) or 18 (U-Nets) widths squared: arXiv 2403.03206, section 4.
ATTENTION_SHARE = 1 / 3
NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)  # a parameter, double-quantised
TRAINING_PASSES = 3.0
ADAPTER_PASSES = 2.0  # the third computes the gradients of the weights
# Matrices of a block with an adapter, and the kernels that each adds to a step: two products, their scaling and a sum
# in the forward pass (huggingface/peft @00336949, tuners/lora/layer.py: no dropout unless asked), and in the backward
# pass two for each product, one for the scaling and a sum. In turn it has no kernel for the weights of frozen layers.
# Small models train about as fast with adapters as without: RoBERTa base in 29 hours beside 30.5 (huggingface/peft
# issue 664, 2023-07-05), Swin-L in the same time (issue 2063, 2024-09-12).
MATRICES = {"attention": 4.0, "all": 6.0}
KERNELS_PER_ADAPTER = 10.0


_MATRICES_OF_A_BLOCK = {True: 3, False: 2}  # of a feed-forward block, by whether it is gated


def adapted(job: Job) -> bool:
    """Whether only adapters are trained."""
    return job.method in ADAPTED


def trained_parameters(job: Job, profile: ModelProfile) -> float:
    """Parameters that are trained: all, or those of the adapters."""
    if not adapted(job):
        return profile.parameters
    rank, targets = job.workload.lora_rank or 1, job.workload.lora_targets or "attention"
    if profile.transformer is not None:
        return min(adapter_parameters(profile.transformer, rank, targets), profile.parameters)
    share = 2 * rank / (profile.width or UNKNOWN_WIDTH)
    if profile.width is not None and targets == "attention":
        share *= ATTENTION_SHARE
    return min(share, 1.0) * profile.parameters


def adapter_parameters(dims: Transformer, rank: int, targets: str) -> float:
    """Parameters of low-rank adapters: rank × (inputs + outputs) of each matrix (Hu et al. 2021)."""
    sides = _attention_sides(dims)
    if targets == "all":
        sides += _MATRICES_OF_A_BLOCK[dims.gated] * _feed_forward_sides(dims)
    return float(rank * sides)


def _attention_sides(dims: Transformer) -> float:
    """Inputs and outputs of the attention matrices of all layers."""
    h, q, k = dims.hidden_size, dims.heads * dims.head_size, dims.kv_heads * dims.head_size
    return float((h + q) + 2 * (h + k) + (q + h)) * dims.layers


def _feed_forward_sides(dims: Transformer) -> float:
    """Inputs and outputs of one matrix of each feed-forward block of all layers: of each expert, used or not."""
    h, moe = dims.hidden_size, dims.moe
    if moe is None:
        return float(dims.layers * (h + dims.feed_forward))
    shared = h + moe.shared_feed_forward if moe.shared_feed_forward else 0
    of_experts = moe.moe_layers * (moe.experts * (h + moe.feed_forward) + shared)
    return float(of_experts + (dims.layers - moe.moe_layers) * (h + dims.feed_forward))


def adapter_sides(dims: Transformer, targets: str, feed_forward: float) -> float:
    """Inputs and outputs of all matrices with an adapter that one token passes, with so wide a feed-forward block."""
    sides = _attention_sides(dims)
    if targets == "all":
        sides += _MATRICES_OF_A_BLOCK[dims.gated] * dims.layers * (dims.hidden_size + feed_forward)
    return sides


def adapter_kernels(job: Job) -> float:
    """Kernels of a training step with adapters over those of one without; 1 where there are none."""
    if not adapted(job):
        return 1.0
    added = KERNELS_PER_ADAPTER * MATRICES[job.workload.lora_targets or "attention"]
    return (ADAPTER_PASSES + added / KERNELS_PER_LAYER) / TRAINING_PASSES


def frozen_bytes(job: Job, element_bytes: Floats) -> Floats:
    """Bytes of a frozen parameter: as computed with, or in 4 bits."""
    return element_bytes * 0 + NF4_BYTES if job.method == "qlora" else element_bytes


def work_share(job: Job, profile: ModelProfile, passes: float) -> float:
    """Share of a training step's products that is left."""
    if not adapted(job):
        return 1.0
    trained = trained_parameters(job, profile) / profile.parameters
    return min(1.0, (ADAPTER_PASSES + trained) / passes)
