"""A worker's threads, one of them kept for probes: who watches a busy worker must not take it for a dead one."""

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


class Threads:
    """Works on connections, as gunicorn has its pool of threads do."""

    def __init__(self, most: int) -> None:
        self._work = ThreadPoolExecutor(most)
        self._probes = ThreadPoolExecutor(1)

    def submit(self, handle: Callable[[Any], Any], connection: Any) -> Future[Any]:
        """Have a thread handle the request that has come over the connection."""
        incoming = connection.incoming
        probed = incoming is not None and incoming.received.startswith(PROBES)
        return (self._probes if probed else self._work).submit(handle, connection)

    def shutdown(self, wait: bool = True) -> None:
        """Begin nothing more."""
        self._work.shutdown(wait=wait)
        self._probes.shutdown(wait=wait)
