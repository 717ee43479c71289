"""Questions that the worker's own loop answers, one in each of its rounds.

Sizing waits for nobody, and takes a millisecond or two: to hand it to a thread and back would cost a twentieth more,
and so would it to read a head again that came before.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from functools import cached_property
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from ..api.ahead import WAITS_FOR_NOBODY
from .draining import under_way
from .heads import Heads
from .threads import is_sizing
from .whole import answered


def _done(kept: bool) -> Future[bool]:
    done = Future[bool]()
    done.set_result(kept)
    return done


# What a thread would leave behind, as gunicorn takes it.
KEPT, ENDED = _done(True), _done(False)


class TurnTakingWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threaded worker, whose loop sizes itself where keys, limits and traces give it nothing to wait for."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self._turns: deque[Any] = deque()
        self._heads = Heads()

    def hand_over(self, conn: Any) -> None:
        """Have the request answered that has come over a connection."""
        if is_sizing(conn.incoming.received) and WAITS_FOR_NOBODY in getattr(self.wsgi, "extensions", {}):
            self._turns.append(conn)
        else:
            super().enqueue_req(conn)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """See what clients have done, without waiting for them while there is a question, and answer one."""
        super().wait_for_and_dispatch_events(0.0 if self._turns else timeout)
        if self._turns:
            conn = self._turns.popleft()
            self.finish_request(conn, KEPT if self._answer(conn) else ENDED)

    def _answer(self, conn: Any) -> bool:
        """Answer the request, and say whether the connection is kept."""
        received = bytes(conn.incoming.received)
        known = self._heads.environ(conn, received) if self._is_plain(conn) else None
        if known is None:
            kept = bool(self.handle(conn))
            if kept and conn.parser.mesg is not None and not conn.is_http2:
                self._heads.learn(conn, received, conn.parser.mesg, self.cfg)
            return kept
        conn.incoming = None
        environ, rest = known
        conn.sock.lay(rest)
        try:
            answer = answered(self.wsgi, environ)
        except Exception as error:  # as gunicorn does
            self.handle_error(None, conn.sock, conn.client, error)
            return False
        try:
            conn.sock.sendall(answer)
        except OSError as error:
            self.log.debug("the client has gone: %s", error)
            return False
        return True

    def _is_plain(self, conn: Any) -> bool:
        """Whether gunicorn would do no more than read, answer and keep the connection: neither count, log nor end."""
        lasts = self.alive and not under_way() and len(self.keepalived_conns) < self.max_keepalived
        return conn.initialized and not conn.is_http2 and lasts and not self._counts

    @cached_property
    def _counts(self) -> bool:
        """Whether gunicorn itself is to count or log requests."""
        return bool(self.cfg.max_requests or self.cfg.statsd_host or self.log.access_log_enabled)
