"""Answers to a chunk of lines, which depend only on the lines and the installation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

import structlog

from ..api.loading import load_judged
from ..api.problems import INTERNAL, UNPROCESSABLE, problem, refusal
from ..api.recommendations import QUERY, REQUEST
from ..engine.admission import faults_of
from ..engine.answer import Answer as Recommended
from ..engine.answer import CatalogStamp
from ..engine.choice.kept import Kept
from ..engine.choice.pricing_agreements import assumed_of_terms, concerning, with_terms
from ..engine.choice.recommend import recommend
from ..engine.faults import Refused
from ..engine.workload import Query, Terms
from .installed import Installed
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
class Numbered:
    """A line with its number, the caller's id, and its query or its problem."""

    number: int
    id: Any
    query: Query | None
    problem: dict[str, Any]


Write = Callable[[Document], bytes]
Answer = Callable[[Numbered, Query], LineOutput[Shown]]
NoAnswer = Callable[[Numbered], LineOutput[Shown]]


class Answering:
    """Answers chunks; each line is answered as a single question."""

    def __init__(self, installation: Installed) -> None:
        self._installed = installation
        self._kept = Kept()
        prices = installation.market.prices
        self._stamp = CatalogStamp(prices.version, prices.as_of)

    def rows(self, chunk: Chunk) -> list[LineOutput[Document]]:
        """Return each line's best recommendation as a flat row."""
        return self._each(chunk, self._row, _no_row)

    def answers(self, chunk: Chunk, write: Write) -> list[LineOutput[bytes]]:
        """Return each line's whole answer in bytes, with number and status as in the answer to a batch.

        Each is written at once: a chunk of unwritten answers is a million objects, which slow down garbage collection.
        """
        return self._each(chunk, partial(self._answer, write), partial(_no_answer, write))

    def _each(self, chunk: Chunk, answer: Answer[Shown], no_answer: NoAnswer[Shown]) -> list[LineOutput[Shown]]:
        return [_guarded(answer, line, no_answer) for line in self._read(chunk)]

    def _read(self, chunk: Chunk) -> Iterator[Numbered]:
        for number, line in enumerate(chunk.lines, start=chunk.first):
            yield _numbered(number, line, chunk.names, self._query)

    def _query(self, asked: Asked) -> Query:
        """Return the query of a request; raises ``Refused`` with every fault."""
        market = self._installed.market
        query: Query = load_judged(REQUEST, asked.document, lambda found: faults_of(found, market), asked.faults)
        faults = faults_of(query, market)
        if faults:
            raise Refused(faults)
        return query

    def _row(self, line: Numbered, query: Query) -> LineOutput[Document]:
        answer = self._recommend(replace(query, limit=1), self._terms(query))
        best = next(iter(answer.recommendations), None)
        return LineOutput(RECOMMENDED if best else WITHOUT, row_of(line.number, line.id, best, answer.objective))

    def _answer(self, write: Write, line: Numbered, query: Query) -> LineOutput[bytes]:
        terms = self._terms(query)
        answer = self._recommend(query, terms)
        whole = replace(answer, assumptions=(*answer.assumptions, *assumed_of_terms(terms)))
        document = {"line": line.number, "id": line.id, "status": OK, **vars(whole)}
        return LineOutput(RECOMMENDED if answer.recommendations else WITHOUT, write(document))

    def _recommend(self, query: Query, terms: Terms) -> Recommended:
        return recommend(with_terms(query, terms), self._installed.market, self._stamp, self._kept)

    def _terms(self, query: Query) -> Terms:
        return concerning(query.constraints, self._installed.terms, self._installed.market)


def _numbered(number: int, line: Line, names: tuple[str, ...] | None, query_of: Callable[[Asked], Query]) -> Numbered:
    asked: Asked | None = None
    try:
        asked = asked_of(line, names)
        return Numbered(number, asked.id, query_of(asked), {})
    except Refused as refused:
        flat = asked is not None and asked.flat
        named = Refused(QUERY.renamed(refused.faults)) if flat else refused
        return Numbered(number, asked and asked.id, None, refusal(named, _instance(number)))
    except Exception:
        return Numbered(number, asked and asked.id, None, _fault(number))


def _guarded(
    answer: Callable[[Numbered, Query], LineOutput[Shown]], line: Numbered, no_answer: NoAnswer[Shown]
) -> LineOutput[Shown]:
    """Return the answer to a line; a fault of the service in one line must not end the others."""
    if line.query is None:
        return no_answer(line)
    try:
        return answer(line, line.query)
    except Exception:
        return no_answer(replace(line, query=None, problem=_fault(line.number)))


def _fault(number: int) -> dict[str, Any]:
    structlog.get_logger(__name__).exception("unexpected_error", line=number)
    return problem(INTERNAL, "an unexpected fault of the service; it has been logged", _instance(number))


def _instance(number: int) -> str:
    return f"/lines/{number}"


def _no_row(line: Numbered) -> LineOutput[Document]:
    return LineOutput(_fate(line), refused_row(line.number, line.id, line.problem))


def _no_answer(write: Write, line: Numbered) -> LineOutput[bytes]:
    return LineOutput(_fate(line), write({"line": line.number, "id": line.id, **line.problem}))


def _fate(line: Numbered) -> str:
    return REFUSED if line.problem["status"] == UNPROCESSABLE else FAILED
