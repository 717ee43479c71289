"""Coverage of the measurements, as the engine reads it."""

from __future__ import annotations

import json

from calibration.files import text_of
from calibration.seen import known_document, known_of, measured_document
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled
from tests.service.fitted import FITTED

from plimsoll_service.engine.known import Known
from plimsoll_service.engine.measured import Measured, Point, parsed
from plimsoll_service.evidence import coefficients, published
from plimsoll_service.evidence.measurement import Measurement


def known(*rows: object) -> dict[str, Known]:
    """Coverage of those rows."""
    return known_of(rows, bundled().accelerators, bundled().processors)


def test_a_row_makes_its_architecture_software_generation_and_cell_known() -> None:
    """A row is known by the words that a job is compared with."""
    found = known(row())["sample_training"]

    assert ({"resnet"}, {"pytorch stock"}, {"Volta"}) == (found.architectures, found.software, found.generations)
    assert {"resnet50 16-bit pytorch stock": "V100-16GB"} == found.cells
    assert {"pytorch on Volta: resnet"} == found.stacks


def test_doubtful_rows_and_memory_are_no_evidence_of_speed() -> None:
    """Only undoubted rates count as evidence of speed."""
    assert {} == known(row(doubt="lost digits"), row(metric="peak_memory_gib"))


def test_processors_are_known_by_their_vector_class() -> None:
    """A processor's rows belong to their own kind of work."""
    found = known(row(task="inference", accelerator=None, cpu="Skylake"))["cpu_inference"]

    assert {"avx512f"} == found.vectors
    assert {} == found.cells


def test_the_file_reads_back_as_it_was() -> None:
    """The file's content and the object agree, in a fixed order."""
    found = known(row(), row(accelerator="A100-40GB"), row(task="inference", model="llama-3-8b", framework="vllm"))
    text = text_of(known_document("What was seen.", found))
    turned = known(row(task="inference", model="llama-3-8b", framework="vllm"), row(accelerator="A100-40GB"), row())

    assert found == {work: coefficients.known_of(words) for work, words in json.loads(text)["known"].items()}
    assert text == text_of(known_document("What was seen.", turned))


CELL = "resnet50 training pytorch stock - 224 -"


def written(*rows: Measurement) -> Measured:
    """Points in the file."""
    return parsed(measured_document(rows)["rates"])


def test_a_row_is_a_point() -> None:
    """A point has precision, device, count and batch, and the version as its year."""
    found = written(row(batch_size=64, framework_version="1.8"))

    assert {CELL: {"V100-16GB": (Point("mixed", "V100-16GB", 1, 64, 2021.2, 800.0),)}} == found


def test_a_date_is_no_version() -> None:
    """A point of unknown software keeps its rate whatever version is asked for."""
    found = written(row(framework_version=None, date="2021-08"), row(framework_version="cuDNN 8.0", date="2017"))

    assert [None] == [point.year for point in found[CELL]["V100-16GB"]]


def test_several_runs_of_the_same_are_their_median() -> None:
    """Several equal runs are their median, so an outlier does not count."""
    found = written(*(row(value=value) for value in (700.0, 800.0, 8000.0)))

    assert [800.0] == [point.rate for point in found[CELL]["V100-16GB"]]


def test_devices_infer_side_by_side() -> None:
    """Eight devices infer eight times as fast as one; in training they are a count of their own."""
    inference = written(row(task="inference", device_count=8))
    training = written(row(device_count=8))

    assert [(1, 100.0)] == [(point.devices, point.rate) for one in inference.values() for point in one["V100-16GB"]]
    assert [(8, 800.0)] == [(point.devices, point.rate) for point in training[CELL]["V100-16GB"]]


def test_what_is_no_sound_speed_of_one_machine_is_left_out() -> None:
    """Doubts, processors, several machines, memory, latency targets and tokens make no point."""
    others = [
        row(doubt="odd"), row(accelerator=None, cpu="Intel Xeon Gold 6226R"), row(node_count=2, device_count=2),
        row(metric="peak_memory_gib"), row(task="inference", load="server"), row(metric="tokens/s", model="llama-2-7b"),
    ]  # fmt: skip

    assert {} == written(*others)


def test_an_unnamed_cell_stands_for_both() -> None:
    """A benchmark that does not name its recurrent cell counts for plain and LSTM cells."""
    found = written(row(source="domino", model="rnn", framework="tensorflow", precision="fp32"))

    assert {"rnn", "lstm"} == {cell.split(" ")[0] for cell in found}


def test_the_bundled_file_is_that_of_the_bundled_table() -> None:
    """The engine's bundled file has the same content as the table of measurements."""
    assert FITTED.measured == written(*published.measurements())
