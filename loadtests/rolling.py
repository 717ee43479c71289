"""Restarts under load: failures that clients see when the service is reloaded, stopped, or loses a worker.

- hup: workers are replaced again and again; no request may fail, on kept connections as on new ones.
- term: readiness goes first; who then sends nothing new sees no request fail, and the server ends by itself.
- kill: workers are killed; the SDK's retries cover it, and without them only requests under way are lost.

The status is 1 where anything else happened.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

from asking import JSON, ROUTE
from checks import recommendations
from running import LOOPBACK, STOP_SECONDS, Server, service, status_of
from workloads import EXAMPLES, variant

import plimsoll

WORKERS = 2
CLIENTS = 4  # of each kind
PAUSE_SECONDS = 0.05  # of a client between two questions, so that clients leave the cores to the service
REQUEST_SECONDS = 30.0
MOST_SHOWN = 5
LONG = 100  # workloads in a batch, which take about a second
EVERY_SECONDS = 3.0
DRAIN_SECONDS = 3
POLL_SECONDS = 0.1
MOST_SECONDS = 600.0
SERVICE_UNAVAILABLE = 503
# No blow falls in the last seconds, so that what it does is seen.
CALM_SECONDS = 3.0
NAMES = tuple(EXAMPLES)
NUMBERS = count()


@dataclass
class Tally:
    """Observations of the clients of one kind."""

    answered: int = 0
    failures: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def note(self, failure: str | None) -> None:
        """Note one request, answered or failed."""
        with self.lock:
            if failure is None:
                self.answered += 1
            else:
                self.failures.append(failure)


Ask: TypeAlias = Callable[[int, float, Tally, Event], None]


def main() -> int:
    """Run the requested scenes, one after the other."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("scenes", nargs="*", choices=[[], *SCENES], help="left out: all of them")
    options.add_argument("--seconds", type=float, default=20.0, help=f"of each scene, up to {MOST_SECONDS:.0f}")
    options.add_argument("--pause", type=float, default=PAUSE_SECONDS, help="seconds of a client between two questions")
    asked = options.parse_args()
    seconds = min(asked.seconds, MOST_SECONDS)
    passed = [SCENES[name](seconds, asked.pause) for name in asked.scenes or SCENES]
    return int(not all(passed))


def hup(seconds: float, pause: float) -> bool:
    """Replace all workers every few seconds."""
    kept, fresh, long = Tally(), Tally(), Tally()
    with service(WORKERS) as server:
        first = pids(server)
        with (
            asking(server, pause, on_kept_connections, kept),
            asking(server, pause, on_new_connections, fresh),
            asking(server, pause, with_long_requests, long, clients=1),
        ):
            blows = strike(seconds, lambda: server.master.send_signal(signal.SIGHUP))
        replaced = became(lambda: not first & pids(server))
    report("hup", f"{blows} reloads", {"kept connections": kept, "new connections": fresh, "long requests": long})
    return replaced and blows > 0 and flawless(kept, fresh, long)


def term(seconds: float, pause: float) -> bool:
    """Stop the server under load; like a load balancer, clients stop asking once it is not ready."""
    kept, fresh, long, unready = Tally(), Tally(), Tally(), Event()
    with service(WORKERS, PLIMSOLL_DRAIN_SECONDS=str(DRAIN_SECONDS)) as server:
        with (
            asking(server, pause, on_kept_connections, kept, unready),
            asking(server, pause, on_new_connections, fresh, unready),
            asking(server, pause, with_long_requests, long, unready, clients=1),
        ):
            time.sleep(min(seconds, CALM_SECONDS))
            server.master.terminate()
            went = time.monotonic()
            while status_of(server.port, "/readyz") != SERVICE_UNAVAILABLE and time.monotonic() < went + DRAIN_SECONDS:
                time.sleep(POLL_SECONDS)
            noticed = time.monotonic() - went
            unready.set()
        status = server.master.wait(STOP_SECONDS)
    seen = {"kept connections": kept, "new connections": fresh, "long requests": long}
    report("term", f"unready after {noticed:.1f} s, status {status}", seen)
    return noticed < DRAIN_SECONDS and status == 0 and flawless(kept, fresh, long)


