"""Memory of one device for models that are counted in samples (memory study, section 2).

Training: need = C + 1.03 · (S + κ·A·b). Inference keeps weights and the live feature maps only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from plimsoll_service.engine.coefficients import TRAINING_MEMORY, TrainingMemory
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.memory_software import MemorySoftware, memory_software
from plimsoll_service.engine.estimate.outcome import Column
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.hardware import Flags, Floats, known_or
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.units import GIB

# Live share of what a forward pass writes: ResNet-50's first two feature maps and work space, 2.2 of 11.1 M elements.
# A deeper network's maps are a smaller share each: the share falls with the kernels over ResNet-50's.
LIVE_SHARE, LIVE_KERNELS = 0.2, 174.0
# Recommenders' tables lie spread over a machine's devices in fp32, updated row by row without states (Naumov et al.
# 2019, arXiv 1906.00091).
SPREAD_TABLES, TABLE_BYTES = "dlrm", 4.0


@dataclass(frozen=True, eq=False)
class DeviceNeed:
    """GiB on one device: what does not grow with the batch, and what each sample adds."""

    fixed: Floats
    per_sample: Floats
    parts: dict[str, Floats]  # of the fixed part

    def required(self, batch: Floats) -> Floats:
        return self.fixed + self.per_sample * batch

    def breakdown(self, batch: Floats) -> dict[str, Floats]:
        return {**self.parts, "activations": self.per_sample * batch}


class Need(Protocol):
    """What a job needs on one device at a batch, and of what that is made."""

    def required(self, batch: Floats) -> Floats: ...

    def breakdown(self, batch: Floats) -> Mapping[str, Column]: ...


@dataclass(frozen=True, eq=False)
class FixedNeed:
    """A need that was settled together with its batch."""

    gib: Floats
    parts: Mapping[str, Column]

    def required(self, batch: Floats) -> Floats:
        return self.gib

    def breakdown(self, batch: Floats) -> Mapping[str, Column]:
        return self.parts


def device_need(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> DeviceNeed:
    """What the job needs on one device, by batch. ``A`` in bytes: stored elements, fp32 elements, masks."""
    fit = job.coefficients.memory
    context = np.full(len(machines), fit.context_gib)
    if not job.training:
        weights = profile.parameters * numbers.element_bytes / GIB * fit.allocator
        at_once = profile.written_elements / (profile.reference.steps or 1)  # denoising steps follow one another
        live = live_share(profile) * at_once * numbers.element_bytes / GIB * fit.allocator
        return DeviceNeed(context + weights, live, {"framework": context, "weights": weights})
    weights, gradients, optimizer = training_state_bytes(job.optimizer, numbers.element_bytes < 4)
    tables = profile.embedding_parameters if profile.kin == SPREAD_TABLES else 0.0
    frozen = fit.allocator * profile.frozen_parameters / GIB
    each = fit.allocator * (profile.parameters - tables) / GIB - frozen
    parts = {
        "framework": context,
        "weights": each * weights + frozen * numbers.element_bytes,
        "gradients": each * gradients,
        "optimizer": each * optimizer,
        "tables": fit.allocator * tables * TABLE_BYTES / np.maximum(machines.devices, 1.0) / GIB,
    }
    software = memory_software(job)
    wide = numbers.element_bytes if software.casts_all else 4.0  # the native cast leaves some elements in fp32
    stored = profile.stored_elements * numbers.element_bytes + profile.fp32_elements * wide + profile.mask_elements
    kept = fit.allocator * kappa_of(fit, profile, software) * stored / GIB
    return DeviceNeed(sum(parts.values(), np.zeros(len(machines))), kept, parts)


def kappa_of(fit: TrainingMemory, profile: ModelProfile, software: MemorySoftware) -> float:
    """What is kept over the stored elements, by class of network and release."""
    name = profile.memory
    if name == "encoder" and software.eager:
        name = "eager_encoder"
    if name == "segment_transformer" and software.adaptive:
        name = "adaptive_segment_transformer"
    if name == "convolution_1d" and software.lean_convolutions:
        name = "lean_convolution_1d"
    return float(getattr(fit, f"kappa_{name}"))


def live_share(profile: ModelProfile) -> float:
    """Share of what a forward pass writes that is kept at once; an image decoder at the end is shallow."""
    deep = not profile.sequential and profile.reference.steps is None
    return min(LIVE_SHARE, LIVE_SHARE * LIVE_KERNELS / profile.kernels) if deep else LIVE_SHARE


def training_state_bytes(optimizer: str, half: Flags) -> tuple[Floats, Floats, Floats]:
    """Bytes a parameter for weights, gradients and optimizer; with 16-bit compute a copy of the weights is kept."""
    _, single, mixed = next(row for row in TRAINING_MEMORY.state_bytes if row[0] == optimizer)
    weights: Floats = np.where(half, 4.0 + mixed - single, 4.0)
    gradients = np.full_like(weights, 4.0)
    return weights, gradients, np.full_like(weights, single - 8.0)


def usable_gib(machines: Machines) -> Floats:
    """Memory of one device that a process can have; the host's where there is no device."""
    usable: Floats = machines.device_memory_gib * machines.usable_memory_share
    return usable


def recommended_share(job: Job) -> float:
    """How full a device may be in a recommendation: less where the model is not one of the measured."""
    return TRAINING_MEMORY.recommend_known if job.known_model else TRAINING_MEMORY.recommend_other


def recommended_part(job: Job) -> float:
    """The same over what is usable of a device; a server could use more of it than others, and may not be fuller."""
    share = recommended_share(job)
    return share / job.coefficients.serving.device.memory_share if job.kind == kind.SERVING else share


def refused_share(job: Job) -> float:
    """The low end of a need over the need: refused only where even that is not there."""
    fit = job.coefficients.memory
    if job.kind == kind.TOKEN_TRAINING:
        return fit.low_tokens
    return fit.low if job.known_model else fit.low_other


def largest_batch(need: DeviceNeed, usable: Floats) -> Floats:
    """The largest whole batch within ``usable`` GiB; 0 where not even one sample fits."""
    room = usable - need.fixed
    per_sample = np.maximum(need.per_sample, 1e-12)
    return np.floor(np.clip(known_or(room, 0.0), 0.0, None) / per_sample)
