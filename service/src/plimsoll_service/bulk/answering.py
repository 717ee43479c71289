"""Answers to a chunk of lines, which depend only on the lines and the installation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

import structlog

from ..api.loading import load_judged
from ..api.problems import INTERNAL, UNPROCESSABLE, problem, refusal
from ..api.recommendations import QUERY, REQUEST
from ..api.service import Sizer
from ..engine.answer import Answer
from ..engine.faults import Refused
from ..engine.prices import Prices
from ..engine.workload import Query
from .lines import Asked, Chunk, Line, asked_of, refused_row, row_of

OK = 200
RECOMMENDED, WITHOUT, REFUSED, FAILED = "recommended", "without", "refused", "failed"
FATES = (RECOMMENDED, WITHOUT, REFUSED, FAILED)  # of a line; without: no machine is left


Document = dict[str, Any]
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class LineOutput(Generic[Shown]):
    """The output for a line, and its fate."""

    fate: str
    shown: Shown


@dataclass(frozen=True)
class Answering:
    """Answers chunks at the prices of a run; each line is answered as a single question."""

    sizer: Sizer
    prices: Prices

    def rows(self, chunk: Chunk) -> list[LineOutput[Document]]:
        """Return each line's best recommendation as a flat row."""

        def answered(number: int, own: Any, found: Answer) -> Document:
            return row_of(number, own, next(iter(found.recommendations), None), found.objective)

        return self._each(chunk, answered, refused_row, limit=1)

    def answers(self, chunk: Chunk, write: Callable[[Document], bytes]) -> list[LineOutput[bytes]]:
        """Return each line's whole answer in bytes, with number and status as in the answer to a batch.

        Each is written at once: a chunk of unwritten answers is a million objects, which slow down garbage collection.
        """

        def answered(number: int, own: Any, found: Answer) -> bytes:
            return write({"line": number, "id": own, "status": OK, **vars(found)})

        return self._each(chunk, answered, lambda number, own, told: write({"line": number, "id": own, **told}))

    def _each(
        self, chunk: Chunk, answered: Callable[[int, Any, Answer], Shown],
        refused: Callable[[int, Any, Document], Shown], limit: int | None = None,
    ) -> list[LineOutput[Shown]]:  # fmt: skip
        """The output for each line; a fault of the service in one line must not end the others."""

        def output(number: int, line: Line) -> LineOutput[Shown]:
            asked: Asked | None = None
            try:
                asked = asked_of(line, chunk.names)
                query = self._query(asked)
                found = self.sizer.recommend(replace(query, limit=limit or query.limit), self.prices)
                return LineOutput(RECOMMENDED if found.recommendations else WITHOUT, answered(number, asked.id, found))
            except Refused as refusing:
                flat = asked is not None and asked.flat
                named = Refused(QUERY.renamed(refusing.faults)) if flat else refusing
                told = refusal(named, f"/lines/{number}")
            except Exception:
                structlog.get_logger(__name__).exception("unexpected_error", line=number)
                why = "an unexpected fault of the service; it has been logged"
                told = problem(INTERNAL, why, f"/lines/{number}")
            fate = REFUSED if told["status"] == UNPROCESSABLE else FAILED
            return LineOutput(fate, refused(number, asked and asked.id, told))

        return [output(number, line) for number, line in enumerate(chunk.lines, start=chunk.first)]

    def _query(self, asked: Asked) -> Query:
        """The query of a request; raises ``Refused`` with every fault, where its form has any."""
        query: Query = load_judged(
            REQUEST, asked.document, partial(self.sizer.faults, prices=self.prices), asked.faults
        )
        return query
