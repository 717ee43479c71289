"""Time of a step on the cores of processors: teams of cores, starts of operations, 8-bit products."""

from __future__ import annotations

import numpy as np

from ..demand.job import Job, profile_of
from ..demand.software import early, thread_waiting
from ..frameworks import WHISPER, WHISPER_THREADS
from ..hardware import Flags, Floats
from ..machines import FLOP_PER_CYCLE, Machines
from ..models.families import family_of
from ..models.profile import ModelProfile
from ..units import BYTES, TERA
from .arithmetic import DOT_PRODUCTS_8, EIGHT_BIT, INT8_SHARE, Arithmetic

PROCESS_CORES = 4.0  # of each process of tuned inference on processors (Intel's and MLPerf's scripts for throughput)
# Cores that speed up one text of a voice of convolutions, whose layers follow each other. Kokoro kept two of four cores
# busy, and several of it all four (thewh1teagle/kokoro-onnx issue 169, 2025-09-08). Eight threads were 1.24 times as
# fast as one (elizaOS/eliza pull request 7676, 2026-05-14), and a Core i9-14900KF with 24 cores took 45 s for 2 minutes
# of sound (stavsap/comfyui-kokoro issue 12, 2025-04-21). On the four cores of a Raspberry Pi 4, two threads were 1.6 to
# 1.76 times as fast as one with 16 voices of VITS, Piper, Matcha and Kokoro, Kokoro 2.2 with three and 2.4 with four
# (k2-fsa/sherpa-onnx discussion 3968, 2026; k2-fsa.github.io/sherpa, kokoro-en-v0_19, read 2026-11-29). What writes
# sound token by token, or denoises it, computes as language models and denoisers do, on all cores.
VOICE_CORES, VOICES = 2.0, "speech_1d"

# Own measurement of 2026-11-23, ONNX Runtime 1.32, one thread on AMD EPYC (Zen 4, VNNI), graphs built from the papers'
# tables, static quantisation by channel: INT8 over FP32 is 1.75 for EfficientNet-B4 (68 and 119 ms an image), 2.0 for
# MobileNet-V2 (3.9 and 7.9), 3.5 for ResNet-50 (23 and 79). With tiles (Sapphire Rapids) networks of depthwise
# convolutions gain no more: EfficientNet-B0 1.1 to 1.3, MobileNet-V2 1.1 to 2.0 (see /v1/evidence, neural-compressor).
# The maps of YOLO exceed the caches: YOLOv8n in OpenVINO 2024.3 reaches 504 images/s in FP32 and 1,695 in INT8 on two
# Xeon 8380, with tiles on two 8480+ 952, 2,417 and (BF16) 2,431 (openvinotoolkit/openvino @d4525174, benchmark data).
# FP32 and INT8 take 1.64 and 1.50 times the formula's time, and 1.32 and 1.39: their geometric mean. A core of either
# draws as many images in INT8 (21.2 and 21.6), so that tiles gain it nothing over VNNI, in BF16 as in INT8. Detectors
# on a plain network gain as classifiers do: on two 8480+, SSD-ResNet34 at 1200 pixels reaches 30.4 images/s in FP32,
# 204.5 in BF16 and 430.2 in INT8, ResNet-50 1,590, 7,385 and 19,174 (the same table).
# RT-DETR and RF-DETR, whose maps are counted as YOLO's, have a ResNet and a ViT.
DEPTHWISE, YOLO, PLAIN_DETECTORS, OVER_CACHES = "depthwise_cnn", "yolo", "detr", 1.46

