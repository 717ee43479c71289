"""Accelerators are found by their usual spellings."""

from __future__ import annotations

import pytest

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine import names
from plimsoll_service.engine.accelerator_names import spellings

ACCELERATORS = load().accelerators
SPELLINGS = spellings(ACCELERATORS)


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
