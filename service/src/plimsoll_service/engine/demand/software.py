"""Effects of the software's version and build: on speed, on memory, and alternatives for the same work.

Some behaviour of TensorFlow and Keras of 2017 is gone from later releases: it comes with the version, not the machine.
Software that is free to take a faster alternative does. Tuned software can still run as the stock one it was made of.
Where TF32 is allowed, libraries choose between kernels on matrix units and on plain ones. (Mixed precision is no such
choice: it casts, and small batches were measured slower with it than in fp32.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..frameworks import WHISPER, Framework, version_of
from ..hardware import Floats
from ..known import HALF_PRECISIONS
from ..measured import UNSAID, Point, cell_tuned
from ..models.profile import ModelProfile
from ..models.shape import at_input
from ..spreads import TENSORRT
from ..workload import Workload
from .job import Job
from .kind import INFERENCE

# Throughput study, section 2: ×1.10 a year on matrix units from 2014 on, zero at 2021; the fit's rows lie about that
# year, so later versions are taken as the fit has them and only older ones are slower.
GAIN_PER_YEAR = 1.10
FIT_YEAR = 2021.0
FIRST_YEAR = 2014.0

# Libraries with which people write the step themselves; the measured rows are of trainers on them (/v1/evidence).
OWN_SCRIPTS = ("pytorch", "huggingface", "deepspeed")

# Libraries that convert a network to 16 bits before it runs; PyTorch and TensorFlow cast at each operation (throughput
# study, section 2).
CAST_BEFOREHAND = (TENSORRT, "mxnet")
# Inference that its user made fast holds weights in 16 bits: BF16, or FP16 where that is not.
HELD_IN = "bf16"


def own_script(workload: Workload) -> bool:
    """Whether all of a model is trained by a script that no trainer's makers made fast."""
    return workload.framework in OWN_SCRIPTS and workload.tuning == "stock" and workload.method == "full"


def software_factor(framework: Framework, version: str | None) -> float:
    """Return the speed of a version relative to the fit; 1 without a version."""
    year = framework.year_of(version)
    if year is None:
        return 1.0
    return float(GAIN_PER_YEAR ** (min(max(year, FIRST_YEAR), FIT_YEAR) - FIT_YEAR))


FRAMEWORKS = ("tensorflow", "keras")
RECURRENT = "rnn"
MENDED = 2018.0  # releases from this year on share work among threads otherwise
# Threads that wait for each other: the quadratic term of the universal scalability law (Gunther 1993), at which 32
# cores (64 vCPUs) do no more than 16 (S2-10): 1/16 + 16/c² = 1/32 + 32/c² at 22.6; networks of convolutions lost a
# little more (S2-05).
COHERENCY_CORES = 21.0
# Bytes a parameter and step of Adam as Keras wrote it (keras-team/keras @0202c8a5, keras/optimizers.py), one operation
# after the other: a dense gradient written, 7 and 9 readings or writings for the two moments, 12 for the parameter, 6
# to assign the three. Rows of embeddings that a batch does not name are updated too.
KERAS_OPTIMIZER_BYTES = 35 * 4.0
# Keras's LSTM at ``implementation=0``, one direction after the other: over twice any processor's time (S2-08), while
# the formula has the K80 at 0.57 of the processors' time.
LOOPED_MODELS = ("bilstm",)
LOOP_PENALTY = 3.7
# Kernels a cell of Keras's loop of that time, as networks/recurrent.py counts them, and of the libraries that later
# releases call: cuDNN on devices; on processors a loop that a compiler's passes have fused. Own measurement on
# 2026-11-28, Keras 3.15 on TensorFlow 2.21, one core of AMD Zen 4, the least processor time of three runs of 12 steps:
# one bidirectional LSTM of 64 on 200 words, batches of 32, 112 ms a step (128 wide 209, on 100 words 57, in two layers
# 217, in one direction 63); batches of 128, 297 ms. So 0.13 ms a cell and direction beside its products, which is what
# two kernels take by the formula. Two layers of 128 over 45 features, 168 steps, on one such core: batches of
# 256 took 709 ms of its time, on two threads 16% more; batches of 64, 230 ms (the least of three runs of six steps).
LOOPED_KERNELS, FUSED_KERNELS = 12.0, 2.0
WRITTEN_FOR_KERAS, FUSED = "keras", "lstm"  # architectures of networks whose kernels are counted so, and in libraries


