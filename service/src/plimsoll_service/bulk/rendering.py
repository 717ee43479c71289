"""A chunk's outcomes as the bytes that are appended to the output; the same lines always give the same bytes."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..api.encode import encode
from .answering import Answering, Document, Outcome
from .forms import CSV, JSONL, Form
from .lines import Chunk
from .rows import NAMES, cells, typed

GZIP_LEVEL = 6  # gzip's own default: beyond it time doubles for a few percent


@dataclass(frozen=True)
class Rendered:
    """The bytes of a chunk, how many lines they answer, and how many of each fate."""

    data: bytes
    lines: int
    fates: dict[str, int]


def render(answering: Answering, chunk: Chunk, form: Form) -> Rendered:
    """Answer a chunk and write it out; Parquet is spooled as JSON lines, for it can only be written as a whole."""
    if form.kind == JSONL:
        answers = answering.answers(chunk, encode)
        return _rendered(b"".join(answer.shown for answer in answers), answers, form)
    rows = answering.rows(chunk)
    return _rendered(_table([row.shown for row in rows], form, head=chunk.first == 1), rows, form)


def empty(form: Form) -> bytes:
    """The output of an input without lines."""
    return _zipped(b"" if form.kind == JSONL else _table([], form, head=True), form)


def _rendered(data: bytes, outcomes: Sequence[Outcome[Any]], form: Form) -> Rendered:
    return Rendered(_zipped(data, form), len(outcomes), dict(Counter(outcome.fate for outcome in outcomes)))


def _table(rows: Sequence[Document], form: Form, *, head: bool) -> bytes:
    if form.kind != CSV:
        return b"".join(encode(typed(row)) for row in rows)
    out = io.StringIO()
    writer = csv.writer(out)
    if head:
        writer.writerow(NAMES)
    writer.writerows(cells(row) for row in rows)
    return out.getvalue().encode()


def _zipped(data: bytes, form: Form) -> bytes:
    """As it stands in the file: each chunk is a member of its own, for members one after the other are gzip too."""
    return gzip.compress(data, GZIP_LEVEL, mtime=0) if form.gzipped else data  # no time, or no two runs are the same
