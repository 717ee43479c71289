"""Rate, efficiency and bytes an element of each machine at the asked precision, with the fitted effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import exp

import numpy as np

from ..coefficients import ROOFLINE, Roofline, TokenTraining
from ..demand import kind
from ..demand.job import Job
from ..demand.software import (
    casts_weights,
    compiles_diffusion,
    device_tuning,
    fitted_elsewhere,
    two_stages,
    wide_products,
)
from ..effects import (
    CLASSES,
    SAME_CARD,
    WITH_GDDR,
    Device,
    Work,
    chip_levels,
    match_of,
    microarchitecture_of,
    unit_of,
    work_levels,
)
from ..hardware import Flags, Floats, Ints
from ..known import HALF_PRECISIONS, kind_of_network
from ..machines import VECTOR_CLASSES, Machines
from ..models.profile import ModelProfile
from ..spreads import TENSORRT
from ..units import BYTES, TERA

EIGHT_BIT = ("fp8", "int8")


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """Per machine: peak FLOP/s of one device (or of all cores), the fitted share of it, bytes an element."""

    peak: Floats
    efficiency: Floats
    element_bytes: Floats
    tensor: Flags  # on matrix units
    supported: Flags
    emulated: Flags
    fitted_factor: Floats  # on the formula's time of a step, from the fitted effects
    device_factor: Floats  # the part of it that the device has


def arithmetic(
    machines: Machines,
    precision: str,
    half_falls_back: bool = False,
    fit: Roofline = ROOFLINE,
    half_on_cores: bool = True,
    plain_bytes: float | None = None,
    bytes_fall_back: bool = False,
) -> Arithmetic:
    """The arithmetic of every machine; a precision that a device lacks is emulated through fp32 or unsupported.

    ``plain_bytes``: rate of 8 bits over that of fp32 on processors without dot products, where software runs them.
    """
    on_device = machines.has_accelerator()
    native, fallback = _device_rates(fit, machines, precision, half_falls_back, bytes_fall_back)
    cpu_native, cpu_fallback = _cpu_rates(machines, precision, half_on_cores, plain_bytes)
    native = np.where(on_device, native, cpu_native)
    fallback = np.where(on_device, fallback, cpu_fallback)
    emulated = np.isnan(native) & ~np.isnan(fallback)
    rate = np.where(emulated, fallback, native)
    listed_half = precision in (*HALF_PRECISIONS, "tf32", *EIGHT_BIT, "fp4", "int4")
    tensor = machines.tensor & on_device & ~emulated & listed_half
    return Arithmetic(
        peak=rate * TERA * np.where(machines.kepler, fit.kepler_clock, 1.0),
        efficiency=_efficiency(fit, machines, precision, tensor, emulated),
        element_bytes=np.where(emulated, BYTES["fp32"], BYTES[precision]),
        tensor=tensor,
        supported=~np.isnan(rate),
        emulated=emulated,
        fitted_factor=np.ones(len(machines)),
        device_factor=np.ones(len(machines)),
    )


def class_of(machines: Machines, numbers: Arithmetic, precision: str) -> Ints:
    """The class of each machine's arithmetic, as an index into ``effects.CLASSES``."""
    fine = numbers.element_bytes < BYTES["fp32"]
    byte = numbers.element_bytes < BYTES["fp16"]
    low = ~numbers.emulated & (precision not in ("fp64", "fp32", "tf32"))
    on_device = machines.has_accelerator()
    held = {
        "cpu_low": ~on_device & low,
        "cpu": ~on_device,
        "chip": machines.compiled_chip,
        "byte": numbers.tensor & byte,
        "half": numbers.tensor & fine,
        "tf32": numbers.tensor,
        "plain_half": fine,
    }
    classes = np.full(len(machines), CLASSES.index("single"), dtype=np.int32)
    for name, rows in reversed(held.items()):  # the first that holds is written last
        np.putmask(classes, rows, CLASSES.index(name))
    return classes


