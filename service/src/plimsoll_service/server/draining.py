"""Graceful end of a server: for some seconds it is unready but still answers, then gunicorn stops it.

Whoever sends requests by readiness learns of the end before connections are refused.
"""

from __future__ import annotations

import mmap
import os
import signal
from logging import Logger
from typing import Any

# One byte that master and workers share: the module is loaded before the first fork.
_flag = mmap.mmap(-1, 1)
_STOPS = {signal.SIGTERM, signal.SIGQUIT}


def under_way() -> bool:
    """Whether the server is about to stop."""
    return _flag[0] != 0


def upon_sigterm(seconds: int, log: Logger) -> None:
    """Let gunicorn's master stop that many seconds after a SIGTERM, or at once after a second one."""
    at_once = signal.getsignal(signal.SIGTERM)

    def stop(*_: Any) -> None:
        signal.signal(signal.SIGTERM, at_once)
        os.kill(os.getpid(), signal.SIGTERM)

    def begin(*_: Any) -> None:
        _flag[0] = 1
        log.info("stopping in %d s", seconds)
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    if seconds:
        signal.signal(signal.SIGTERM, begin)


def hold_stops() -> None:
    """Hold back stop signals: a worker that does not listen yet would lose them, and the master would wait for it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)


def take_stops() -> None:
    """Obey stop signals, including those that were held back."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