def early(job: Job) -> bool:
    """Whether the job trains with such a release."""
    year = job.software_year
    return job.training and job.workload.framework in FRAMEWORKS and year is not None and year < MENDED


def of_its_release(profile: ModelProfile, year: float | None) -> ModelProfile:
    """The profile with the kernels of a recurrent network as releases of that year start them; of today without one."""
    unfused = profile.sequential and profile.architecture == WRITTEN_FOR_KERAS
    if not unfused or (year is not None and year < MENDED):
        return profile
    return replace(profile, kernels=profile.kernels * FUSED_KERNELS / LOOPED_KERNELS, architecture=FUSED)


def fitted_elsewhere(job: Job, profile: ModelProfile) -> bool:
    """Whether the fitted effects on processors are those of other software: recurrent runs there are all of 2017."""
    return job.training and profile.sequential and profile.family == RECURRENT and not early(job)


def device_tuning(job: Job) -> str | None:
    """The tuning that counts on a device: a build of that time compiled for a processor did nothing there (S2-02)."""
    return "stock" if early(job) else job.workload.tuning


def thread_waiting(job: Job, cores: Floats) -> Floats:
    """Part that waiting adds to the compute of one core's share, for a team of so many cores."""
    return (cores / COHERENCY_CORES) ** 2 if early(job) else np.zeros_like(cores)


def optimizer_bytes(job: Job) -> float:
    """Bytes that the optimizer moves a parameter and step."""
    fused = job.coefficients.roofline.optimizer_bytes_per_parameter
    return KERAS_OPTIMIZER_BYTES if early(job) and job.workload.framework == "keras" else fused


def looped(job: Job) -> bool:
    """Whether a device runs the network's steps one by one, both directions in turn."""
    return early(job) and job.profile is not None and job.profile.name in LOOPED_MODELS


# Weights of 8 bits that a denoising network's layers cast to 16 and compute so, where that is faster: layerwise casting
# in diffusers (optimization/memory.md), FP8 storage of InvokeAI ("a small per-step throughput cost"; both read
# 2026-11-29). FLUX.1-schnell took an RTX 4090 1.8 s in FP8 and 2.6 in FP16 (gigagpu.com, read 2026-11-29). Devices need
# no products of 8 bits for it: FLUX.1-schnell in FP8 ran on a P40 (Comfy-Org/ComfyUI issue 4363, 2024-08-14).
CAST_ALOFT = ("fp8", "int8")


def casts_weights(job: Job, profile: ModelProfile) -> bool:
    """Whether weights of 8 bits may be cast to 16 for the products."""
    return job.precision in CAST_ALOFT and swaps_parts(job, profile)


def stock_precision(job: Job) -> str:
    """The precision of the stock software that tuned software was made of, where nobody stated any."""
    unsaid = job.half_falls_back and job.kind == INFERENCE and job.precision == HELD_IN
    return (job.profile.own_precision if job.profile else None) or "mixed" if unsaid else job.precision


def software_alternatives(job: Job) -> tuple[Job, ...]:
    """Jobs that are alternatives to this one: its estimate may not be slower than theirs."""
    jobs = [job]
    if job.tuned:
        each = dict.fromkeys((job.precision, stock_precision(job)))
        stock = replace(job.workload, tuning="stock")
        jobs += [replace(job, tuned=False, precision=one, workload=replace(stock, precision=one)) for one in each]
    if job.precision == "tf32":
        jobs += [replace(one, precision="fp32", workload=replace(one.workload, precision="fp32")) for one in jobs]
    if job.profile is not None and casts_weights(job, job.profile):
        jobs += [replace(one, precision="mixed", workload=replace(one.workload, precision="mixed")) for one in jobs]
    return tuple(jobs[1:])


def tuned_alternative(job: Job) -> Job | None:
    """The stock software of an inference with what tuning adds, where that was measured with just this work.

    Software in TF32 has none: it can run in fp32 as well, which few measured beside it.
    """
    if job.training or job.tuned or job.precision == "tf32":
        return None
    tuned = replace(job, tuned=True, workload=replace(job.workload, tuning="tuned"))
    return tuned if measured_points(tuned) else None


