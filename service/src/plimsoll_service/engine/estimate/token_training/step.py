"""Seconds of one micro-batch of language-model training, and its bottleneck (training study, section 4).

Kaplan et al. 2020 (6·N FLOPs a token), Narayanan et al. 2021 (attention; tensor and pipeline parallelism), Dao 2023
(FlashAttention-2), Rajbhandari et al. 2020 (gathered weights, reduced gradients).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...coefficients import TokenTraining
from ...columns import Groups
from ...demand.adapters import adapter_kernels, adapter_sides
from ...demand.job import Job, profile_of
from ...hardware import Floats, Ints
from ...machines import Machines
from ...models.profile import Transformer
from ...models.stored import GPTQ
from ...models.transformers import active_parameters_of
from ...obstacles import bottleneck
from ...units import BITS_PER_BYTE, GB, TERA
from ..arithmetic import Arithmetic, small_card_share, small_cards
from .memory import Layout, Trained, active_feed_forward, eager_sinks, offloads, sequence_length


@dataclass(frozen=True, eq=False)
class TokenRun:
    """A job, the trained model, the machines, and its layout on ``inside`` devices of each."""

    job: Job
    trained: Trained
    machines: Machines
    numbers: Arithmetic
    layout: Layout
    inside: Floats  # devices of one machine that take part

    @property
    def dims(self) -> Transformer:
        return self.trained.dims

    @property
    def fit(self) -> TokenTraining:
        return self.job.coefficients.token_training

    @cached_property
    def hardware(self) -> Groups:
        """The few groups of equal devices."""
        return self.machines.hardware_groups

    @cached_property
    def tokens(self) -> Floats:
        """Of one replica's micro-batch."""
        return self.layout.sequences * sequence_length(self.job)

    @cached_property
    def bandwidth(self) -> Floats:
        """Bytes a second of one device's memory."""
        return self.machines.bandwidth_gb_s * GB

    @cached_property
    def links(self) -> tuple[Floats, Floats]:
        """Bytes a second of a device to its neighbour inside, and of a whole machine to another."""
        machines, scaling = self.machines, self.job.coefficients.scaling
        pcie = machines.pcie_gb_s * scaling.pcie / np.maximum(self.inside / 2, 1.0) ** scaling.pcie_contention
        within = np.where(machines.link_gb_s > 0, machines.link_gb_s * self.fit.nvlink_share, pcie)
        between = machines.network_gbps / BITS_PER_BYTE * self.fit.network_share
        return within * GB, between * GB

    @cached_property
    def half_peak(self) -> Floats:
        """TFLOP/s of one device in 16 bits; of those without, at the precision of the products."""
        some = self.machines.take(self.hardware.rows)
        half = np.fmax(some.peak("fp16"), some.peak("bf16")).take(self.hardware.of)
        return np.where(np.isnan(half), self.numbers.peak / TERA, half)

    @property
    def recomputation(self) -> float:
        """Share of a forward pass where all is recomputed: with adapters all of it, as beside torchtune's full runs."""
        return 1.0 if self.trained.adapters else self.fit.recomputation

    @cached_property
    def rack(self) -> Floats:
        """Speed of experts over that in machines of eight devices."""
        experts = self.dims.moe is not None
        return np.where(experts & (self.machines.link_devices > 1), self.fit.rack_experts, 1.0)

    @cached_property
    def recomputed(self) -> Floats:
        """The share of a forward pass that is done again."""
        return self.recomputation * (self.layout.recomputed + self.fit.selective * self.layout.selective)


# Watts per 16-bit TFLOP/s of each generation's flagship; parts with less are held back (study, section 4).
FLAGSHIP_W_PER_TFLOPS = {True: 1.28, False: 0.708}  # before Hopper, and from it on
BLACKWELL_W_PER_TFLOPS = 0.48
BLACKWELL_TFLOPS = 2000.0  # 16-bit rate from which a device is of that generation
MOST_POWER = 1.25  # GB300's watts over the flagship's
FORWARD_AND_BACKWARD = 3.5  # attention: backward is 2.5 × forward
ELEMENTWISE_PASSES = 2.6
FUSED_WIDTH, EAGER_WIDTH, EAGER_INNER = 14.0, 24.0, 1.5  # elements moved a hidden (inner) unit, token and layer
LOSS_BYTES = 14.0
HALF_BYTES = 2.0


