"""A reply as it came over the wire, and its body as text or as a JSON object."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from plimsoll.errors import BadAnswer

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
