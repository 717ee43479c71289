"""Requirements of the work: memory of device and host, and the obstacles where a machine does not meet them.

Training: need = C + 1.03 · (S + κ·A·b). Inference keeps weights and the live feature maps only (memory study, §2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from ..coefficients import TRAINING_MEMORY, TrainingMemory
from ..columns import Column, Lazy, Lookup
from ..demand import host_process, kind
from ..demand.adapters import NF4_BYTES, adapted, frozen_bytes, trained_parameters
from ..demand.anchored import memory_factor, memory_left
from ..demand.job import Job, profile_of
from ..demand.software import (
    WEIGHTS_IN_HALF,
    MemorySoftware,
    fuses_attention,
    holds_half_on_cores,
    memory_software,
    swaps_parts,
)
from ..frameworks import WHISPER
from ..hardware import Flags, Floats, Ints, Places
from ..machines import Machines
from ..models.profile import HALF, ModelProfile
from ..models.transformers import dropout_masks, stored_elements
from ..obstacles import LOADING, obstacle
from ..spreads import CTRANSLATE2, MEMORY, SPREAD_BASES
from ..units import BYTES, GB, GIB
from .outcome import MemoryColumns

# Live share of the elements written by a forward pass: ResNet-50's first two feature maps and work space, 2.2 of 11.1
# million. A deeper network's maps are a smaller share each: the share falls with the kernels over ResNet-50's.
LIVE_SHARE, LIVE_KERNELS = 0.2, 174.0
# In training, recommenders' tables lie spread over a machine's devices in fp32, updated row by row (Naumov et al. 2019,
# arXiv 1906.00091). Automatic casts leave look-ups in fp32, so that inference has them so too
# unless all of the model is asked for in fewer bits (PyTorch: torch.amp, operations that autocast).
SPREAD_TABLES, TABLE_BYTES = "dlrm", 4.0
# Beside each parameter of a table: SGD keeps nothing, Adagrad the sum of its squared gradients, Adam two moments; a
# figure or two a row are next to nothing (pytorch/FBGEMM pull request 1700, 2023-04-13; mlcommons/training pull request
# 622, 2023-02-06: EXACT_ADAGRAD; facebookresearch/dlrm pull request 294, 2022-11-23: not the row-wise one).
TABLE_STATE_BYTES = {"sgd": 0.0, "adagrad": 4.0, "adamw": 8.0, "adamw8bit": 2.0, "adafactor": 0.0}


@dataclass(frozen=True, eq=False)
class DeviceNeed:
    """GiB on one device: a fixed part, and a part for each sample of the batch."""

    fixed: Floats
    per_sample: Floats
    parts: dict[str, Floats]  # of the fixed part
    swapped: Floats | None = None  # all weights of a pipeline, on the host, where its parts take turns
    streamed: Floats | None = None  # those of the part at work that find no room, and cross the bus at each pass

    def times(self, factor: float) -> DeviceNeed:
        """The need so many times as large."""
        if factor == 1:
            return self
        parts = {name: part * factor for name, part in self.parts.items()}
        return DeviceNeed(self.fixed * factor, self.per_sample * factor, parts)

    def in_turn(self, swaps: Flags, share: Floats, room: Floats | float = np.inf) -> DeviceNeed:
        """The need where parts take turns on some devices: of all weights the largest part's ``share`` is there.

        What exceeds the ``room`` is streamed.
        """
        weights, swapped = self.parts["weights"], np.where(swaps, self.parts["weights"], 0.0)
        streamed = np.maximum(swapped * share - np.maximum(room, 0.0), 0.0)
        gone = swapped * (1 - share) + streamed
        parts = {**self.parts, "weights": weights - gone}
        return DeviceNeed(self.fixed - gone, self.per_sample, parts, swapped, streamed)

    def required(self, batch: Floats) -> Floats:
        return self.fixed + self.per_sample * batch

    def on_device(self, machines: Machines, batch: Floats) -> MemoryColumns:
        """The need at that batch."""
        return device_memory(machines, self.required(batch), {**self.parts, "activations": self.per_sample * batch})


def device_need(
    job: Job, profile: ModelProfile, machines: Machines, element_bytes: Floats, holders: Floats | None = None
) -> DeviceNeed:
    """The need on one device, by batch, as the user measured it where that is known.

    ``holders``: devices over which the tables of a recommender are spread; all of a machine's unless given.
    """
    spread = np.maximum(machines.devices, 1.0) if holders is None else holders
    return _device_need(job, profile, machines, element_bytes, spread).times(memory_factor(job))


def _device_need(
    job: Job, profile: ModelProfile, machines: Machines, element_bytes: Floats, holders: Floats
) -> DeviceNeed:
    """The need on one device by the formula above. ``A`` in bytes: stored elements, fp32 elements, masks."""
    fit = job.coefficients.memory
    context = np.full(len(machines), fit.context_gib)
    if not job.training:
        if job.workload.framework in WEIGHTS_IN_HALF:
            context, element_bytes = _as_ggml_holds(job, machines, context, element_bytes)
        network, beside_it = _inference_weights(job, profile, element_bytes, holders)
        weights = (network + beside_it) / GIB * fit.allocator
        # CTranslate2 gives memory back between both, and keeps keys and values in 16 bits: 7 more segments of Whisper
        # large-v2 took 1.57 GB in FP16 and in INT8 (SYSTRAN/faster-whisper, README of release 1.1: RTX 3070 Ti, 8 GB).
        in_turn = job.framework.library == CTRANSLATE2
        held = np.maximum(element_bytes, BYTES["fp16"]) if in_turn else element_bytes
        kept = live_elements(profile, in_turn) * held * (LONGEST_TEXT if in_turn and writes_texts(profile) else 1.0)
        live = np.maximum(kept, decoding_bytes(profile, element_bytes))
        live = live / GIB * fit.allocator
        return DeviceNeed(context + weights, live, {"framework": context, "weights": weights})
    weights, gradients, optimizer = training_state_bytes(job.optimizer, element_bytes < 4)
    beside = fit.allocator * profile.frozen_parameters / GIB * element_bytes
    each = fit.allocator * (profile.parameters - spread_parameters(profile)) / GIB
    if adapted(job):
        beside = beside + each * frozen_bytes(job, element_bytes)
        each = fit.allocator * trained_parameters(job, profile) / GIB
    copy = machines.workers  # one for each
    parts = {
        "framework": context,
        "weights": (each * weights + beside) * copy,
        "gradients": each * gradients * copy,
        "optimizer": each * optimizer * copy,
        "tables": fit.allocator * table_bytes_in_training(job, profile) / holders / GIB,
    }
    software = memory_software(job)
    wide = element_bytes if software.casts_all else 4.0  # the native cast leaves some elements in fp32
    apart = fit.allocator * kappa_of(fit, profile, software) * profile.fp32_elements * wide
    kept = (kept_bytes(job, profile, element_bytes) + apart) / GIB
    each_sample = np.maximum(kept, encoding_gib(job, profile))
    return DeviceNeed(sum(parts.values(), np.zeros(len(machines))), each_sample, parts)


def encoding_gib(job: Job, profile: ModelProfile) -> float:
    """GiB of a sample while a frozen encoder turns it into latents, which is before the trained network keeps any."""
    pixels = prod(profile.reference.image_size or (0,))
    return job.coefficients.memory.allocator * profile.encoded_bytes * pixels / GIB


def _as_ggml_holds(job: Job, machines: Machines, context: Floats, element_bytes: Floats) -> tuple[Floats, Floats]:
    """GiB beside the network, and bytes of an element: on processors weights and cache of 16 bits, and no context.

    whisper.cpp takes 852 MB for small and 3.9 GB for large (its README, read on 2026-11-28).
    """
    on_device = machines.has_accelerator()
    held = np.minimum(element_bytes, HALF) if holds_half_on_cores(job) else element_bytes
    return np.where(on_device, context, 0.0), np.where(on_device, element_bytes, held)


# Places that a batch of texts keeps over those of its mean text: all are padded to the longest, and beams are copied as
# they change places. NLLB-200 3.3B in CTranslate2 in 16 bits takes batches of 256 sentences on an RTX 3090 with 24 GB,
# and no larger ones (OpenNMT/CTranslate2 issue 1140, 2023-03): the middle of 1.8, at which 512 would fit, and 3.5.
LONGEST_TEXT = 2.5
# GiB on the device for a recording of three hours over what short ones take, and the batch of its published figures.
# Whisper large-v2 with five beams on a T4: 12, 13 and 14 GB in batches of 6, 8 and 12, and too much in 16; 11 GB in 16
# for 73 minutes (extrange/transcription-benchmarks @847b66f7, README.md and test_audio/readme.md, 2024, with
# faster-whisper @d57c5b40), for 6.1 in 8 of 13 minutes (SYSTRAN/faster-whisper, README of release 1.1.0).
LONG_RECORDING_GIB, USUAL_SEGMENTS = 5.0, 8.0


def writes_texts(profile: ModelProfile) -> bool:
    """Whether what is read and written are texts, each of a length of its own."""
    return profile.generation is not None and profile.audio_seconds is None


def hears_in_batches(job: Job, profile: ModelProfile) -> bool:
    """Whether recordings are cut into segments that CTranslate2 transcribes together."""
    return job.framework.library == CTRANSLATE2 and profile.name in WHISPER


def beside_recordings(job: Job, profile: ModelProfile, need: DeviceNeed, largest: Floats) -> Floats:
    """The largest batch of segments that leaves room for a long recording; the usual one wherever short ones fit."""
    if not hears_in_batches(job, profile):
        return largest
    usual = max(USUAL_SEGMENTS, float(job.workload.batch_size or 0))
    return np.maximum(largest - np.ceil(LONG_RECORDING_GIB / need.per_sample), np.minimum(largest, usual))


AS_FRAMEWORKS_HOLD = ("mixed", "fp32", "tf32", "fp64")  # precisions of the products: look-ups stay in fp32
FROZEN_BYTES = 2.0  # of text encoders and image decoders, which are published in 16 bits and seldom quantised


def _inference_weights(
    job: Job, profile: ModelProfile, element_bytes: Floats, holders: Floats
) -> tuple[Floats, Floats]:
    """Bytes of all weights on one device: the network's with its tables, and those of the encoders beside it."""
    tables, each = spread_parameters(profile), element_bytes
    if job.precision == "int4":  # unpacked for products in 16 bits
        each = np.full_like(element_bytes, NF4_BYTES)
    row = np.where(job.precision in AS_FRAMEWORKS_HOLD, TABLE_BYTES, each)
    beside = profile.frozen_parameters * np.maximum(element_bytes, FROZEN_BYTES)
    return (profile.parameters - tables) * each + tables * row / holders, beside


