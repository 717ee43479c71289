"""Processors by the names that makers and operating systems give them."""

from __future__ import annotations

import pytest

from plimsoll_service.engine import names
from plimsoll_service.engine.processor_names import by_generation, find_processor

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