def _device_rates(
    fit: Roofline, machines: Machines, precision: str, half_falls_back: bool, bytes_fall_back: bool
) -> tuple[Floats, Floats]:
    """TFLOP/s of one device at the precision, and of the one that can emulate it (NaN where none can)."""
    # Neuron's compiler casts fp32 products to bf16.
    single = np.where(machines.neuron, machines.peak("bf16"), machines.peak("fp32"))
    nothing = np.full(len(machines), np.nan)
    half = np.where(machines.pascal_half, single * fit.p100_half, machines.peak("fp16"))
    half = np.where(machines.pascal_half & np.isnan(machines.peak("fp16")), np.nan, half)
    brain = machines.peak("bf16")
    rates = {
        "fp64": (np.fmax(machines.peak("fp64"), machines.peak("fp64_tensor")), nothing),
        "mixed": (np.fmax(half, brain), single),
        "fp16": (half, single),
        "bf16": (np.fmax(brain, half) if half_falls_back else brain, single),
        "tf32": (machines.peak("tf32"), single),
        "fp32": (single, nothing),
    }
    cast = np.where(machines.compiled_chip, np.nan, single) if bytes_fall_back else nothing
    return rates.get(precision) or (machines.peak(precision), cast)


# Instructions that multiply bytes in steps, where there are no dot products.
WITHOUT_DOT_PRODUCTS = [VECTOR_CLASSES.index(name) for name in ("avx2", "avx512f")]


def _cpu_rates(
    machines: Machines, precision: str, half_on_cores: bool, plain_bytes: float | None
) -> tuple[Floats, Floats]:
    """TFLOP/s of all cores at the precision, and at the one that can emulate it."""
    single = machines.cpu_tflops
    nothing = np.full(len(machines), np.nan)
    half, byte = (
        np.where(over > 1, over, np.nan) for over in (machines.cpu_half_over_single, machines.cpu_byte_over_single)
    )
    if plain_bytes is not None:  # the share that 8 bits reach of their rate is taken off again
        byte = np.where(np.isin(machines.vector, WITHOUT_DOT_PRODUCTS), plain_bytes / INT8_SHARE, byte)
    rates = {
        "fp64": (single * machines.cpu_double_over_single, nothing),
        "fp32": (single, nothing),
        **dict.fromkeys(("tf32", "fp16"), (nothing, single)),
        **dict.fromkeys(("mixed", "bf16"), (single * half if half_on_cores else nothing, single)),
        "int8": (single * byte, single),
    }
    return rates.get(precision, (nothing, nothing))


# Rate of 8 bits over that of fp32 up to which they are dot products; the fitted share of low precision is that of
# tiles, whose rate is 32 times. ResNet-50 in INT8 took 23 ms of fp32's 79, which is 0.56 of fp32's share (own
# measurement of 2026-11-23, ONNX Runtime 1.32, one thread on AMD EPYC, Zen 4).
DOT_PRODUCTS_8, INT8_SHARE = 4.0, 0.56


def _efficiency(fit: Roofline, machines: Machines, precision: str, tensor: Flags, emulated: Flags) -> Floats:
    """The fitted share of the peak."""
    on_device = machines.has_accelerator()
    plain = np.where(emulated | (precision in ("fp32", "fp64")), fit.compute_fp32, fit.compute_plain16)
    plain = np.where(machines.pascal_half, fit.compute_fp32, plain)
    tensor_share = {"tf32": fit.compute_tf32}.get(
        precision, fit.compute_8bit if precision in (*EIGHT_BIT, "fp4", "int4") else fit.compute_tensor16
    )
    device = np.where(tensor, tensor_share, plain)
    device = np.where(machines.neuron, fit.compute_neuron, device)
    half = (machines.cpu_half_over_single > 1) & (precision in HALF_PRECISIONS) & ~emulated
    byte = np.where(machines.cpu_byte_over_single > DOT_PRODUCTS_8, fit.compute_cpu_8bit, INT8_SHARE * fit.compute_cpu)
    byte = np.where(emulated, fit.compute_cpu, byte)
    cpu = np.where(half, fit.compute_cpu_8bit, byte if precision == "int8" else fit.compute_cpu)
    return np.where(on_device, device, cpu)


# Frameworks without kernels of 16 bits for processors: they compute in fp32 there (microsoft/onnxruntime, issues 16778
# and 28768, 2026-07-27; OpenNMT/CTranslate2 @087d0850, docs/quantization.md: types that a load falls back to).
# whisper.cpp multiplies in fp32 or, on Arm, with vectors of fp16 (its README, "mixed F16 / F32 precision"; ggml, vec.h:
# GGML_F16_VEC). Nobody published what those gain: it has fp32's rate.
SINGLE_ON_CORES = ("onnxruntime", "ctranslate2", "faster-whisper", "whisper.cpp")
# Frameworks whose stock scripts load published weights in fp32 on processors (huggingface/transformers, from_pretrained
# without dtype, release 4; sentence-transformers, efficiency.rst, 2026).
LOADED_IN_SINGLE = ("pytorch", "huggingface")


