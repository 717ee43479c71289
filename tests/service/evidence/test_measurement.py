"""Measurements are written to files and read back."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from gathered.measurements.build import write

from plimsoll_service.evidence import measurement
from plimsoll_service.evidence.measurement import EvidenceError, Measurement
from plimsoll_service.evidence.published import measurements


def full() -> Measurement:
    """A row with every kind of cell."""
    return replace(
        measurements()[0],
        id="x-0001",
        image_size=(224, 320),
        compiled=True,
        packed=False,
        attention_data_parallel=True,
        concurrency=12.5,
        batch_size=None,
        doubt='a comma, and a "quote"',
    )


def text_of(row: Measurement, tmp_path: Path) -> str:
    """Text of a file with one row."""
    write(tmp_path / "x.csv", [row])
    return (tmp_path / "x.csv").read_text(encoding="utf-8")


def test_a_row_reads_as_it_was_written(tmp_path: Path) -> None:
    """Sides, flags, fractions, unknown cells and punctuation are read back."""
    row = full()

    assert [row] == measurement.read(io.StringIO(text_of(row, tmp_path)), "x.csv")


def test_columns_without_a_word_are_left_out(tmp_path: Path) -> None:
    """Empty columns are left out: a file of images has no tokens."""
    head = text_of(replace(full(), input_tokens=None, doubt=""), tmp_path).splitlines()[0].split(",")

    assert "input_tokens" not in head
    assert "doubt" not in head


@pytest.mark.parametrize(
    ("column", "cell", "words"),
    [
        ("metric", "furlongs/s", "furlongs/s"),
        ("load", "heavy", "heavy"),
        ("value", "", "value is missing"),
        ("batch_size", "many", "many"),
        ("compiled", "maybe", "maybe"),
    ],
)
def test_a_cell_that_is_none_is_named(column: str, cell: str, words: str) -> None:
    """The fault names the line and the cell."""
    head = ["id", "source", "task", "model", "metric", "value", "device_count", "node_count", column]
    cells = dict(zip(head, ["x", "s", "training", "m", "samples/s", "1", "1", "1", cell], strict=True)) | {column: cell}
    file = io.StringIO(f"{','.join(cells)}\n{','.join(cells.values())}\n")

    with pytest.raises(EvidenceError, match="line 2") as fault:
        measurement.read(file, "x.csv")
    assert words in str(fault.value)


def test_an_unknown_column_is_named() -> None:
    """An unknown column is an error."""
    with pytest.raises(EvidenceError, match="unknown columns vlaue"):
        measurement.read(io.StringIO("id,vlaue\nx,1\n"), "x.csv")
