"""A question about hardware that the caller names: how ``/v1/estimates`` and ``/v1/comparisons`` read it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import request

from ..engine.faults import Fault
from ..engine.prices import Prices
from .answer_cache import Rendered, rendered
from .body import json_object
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import chosen
from .observation import phase
from .replay import asked_at
from .schemas.questions import HardwareQuestion
from .schemas.strict import StrictSchema

Faults = Callable[[Prices, HardwareQuestion], tuple[Fault, ...]]
Answer = Callable[[HardwareQuestion, Prices], Any]


def answer_for(schema: StrictSchema, faults: Faults, answer: Answer) -> Rendered:
    """The answer to the request's question; raises ``Refused`` with every fault."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, beside = asked_at(request)
        document = json_object(request)
        question = load_judged(schema, document, partial(faults, book.prices), beside)
    return rendered(form, book, document, lambda: answer(question, book.prices))
