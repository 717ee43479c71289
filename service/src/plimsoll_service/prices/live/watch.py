"""A thread that does one thing about once a second, in whichever process it is started."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any
from weakref import WeakMethod

import structlog

INTERVAL_SECONDS = 1.0
JITTER = 0.25  # so that the workers of an installation do not ask in step
_CHANCE = random.SystemRandom()


class Watcher:
    """Calls ``step`` in a thread of the process, for as long as the watcher lives.

    Threads do not survive a fork: each process starts its own, after ``begin`` where another process made the watcher.
    """

    def __init__(self, step: Callable[[], None], begin: Callable[[], None] = lambda: None) -> None:
        self._step = step
        self._begin = begin
        self._maker = os.getpid()
        self._process: int | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Start the thread, unless this process has it."""
        if self._process == os.getpid():
            return
        with self._lock:
            process = os.getpid()
            if self._process != process:
                if self._maker != process:
                    self._begin()
                self._process = process
                Thread(target=_run, args=(WeakMethod(self._step),), daemon=True, name="price-watcher").start()


def _run(step: WeakMethod[Any]) -> None:
    failure = ""
    while (call := step()) is not None:
        try:
            call()
            failure = ""
        except Exception as error:  # what goes wrong once must not end the watch; logged when it is news
            if failure != (failure := repr(error)):
                structlog.get_logger(__name__).error("price_watch_failed", exc_info=error)
        del call  # so that the object can go while the thread sleeps
        time.sleep(INTERVAL_SECONDS * _CHANCE.uniform(1 - JITTER, 1 + JITTER))
