"""Notes on trainings: how the model lies in memory."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.rounding import said
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.token_training.states import states_of
from plimsoll_service.engine.rules import sizing

# What each stage of ZeRO shards (Rajbhandari et al. 2020).
SHARDED = ("", "optimizer states", "gradients and optimizer states", "weights, gradients and optimizer states")
OFFLOADED = ("", "optimizer states lie", "weights and optimizer states lie")


def training_layout(one: Detail) -> Iterator[Note]:
    """The layout of a trained model that is no whole copy on each device."""
    found = "; ".join(_parts(*one.layout)) if one.layout else ""
    if found:
        yield sizing.TRAINING_LAYOUT.note(found)


def states_kept(job: Job) -> str:
    """Bytes a parameter where all of a language model is trained, which go by the framework; else nothing."""
    if job.kind != kind.TOKEN_TRAINING or job.method != "full":
        return ""
    states = states_of(job)
    each = said(states.each(job.optimizer), 3)
    copy = "all of them in 16 bits" if states.pure else "with weights in fp32 for the update"
    return f"; weights, gradients and optimizer states take {each} bytes a parameter, {copy}"


def _parts(
    recomputed: float, stage: float, devices: float, tensor: float, pipeline: float, offload: float
) -> Iterator[str]:
    if recomputed > 0:
        yield "activations are recomputed" if recomputed == 1 else "some activations are recomputed (selective)"
    if stage > 0 and devices > 1:
        yield f"{SHARDED[int(stage)]} are sharded over {devices:.0f} devices (zero{stage:.0f})"
    if tensor > 1:
        yield f"each layer is split over {tensor:.0f} devices (tensor parallel {tensor:.0f})"
    if pipeline > 1:
        yield f"the layers are split into {pipeline:.0f} pipeline stages"
    if offload > 0:
        yield f"{OFFLOADED[int(offload)]} in the host's memory"
