"""Calls as requests, and replies as values or errors, without I/O; both clients share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast
from urllib.parse import quote, urlsplit

from plimsoll import _lazy
from plimsoll._json import Json, decode, encode, parameters, without_none
from plimsoll._reply import Reply, document, problem_of, read_problem, text
from plimsoll.errors import ApiError, BadAnswer, api_error

if TYPE_CHECKING:
    from plimsoll.inputs import (
        Constraints,
        ConstraintsFields,
        Format,
        Group,
        Hardware,
        HardwareFields,
        Objective,
        Query,
        QueryFields,
        Whole,
        Workload,
        WorkloadFields,
    )

T = TypeVar("T")

# The largest page that the API allows, for the fewest round trips.
PAGE_SIZE = 1000
# The API's largest batch, and the default: some 500 KB of answer.
LARGEST_BATCH = 1000
DEFAULT_CHUNK = 100
# A service on a small machine has as many workers.
DEFAULT_CONCURRENCY = 4


# Tuples here and in other modules that every program loads: making a dataclass at import takes ten times as long.
class Call(NamedTuple, Generic[T]):
    """A request, and the reader of its successful reply."""

    method: str
    path: str
    read: Callable[[Reply], T]
    params: Mapping[str, str] | None = None
    json: Any = None

    def result(self, reply: Reply) -> T:
        """Return the value of a reply; raises ``ApiError`` for a refusal, ``BadAnswer`` for an unreadable reply."""
        if reply.status >= HTTPStatus.BAD_REQUEST:
            raise api_error(problem_of(reply))
        try:
            if reply.status != HTTPStatus.OK:
                raise BadAnswer(f"unexpected status {reply.status}")
            return self.read(reply)
        except BadAnswer as error:
            raise BadAnswer(f"{self.method} {self.path}: {error}", reply.request_id) from error


class Page(NamedTuple, Generic[T]):
    """A page of a collection, and the call for the next one."""

    items: tuple[T, ...]
    total: int | None
    next: Call[Page[T]] | None


def question(
    workload: Workload | WorkloadFields | None,
    constraints: Constraints | ConstraintsFields | None,
    objective: Objective | None,
    limit: Whole | None = None,
    fields: WorkloadFields | None = None,
    group: Group | None = None,
) -> dict[str, Any]:
    """Return the request body for a workload; ``fields`` override those of ``workload``."""
    whole, named = (without_none(encode({"workload": part or {}})["workload"]) for part in (workload, fields))
    if not (whole or named):
        raise TypeError("give a workload, or its fields by name: recommend(task='training')")
    rest = {"constraints": constraints, "objective": objective, "limit": limit, "group": group}
    return {"workload": whole | named} | without_none(encode(rest))


def recommend(body: dict[str, Any], snapshot: str | None = None) -> Call[_lazy.models.Answer]:
    """Ranked recommendations for a question."""
    return Call("POST", "/v1/recommendations", _answer(_lazy.models.Answer), _at(snapshot), body)


def recommend_as(
    body: dict[str, Any],
    format: Format,  # noqa: A002 - the contract's word
    snapshot: str | None = None,
) -> Call[str]:
    """Ranked recommendations as text in a format for scripts."""
    return Call("POST", "/v1/recommendations", text, {"format": format} | _at(snapshot), body)


def recommend_batch(
    queries: Sequence[Query | QueryFields], snapshot: str | None = None, first: int = 0
) -> Call[tuple[_lazy.models.Answer | ApiError, ...]]:
    """One result for each question, in order; the result of a refused question is its error.

    ``first`` is the place of the first question in its stream, for error texts.
    """
    body = {"requests": list(encode({f"queries/{at}": query for at, query in enumerate(queries, first)}).values())}

    def read(reply: Reply) -> tuple[_lazy.models.Answer | ApiError, ...]:
        results = document(reply).get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise BadAnswer(f"/results: a list of {len(queries)} expected")
        return tuple(_batch_result(result, index, reply.request_id) for index, result in enumerate(results))

    return Call("POST", "/v1/recommendations/batch", read, _at(snapshot), body)


def check_stream(concurrency: int, chunk: int) -> None:
    """Raise ``ValueError`` for a concurrency or chunk size out of bounds."""
    if concurrency < 1:
        raise ValueError("concurrency is the number of batches in progress: give 1 or more")
    if not 1 <= chunk <= LARGEST_BATCH:
        raise ValueError(f"chunk is the number of questions a batch: give 1 to {LARGEST_BATCH}")


def estimate(
    body: dict[str, Any], on: Hardware | HardwareFields, snapshot: str | None = None
) -> Call[_lazy.models.HardwareEstimate]:
    """Estimate of the workload on given hardware."""
    asked = body | encode({"on": on})
    return Call("POST", "/v1/estimates", _answer(_lazy.models.HardwareEstimate), _at(snapshot), asked)


def compare(
    body: dict[str, Any], on: Sequence[Hardware | HardwareFields], snapshot: str | None = None
) -> Call[_lazy.models.Comparison]:
    """Given machines side by side."""
    asked = body | encode({"on": list(on)})
    return Call("POST", "/v1/comparisons", _answer(_lazy.models.Comparison), _at(snapshot), asked)


def collection(name: str, item: type[T], filters: Json) -> Call[Page[T]]:
    """First page of a collection; the filter ``limit`` is the page size."""
    return _page(f"/v1/{name}", item, parameters({"limit": PAGE_SIZE} | without_none(filters)))


def price_changes(before: str, after: str | None, filters: Json) -> Call[Page[_lazy.offers.PriceChange]]:
    """Differences between two price snapshots."""
    return collection("prices/changes", _lazy.offers.PriceChange, {"from": before, "to": after, **filters})


def instance_type(cloud: str, name: str, snapshot: str | None = None) -> Call[_lazy.resources.InstanceType]:
    """One instance type of the catalog."""
    path = f"/v1/instance-types/{_segment(cloud)}/{_segment(name)}"
    return Call("GET", path, _object(_lazy.resources.InstanceType), _at(snapshot))


def rule(rule_id: str) -> Call[_lazy.resources.Rule]:
    """One rule."""
    return Call("GET", f"/v1/rules/{_segment(rule_id)}", _object(_lazy.resources.Rule))


def health() -> Call[_lazy.resources.Health]:
    """Whether the process is alive."""
    return Call("GET", "/healthz", _object(_lazy.resources.Health))


def ready() -> Call[_lazy.resources.Readiness]:
    """Whether the service is ready, and its catalog."""
    return Call("GET", "/readyz", _object(_lazy.resources.Readiness))


def metrics() -> Call[str]:
    """The service's metrics."""
    return Call("GET", "/metrics", text)


