"""What the devices compute in one micro-batch: matrix products, attention, element-wise kernels (training study, §4).

Kaplan et al. 2020 (6·N FLOPs a token), Narayanan et al. 2021 (attention), Dao 2023 (FlashAttention-2).
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.coefficients import TokenTraining
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.token_layout import sequence_length
from plimsoll_service.engine.estimate.token_memory import active_feed_forward
from plimsoll_service.engine.estimate.token_run import TokenRun
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.transformers import active_parameters_of

# Watts per 16-bit TFLOP/s of each generation's flagship; parts with less are held back (study, section 4).
FLAGSHIP_W_PER_TFLOPS = {True: 1.28, False: 0.708}  # before Hopper, and from it on
BLACKWELL_W_PER_TFLOPS = 0.48
BLACKWELL_TFLOPS = 2000.0  # 16-bit rate from which a device is of that generation
MOST_POWER = 1.25  # GB300's watts over the flagship's
POWER_FLOOR_TFLOPS = 250.0
FORWARD_AND_BACKWARD = 3.5  # attention: backward is 2.5 × forward
ELEMENTWISE_PASSES = 2.6
FUSED_WIDTH, EAGER_WIDTH, EAGER_INNER = 14.0, 24.0, 1.5  # elements moved a hidden (inner) unit, token and layer
LOSS_BYTES = 14.0
HALF_BYTES = 2.0


def work_seconds(run: TokenRun) -> Floats:
    """Seconds of the products, attention and element-wise kernels of one micro-batch on each device."""
    share = gemm_share(run)
    together = _products(run, share) + _attention(run, share) + _elementwise(run)
    seconds: Floats = together / run.layout.place.split
    return seconds


def _products(run: TokenRun, share: Floats) -> Floats:
    """Matrix products of dense layers, head and routed experts, over all devices of a replica together."""
    dims, layout, place = run.dims, run.layout, run.layout.place
    passes = 2.0 if run.what.adapters else 3.0
    h, f, vocabulary = float(dims.hidden_size), active_feed_forward(dims), float(dims.vocabulary)
    active = active_parameters_of(dims) - h * vocabulary * (1 if dims.tied_embeddings else 2)
    routed = _routed(run)
    rate = run.numbers.peak * share
    again = passes + run.recomputed
    seconds = _gemm(run, active - routed, h, f / place.tensor, run.tokens, rate, again)
    head = np.fmin(run.numbers.peak, run.half_peak * 1e12) * share
    seconds = seconds + _gemm(run, h * vocabulary, h, vocabulary / place.tensor, run.tokens, head, passes)
    if dims.moe is not None:
        rows = np.maximum(run.tokens * dims.moe.active * layout.place.expert / dims.moe.experts, 1.0)
        speed = rate * run.fit.experts
        seconds = seconds + _gemm(run, routed, h, float(dims.moe.feed_forward), rows, speed, again)
    stated: Floats = seconds * (run.job.profile.stated_work if run.job.profile is not None else 1.0)
    return stated


def _gemm(
    run: TokenRun, parameters: float, n1: float, n2: Floats | float, rows: Floats, speed: Floats, passes: Floats | float
) -> Floats:
    """Products of (rows × n1 × n2) for all tokens: operations over speed, plus operands over bandwidth."""
    intensity = 1 / (1 / n1 + 1 / n2 + 1 / rows)
    operations = 2 * run.tokens * parameters * passes
    seconds: Floats = operations * (1 / speed + 1 / (run.fit.gemm_bandwidth * run.bandwidth * intensity))
    return seconds


def _routed(run: TokenRun) -> float:
    """Active parameters of the routed experts of all layers."""
    moe = run.dims.moe
    return 0.0 if moe is None else run.what.experts * moe.active / moe.experts


def gemm_share(run: TokenRun) -> Floats:
    """Share of the peak that matrix products reach: worked out once for each kind of device."""
    fit, kinds = run.fit, run.hardware
    machines, numbers, reference = run.machines.take(kinds.rows), run.numbers, run.half_peak.take(kinds.rows)
    tflops, eight = numbers.peak.take(kinds.rows) / 1e12, numbers.element_bytes.take(kinds.rows) < HALF_BYTES
    share = fit.gemm * (reference / fit.reference_tflops) ** -fit.peak_exponent
    share = np.where(eight, share * np.maximum(tflops / reference, 1.0) ** -fit.peak8_exponent, share)
    share = share * _power(fit, machines, reference)
    share = np.where(machines.compiled_chip(), share * _compiler(fit, machines), share)
    bounded: Floats = np.minimum(share, 1.0) * (1.0 if run.what.software.vendor else fit.stock)
    return bounded.take(kinds.of)


def _compiler(fit: TokenTraining, machines: Machines) -> Floats:
    """What a chip with a compiler of its own makes of its datasheet."""
    return np.select([machines.neuron, machines.tpu, machines.gaudi], [fit.neuron, fit.tpu, fit.gaudi], fit.other_chip)


def _power(fit: TokenTraining, machines: Machines, reference: Floats) -> Floats:
    """What a device with fewer watts for its rate than its generation's flagship loses."""
    flagship = np.where(machines.before_hopper, FLAGSHIP_W_PER_TFLOPS[True], FLAGSHIP_W_PER_TFLOPS[False])
    blackwell = ~machines.before_hopper & (reference >= BLACKWELL_TFLOPS)
    flagship = np.where(blackwell, BLACKWELL_W_PER_TFLOPS, flagship)
    most = np.where(blackwell, MOST_POWER, 1.0)
    limited = np.minimum(most, machines.power_w / reference / flagship) ** fit.power_exponent
    counts = (reference > POWER_FLOOR_TFLOPS) & ~np.isnan(limited) & machines.nvidia
    return np.where(counts, limited, 1.0)


