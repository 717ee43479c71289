"""Turns a call into a request and a reply into a value or an error. No I/O, no clock: both clients share all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

from plimsoll import models, resources
from plimsoll._decode import decode
from plimsoll._encode import encode, parameters, without_none
from plimsoll._problems import problem_of, read_problem
from plimsoll._reply import Reply, document, text
from plimsoll.errors import ApiError, BadAnswer, api_error
from plimsoll.inputs import Constraints, Hardware, Json, Query, Workload

T = TypeVar("T")

# The largest page that the contract allows: the fewest round trips for whoever wants everything.
PAGE_SIZE = 1000


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how its successful reply is read."""

    method: str
    path: str
    read: Callable[[Reply], T]
    params: Mapping[str, str] = field(default_factory=dict)
    json: Any = None

    def result(self, reply: Reply) -> T:
        """The value of a reply; raises ``ApiError`` for a refusal, ``BadAnswer`` for what is none of both."""
        if reply.status >= HTTPStatus.BAD_REQUEST:
            raise api_error(problem_of(reply))
        if reply.status != HTTPStatus.OK:
            raise BadAnswer(f"{self.method} {self.path}: unexpected status {reply.status}")
        try:
            return self.read(reply)
        except BadAnswer as error:
            raise BadAnswer(f"{self.method} {self.path}: {error}") from error


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of a collection, and the call for the next one."""

    items: tuple[T, ...]
    total: int | None
    next: Call[Page[T]] | None


def question(
    workload: Workload | Json | None,
    constraints: Constraints | Json | None,
    objective: str | None,
    limit: int | None = None,
    fields: Json | None = None,
) -> dict[str, Any]:
    """The body that asks about a workload; ``fields`` of it go over ``workload``'s own."""
    asked = dict(encode(workload) if workload is not None else {}) | without_none(encode(fields or {}))
    if not asked:
        raise TypeError("give a workload, or its fields by name: recommend(task='training')")
    rest = {"constraints": encode(constraints), "objective": objective, "limit": limit}
    return {"workload": asked} | without_none(rest)


def recommend(body: dict[str, Any]) -> Call[models.Answer]:
    """Ranked recommendations for a question."""
    return Call("POST", "/v1/recommendations", _object(models.Answer), json=body)


def recommend_as(body: dict[str, Any], format: str) -> Call[str]:  # noqa: A002 - the contract's word
    """The same as the text of a format for scripts."""
    return Call("POST", "/v1/recommendations", text, {"format": format}, body)


def recommend_batch(queries: Sequence[Query | Json]) -> Call[tuple[models.Answer | ApiError, ...]]:
    """One result a question, in order; a question that is refused has its error as result."""
    body = {"requests": [encode(query) for query in queries]}

    def read(reply: Reply) -> tuple[models.Answer | ApiError, ...]:
        results = document(reply).get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise BadAnswer(f"/results: a list of {len(queries)} expected")
        return tuple(_batch_result(result, index, reply.request_id) for index, result in enumerate(results))

    return Call("POST", "/v1/recommendations/batch", read, json=body)


def estimate(body: dict[str, Any], on: Hardware | Json) -> Call[models.HardwareEstimate]:
    """What given hardware makes of the workload."""
    return Call("POST", "/v1/estimates", _object(models.HardwareEstimate), json=body | {"on": encode(on)})


def compare(body: dict[str, Any], on: Sequence[Hardware | Json]) -> Call[models.Comparison]:
    """Given machines side by side."""
    return Call("POST", "/v1/comparisons", _object(models.Comparison), json=body | {"on": encode(list(on))})


def collection(name: str, item: type[T], filters: Json) -> Call[Page[T]]:
    """The first page of a collection; ``limit`` among the filters is the size of a page."""
    return _page(f"/v1/{name}", item, parameters({"limit": PAGE_SIZE} | without_none(filters)))


def instance_type(cloud: str, name: str) -> Call[resources.InstanceType]:
    """One instance type of the catalog."""
    return Call("GET", f"/v1/instance-types/{_segment(cloud)}/{_segment(name)}", _object(resources.InstanceType))


def rule(rule_id: str) -> Call[resources.Rule]:
    """One rule."""
    return Call("GET", f"/v1/rules/{_segment(rule_id)}", _object(resources.Rule))


def health() -> Call[resources.Health]:
    """Whether the process is alive."""
    return Call("GET", "/healthz", _object(resources.Health))


def ready() -> Call[resources.Readiness]:
    """Whether the service answers, and with which catalog."""
    return Call("GET", "/readyz", _object(resources.Readiness))


def _page(path: str, item: type[T], params: Mapping[str, str]) -> Call[Page[T]]:
    def read(reply: Reply) -> Page[T]:
        page = decode(_RawPage, document(reply))
        items = tuple(decode(item, entry, f"/items/{index}") for index, entry in enumerate(page.items))
        return Page(items, page.total, _page(_same_service(page.next, path), item, {}) if page.next else None)

    return Call("GET", path, read, params)


@dataclass(frozen=True)
class _RawPage:
    items: tuple[Any, ...]
    total: int | None = None
    next: str | None = None


def _same_service(link: str, current: str) -> str:
    """Path and query of a page's ``next``: a link never leads to another host, nor back to its own page."""
    parts = urlsplit(link)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    if target == current:
        raise BadAnswer("/next: points to its own page")
    return target


def _object(cls: type[T]) -> Callable[[Reply], T]:
    return lambda reply: decode(cls, document(reply))


def _batch_result(result: Any, index: int, request_id: str | None) -> models.Answer | ApiError:
    at = f"/results/{index}"
    status = result.get("status") if isinstance(result, dict) else None
    if not isinstance(status, int):
        raise BadAnswer(f"{at}/status: missing")
    if status >= HTTPStatus.BAD_REQUEST:
        return api_error(read_problem(result, Reply(status, b"", request_id)))
    return decode(models.Answer, result, at)


def _segment(name: str) -> str:
    return quote(name, safe="")
