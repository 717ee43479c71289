"""Generations of accelerators: facts that datasheets leave out or overstate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Generation:
    """A generation of accelerators; the defaults are those of current generations, which need no row."""

    name: str  # as the catalog writes it
    matrix_units: bool = True
    before_hopper: bool = False  # of NVIDIA: before its fp8 units and its power figures
    superseded: bool = False  # no longer a choice for learning
    # CUDA 13 has no code for it (NVIDIA, CUDA 13.0 release notes, 2025-08; pytorch/pytorch: RELEASE.md, 2026).
    short_of_clock: bool = False  # does not hold its listed boost clock
    short_of_half: bool = False  # gains less from 16 bits than its datasheet lists
    fitted_as: str | None = None  # the generation whose fitted effects its parts with HBM take
    one_design: bool = False  # its parts with HBM, which nobody measured, take the effects of those with GDDR
    cores_of: str | None = None  # the generation whose very cores, memory and rates it has: what runs there runs here
    # A second-level cache of 4 to 6 MiB on parts with GDDR; later ones have 32 to 96 (NVIDIA Ada GPU Architecture,
    # 2022), and parts with HBM of Ampere 40 (NVIDIA A100 Tensor Core GPU Architecture, 2020).
    small_cache: bool = False
    last_cuda: int | None = None  # the last CUDA that has kernels for it, where later ones are out
    runtime: str | None = None  # of a TPU: the software version that its machine starts with
    tuned_alone: bool = False  # every measured training of a language model on it is of its maker's tuned recipes
    # Its parts with HBM reach their rate of products by instructions of their own (tcgen05), out of a memory for them.
    tensor_memory: bool = False
    workers: int = 1  # of a device in training: each has its own share of the memory, and a copy of what is not split


# CUDA 12 left out Kepler, and CUDA 13 Maxwell, Pascal and Volta (docs.nvidia.com, CUDA Toolkit release notes); Turing
# is the oldest in the default wheels of PyTorch (its issues 172352, 2026-01-13, and 190385, 2026-07-17).
GENERATIONS = (
    Generation("Kepler", False, before_hopper=True, superseded=True, short_of_clock=True, last_cuda=11),
    Generation("Maxwell", matrix_units=False, before_hopper=True, superseded=True, last_cuda=12),
    Generation("Pascal", matrix_units=False, before_hopper=True, short_of_half=True, one_design=True, last_cuda=12),
    Generation("Volta", before_hopper=True, last_cuda=12),
    Generation("Turing", before_hopper=True, small_cache=True),
    Generation("Ampere", before_hopper=True, small_cache=True),
    Generation("Ada Lovelace", before_hopper=True),
    Generation("Blackwell", fitted_as="Hopper", tuned_alone=True, tensor_memory=True),
    Generation("Blackwell Ultra", fitted_as="Hopper", tuned_alone=True, tensor_memory=True),
    Generation("Vega", matrix_units=False),
    Generation("RDNA", matrix_units=False),
    Generation("RDNA2", matrix_units=False),
    # Two NeuronCores-v2, 190 TFLOP/s in 16 bits and 32 GiB of HBM each (AWS Neuron documentation, 81ce03ae).
    Generation("Inferentia2", fitted_as="Trainium1", cores_of="Trainium1"),
    # cloud.google.com/tpu/docs/runtimes, for PyTorch and JAX, read on 2026-11-28.
    *(Generation(f"TPU v{number}", runtime="tpu-ubuntu2204-base") for number in (2, 3, 4)),
    Generation("TPU v5e", runtime="v2-alpha-tpuv5-lite"),
    Generation("TPU v5p", runtime="v2-alpha-tpuv5"),
    Generation("TPU v6e (Trillium)", runtime="v2-alpha-tpuv6e"),
    # Each core is a worker with its part of the memory: 16 GB (huggingface/optimum-neuron, distributed training, 2026).
    # Later chips join the cores in pairs by default: four workers with 24 GiB each on Trainium2 (AWS Neuron, training
    # best practices, 2026-10-16).
    Generation("Trainium1", workers=2),
    Generation("Trainium2", workers=4),
    Generation("Trainium3", workers=4),
    *(Generation(f"Apple M{number}", matrix_units=False) for number in (1, 2, 3, 4, 5)),
)
TENSOR_MEMORY = tuple(generation.name for generation in GENERATIONS if generation.tensor_memory)
_BY_NAME = {generation.name: generation for generation in GENERATIONS}


def generation_of(name: str) -> Generation:
    """The generation of that name; the defaults where it has no row."""
    return _BY_NAME.get(name) or Generation(name)


def of_the_same_cores(name: str) -> tuple[str, ...]:
    """The generation of that name, and those that have its very cores."""
    cores = generation_of(name).cores_of or name
    others = (one.name for one in GENERATIONS if cores in (one.name, one.cores_of))
    return tuple(dict.fromkeys((name, cores, *others)))
