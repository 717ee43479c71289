"""Accelerators and processors are found by the names that makers, drivers and operating systems give them."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine import names
from plimsoll_service.engine.hardware import PEAKS
from plimsoll_service.engine.hardware_names import accelerator_spellings, by_generation, find_processor
from plimsoll_service.evidence import coefficients

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
    """Names that makers, drivers and providers use for a device find it."""
    assert name == names.find(spelled, SPELLINGS)


AS_TYPED = {
    "3060": "RTX-3060", "RTX 3060 12GB": "RTX-3060", "rtx3060ti": "RTX-3060-Ti", "3070": "RTX-3070",
    "GeForce RTX 3080 Ti": "RTX-3080-Ti", "RTX 3080 12GB": "RTX-3080-12GB", "3090": "RTX-3090",
    "3090 Ti": "RTX-3090-Ti",
    "RTX 4060": "RTX-4060", "4060 Ti": "RTX-4060-Ti-8GB", "RTX 4060 Ti 16GB": "RTX-4060-Ti-16GB", "4070": "RTX-4070",
    "RTX 4070 Super": "RTX-4070-Super", "NVIDIA GeForce RTX 4070 Ti SUPER": "RTX-4070-Ti-Super", "rtx 4080": "RTX-4080",
    "4080 super": "RTX-4080-Super", "4090": "RTX-4090", "RTX 5060 Ti 16GB": "RTX-5060-Ti-16GB", "5070": "RTX-5070",
    "RTX 5070 Ti": "RTX-5070-Ti", "5080": "RTX-5080", "RTX5090": "RTX-5090", "RTX A2000 12GB": "RTX-A2000-12GB",
    "A4000": "RTX-A4000", "RTX A6000": "RTX-A6000", "RTX 4000 Ada": "RTX-4000-Ada",
    "RTX 5000 Ada Generation": "RTX-5000-Ada", "RTX 6000 Ada": "RTX-6000-Ada",
    "NVIDIA RTX PRO 4000 Blackwell": "RTX-PRO-4000", "RTX PRO 5000": "RTX-PRO-5000",
    "RTX PRO 6000 Blackwell Workstation Edition": "RTX-PRO-6000-Workstation", "GTX 1080 Ti": "GTX-1080-Ti",
    "1080ti": "GTX-1080-Ti", "Tesla P40": "P40", "P4": "P4", "Tesla M40": "M40", "Titan RTX": "Titan-RTX",
    "TITAN V": "Titan-V", "2080 Ti": "RTX-2080-Ti", "Quadro RTX 8000": "RTX-8000-Turing",
    "Jetson AGX Orin 64GB": "Jetson-AGX-Orin-64GB", "Jetson Orin Nano": "Jetson-Orin-Nano-8GB",
    "Orin Nano 8GB": "Jetson-Orin-Nano-8GB", "Jetson Orin Nano Super": "Jetson-Orin-Nano-Super",
    "Radeon RX 7900 XTX": "RX-7900-XTX", "7900 XTX": "RX-7900-XTX", "RX 9070 XT": "RX-9070-XT",
    "AMD Radeon PRO W7900": "W7900", "Ryzen AI Max+ 395": "Ryzen-AI-Max-395", "Intel Arc B580": "Arc-B580",
    "Arc A770": "Arc-A770", "DGX Spark": "GB10", "M1": "Apple-M1", "Apple M2 Ultra": "Apple-M2-Ultra",
    "MacBook Pro M3 Max": "Apple-M3-Max", "M4 Max 64GB": "Apple-M4-Max", "M3 Ultra 512GB": "Apple-M3-Ultra",
    "Mac mini M4": "Apple-M4", "M5 Pro": "Apple-M5-Pro",
}  # fmt: skip


@pytest.mark.parametrize(("spelled", "name"), AS_TYPED.items())
def test_cards_of_desktops_and_workstations_are_found_as_people_type_them(spelled: str, name: str) -> None:
    """A series' number alone is enough, with or without its maker, its series and its memory."""
    assert name == names.find(spelled, SPELLINGS)


def test_every_generation_of_a_device_has_words_on_the_usual_software() -> None:
    """For each generation of graphics processors some row says whether PyTorch and llama.cpp run there."""
    makers = ("NVIDIA", "AMD", "Intel", "Apple")
    devices = zip(ACCELERATORS.name, ACCELERATORS.generation, ACCELERATORS.vendor, strict=True)
    support = coefficients.load().support
    silent = [
        (name, program)
        for name, generation, vendor in devices
        for program in ("pytorch", "llama.cpp")
        if vendor in makers and not any({name, generation, vendor} & set(row.on) for row in support.about(program, ""))
    ]
    assert [] == silent


def test_every_device_has_what_an_estimate_needs() -> None:
    """No figure that a person's own card is estimated by is unknown, but where no maker states a rate."""
    graphics = [vendor in ("NVIDIA", "AMD", "Intel", "Apple") for vendor in ACCELERATORS.vendor]
    known = np.isfinite(ACCELERATORS.peak_tflops[:, PEAKS.index("fp32")])
    without = [name for name, rated, one in zip(ACCELERATORS.name, known, graphics, strict=True) if one and not rated]
    assert ["MI308X"] == without
    assert np.isfinite(ACCELERATORS.memory_bandwidth_gb_s).all()
    assert np.isfinite(ACCELERATORS.memory_gib).all()


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
    """An operating system's name for a known processor finds that processor."""
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
