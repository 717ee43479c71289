"""The basis of an estimate: a measurement of exactly this work, a fit of similar work, or the formula alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.service.engine.catalogs import Box, ask, bundled, catalog_of, made_up
from tests.service.engine.estimate.machines import machine, scored
from tests.service.fitted import FITTED, job_of

from plimsoll_service.engine.estimate.ranges import basis
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.spreads import ALIKE, CALIBRATED, MEASURED, MODELLED, UNSTUDIED
from plimsoll_service.engine.workload import CustomModel, Query, Workload


def basis_of(workload: Workload, **facts: object) -> int:
    """The basis on one made-up machine."""
    return int(basis(job_of(Query(workload)), machines_of(catalog_of(Box(**facts))))[0])


def test_a_measured_configuration_is_measured() -> None:
    """ResNet-50 in mixed precision on V100 was measured with plain PyTorch."""
    assert MEASURED == basis_of(Workload("training", model="resnet50", framework="pytorch"), accelerator="V100-16GB")


def test_another_model_of_the_same_build_is_calibrated() -> None:
    """RoBERTa has no row, but BERT has, and so has Ampere."""
    assert ALIKE == basis_of(Workload("training", model="roberta-base", framework="pytorch"), accelerator="V100-16GB")


def test_packed_weights_on_data_centre_blackwell_are_modelled() -> None:
    """Its rows are of other formats, and Marlin does not use its instructions; on Hopper it was measured."""
    served = Workload("inference", model="qwen2.5-72b", framework="vllm", precision="int4", quantization="awq")
    wide = Workload("inference", model="qwen2.5-72b", framework="vllm", precision="fp8")

    assert MODELLED == basis_of(served, accelerator="B200")
    assert ALIKE == basis_of(served, accelerator="H100-SXM")
    assert ALIKE == basis_of(wide, accelerator="B200")


def test_another_tuning_is_not_measured() -> None:
    """The same network with a vendor's scripts is another measurement."""
    stock, tuned = (
        basis_of(Workload("training", model="vgg16", framework="pytorch", tuning=tuning), accelerator="V100-16GB")
        for tuning in ("stock", "tuned")
    )

    assert stock <= tuned


def test_a_users_own_model_is_never_measured() -> None:
    """Equal figures do not make it the measured network."""
    own = CustomModel(family="cnn", parameters=25.6e6, forward_flops_per_sample=8.2e9)

    assert MEASURED < basis_of(Workload("training", model=own, framework="pytorch"), accelerator="V100-16GB")


@pytest.mark.parametrize(
    "workload", [Workload("preprocessing"), Workload("hpc"), Workload("inference", model="xgboost")]
)
def test_work_without_any_row_has_the_range_of_the_unstudied(workload: Workload) -> None:
    """Work without any measurement is called modelled, and has the widest range."""
    assert UNSTUDIED == basis_of(workload)


def test_a_maker_without_a_row_is_unstudied() -> None:
    """No laboratory published sample-counted training on Qualcomm's or Huawei's chips."""
    assert UNSTUDIED == basis_of(Workload("training", model="resnet50"), accelerator="Qualcomm-AI100")


@pytest.mark.parametrize(
    ("model", "method", "expected"), [("llama-3.2-3b", "full", UNSTUDIED), ("llama-3-70b", "qlora", MODELLED)]
)
def test_weights_that_are_all_trained_over_pcie_are_unstudied(model: str, method: str, expected: int) -> None:
    """Spread weights and their gradients cross the bus for each pass, through the host where cards have no direct way.

    NVIDIA/nccl issue 1127 (2023-12-26): devices of an 8 x RTX 3090 server cannot reach each other's memory.
    """
    job = Workload("training", model=model, method=method, tokens=1e8)

    assert expected == basis_of(job, accelerator="RTX-3090", count=4)


@pytest.mark.parametrize(
    ("model", "method", "accelerator", "expected"),
    [
        ("bert-large", "lora", "A100-80GB", MODELLED),
        ("sdxl", "lora", "RTX-3090", MEASURED),
        ("sdxl", "lora", "RTX-3080", CALIBRATED),
        ("sdxl", "lora", "H100-SXM", MODELLED),
        ("sdxl", "full", "RTX-3090", MODELLED),
    ],
)
def test_adapters_of_networks_are_known_where_they_were_trained(
    model: str, method: str, accelerator: str, expected: int
) -> None:
    """Rows of whole networks say little of adapters, which leave out a part, nor do those of adapters of them."""
    job = Workload("training", model=model, framework="pytorch", method=method, precision="bf16")

    assert expected == basis_of(job, accelerator=accelerator)


