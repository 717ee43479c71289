"""What the contract says of a view, stated beside it; ``openapi`` reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .flat import FlatQuery
from .formats import COLLECTION
from .schemas.strict import StrictSchema

View = TypeVar("View", bound=Callable[..., Any])
_ATTRIBUTE = "operation"


@dataclass(frozen=True)
class Operation:
    """A route's tag, what it takes and answers, its formats by media type, and the statuses of its problems."""

    tag: str
    answers: Any = None  # a dataclass, or a JSON Schema; None where the answer is no JSON
    media_types: tuple[str, ...] = ("application/json",)
    body: StrictSchema | None = None
    query: FlatQuery | None = None
    beside: FlatQuery | None = None  # parameters that stand beside the body or the query
    formats: tuple[str, ...] = ()
    problems: tuple[int, ...] = ()
    unavailable: Any = None  # what a 503 answers, where that is no problem document
    example: Mapping[str, Any] | None = None  # of the body, or of parameters by name where there is none
    validated: bool = False  # with an ETag, by which the caller may ask whether the answer still holds
    paths: Mapping[str, str] = field(default_factory=dict)  # path parameters and what they are


def operation(tag: str, **said: Any) -> Callable[[View], View]:
    """Attach an ``Operation`` to a view; its docstring is the summary."""

    def attach(view: View) -> View:
        setattr(view, _ATTRIBUTE, Operation(tag, **said))
        return view

    return attach


def collection(
    tag: str, item: Any, query: FlatQuery, example: Mapping[str, Any] | None, problems: tuple[int, ...] = ()
) -> Callable[[View], View]:
    """Attach the ``Operation`` of a view that lists items; ``problems`` are those that not every collection has."""
    return operation(
        tag,
        validated=True,
        answers=item,
        query=query,
        formats=tuple(COLLECTION),
        problems=(406, 422, *problems),
        example=example,
    )


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """What the contract says of the view, or ``None`` for one that is not part of it."""
    return getattr(view, _ATTRIBUTE, None)