# Time of a denoising network in PyTorch over its time compiled (torch.compile), beside the launches that it saves: the
# middle of 12 published pairs (1.16 to 1.85), each over the 1.00 to 1.09 that launches alone bring it here. FLUX:
# H100 6.7 s to 4.5 (docs.pytorch.org/devlogs/inductor/2026-05-11-torch-compile-and-diffusers), 6.71 to 4.30 and 6.27 to
# 3.88 (xdit-project/xDiT issue 378, 2024-12-04), 6.43 to 3.48 (EnragedAntelope/comfyui-sdnq pull request 31); L20 24.94
# to 20.24 (xlite-dev/flux-faster); A100 2.18 to 1.88 (xDiT pull request 223). A pass on L40
# (huggingface.co/datasets/diffusers/benchmarks @7b8aaacf and @2ac1e68): FLUX 0.503 to 0.393 and 0.535 to 0.382, LTX
# 1.439 to 1.153, SDXL 0.074 to 0.055. On A100 SDXL 3.31 to 2.54 (huggingface/diffusers @06d6b30c,
# tutorials/fast_diffusion), SSD-1B 2.245 to 1.646 (sayakpaul/sample-datasets).
COMPILED_DIFFUSION = 1.31


def _runs_in_pytorch(job: Job) -> bool:
    return not job.training and job.framework.library == "pytorch"


# Detectors with two stages: PyTorch chooses regions, keeps the best of each class and pastes masks between kernels, one
# image after another. The median of measured less modelled time over the 16 published runs of Mask R-CNN in batches of
# 1 to 8 (see /v1/evidence, dle-1679 to dle-1694): 10 to 21 ms an image on A100 and V100, in all precisions. Graphs of
# TensorFlow and TensorRT hold these steps, and have none of it (dle-2070 to dle-2080).
TWO_STAGES = ("faster-rcnn", "mask-rcnn")
BETWEEN_STAGES_S = 15.6e-3


def two_stages(job: Job, profile: ModelProfile) -> bool:
    """Whether the host works on each image between two stages, whatever the device and tuning."""
    return profile.name in TWO_STAGES and _runs_in_pytorch(job)


# Ultralytics' training: its loader joins four images to one (at most 8 workers), its loss assigns boxes on the host's
# word, and each epoch ends with a validation. The median of published less estimated time an image over seven runs of
# COCO at 640 pixels: YOLOv5n, s, m, l and x in 1, 2, 4, 6 and 8 days for 300 epochs on a V100
# (ultralytics/yolov5 issue 9373, 2022-09-12), s in 16 min an epoch there (issue 282, 2020-07-05) and on an A100 (issue
# 4252, 2021-08-01): -1.6, 0.9, 1.8, 2.9, 3.3, 5.0 and 6.5 ms.
JOINED_IMAGE_S = 2.9e-3
_OF_ULTRALYTICS = re.compile(r"yolo(v?\d+)")


def joins_images(job: Job, profile: ModelProfile) -> bool:
    """Whether Ultralytics' script trains a detector: where that is named, and all of its own networks."""
    named = job.detectors_trainer and profile.family == "detection"
    script = job.training and job.framework.library == "pytorch"
    return script and (named or _OF_ULTRALYTICS.match(profile.name) is not None)


