"""The contract of a view, which ``openapi`` writes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .flat import FlatQuery
from .formats import COLLECTION
from .replay import REPLAY, STATUSES
from .schemas.strict import StrictSchema

View = TypeVar("View", bound=Callable[..., Any])
_ATTRIBUTE = "operation"


@dataclass(frozen=True)
class Operation:
    """The contract of a route: its tag, parameters, body, answers, formats and problems."""

    tag: str
    answers: Any = None  # a dataclass or a JSON Schema; None where the answer is not JSON
    media_types: tuple[str, ...] = ("application/json",)
    body: StrictSchema | None = None
    query: FlatQuery | None = None
    beside: FlatQuery | None = None  # parameters in addition to the body or the query
    formats: tuple[str, ...] = ()
    problems: tuple[int, ...] = ()
    unavailable: Any = None  # the body of a 503, where it is not a problem document
    example: Mapping[str, Any] | None = None  # of the body, or of the parameters by name
    validated: bool = False  # with an ETag and If-None-Match
    worded: bool = False  # texts in the language of Accept-Language
    paths: Mapping[str, str] = field(default_factory=dict)  # descriptions of path parameters


def operation(tag: str, **said: Any) -> Callable[[View], View]:
    """Attach an ``Operation`` to a view; its docstring is the summary."""

    def attach(view: View) -> View:
        setattr(view, _ATTRIBUTE, Operation(tag, **said))
        return view

    return attach


def collection(
    tag: str, item: Any, query: FlatQuery, example: Mapping[str, Any] | None, problems: tuple[int, ...] = ()
) -> Callable[[View], View]:
    """Attach the ``Operation`` of a view that lists items; ``problems`` are additional statuses."""
    return operation(
        tag,
        validated=True,
        answers=item,
        query=query,
        formats=tuple(COLLECTION),
        problems=(406, 422, *problems),
        example=example,
    )


def question(
    answers: Any, example: Mapping[str, Any], *, body: StrictSchema | None = None, **said: Any
) -> Callable[[View], View]:
    """Attach the ``Operation`` of a view that answers a question about a workload, at the prices of any snapshot."""
    of_bodies = () if body is None else (400, 413, 415)
    return operation(
        "sizing",
        answers=answers,
        body=body,
        example=example,
        worded=True,
        beside=REPLAY,
        problems=(*of_bodies, 406, 422, *STATUSES),
        **said,
    )


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """The contract of the view, or ``None`` for a view outside the contract."""
    return getattr(view, _ATTRIBUTE, None)
