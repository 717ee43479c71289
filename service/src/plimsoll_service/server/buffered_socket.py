"""A connection as a thread sees it: it never waits for the client, neither to send nor to take anything."""

from __future__ import annotations

import socket
from typing import Any


class BufferedSocket:
    """A socket that is made non-blocking; what the client does not take yet is ``unsent``."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._connection = connection
        self.unsent = bytearray()
        self.starved = False
        self._came = b""
        self._taken = 0

    def lay(self, came: bytes) -> None:
        """Have the parser find next what has come of a request, piece by piece: what it holds it copies ever again."""
        self._came, self._taken = came, 0

    def recv(self, size: int, _flags: int = 0) -> bytes:
        """More of what has come; empty after that. Who asks for more then misread where the request ends."""
        piece = self._came[self._taken : self._taken + size]
        self._taken += len(piece)
        self.starved = self.starved or not piece
        return piece

    def rest(self) -> bytes:
        """What the parser left: the beginning of the next request."""
        rest = self._came[self._taken :]
        self.lay(b"")
        return rest

    def sendall(self, data: bytes) -> None:
        """Give the client as much as it takes at once, and keep the rest."""
        sent = 0 if self.unsent else self._send(data)
        self.unsent += memoryview(data)[sent:]

    def send(self, data: bytes) -> int:
        """Nothing is sent: gunicorn says so that a body may come, which it has."""
        return len(data)

    def send_on(self) -> None:
        """Give the client more of what was kept; raises ``OSError`` where it has gone."""
        del self.unsent[: self._send(self.unsent)]

    def receive(self, most: int) -> bytes | None:
        """What has come; empty where the client has hung up, ``None`` where there is nothing now."""
        try:
            return self._connection.recv(most)
        except (BlockingIOError, InterruptedError):
            return None

    def say(self, text: bytes) -> None:
        """Send a few bytes beside the answer."""
        self._send(text)

    def setblocking(self, _flag: bool) -> None:
        """Stay as it is: never blocking."""

    def settimeout(self, _seconds: float | None) -> None:
        """Stay as it is: nothing here takes time."""

    def gettimeout(self) -> float:
        """A non-blocking socket's."""
        return 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def _send(self, data: bytes | bytearray) -> int:
        try:
            return self._connection.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
