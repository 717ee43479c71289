"""Levels of the fitted effects: which names a step has, and what unknown ones contribute."""

from __future__ import annotations

from dataclasses import replace

import pytest
from calibration.problems.throughput import device_levels

from plimsoll_service.engine.effects import (
    CLASSES,
    Device,
    Effects,
    Work,
    match_of,
    microarchitecture_of,
    unit_of,
    work_levels,
)

WORK = Work("resnet50", "resnet", "cnn", "training", "pytorch", "stock", "cnn")
DEVICE = Device("A100-80GB", "Ampere")


def test_unknown_levels_contribute_nothing() -> None:
    """A level without a fitted effect leaves the formula as it is."""
    effects = Effects({"architecture resnet": 0.2})
    assert 0.2 == effects.total(work_levels(WORK, "half"))
    assert 0.0 == effects.total(work_levels(replace(WORK, architecture="unheard"), "half"))


def test_an_unknown_model_keeps_its_architecture() -> None:
    """A model without a name in the table has the levels of its architecture, family and software, none of its own."""
    known, unknown = (set(work_levels(replace(WORK, model=name), "half")) for name in ("resnet50", ""))
    assert unknown < known
    assert "architecture resnet" in unknown
    assert all("resnet50" in name for name in known - unknown)


def test_both_tunings_share_what_is_the_frameworks() -> None:
    """Tuned work has the framework's levels and what tuning differs by; stock work has none of the latter."""
    stock, tuned = (set(work_levels(replace(WORK, tuning=tuning), "half")) for tuning in ("stock", "tuned"))
    assert {"software pytorch", "software pytorch matrix training"} <= stock & tuned
    assert {"tuned pytorch", "tuned pytorch matrix training"} <= tuned - stock


@pytest.mark.parametrize(
    ("work", "shared"),
    [(WORK, True), (replace(WORK, model="sdxl", architecture="diffusion", family="diffusion"), False)],
)
def test_training_of_denoisers_tells_nothing_of_images_made(work: Work, shared: bool) -> None:
    """Training and inference share levels of a convolutional network, but none of a denoiser."""
    training, inference = (
        {*work_levels(one, "half"), *device_levels(one, "half", DEVICE)}
        for one in (work, replace(work, mode="inference"))
    )
    assert shared == any(work.model in name or work.architecture in name for name in training & inference)


def test_processors_have_no_device_levels() -> None:
    """Cores differ by their rates alone."""
    assert () == device_levels(WORK, "cpu", Device("", ""))


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("RTX-3080-Laptop", "laptop"),
        ("RTX-2080-Super-Max-Q", "laptop"),
        ("RTX-4090", "consumer matrix"),
        ("GTX-1080", "consumer matrix"),
        ("Titan-RTX", "consumer matrix"),
    ],
)
def test_cards_of_consumers_and_laptops_are_told_apart(name: str, level: str) -> None:
    """GeForce, Titan and mobile parts have levels of their own."""
    assert level in device_levels(WORK, "half", Device(name, "Ampere-GDDR"))


@pytest.mark.parametrize("name", ["A100-80GB", "RTX-A6000", "RTX-6000-Ada", "RTX-5000-Turing", "L4", "RTX-PRO-6000"])
def test_professional_cards_are_not_consumers(name: str) -> None:
    """Data-centre and workstation parts have no consumer level."""
    assert not any(level.startswith(("consumer", "laptop")) for level in device_levels(WORK, "half", Device(name, "x")))


def test_variants_of_a_chip_share_a_level() -> None:
    """Memory size and form factor do not make another chip."""
    variants = ("A100-40GB", "A100-80GB", "A100-40GB-PCIe", "A100-80GB-PCIe")
    shared = [set(device_levels(WORK, "half", Device(name, "Ampere"))) for name in variants]
    assert "chip A100 half" in set.intersection(*shared)


def test_gddr_parts_are_another_microarchitecture() -> None:
    """A generation's data-centre parts differ from its graphics cards; one without rows takes its predecessor's."""
    assert microarchitecture_of("Ampere", False) != microarchitecture_of("Ampere", True)
    assert "Hopper" == microarchitecture_of("Blackwell", False) == microarchitecture_of("Blackwell Ultra", False)
    assert "Hopper" != microarchitecture_of("Blackwell", True)


@pytest.mark.parametrize("change", ["model", "mode", "framework", "tuning"])
def test_a_match_is_of_just_this_work(change: str) -> None:
    """Another model, task, framework or tuning is another configuration."""
    assert match_of(WORK, "half", DEVICE) != match_of(replace(WORK, **{change: "other"}), "half", DEVICE)


def test_every_class_has_a_unit() -> None:
    """Every class has a unit: matrix units, plain ones, cores and compiled chips."""
    assert {"matrix", "plain", "cpu", "chip"} == {unit_of(name) for name in CLASSES}
