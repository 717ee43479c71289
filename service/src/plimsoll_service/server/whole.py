"""An application's answer as the bytes of HTTP/1.1, whole, for a connection that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from gunicorn import SERVER
from gunicorn.util import http_date

_LENGTH = "content-length"
_BODILESS = ("204", "304")  # of which no length need be told: there is nothing to read


def answered(application: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> bytes:
    """What the application answers to a request other than HEAD."""
    heads: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], *_: Any) -> None:
        heads.append((status, headers))

    body = application(environ, start)
    try:
        content = b"".join(body)
    finally:
        if hasattr(body, "close"):
            body.close()
    status, headers = heads[-1]  # an application that fails may begin another answer
    if not status.startswith(_BODILESS) and all(name.lower() != _LENGTH for name, _ in headers):
        headers = [*headers, ("Content-Length", str(len(content)))]
    told = "".join([f"{name}: {value}\r\n" for name, value in headers])
    return f"HTTP/1.1 {status}\r\n{_of_all(int(time.time()))}{told}\r\n".encode("latin-1") + content


@lru_cache(maxsize=1)
def _of_all(now: int) -> str:
    """The headers that gunicorn gives every answer, at a time in seconds since 1970."""
    return f"Server: {SERVER}\r\nDate: {http_date(now)}\r\nConnection: keep-alive\r\n"
