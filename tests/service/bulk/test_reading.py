"""Inputs as lines: long or broken lines fail alone, and little of the input is in memory."""

from __future__ import annotations

import csv
import io

import pytest
from tests.service.bulk.files import sweep, write_csv

from plimsoll_service.bulk import BulkError, reading
from plimsoll_service.bulk.lines import Unreadable, cell_of
from plimsoll_service.bulk.reading import CSV, Form, Source, csv_lines, form_of, json_lines


def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines after a line that is too long are read normally."""
    monkeypatch.setattr(reading, "MOST_LINE_BYTES", 10)
    lines = list(json_lines(io.BytesIO(b'{"a": 1}\n' + b"x" * 35 + b"\n\n  \n{}")))

    assert [b'{"a": 1}\n', Unreadable("the line is longer than 10 bytes"), b"{}"] == lines


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    """A byte order mark is removed only from the first line."""
    lines = list(json_lines(io.BytesIO(b"\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n")))

    assert [b"{}\n", b"\xef\xbb\xbf{}\n"] == lines


def test_a_row_that_is_no_csv_is_passed_over() -> None:
    """A cell beyond the reader's limit is the fault of one line."""
    huge = "x" * (csv.field_size_limit() + 1)
    lines = list(csv_lines(csv.reader(io.StringIO(f"a,b\n{huge},1\nc,d\n"))))

    assert [("a", "b"), ("c", "d")] == [lines[0], lines[-1]]
    assert isinstance(lines[1], Unreadable)


def test_chunks_number_their_lines(tmp_path) -> None:
    """Each chunk states the number of its first line, and the share that was read ends at 1."""
    path = write_csv(tmp_path / "in.csv", sweep(5))
    with Source(str(path), Form(CSV)) as source:
        chunks = list(source.chunks(2))
        share = source.share_read()

    assert [(1, 2), (3, 2), (5, 1)] == [(chunk.first, len(chunk.lines)) for chunk in chunks]
    assert share == 1.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), (float("nan"), None), (True, "true"), (90, "90"), (1.5, "1.5"), (["aws", "gcp"], "aws,gcp")],
)
def test_typed_cells_are_read_as_text(value: object, expected: str | None) -> None:
    """Values of typed columns become the equivalent text; missing ones are left out."""
    assert expected == cell_of(value)


@pytest.mark.parametrize("name", ["in.txt", "in", "-", "in.parquet.gz"])
def test_forms_that_cannot_be_told_are_refused(name: str) -> None:
    """A name without a known format, or a format that does not exist, needs an option."""
    with pytest.raises(BulkError):
        form_of(name, None, "--input-format")