def test_adapters_of_language_models_are_modelled_on_devices_without_a_row_of_the_method() -> None:
    """Nobody published QLoRA on Hopper; on Ampere two laboratories did."""
    job = Workload("training", model="llama-2-7b", framework="pytorch", method="qlora", tokens=1e9)

    assert MODELLED == basis_of(job, accelerator="H100-SXM")
    assert MODELLED > basis_of(job, accelerator="A100-80GB")


def test_a_text_encoder_is_measured_at_the_lengths_of_its_rows() -> None:
    """BERT in PyTorch as it comes was trained on 128 tokens on a Titan RTX, and in NVIDIA's script on 384."""
    job = Workload("training", model="bert-base", framework="pytorch", sequence_length=128, precision="mixed")

    assert MEASURED == basis_of(job, accelerator="Titan-RTX")
    assert MEASURED < basis_of(replace(job, sequence_length=512), accelerator="Titan-RTX")
    assert MEASURED < basis_of(job, accelerator="A100-80GB")


def test_language_model_training_before_ampere_is_unstudied() -> None:
    """Language-model training before Ampere has no measurement, no bf16 and no fused attention."""
    job = Workload("training", model="llama-3-8b", tokens=1e9)

    assert UNSTUDIED == basis_of(job, accelerator="V100-16GB")
    assert MODELLED >= basis_of(job, accelerator="A100-40GB")


@pytest.mark.parametrize(
    ("framework", "accelerator", "expected"),
    [
        ("vllm", "T4", MODELLED),
        ("vllm", "V100-16GB", MODELLED),
        ("llama.cpp", "T4", CALIBRATED),
        ("vllm", "A10G", ALIKE),
        ("vllm", "RTX-A4000", ALIKE),
    ],
)
def test_serving_before_ampere_is_known_from_the_engines_that_ran_there(
    framework: str, accelerator: str, expected: int
) -> None:
    """Runs of llama.cpp on a T4 say nothing of vLLM, which has no bf16 and no fused attention there."""
    job = Workload("inference", model="llama-7b", framework=framework, precision="fp16", concurrency=4)

    assert expected == basis_of(job, accelerator=accelerator)


@pytest.mark.parametrize(
    ("framework", "accelerator", "expected"),
    [("jax", "TPU-v6e", ALIKE), ("pytorch", "TPU-v6e", MODELLED), ("pytorch", "Trainium1", MODELLED)],
)
def test_rows_of_other_software_do_not_vouch_for_a_chip(framework: str, accelerator: str, expected: int) -> None:
    """JAX was measured on TPU and Neuron on Trainium; what PyTorch does there follows from the formula alone."""
    job = Workload("training", model="llama-3-8b", framework=framework, tuning="tuned", tokens=1e9)
    found = basis_of(job, accelerator=accelerator)

    assert found <= expected if expected == ALIKE else found == expected


def test_every_machine_has_a_basis_and_less_evidence_is_no_narrower() -> None:
    """Over the whole catalog the range of throughput widens with the basis."""
    machines = machines_of(bundled())
    found = scored(Workload("training", model="roberta-base"), machines)
    width = found.outcome.capacity_high[:] / found.outcome.capacity_low[:]
    alone = found.machines.has_accelerator() & (found.outcome.capacity > 0) & (found.outcome.devices_used[:] == 1)
    widths = [width[alone & (found.machines.basis == code)] for code in (ALIKE, MODELLED, UNSTUDIED)]
    edges = [(float(each.min()), float(each.max())) for each in widths if len(each)]

    assert len(edges) >= 2
    assert all(narrow[1] <= wide[0] * 1.0001 for narrow, wide in pairwise(edges))


def test_the_answer_cites_what_its_basis_means() -> None:
    """Each recommendation names the rule of its basis."""
    answer = ask(Query(Workload("training", model="resnet50")), made_up(Box()))
    one = answer.recommendations[0]

    assert f"basis-{one.estimate.basis}" in {note.rule for note in one.reasons}


