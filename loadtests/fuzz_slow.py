"""Clients that take their time: hundreds of connections that send, or read, next to nothing, beside one in a hurry."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread

from fuzz_wire import LOOPBACK, Wire, request

HEAD = b"POST /v1/recommendations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
UNREAD = "answers never read"
# Each goes on with a byte a second; the last one asks for much and reads none of it.
BEGINNINGS = {
    "nothing": b"",
    "head a byte a second": HEAD[:20],
    "endless head": HEAD,
    "body a byte a second": HEAD + b"Content-Length: 3000000\r\n\r\n{",
    "chunk a byte a second": HEAD + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n{",
    "too large a body a byte a second": HEAD + b"Content-Length: 100000000\r\n\r\n{",
    UNREAD: request("GET", "/v1/evidence?limit=1000") * 30,
}
CONNECTIONS = dict.fromkeys(BEGINNINGS, 300) | {UNREAD: 40}  # answers cost the service work, slowness alone does not
SMALL_BUFFER = 4096  # of the clients that do not read, so that the service has to keep what it says
HURRY_SECONDS = 5.0


@dataclass(frozen=True)
class Hurry:
    """What the client in a hurry saw beside the slow ones."""

    answered: int
    failed: int
    slowest_seconds: float


def beside_slow(port: int, name: str, seconds: float) -> Hurry:
    """Ask one request after the other for so long, while others dawdle in the way of that name."""
    answered, failed, slowest = 0, 0, 0.0
    with dawdling(port, BEGINNINGS[name], CONNECTIONS[name]):
        wire, until = Wire(port, HURRY_SECONDS), time.monotonic() + seconds
        while time.monotonic() < until:
            outcome = wire.ask(request("GET", "/healthz"), alone=answered % 2 == 0)
            answered, failed = answered + (outcome.status == 200), failed + (outcome.status != 200)
            slowest = max(slowest, outcome.seconds)
            time.sleep(0.01)
        wire.close()
    return Hurry(answered, failed, slowest)


@contextmanager
def dawdling(port: int, beginning: bytes, connections: int) -> Iterator[None]:
    """So many connections that each begin a request and go on with a byte a second."""
    stop = Event()
    with ExitStack() as opened:
        slow = [opened.enter_context(_connection(port, beginning)) for _ in range(connections)]
        thread = Thread(target=_trickle, args=(slow, stop))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


def _connection(port: int, beginning: bytes) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    connection.settimeout(HURRY_SECONDS)
    with suppress(OSError):
        connection.connect((LOOPBACK, port))
        connection.sendall(beginning)
    connection.setblocking(False)
    return connection


def _trickle(slow: list[socket.socket], stop: Event) -> None:
    while not stop.wait(1.0):
        for connection in slow:
            with suppress(OSError):  # the service has ended it, as it may
                connection.send(b"x")
