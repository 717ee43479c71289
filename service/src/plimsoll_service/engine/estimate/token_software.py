"""What the software of a language-model training is known to do: kernels, loss, and where the states lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plimsoll_service.engine.demand.job import Job

# Bytes a token and word of the vocabulary at the loss (memory and training study, section 3): logits in 16 bits,
# their copy, log-softmax and gradient in fp32; what Hugging Face's heads keep besides; in place; in chunks.
PLAIN_LOSS, COPIED_LOSS, FUSED_LOSS, CHUNKED_LOSS = 14.0, 16.0, 6.0, 1.5
# Where weights, gradients and optimizer states lie: whole copies (data parallel), optimizer states alone spread over
# the copies (ZeRO-1), everything spread (ZeRO-3, fully sharded data parallel). Rajbhandari et al. 2020.
COPIES, OPTIMIZER, SHARDED = "copies", "optimizer", "sharded"


@dataclass(frozen=True)
class TokenSoftware:
    """``vendor``: the accelerator vendor's kernels; ``compiled``: element-wise kernels are fused and launched together.

    ``shardings`` are tried in order. ``whole_gradients``: between two steps each device adds up the gradients of the
    whole model, frozen weights included (fully sharded data parallel under ``no_sync``).
    """

    loss_bytes: float = PLAIN_LOSS
    compiled: bool = False
    vendor: bool = False
    shardings: tuple[str, ...] = (COPIES, SHARDED)
    whole_gradients: bool = False
    recomputes_shards: bool = False  # unasked, wherever the model is spread
    interleaved: bool = False  # a pipeline's stages come in several pieces each
    rotates: bool = True  # positions are rotated in kernels of their own, where they are


_PLAIN = TokenSoftware()
_SOFTWARE = {
    "peft": TokenSoftware(COPIED_LOSS),
    "litgpt": TokenSoftware(FUSED_LOSS, shardings=(SHARDED,), whole_gradients=True, recomputes_shards=True),
    "torchtune": TokenSoftware(CHUNKED_LOSS, shardings=(SHARDED,)),
    "torchtitan": TokenSoftware(PLAIN_LOSS, compiled=True, shardings=(SHARDED,)),
    "llm-foundry": TokenSoftware(FUSED_LOSS, shardings=(SHARDED,), rotates=False),  # MPT: linear biases instead
    "megatron": TokenSoftware(FUSED_LOSS, compiled=True, vendor=True, shardings=(OPTIMIZER, SHARDED), interleaved=True),
    "neuron": TokenSoftware(PLAIN_LOSS, compiled=True, vendor=True, shardings=(OPTIMIZER, SHARDED)),
}


def token_software(job: Job) -> TokenSoftware:
    """That of the job's framework; tuned scripts are compiled, without a trainer's name on the vendor's kernels."""
    name = job.workload.framework or ""
    known = _SOFTWARE.get(name, _PLAIN)
    if not job.tuned:
        return known
    if name in _SOFTWARE:
        return replace(known, compiled=True)
    return replace(known, compiled=True, vendor=True, loss_bytes=FUSED_LOSS)
