"""How a language model lies on the devices in training: the first layout that fits, and its micro-batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import TOKEN_TRAINING as FIT
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import recommended_share, usable_gib
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import select
from plimsoll_service.engine.estimate.token_memory import (
    TokenNeed,
    Trained,
    token_need,
)
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer

MOST_SEQUENCES = 8.0  # micro-batch chosen unasked: beyond it the measured rows gain nothing
MOST_TOKENS = 16_384.0
RECOMPUTATIONS = ("none", "full")  # what ``auto`` tries, in order


@dataclass(frozen=True, eq=False)
class Layout:
    """How the model lies on the devices: shards, recomputation, sequences a micro-batch, and the need of it."""

    shards: Floats
    recomputes: Floats  # R of the study: the share of a forward pass done again
    sequences: Floats
    largest: Floats
    need_gib: Floats
    parts: dict[str, Floats]


def choose_layout(job: Job, dims: Transformer, what: Trained, machines: Machines, devices: Floats) -> Layout:
    """The first of (whole copy, whole copy recomputed, sharded, sharded recomputed) that fits, with its batch."""
    usable = usable_gib(machines) * recommended_share(job)
    asked = job.workload.activation_recomputation or "auto"
    modes = RECOMPUTATIONS if asked == "auto" else (asked,)
    chosen: Layout | None = None
    for shards in (np.ones_like(devices), devices):
        for mode in modes:
            layout = _layout(job, dims, what, usable, devices, shards, mode)
            chosen = layout if chosen is None else select(chosen.need_gib <= usable, chosen, layout)
    assert chosen is not None  # both loops run at least once
    return chosen


def _layout(
    job: Job, dims: Transformer, what: Trained, usable: Floats, devices: Floats, shards: Floats, mode: str
) -> Layout:
    need = token_need(job, dims, what, shards, mode)
    length = sequence_length(job)
    largest = _largest(need, usable, length)
    sequences = _sequences(job, largest, length, devices)
    tokens = sequences * length
    redone = {"none": 0.0, "full": FIT.recomputation, "selective": FIT.selective * FIT.recomputation}[mode]
    return Layout(
        shards=shards,
        recomputes=np.full_like(devices, redone),
        sequences=sequences,
        largest=largest,
        need_gib=need.required(tokens),
        parts=need.breakdown(tokens),
    )


def _largest(need: TokenNeed, usable: Floats, length: float) -> Floats:
    """Sequences a micro-batch within ``usable`` GiB; the need grows at most linearly from its value at one."""
    one = need.required(np.full_like(usable, length))
    live = (need.activation_per_token + need.logits_per_token) * length * FIT.reserve
    more = np.floor((usable - one) / max(live, 1e-12))
    return np.where(np.nan_to_num(one, nan=np.inf) <= usable, 1 + np.maximum(more, 0.0), 0.0)


def _sequences(job: Job, largest: Floats, length: float, devices: Floats) -> Floats:
    """Sequences a micro-batch: as asked, else the largest power of two that fits and still gains."""
    if job.workload.batch_size is not None:
        return np.full_like(largest, float(job.workload.batch_size))
    most = max(1.0, min(MOST_SEQUENCES, MOST_TOKENS / length))
    if job.workload.global_batch_size is not None:
        wanted = np.maximum(1.0, np.floor(job.workload.global_batch_size / devices))
        return np.minimum(wanted, np.maximum(largest, 1.0))
    return 2.0 ** np.floor(np.log2(np.clip(largest, 1.0, most)))


def sequence_length(job: Job) -> float:
    """Tokens of one sequence."""
    return float(job.profile.reference.sequence_length or 1) if job.profile is not None else 1.0