# Seconds a batch for each GiB of weights that a pipeline swaps (enable_model_cpu_offload), at 1.6 GB a second: they
# cross in pageable memory, and back. SDXL, 6.9 GB, took 4.7 s longer on an A100 (huggingface/blog @11e799d7,
# simple_sdxl_optimizations.md, 2023-10-24); SD 1.5, 2.1 GB, 1.2 s (huggingface/diffusers pull request 2269,
# 2023-02-07); FLUX in 4 bits, 9.7 GB, 6.5 s on an RTX 4090 (huggingface/diffusers @9feb946,
# optimization/speed-memory-optims.md, 2025-07-11). FLUX in 16 bits, 33 GB, takes 35.4 s there in all, in 22 GB
# (huggingface/blog @0d1f679b, lora-fast.md, 2025-07-23).
SWAPPING_S = GIB / (1.6 * GB)
ROUNDED = 1 - 1e-9  # keeps a batch that just fits


def parts_in_turn(
    job: Job,
    profile: ModelProfile,
    machines: Machines,
    element_bytes: Floats,
    whole: DeviceNeed,
    fits: Flags,
    least: float,
) -> DeviceNeed:
    """The need where the parts of a pipeline take turns on the devices that it does not fit. Rule: parts-in-turn.

    ``least``: the smallest batch, beside which some programs hold as many weights as they can. They decode without the
    network there, and in tiles where the decoder finds no room for the whole (comfyanonymous/ComfyUI @0920e0e5,
    comfy/sd.py, decode; comfy/model_management.py, load_models_gpu).
    """
    network, beside = _inference_weights(job, profile, element_bytes, np.ones(len(machines)))
    largest = np.maximum(network / profile.networks_in_turn, beside)
    swaps = machines.host_bus & ~machines.compiled_chip & ~fits
    room: Floats | float = np.inf
    if job.streams_weights:
        full = usable_gib(machines) * recommended_memory_share(job) * ROUNDED
        whole = replace(whole, per_sample=np.where(swaps, _tiled_gib(job, profile, element_bytes), whole.per_sample))
        room = full - whole.parts["framework"] - whole.per_sample * least
    return whole.in_turn(swaps, largest / (network + beside), room)


