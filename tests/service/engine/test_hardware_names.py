"""Accelerators and processors are found by the names that makers, drivers and operating systems give them."""

from __future__ import annotations

import pytest

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine import names
from plimsoll_service.engine.hardware_names import accelerator_spellings, by_generation, find_processor

ACCELERATORS = load().accelerators
SPELLINGS = accelerator_spellings(ACCELERATORS)
KNOWN = names.index(
    (name, ())
    for name in (
        "AMD EPYC 7763",
        "Intel Xeon Platinum 8269CY",
        "Intel x86_64, generic",
        "Haswell",
        "Cascade Lake",
        "Ice Lake",
        "Sapphire Rapids",
        "Granite Rapids",
        "Zen 2",
        "Zen 4",
        "Zen 5",
    )
)


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("NVIDIA H100-SXM-80GB", "H100-SXM"),
        ("NVIDIA H100-NVL-94GB", "H100-NVL"),
        ("A100-SXM-40GB", "A100-40GB"),
        ("nvidia-tesla-t4", "T4"),
        ("NVIDIA GeForce RTX 3090", "RTX-3090"),
        ("RTX 4090 24GB", "RTX-4090"),
        ("AMD Instinct MI300X", "MI300X"),
        ("Intel Gaudi2", "Gaudi2"),
        ("Trn1", "Trainium1"),
        ("L40S 48GB", "L40S"),
    ],
)
def test_makers_words_forms_and_memory_are_understood(spelled: str, name: str) -> None:
    """What a maker, a driver or a provider calls a device finds it."""
    assert name == names.find(spelled, SPELLINGS)


def test_a_listed_name_is_never_taken_by_a_derived_one() -> None:
    """Every name and alias of the catalog means what the catalog says."""
    listed = names.index(zip(ACCELERATORS.name, ACCELERATORS.aliases, strict=True))
    assert listed == {key: SPELLINGS[key] for key in listed}


def test_an_unknown_device_stays_unknown() -> None:
    """No guess is made from a part of a name."""
    assert names.find("RTX 9999", SPELLINGS) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763"),
        ("Intel(R) Xeon(R) Platinum 8269CY CPU T 3.10GHz", "Intel Xeon Platinum 8269CY"),
        ("intel xeon platinum 8269cy @ 2.50GHz", "Intel Xeon Platinum 8269CY"),
    ],
)
def test_marks_clock_and_core_count_tell_nothing_apart(name: str, expected: str) -> None:
    """What an operating system prints of a known processor is that processor."""
    assert expected == find_processor(name, KNOWN)
    assert not by_generation(name, KNOWN)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Intel Xeon E5-2670 v3", "Haswell"),
        ("Intel Xeon Gold 6248R", "Cascade Lake"),
        ("Intel Xeon Platinum 8380", "Ice Lake"),
        ("Intel Xeon Platinum 8480+", "Sapphire Rapids"),
        ("Intel Xeon 6980P", "Granite Rapids"),
        ("AMD EPYC 7742", "Zen 2"),
        ("AMD EPYC 9654", "Zen 4"),
        ("AMD EPYC 9755", "Zen 5"),
        ("Intel Xeon", "Intel x86_64, generic"),
    ],
)
def test_an_unrented_processor_is_known_by_its_generation(name: str, expected: str) -> None:
    """The number says which microarchitecture it is."""
    assert expected == find_processor(name, KNOWN)
    assert by_generation(name, KNOWN)


@pytest.mark.parametrize("name", ["banana", "", "Pentium"])
def test_what_names_no_processor_is_not_guessed(name: str) -> None:
    """An unknown word stays unknown."""
    assert find_processor(name, KNOWN) is None
