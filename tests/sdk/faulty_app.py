"""The real application with faults that the caller names, as gunicorn and WSGI tests serve it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from plimsoll_service.app import from_environment

# "503 x2" makes the first two sendings of a request fail so; sendings are told apart by the request's id.
FAULT_HEADER = "HTTP_X_FAULT"
SLOW_SECONDS = 1.0
PROBLEM = b'{"type": "about:blank", "title": "Planned", "status": %d, "detail": "planned by a test"}'
Start = Callable[..., Any]


class FaultyApp:
    """A WSGI application that fails as each request asks, and otherwise answers as the service does."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._sent: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        """The fault while it lasts, then the answer."""
        fault, _, times = environ.get(FAULT_HEADER, "").partition(" x")
        with self._lock:
            self._sent[environ["HTTP_X_REQUEST_ID"]] += 1
            lasts = fault and self._sent[environ["HTTP_X_REQUEST_ID"]] <= int(times)
        if not lasts:
            return self._inner(environ, start_response)
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
            return self._inner(environ, start_response)
        if fault == "cut":
            return _cut(b"".join(self._inner(environ, start_response)))
        return _refusal(int(fault), start_response)


def _refusal(status: int, start_response: Start) -> list[bytes]:
    body = PROBLEM % status
    headers = [("Content-Type", "application/problem+json"), ("Content-Length", str(len(body))), ("Retry-After", "0")]
    start_response(f"{status} Planned", headers)
    return [body]


def _cut(content: bytes) -> Iterator[bytes]:
    yield content[: len(content) // 2]
    raise ConnectionAbortedError("planned by a test")


def app() -> FaultyApp:
    """Application that gunicorn serves."""
    return FaultyApp(from_environment())
