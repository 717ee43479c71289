"""Laws of a step's time on one device and on processors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.estimate.machines import hours, machine, with_figures
from tests.service.fitted import job_of

from plimsoll_service.engine.estimate.arithmetic import fitted_arithmetic
from plimsoll_service.engine.estimate.roofline import Step, step_terms
from plimsoll_service.engine.machines import VECTOR_CLASSES
from plimsoll_service.engine.units import BYTES, GB
from plimsoll_service.engine.workload import Query, Workload

SIZES = (16, 32, 48, 64, 96, 128, 160, 192, 223, 224, 225, 256, 320, 384, 512)
LENGTHS = (16, 32, 64, 127, 128, 129, 256, 383, 384, 385, 512)
JUMP = 2.0  # between neighbours, as the contract promises


def one_step(batch: float, accelerator: str | None = "A100-80GB", vcpus: float = 8, **asked: object) -> Step:
    job = job_of(Query(Workload(**{"task": "training", "model": "resnet50", **asked})))
    assert job.profile is not None
    on = machine(accelerator=accelerator, vcpus=vcpus)
    with np.errstate(all="ignore"):
        return step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on)).step(np.array([float(batch)]))


def seconds(batch: float, accelerator: str | None = "A100-80GB", vcpus: float = 8, **asked: object) -> float:
    return float(one_step(batch, accelerator, vcpus, **asked).seconds[0])


@pytest.mark.parametrize("accelerator", ["K80", "T4", "A100-80GB", "H100-SXM", None])
@pytest.mark.parametrize("task", ["training", "inference"])
@pytest.mark.parametrize("batch", [1, 8, 64])
def test_a_smaller_image_is_never_slower(accelerator: str | None, task: str, batch: int) -> None:
    """Time grows with the image, without jumps between neighbouring sizes."""
    times = [seconds(batch, accelerator, task=task, image_size=(size,)) for size in SIZES]
    for size, later, earlier, now in zip(SIZES, SIZES[1:], times, times[1:], strict=False):
        assert earlier <= now <= earlier * max(JUMP, 1.01 * (later / size) ** 2)


@pytest.mark.parametrize("task", ["training", "inference"])
def test_a_shorter_sequence_is_never_slower(task: str) -> None:
    """Time grows with the length, without jumps at the lengths that were measured."""
    times = [seconds(8, task=task, model="bert-base", sequence_length=length) for length in LENGTHS]
    for length, later, earlier, now in zip(LENGTHS, LENGTHS[1:], times, times[1:], strict=False):
        assert earlier <= now <= earlier * max(JUMP, 1.01 * (later / length) ** 2)


@pytest.mark.parametrize("accelerator", ["T4", "H100-SXM", None])
@pytest.mark.parametrize("task", ["training", "inference"])
def test_a_larger_batch_takes_longer_and_brings_more(accelerator: str | None, task: str) -> None:
    """A step's time grows with the batch, and so do samples a second."""
    batches = [2.0**power for power in range(9)]
    times = [seconds(batch, accelerator, task=task) for batch in batches]
    rates = [batch / time for batch, time in zip(batches, times, strict=True)]
    assert times == sorted(times)
    assert rates == sorted(rates)


def test_a_decoder_reads_its_keys_and_values_at_every_token() -> None:
    """A further sample of a batch takes at least the time to read the cache of its audio 100 times."""
    job = job_of(Query(Workload("inference", model="whisper-large-v3", framework="pytorch")))
    assert job.profile is not None
    on = machine(accelerator="A100-80GB")
    numbers = fitted_arithmetic(job, job.profile, on)
    read = 100 * (2 * 32 * 1280 * 1600) * 2 / 2039e9
    with np.errstate(all="ignore"):
        cached = step_terms(job, job.profile, on, numbers).cached[0]
    assert read / 1.5 < cached < read * 1.5


@pytest.mark.parametrize("model", ["whisper-large-v3", "t5-base", "bart-large"])
@pytest.mark.parametrize(("accelerator", "gb_s"), [("H100-SXM", 3350), ("Inferentia2", 820), ("L4", 300)])
def test_every_token_reads_the_decoder_again(model: str, accelerator: str, gb_s: float) -> None:
    """No device writes a text faster than its memory yields the decoder once a token."""
    job = job_of(Query(Workload("inference", model=model)))
    assert job.profile is not None
    assert job.profile.generation is not None
    moved = 2 * job.profile.generation.parameters * job.profile.generation.tokens
    assert seconds(1, accelerator, task="inference", model=model, precision="mixed") > 0.5 * moved / (gb_s * 1e9)


