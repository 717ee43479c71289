"""Time of one step on one device (or on all cores): compute, memory traffic, launches.

Throughput study, section 2:  t = (t_c + t_m) · (1 + filling) + t_w;  T = √(t² + t_l²) · fitted factor. At inference
the part of that factor that is the device's own is on t alone.
Williams et al. 2009 (roofline); Qi et al. 2017 (Paleo); Yu et al. 2021 (Habitat: filling of the chip).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from ..coefficients import Roofline
from ..demand import adapters, software
from ..demand.job import Job
from ..demand.served_model import SGLANG, VLLM, served
from ..hardware import Flags, Floats, Ints
from ..machines import Machines
from ..models.families import family_of
from ..models.profile import ENCODER_MAPS, HALF, ModelProfile
from ..models.transformers import written_elements
from ..obstacles import bottleneck
from ..spreads import TENSORRT, UNSTUDIED
from ..units import BYTES, GB, GIGA, TERA
from . import processor_step
from .arithmetic import LARGE_PRODUCTS, Arithmetic, arithmetic, small_card_share, small_cards
from .serving.replica import compute_rate, half_peak, product_peak

# Bottlenecks of a step, on devices and then on cores.
COMPUTE, TRAFFIC_LIMIT, LAUNCHES, ON_CORES = range(4)
LIMITS = np.array(
    [
        bottleneck(name)
        for name in (
            "accelerator_compute", "accelerator_memory_bandwidth", "launch_latency",
            "cpu_compute", "memory_bandwidth", "launch_latency",
        )
    ],
    dtype=np.int32,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Step:
    """One step of a batch on one device; processors run ``at_once`` batches in parallel."""

    seconds: Floats  # between two batches that are done
    bottleneck: Ints
    at_once: Floats


@dataclass(frozen=True, eq=False)
class StepTerms:
    """Terms of the step of each machine, before its batch: seconds, a sample or a step; factors."""

    on_device: Flags
    compute: Floats  # a sample
    traffic: Floats  # a sample
    weights: Floats
    cached: Floats  # a sample: long vectors, as weights are, which fill any chip
    idle: Floats  # threads that it could run × kernels, weighted; ÷ elements of a batch
    elements: Floats  # a sample
    launches: Floats
    ahead: Flags  # the host runs ahead of the device, so that the slower of both sets the time
    host: Floats  # a sample, between kernels, which no device shortens
    crowding: Floats
    enough: Floats  # share of the cores that takes all bandwidth
    most_cores: Floats  # share of the cores that ever work
    factor: Floats  # of software and fitted effects
    at_once: Floats
    at_peak: Floats  # a sample's operations at the peak of their path; 0 where fits to the model itself have the say,
    # but of convolutions on matrix units
    on_matrix: Floats  # those on matrix units, which count each operation; 0 elsewhere
    most: Floats  # share of the peak that is ever reached

    def step(self, batch: Floats) -> Step:
        """A step of ``batch`` samples on one device."""
        compute, traffic = self.compute * batch, self.traffic * batch
        filling = self.idle / np.maximum(self.elements * batch, 1.0)
        read = self.weights + self.cached * batch
        busy = (compute + traffic) * (1 + filling) + read
        hosts = np.flatnonzero(~self.on_device)
        if len(hosts):
            busy[hosts] = processor_step.busy_on_cores(
                *(column[hosts] for column in (compute, traffic, read, filling)),
                *(column[hosts] for column in (self.crowding, self.enough, self.most_cores)),
            )
        launches = self.launches / self.at_once  # processes side by side start theirs at once
        together = np.sqrt(busy**2 + launches**2)
        ahead = np.flatnonzero(self.ahead)
        if len(ahead):  # see ``EAGER_LAUNCH_S``
            together[ahead] = np.cbrt(busy[ahead] ** 3 + launches[ahead] ** 3)
        seconds = np.maximum(together * self.factor, self.at_peak / self.most * batch)
        heavier = np.where(compute >= traffic + read, COMPUTE, TRAFFIC_LIMIT)
        limit = np.where(launches > busy, LAUNCHES, heavier) + ON_CORES * ~self.on_device
        host = self.host * batch
        return Step(seconds + host, LIMITS.take(np.where(host > seconds, ON_CORES, limit)), self.at_once)


def step_terms(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> StepTerms:
    """The terms of a training step, or of a forward pass where the job is inference."""
    on_device, team = machines.has_accelerator(), processor_step.team_of(job, machines)
    if job.framework.sample_s is not None:
        return _by_the_text(job, machines, job.framework.sample_s)
    writes_text = profile.generation is not None and family_of(profile.family).data == "text"  # or reads documents
    uneven = np.where(on_device & (not job.training and writes_text), software.UNEVEN_TEXTS, 1.0)
    operations, on_matrix = _operations(job, profile), on_device & numbers.tensor
    bounded = on_matrix & (not job.training and profile.family in CONVOLUTIONAL)
    peak = np.where(bounded, _rate_of_short_sums(machines, numbers), numbers.peak)
    recurrent = np.where(on_device & ~numbers.tensor & (job.training and profile.sequential), RECURRENT_SHARE, 1.0)
    return StepTerms(
        on_device=on_device,
        compute=uneven * _compute(job, profile, machines, numbers),
        traffic=uneven * _traffic(job, profile, machines, numbers),
        weights=_weight_traffic(job, profile, machines, numbers),
        cached=uneven * _cache_traffic(job, profile, machines, numbers),
        idle=_idle(job, profile, machines, team),
        elements=uneven * profile.written_elements,
        launches=_launches(job, profile, machines, numbers) / _effect_on_launches(job, profile, numbers),
        ahead=software.launches_eagerly(job, profile) & _on_graphics(machines),
        host=np.where(on_device, software.host_seconds(job, profile), 0.0),
        crowding=processor_step.crowding_of(job, team),
        enough=np.minimum(machines.cpu_bandwidth_cores / machines.cores, 1.0),
        most_cores=processor_step.cores_at_work(job, machines) / machines.cores,
        factor=_over_formula(job, profile, machines, numbers),
        at_once=np.where(on_device, 1.0, machines.cores / team),
        at_peak=operations / peak * (bounded | (machines.basis == UNSTUDIED) | (not job.known_model)),
        on_matrix=operations / numbers.peak * on_matrix,
        most=np.where(bounded, YOLO_SHARE if processor_step.yolo(profile) else CONVOLUTION_SHARE, recurrent),
    )


def _by_the_text(job: Job, machines: Machines, sample_s: float) -> StepTerms:
    """The terms of a program whose threads take a sample each, so long on a core of the reference."""
    nothing = ("traffic", "weights", "cached", "idle", "launches", "host", "at_peak", "on_matrix")
    return StepTerms(
        on_device=machines.has_accelerator(),
        compute=sample_s / (machines.cores * machines.core_speed),
        ahead=np.zeros(len(machines), dtype=bool),
        crowding=processor_step.crowding_of(job, machines.cores),
        **dict.fromkeys(nothing, np.zeros(len(machines))),
        **dict.fromkeys(("elements", "enough", "most_cores", "factor", "at_once", "most"), np.ones(len(machines))),
    )


# Share of the peak of plain units that a recurrent network reaches in training: the median of GNMT's 17 published runs
# in fp32, on 11 devices, of 0.42 to 0.65 (see /v1/evidence, gnmt); one layer alone reached 0.38 at most (rnn-1024).
RECURRENT_SHARE = 0.52
# Share of the rate of matrix units, with sums as short as their elements, that networks of convolutions ever reached at
# inference: in the evidence ResNet-50 on L40S in 8 bits (mlperf-inf-v4.1-0641); in 16 bits U-Net on V100, 0.47.
CONVOLUTION_SHARE = 0.51
# And YOLO: YOLOv9-c in TensorRT on RTX 4090, 1,224 images/s in 16 bits, and 0.35, 2,268, in 8 (levipereira/yolov9-qat
# @c293d1f2, README, 2024). The most of 40 runs in the evidence is 0.36 (Jetson Orin NX, yolo11x), and on T4 0.32 of
# YOLOv8l (8.06 ms: arXiv 2405.14458, table 1) and 0.27 of YOLO11x (11.3 ms: Ultralytics, docs/en/models/yolo11.md).
YOLO_SHARE = 0.38
# FLOP a cycle of the matrix units of a multiprocessor in 16 bits, from Volta on at least (NVIDIA's whitepapers).
# Desktop parts and A10G list half of it, with sums in 32 bits.
SHORT_SUMS = 1024.0


def _rate_of_short_sums(machines: Machines, numbers: Arithmetic) -> Floats:
    """FLOP/s of the matrix units with sums as short as their elements."""
    units = machines.sm_count * machines.boost_ghz * GIGA * SHORT_SUMS
    return np.fmax(numbers.peak, units * BYTES["fp16"] / numbers.element_bytes)


def _operations(job: Job, profile: ModelProfile) -> float:
    """Operations of a sample: in training also those of the backward pass."""
    if not job.training:
        return profile.forward_flops
    passes = job.coefficients.roofline.training_passes
    return passes * profile.forward_flops * adapters.work_share(job, profile, passes)


def _over_formula(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Time over the formula's: software, fitted effects, and caution where no row shows such work on a device.

    What a compiler's software gained with the networks that were measured is not taken for granted with others.
    """
    chip, fit, effects = machines.compiled_chip, job.coefficients.roofline, numbers.fitted_factor
    if job.training:
        chip = chip & ~(machines.neuron & (profile.transformer is not None))  # no other network was, on such chips
    else:
        chip = chip & (machines.basis == UNSTUDIED)
        effects = np.where(chip, np.maximum(effects, 1.0), effects)
    factor = effects / _software(job, profile, machines, numbers)
    if software.looped(job):
        factor = factor * np.where(machines.has_accelerator(), software.LOOP_PENALTY, 1.0)
    on_tpu = JAX_ON_TPU * (PYTORCH_OVER_JAX if job.framework.library == "pytorch" else 1.0)
    share = np.where(machines.tpu & job.training, on_tpu, fit.unmeasured_chip)
    factor = np.where(chip, factor / share, factor)
    factor = np.where(machines.has_accelerator(), factor, factor * processor_step.over_on_cores(job, profile))
    return factor / machines.unmeasured_share()