def _products(run: TokenRun, share: Floats) -> Floats:
    """Matrix products of dense layers, head and routed experts, over all devices of a replica together."""
    dims, layout, place = run.dims, run.layout, run.layout.place
    passes = 2.0 if run.trained.adapters else 3.0
    h, f, vocabulary = float(dims.hidden_size), active_feed_forward(dims), float(dims.vocabulary)
    active = active_parameters_of(dims) - h * vocabulary * (1 if dims.tied_embeddings else 2)
    routed = 0.0 if dims.moe is None else run.trained.experts * dims.moe.active / dims.moe.experts
    rate = run.numbers.peak * share
    again = passes + run.recomputed
    seconds = _gemm(run, active - routed, h, f / place.tensor, run.tokens, rate, again)
    head = np.fmin(run.numbers.peak, run.half_peak * TERA) * share
    seconds = seconds + _gemm(run, h * vocabulary, h, vocabulary / place.tensor, run.tokens, head, passes)
    seconds = seconds + 2 * run.tokens * profile_of(run.job).seen_parameters / head  # of a frozen tower: forward alone
    if dims.moe is not None:
        rows = np.maximum(run.tokens * dims.moe.active * layout.place.expert / dims.moe.experts, 1.0)
        speed = rate * run.fit.experts * run.rack
        seconds = seconds + _gemm(run, routed, h, float(dims.moe.feed_forward), rows, speed, again)
    slower = EAGER_SINKS if eager_sinks(run.job) else 1.0
    return seconds * slower * profile_of(run.job).stated_work


# gpt-oss in Transformers: 1,000 samples of up to 2,048 tokens took an H100 18 minutes (OpenAI's cookbook, 2025-08),
# where fused kernels would take 3.5.
EAGER_SINKS = 5.1


def least_seconds(job: Job, trained: Trained, peak: Floats) -> Floats:
    """Seconds of one device for a sequence of which it computes nothing but dense products, at its peak."""
    dims = trained.dims
    looked_up = 0.0 if dims.tied_embeddings else float(dims.hidden_size) * dims.vocabulary
    passes = (2.0 if trained.adapters else 3.0) * profile_of(job).stated_work
    return 2 * passes * (active_parameters_of(dims) - looked_up) * sequence_length(job) / peak


def _gemm(
    run: TokenRun, parameters: float, n1: float, n2: Floats | float, rows: Floats, speed: Floats, passes: Floats | float
) -> Floats:
    """Products of (rows × n1 × n2) for all tokens: operations over speed, plus operands over bandwidth."""
    intensity = 1 / (1 / n1 + 1 / n2 + 1 / rows)
    operations = 2 * run.tokens * parameters * passes
    return operations * (1 / speed + 1 / (run.fit.gemm_bandwidth * run.bandwidth * intensity))


def gemm_share(run: TokenRun) -> Floats:
    """Share of the peak that matrix products reach: worked out once for each kind of device."""
    fit, kinds = run.fit, run.hardware
    machines, numbers, reference = run.machines.take(kinds.rows), run.numbers, run.half_peak.take(kinds.rows)
    tflops, eight = numbers.peak.take(kinds.rows) / TERA, numbers.element_bytes.take(kinds.rows) < HALF_BYTES
    share = fit.gemm * (reference / fit.reference_tflops) ** -fit.peak_exponent
    share = np.where(eight, share * np.maximum(tflops / reference, 1.0) ** -fit.peak8_exponent, share)
    share = share * _power(fit, machines, reference)
    chips = [machines.neuron, machines.tpu, machines.gaudi], [fit.neuron, fit.tpu, fit.gaudi]
    compiled = np.select(*chips, fit.other_chip)  # share of the rate that a chip with a compiler of its own reaches
    share = np.where(machines.compiled_chip, share * compiled, share) * machines.unmeasured_share()
    return (np.minimum(share, 1.0) * (1.0 if run.trained.software.vendor else fit.stock)).take(kinds.of)


