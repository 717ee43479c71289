"""A partition of JSON lines sized on its own: the function that an engine for many machines calls on each of them."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.encode import encode
from ..settings import Settings
from .answering import Document
from .lines import Chunk
from .run import answering


def sized_lines(lines: Iterable[str], settings: Settings, prices: str, *, whole: bool = False) -> list[str]:
    """An output line for each line that is not blank, in order: its best recommendation as a row, or the whole answer.

    The caller's ``id`` tells lines apart: a number within a partition would say nothing.
    """
    asked = tuple(line.encode(errors="surrogateescape") for line in lines if line.strip())
    chunk = Chunk(1, None, asked)
    sizing = answering(settings, prices)
    if whole:
        written = [answer.shown for answer in sizing.answers(chunk, _written)]
    else:
        written = [_written(row.shown) for row in sizing.rows(chunk)]
    return [line.decode().rstrip("\n") for line in written]


def _written(document: Document) -> bytes:
    return encode(_unnumbered(document))


def _unnumbered(document: Document) -> Document:
    """Without what rests on the number of the line."""
    return {name: value for name, value in document.items() if name not in ("line", "instance")}
