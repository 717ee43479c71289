"""A circuit breaker: what is known to be broken is tried again once in a while, not at every request."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class Breaker:
    """Closed until a failure; while open it lets one trial through in every ``retry_seconds``."""

    def __init__(self, retry_seconds: float, clock: Callable[[], float]) -> None:
        self._retry_seconds = retry_seconds
        self._clock = clock
        self._retry_at: float | None = None
        self._lock = Lock()

    def allows(self) -> bool:
        """Whether to try now; a trial granted while open puts off the next one."""
        if self._retry_at is None:
            return True
        with self._lock:
            now = self._clock()
            if self._retry_at is not None and now < self._retry_at:
                return False
            self._retry_at = None if self._retry_at is None else now + self._retry_seconds
            return True

    def failed(self) -> bool:
        """Note a failure; True where it is the one that opened the breaker."""
        with self._lock:
            opened = self._retry_at is None
            self._retry_at = self._clock() + self._retry_seconds
            return opened

    def succeeded(self) -> bool:
        """Note a success; True where it closed the breaker."""
        if self._retry_at is None:
            return False
        with self._lock:
            closed = self._retry_at is not None
            self._retry_at = None
            return closed
