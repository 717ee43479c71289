"""Callers in different threads that want the same thing at the same time share one computation of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SingleFlight(Generic[Result]):
    """Runs one computation a key at a time; who comes while it runs waits for its result or its error."""

    def __init__(self) -> None:
        self._running: dict[str, Future[Result]] = {}
        self._lock = Lock()

    def run(self, key: str, compute: Callable[[], Result]) -> Result:
        """The result of ``compute``, or of the same key's that is under way."""
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