# Fine-tuning of Whisper by the scripts that everybody starts from (Transformers' Seq2SeqTrainer): they have no loader
# workers, so the device waits while the training process turns each segment's spectrogram into a tensor. The median of
# published less estimated time a segment, with activations recomputed: small on a V100, 5,000 steps of 32 in 8 h
# (huggingface/transformers @02f6103a, examples/pytorch/speech-recognition/README.md) with five evaluations of 705 s
# (huggingface.co/sanchit-gandhi/whisper-small-hi, all_results.json), 99 ms; runs of the event of 2022-12, which lent
# A100 40GB (huggingface/community-events @02866085; all_results.json, which names no device, less evaluations): tiny 70
# (xmzhu/whisper-tiny-zh), small 77, 76 and 75 (sanchit-gandhi/whisper-small-kab-1k-steps and -tt-1k-steps,
# sgangireddy/whisper-small-tr), medium 102 (sgangireddy/whisper-medium-tr), large-v2 133
# (anuragshas/whisper-large-v2-bn). An A6000 waited 5 to 15 s for each batch of 32 (Vaibhavs10/fast-whisper-finetuning
# issue 9, 2024-01-05). Unpacking alone takes 16 ms of a fast core, and 0.72 times as long for the waveform of an
# utterance of 12.3 s, which is what wav2vec 2.0 reads (own measurement of 2026-11-29: datasets 5.2, transformers 5.24,
# AMD EPYC, Zen 4). Its runs took longer still (the same README): XLSR-53 on a V100 74 ms for a short clip of Turkish,
# 15 times 3,478 of them in 80 min with 16 evaluations of a minute
# (huggingface.co/joshuafc/wav2vec2-common_voice-tr-demo), and wav2vec2-large-lv60 on each of eight 0.45 s for an
# utterance of LibriSpeech, in batches of 4.
SEGMENT_S, UTTERANCE_S = 77e-3, 0.72 * 77e-3
WAVEFORMS = ("wav2vec2-base", "wav2vec2-large", "wav2vec2-xlarge", "wavlm-base", "wavlm-large")


def unpacking_seconds(job: Job, profile: ModelProfile) -> float:
    """Seconds a sample of speech that the training process prepares while the device waits; 0: it need not."""
    if not job.training or job.program not in (*OWN_SCRIPTS, "peft") or device_tuning(job) != "stock":
        return 0.0
    return SEGMENT_S * (profile.name in WHISPER) + UTTERANCE_S * (profile.name in WAVEFORMS)


def host_seconds(job: Job, profile: ModelProfile) -> float:
    """Seconds of the host a sample, beside the device's work."""
    if joins_images(job, profile):
        return JOINED_IMAGE_S
    return BETWEEN_STAGES_S if two_stages(job, profile) else unpacking_seconds(job, profile)


def swaps_parts(job: Job, profile: ModelProfile) -> bool:
    """Whether the parts of a pipeline can take turns on a device, as they can in diffusers."""
    return profile.family == "diffusion" and _runs_in_pytorch(job)


def compiles_diffusion(job: Job, profile: ModelProfile) -> bool:
    """Whether tuned software is PyTorch with a compiled denoising network."""
    return swaps_parts(job, profile) and device_tuning(job) == "tuned"


# Seconds a kernel of a denoising network that PyTorch runs as it comes: the least squares of ln(time) over 25 published
# runs of one image or video in 16 bits without compilation, which take 0.87 to 1.27 times the estimate (10th to 90th
# percentile; middle 1.03; flat from 38 to 42 µs). The host starts kernels ahead of the device: four steps of SDXL take
# 0.43 s with the decoder (``AUTOENCODED``), little more than their starts. As cubes, both are nearest to the runs
# (0.62; 0.64 as squares, 0.63 as fourth powers).
# SDXL, 30 steps: H100 2.50 s, A100 3.70, A10 9.40 (card of
# stabilityai/stable-diffusion-xl-1.0-tensorrt @0b077d8a), A100 3.31 (sayakpaul/sample-datasets @8285f766); 50 steps:
# A100 5.93 (fal-ai/stable-diffusion-benchmarks @0490f695), A10G 15.3 (huggingface.co/datasets/diffusers/benchmarks
# @e426e932); 25 steps: A100 3.8, RTX 4090 3.4, 3090 7.0, 2080 Ti 10.2, T4 26.5 (huggingface/blog @062647cf,
# lcm_lora.md); 20 steps: A800 2.28, A100-PCIe 2.65, RTX 4090 2.76, 3090 5.72 (siliconflow/onediff @8b2862c1,
# examples/sdxl, 2024-07-31). SD 1.5: 50 steps on A100 1.59 s (fal-ai, as above), 38 a second on RTX 4090 and 36 on A800
# (onediff, examples/sd1.5). SD 3, 28 steps on H800 1.96 s (onediff, examples/sd3). FLUX, 28 steps on H100 6.7 s
# (docs.pytorch.org/devlogs) and 6.5 (xdit-project/xDiT issue 378); 50 steps of 512 pixels on L40S 8.71 (pruna.ai,
# 2025-02-17). CogVideoX-5b: A100 243 s, H100 112 (sayakpaul/diffusers-torchao @0803ee2b).
EAGER_LAUNCH_S = 38e-6


