"""A worker's threads: one for probes, one for sizing, and the others for all that may wait for somebody else.

Who watches a busy worker must not take it for a dead one. Several threads that size would only hand the interpreter to
and fro; where nobody has to be admitted first, the worker's loop does without that one, too.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

# Four batches take all other threads for seconds, and more wait for these; probes give up after three.
PROBES = tuple(
    f"{method} {path}{end}".encode()
    for method in ("GET", "HEAD")
    for path in ("/healthz", "/readyz", "/metrics")
    for end in (" ", "?")
)


SIZING = tuple(
    f"{method} /v1/{question}{end}".encode()
    for method, question in (
        ("POST", "recommendations"),
        ("GET", "recommendations"),
        ("POST", "estimates"),
        ("POST", "comparisons"),
    )
    for end in (" ", "?")
)
AT_OLD_PRICES = b"snapshot="  # which may have to be looked for in Redis


def is_sizing(received: bytes | bytearray) -> bool:
    """Whether a request asks for sizing that waits for nobody but who admits it, by its first line."""
    return received.startswith(SIZING) and received.find(AT_OLD_PRICES, 0, received.find(b"\r\n")) < 0


class Threads:
    """Works on connections, as gunicorn has its pool of threads do."""

    def __init__(self, most: int) -> None:
        self._work = ThreadPoolExecutor(most)
        self._probes = ThreadPoolExecutor(1)
        self._sizing = ThreadPoolExecutor(1)

    def submit(self, handle: Callable[[Any], Any], connection: Any) -> Future[Any]:
        """Have a thread handle the request that has come over the connection."""
        incoming = connection.incoming
        return self._lane(b"" if incoming is None else incoming.received).submit(handle, connection)

    def _lane(self, received: bytes | bytearray) -> ThreadPoolExecutor:
        """Whose turn a request is, by its first line."""
        if received.startswith(PROBES):
            return self._probes
        if is_sizing(received):
            return self._sizing
        return self._work

    def shutdown(self, wait: bool = True) -> None:
        """Begin nothing more."""
        self._work.shutdown(wait=wait)
        self._probes.shutdown(wait=wait)
        self._sizing.shutdown(wait=wait)