TILE = 512**2  # pixels of an image that ComfyUI decodes at once (comfy/sd.py, decode_tiled_: 64 latents a side)


def _tiled_gib(job: Job, profile: ModelProfile, element_bytes: Floats) -> Floats:
    """GiB of a sample that live at once in the network, or in the decoder of a tile."""
    tile = min(1.0, TILE / prod(profile.reference.image_size or (TILE,)))
    live = np.maximum(live_elements(profile) * element_bytes, decoding_bytes(profile, element_bytes) * tile)
    return live / GIB * job.coefficients.memory.allocator * memory_factor(job)


def moving_seconds(job: Job, profile: ModelProfile, machines: Machines, need: DeviceNeed) -> Floats | float:
    """Seconds a batch for the weights that cross the bus. Rule: parts-in-turn."""
    if need.swapped is None or need.streamed is None:
        return 0.0
    passes = (profile.reference.steps or 1) * profile.guidance_passes
    bus = machines.pcie_gb_s * job.coefficients.scaling.pcie * GB
    return need.swapped * SWAPPING_S + need.streamed * passes * GIB / bus


def one_copy_gib(job: Job) -> float:
    """GiB of a recommender's tables on a device that holds them all; 0 of every other model."""
    each = TABLE_BYTES if job.precision in AS_FRAMEWORKS_HOLD else BYTES[job.precision]
    return spread_parameters(profile_of(job)) * each / GIB


