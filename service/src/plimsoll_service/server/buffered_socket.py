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

    def recv(self, _size: int, _flags: int = 0) -> bytes:
        """Nothing: all that came is with the parser already. Who asks for more misread where the request ends."""
        self.starved = True
        return b""

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
