"""A connection as gunicorn knows it, with what the worker's loop keeps of it beside."""

from __future__ import annotations

import socket
from typing import Any

from gunicorn.workers.gthread import TConn

from .buffered_socket import BufferedSocket
from .incoming import Incoming


class Connection(TConn):  # type: ignore[misc]
    """A connection with what has come of its next request, and until when the worker waits for the client."""

    def __init__(self, settings: Any, client: socket.socket, address: Any, server: Any) -> None:
        super().__init__(settings, BufferedSocket(client), address, server)
        self.data_ready = True  # no thread gets it earlier
        self.incoming: Incoming | None = None
        self.until = 0.0
        self.held = 0
        self.lingered = 0
