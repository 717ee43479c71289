"""gunicorn's threaded worker, whose threads never wait for a client.

The worker's loop collects a request before a thread sees it, and sends off what a client is slow to take: a thousand
connections that send a byte a second hold up nobody.
"""

from __future__ import annotations

import selectors
import socket
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.errors import ConfigError
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER

from ..settings import DEFAULT_MAX_BODY_BYTES
from .buffered_socket import BufferedSocket
from .connection import Connection
from .incoming import Incoming
from .open_files import most_connections
from .refusals import BAD_REQUEST, CROWDED, TOO_SLOW, ToldReader, answer, refusal
from .threads import Threads
from .tidying import tidy
from .turns import TurnTakingWorker

PIECE_BYTES = 1 << 16
# Of requests that are not answered and answers that are not sent, all of a worker's together: sixteen of the largest.
MOST_HELD_BYTES = 64 * 1024 * 1024
SWEEP_SECONDS = 0.5
LINGER_SECONDS = 2.0  # so long a client may go on sending after its answer: hanging up at once could destroy it
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class PatientWorker(TurnTakingWorker):
    """Collects requests and sends answers in its loop; threads only work."""

    def __init__(self, age: int, ppid: int, sockets: Any, app: Any, timeout: float, cfg: Any, log: Any) -> None:
        try:
            super().__init__(age, ppid, sockets, app, timeout, cfg, log)
        except OSError as error:  # the heartbeat's place takes no files any more: this must not end the server
            log.warning("no heartbeat in %s: %s", cfg.worker_tmp_dir, error)
            cfg.set("worker_tmp_dir", tempfile.gettempdir())
            super().__init__(age, ppid, sockets, app, timeout, cfg, log)
        self._waiting: dict[Connection, None] = {}  # in the order in which their waits began
        self._held = 0
        self._swept = 0.0

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Raise ``ConfigError`` for TLS, whose bytes are not a request's."""
        if cfg.is_ssl:
            raise ConfigError("this worker speaks HTTP: end TLS in front of it, or serve with --worker-class gthread")
        super().check_config(cfg, log)

    def init_process(self) -> None:
        """Run, with no more connections than there may be open files."""
        self.worker_connections = most_connections(self.worker_connections, self.cfg.threads)
        self.max_keepalived = self.worker_connections - self.cfg.threads
        super().init_process()

    def get_thread_pool(self) -> Threads:
        """The worker's threads; gunicorn asks for them."""
        return Threads(self.cfg.threads)

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection; where there are too many, the one that has been waited for longest goes."""
        with suppress(BlockingIOError, ConnectionAbortedError):
            client, address = listener.accept()
            self.nr_conns += 1
            self.enqueue_req(Connection(self.cfg, client, address, listener.getsockname()))
            if self.nr_conns >= self.worker_connections and self._waiting:
                self._give_up(next(iter(self._waiting)))

    def enqueue_req(self, conn: Connection) -> None:
        """Give the connection to a thread once its request is there."""
        most_body = getattr(self.wsgi, "config", {}).get("MAX_CONTENT_LENGTH") or DEFAULT_MAX_BODY_BYTES
        conn.incoming = Incoming(most_body)
        if conn.parser is not None:
            conn.incoming.take(conn.parser.unreader.take_buffered())
        if not self._collect(conn):
            self._wait(conn, selectors.EVENT_READ, self._collect_on, self.cfg.timeout)

    def handle(self, conn: Connection) -> Any:
        """Answer the request; in a thread."""
        incoming, conn.incoming = conn.incoming, None
        if incoming is not None:
            conn.sock.lay(bytes(incoming.received))
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Answer the request; a body whose framing is broken is refused like any other fault of a client."""
        req.body.reader = ToldReader(req.body.reader)
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: BufferedSocket, addr: Any, exc: BaseException) -> None:
        """Answer what is no HTTP request with a problem document."""
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        self.log.debug("refused %s: %s", addr, exc)
        with suppress(OSError):
            client.sendall(refusal(exc))

    def finish_request(self, conn: Connection, fs: Future[Any]) -> None:
        """Send what the client has not taken yet; then keep the connection, or end it."""
        self._hold(conn, len(conn.sock.unsent) - conn.held)
        if not conn.sock.unsent:
            self._finish(conn, fs)
            return
        self._wait(conn, selectors.EVENT_WRITE, partial(self._send_on, fs), self.cfg.timeout)
        self._relieve()

    def murder_pending(self) -> None:
        """End the waits that took too long, and tidy up."""
        now = time.monotonic()
        if now < self._swept + SWEEP_SECONDS:
            return
        self._swept = now
        tidy()
        for conn in [each for each in self._waiting if each.until < now or self._is_idle(each)]:
            self._give_up(conn)

    def _is_idle(self, conn: Connection) -> bool:
        """Whether the worker stops, and the client has long had the time to begin a request."""
        began = conn.incoming is None or conn.incoming.received
        return not self.alive and not began and conn.until - self.cfg.timeout < time.monotonic() - STOP_KEEPALIVE_LINGER

    def _collect(self, conn: Connection) -> bool:
        """Take what has come; true where there is nothing more to wait for, and a thread has it, or it is closed."""
        incoming = conn.incoming
        if incoming is None:
            return True
        try:
            while not incoming.complete:
                piece = conn.sock.receive(PIECE_BYTES)
                if piece is None:
                    if incoming.wants_word():
                        conn.sock.say(CONTINUE)
                    return False
                if not piece and not incoming.received:
                    self._close(conn)
                    return True
                if not piece:
                    break
                incoming.take(piece)
                self._hold(conn, len(piece))
        except OSError:
            self._close(conn)
            return True
        if not incoming.complete and incoming.missing:
            self._refuse(conn, BAD_REQUEST, f"the body ended {incoming.missing} bytes too soon")
        elif self._held > MOST_HELD_BYTES and conn.held > PIECE_BYTES:
            self._refuse(conn, CROWDED, "too many large requests at once; try again in a second")
        else:
            self.hand_over(conn)
        return True

    def _collect_on(self, conn: Connection) -> None:
        if self._collect(conn):
            self._forget(conn)
        self._relieve()

    def _send_on(self, fs: Future[Any], conn: Connection) -> None:
        try:
            conn.sock.send_on()
        except OSError:
            self._give_up(conn)
            return
        if not conn.sock.unsent:
            self._forget(conn)
            self._finish(conn, fs)

    def _finish(self, conn: Connection, fs: Future[Any]) -> None:
        """Keep the connection for another request, if that can be, and else end it once the client knows."""
        kept = not fs.cancelled() and fs.exception() is None and bool(fs.result())
        if kept and not conn.sock.starved:
            conn.parser.unreader.unread(conn.parser.unreader.take_buffered() + conn.sock.rest())
            super().finish_request(conn, fs)
            return
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        self._wait(conn, selectors.EVENT_READ, self._linger, LINGER_SECONDS)

    def _linger(self, conn: Connection) -> None:
        """Throw away what the client sends after its answer, up to as much as a body may have."""
        try:
            piece = conn.sock.receive(PIECE_BYTES)
        except OSError:
            piece = b""
        conn.lingered += len(piece or b"")
        if piece == b"" or conn.lingered > 2 * DEFAULT_MAX_BODY_BYTES:
            self._give_up(conn)

    def _wait(self, conn: Connection, event: int, go_on: Callable[[Connection], None], seconds: float) -> None:
        """Have ``go_on`` called when the client has done its part, for so long."""
        conn.until = time.monotonic() + seconds
        self._waiting[conn] = None

        def wake(_: Any) -> None:
            if conn in self._waiting:  # what woke up before it, in the same round, may have ended it
                go_on(conn)

        self.poller.register(conn.sock, event, wake)

    def _forget(self, conn: Connection) -> None:
        """Wait no longer for the client."""
        if conn in self._waiting:
            del self._waiting[conn]
            with suppress(OSError, KeyError, ValueError):
                self.poller.unregister(conn.sock)

    def _give_up(self, conn: Connection) -> None:
        """End the connection; a client that began a request hears why."""
        self._forget(conn)
        if conn.incoming is not None and conn.incoming.received:
            with suppress(OSError):
                conn.sock.say(answer(TOO_SLOW, f"the request was not complete within {self.cfg.timeout} seconds"))
        self._close(conn)

    def _relieve(self) -> None:
        """End the longest waits while too much is held."""
        while self._held > MOST_HELD_BYTES and self._waiting:
            self._give_up(next(iter(self._waiting)))

    def _refuse(self, conn: Connection, status: tuple[int, str], detail: str) -> None:
        """End the connection of a request that nobody will see."""
        with suppress(OSError):
            conn.sock.say(answer(status, detail))
        self._close(conn)

    def _hold(self, conn: Connection, more: int) -> None:
        """Count the bytes that are kept for a connection."""
        conn.held += more
        self._held += more

    def _close(self, conn: Connection) -> None:
        self._hold(conn, -conn.held)
        self.nr_conns -= 1
        conn.close()
