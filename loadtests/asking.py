"""Clients in processes of their own over kept-alive connections, so cheap that they measure the server."""

from __future__ import annotations

import json
import resource
import socket
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context
from typing import Any, Self

from running import LOOPBACK
from workloads import variant

ROUTE = "/v1/recommendations"
JSON = {"Content-Type": "application/json"}
READ_BYTES = 1 << 16
TIMEOUT_SECONDS = 30.0
LEAD_SECONDS = 0.5  # by then every client has its requests and its connection
APART_SECONDS = 0.02  # connections that come all at once may all be accepted by the worker that wakes up first


@dataclass(frozen=True)
class Asked:
    """Result of some seconds of requests: answers, their bytes, and the processor time of the clients."""

    answers: int
    answer_bytes: int
    wall_seconds: float
    client_seconds: float

    @property
    def per_second(self) -> float:
        """Answers per second."""
        return self.answers / self.wall_seconds

    @property
    def client_cores(self) -> float:
        """Number of cores that the clients kept busy."""
        return self.client_seconds / self.wall_seconds


class Clients:
    """A number of clients, each with its own connection, that ask again as soon as they are answered."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._pool = ProcessPoolExecutor(number, get_context("spawn"))

    def ask(self, port: int, requests: Sequence[bytes], seconds: float) -> Asked:
        """Send the requests for that many seconds, divided between the clients; after the last one, start again."""
        begin = time.time() + LEAD_SECONDS
        shares = [requests[own :: self._number] or requests for own in range(self._number)]
        running = [
            self._pool.submit(ask_on, port, share, begin, own * APART_SECONDS, seconds)
            for own, share in enumerate(shares)
        ]
        done = [each.result() for each in running]
        return Asked(
            answers=sum(each.answers for each in done),
            answer_bytes=sum(each.answer_bytes for each in done),
            wall_seconds=max(each.wall_seconds for each in done),
            client_seconds=sum(each.client_seconds for each in done),
        )

    def __enter__(self) -> Self:
        # A first task for each client, so that none is started while it is measured.
        list(self._pool.map(time.sleep, [LEAD_SECONDS] * self._number))
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()


def ask_on(port: int, requests: Sequence[bytes], begin: float, wait: float, seconds: float) -> Asked:
    """Ask as one client, in its own process; ``RuntimeError`` at an answer other than 200."""
    time.sleep(wait)
    with Connection(port) as connection:
        time.sleep(max(0.0, begin - time.time()))
        began, busy = time.perf_counter(), processor_seconds()
        answers = total = 0
        for request in cycle(requests):
            total += len(connection.ask(request))
            answers += 1
            taken = time.perf_counter() - began
            if taken >= seconds:
                break
        return Asked(answers, total, taken, processor_seconds() - busy)


class Connection:
    """A kept-alive connection that reads an answer's status and length and nothing else of its head."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((LOOPBACK, port), TIMEOUT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> bytes:
        """The body of the answer; ``RuntimeError`` unless it is a 200 with a length."""
        self._socket.sendall(request)
        received = self._socket.recv(READ_BYTES)
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        status, _, fields = head.lower().partition(b"\r\n")
        length = fields.partition(b"content-length:")[2].partition(b"\r\n")[0]
        if b" 200 " not in status or not length:
            raise RuntimeError(f"{head.decode(errors='replace')}: {body[:500].decode(errors='replace')}")
        parts, missing = [body], int(length) - len(body)
        while missing > 0:
            parts.append(self._more())
            missing -= len(parts[-1])
        return b"".join(parts)

    def _more(self) -> bytes:
        part = self._socket.recv(READ_BYTES)
        if not part:
            raise ConnectionError("the server closed the connection in the middle of an answer")
        return part

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def post(body: dict[str, Any], path: str = ROUTE) -> bytes:
    """Return the bytes of a request with this body."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}"
    )
    return f"{head}\r\n\r\n".encode() + content


def distinct(examples: Sequence[str], numbers: range) -> list[bytes]:
    """One request for each number, of each example in turn, no two alike."""
    return [post(variant(example, number)) for number, example in zip(numbers, cycle(examples), strict=False)]


def processor_seconds() -> float:
    """Processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