def launches_eagerly(job: Job, profile: ModelProfile) -> bool:
    """Whether a denoising network is run by PyTorch as it comes, kernel by kernel."""
    return swaps_parts(job, profile) and device_tuning(job) == "stock"


def trains_eagerly(job: Job, profile: ModelProfile) -> bool:
    """Whether a denoising network is trained by PyTorch as it comes, kernel by kernel."""
    diffuses = profile.family == "diffusion" and job.framework.library == "pytorch"
    return diffuses and job.training and device_tuning(job) == "stock"


# Speed of engines that embed texts over stock libraries, to which the effects are fitted: the least squares of ln(time)
# over the three published runs of BERT's kind on L4 and A10G (``_fall_of_wide``), which it brings to within 8%, and two
# on A10 (``SCORE_BYTES``: 301 and 130 texts a second), to within 11%.
EMBEDDING_ENGINES = 1.16
# Bytes moved for each score where Text Embeddings Inference computes attention without Flash Attention, which its build
# for Turing leaves off (its README, read on 2026-11-28). BGE-m3-ko, of bge-m3's size, on T4 in release 1.8: 61.3 texts
# of about 290 tokens a second and 23.4 of about 550, of batches of 1 to 64 alike, at 69 of 70 W (benchmark on Azure's
# NC4as_T4_v3, 2026-07-22); with 56 both are within 2%; alone they ask for 54 and 58.
SCORE_BYTES = 56.0
# Time that each further text adds to a batch whose texts are written side by side, over the formula's: they differ in
# length, and the batch runs until the longest is done. NLLB-200 3.3B in CTranslate2 in 16 bits, sentences of FLORES,
# four RTX 3090: requests of 4, 16 and 64 texts 25.0, 94.0 and 197 a second, and of 1,000, which the four share, 252;
# one of them alone, 64 texts, 52.3 (OpenNMT/CTranslate2 issue 1140, 2023-03-22). Rates of the formula at 32 tokens over
# these are 1.10, 1.10, 1.61 and 2.39 without it, and 1.06, 0.93, 0.98 and 1.03 with it. BART-large in PyTorch gains no
# more from 16 texts on (/v1/evidence, bart-large).
UNEVEN_TEXTS = 2.8


def packs_texts(job: Job, profile: ModelProfile) -> bool:
    """Whether an engine packs the texts that an encoder reads."""
    return profile.family == "encoder" and job.framework.packs_texts and _runs_in_pytorch(job)


def wide_products(job: Job, profile: ModelProfile) -> bool:
    """Whether products as large as a language model's take the time, which few runs in the fit's did."""
    in_pytorch = _runs_in_pytorch(job) or trains_eagerly(job, profile)
    return (profile.wide and in_pytorch) or packs_texts(job, profile)


# Encoders of text compute attention in one kernel, without writing its scores (huggingface/transformers, pull request
# 28802 and its page of BERT; read 2026-11-23).
FUSED_ATTENTION_SINCE = 2024.5


def fuses_attention(job: Job, profile: ModelProfile) -> bool:
    """Whether such an encoder runs in a PyTorch of that time; no kernel holds attention that scores distances."""
    dims, length = profile.transformer, profile.reference.sequence_length
    text = profile.family == "encoder" and profile.mask_elements > 0 and length is not None
    late = job.software_year is None or job.software_year >= FUSED_ATTENTION_SINCE
    scored = dims is None or bool(dims.relative_positions)
    return text and late and not scored and job.framework.library == "pytorch"


# PyTorch: encoders on cards that came out with 1.7 ran at batches that unfused ones could not; 16 bits were still
# cast everywhere by scripts then, natively (with exceptions) from 1.9 on; WaveGlow took 0.72 from 1.13 on.
FIRST_FUSED, FIRST_NATIVE_CAST, FIRST_LEAN_CONVOLUTIONS, TODAY = (1, 7), (1, 9), (1, 13), (9, 9)


