"""The end of a server: for some seconds it says that it goes, and still answers; then gunicorn stops it gracefully.

Whoever sends requests by readiness learns of the end before connections are refused.
"""

from __future__ import annotations

import mmap
import signal
from threading import local
from typing import Any

# One byte that master and workers share: the module is loaded before the first fork.
_flag = mmap.mmap(-1, 1)
_request = local()


def under_way() -> bool:
    """Whether the server goes."""
    return _flag[0] != 0


def upon_sigterm(server: Any, seconds: int) -> None:
    """Have gunicorn's master stop so many seconds after a SIGTERM, or at once at the second one."""

    def stop(*_: Any) -> None:
        server.signal(signal.SIGTERM, None)

    def begin(*_: Any) -> None:
        if under_way() or not seconds:
            stop()
            return
        _flag[0] = 1
        server.log.info("going in %d s", seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGTERM, begin)


def end_connections(worker: Any) -> None:
    """While the server goes, have each answer say that its connection ends; to be called as a request begins."""
    _request.ends = under_way()
    if _request.ends:
        # Not its keepalive setting: that would also end connections whose client has just been told that they last.
        worker.max_keepalived = 0


def ending() -> bool:
    """Whether the server went already when this thread's request began: what its answer says agrees with its head."""
    return getattr(_request, "ends", False)
