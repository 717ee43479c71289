"""A reply as it came over the wire, and its body as text, as a JSON object or as a problem (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from plimsoll.errors import BadAnswer, Fault, Problem

if TYPE_CHECKING:
    from plimsoll.inputs import Json

_EXCERPT_BYTES = 200


class Reply(NamedTuple):
    """What came over the wire, with the two headers that matter already read."""

    status: int
    content: bytes
    request_id: str | None = None
    retry_after: float | None = None


def text(reply: Reply) -> str:
    """The body as text; raises ``BadAnswer``."""
    try:
        return reply.content.decode()
    except UnicodeDecodeError as error:
        raise BadAnswer(f"not UTF-8: {error}") from error


def document(reply: Reply) -> dict[str, Any]:
    """The body as a JSON object; raises ``BadAnswer``."""
    try:
        parsed = json.loads(reply.content)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"not JSON: {error}; it begins {reply.content[:_EXCERPT_BYTES]!r}") from error
    if not isinstance(parsed, dict):
        raise BadAnswer(f"a JSON object expected, {type(parsed).__name__} received")
    return parsed


def problem_of(reply: Reply) -> Problem:
    """The problem that a reply of status 400 and above tells; of its status alone where it holds no document."""
    try:
        return read_problem(document(reply), reply)
    except BadAnswer:
        # What stands between (a proxy, a gateway) refuses in words of its own.
        return Problem(
            reply.status, title=_phrase(reply.status), request_id=reply.request_id, retry_after=reply.retry_after
        )


def read_problem(problem: Json, reply: Reply) -> Problem:
    """A problem document's members, with what stood beside it in the reply; members of a wrong type are left out."""
    faults = problem.get("errors")
    return Problem(
        status=reply.status,
        type=_word(problem, "type") or "about:blank",
        title=_word(problem, "title") or _phrase(reply.status),
        detail=_word(problem, "detail"),
        instance=_word(problem, "instance"),
        errors=tuple(_fault(fault) for fault in faults if isinstance(fault, dict)) if isinstance(faults, list) else (),
        request_id=reply.request_id or _word(problem, "request_id"),
        retry_after=reply.retry_after,
    )


def _fault(fault: Json) -> Fault:
    return Fault(_word(fault, "pointer") or "", _word(fault, "detail") or "")


def _word(problem: Json, name: str) -> str | None:
    value = problem.get(name)
    return value if isinstance(value, str) else None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