def test_a_compiled_decoder_starts_at_each_token() -> None:
    """A chip with a compiler of its own starts a network as one graph, but a decoder once a token."""
    one = seconds(1, "Inferentia2", task="inference", model="t5-base", sequence_length=64)
    twice = seconds(1, "Inferentia2", task="inference", model="t5-base", sequence_length=128)
    assert twice == pytest.approx(2 * one, rel=0.15)


def test_todays_encoders_keep_scores_on_the_chip() -> None:
    """Their traffic does not grow with the square of the length; early releases wrote the scores."""
    asked = {"task": "inference", "model": "bert-base", "framework": "pytorch", "precision": "fp16"}
    asked |= {"sequence_length": 512}
    early, today = (seconds(64, "H100-SXM", **asked, framework_version=version) for version in ("1.13", None))
    short = {**asked, "sequence_length": 128}
    early_short, today_short = (seconds(256, "H100-SXM", **short, framework_version=one) for one in ("1.13", None))

    assert early / today > 1.15 * early_short / today_short


def test_later_software_is_no_slower() -> None:
    """Releases gain speed, and none given is the latest."""
    versions = ("1.0", "1.4", "1.8", "1.13", "2.1", "2.5", None)
    times = [seconds(64, framework="pytorch", framework_version=version) for version in versions]
    assert times == sorted(times, reverse=True)


def test_tuned_scripts_are_faster() -> None:
    """A vendor's own script is faster for the same network on the same device."""
    assert seconds(128, framework="pytorch", tuning="tuned") < seconds(128, framework="pytorch", tuning="stock")


def test_tuned_inference_on_processors_runs_processes_abreast() -> None:
    """A process for every four cores: many batches at once, and more samples a second than one process for all."""
    asked: dict[str, object] = {"task": "inference", "model": "resnet50", "precision": "fp32", "accelerator": None}
    tuned, stock = (one_step(1, vcpus=64, tuning=name, **asked) for name in ("tuned", "stock"))
    assert 8.0 == float(tuned.at_once[0])
    assert 1.0 == float(stock.at_once[0])
    assert float(tuned.seconds[0]) < float(stock.seconds[0])


def test_a_device_runs_one_batch_at_a_time() -> None:
    """Only processors run several batches at the same time."""
    assert 1.0 == float(one_step(8, task="inference", tuning="tuned").at_once[0])


@pytest.mark.parametrize(
    ("smaller", "larger"), [("resnet18", "resnet50"), ("resnet50", "resnet152"), ("bert-base", "bert-large")]
)
@pytest.mark.parametrize("accelerator", ["T4", "V100-16GB", "A100-80GB", "H100-SXM", "B200", "RTX-4090"])
def test_the_larger_of_a_kin_takes_longer(smaller: str, larger: str, accelerator: str) -> None:
    """Effects of single models do not turn the order of a family round."""
    assert seconds(64, accelerator, model=smaller) < seconds(64, accelerator, model=larger)


def test_a_compiler_keeps_results_on_the_chip() -> None:
    """Neuron's moves between layers what engines in 8 bits move, a GPU's stock library all that is written."""
    job = job_of(Query(Workload("inference", model="resnet50", precision="bf16")))
    assert job.profile is not None
    fit, plain = (
        job.coefficients.roofline,
        job.profile.written_elements * job.coefficients.traffic["cnn"].inference * BYTES["bf16"],
    )
    shares = []
    for name in ("Inferentia2", "A100-80GB"):
        on = machine(accelerator=name)
        terms = step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on))
        shares.append(terms.traffic[0] * on.bandwidth_gb_s[0] * GB * fit.memory_inference / plain)
    assert [pytest.approx(fit.fused_traffic), pytest.approx(1.0)] == shares