def _power(fit: TokenTraining, machines: Machines, reference: Floats) -> Floats:
    """Factor of a device with fewer watts for its rate than its generation's flagship, or a small card, needs."""
    flagship = np.where(machines.before_hopper, FLAGSHIP_W_PER_TFLOPS[True], FLAGSHIP_W_PER_TFLOPS[False])
    blackwell = ~machines.before_hopper & (reference >= BLACKWELL_TFLOPS)
    flagship = np.where(blackwell, BLACKWELL_W_PER_TFLOPS, flagship)
    most = np.where(blackwell, MOST_POWER, 1.0)
    limited = np.minimum(most, machines.power_w / reference / flagship) ** fit.power_exponent
    limited = np.where(small_cards(machines, reference), small_card_share(fit, machines, reference), limited)
    return np.where(~np.isnan(limited) & machines.nvidia, limited, 1.0)


# Size of a head whose products take as long as its exponentials, on Hopper and whatever is no older: those are as many
# whatever the size, and have 1/256 of the products' rate (Shah et al. 2024, arXiv 2407.08608, section 3.1).
EXPONENTIAL_HEAD = 128.0


def _attention(run: TokenRun, share: Floats) -> Floats:
    """Causal attention: half of the score matrix; a window bounds it in its share of the layers."""
    dims, fit = run.dims, run.fit
    length = sequence_length(run.job)
    window = min(length, 2.0 * dims.sliding_window) if dims.sliding_window else length
    seen = (1 - dims.sliding_share) * length + dims.sliding_share * window
    q = float(dims.heads * dims.head_size)
    if dims.latent is not None:
        q = dims.heads * (dims.latent.query_key_size + dims.latent.value_size) / 2
    passes = FORWARD_AND_BACKWARD + run.recomputation * run.layout.recomputed
    operations = 2 * seen * q * dims.layers * dims.attention_share * run.tokens * passes
    half = np.fmin(run.half_peak * TERA, run.numbers.peak)  # scores stay in 16 bits
    growth = fit.attention_peak_exponent - fit.peak_exponent
    stock = (np.maximum(half / TERA, 1.0) / fit.reference_tflops) ** -growth
    slower = 1.0 if run.trained.software.vendor else np.minimum(stock, 1 / fit.attention)
    slower = slower * np.where(run.machines.before_hopper, 1.0, min(q / dims.heads / EXPONENTIAL_HEAD, 1.0))
    return operations / (half * fit.attention * share / fit.gemm * slower)


def _elementwise(run: TokenRun) -> Floats:
    """Norms, activations, rotations, casts to 8 bits and the loss: bytes over bandwidth."""
    dims, f = run.dims, active_feed_forward(run.dims)
    width, inner = (FUSED_WIDTH, 1.0) if run.trained.software.compiled else (EAGER_WIDTH, EAGER_INNER)
    moved = 2 * (width * dims.hidden_size + (6 if dims.gated else 4) * inner * f)
    casts = np.where(run.numbers.element_bytes < HALF_BYTES, 2 * (2 * dims.hidden_size + 1.5 * f), 0.0)
    passes = ELEMENTWISE_PASSES + run.recomputed
    layers = run.fit.elementwise * run.tokens * dims.layers * passes * (moved + casts)
    moved_in_all = layers + LOSS_BYTES * run.tokens * dims.vocabulary + _adapters_moved(run)
    return moved_in_all / run.bandwidth


def _adapters_moved(run: TokenRun) -> Floats | float:
    """Bytes that adapters move beside their products."""
    if not run.trained.adapters:
        return 0.0
    targets = run.job.workload.lora_targets or "attention"
    sides = adapter_sides(run.dims, targets, active_feed_forward(run.dims))
    fused = FUSED_WIDTH / EAGER_WIDTH if run.trained.software.compiled else 1.0
    return run.fit.adapter_bytes * fused * sides * run.tokens * (2 + run.recomputed)