def _attention(run: TokenRun, share: Floats) -> Floats:
    """Causal attention: half of the score matrix; a window bounds it in its share of the layers."""
    dims, fit = run.dims, run.fit
    length = sequence_length(run.job)
    window = min(length, 2.0 * dims.sliding_window) if dims.sliding_window else length
    seen = (1 - dims.sliding_share) * length + dims.sliding_share * window
    q = float(dims.heads * dims.head_size)
    if dims.latent is not None:
        q = dims.heads * (dims.latent.query_key_size + dims.latent.value_size) / 2
    passes = FORWARD_AND_BACKWARD + fit.recomputation * run.layout.recomputed
    operations = 2 * seen * q * dims.layers * dims.attention_share * run.tokens * passes
    half = np.fmin(run.half_peak * 1e12, run.numbers.peak)  # scores stay in 16 bits
    growth = fit.attention_peak_exponent - fit.peak_exponent
    stock = (np.maximum(half / 1e12, 1.0) / fit.reference_tflops) ** -growth
    slower = 1.0 if run.what.software.vendor else np.minimum(stock, 1 / fit.attention)
    seconds: Floats = operations / (half * fit.attention * share / fit.gemm * slower)
    return seconds


def _elementwise(run: TokenRun) -> Floats:
    """Norms, activations, rotations, casts to 8 bits and the loss: bytes over bandwidth."""
    dims, f = run.dims, active_feed_forward(run.dims)
    width, inner = (FUSED_WIDTH, 1.0) if run.what.software.compiled else (EAGER_WIDTH, EAGER_INNER)
    moved = 2 * (width * dims.hidden_size + (6 if dims.gated else 4) * inner * f)
    casts = np.where(run.numbers.element_bytes < HALF_BYTES, 2 * (2 * dims.hidden_size + 1.5 * f), 0.0)
    passes = ELEMENTWISE_PASSES + run.recomputed
    layers = run.fit.elementwise * run.tokens * dims.layers * passes * (moved + casts)
    seconds: Floats = (layers + LOSS_BYTES * run.tokens * dims.vocabulary) / run.bandwidth
    return seconds