# Rate of INT8 over that of fp32 where processors have AVX2, or AVX-512 without VNNI. OpenVINO on a Core i7-8700T and a
# Xeon W-1290P: BERT-large 1.6 and 1.5, the middle of 19 other networks 1.9 and 2.0 (docs.openvino.ai 2021.4,
# openvino_docs_performance_int8_vs_fp32). ONNX Runtime: BERT-base on 128 tokens 1.08 on a Ryzen 3700X, no more on
# Skylake; 1.1 to 1.2 by its maintainers (microsoft/onnxruntime issue 6695, 2021-02-16). Rule: emulated-precision.
PLAIN_BYTES = {"onnxruntime": (1.15, 1.15), "openvino": (1.55, 1.9)}  # of transformers, and of other networks


def _plain_bytes(job: Job, profile: ModelProfile) -> float | None:
    """Rate of INT8 over that of fp32 on processors without dot products of bytes; ``None``: it is not known to run."""
    gains = None if job.training else PLAIN_BYTES.get(job.workload.framework or "")
    return None if gains is None else gains[profile.transformer is None]


def _half_on_cores(job: Job) -> bool:
    """Whether the software computes in 16 bits on a processor that has them.

    Stock scripts train in fp32 there: autocast is entered by name for each kind of device (docs.pytorch.org, amp), and
    Keras's policy is float32 unless set (keras.io, mixed_precision; both read on 2026-11-28).
    """
    framework = job.workload.framework
    single = job.training or (job.kind == kind.INFERENCE and framework in LOADED_IN_SINGLE)
    return framework not in SINGLE_ON_CORES and not (single and job.half_falls_back and not job.tuned)


def computed_in(precision: str) -> str:
    """The precision of the products: 4-bit weights are unpacked for products in 16 bits (bitsandbytes)."""
    return "mixed" if precision == "int4" else precision


ON_CORES = Device("", "")
DEVICES_KEPT = 1024  # several times as many as a catalog has


def fitted_arithmetic(job: Job, profile: ModelProfile, machines: Machines) -> Arithmetic:
    """The arithmetic of every machine, with the fitted effects of its device, software and model."""
    casts = casts_weights(job, profile)
    numbers = arithmetic(
        machines,
        computed_in(job.precision),
        job.half_falls_back,
        job.coefficients.roofline,
        half_on_cores=_half_on_cores(job),
        plain_bytes=_plain_bytes(job, profile),
        bytes_fall_back=casts,
    )
    if casts:  # computed in 16 bits, which is one of the software's alternatives
        held = np.where(numbers.emulated, BYTES[job.precision], numbers.element_bytes)
        numbers = replace(numbers, element_bytes=held, emulated=np.zeros(len(machines), dtype=bool))
    effects = job.coefficients.effects
    if not effects.levels and not effects.matches:
        return numbers
    on_cores, elsewhere_fitted = work_of(job, profile), fitted_elsewhere(job, profile)
    wide, compiled = wide_products(job, profile), compiles_diffusion(job, profile)
    # Tuned scripts that were measured are not compiled.
    untuned = compiled or two_stages(job, profile)
    on_device = replace(on_cores, tuning="stock" if untuned else device_tuning(job) or on_cores.tuning)

    @cache
    def everywhere(kind: str) -> tuple[Work, float]:
        if unit_of(kind) == "cpu":
            return on_cores, 0.0 if elsewhere_fitted else effects.total(work_levels(on_cores, kind))
        return on_device, effects.total(work_levels(on_device, kind))

    def of_device(kind: str, device: Device) -> float:
        # What single devices are above their design was fitted to networks that bandwidth holds back, as GDDR does all.
        own = wide and not device.microarchitecture.endswith(WITH_GDDR)
        work, _ = everywhere(kind)
        return exp(effects.total(chip_levels(kind, device)[:1]) if own else effects.of_device(work, kind, device))

    def elsewhere(kind: str, device: Device) -> float:
        work, common = everywhere(kind)
        return exp(common + effects.matches.get(match_of(work, kind, device), 0.0))

    own = by_device(job, machines, numbers, of_device)
    return replace(numbers, fitted_factor=own * by_device(job, machines, numbers, elsewhere), device_factor=own)


