"""Files of workloads (CSV, JSON lines, Parquet) as chunks of lines, read as they are needed."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import IO, Any

from . import BulkError
from .lines import ID, Cells, Chunk, Line, Unreadable, cell_of, unknown_columns

CSV, JSONL, PARQUET = "csv", "jsonl", "parquet"
KINDS = (CSV, JSONL, PARQUET)
STANDARD = "-"  # standard input or output
_KIND_OF_SUFFIX = {".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL, ".parquet": PARQUET, ".pq": PARQUET}


@dataclass(frozen=True)
class Form:
    """A kind of file, and whether it is compressed with gzip."""

    kind: str
    gzipped: bool = False


def form_of(path: str, stated: str | None, option: str) -> Form:
    """Return the stated form, or that of the name's extension; ``option`` is the name of the option that states it."""
    name = PurePath(path)
    gzipped = name.suffix == ".gz"
    suffix = name.with_suffix("").suffix if gzipped else name.suffix
    kind = stated or _KIND_OF_SUFFIX.get(suffix.lower())
    if kind is None:
        known = ", ".join(_KIND_OF_SUFFIX)
        raise BulkError(f"{path}: the name does not tell the form ({known}, each with .gz): give {option}")
    if kind == PARQUET and gzipped:
        raise BulkError(f"{path}: Parquet compresses itself; it is not put into gzip")
    if kind == PARQUET and path == STANDARD:
        raise BulkError("Parquet cannot be streamed: give a file, or csv or jsonl")
    return Form(kind, gzipped)


# The limit of a request's body: a line may hold a model's whole configuration.
MOST_LINE_BYTES = 4 * 1024 * 1024


class Source:
    """An open input; a context manager that closes its files."""

    def __init__(self, path: str, form: Form) -> None:
        self._files = ExitStack()
        try:
            self._opened = _opened(path, form, self._files)
        except OSError as error:
            self._files.close()
            raise BulkError(f"{path}: {error.strerror or error}") from error
        except BulkError:
            self._files.close()
            raise

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def chunks(self, size: int) -> Iterator[Chunk]:
        """Yield the lines in groups of ``size``; raises ``BulkError`` where the file is broken."""
        first = 1
        try:
            while lines := tuple(islice(self._opened.lines, size)):
                yield Chunk(first, self._opened.names, lines)
                first += len(lines)
        except (OSError, EOFError, zlib.error) as error:
            raise BulkError(f"the input cannot be read after line {first - 1:,}: {error}") from error

    def share_read(self) -> float | None:
        """Share of the input that was read, from 0 to 1; ``None`` where its size is unknown."""
        if not self._opened.size:
            return None
        return min(self._opened.position() / self._opened.size, 1.0)


@dataclass
class _Opened:
    """Lines, the column names of a flat file, and the position of reading in units of ``size``."""

    lines: Iterator[Line]
    names: tuple[str, ...] | None
    size: int | None
    raw: IO[bytes] | None = None
    read: int = 0

    def position(self) -> int:
        """Bytes (Parquet: rows) read so far."""
        return self.read if self.raw is None else self.raw.tell()


def _opened(path: str, form: Form, files: ExitStack) -> _Opened:
    if form.kind == PARQUET:
        return _parquet(path, files)
    raw: IO[bytes] = sys.stdin.buffer if path == STANDARD else files.enter_context(open(path, "rb"))  # noqa: SIM115
    size = None if path == STANDARD else os.fstat(raw.fileno()).st_size
    plain: Any = gzip.GzipFile(fileobj=raw) if form.gzipped else raw
    measured = None if size is None else raw
    if form.kind != CSV:
        return _Opened(json_lines(plain), None, size, measured)
    text = io.TextIOWrapper(plain, encoding="utf-8-sig", errors="replace", newline="")
    files.callback(text.detach)  # or the file would be closed with the last line
    rows = csv.reader(text)
    names = _checked(path, next(rows, []))
    return _Opened(csv_lines(rows), names, size, measured)


def json_lines(file: Any) -> Iterator[Line]:
    """Yield the lines that are not blank; of a line that is too long, only the limit is held in memory."""
    mark: bytes = codecs.BOM_UTF8  # some editors write it at the start of a file
    while line := file.readline(MOST_LINE_BYTES + 1):
        line, mark = line.removeprefix(mark), b""
        if len(line) > MOST_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = file.readline(MOST_LINE_BYTES)
            yield Unreadable(f"the line is longer than {MOST_LINE_BYTES:,} bytes")
        elif line.strip():
            yield line


def csv_lines(rows: Any) -> Iterator[Line]:
    """Yield the rows that are not blank; a faulty row fails alone."""
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Unreadable(f"the line is not CSV: {error}")
            continue
        if row:
            yield tuple(row)


def _parquet(path: str, files: ExitStack) -> _Opened:
    from .parquet import cells_of_batches, opened  # here: pyarrow is installed for Parquet alone

    file = files.enter_context(opened(path))
    names = _checked(path, file.schema_arrow.names)
    found = _Opened(iter(()), names, file.metadata.num_rows)
    found.lines = _counted(found, cells_of_batches(file))
    return found


def _counted(opened: _Opened, rows: Iterable[tuple[Any, ...]]) -> Iterator[Cells]:
    for row in rows:
        opened.read += 1
        yield tuple(map(cell_of, row))


def _checked(path: str, head: Iterable[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in head)
    if not names:
        raise BulkError(f"{path}: the file is empty: a first line with the columns' names is needed")
    faults = unknown_columns(names)
    if faults:
        told = "; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults)
        raise BulkError(f"{path}: the columns are those of GET /v1/recommendations, and {ID!r}: {told}")
    return names