# Speed of training in JAX on TPU over the formula's without caution, the geometric mean of three published runs on four
# chips of TPU v3: RoBERTa base on 128 tokens for 18 passes in 15.53 h (0.91, with the samples that 8 V100 took 44.23 h
# for), BERT base on MNLI in 25 min with its evaluation (0.59; huggingface/transformers, examples/flax), and ViT-S/16
# for 90 passes of ImageNet in under seven hours (0.67; arXiv 2205.01580). PyTorch took 23.77 h for the first: 15.53 ÷
# 23.77 is 0.65, of which the fitted effects of both frameworks have 1 ÷ 1.19. XLA compiles the others' graphs.
JAX_ON_TPU, PYTORCH_OVER_JAX = 0.71, 0.78


CONVOLUTIONAL = ("cnn", "detection", "segmentation")  # families


def _fused_convolutions(job: Job, profile: ModelProfile) -> bool:
    """Whether TensorRT fuses convolutions, whose results then find room in a large cache.

    In 8 bits its engines show no loss by bandwidth on L4. In 16 bits, with 1.86 times the peak, an L4 ran ResNets in
    PyTorch and TensorRT up to 4.4 times as fast as a T4 (arXiv 2604.14552).
    """
    engine = job.framework.library == TENSORRT
    return engine and not job.training and profile.family in CONVOLUTIONAL


