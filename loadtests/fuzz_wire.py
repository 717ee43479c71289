"""Raw bytes to the service and its answer, over a socket, for requests that no HTTP client would send."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote

LOOPBACK = "127.0.0.1"
PATIENCE_SECONDS = 35.0  # above all of the service's own timeouts: what takes longer hangs
PIECE_BYTES = 1 << 16
HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Ending:
    """End of a request: its status, or ``None`` if the connection closed without one or, if ``hung``, stayed open."""

    status: int | None
    seconds: float
    hung: bool = False
    answer: bytes = b""


class Wire:
    """A connection to the service that is opened again whenever it has ended."""

    def __init__(self, port: int, patience: float = PATIENCE_SECONDS) -> None:
        self._port = port
        self._patience = patience
        self._socket: socket.socket | None = None

    def ask(self, request: bytes | Iterable[bytes], *, alone: bool = False, again: bool = True) -> Ending:
        """Send the bytes and read one answer; ``alone``: over a new connection, which carries nothing else.

        ``again`` says that a kept connection which ended without an answer is made anew, as HTTP clients do.
        """
        if alone:
            self.close()
        kept = self._socket is not None
        began = time.monotonic()
        try:
            answer = self._exchange(request, last=alone)
        except TimeoutError:
            self.close()
            return Ending(None, time.monotonic() - began, hung=True)
        if alone or not answer or b"\r\nConnection: close" in answer:
            self.close()
        if (
            again and kept and not answer and isinstance(request, bytes)
        ):  # the service had ended the idle connection, as it may
            return self.ask(request, alone=True)
        return Ending(int(answer[9:12]) if answer else None, time.monotonic() - began, answer=answer)

    def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _exchange(self, request: bytes | Iterable[bytes], *, last: bool) -> bytes:
        """Send the bytes and return the answer; nothing if the connection ends without one."""
        only_head = isinstance(request, bytes) and request.startswith(b"HEAD ")
        try:
            connection = self._connected()
            with suppress(
                BrokenPipeError, ConnectionResetError
            ):  # refused before all was sent: the answer may be there
                for piece in (request,) if isinstance(request, bytes) else request:
                    connection.sendall(piece)
            if last:
                with suppress(OSError):  # the service need not wait for the rest of half a request
                    connection.shutdown(socket.SHUT_WR)
            return _answer(connection, only_head=only_head)
        except ConnectionError:
            return b""

    def _connected(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection((LOOPBACK, self._port), timeout=self._patience)
        return self._socket


def request(method: str, target: str, body: bytes | None = None, *fields: str) -> bytes:
    """Bytes of an HTTP request; the target is sent unchanged."""
    told = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
    if body is not None:
        told += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*told, "", ""]).encode("latin-1", "replace") + (body or b"")


def target(path: str, query: str = "") -> str:
    """Any text as a path and query that is allowed in a request's first line."""
    escaped = quote(path.encode(errors="surrogatepass"), safe="/%")
    return f"{escaped}?{query}" if query else escaped


def _answer(connection: socket.socket, *, only_head: bool) -> bytes:
    """One whole answer; empty if the connection ends before it is complete."""
    received = bytearray()
    missing = 1
    while missing > 0 and (piece := connection.recv(PIECE_BYTES)):
        received += piece
        head_end = received.find(HEAD_END)
        if received.startswith(b"HTTP/1.1 100") and head_end >= 0:
            del received[: head_end + len(HEAD_END)]
            head_end = received.find(HEAD_END)
        length = None if head_end < 0 or only_head else _LENGTH.search(received, 0, head_end + 2)
        missing = 1 if head_end < 0 else head_end + len(HEAD_END) + int(length[1] if length else 0) - len(received)
    return bytes(received) if missing <= 0 else b""
