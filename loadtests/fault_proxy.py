"""A connection to Redis that can be slow, cut answers in the middle, or swallow everything."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from threading import Thread

LOOPBACK = "127.0.0.1"
PIECE_BYTES = 1 << 16
PASS, SLOW, CUT, SILENT = "pass", "slow", "cut", "silent"
DELAY_SECONDS = 0.4  # more than a lookup waits for Redis, less than a reading of a snapshot does


class Proxy:
    """Proxy that passes bytes between clients and a port on loopback, in its current ``mode``."""

    def __init__(self, port: int) -> None:
        self.mode = PASS
        self._upstream = port
        self._listener = socket.create_server((LOOPBACK, 0))
        self.url = f"redis://{LOOPBACK}:{self._listener.getsockname()[1]}/0"
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with suppress(OSError):
                    server = socket.create_connection((LOOPBACK, self._upstream))
                    for source, sink, answers in ((client, server, False), (server, client, True)):
                        Thread(target=self._pass, args=(source, sink, answers), daemon=True).start()
                    continue
                client.close()

    def _pass(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError), source, sink:
            while piece := source.recv(PIECE_BYTES):
                if self.mode == SLOW and answers:
                    time.sleep(DELAY_SECONDS)
                if self.mode == CUT and answers:
                    sink.sendall(piece[: len(piece) // 2])
                    return
                if self.mode != SILENT:
                    sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