# Of a script of one's own that is not compiled, element-wise kernels under autocast over those of measured trainers.
# GPT-2 of 124 million parameters: compiled and with fused attention an A100 takes 16,384 tokens in 96 ms (Karpathy
# 2024, Let's reproduce GPT-2); compiling brings 1.547 (pytorch/benchmark, change 1911, nanogpt). That is 1.41 times the
# time of this formula at 16 sequences (155,250 tokens a second), of which its element-wise kernels take 0.2515.
EAGER_ELEMENTWISE = 1 + (0.096 * 1.547 / 16_384 * 155_250 - 1) / 0.2515


def eager_slowness(run: TokenRun, seconds: Floats) -> Floats:
    """Time of a plain script that is not compiled over that of the measured trainers."""
    return 1 + (EAGER_ELEMENTWISE - 1) * _elementwise(run) / run.layout.place.split / seconds


GATHERS = 2.0  # of spread weights: for the forward and for the backward pass
REDUCED_BYTES = 2 * 4.0  # fp32 gradients, there and back
EXPERT_TRAFFIC = 7.0  # bytes a token, place and hidden element that travel to experts elsewhere and back
ALL_REDUCES, RECOMPUTED_ALL_REDUCES = 4.0, 2.0  # a layer's, of tensor parallelism
# Left uncovered of a layer's all-reduces: NVIDIA's trainer splits them to run beside the products (Megatron Core,
# ``tp_comm_overlap``); others compute and exchange in turn unless asked otherwise (pytorch/torchtitan, docs, async TP).
UNCOVERED, PARTLY_COVERED = 1.0, 0.5


def gradient_exchange(run: TokenRun) -> Floats:
    """Seconds in which replicas exchange gradients (and gather spread weights; experts stay where they lie)."""
    trained, place = run.trained, run.layout.place
    dense = 1 - trained.experts / trained.parameters
    weights = trained.gathered(trained.parameters - trained.embedding)
    gathers = (GATHERS * weights + trained.reduced_bytes * trained.trainable) * dense
    lonely = np.where(place.expert > 1, dense, 1.0)
    once = REDUCED_BYTES * trained.trainable * lonely / run.layout.micro_batches
    moved = np.where(place.sharded > 0, gathers, once) / place.split * (place.replicas - 1) / place.replicas
    return np.where(place.replicas > 1, moved / _bus(run, place.tensor * place.replicas), 0.0)


def tensor_exchange(run: TokenRun) -> Floats:
    """Seconds of the all-reduces among the devices that share each layer."""
    place, dims, fit = run.layout.place, run.dims, run.fit
    reduces = ALL_REDUCES + RECOMPUTED_ALL_REDUCES * run.layout.recomputed
    state = run.tokens * dims.hidden_size * HALF_BYTES
    moved = 2 * (place.tensor - 1) / place.tensor * state * reduces * dims.layers / place.pipeline
    uncovered = PARTLY_COVERED if run.trained.software.vendor else UNCOVERED
    return np.where(place.tensor > 1, fit.tensor_exchange * uncovered * moved / _bus(run, place.tensor), 0.0)


def expert_exchange(run: TokenRun) -> Floats:
    """Seconds in which tokens' states travel to experts on other devices and back, all passes together.

    A state goes once to each device, and over the network once to each machine, that has any of its experts
    (deepseek-ai/DeepEP, issue 48, 2025-03-06, and README).
    """
    place, dims = run.layout.place, run.dims
    if dims.moe is None:
        return np.zeros_like(place.expert)
    state = EXPERT_TRAFFIC * run.tokens / place.tensor * dims.hidden_size * dims.moe.moe_layers / place.pipeline
    near = np.minimum(place.expert, _joined(run))
    machines, (within, between) = place.expert / near, run.links
    inside = state * _reached(place.expert, dims.moe.active) * (1 - 1 / near) / within
    outside = state * _reached(machines, dims.moe.active) * (1 - 1 / machines) * run.inside / between  # shared
    seconds: Floats = inside + np.where(machines > 1, outside, 0.0)
    return np.where(place.expert > 1, seconds, 0.0)


def _reached(places: Floats, experts: int) -> Floats:
    """Places that hold any of so many experts, each drawn from all places alike."""
    return places * (1 - (1 - 1 / places) ** experts)


