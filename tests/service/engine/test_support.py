"""The table of support of software on hardware."""

from __future__ import annotations

import re

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine import support
from plimsoll_service.engine.choice.software import status_on
from plimsoll_service.evidence import coefficients
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import measurements
from plimsoll_service.evidence.statements import frameworks

TABLE = coefficients.load().support
STATEMENTS = TABLE.statements
DATED = re.compile(r"20\d\d|undated|S\d-\d\d|arXiv 1404")
UNNAMED = "other"  # of rows whose source names no software
PARTS = {
    "bitsandbytes",
    "transformer-engine",
    "packed-weights",
    "nxd-inference",
    "neuron-network",
    "4-bit-network",
    "sglang-fp8-experts",
    "bf16-model",
    "training",
    "preprocessing",
    "hpc",
}


@pytest.mark.parametrize("row", STATEMENTS, ids=lambda row: f"{row.program} {row.feature} {row.on[0]}")
def test_every_row_has_a_source_and_a_date(row: support.Support) -> None:
    """A statement says who made it and when, and an old release is never the way out of a refusal."""
    assert DATED.search(row.source)
    assert row.needs or row.until or row.status != support.PORTED


def test_hardware_is_named_as_in_the_catalog() -> None:
    """Each word of a row is a device, a generation or a maker of the catalog, or a class of processors."""
    accelerators = bundled_market().catalog.accelerators
    known = {*accelerators.name, *accelerators.generation, *accelerators.vendor}
    known |= {support.PROCESSOR, support.X86, support.ARM, support.AMD_PROCESSOR}
    known |= {support.AMX, support.AVX512, support.AVX2}

    assert [] == [(row.program, word) for row in STATEMENTS for word in row.on if word not in known]


def test_groups_of_models_are_known() -> None:
    """No name of a group, which has spaces, is left among the beginnings of models' names."""
    assert [] == [(row.program, name) for row in STATEMENTS for name in row.models if " " in name]


def test_every_program_is_one_that_a_request_can_name() -> None:
    """The programs of the table are frameworks or their other names, or what a method or a kind of work needs."""
    named = {row.program for row in STATEMENTS} | {program.name for program in TABLE.programs}
    assert [] == [name for name in sorted(named - PARTS) if frameworks().find(name) is None]


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("Unsloth 2025.8", ("unsloth", "pytorch")),
        ("peft", ("peft", "pytorch")),
        ("NeMo", ("nemo", "pytorch")),
        ("megatron-core", ("megatron", "pytorch")),
        ("Megatron-Bridge", ("nemo", "pytorch")),
        ("maxtext", ("maxtext",)),
        ("flax", ("jax",)),
        ("tf.keras", ("keras", "tensorflow")),
        ("pytorch-xla", ("torch-xla",)),
    ],
)
def test_programs_of_one_framework_are_told_apart(spelled: str, expected: tuple[str, ...]) -> None:
    """The name in the request decides whose support counts; a program also needs what it is based on."""
    framework = frameworks().find(spelled)
    assert framework is not None
    assert expected == TABLE.chain_of(TABLE.program_of(frameworks().spelling(spelled), framework.name))


def test_what_was_measured_somewhere_is_not_untested_there() -> None:
    """A program with a row of the evidence on a device runs on that generation. Rule: unproven."""
    accelerators = bundled_market().catalog.accelerators
    found = set()
    for row in measurements():
        if row.framework == UNNAMED or row.accelerator not in accelerators.name:
            continue
        device = accelerators.name.index(row.accelerator)
        for program in programs_of(row):
            if status_on(program, row.task, accelerators, device, TABLE, row.model) == support.UNTESTED:
                found.add((program, accelerators.generation[device], row.id))
    assert set() == found


def programs_of(row: Measurement) -> set[str]:
    """The program of a row, and those that its version names, as a container of NeMo."""
    words = {word.casefold() for word in re.split(r"[ ,()]+", row.framework_version or "")}
    named = {program.name for program in TABLE.programs if program.title.casefold() in words}
    return named | {TABLE.program_of(frameworks().spelling(row.framework), row.framework)}
