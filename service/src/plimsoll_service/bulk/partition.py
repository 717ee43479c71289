"""A partition of JSON lines sized on its own: the function that an engine for many machines calls on each of them."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.encode import encode
from ..settings import Settings
from .lines import Chunk
from .run import answering


def sized_lines(lines: Iterable[str], settings: Settings, prices: str, *, whole: bool = False) -> list[str]:
    """An output line for each line that is not blank, in order: its best recommendation as a row, or the whole answer.

    The caller's ``id`` tells lines apart: a number within a partition would say nothing.
    """
    asked = tuple(line.encode(errors="surrogateescape") for line in lines if line.strip())
    chunk = Chunk(1, None, asked)
    sizing = answering(settings, prices)
    outcomes = sizing.answers(chunk) if whole else sizing.rows(chunk)
    return [encode(_unnumbered(outcome.document)).decode().rstrip("\n") for outcome in outcomes]


def _unnumbered(document: dict[str, object]) -> dict[str, object]:
    """Without what rests on the number of the line."""
    return {name: value for name, value in document.items() if name not in ("line", "instance")}
