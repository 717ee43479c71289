"""Servers on loopback during a measurement: the service as users start it, or any application beside it."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

import plimsoll_service

GUNICORN = Path(plimsoll_service.__file__).parent / "gunicorn.conf.py"
HERE = Path(__file__).parent
PROXY = HERE.parent / "deploy" / "chart" / "files" / "nginx.conf"
LOOPBACK = "127.0.0.1"
SCRATCH = "/tmp/"  # noqa: S108 - where the proxy writes; here it has a folder of its own
START_SECONDS = 30.0
STOP_SECONDS = 60.0  # above gunicorn's own patience with requests under way
POLL_SECONDS = 0.01
SERVICE = "plimsoll_service.app:from_environment()"


@dataclass(frozen=True)
class Server:
    """A running server: its address, and gunicorn's master."""

    port: int
    master: psutil.Popen

    def workers(self) -> list[psutil.Process]:
        """gunicorn's current workers, oldest first."""
        return sorted(self.master.children(), key=lambda worker: worker.pid)


@contextmanager
def service(workers: int = 1, log: Path | None = None, **variables: str) -> Iterator[Server]:
    """The service by its own command, with these environment variables, until the block ends; ``log`` takes its log."""
    port = free_port()
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    with _running(command, port, {"WEB_CONCURRENCY": str(workers)} | variables, "/readyz", log) as server:
        while len(server.workers()) < workers:  # the first one answers before the others are there
            time.sleep(POLL_SECONDS)
        yield server


@contextmanager
def application(name: str, path: str, workers: int = 1) -> Iterator[Server]:
    """Another WSGI application of this directory under the service's gunicorn settings; ``path`` answers 200."""
    port = free_port()
    options = ["--config", str(GUNICORN), "--bind", f"{LOOPBACK}:{port}", "--chdir", str(HERE)]
    command = [sys.executable, "-m", "gunicorn", *options, name]
    with _running(command, port, {"WEB_CONCURRENCY": str(workers)}, path) as server:
        yield server


@contextmanager
def proxied(port: int) -> Iterator[int]:
    """Port of an nginx with the configuration of `deploy/`, in front of a service on this machine."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        raise RuntimeError("there is no nginx; Debian has it in nginx-light")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nginx gives up the rights of root, if it has them
        own, configuration = free_port(), Path(folder) / "nginx.conf"
        text = PROXY.read_text().replace(SCRATCH, f"{folder}/")
        for stated, here in (("plimsoll:8080", f"{LOOPBACK}:{port}"), ("listen 8080", f"listen {LOOPBACK}:{own}")):
            assert stated in text
            text = text.replace(stated, here)
        configuration.write_text(text)
        proxy = psutil.Popen([nginx, "-e", "/dev/stderr", "-c", str(configuration), "-g", "daemon off;"])
        try:
            wait_until_ready(Server(own, proxy), "/readyz")
            yield own
        finally:
            proxy.terminate()
            proxy.wait(STOP_SECONDS)


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(server: Server, path: str, seconds: float = START_SECONDS) -> None:
    """Return at the first 200; ``RuntimeError`` if the server ended or takes too long."""
    deadline = time.monotonic() + seconds
    while status_of(server.port, path) != http.client.OK:
        if server.master.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"no server on port {server.port} answers {path}")
        time.sleep(POLL_SECONDS)


def status_of(port: int, path: str) -> int | None:
    """Status of a GET over a new connection; ``None`` if nothing answers."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=START_SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """This environment with the given settings of the service in place of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PLIMSOLL_", "GUNICORN_"))}
    return own | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | variables


@contextmanager
def _running(
    command: list[str], port: int, variables: Mapping[str, str], path: str, log: Path | None = None
) -> Iterator[Server]:
    with (log or Path(os.devnull)).open("wb") as output:
        master = psutil.Popen(command, env=environment(variables), stdout=output, stderr=output)
    try:
        server = Server(port, master)
        wait_until_ready(server, path)
        yield server
    finally:
        with suppress(psutil.NoSuchProcess):  # a scene may have stopped it
            master.terminate()
        try:
            master.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            master.kill()
            master.wait()