# Segment Anything's encoder adds positions to its scores, which TensorRT does not fuse: "nearly identical" to 16 bits
# in PyTorch (NVIDIA/TensorRT issue 3096, 2023-06-30); 11 images a second of ViT-H on A100 (arXiv 2402.05008).
NO_GAIN_OF_TENSORRT = "pytorch"


def work_of(job: Job, profile: ModelProfile) -> Work:
    """The job in the words of the fitted effects; servers with TensorRT's engines are as fast as TensorRT.

    What tuned scripts of detectors with two stages were measured to add is the host's time, which is a term of its own.
    """
    name, library = job.workload.framework or "", job.framework.library
    if library == TENSORRT and profile.traffic == "unfused_attention":
        name = library = NO_GAIN_OF_TENSORRT
    return Work(
        model=profile.name if job.known_model else "",
        architecture=profile.architecture,
        family=profile.family,
        mode=job.workload.task,
        framework=TENSORRT if library == TENSORRT else name,
        tuning="stock" if two_stages(job, profile) else job.workload.tuning or "stock",
        network=kind_of_network(profile),
    )


def by_device(job: Job, machines: Machines, numbers: Arithmetic, figure: Callable[[str, Device], float]) -> Floats:
    """A figure of each machine that depends on its device and class of arithmetic alone, computed once for each."""
    classes = class_of(machines, numbers, computed_in(job.precision))
    codes = (machines.accelerator + 1) * len(CLASSES) + classes
    size = int(codes.max(initial=0)) + 1
    example = np.full(size, -1, dtype=np.int32)
    example[codes] = np.arange(len(codes), dtype=np.int32)
    rows = example[example >= 0]
    found = np.ones(size)
    found[example >= 0] = [
        figure(CLASSES[code], device)
        for code, device in zip(classes[rows].tolist(), devices_at(machines, rows), strict=True)
    ]
    return np.asarray(found[codes])


def devices_at(machines: Machines, rows: Ints) -> Iterator[Device]:
    """The accelerators of some machines in the words of the fitted effects; empty on processors."""
    columns = (machines.accelerator, machines.accelerator_name, machines.generation, machines.gddr)
    for accelerator, name, generation, gddr in zip(*(column[rows].tolist() for column in columns), strict=True):
        yield _device(name, generation, gddr) if accelerator >= 0 else ON_CORES


@lru_cache(maxsize=DEVICES_KEPT)
def _device(name: str, generation: str, gddr: bool) -> Device:
    return Device(SAME_CARD.get(name, name), microarchitecture_of(generation, gddr))


# Smaller cards with GDDR, which no row of the fit is about: the watts per 16-bit TFLOP/s from which large products are
# not held back, at the exponent of the larger parts. Fitted to the share of the datasheet that 15 cards reach over
# A100's 0.85, at which a tenth (9%) is left unexplained: T4 42.3 TFLOP/s, RTX A4000 59, RTX 4000 Ada 83, L4 57, A6000
# 127, A40 122, A5000 94, L40 170, L20 110, RTX 4090 166, 3090 77, A10G 70, 3080 65, 4070 Super 75, 3080 Ti 77
# (mag-/gpu_benchmark README, read 2026-11-28; zzc0721/torch-performance-test-data@07858687 database.md, its issues 97,
# 2025-12-18, 114 and 120, 2026-01, 126, 2026-01-20, and 185, 2026-07-22, products of 10,240 a side where stated;
# DefTruth/CUDA-Learn-Notes hgemm, read 2026-11-28).
SMALL_CARD_W_PER_TFLOPS = 2.83
SMALL_CARD_TFLOPS = 250.0
LARGE_PRODUCTS = 0.85  # share of A100's datasheet that they reach, as above


def small_cards(machines: Machines, reference: Floats) -> Flags:
    """Cards with GDDR of up to so many TFLOP/s in 16 bits."""
    return machines.gddr & (reference / machines.device_share() <= SMALL_CARD_TFLOPS)


def small_card_share(fit: TokenTraining, machines: Machines, reference: Floats) -> Floats:
    """Factor of a small card with fewer watts for its rate than large products need; NaN where they are unknown."""
    return np.minimum(1.0, machines.power_w / reference / SMALL_CARD_W_PER_TFLOPS) ** fit.power_exponent