# 16-bit rate over that of fp32 of dot products, of which inference reaches fp32's share: in bf16 an encoder's layers
# took 1/2.04 to 1/2.08 of fp32's time, 3x3 convolutions 1/1.82, depthwise ones 1/1.72 (PyTorch 2.13, as above).
DOT_PRODUCTS = 2.0
# The most that INT8 gains over fp32. CTranslate2 quantises what goes into each product as it comes: Whisper small's
# encoder took 3.0 and 4.4 s (CTranslate2 4.8, as above). In ONNX Runtime whole networks gain on tiles what dot products
# gain, though its products of 8 bits alone were 3.06 times as fast there (microsoft/onnxruntime pull request 14042,
# 2022-12-21). Release 1.15 on a Xeon 8480+, 14 runs of 4 cores, gained 1.9 to 2.2 for ResNet-50 (1,564 of 712 a second
# at most), 2.1 to 2.3 for BERT and RoBERTa base (475 of 223; 1.7 to 1.8 with scales found beforehand), 2.1 for BERT
# large (intel/neural-compressor @012522ef, docs/source/validated_model_list.md, 2023-06-19). Of ggml, Whisper small's
# encoder took 8.6 s of processor time in its 8 bits (Q8_0) and 9.0 in FP16, 104 tokens 3.6 and 3.8 (own measurement of
# 2026-11-28, whisper.cpp 1.8.5 for AVX2, random weights, one thread of AMD EPYC, Zen 4).
INT8_GAIN = {
    "whisper.cpp": 1.04,
    "faster-whisper": 1.45,
    "ctranslate2": 1.45,
    "onnxruntime": DOT_PRODUCTS_8 * INT8_SHARE,
}

# Runtimes that fold normalisation and activation into convolutions before they run a graph (onnxruntime.ai, graph
# optimizations; docs.openvino.ai, general optimizations; read 2026-11-23). On one thread of AMD EPYC (Zen 4), ONNX
# Runtime 1.32 took 119 ms for EfficientNet-B4 in fp32, 7.9 for MobileNet-V2, 79 for ResNet-50 (own measurement).
GRAPH_RUNTIMES = ("onnxruntime", "openvino")
# Own measurement of 2026-11-23, ONNX Runtime 1.32, one thread of the same processor: a run of one operation on 16
# numbers took 5 µs, and each further convolution of 8 channels, of 200 in a row, 1.1 µs. CTranslate2 and ggml, in C++
# too, are taken to be alike.
GRAPH_CALL_S, GRAPH_KERNEL_S = 5e-6, 1.1e-6
IN_CPP = ("ctranslate2", "faster-whisper", "whisper.cpp")
# The operations on rows of a table are too small to wake threads, which is what starting one takes with images. Own
# measurement of 2026-11-24, processor time on one thread of the same processor: a saved graph of TensorFlow 2.21 took
# 0.10 ms, and 3.0 µs for each product of 16 x 16, of 200 in a row; PyTorch 2.14, 4.9 µs for each and no more.
ROWS_CALL_S, ROWS_KERNEL_S = 0.10e-3, 3.0e-6

# The widest vectors of TensorFlow's builds before 2018: compiled with AVX-512, releases 1.4 and 1.5 failed on Skylake
# (easybuilders/easybuild-easyconfigs issue 5936, 2018-02-28). Prebuilt ones had none at all (tensorflow/tensorflow,
# release 1.5.0, 2018-01-26), yet ran at 0.6 and more of the speed of compiled ones (/v1/evidence, minimaxir).
EARLY_VECTORS = "avx2"


def team_of(job: Job, machines: Machines) -> Floats:
    """Cores that work on a batch together: all, but few where tuned inference runs a process for every few cores."""
    if job.training or not job.tuned:
        return machines.cores
    return np.minimum(machines.cores, WHISPER_THREADS if profile_of(job).name in WHISPER else PROCESS_CORES)


def lone_voice(job: Job) -> bool:
    """Whether one process answers, one text at a time, with convolutions in one pass."""
    voice = job.profile is not None and job.profile.one_text and job.profile.traffic == VOICES
    return voice and not job.training and not job.tuned


def cores_at_work(job: Job, machines: Machines) -> Floats:
    """Cores of a machine that its processes keep busy: all, but few of such a voice."""
    return np.minimum(machines.cores, VOICE_CORES) if lone_voice(job) else machines.cores


def over_on_cores(job: Job, profile: ModelProfile) -> float:
    """Time of Whisper, and of YOLO in graph runtimes, on processors over the formula's: their runs took longer."""
    over = job.framework.whisper_on_cores if profile.name in WHISPER else ()
    if job.training or not (over or _narrow(job, profile)):
        return 1.0
    return over[job.precision in EIGHT_BIT] if over else OVER_CACHES


def crowding_of(job: Job, team: Floats) -> Floats:
    """Time of a core that shares work with a team, over its time alone."""
    return 1 + team / job.coefficients.roofline.cpu_core_saturation + thread_waiting(job, team)