def _bus(run: TokenRun, devices: Floats) -> Floats:
    """Bytes a second of the slowest link among so many devices."""
    within, between = run.links
    return np.where(devices > _joined(run), np.fmin(within, between), within)


def _joined(run: TokenRun) -> Floats:
    """Devices that the fast links join: of a machine, or of a rack of them."""
    return np.maximum(run.inside, run.machines.link_devices)


COMPILED_LAUNCHES, RECOMPUTED_LAUNCHES = 0.28, 1.33
OPTIMIZER_TRAFFIC = 22.0  # bytes a trained parameter and step
DEQUANTISE_TRAFFIC = 2.5  # bytes a parameter and pass
# Of a parameter in 4 bits by GPTQ: shift to 4 bytes, cast to one, mask, gathered zeros and scales, subtraction and
# product, as AutoGPTQ does it with plain tensor operations; the backward pass takes what the forward pass unpacked
# (AutoGPTQ/AutoGPTQ@058fd80a, nn_modules/qlinear/qlinear_cuda.py, read 2026-11-28).
GPTQ_TRAFFIC = 0.5 + 4 + (4 + 1) + (1 + 1) + 1 + (2 + 1) + 2 + (3 + 2)
INTERLEAVED = 4.0  # pieces of each stage in the vendor's schedule, whose bubble shrinks by as much: the median recipe


def micro_batch_seconds(run: TokenRun) -> tuple[Floats, Ints]:
    """Seconds of a replica for one micro-batch, and its bottleneck.

    t = (body + exposed exchange + optimizer + unpacking) × pipeline bubble; body = (work⁴ + launches⁴)^¼.
    """
    fit, exchange, launch = run.fit, gradient_exchange(run), _launch(run)
    share, stock = gemm_share(run), np.where(run.machines.compiled_chip, 1.0, stock_speed(run.job))
    work = (_products(run, share) + _attention(run, share) + _elementwise(run)) / run.layout.place.split / stock
    body = (work**4 + launch**4) ** 0.25 / run.job.software_factor
    # Computing hides a part of the gradients' exchange.
    exposed = fit.overlap * exchange + (1 - fit.overlap) * np.maximum(0.0, exchange - fit.hidden_share * body)
    exposed = exposed + tensor_exchange(run) + expert_exchange(run)
    exposed = exposed + np.maximum(0.0, _fetched(run) - body) + _updated(run)
    # Frozen and trained weights are spread together, layer by layer.
    mixed_shards = run.layout.place.sharded * (run.dims.layers if run.trained.adapters else 0) * fit.sharded_adapter_s
    seconds = (body + exposed + _optimizer(run) + _unpacking(run) + mixed_shards) * _bubble(run)
    between = run.layout.place.devices > run.inside
    link = np.where(between, bottleneck("network"), bottleneck("interconnect"))
    limit = np.where(launch > work, bottleneck("launch_latency"), bottleneck("accelerator_compute"))
    return seconds, np.where(exposed > body, link, limit).astype(np.int32)


# Speed of Hugging Face's models, whose kernels nobody fused, over the trainers that the fit has: Granite 7B (the shape
# of Llama 2) on four A100 80 GB, eight sequences of 4,096 tokens each, states spread. Tokens a second of a device, over
# the formula's 3,682 with all activations computed again, as eight sequences need (huggingface/blog @09e9aa2d,
# deepspeed-to-fsdp-and-back.md, 2024-06-13). LLaMA-Factory and Axolotl run these models in that Trainer, and fuse no
# kernels unless told (hiyouga/LLaMA-Factory @00577a85, hparams/model_args.py, enable_liger_kernel;
# axolotl-ai-cloud/axolotl @1377ccc3, integrations/liger/README.md; read on 2026-11-29).
IN_TRAINER = 3158.7 / 3682
STOCK_MODELS = {
    "huggingface": IN_TRAINER, "llama-factory": IN_TRAINER, "axolotl": IN_TRAINER, "deepspeed": 3094.5 / 3682
}  # fmt: skip


