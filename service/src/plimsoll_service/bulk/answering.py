"""Answers to a chunk of lines: a function of the lines, the installation and the form, and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import structlog

from ..api.loading import load_judged
from ..api.problems import INTERNAL, UNPROCESSABLE, problem, refusal
from ..api.recommendations import QUERY, REQUEST
from ..engine.admission import faults_of
from ..engine.choice.sharing import Sharing, shared_key
from ..engine.choice.standing import concerning, with_terms
from ..engine.faults import Refused
from ..engine.workload import Query
from .installed import Installed
from .lines import Asked, Chunk, asked_of
from .rows import refused_row, row_of

OK = 200


@dataclass(frozen=True)
class Counts:
    """Lines by what became of them."""

    recommended: int = 0
    without: int = 0  # answered, but no machine is left
    refused: int = 0
    failed: int = 0  # through a fault of the service

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(mine + others for mine, others in zip(_each(self), _each(other), strict=True)))

    @property
    def lines(self) -> int:
        """All of them."""
        return sum(_each(self))


@dataclass(frozen=True)
class Result:
    """What stands in the output for one line, with its number; ``kind`` is the field of ``Counts`` it belongs to."""

    number: int
    kind: str
    document: dict[str, Any]


Answer = Callable[[int, Asked, Query], Result]


class Answering:
    """Answers chunks, one after the other, and lets lines that have something in common share it."""

    def __init__(self, installation: Installed) -> None:
        self._installed = installation
        self._sharing = Sharing(installation.market)

    def rows(self, chunk: Chunk) -> list[Result]:
        """Each line's best recommendation as a flat row, in the order of the lines."""
        found: dict[int, Result] = {}
        queries: list[tuple[str, int, Any, Query]] = []
        for number, line in enumerate(chunk.lines, start=chunk.first):
            outcome = self._read(number, line, chunk.names)
            ...
