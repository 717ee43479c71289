"""Bytes a parameter of weights, gradients and optimizer states where all of a language model is trained.

What ``precision: bf16`` keeps depends on the software: most trainers hold the weights and the moments in fp32.
"""

from __future__ import annotations

from dataclasses import dataclass

from .job import Job

HALF, SINGLE = 2.0, 4.0
# Per trained parameter in fp32.
OPTIMIZER_BYTES = {"adamw": 8.0, "adamw8bit": 2.0, "sgd": 4.0, "adagrad": 4.0, "adafactor": 0.1}
WIDE = ("fp64", "fp32", "tf32")
LONE = ("bf16", "fp16")  # asked for alone, not as ``mixed``
AS_WIDE_AS_WEIGHTS = ("adamw", "sgd", "adagrad")  # whose states are as wide as the weights


@dataclass(frozen=True)
class States:
    """Bytes a parameter with 16-bit products; ``pure``: the optimizer's states are in 16 bits too."""

    source: str
    weights: float
    gradients: float
    beside: float = 0.0  # beside the optimizer's moments
    pure: bool = False

    def optimizer(self, name: str) -> float:
        """Of the optimizer's states, and of what lies where they lie."""
        return OPTIMIZER_BYTES[name] * (0.5 if self.pure and name in AS_WIDE_AS_WEIGHTS else 1.0) + self.beside

    def each(self, name: str) -> float:
        """Of everything, with that optimizer."""
        return self.weights + self.gradients + self.optimizer(name)


# Automatic mixed precision casts weights where they are used, and fully sharded data parallel where it gathers them;
# weights and gradients stay in fp32.
AUTOCAST = States(
    "huggingface.co/docs/transformers/v5.14.0/model_memory_anatomy; docs.pytorch.org/docs/stable/fsdp.html",
    SINGLE, SINGLE,
)  # fmt: skip
PURE = States("docs.pytorch.org/torchtune, memory optimizations; Lightning-AI/litgpt, bf16-true", HALF, HALF, pure=True)
# 16-bit weights and gradients on each device; beside the moments fp32 weights, with Megatron's 2 of its fp32 gradients.
_SPREAD = States("arXiv 1909.08053; NVIDIA/Megatron-LM, distributed optimizer", HALF, HALF, SINGLE + HALF)
_STATES = {
    # deepspeedai/DeepSpeed#7700 (2025-11): its optimizer keeps weights in fp32 whatever the precision, unless asked.
    "deepspeed": States("arXiv 1910.02054, section 3.1: 16 bytes; deepspeedai/DeepSpeed#7700", HALF, HALF, SINGLE),
    "megatron": _SPREAD,
    "neuron": _SPREAD,
    "torchtune": PURE,
    "litgpt": PURE,
}
# The formula was fitted to tuned JAX as if it kept 16 bits: its recipes fit more than fp32 states would leave room for.
_TUNED = {"jax": PURE}


def trains_in_half(program: str | None) -> bool:
    """Whether the program's recipes train all in 16 bits, and none in mixed precision."""
    return _STATES.get(program or "", AUTOCAST).pure


def states_of(job: Job) -> States:
    """Those of the job's framework at its precision."""
    if job.precision in WIDE:
        return AUTOCAST
    name = job.workload.framework or ""
    found = _STATES.get(job.program) or _STATES.get(name) or (_TUNED.get(name) if job.tuned else None) or AUTOCAST
    return AUTOCAST if found.pure and job.precision not in LONE else found


def reduced_bytes(job: Job, states: States) -> float:
    """Bytes of a gradient that travels between devices: 16 bits where the precision is asked for alone."""
    return HALF if job.precision in LONE else states.gradients
