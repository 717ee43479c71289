"""What the devices of a language-model training exchange in one micro-batch (training study, section 4).

Rajbhandari et al. 2020 (gathered weights, reduced gradients), Narayanan et al. 2021 (tensor and pipeline parallelism).
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.estimate.token_run import TokenRun
from plimsoll_service.engine.hardware import Floats

GATHERED_BYTES = 2 * 2.0  # weights in 16 bits, for the forward and for the backward pass
REDUCED_BYTES = 2 * 4.0  # fp32 gradients, there and back
EXPERT_TRAFFIC = 7.0  # bytes a token, expert and hidden element that travel to experts on other devices and back
ALL_REDUCES, RECOMPUTED_ALL_REDUCES = 4.0, 2.0  # a layer's, of tensor parallelism
ALL_REDUCE_SHARE = 0.5  # half of it is hidden
HALF_BYTES = 2.0


def gradient_exchange(run: TokenRun) -> Floats:
    """Seconds in which replicas exchange gradients (and gather spread weights; experts stay where they lie)."""
    what, place = run.what, run.layout.place
    dense = 1 - what.experts / what.parameters
    gathers = (GATHERED_BYTES * what.parameters + what.gradient_bytes * what.trainable) * dense
    lonely = np.where(place.expert > 1, dense, 1.0)
    once = REDUCED_BYTES * what.trainable * lonely / run.layout.micro_batches
    moved = np.where(place.sharded > 0, gathers, once) / place.split * (place.replicas - 1) / place.replicas
    seconds: Floats = moved / _bus(run, place.tensor * place.replicas)
    return np.where(place.replicas > 1, seconds, 0.0)


def tensor_exchange(run: TokenRun) -> Floats:
    """Seconds of the all-reduces among the devices that share each layer."""
    place, dims, fit = run.layout.place, run.dims, run.fit
    reduces = ALL_REDUCES + RECOMPUTED_ALL_REDUCES * run.layout.recomputed
    state = run.tokens * dims.hidden_size * HALF_BYTES
    moved = 2 * (place.tensor - 1) / place.tensor * state * reduces * dims.layers / place.pipeline
    seconds: Floats = fit.tensor_exchange * ALL_REDUCE_SHARE * moved / _bus(run, place.tensor)
    return np.where(place.tensor > 1, seconds, 0.0)


def expert_exchange(run: TokenRun) -> Floats:
    """Seconds in which tokens' states travel to experts on other devices and back, all passes together."""
    place, dims = run.layout.place, run.dims
    if dims.moe is None:
        return np.zeros_like(place.expert)
    tokens = run.tokens / place.tensor * dims.moe.active * dims.hidden_size
    moved = run.fit.expert_exchange * EXPERT_TRAFFIC * tokens * dims.moe.moe_layers / place.pipeline
    near = np.minimum(place.expert, _joined(run))
    within, between = run.links
    inside = moved * (near - 1) / near / within
    outside = moved * (1 - near / place.expert) * run.inside / between  # all devices of a machine share its network
    seconds: Floats = inside + np.where(place.expert > near, outside, 0.0)
    return np.where(place.expert > 1, seconds, 0.0)


def _bus(run: TokenRun, devices: Floats) -> Floats:
    """Bytes a second of the slowest link among so many devices."""
    within, between = run.links
    bus: Floats = np.where(devices > _joined(run), np.fmin(within, between), within)
    return bus


def _joined(run: TokenRun) -> Floats:
    """Devices that the fast links join: of a machine, or of a rack of them."""
    return np.maximum(run.inside, run.machines.link_devices)
