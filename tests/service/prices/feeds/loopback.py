"""A provider on the loopback: it serves given answers by path, keeps the requests, and breaks on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """An answer; ``cut`` sends only that many bytes of a body whose whole length was announced."""

    body: bytes | str | dict[str, Any] | list[Any] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None

    @property
    def content(self) -> bytes:
        """The body as bytes."""
        if isinstance(self.body, (dict, list)):
            return json.dumps(self.body).encode()
        return self.body.encode() if isinstance(self.body, str) else self.body


Route = Callable[[Asked], Reply]


class Provider:
    """Answers by path; a path without a route is a 404, unless ``any`` gives another answer."""

    def __init__(self) -> None:
        self.routes: dict[str, Route] = {}
        self.asked: list[Asked] = []
        self.any = Reply(status=404)  # the answer of a path without a route
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def serve(self, path: str, *replies: Reply | dict[str, Any] | list[Any] | str | bytes) -> None:
        """Answer a path with these in turn, and then always with the last one."""
        left = [reply if isinstance(reply, Reply) else Reply(reply) for reply in replies]
        self.routes[path] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            """Speaks HTTP/1.1 for the provider."""

            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = (
                True  # headers and body are two writes: the second would wait for an acknowledgement
            )

            def do_GET(self) -> None:
                """Answer a GET."""
                self._answer()

            def do_POST(self) -> None:
                """Answer a POST."""
                self._answer()

            def _answer(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                query = dict(parse_qsl(parts.query, keep_blank_values=True))
                asked = Asked(self.command, parts.path, query, dict(self.headers.items()), body)
                provider.asked.append(asked)
                route = provider.routes.get(parts.path)
                reply = provider.any if route is None else route(asked)
                content = reply.content
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content if reply.cut is None else content[: reply.cut])
                if reply.cut is not None:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        return Handler
