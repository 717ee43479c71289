"""A question about hardware that the caller names: how ``/v1/estimates`` and ``/v1/comparisons`` read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Response, request

from ..engine.faults import Fault
from ..engine.prices import Prices
from ..prices.source import PriceBook
from .body import json_object
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import chosen
from .phases import phase
from .remembered import Question, remembered
from .replay import asked_at
from .schemas.questions import HardwareQuestion
from .schemas.strict import StrictSchema

Faults = Callable[[Prices, HardwareQuestion], tuple[Fault, ...]]
Answer = Callable[[HardwareQuestion, Prices], Any]


@dataclass(frozen=True)
class _Read:
    """A question, the prices that it is asked at, and the document that it was."""

    question: HardwareQuestion
    book: PriceBook
    document: Any


def answered(schema: StrictSchema, faults: Faults, answer: Answer) -> Response:
    """The answer to the request's question, or the one that was given before; raises ``Refused`` with every fault."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        asked = _read(schema, faults)
    question, prices = asked.question, asked.book.prices
    return remembered(Question(form, asked.book, (question,), asked.document), lambda: answer(question, prices))


def _read(schema: StrictSchema, faults: Faults) -> _Read:
    book, beside = asked_at(request)
    document = json_object(request)
    return _Read(load_judged(schema, document, partial(faults, book.prices), beside), book, document)