def stock_speed(job: Job) -> float:
    """Speed of the models' own code over the measured trainers'. Rule: stock-models."""
    stock = job.workload.method == "full" and not job.tuned
    return STOCK_MODELS.get(job.program, 1.0) if stock else 1.0


def _launch(run: TokenRun) -> Floats:
    """The floor that launching a layer's kernels from Python sets."""
    fit, layout = run.fit, run.layout
    per_layer = fit.layer_launch_s * adapter_kernels(run.job)
    per_layer *= COMPILED_LAUNCHES if run.trained.software.compiled else 1.0
    per_layer *= fit.moe_launch if run.dims.moe is not None else 1.0
    again = np.where(layout.recomputed > 0, RECOMPUTED_LAUNCHES, 1.0)
    sharing = np.maximum(1.0, run.inside / np.maximum(run.machines.cores, 1.0))  # of a core; rule: process-cores
    return per_layer * run.dims.layers * again * sharing / layout.place.pipeline / run.rack


def _optimizer(run: TokenRun) -> Floats:
    """Seconds of the optimizer, once a step, on the states that each device holds."""
    if offloads(run.job):
        return np.zeros_like(run.bandwidth)
    return OPTIMIZER_TRAFFIC * _updated_parameters(run) / (run.fit.gemm_bandwidth * run.bandwidth)


def _updated_parameters(run: TokenRun) -> Floats:
    """Trained parameters whose states each device holds, once a step."""
    share = run.layout.place.optimizer_share(_state_share(run))
    return run.trained.trainable * share / run.layout.micro_batches


def _unpacking(run: TokenRun) -> Floats:
    """Quantised weights are unpacked in every pass."""
    if not run.trained.quantised:
        return np.zeros_like(run.bandwidth)
    packed = run.trained.parameters / run.layout.place.split
    if run.job.workload.quantization == GPTQ:
        return GPTQ_TRAFFIC * packed * (1 + run.recomputed) / (run.fit.dequantise_gptq * run.bandwidth)
    return DEQUANTISE_TRAFFIC * packed * (2 + run.recomputed) / (run.fit.dequantise * run.bandwidth)


OFFLOADED_BYTES = 4.0 + 2.0  # a trained parameter's gradient to the host, and its weight back


def _updated(run: TokenRun) -> Floats:
    """Seconds to bring gradients to the host's memory, update there and bring weights back; none of it is hidden."""
    if not offloads(run.job):
        return np.zeros_like(run.bandwidth)
    mine = _updated_parameters(run)
    updates = mine * run.inside * OPTIMIZER_TRAFFIC / (run.machines.cpu_bandwidth_gb_s * GB)
    return mine * OFFLOADED_BYTES / _host_link(run) + updates


def _fetched(run: TokenRun) -> Floats:
    """Seconds to fetch weights from the host's memory, each device its share, while it computes.

    Llama-2-70B with QLoRA on two RTX 4090, 4,096 tokens a pass on each: as fast as what does not move its weights
    (AnswerDotAI/fsdp_qlora, benchmarks_03_2024.md: 34 billion parameters in 2,061 s, and 2,072 s without).
    """
    if run.job.workload.offload != "parameters":
        return np.zeros_like(run.bandwidth)
    return (2 + run.recomputed) * run.trained.weights() * _state_share(run) / _host_link(run)


def _state_share(run: TokenRun) -> Floats:
    """Share of the parameters that each device holds."""
    return run.layout.place.state_share(run.trained.parameters - run.trained.experts, run.trained.experts)


def _host_link(run: TokenRun) -> Floats:
    """Bytes a second between a device and the host's memory."""
    return run.machines.pcie_gb_s * run.job.coefficients.scaling.pcie * GB


def _bubble(run: TokenRun) -> Floats:
    """A pipeline's idle share: (stages − 1) of so many micro-batches (Narayanan et al. 2021); in turn, of each."""
    pieces = INTERLEAVED if run.trained.software.interleaved else 1.0
    place = run.layout.place
    return 1 + (place.pipeline - 1) / np.where(place.in_turn > 0, 1.0, pieces * run.layout.micro_batches)