def openapi() -> Call[str]:
    """The service's API description."""
    return Call("GET", "/openapi.yaml", text)


def _page(path: str, item: type[T], params: Mapping[str, str]) -> Call[Page[T]]:
    def read(reply: Reply) -> Page[T]:
        page = decode(_lazy.resources.ItemPage, document(reply))
        items = tuple(decode(item, entry, f"/items/{index}") for index, entry in enumerate(page.items))
        return Page(items, page.total, _page(_same_service(page.next, path), item, {}) if page.next else None)

    return Call("GET", path, read, params)


def _same_service(link: str, current: str) -> str:
    """Return path and query of a page's ``next`` link, which never leads to another host or to its own page."""
    parts = urlsplit(link)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    if target == current:
        raise BadAnswer("/next: points to its own page")
    return target


def _at(snapshot: str | None) -> dict[str, str]:
    return parameters({"snapshot": snapshot})


def _object(cls: type[T]) -> Callable[[Reply], T]:
    return lambda reply: decode(cls, document(reply))


def _answer(cls: type[T]) -> Callable[[Reply], T]:
    """Return the reader of an answer, which has the id of its request."""
    return lambda reply: cast(T, _identified(decode(cls, document(reply)), reply.request_id))


def _identified(answer: Any, request_id: str | None) -> Any:
    return replace(answer, request_id=request_id)


def _batch_result(result: Any, index: int, request_id: str | None) -> _lazy.models.Answer | ApiError:
    at = f"/results/{index}"
    status = result.get("status") if isinstance(result, dict) else None
    if not isinstance(status, int):
        raise BadAnswer(f"{at}/status: missing")
    if status >= HTTPStatus.BAD_REQUEST:
        return api_error(read_problem(result, Reply(status, b"", request_id)))
    return cast(_lazy.models.Answer, _identified(decode(_lazy.models.Answer, result, at), request_id))


def _segment(name: str) -> str:
    return quote(name, safe="")
