"""A real HTTP server on loopback that answers or fails as planned, and both clients behind one call."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import plimsoll_service
from plimsoll import AsyncClient, Client, Retry, Timeouts
from plimsoll._retry import AsyncRetryingTransport, RetryingTransport
from plimsoll.config import DEFAULT_RETRY, DEFAULT_TIMEOUTS

Step = Callable[[BaseHTTPRequestHandler], None]
SENT_ONCE = Retry(attempts=1)
LONGEST_HANG_SECONDS = 10
ROOT = Path(__file__).resolve().parents[2]
GUNICORN = Path(plimsoll_service.__file__).parent / "gunicorn.conf.py"
START_ATTEMPTS = 200  # each a tenth of a second on average: as long as a busy machine may need to load the catalog


@dataclass(frozen=True)
class Request:
    """Request that the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class PlannedServer:
    """Takes one planned step for each request, in order; ``requests`` are those received."""

    steps: deque[Step] = field(default_factory=deque)
    requests: list[Request] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def answers(self, status: int, document: Any, headers: dict[str, str] | None = None) -> None:
        """Plan an answer; any value other than bytes is sent as JSON."""
        content = document if isinstance(document, bytes) else json.dumps(document).encode()

        def step(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | (headers or {})).items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(content)

        self.steps.append(step)

    def drops(self) -> None:
        """Plan to close the connection without an answer."""
        self.steps.append(lambda handler: setattr(handler, "close_connection", True))

    def cuts(self, document: Any) -> None:
        """Plan to close the connection in the middle of the body."""
        content = json.dumps(document).encode()

        def step(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[: len(content) // 2])
            handler.close_connection = True

        self.steps.append(step)

    def hangs(self) -> None:
        """Plan to stay silent until the test ends."""

        def step(handler: BaseHTTPRequestHandler) -> None:
            self.released.wait(LONGEST_HANG_SECONDS)
            handler.close_connection = True

        self.steps.append(step)


def _handler_of(server: PlannedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _take(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(content) if content else None
            server.requests.append(Request(self.command, self.path, dict(self.headers), body))
            server.steps.popleft()(self)

        do_GET = do_POST = _take  # noqa: N815 - the names that http.server calls

        def log_message(self, *_: Any) -> None:
            """Keep the test's output clean."""

    return Handler


def _let_arrive(server: PlannedServer) -> None:
    """Wait for requests that an impatient client gave up before the busy machine read them."""
    give_up = time.monotonic() + LONGEST_HANG_SECONDS
    while server.steps and time.monotonic() < give_up:
        time.sleep(0.01)


@pytest.fixture
def server() -> Iterator[PlannedServer]:
    """A server without a plan; all planned steps must be used when the test ends."""
    planned = PlannedServer()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(planned)) as real:
        planned.url = f"http://127.0.0.1:{real.server_port}"
        thread = threading.Thread(target=real.serve_forever, args=(0.01,))
        thread.start()
        yield planned
        _let_arrive(planned)
        planned.released.set()
        real.shutdown()
        thread.join()
    assert not planned.steps, "the client asked less often than planned"


@pytest.fixture(scope="session")
def service_url() -> Iterator[str]:
    """Address of the real application under gunicorn with one worker, behind the faults of ``faulty_app``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        bind = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-m", "gunicorn", "--config", str(GUNICORN), "--workers", "1", "--bind", bind]
    command += ["--log-level", "critical", "--chdir", str(ROOT), "tests.sdk.faulty_app:app()"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PLIMSOLL_LOG_LEVEL": "critical"}
    process = subprocess.Popen(command, env=environment)
    try:
        patient = Retry(attempts=START_ATTEMPTS, base_seconds=0.1, cap_seconds=0.2)
        with Client(f"http://{bind}", retry=patient) as client:
            client.ready()
        yield f"http://{bind}"
    finally:
        process.terminate()
        process.wait()


@dataclass
class Asker:
    """Calls one method of a client; ``slept`` are its waits, which are not really waited for."""

    kind: str
    url: str
    retry: Retry = DEFAULT_RETRY
    timeout: Timeouts = DEFAULT_TIMEOUTS
    headers: dict[str, str] = field(default_factory=dict)
    slept: list[float] = field(default_factory=list)
    jitter: float = 1.0

    def __call__(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Result of the method; for an iterator, the list of its items."""
        if self.kind == "sync":
            return self._ask(method, *args, **kwargs)
        return asyncio.run(self._ask_async(method, *args, **kwargs))

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        transport = RetryingTransport(httpx.HTTPTransport(), self.retry, self.slept.append, lambda: self.jitter)
        with Client(self.url, transport=transport, **self._options()) as client:
            result = getattr(client, method)(*args, **kwargs)
            return list(result) if isinstance(result, Iterator) else result

    async def _ask_async(self, method: str, *args: Any, **kwargs: Any) -> Any:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        transport = AsyncRetryingTransport(httpx.AsyncHTTPTransport(), self.retry, sleep, lambda: self.jitter)
        async with AsyncClient(self.url, transport=transport, **self._options()) as client:
            result = getattr(client, method)(*args, **kwargs)
            if isinstance(result, AsyncIterator):
                return [item async for item in result]
            return await result

    def _options(self) -> dict[str, Any]:
        # The transport given retries already, with sleep and jitter that a test can see.
        return {"retry": SENT_ONCE, "timeout": self.timeout, "headers": self.headers}


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, server: PlannedServer) -> Asker:
    """Either client, at the server with a plan."""
    return Asker(request.param, server.url)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of the service in this process."""
    with Client.local() as client:
        yield client