def spread_parameters(profile: ModelProfile) -> float:
    """Parameters of a recommender's tables; 0 of every other model."""
    return profile.embedding_parameters if profile.architecture == SPREAD_TABLES else 0.0


def table_bytes_in_training(job: Job, profile: ModelProfile) -> float:
    """Bytes of a recommender's tables with what the optimizer keeps of them; 0 of every other model."""
    return spread_parameters(profile) * (TABLE_BYTES + TABLE_STATE_BYTES[job.optimizer])


def kept_bytes(job: Job, profile: ModelProfile, element_bytes: Floats) -> Floats:
    """Bytes of a sample that layers keep for the backward pass, and could compute again: all but the wide ones."""
    fit = job.coefficients.memory
    elements, masks = profile.stored_elements, profile.mask_elements
    if fuses_attention(job, profile) and not job.tuned:  # vendors' scripts write them out (/v1/evidence, dle)
        elements, masks = _without_scores(profile)
    return fit.allocator * kappa_of(fit, profile, memory_software(job)) * (elements * element_bytes + masks)


def _without_scores(profile: ModelProfile) -> tuple[float, float]:
    """Stored and masked elements where one kernel computes attention, which scores again in the backward pass.

    BERT-base on 512 tokens in 16 bits: 417 MB a sample with scores and 228 without, by 16 samples less 8 (benchmark of
    2024-02-15 for huggingface/transformers pull request 28802).
    """
    dims, length = profile.transformer, profile.reference.sequence_length
    assert dims is not None
    assert length is not None
    plain, whole = (stored_elements(dims, length, scores) for scores in (False, True))
    beside = dims.layers * length * 2.0 * dims.hidden_size / dropout_masks(dims, length)
    return profile.stored_elements * plain / whole, profile.mask_elements * beside