def _compute(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Seconds a sample: operations ÷ (peak × efficiency), corrected for balance, power limit and many cores."""
    fit = job.coefficients.roofline
    on_device = machines.has_accelerator()
    bandwidth = _bandwidth(machines)
    flop_per_byte = numbers.peak / bandwidth / fit.balance_flop_per_byte
    # The share of its datasheet that an unmeasured chip is taken to reach has the balance in it.
    balanced = numbers.tensor & (numbers.element_bytes >= 2) & ~machines.neuron & ~_fuses(job, machines)
    fed = machines.large_cache & _fused_convolutions(job, profile)
    fall = np.where(fed, 1.0, np.maximum(flop_per_byte, 0.1) ** fit.balance_exponent)
    if software.wide_products(job, profile):
        narrow = (profile.width or 0.0) < UNHELD_WIDTH
        held = machines.gddr if job.training and narrow else machines.small_cache
        fall = _fall_of_wide(job, machines, numbers) * np.where(held, np.maximum(fall, 1.0), 1.0)
    elif profile.transformer is not None:
        fall = _fall_of_wide(job, machines, numbers)
    balance = np.where(balanced, fall, 1.0)
    limited = fit.power_per_sm_ghz * machines.sm_count * machines.boost_ghz / machines.power_w
    power = np.where(np.isnan(limited), 1.0, np.maximum(1.0, limited) ** fit.power_exponent)
    if software.swaps_parts(job, profile):
        power = power / _share_of_watts(job, machines)
    many_cores = np.where(on_device, 1.0, processor_step.crowding_of(job, processor_step.team_of(job, machines)))
    rate = numbers.peak * numbers.efficiency
    if not job.training:
        rate = np.where(on_device, rate, processor_step.rate_on_cores(job, profile, machines, numbers))
    rate = np.where(on_device, rate, rate * processor_step.vectors_of_its_build(job, machines))
    seconds: Floats = (
        _operations(job, profile) * _executed(profile, machines, numbers) / rate * balance * power * many_cores
    )
    if reads_as_prompts(job, profile):
        seconds = np.where(on_device, _operations(job, profile) / _rate_of_prompts(job, profile, machines), seconds)
    elif software.packs_texts(job, profile):
        seconds = np.where(on_device & ~_unfused(job, machines), seconds / software.EMBEDDING_ENGINES, seconds)
    once = _encoded(job, profile) if job.training else profile.decoded_flops
    if once:
        seconds = seconds + AUTOENCODED * _autoencoding(job, profile, machines, numbers, once)
    return seconds


def _encoded(job: Job, profile: ModelProfile) -> float:
    """FLOPs a pixel to encode an image; none with adapters, whose trainers keep what they encoded once.

    ostris/ai-toolkit (config/examples: cache_latents_to_disk) and kohya-ss/sd-scripts (--cache_latents) advise it.
    """
    return 0.0 if adapters.adapted(job) else profile.encoded_flops


# Time to decode or encode an image over that of its operations, as its widest maps move through memory: the least
# squares of ln(time) over SDXL's decoder on A100, 0.19 s (fal-ai/stable-diffusion-benchmarks @0490f695; formula 0.109),
# and four of its steps without guidance with it, 0.43 (formula 0.46). Encoding and CLIP add 11.0 ms to an image's
# training on A100, 290 images of 512 pixels a second on eight without them and 1.4 times the time with them, and took
# 6.7 ms as they were computed beforehand: 3,784 h for 1.13 billion images of 256 pixels and 1.74 billion of 512
# (mosaicml/diffusion @066e68fa, README). By operations alone encoding takes 6.1 ms; 1.4 times is their geometric mean,
# near enough for one constant.
AUTOENCODED = 1.5


# Multiplications for 2 x 2 outputs of a convolution by 3 x 3 windows over those by minimal filtering (Lavin and Gray,
# arXiv 1509.09308), which cuDNN has for fp32; windows of 5 x 5 gain no less (36 for 100).
MINIMAL_FILTERING = 36 / 16


def _executed(profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Share of a classifier's operations that plain units execute in fp32; the others' have the fitted effects.

    Otherwise VGG-16, left out, is 0.2 to 0.35 (ln) too slow on K80 and P100, and Inception v3 0.1 to 0.3 too fast.
    """
    plain = machines.has_accelerator() & ~machines.compiled_chip & ~numbers.tensor
    plain &= numbers.element_bytes == BYTES["fp32"]
    return np.where(plain, 1 - profile.transformed_share * (1 - 1 / MINIMAL_FILTERING), 1.0)


def reads_as_prompts(job: Job, profile: ModelProfile) -> bool:
    """Whether an engine of language models embeds texts with such a model, reading them as the prompts of others."""
    engine = job.framework.serving in (VLLM, SGLANG)
    return not job.training and engine and profile.transformer is not None and profile.transformer.causal


def _rate_of_prompts(job: Job, profile: ModelProfile, machines: Machines) -> Floats:
    """FLOP/s of one device, at the share of its peak that prompts reach; of a small card, what its watts allow."""
    assert profile.transformer is not None
    model = served(job, profile.transformer)
    peak = product_peak(model, machines, job.half_falls_back)
    rate = software.EMBEDDING_ENGINES * compute_rate(model, machines, peak)
    fit, half = job.coefficients.token_training, half_peak(machines) / TERA
    most = LARGE_PRODUCTS * small_card_share(fit, machines, half) * peak
    return np.where(small_cards(machines, half), np.fmin(rate, most), rate)


def _share_of_watts(job: Job, machines: Machines) -> Floats:
    """Share of a denoiser's rate that few watts leave a card of Turing, whose attention is not Flash Attention either.

    A T4 takes 26.5 s for 25 steps of SDXL (huggingface/blog @062647cf, lcm_lora.md) and 48 s for 50
    (raunakkathuria.github.io, ai_image_generation_model_analysis, read 2026-11-29), 16.0 s for 14 of PixArt-alpha
    (its repository @0892cfb5, pixart_lcm.md): 26.4, 50.4 and 16.8 here, and 19.5, 36.6 and 12.6 without. Cards of later
    generations do not show it, A10 with as few watts for its rate among them.
    """
    half = half_peak(machines) / TERA
    held = small_cards(machines, half) & machines.nvidia & np.isnan(machines.peak("bf16"))
    return np.where(held, small_card_share(job.coefficients.token_training, machines, half), 1.0)


# Width from which products are held back in training by the bandwidth of GDDR no more than at inference: what they read
# and write between them is as the width, their operations as its square. SDXL, 1,280 wide, takes an RTX 4090 0.37 s an
# image (/v1/evidence, image-fine-tuning). Adapters on FLUX.1-dev, 3,072 wide, take it 4.25 s a megapixel in 8 bits with
# all blocks computed again, and 3.00 with every other (bghira/SimpleTuner pull request 1184, 2024-12-03): 3.3 s here,
# in 16 bits. Held back, an L40S would take as long as an RTX A6000, than which it is twice as fast at inference (as
# ``_fall_of_wide`` has it). The limit lies between both widths.
UNHELD_WIDTH = 2048.0


def _fall_of_wide(job: Job, machines: Machines, numbers: Arithmetic) -> Floats:
    """Share of a peak that wide products lose as it grows, as of language models: bandwidth does not hold them back.

    Convolutions move more bytes an operation than the products of transformers, whose sides are 768 and more. Behind a
    small cache bandwidth holds back both: SDXL takes 9.4 s for 30 steps on A10, and no longer on A10G, of whose peak
    A10 has 1.8 times (``EAGER_LAUNCH_S``).
    In training, GDDR holds back narrow ones on any card (``UNHELD_WIDTH``): adapters on SDXL take an RTX 4090 3.0 s for
    8 images (/v1/evidence, image-fine-tuning), but those of Wan 14B an H200 9.9 s a clip
    (vita-epfl/Stable-Video-Infinity issue 49).
    FLUX.1-dev in PyTorch, 28 steps of a megapixel: 6.3 to 6.7 s on H100 (xdit-project/xDiT issue 378), 14.1 on L40
    (huggingface.co/datasets/diffusers/benchmarks), 24.9 on L20 (xlite-dev/flux-faster); SDXL, 30 steps: 3.3 s on A100
    (huggingface/diffusers @06d6b30c, tutorials/fast_diffusion). Encoders whose texts are packed, in tokens a second:
    BERT large on L4 62,000 in TEI and 59,000 in Infinity (michaelfeil/infinity @0d1c358d, docs/docs/benchmarking.md);
    BERT base on A10G 230,000 (snowflake.com/en/engineering-blog/embedding-inference-arctic-16x-faster, level with TEI).
    """
    fit = job.coefficients.token_training
    whole = numbers.peak / machines.device_share()  # a part of a device is as far from its peak as all of it
    return (whole / (fit.reference_tflops * TERA)) ** fit.peak_exponent


def _autoencoding(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic, flops: float) -> Floats:
    """Seconds a sample of the frozen encoder or decoder, of so many FLOPs a pixel.

    In fp32, convolutions take TF32 where it is (torch.backends.cudnn); chips without either take the job's precision.
    """
    rate = numbers.peak * numbers.efficiency
    if profile.encoded_bytes > ENCODER_MAPS * HALF:
        wide = arithmetic(machines, "tf32", fit=job.coefficients.roofline)
        rate = np.where(wide.supported, wide.peak * wide.efficiency, rate)
    return flops * prod(profile.reference.image_size or (0,)) / rate


def _traffic(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Seconds a sample: bytes that it moves ÷ bandwidth: activations, embedding rows."""
    fit = job.coefficients.roofline
    bandwidth = _bandwidth(machines)
    moved = job.coefficients.traffic[profile.traffic]
    per_element = moved.training if job.training else moved.inference
    fusing = (
        (numbers.element_bytes < BYTES["fp16"])
        | _fuses(job, machines)
        | processor_step.fuses_on_cores(job, profile, machines)
    )
    fused = np.where(fusing, fit.fused_traffic, 1.0)
    # Not before Ampere, which brought BF16: what one kernel of attention saves there in traffic it takes in time. Flash
    # Attention asks for compute capability 8.0. PyTorch's other kernel, that of xFormers, makes the forward pass in 16
    # bits 10% faster on A100, and 5% slower on V100, than attention that writes its scores (medians over shapes;
    # facebookresearch/xformers pull request 362, 2022-08-10).
    gains = machines.has_accelerator() & ~(machines.nvidia & np.isnan(machines.peak("bf16")))
    written = np.where(gains, _written(job, profile), profile.written_elements)
    activations = per_element * fused * written * numbers.element_bytes
    passes = fit.training_passes if job.training else 1.0
    gathered = passes * profile.gathered_bytes / (bandwidth * fit.gather)
    return activations / (bandwidth * _memory_share(job)) + gathered + _unfused_scores(job, profile, machines)


def _unfused(job: Job, machines: Machines) -> Flags:
    """Devices on which an engine that packs texts elsewhere pads them, and computes attention unfused."""
    found: Flags = machines.has_accelerator() & (machines.generation == job.framework.unfused_on)
    return found


def _unfused_scores(job: Job, profile: ModelProfile, machines: Machines) -> Floats:
    """Seconds a sample that scores of attention are written and read between kernels."""
    length, transformer = profile.reference.sequence_length, profile.transformer
    if transformer is None or not length or not software.packs_texts(job, profile):
        return np.zeros(len(machines))
    moved = software.SCORE_BYTES * transformer.layers * transformer.heads * length**2
    return np.where(_unfused(job, machines), moved / _bandwidth(machines), 0.0)


def _cache_traffic(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Seconds a sample that its decoder reads keys and values: at every token of the encoder's output, and its own."""
    written = None if job.training else profile.generation
    read = 0.0 if written is None else written.tokens * written.cache_elements
    return read * numbers.element_bytes / (_bandwidth(machines) * _memory_share(job))


def _written(job: Job, profile: ModelProfile) -> float:
    """Elements that a forward pass writes: today's PyTorch keeps the scores of an encoder's attention on the chip."""
    length, dims = profile.reference.sequence_length, profile.transformer
    if job.training or not software.fuses_attention(job, profile):
        return profile.written_elements
    assert dims is not None
    assert length is not None
    plain, whole = (written_elements(dims, length, scores) for scores in (False, True))
    return profile.written_elements * plain / whole


def _fuses(job: Job, machines: Machines) -> Flags:
    """Chips whose compiler keeps results between layers on the chip at inference, as engines do in 8 bits.

    XLA fuses operations, which leaves out many intermediate buffers (tensorflow.org/xla/architecture, read
    2026-11-23); of TPUs, what was measured has it in the fitted effects. Neuron's compiler manages the memory on the
    chip (awsdocs-neuron, NeuronCore-v2 Architecture, read 2026-11-28).
    """
    fuses: Flags = (machines.neuron | machines.tpu & (machines.basis == UNSTUDIED)) & (not job.training)
    return fuses


def _weight_traffic(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Bytes that the parameters move each step ÷ bandwidth: with gradients and optimizer in training.

    An output that comes token by token reads the decoder's again at each.
    """
    fit = job.coefficients.roofline
    dense = (
        software.separate_tables(job, profile) > 0 and job.workload.optimizer == "adamw"
    )  # moments of all rows decay
    still = 0.0 if dense else profile.embedding_parameters
    moved = min(profile.parameters - still, fit.parameter_traffic_cap)
    if profile.generation is not None and not job.training:
        moved += (profile.generation.tokens - 1) * profile.generation.parameters
    per_parameter = software.optimizer_bytes(job) if job.training else numbers.element_bytes
    if job.training and adapters.adapted(job):
        read = adapters.ADAPTER_PASSES * adapters.frozen_bytes(job, numbers.element_bytes)
        per_parameter = per_parameter * (adapters.trained_parameters(job, profile) / profile.parameters) + read
    return per_parameter * moved / (_bandwidth(machines) * _memory_share(job))


def _memory_share(job: Job) -> float:
    """Share of the bandwidth that is reached."""
    fit = job.coefficients.roofline
    return fit.memory if job.training else fit.memory_inference


def _idle(job: Job, profile: ModelProfile, machines: Machines, team: Floats) -> Floats:
    """Idle part of the chip under small kernels: threads it could run, for each element of a kernel.

    Processors start the small operations on rows of a table in a row, and are filled by the products between them.
    """
    fit = job.coefficients.roofline
    threads = np.where(machines.has_accelerator(), machines.sm_count, team) * fit.threads_per_sm
    on_cores = 0.0 if processor_step.of_rows(job, profile) else fit.cpu_filling * fit.filling
    share = np.where(machines.has_accelerator(), fit.filling, on_cores)
    share = np.where(machines.neuron, 0.0, share)  # its compiler lays a whole graph out over the chip
    return share * threads * profile.kernels


def _launches(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Kernels × launch latency, and the host's share of a step."""
    fit = job.coefficients.roofline
    if not job.training:
        passes, latency = 1.0, fit.launch_inference_s
    elif software.trains_eagerly(job, profile):
        passes, latency = fit.training_passes, fit.launch_denoising_s
    elif profile.sequential:
        passes, latency = fit.sequential_training_launches, fit.launch_sequential_s
    else:
        passes, latency = fit.training_passes, fit.launch_training_s
    # A recurrent network is cast at once, not at each step (pytorch/pytorch, aten/src/ATen/cudnn/AutocastRNN.cpp).
    whole = software.trains_eagerly(job, profile) or profile.family == software.RECURRENT
    casting = job.precision == "mixed" and not whole
    casts = np.where(numbers.tensor & casting, fit.mixed_cast_launches, 1.0)
    kernels = profile.kernels * latency * passes * casts * (adapters.adapter_kernels(job) if job.training else 1.0)
    of_tables, of_their_casts = software.table_kernels(job, profile)
    tables = latency * (of_tables + of_their_casts * numbers.tensor)
    if software.launches_eagerly(job, profile):  # its weights are loaded in 16 bits, and nothing is cast
        kernels = np.where(_on_graphics(machines), profile.kernels * software.EAGER_LAUNCH_S, kernels)
    # XLA makes one program of a step, which the host starts; a recurrent network's steps wait for each other in it.
    compiled = machines.neuron | (machines.tpu & (job.training and not profile.sequential))
    device = np.where(compiled, _graph_starts(job, profile), kernels + tables) + fit.host_s
    return np.where(machines.has_accelerator(), device, processor_step.starts_on_cores(job, profile, kernels))


def _effect_on_launches(job: Job, profile: ModelProfile, numbers: Arithmetic) -> Floats:
    """What the fitted effects would do to launches, and does not: each waits for the host, whatever the device.

    Denoisers' launches in training were fitted to their own runs: RTX 4090, 3090 Ti and 3090 take 0.93, 1.12 and 1.0 to
    1.23 s for a step of one image (/v1/evidence, image-fine-tuning). The fit to other training has effects in it.
    """
    if job.training:
        return numbers.fitted_factor if software.trains_eagerly(job, profile) else np.ones_like(numbers.peak)
    return numbers.device_factor


def _on_graphics(machines: Machines) -> Flags:
    return machines.has_accelerator() & ~machines.compiled_chip


def _graph_starts(job: Job, profile: ModelProfile) -> float:
    """Seconds a step to start compiled graphs: at each token or frame as measured on language models, else none."""
    if job.training:
        return 0.0
    fit, engine = job.coefficients.serving.device, job.coefficients.serving.neuron
    start = fit.step_s * engine.step
    if profile.generation is not None:
        return profile.generation.tokens * (profile.generation.layers * fit.layer_s * engine.layer + start)
    return (profile.reference.sequence_length or 1) * start if profile.sequential else 0.0


# Bandwidth of GDDR with error correction over that without (NVIDIA, CUDA C++ Best Practices Guide, 12.9: about 20%
# less; HBM has bits of its own for it). Fits to several parts have it for later kinds of GDDR.
BESIDE_BITS = 0.8


def _bandwidth(machines: Machines) -> Floats:
    """Bytes a second of one device, or of all cores."""
    of_device = machines.bandwidth_gb_s * np.where(machines.bits_beside, BESIDE_BITS, 1.0)
    return np.where(machines.has_accelerator(), of_device, machines.cpu_bandwidth_gb_s) * GB


def _software(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """Speed over today's stock software: vendor-tuned scripts are faster, earlier releases slower.

    What tuning adds on matrix units (channels last, kernels for them) it adds to 16 bits and less. TF32 is what stock
    software takes for fp32, and gains what fp32 does.
    """
    fit = job.coefficients.roofline
    on_device = software.device_tuning(job) == "tuned" and not software.two_stages(job, profile)
    tuned = np.where(machines.has_accelerator(), on_device, job.tuned)
    on_matrix = fit.tuned_tensor if job.training else fit.tuned_inference
    if software.compiles_diffusion(job, profile):
        on_matrix = software.COMPILED_DIFFUSION - 1
    low = numbers.tensor & (numbers.element_bytes < BYTES["tf32"])
    gain = 1 + np.where(tuned, np.where(low, on_matrix, fit.tuned_plain), 0.0)
    year = fit.last_year if job.software_year is None else job.software_year
    return gain * age_of_software(fit, profile, numbers.tensor, machines.has_accelerator(), year)


def age_of_software(fit: Roofline, profile: ModelProfile, tensor: Flags, on_device: Flags, year: float) -> Floats:
    """Speed of that year's software over today's, on matrix units, on plain ones and on cores.

    On plain units recurrent networks alone gained: one free effect for each year of software leaves the others of 2015
    to 2022 at 0.07 to 0.17 in ln(time) without a trend, as cuDNN's convolutions were there before the first of them.
    Processors gain in each year what matrix units gain after the knee.
    """
    plain = _age_factor(fit, fit.year_recurrent, year) if profile.sequential else 1.0
    elsewhere = np.where(on_device, plain, _age_factor(fit, fit.recent_year, year))
    return np.where(tensor, _age_factor(fit, fit.year_tensor, year), elsewhere)


def _age_factor(fit: Roofline, gain: float, year: float) -> float:
    """Speed of that year's software over today's, where a year before the knee brings so much."""
    known = min(max(year, fit.first_year), fit.last_year)
    early, recent = min(known, fit.knee_year) - fit.knee_year, max(known, fit.knee_year) - fit.last_year
    return float(gain**early * fit.recent_year**recent)