def test_a_described_learner_is_modelled_whatever_it_is_called() -> None:
    """Measurements of a learner say nothing of another that somebody calls by its name."""
    described = Workload("training", model=CustomModel(family="tree", name="xgboost"))
    assert UNSTUDIED == basis_of(described, accelerator=None, count=0)


@pytest.mark.parametrize(
    ("asked", "accelerator", "expected"),
    [
        ({"model": "llama-3.1-70b", "precision": "fp8", "tuning": "tuned"}, "MI300X", MEASURED),
        ({"model": "llama-3.1-70b"}, "MI300X", CALIBRATED),
        ({"model": "qwen2.5-7b"}, "MI300X", ALIKE),
        ({"model": "deepseek-r1", "precision": "fp8"}, "MI300X", UNSTUDIED),
        ({"model": "deepseek-r1", "precision": "fp8", "framework_version": "0.7.3"}, "MI300X", MEASURED),
        ({"model": "deepseek-r1", "precision": "fp8", "framework_version": "0.7.3"}, "H200", MEASURED),
        ({"model": "deepseek-r1", "precision": "fp8", "framework_version": "0.20"}, "MI300X", UNSTUDIED),
    ],
)
def test_rows_that_check_an_estimate_count(asked: dict[str, str], accelerator: str, expected: int) -> None:
    """Rows that no fit took make an estimate measured, where it is right; of early releases, for those alone."""
    assert expected == basis_of(Workload("inference", framework="vllm", **asked), accelerator=accelerator)


def test_a_measured_range_holds_what_was_measured() -> None:
    """Llama 3.1 405B reached two thirds of the formula's figure at the least of ten runs, whose middle is estimated."""
    job = Workload("inference", model="llama-3.1-405b", framework="vllm", tuning="tuned", precision="fp8")
    one = scored(job, machine(accelerator="MI300X", count=8, memory_gib=2000)).outcome
    [check] = FITTED.checks["llama-3.1-405b 8-bit vllm tuned"].values()

    formula = float(one.throughput[0]) / check.middle
    assert float(one.throughput_low[:][0]) <= check.low * formula
    assert float(one.throughput_high[:][0]) >= check.high * formula


@pytest.mark.parametrize(("model", "expected"), [("resnet50", CALIBRATED), ("sdxl", UNSTUDIED), ("t5-base", UNSTUDIED)])
def test_rows_of_convolutions_say_nothing_of_a_decoder_on_processors(model: str, expected: int) -> None:
    """No recurrent, speech or diffusion network was measured there."""
    job = Workload("inference", model=model, framework="pytorch")

    assert expected == basis_of(job, accelerator=None, processor="Intel Xeon Platinum 8259CL")


@pytest.mark.parametrize(("framework", "expected"), [("faster-whisper", MODELLED), ("onnxruntime", UNSTUDIED)])
def test_published_runs_of_whisper_on_a_processor_count_where_they_ran(framework: str, expected: int) -> None:
    """No fit takes them, but the time on processors follows them; of other software there is none."""
    job = Workload("inference", model="whisper-small", framework=framework)

    assert expected == basis_of(job, accelerator=None, processor="Intel Xeon Platinum 8259CL")


def test_every_framework_runs_on_neurons_chips_through_neuron() -> None:
    """Measurements with Neuron also hold for PyTorch, which Neuron compiles on these chips."""
    assert UNSTUDIED > basis_of(Workload("inference", model="resnet50"), accelerator="Inferentia")
    assert UNSTUDIED == basis_of(Workload("inference", model="sdxl"), accelerator="Inferentia")


def test_chips_with_the_very_same_cores_share_their_measurements() -> None:
    """Inferentia2 has Trainium1's cores, memory and rates: ALBERT was measured on neither, BERT on both."""
    bert = Workload("inference", model="albert-base", framework="neuron", batch_size=8)
    one, other = (
        float(scored(bert, machine(accelerator=name)).outcome.throughput[0]) for name in ("Inferentia2", "Trainium1")
    )

    assert basis_of(bert, accelerator="Trainium1") == basis_of(bert, accelerator="Inferentia2")
    assert one == pytest.approx(other, rel=0.25)