def kappa_of(fit: TrainingMemory, profile: ModelProfile, software: MemorySoftware) -> float:
    """Kept bytes over those of the stored elements, by class of network and release."""
    others = {
        ("encoder", software.eager): "eager_encoder",
        ("segment_transformer", software.adaptive): "adaptive_segment_transformer",
        ("convolution_1d", software.lean_convolutions): "lean_convolution_1d",
    }
    return float(getattr(fit, f"kappa_{others.get((profile.memory, True), profile.memory)}"))


def live_elements(profile: ModelProfile, in_turn: bool = False) -> float:
    """Elements of a sample that live at once in a forward pass.

    Of an encoder-decoder, the maps of one layer and what the decoder keeps of all, or ``in_turn`` the larger, as the
    encoder is done before the decoder keeps anything; at least what a profile states.
    """
    written = profile.generation
    if written is not None and written.encoder_layers:
        layer, kept = profile.written_elements / written.encoder_layers, written.cache_elements
        return max(layer, kept) if in_turn else layer + kept
    steps = profile.reference.steps or 1  # which follow one another
    share = LIVE_SHARE if profile.sequential else min(LIVE_SHARE, LIVE_SHARE * LIVE_KERNELS * steps / profile.kernels)
    return max(share * profile.written_elements / steps, profile.live_elements)


def decoding_bytes(profile: ModelProfile, element_bytes: Floats) -> Floats:
    """Bytes of a sample that live at once in the decoder of a denoised image or clip.

    Published of the whole pipeline: four images of SDXL 21.7 GB (huggingface/blog @11e799d7,
    simple_sdxl_optimizations.md, 2023-10-24); a clip of LTX-Video in fp32 37.6 GB (Lightricks/LTX-Video issue 36,
    2024-12-05). CogVideoX took 19 GB to decode a clip without tiles, 14.7 GiB by the same count (huggingface/diffusers
    pull request 9203, 2024-08).
    """
    pixels = prod(profile.reference.image_size or (0,))
    return profile.decoded_elements * pixels * np.maximum(element_bytes, profile.decoder_bytes)


def training_state_bytes(optimizer: str, half: Flags) -> tuple[Floats, Floats, Floats]:
    """Bytes a parameter for weights, gradients and optimizer; with 16-bit compute a copy of the weights is kept."""
    _, single, mixed = next(row for row in TRAINING_MEMORY.state_bytes if row[0] == optimizer)
    weights: Floats = np.where(half, 4.0 + mixed - single, 4.0)
    return weights, np.full_like(weights, 4.0), np.full_like(weights, single - 8.0)


def usable_gib(machines: Machines) -> Floats:
    """Memory of one device that a process can have; the host's where there is no device."""
    return machines.device_memory_gib * machines.usable_memory_share


def states_memory(job: Job) -> bool:
    """Whether the request states the working set: a need that nobody estimates has no margin and no range."""
    return job.kind == kind.HPC and job.workload.memory_gib is not None


def recommended_memory_share(job: Job) -> float:
    """Share of a device's or host's memory that a recommendation may use: less where the model was not measured."""
    if states_memory(job):
        return 1.0
    return TRAINING_MEMORY.recommend_known if job.known_model else TRAINING_MEMORY.recommend_other


def recommended_usable_share(job: Job) -> float:
    """Share of what the engine may use: a server may use more of a device than others, and may not be fuller."""
    share = recommended_memory_share(job)
    return share / job.coefficients.serving.device.memory_share if job.kind == kind.SERVING else share


