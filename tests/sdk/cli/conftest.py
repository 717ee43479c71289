"""The command line in this process and in its own process, against the real application on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import WSGIRequestHandler, make_server

from plimsoll import Client
from plimsoll.cli.app import plimsoll
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

LONGEST_PROCESS_SECONDS = 60
PROGRAM = [sys.executable, "-m", "plimsoll.cli"]


class _Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        """Keep the test's output free of logs."""


@pytest.fixture(scope="session")
def service_url() -> Iterator[str]:
    """Address of the running application."""
    app = create_app(Settings(log_level="critical"))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(service_url: str) -> Run:
    """Run the command line in this process."""

    def call(*arguments: str, text: str | None = None, **variables: str) -> Result:
        environment = {"PLIMSOLL_URL": service_url} | variables
        return CliRunner().invoke(plimsoll, arguments, input=text, env=environment)

    return call


@pytest.fixture
def client(service_url: str) -> Client:
    """Client of the same service."""
    return Client(service_url)


@pytest.fixture
def environment(service_url: str) -> dict[str, str]:
    """Environment variables of a separate process."""
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return plain | {"PLIMSOLL_URL": service_url, "TERM": "xterm-256color"}


@pytest.fixture
def process(environment: dict[str, str]) -> Process:
    """Run the command line in a separate process, with its output piped."""

    def call(*arguments: str, text: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PROGRAM, *arguments], input=text, env=environment | variables, capture_output=True, text=True,
            timeout=LONGEST_PROCESS_SECONDS, check=False,
        )  # fmt: skip

    return call
