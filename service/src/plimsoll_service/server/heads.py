"""Heads of requests that gunicorn's parser has read before: byte for byte the same one means the same.

Clients send few different heads, and to read one again takes longer than to look up an answer.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from gunicorn.http import wsgi

MOST_HEADS = 256  # of a worker, with some three kilobytes each of what they mean
LONGEST_HEAD = 2048  # bytes; longer ones are rarely sent twice
_END = b"\r\n\r\n"
# The one field in which an SDK's requests differ, where it is of a form that nothing can be read into; not where the
# line goes on in the next one.
_ID = re.compile(rb"\r\nX-Request-Id:[ \t]*([A-Za-z0-9._:-]{1,128})[ \t]*(?=\r\n[^ \t])", re.IGNORECASE)
_ID_NAME = "X-REQUEST-ID"
# With one of these the body or the answer is not handled as usual, …
_UNUSUAL = frozenset({"EXPECT", "TRANSFER-ENCODING", "UPGRADE"})
# … with these the head is another each time, or holds what is not to be kept.
_NOT_KEPT = _UNUSUAL | {"TRACEPARENT", "AUTHORIZATION", "COOKIE", "PROXY-AUTHORIZATION", "X-API-KEY"}
# What belongs to one request or connection and not to its head.
_OWN = ("wsgi.input", "wsgi.early_hints", "gunicorn.socket", "REMOTE_PORT", "HTTP_X_REQUEST_ID")


@dataclass(frozen=True)
class Known:
    """What a head means to an application, and how many bytes of a body follow it."""

    environ: Mapping[str, Any]
    body_bytes: int


class Heads:
    """The heads that came last."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Any, ...], Known] = OrderedDict()

    def environ(self, conn: Any, received: bytes) -> tuple[dict[str, Any], bytes] | None:
        """What WSGI says of a request, and what came after it; ``None`` where its head is new or its body not there."""
        end = received.find(_END) + len(_END)
        head, own = _apart(received[:end])
        key = _key(conn, head)
        known = self._known.get(key)
        if known is None or len(received) < end + known.body_bytes:
            return None
        self._known.move_to_end(key)
        after = end + known.body_bytes
        environ = {**known.environ, "wsgi.input": BytesIO(received[end:after])}
        if isinstance(conn.client, tuple):
            environ["REMOTE_PORT"] = str(conn.client[1])
        if own is not None:
            environ["HTTP_X_REQUEST_ID"] = own
        return environ, received[after:]

    def learn(self, conn: Any, received: bytes, request: Any, settings: Any) -> None:
        """Keep what gunicorn has read in a request's head, if it is one of a question in a body that may come again."""
        end = received.find(_END) + len(_END)
        head, own = _apart(received[:end])
        if not (request.method == "POST" and end <= LONGEST_HEAD and _is_plain(request, own)):
            return
        _, environ = wsgi.create(request, conn.sock, conn.client, conn.server, settings)
        shared = {name: value for name, value in environ.items() if name not in _OWN} | {"wsgi.multithread": True}
        self._known[_key(conn, head)] = Known(shared, int(environ.get("CONTENT_LENGTH") or 0))
        if len(self._known) > MOST_HEADS:
            self._known.popitem(last=False)


def _apart(head: bytes) -> tuple[bytes, str | None]:
    """A head without the request's own id, and that id."""
    found = _ID.search(head)
    return (head, None) if found is None else (head[: found.start()] + head[found.end() :], found[1].decode())


def _is_plain(request: Any, own: str | None) -> bool:
    """Whether a request may come again by the same head, and its connection lasts as HTTP/1.1 has it."""
    names = [name for name, _ in request.headers]
    lasts = all(value.lower() == "keep-alive" for name, value in request.headers if name == "CONNECTION")
    again = _NOT_KEPT.isdisjoint(names) and names.count(_ID_NAME) == (own is not None)
    return again and lasts and request.version == (1, 1) and not request.proxy_protocol_info


def _key(conn: Any, head: bytes) -> tuple[Any, ...]:
    """A head with who sent it where: some clients' word is taken for their own clients' scheme."""
    return head, conn.client[0] if isinstance(conn.client, tuple) else conn.client, conn.server
