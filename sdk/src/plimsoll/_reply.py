"""A reply, and its body as text, as a JSON object or as a problem document (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, NamedTuple

from plimsoll._json import Json
from plimsoll.errors import BadAnswer, Fault, Problem

_EXCERPT_BYTES = 200


class Reply(NamedTuple):
    """Status, body, request id and retry delay of a response."""

    status: int
    content: bytes
    request_id: str | None = None
    retry_after: float | None = None


def text(reply: Reply) -> str:
    """Return the body as text; raises ``BadAnswer``."""
    try:
        return reply.content.decode()
    except UnicodeDecodeError as error:
        raise BadAnswer(f"not UTF-8: {error}") from error


def document(reply: Reply) -> dict[str, Any]:
    """Return the body as a JSON object; raises ``BadAnswer``."""
    try:
        parsed = json.loads(reply.content)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"not JSON: {error}; it begins {reply.content[:_EXCERPT_BYTES]!r}") from error
    if not isinstance(parsed, dict):
        raise BadAnswer(f"a JSON object expected, {type(parsed).__name__} received")
    return parsed


def problem_of(reply: Reply) -> Problem:
    """Return the problem of a reply with status 400 or above; without a problem document, that of its status."""
    try:
        return read_problem(document(reply), reply)
    except BadAnswer:
        # A proxy or gateway refuses in its own format.
        return Problem(
            reply.status, title=_phrase(reply.status), request_id=reply.request_id, retry_after=reply.retry_after
        )


def read_problem(problem: Json, reply: Reply) -> Problem:
    """Return the problem document's members and the reply's headers; members of a wrong type are left out."""
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
