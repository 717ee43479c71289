"""Devices without measurements: a cautious share of their peak, and ranges that are never narrower."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.service.engine.catalogs import Box, ask, bundled_market, made_up
from tests.service.engine.estimate.machines import machine, scored
from tests.service.fitted import FITTED

from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.spreads import UNSTUDIED, UNSTUDIED_QUARTILE
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Query, Workload

RESNET = Workload("training", model="resnet-50", epochs=1)
VIT = Workload("training", model="vit-b-16", epochs=1, dataset=Dataset(samples=1.3e6, format="memory"))
LLAMA = Workload("training", model="llama-3-8b", method="full", tokens=1e9)
VIT_SERVED = Workload("inference", model="vit-b-16")
SECONDS_OF_SEGMENT = 30  # of audio, which Whisper takes at a time


def test_the_share_is_that_of_the_lower_quartile() -> None:
    """The share is that of devices that run the usual programs; chips with their own compiler have another one."""
    catalog, machines = bundled_market().catalog, bundled_market().machines
    every = machines.changed(basis=machines.basis * 0 + UNSTUDIED)
    share = dict(zip(catalog.instance_types.name, every.unmeasured_share().tolist(), strict=True))

    assert UNSTUDIED_QUARTILE == pytest.approx(0.571, abs=1e-3)
    assert UNSTUDIED_QUARTILE == share["Standard_ND96isr_MI300X_v5"]
    assert 1.0 == share["trn1.32xlarge"] == share["m7i.large"]
    assert {1.0} == set(machines.unmeasured_share().tolist())


@pytest.mark.parametrize("workload", [VIT, LLAMA, VIT_SERVED])
def test_an_unmeasured_device_is_slower_than_its_datasheet_suggests(
    workload: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step takes 1/0.57 of the time; what else the run takes is unchanged."""
    query = Query(workload, Constraints(instance_types=("Standard_ND96isr_MI300X_v5",), max_nodes=1))
    cautious = ask(query, bundled_market()).recommendations[0].estimate.throughput.value
    monkeypatch.setattr(Machines, "unmeasured_share", lambda machines: machines.vcpus * 0 + 1)
    hopeful = ask(query, bundled_market()).recommendations[0].estimate.throughput.value

    assert cautious < 0.8 * hopeful


@pytest.mark.parametrize("name", sorted(FITTED.spreads.of_kind))
def test_a_modelled_range_is_never_narrower_than_a_measured_one(name: str) -> None:
    """Of the same kind of estimate: less evidence, a range at least as wide."""
    ends = FITTED.spreads.of(name)
    assert all(far.low <= near.low and far.high >= near.high for near, far in pairwise(ends))


def test_one_machine_that_was_measured_vouches_for_no_fleet() -> None:
    """A measurement on one machine makes several machines at most calibrated."""
    query = Query(
        replace(RESNET, epochs=90), Constraints(instance_types=("p4d.24xlarge",)), "time", limit=10, group="none"
    )
    basis = {one.node_count: one.estimate.basis for one in ask(query, bundled_market()).recommendations}

    assert "measured" == basis[1]
    assert {"calibrated"} == {basis[nodes] for nodes in basis if nodes > 1}


@pytest.mark.parametrize(
    ("model", "accelerator", "share"),
    [("vit-b-16", "Trainium2", 0.448), ("vit-b-16", "TPU-v6e", 0.448), ("bert-base", "Trainium1", 1.0)],
)
def test_a_compiled_chip_serves_at_the_share_that_it_trained_with(model: str, accelerator: str, share: float) -> None:
    """The share of the one chip that was measured in training, unless rows show such a network on that chip."""
    job = Workload("inference", model=model, framework="neuron", batch_size=64)
    chip = scored(job, machine(accelerator=accelerator)).machines
    unmeasured = chip.basis == UNSTUDIED

    assert share == (FITTED.roofline.unmeasured_chip if unmeasured.all() else 1.0)


def test_rows_of_one_network_vouch_for_no_other_on_a_compiled_chip() -> None:
    """BERT was measured on Trainium, and ResNet on Inferentia2, which has its cores; others have the widest range."""
    basis = {
        model: scored(Workload("inference", model=model, framework="neuron"), machine(accelerator="Trainium1")).machines
        for model in ("bert-base", "resnet50", "whisper-small", "densenet121", "sdxl")
    }

    assert {"whisper-small", "densenet121", "sdxl"} == {
        name for name, machines in basis.items() if machines.basis[0] == UNSTUDIED
    }


def served(model: str, accelerator: str, batch: int | None = None) -> float:
    """Samples per second of one device."""
    workload = Workload("inference", model=model, framework="neuron", batch_size=batch)
    return float(scored(workload, machine(accelerator=accelerator)).outcome.throughput[0])


def test_whisper_on_a_compiled_chip_is_no_wonder() -> None:
    """An Inferentia2 chip transcribes well under 250 times as fast as people speak."""
    assert served("whisper-large-v3", "Inferentia2") * SECONDS_OF_SEGMENT < 200


def test_an_encoder_on_an_unmeasured_tpu_is_neither_slow_nor_a_wonder() -> None:
    """A TPU v6e reaches between a tenth and a quarter of its peak: XLA fuses what stands between the products."""
    encoder = CustomModel(family="encoder", parameters=1e9, forward_flops_per_sample=5.2e11)
    workload = Workload("inference", model=encoder, framework="jax", batch_size=64)
    rate = float(scored(workload, machine(accelerator="TPU-v6e")).outcome.throughput[0])

    assert 0.1 < rate * 5.2e11 / 918e12 < 0.25


def test_speech_is_synthesised_frame_by_frame_everywhere() -> None:
    """Tacotron 2 writes 566 frames, each after the one before: a compiled chip starts a graph for each."""
    assert 0.3 < 1 / served("tacotron2", "Inferentia2", batch=1) < 3


@pytest.mark.parametrize(("accelerator", "text"), [("Inferentia2", "AWS Neuron"), ("TPU-v5e", "XLA"), ("L4", "")])
def test_compiling_is_warned_of(accelerator: str, text: str) -> None:
    """Chips with a compiler of their own run fixed shapes, each compiled beforehand."""
    asked = Query(Workload("inference", model="bert-base"), Constraints(allow_porting=True))
    [one] = ask(asked, made_up(Box(accelerator=accelerator))).recommendations
    found = [note.text for note in one.warnings if note.rule == "compiled-shapes"]

    assert bool(text) == bool(found)
    assert not text or found[0].startswith(f"{text} compiles the model for fixed shapes")
