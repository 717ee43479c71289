"""A chunk's outcomes as the bytes that are appended to the output; the same lines always give the same bytes."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..api.encode import encode
from .answering import Answering, Outcome
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
    outcomes = answering.answers(chunk) if form.kind == JSONL else answering.rows(chunk)
    data = _data(outcomes, form, head=chunk.first == 1)
    fates = Counter(outcome.fate for outcome in outcomes)
    return Rendered(data, len(outcomes), dict(fates))


def empty(form: Form) -> bytes:
    """The output of an input without lines."""
    return _data([], form, head=True)


def _data(outcomes: Sequence[Outcome], form: Form, *, head: bool) -> bytes:
    if form.kind == CSV:
        data = _csv(outcomes, head=head)
    elif form.kind == JSONL:
        data = b"".join(encode(outcome.document) for outcome in outcomes)
    else:
        data = b"".join(encode(typed(outcome.document)) for outcome in outcomes)
    # Each chunk is a member of its own: members one after the other are a gzip file too. No time goes into it.
    return gzip.compress(data, GZIP_LEVEL, mtime=0) if form.gzipped else data


def _csv(outcomes: Sequence[Outcome], *, head: bool) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    if head:
        writer.writerow(NAMES)
    writer.writerows(cells(outcome.document) for outcome in outcomes)
    return out.getvalue().encode()
