"""Other clients beside slow ones: on the service's own port, and through the proxy of `deploy/` in front of it.

Four clients ask different questions over kept connections: alone, beside 1,500 bodies that come a byte a second, and
beside one client that sends a body in chunks of one byte as fast as it can. The status is 1 where one of the four had
no answer through the proxy, or where their median there was more than ten times that of clients alone. The service's
own port is for clients that are trusted not to be slow: its figures are for information.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from threading import Thread

from asking import distinct
from fuzz_wire import Ending, Wire
from running import LOOPBACK, proxied, service
from workloads import EXAMPLES

WORKERS, CLIENTS = 2, 4
MOST_SLOW, MOST_SECONDS = 1500, 60.0
PATIENCE_SECONDS = 10.0  # after which a client gives a request up
HEAD_START_SECONDS = 3.0  # so that all slow clients are connected
MOST_SLOWER = 10.0
HEAD = b"POST /v1/recommendations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY_BYTES = 3_000_000
CHUNKS = b"1\r\n \r\n" * 10_000
REQUESTS = 5000

Slow = Callable[[int, int, float], None]


@dataclass(frozen=True)
class Seen:
    """Seconds of the answered requests, and the number of requests without an answer."""

    seconds: Sequence[float]
    failed: int

    def at(self, share: float) -> float:
        """Milliseconds within which that share of the answers arrived."""
        ordered = sorted(self.seconds) or [float("nan")]
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] * 1000


def main() -> int:
    """Print the table, and say whether the proxy keeps slow clients away."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--slow", type=int, default=MOST_SLOW, help="bodies that come a byte a second")
    options.add_argument("--seconds", type=float, default=20.0, help=f"of each row, up to {MOST_SECONDS:.0f}")
    options.add_argument("--port", type=int, help="of a service that runs already; left out: one of its own")
    asked = options.parse_args()
    seconds, slow = min(asked.seconds, MOST_SECONDS), min(asked.slow, MOST_SLOW)
    print(f"{'':<56}{'answered':>9}{'failed':>8}{'median ms':>11}{'p99 ms':>9}")
    with ExitStack() as running:
        port = asked.port or running.enter_context(service(WORKERS)).port
        measured("own port", port, slow, seconds)
        alone, *beside = measured("proxy", running.enter_context(proxied(port)), slow, seconds)
    failed = sum(seen.failed for seen in (alone, *beside))
    slower = max(seen.at(0.5) for seen in beside) / alone.at(0.5)
    print(f"through the proxy {failed} failed, none may; the median rose {slower:.1f}-fold, {MOST_SLOWER:.0f} may be")
    return int(failed > 0 or slower > MOST_SLOWER)


def measured(door: str, port: int, slow: int, seconds: float) -> list[Seen]:
    """Measure and print each row of one port."""
    rows: dict[str, tuple[Slow, int]] = {
        "alone": (nobody, 0),
        f"beside {slow} bodies, a byte a second": (trickle, slow),
        "beside one client's one-byte chunks": (chunk, 1),
    }
    found = []
    for name, (way, connections) in rows.items():
        with beside(way, port, connections, seconds):
            found.append(seen := ask(port, seconds))
        figures = f"{len(seen.seconds):>9}{seen.failed:>8}{seen.at(0.5):>11.1f}{seen.at(0.99):>9.1f}"
        print(f"{f'{door}: {name}':<56}{figures}", flush=True)
    return found


@contextmanager
def beside(way: Slow, port: int, connections: int, seconds: float) -> Iterator[None]:
    """Run slow clients in their own process while the others ask."""
    slow = get_context("spawn").Process(target=way, args=(port, connections, seconds + HEAD_START_SECONDS))
    slow.start()
    time.sleep(HEAD_START_SECONDS)
    try:
        yield
    finally:
        slow.terminate()
        slow.join()


def ask(port: int, seconds: float) -> Seen:
    """Ask as clients that are not slow, and return their endings."""
    endings: list[Ending] = []
    until = time.monotonic() + seconds
    requests = distinct(tuple(EXAMPLES), range(REQUESTS))

    def asking(own: int) -> None:
        wire = Wire(port, PATIENCE_SECONDS)
        for number in count(own, CLIENTS):
            endings.append(wire.ask(requests[number % REQUESTS]))
            if time.monotonic() > until:
                break
        wire.close()

    threads = [Thread(target=asking, args=(own,)) for own in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answered = [each.seconds for each in endings if each.status == 200]
    return Seen(answered, len(endings) - len(answered))


def nobody(_port: int, _connections: int, _seconds: float) -> None:
    """Run no slow client."""


def trickle(port: int, connections: int, seconds: float) -> None:
    """Send that many bodies at a byte a second each; a closed connection is opened again."""
    until = time.monotonic() + seconds
    with ExitStack() as opened:
        slow = [opened.enter_context(_begun(port)) for _ in range(connections)]
        while time.monotonic() < until:
            time.sleep(1.0)
            for connection in slow:
                with suppress(OSError):
                    connection.send(b" ")


def _begun(port: int) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(PATIENCE_SECONDS)
    with suppress(OSError):
        connection.connect((LOOPBACK, port))
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n{" % BODY_BYTES)
    connection.setblocking(False)
    return connection


def chunk(port: int, _connections: int, seconds: float) -> None:
    """Send one body after the other, each byte in its own chunk."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((LOOPBACK, port), PATIENCE_SECONDS) as connection:
            connection.sendall(HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(BODY_BYTES // 10_000):
                connection.sendall(CHUNKS)
            connection.sendall(b"0\r\n\r\n")
            connection.recv(1 << 16)


if __name__ == "__main__":
    sys.exit(main())