def refused_share(job: Job) -> float:
    """The low end of a need over the need: refused only where even that is not there."""
    fit = job.coefficients.memory
    if job.kind == kind.SERVING or states_memory(job):
        return 1.0  # a server reserves its memory when it starts
    of_samples = fit.low if job.known_model else fit.low_other
    return float((fit.low_tokens if job.kind == kind.TOKEN_TRAINING else of_samples) ** memory_left(job)[0])


def high_share(job: Job, basis: int) -> float:
    """The high end of a need over the need."""
    if states_memory(job):
        return 1.0
    return float(job.coefficients.spreads.of_memory[basis].high ** memory_left(job)[1])


def sure_share(job: Job, machines: Machines) -> Floats:
    """Share of a device that a batch may fill which nobody stated: no more than surely fits, by the range of the need.

    Fits to measured runs have no range yet, and choose by the middle. Rule: batch-chosen.
    """
    share = recommended_memory_share(job)
    if job.workload.batch_size is not None or MEMORY not in job.coefficients.spreads.of_kind:
        return np.full(len(machines), share)
    return np.array([min(share, 1 / high_share(job, basis)) for basis in range(SPREAD_BASES)])[machines.basis]


def runs_as_stated(job: Job, named: bool) -> bool:
    """Whether a stated batch runs as it is, as on hardware that the user ``named``."""
    return named and job.workload.batch_size is not None


def roomy_gib(job: Job, whole: Floats, named: bool) -> tuple[Floats, ...]:
    """Return up to what needs, of ``whole`` usable GiB, a layout is taken: what fits well.

    A batch that runs as it is stated takes what fits by the middle of its range; where nothing does, what may fit.
    """
    if runs_as_stated(job, named):
        return whole, whole / refused_share(job)
    return (whole * recommended_memory_share(job),)


def largest_batch(need: DeviceNeed, usable: Floats) -> Floats:
    """The largest whole batch within ``usable`` GiB; 0 where not even one sample fits."""
    return np.floor(np.fmax(usable - need.fixed, 0.0) / np.maximum(need.per_sample, 1e-12))  # an unknown room is none


def device_memory(machines: Machines, required: Floats, parts: Mapping[str, Column]) -> MemoryColumns:
    """The need on one device; NaN on machines without one."""
    on_device = machines.has_accelerator()
    if not on_device.all():
        required = np.where(on_device, required, np.nan)
        parts = {name: np.where(on_device, part[:], np.nan) for name, part in parts.items()}
    return MemoryColumns(required, usable_gib(machines), parts)


def memory_of(groups: MemoryColumns, of: Places) -> MemoryColumns:
    """The columns of all machines, from a row for each group of them."""
    parts = {name: Lookup(part[:], of) for name, part in groups.parts.items()}
    return MemoryColumns(groups.required.take(of), groups.usable.take(of), parts)


def model_on_host(machines: Machines, required: Floats) -> Floats | None:
    """GiB of the model in the host's memory where there is no device; None where each machine has one."""
    on_device = machines.has_accelerator()
    return None if on_device.all() else np.where(on_device, 0.0, required)


def host_memory(job: Job, machines: Machines, process: host_process.Process, vcpus: Floats) -> MemoryColumns:
    """The process on the host with as many loaders as it has ``vcpus`` for."""
    required = process.gib(job)
    loaders: Column = Lazy(lambda rows: 0.0 * rows)
    if not host_process.holds_data(job.feed):
        loaders = host_process.loaders_gib(
            job, host_process.workers_within(machines, vcpus, required, host_process.LOADER_GIB)
        )
        required = required + loaders
    parts = process.parts(job, loaders)
    if not isinstance(process.loading_gib, float):
        before = process.fixed_gib if process.model_gib is None else process.fixed_gib - process.model_gib[:]
        loading = np.maximum(before + process.loading_gib - required, 0.0)  # what stays on the host was read there
        required, parts[LOADING] = required + loading, loading
    if job.feed is not None:
        cache = host_process.page_cache_gib(job)
        parts["page_cache"] = Lazy(
            lambda rows: np.minimum(cache, np.maximum(machines.memory_gib[rows] - required[rows], 0.0))
        )
    mapped = host_process.mapped_gib(job)
    return MemoryColumns(required, machines.memory_gib, parts, Lazy(lambda rows: mapped + 0.0 * required[rows]))


