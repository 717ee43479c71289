"""Seconds of one micro-batch of language-model training, and what limits it (training study, section 4)."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.estimate.outcome import bottleneck
from plimsoll_service.engine.estimate.token_exchange import expert_exchange, gradient_exchange, tensor_exchange
from plimsoll_service.engine.estimate.token_run import TokenRun
from plimsoll_service.engine.estimate.token_work import work_seconds
from plimsoll_service.engine.hardware import Floats, Ints

FULL_LAUNCHES, ADAPTER_LAUNCHES = 0.8, 1.6
COMPILED_LAUNCHES, RECOMPUTED_LAUNCHES = 0.45, 1.33
OPTIMIZER_TRAFFIC = 22.0  # bytes a trained parameter and step
DEQUANTISE_TRAFFIC = 2.5  # bytes a parameter and pass
INTERLEAVED = 4.0  # pieces of each stage in the vendor's schedule, whose bubble shrinks by as much: the median recipe


def micro_batch_seconds(run: TokenRun) -> tuple[Floats, Ints]:
    """Seconds that a replica takes for one micro-batch at its pace, and what limits it.

    t = (body + exposed exchange + optimizer + unpacking) × pipeline bubble; body = (work⁴ + launches⁴)^¼.
    """
    work, launch = work_seconds(run), _launch(run)
    body = (work**4 + launch**4) ** 0.25 / run.job.software_factor
    exposed = _exposed(run, gradient_exchange(run), body) + tensor_exchange(run) + expert_exchange(run)
    seconds = (body + exposed + _optimizer(run) + _unpacking(run) + _mixed_shards(run)) * _bubble(run)
    between = run.layout.place.devices > run.inside
    link = np.where(between, bottleneck("network"), bottleneck("interconnect"))
    limit = np.where(launch > work, bottleneck("launch_latency"), bottleneck("accelerator_compute"))
    return seconds, np.where(exposed > body, link, limit).astype(np.int32)


def _exposed(run: TokenRun, exchange: Floats, body: Floats) -> Floats:
    """The part of the gradients' exchange that computing does not hide."""
    fit = run.fit
    exposed: Floats = fit.overlap * exchange + (1 - fit.overlap) * np.maximum(0.0, exchange - fit.hidden_share * body)
    return exposed


def _launch(run: TokenRun) -> Floats:
    """The floor that launching a layer's kernels from Python sets."""
    fit, layout = run.fit, run.layout
    per_layer = fit.layer_launch_s * (ADAPTER_LAUNCHES if run.what.adapters else FULL_LAUNCHES)
    per_layer *= COMPILED_LAUNCHES if run.what.software.compiled else 1.0
    per_layer *= fit.moe_launch if run.dims.moe is not None else 1.0
    again = np.where(layout.recomputed > 0, RECOMPUTED_LAUNCHES, 1.0)
    seconds: Floats = per_layer * run.dims.layers * again / layout.place.pipeline
    return seconds


def _optimizer(run: TokenRun) -> Floats:
    """Once a step, on what each device holds of the states."""
    what, place = run.what, run.layout.place
    share = place.optimizer_share(place.state_share(what.parameters - what.experts, what.experts))
    traffic = OPTIMIZER_TRAFFIC * what.trainable * share / run.layout.micro_batches
    seconds: Floats = traffic / (run.fit.gemm_bandwidth * run.bandwidth)
    return seconds


def _unpacking(run: TokenRun) -> Floats:
    """Quantised weights are unpacked in every pass."""
    if not run.what.quantised:
        return np.zeros_like(run.bandwidth)
    passes = 2 + run.recomputed
    traffic = DEQUANTISE_TRAFFIC * run.what.parameters / run.layout.place.split * passes
    seconds: Floats = traffic / (run.fit.dequantise * run.bandwidth)
    return seconds


def _mixed_shards(run: TokenRun) -> Floats:
    """What it costs to spread frozen and trained weights together, layer by layer."""
    layers = run.dims.layers if run.what.adapters else 0
    seconds: Floats = run.layout.place.sharded * layers * run.fit.sharded_adapter_s
    return seconds


def _bubble(run: TokenRun) -> Floats:
    """A pipeline's idle share: (stages − 1) of so many micro-batches (Narayanan et al. 2021)."""
    pieces = INTERLEAVED if run.what.software.interleaved else 1.0
    stages = run.layout.place.pipeline
    return 1 + (stages - 1) / (pieces * run.layout.micro_batches)
