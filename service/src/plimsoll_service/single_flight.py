"""One computation for all threads that ask for the same value at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SingleFlight(Generic[Result]):
    """One computation for each key at a time; later callers wait for its result or its error."""

    def __init__(self) -> None:
        self._running: dict[str, Future[Result]] = {}
        self._lock = Lock()

    def run(self, key: str, compute: Callable[[], Result]) -> Result:
        """Return the result of ``compute``, or of the running computation of the same key."""
        with self._lock:
            under_way = self._running.get(key)
            if under_way is None:
                own = self._running[key] = Future[Result]()
        if under_way is not None:
            return under_way.result()
        try:
            own.set_result(compute())
        except BaseException as error:
            own.set_exception(error)
        finally:
            with self._lock:
                del self._running[key]
        return own.result()
