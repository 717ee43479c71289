"""The JSON object in a request's body."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Request
from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge, UnsupportedMediaType

# Deeper than any model's configuration; bounded because the answer repeats the request.
MOST_DEPTH = 32
MOST_TOLD = 200  # characters of a message about a body's framing, which may repeat the body
READ = "plimsoll.content"  # key of the WSGI environment: a body that has been read whole, within the bounds


def json_object(request: Request) -> dict[str, Any]:
    """The body as an object; raises the HTTP error for any other body."""
    if not request.is_json:
        raise UnsupportedMediaType("send the body as JSON, with the header 'Content-Type: application/json'")
    try:
        document = orjson.loads(content := content_of(request))
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise BadRequest('the body must be a JSON object, such as {"workload": {"task": "training"}}')
    # With fewer brackets than levels a body cannot be nested deeper, which settles most bodies.
    if content.count(b"{") + content.count(b"[") > MOST_DEPTH and deeper_than(document, MOST_DEPTH):
        raise BadRequest(f"the body is nested more than {MOST_DEPTH} levels deep")
    return document


def content_of(request: Request) -> bytes:
    """The body's bytes; raises the HTTP error where they cannot be read."""
    read: bytes | None = request.environ.get(READ)
    if read is not None:
        return read
    try:
        content = request.get_data()
    except HTTPException:
        raise
    except Exception as error:  # the server's own message: faulty chunks, or a client that has gone
        raise BadRequest(f"the body cannot be read: {str(error)[:MOST_TOLD]}") from error
    if request.content_length is None and len(content) == request.max_content_length:
        raise RequestEntityTooLarge  # werkzeug silently cuts a body in chunks at this length
    if len(content) < (promised := request.content_length or 0):
        raise BadRequest(f"the body ended {promised - len(content)} bytes too soon")
    return content


def deeper_than(document: Any, most: int) -> bool:
    """Whether objects and lists are nested on more levels than that."""
    level = [document]
    for _ in range(most):
        level = [
            entry
            for value in level
            for entry in (value.values() if isinstance(value, dict) else value)
            if isinstance(entry, (dict, list))
        ]
        if not level:
            return False
    return True