@pytest.mark.parametrize(("name", "share"), [("K80", 0.8), ("M60", 0.8), ("GTX-1080", 1.0), ("P100", 1.0), ("T4", 1.0)])
def test_bits_beside_the_data_take_bandwidth(name: str, share: float) -> None:
    """Error correction on GDDR takes a fifth (NVIDIA, CUDA C++ Best Practices Guide, 12.9), on HBM nothing."""
    job = job_of(Query(Workload("training", model="resnet50", precision="fp32")))
    assert job.profile is not None
    fit, traffic = job.coefficients.roofline, job.coefficients.traffic["cnn"].training
    written = job.profile.written_elements * traffic * BYTES["fp32"]
    on = machine(accelerator=name)
    terms = step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on))
    assert written / (fit.memory * share) == pytest.approx(terms.traffic[0] * on.bandwidth_gb_s[0] * GB)


def test_plain_units_execute_fewer_operations_of_three_by_three_windows() -> None:
    """36 multiplications become 16 (Lavin and Gray, arXiv 1509.09308); matrix units execute all."""
    executed = {}
    for precision in ("fp32", "fp16"):
        job = job_of(Query(Workload("inference", model="vgg16", precision=precision)))
        assert job.profile is not None
        on = machine(accelerator="V100-16GB")
        terms = step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on))
        direct = step_terms(
            job, replace(job.profile, transformed_share=0.0), on, fitted_arithmetic(job, job.profile, on)
        )
        executed[precision] = float(terms.compute[0] / direct.compute[0])
    assert executed == {"fp32": pytest.approx(16 / 36, abs=0.01), "fp16": 1.0}


@pytest.mark.parametrize("framework", ["keras", "pytorch", "jax"])
def test_stock_scripts_train_on_processors_in_fp32_unless_told_otherwise(framework: str) -> None:
    """Tiles of matrices are for those who ask for 16 bits, or build for the processor (docs.pytorch.org, amp)."""
    on = with_figures(machine(accelerator=None, vcpus=32), cpu_half_over_single=16)
    asks: tuple[dict[str, str], ...] = ({}, {"precision": "fp32"}, {"precision": "bf16"}, {"tuning": "tuned"})
    unasked, single, half, tuned = (
        hours(Workload("training", framework=framework, model="lstm", batch_size=64, epochs=1, **more), on)
        for more in asks
    )
    assert unasked == pytest.approx(single, rel=1e-6)
    assert 2 * max(half, tuned) < single


def test_a_tpu_trains_pytorchs_graphs_slower_than_jaxs() -> None:
    """RoBERTa base took TPU v3-8 15.53 h in JAX, and 23.77 h in PyTorch (huggingface/transformers, examples/flax)."""
    asked = {"model": "roberta-base", "sequence_length": 128, "accelerator": "TPU-v3"}
    jax, torch = (seconds(256, framework=name, **asked) for name in ("jax", "pytorch"))
    assert torch / jax == pytest.approx(23.77 / 15.53, rel=0.15)
    assert 256 / jax == pytest.approx(147e6 / (15.53 * 3600) / 4, rel=0.35)


def test_a_compiled_step_on_a_tpu_starts_no_kernels_one_by_one() -> None:
    """BERT base on MNLI in JAX, 8 sequences a step on each chip: 784 a second on four, with exchange and evaluation."""
    rate = 8 / seconds(8, "TPU-v3", model="bert-base", sequence_length=128, framework="jax")
    assert 784 / 4 <= rate <= 2 * 784 / 4


@pytest.mark.parametrize(("version", "lanes"), [("1.2", 0.5), ("1.15", 1.0)])
def test_early_builds_compute_with_vectors_of_avx2(version: str, lanes: float) -> None:
    """TensorFlow 1.4 and 1.5 failed where compiled with AVX-512 (easybuild-easyconfigs issue 5936, 2018-02-28)."""
    job = job_of(Query(Workload("training", model="resnet50", framework="tensorflow", framework_version=version)))
    assert job.profile is not None
    compute = {}
    for vector in ("avx2", "avx512f"):
        on = replace(machine(accelerator=None), vector=np.array([VECTOR_CLASSES.index(vector)], dtype=np.int32))
        compute[vector] = step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on)).compute[0]
    assert compute["avx2"] / compute["avx512f"] == pytest.approx(lanes)
