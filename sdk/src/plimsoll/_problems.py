"""Reads a refusal: the problem document (RFC 9457), as forgivingly as what stands between may make necessary."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from plimsoll._reply import Reply, document
from plimsoll.errors import BadAnswer, Fault, Problem

if TYPE_CHECKING:
    from plimsoll.inputs import Json


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