@dataclass(frozen=True)
class MemorySoftware:
    """``eager``: transformers unfused; ``casts_all``: 16 bits for all; ``lean_convolutions``: one-dimensional ones;
    ``adaptive``: softmax by frequency of words.
    """

    eager: bool
    casts_all: bool
    lean_convolutions: bool
    adaptive: bool


def memory_software(job: Job) -> MemorySoftware:
    """That of the stated release of PyTorch; of anything else, of today."""
    release = version_of(job.workload.framework_version or "") if job.framework.base == "pytorch" else None
    release = release or TODAY
    return MemorySoftware(
        eager=release < FIRST_FUSED,
        casts_all=release < FIRST_NATIVE_CAST,
        lean_convolutions=release >= FIRST_LEAN_CONVOLUTIONS,
        adaptive=job.tuned,
    )


def measured_points(job: Job) -> Mapping[str, tuple[Point, ...]]:
    """The measured points of just the asked work, by accelerator."""
    if job.profile is None or not job.known_model or job.method != "full":
        return {}  # every measured network was trained as a whole
    return job.coefficients.measured.get(cell_tuned(job.profile.name, job.workload, device_tuning(job)), {})


# Kernels of a training step for each embedding table that is a layer of its own, beside reshaping and reading: the
# operations of Keras 3.15's step on TensorFlow 2.21 with DeepFM's two tables a field, those of 16 fields less those of
# 8; half precision casts and checks each table's gradient beside them (own count of 2026-11-28). PyTorch, whose
# embeddings are layers too, is taken to start as many. TorchRec and tuned scripts hold tables of one width together.
TABLE_KERNELS = {"sgd": 7.0, "adamw": 29.0, "adagrad": 36.0}
CAST_TABLE_KERNELS = 7.0
LAYER_LIBRARIES = ("tensorflow", "pytorch")


def separate_tables(job: Job, profile: ModelProfile) -> int:
    """Embedding tables that are trained one by one."""
    fused = job.tuned or job.framework.library not in LAYER_LIBRARIES
    return 0 if fused or not job.training else profile.tables


def table_kernels(job: Job, profile: ModelProfile) -> tuple[float, float]:
    """Kernels of a training step for tables that are trained one by one; those of casts are the second figure."""
    each = TABLE_KERNELS.get(job.workload.optimizer or "", TABLE_KERNELS["adamw"])
    tables = separate_tables(job, profile)
    return tables * each, tables * CAST_TABLE_KERNELS * (job.precision == "mixed")


# whisper.cpp holds its weights in 16 bits on processors, whatever it multiplies them in (its README, "mixed F16 / F32
# precision").
WEIGHTS_IN_HALF = ("whisper.cpp",)


def holds_half_on_cores(job: Job) -> bool:
    """Whether the software holds 16 bits on processors, at whatever precision it multiplies them."""
    return job.workload.framework in WEIGHTS_IN_HALF and job.precision in HALF_PRECISIONS


# Servers with a backend for tables that one device cannot hold (nvidia-merlin.github.io/HugeCTR/v24.04.00, Hierarchical
# Parameter Server). In PyTorch, TorchRec shards a model that is written with it (docs.pytorch.org/torchrec, inference
# API: quantize_inference_model, shard_quant_model; both read on 2026-11-28).
SHARING_TABLES = ("triton-inference-server",)


def spreads_tables(job: Job) -> bool:
    """Whether the software that answers holds a recommender's tables on several devices together."""
    return job.tuned or job.workload.framework in SHARING_TABLES


def family_points(job: Job) -> Iterator[tuple[ModelProfile, Mapping[str, tuple[Point, ...]]]]:
    """Yield the networks of the asked one's family that were measured at the same work, with their points."""
    if job.profile is None or not measured_points(job):
        return
    asked = cell_tuned("", job.workload, device_tuning(job))
    for cell, points in job.coefficients.measured.items():
        name, _, work = cell.partition(" ")
        if f"{UNSAID} {work}" == asked:
            model = job.coefficients.models.find(name, job.workload.framework)
            if model is not None and model.name == name and model.family == job.profile.family:
                yield at_input(model, job.workload.image_size, job.workload.sequence_length), points