def vectors_of_its_build(job: Job, machines: Machines) -> Floats:
    """Share of the cores' rate that the vectors of the software's build reach: all of it, but for early builds."""
    if not early(job):
        return np.ones(len(machines))
    shares = np.array([min(1.0, FLOP_PER_CYCLE[EARLY_VECTORS] / rate) for rate in FLOP_PER_CYCLE.values()])
    return shares[machines.vector]


def busy_on_cores(
    compute: Floats, traffic: Floats, weights: Floats, filling: Floats, crowding: Floats, enough: Floats, most: Floats
) -> Floats:
    """Compute and traffic of processors, idle parts included, at the number of cores that is fastest, ``most`` at most.

    With a share u of the cores: (a/u + b + traffic · max(1, s/u)) · (1 + filling · u) + weights · max(1, s/u);
    a share s takes the bandwidth. Weights are long vectors, which fill any chip.
    """
    parallel = compute / crowding
    serial = compute - parallel

    def seconds(used: Floats) -> Floats:
        waiting = np.maximum(1.0, enough / used)
        return (parallel / used + serial + traffic * waiting) * (1 + filling * used) + weights * waiting

    many = np.clip(np.sqrt(parallel / (filling * (serial + traffic))), np.minimum(enough, most), most)
    few = np.clip(
        np.sqrt((parallel + (traffic + weights) * enough) / (filling * serial)), 1e-3, np.minimum(enough, most)
    )
    return np.fmin(seconds(many), seconds(few))


def yolo(profile: ModelProfile) -> bool:
    """Whether it is a YOLO, not a detector by queries whose maps are counted as YOLO's."""
    return profile.architecture == YOLO and PLAIN_DETECTORS not in profile.name


def _narrow(job: Job, profile: ModelProfile) -> bool:
    """Whether it is YOLO in a graph runtime."""
    return yolo(profile) and job.workload.framework in GRAPH_RUNTIMES


def rate_on_cores(job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic) -> Floats:
    """FLOP/s that all cores reach in inference, with the limits and gains of their units and runtimes.

    Tiles of matrices do nothing for depthwise convolutions, which reach what dot products do: as many times fp32's
    rate as their elements are smaller, and of that in 8 bits the share of dot products, not that of tiles. YOLO reaches
    that of 8 bits in 16 too.
    """
    fit, size, reached = job.coefficients.roofline, numbers.element_bytes, numbers.peak * numbers.efficiency
    byte, half, gain = size < BYTES["fp16"], size == BYTES["fp16"], INT8_GAIN.get(job.workload.framework or "")
    single = machines.cpu_tflops * TERA * fit.compute_cpu
    on_cores = np.where(half & (machines.cpu_half_over_single <= DOT_PRODUCTS), numbers.peak * fit.compute_cpu, reached)
    if _narrow(job, profile):
        on_cores = np.where(size > BYTES["fp16"], on_cores, np.minimum(on_cores, single * BYTES["fp32"] * INT8_SHARE))
    elif profile.traffic == DEPTHWISE:
        on_cores = np.minimum(on_cores, single * BYTES["fp32"] / size * np.where(byte, INT8_SHARE, 1.0))
    elif gain is not None:
        on_cores = np.where(byte, np.minimum(on_cores, single * gain), on_cores)
    return on_cores


def of_rows(job: Job, profile: ModelProfile) -> bool:
    """Whether rows of a table are answered, whose lookups are small and whose products are as wide as their layers."""
    return not job.training and family_of(profile.family).data == "table"


def fuses_on_cores(job: Job, profile: ModelProfile, machines: Machines) -> Flags:
    """Processors whose software keeps results between layers in the cache, in any precision."""
    kept = not job.training and job.workload.framework in GRAPH_RUNTIMES and not _narrow(job, profile)
    return ~machines.has_accelerator() & kept


def starts_on_cores(job: Job, profile: ModelProfile, kernels: Floats) -> Floats | float:
    """Seconds a step to start its operations on processors; ``kernels``: as a device takes for them."""
    fit = job.coefficients.roofline
    if not job.training and job.workload.framework in (*GRAPH_RUNTIMES, *IN_CPP):
        return GRAPH_CALL_S + GRAPH_KERNEL_S * profile.kernels
    if of_rows(job, profile):
        return ROWS_CALL_S + ROWS_KERNEL_S * profile.kernels
    return fit.cpu_launches * (kernels + fit.host_s)
