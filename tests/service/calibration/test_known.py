"""What the measurements cover, as the engine reads it."""

from __future__ import annotations

import json

from tests.service.calibration.rows import row
from tests.service.engine.catalogs import bundled

from plimsoll_service.calibration.known import known_document, known_of
from plimsoll_service.calibration.writing import text_of
from plimsoll_service.engine.known import Known
from plimsoll_service.evidence import coefficients


def known(*rows: object) -> dict[str, Known]:
    """What those rows cover."""
    return known_of(rows, bundled().accelerators, bundled().processors)


def test_a_row_makes_its_architecture_software_generation_and_cell_known() -> None:
    """All in the words that a job is compared with."""
    found = known(row())["sample_training"]

    assert ({"resnet"}, {"pytorch stock"}, {"Volta"}) == (found.architectures, found.software, found.generations)
    assert {"resnet50 16-bit pytorch stock": "V100-16GB"} == found.cells


def test_doubtful_rows_and_memory_are_no_evidence_of_speed() -> None:
    """Only undoubted rates count."""
    assert {} == known(row(doubt="lost digits"), row(metric="peak_memory_gib"))


def test_processors_are_known_by_their_vector_class() -> None:
    """A processor's rows are of their own kind of work."""
    found = known(row(task="inference", accelerator=None, cpu="Skylake"))["cpu_inference"]

    assert {"avx512f"} == found.vectors
    assert {} == found.cells


def test_the_file_reads_back_as_it_was() -> None:
    """Its content and the object agree, in a fixed order."""
    found = known(row(), row(accelerator="A100-40GB"), row(task="inference", model="llama-3-8b", framework="vllm"))
    text = text_of(known_document("What was seen.", found))
    turned = known(row(task="inference", model="llama-3-8b", framework="vllm"), row(accelerator="A100-40GB"), row())

    assert found == {work: coefficients.known_of(words) for work, words in json.loads(text)["known"].items()}
    assert text == text_of(known_document("What was seen.", turned))