LARGE_PARAMETERS = 5e8


def stored_bytes(parameters: float) -> float:
    """Bytes of weights as published: in 16 bits of models of half a billion parameters and more, else in 32."""
    return parameters * (2.0 if parameters >= LARGE_PARAMETERS else 4.0)


# Copies of the weights on the host while Neuron traces and compiles: Llama-3.1-8B, 15 GiB in 16 bits, was killed within
# the 32 GiB of a trn1.2xlarge (aws-neuron/neuronx-distributed issue 53, 2025-08-21), so they are held twice.
NEURON_COPIES = 2.0


def copies_on_host(machines: Machines) -> Floats:
    """How often the host holds the weights on their way to the devices."""
    return np.where(machines.neuron, NEURON_COPIES, 1.0)


def weights_loading(job: Job, machines: Machines, share: Floats | float = 1.0) -> Floats | float:
    """GiB of the weights in the host's memory until the devices have them: each machine its share, once.

    They are as stored, or in 4 bits where that is how the devices get them. The parts of a model come one by one, but
    diffusers reads all of a pipeline before ``to`` moves the first. Those of small models lie within what the framework
    takes, which was measured with them (S3-06). Devices that share the memory have them there.
    """
    profile = job.profile
    if profile is None or profile.parameters < LARGE_PARAMETERS:
        return 0.0
    each = NF4_BYTES if job.method == "qlora" else HALF
    together = profile.parameters + (profile.frozen_parameters if swaps_parts(job, profile) else 0.0)
    whole = each * together / GIB * copies_on_host(machines)
    return np.where(machines.has_accelerator() & ~machines.unified, whole * share, 0.0)


def most_together(job: Job, machines: Machines) -> Floats:
    """Machines that may train together: over a network of unknown speed each needs an experiment of its own."""
    return np.where(np.isnan(machines.network_gbps), float(job.experiments), np.inf)


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Codes of the obstacles that no data decide; those of disk and host memory stand between both columns."""

    weak: Ints
    barred: Places  # rows with a strong one
    strong: Ints  # in just those rows

    def with_data(self, machines: Machines, lacking_disk: Flags | None, host: MemoryColumns) -> Ints:
        """The obstacle of each candidate; 0 where there is none."""
        found = self.weak.copy()
        if lacking_disk is not None:
            np.putmask(found, lacking_disk, np.int32(obstacle("disk")))
        np.putmask(found, host.required > machines.memory_gib, np.int32(obstacle("memory")))
        found[self.barred] = self.strong
        return found


def obstacles_of(weak: Ints, strong: Ints) -> Obstacles:
    """Obstacles from both as columns."""
    barred = strong.nonzero()[0]
    return Obstacles(weak, barred, strong[barred])


def obstacles(
    job: Job, machines: Machines, nodes: Floats, supported: Flags, device: MemoryColumns, only_devices: bool = False
) -> Obstacles:
    """Obstacles to the work whatever its data; device memory is judged at the low end of the need."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    if job.training:
        np.putmask(weak, nodes > most_together(job, machines), obstacle("network"))
    too_little = on_device & (device.required * refused_share(job) > device.usable)
    np.putmask(strong, too_little, obstacle("accelerator_memory"))
    np.putmask(strong, ~supported, obstacle("precision"))
    unspecified = (on_device & ~machines.rated) | np.isnan(machines.cpu_tflops)
    np.putmask(strong, unspecified, obstacle("specification"))
    if only_devices:
        np.putmask(strong, ~on_device, obstacle("accelerators"))
    return obstacles_of(weak, strong)