def kill(seconds: float, pause: float) -> bool:
    """Kill a worker every few seconds."""
    sdk, bare = Tally(), Tally()
    with service(WORKERS) as server:
        with asking(server, pause, by_sdk, sdk), asking(server, pause, on_kept_connections, bare):
            blows = strike(seconds, lambda: kill_one(server))
        recovered = became(lambda: len(pids(server)) == WORKERS)
    report("kill", f"{blows} workers killed", {"SDK": sdk, "without retries": bare})
    return recovered and blows > 0 and not sdk.failures and len(bare.failures) <= blows * CLIENTS


SCENES: dict[str, Callable[[float, float], bool]] = {"hup": hup, "term": term, "kill": kill}


def flawless(*tallies: Tally) -> bool:
    """Whether clients of each kind were answered, and none failed."""
    return all(tally.answered and not tally.failures for tally in tallies)


def pids(server: Server) -> set[int]:
    """Process ids of the current workers."""
    return {worker.pid for worker in server.workers()}


def became(true: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within the time that a server may take to stop."""
    end = time.monotonic() + STOP_SECONDS
    while not true() and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    return true()


def kill_one(server: Server) -> None:
    """Kill a worker, as the kernel does when memory is short."""
    random.choice(server.workers()).send_signal(signal.SIGKILL)


def strike(seconds: float, blow: Callable[[], None]) -> int:
    """Kill a worker every few seconds for a time, and return the number of kills."""
    blows, end = 0, time.monotonic() + seconds
    while (left := end - CALM_SECONDS - time.monotonic()) > 0:
        time.sleep(min(EVERY_SECONDS, left))
        blow()
        blows += 1
    time.sleep(CALM_SECONDS)
    return blows


@contextmanager
def asking(
    server: Server, pause: float, ask: Ask, tally: Tally, until: Event | None = None, clients: int = CLIENTS
) -> Iterator[None]:
    """Clients of one kind that ask until the block ends, or until the event if that is earlier."""
    stop = until or Event()
    threads = [Thread(target=ask, args=(server.port, pause, tally, stop)) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def on_kept_connections(port: int, pause: float, tally: Tally, stop: Event) -> None:
    """Send each request over one connection, which lasts until the server closes it."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=REQUEST_SECONDS)
    while not stop.wait(pause):
        tally.note(failure_of(connection))
    connection.close()


def on_new_connections(port: int, pause: float, tally: Tally, stop: Event) -> None:
    """Send each request once, over a connection of its own."""
    while not stop.wait(pause):
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=REQUEST_SECONDS)
        tally.note(failure_of(connection))
        connection.close()


def with_long_requests(port: int, pause: float, tally: Tally, stop: Event) -> None:
    """Send batches, which are in flight when the server is killed."""
    while not stop.wait(pause):
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=REQUEST_SECONDS)
        tally.note(failure_of(connection, LONG))
        connection.close()


def failure_of(connection: http.client.HTTPConnection, items: int = 0) -> str | None:
    """Fault of one request, or of a batch of that many items; ``None`` if there was none."""
    try:
        route, asked = (f"{ROUTE}/batch", {"requests": [question() for _ in range(items)]}) if items else (ROUTE, None)
        connection.request("POST", route, json.dumps(asked or question()), JSON)
        response = connection.getresponse()
        content = response.read()
        if response.status != http.client.OK:
            return f"{response.status}: {content[:200].decode(errors='replace')}"
        answer = json.loads(content)
        for each in answer["results"] if items else [answer]:
            recommendations(each)
    except (OSError, http.client.HTTPException, AssertionError, KeyError, TypeError, ValueError) as error:
        connection.close()
        return repr(error)
    return None


def by_sdk(port: int, pause: float, tally: Tally, stop: Event) -> None:
    """Ask as a program that uses the SDK does, with its own retries."""
    with plimsoll.Client(f"http://{LOOPBACK}:{port}") as client:
        while not stop.wait(pause):
            try:
                best = client.recommend(question()["workload"]).best
                tally.note(None if best.rank == 1 else f"the best has rank {best.rank}")
            except plimsoll.PlimsollError as error:
                tally.note(repr(error))


def question() -> dict[str, Any]:
    """Return a different question each time."""
    return variant(random.choice(NAMES), next(NUMBERS))


def report(scene: str, what: str, tallies: dict[str, Tally]) -> None:
    """Print what each kind of client saw."""
    print(f"{scene}: {what}")
    for kind, tally in tallies.items():
        print(f"  {kind}: {tally.answered} answered, {len(tally.failures)} failed")
        for failure in tally.failures[:MOST_SHOWN]:
            print(f"    {failure}")


if __name__ == "__main__":
    sys.exit(main())
