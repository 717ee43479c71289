"""A hundred thousand hostile requests to the real service: none may make it fail, hang, or fill its memory.

Several processes send what schemathesis makes of the contract, what hypothesis makes of valid requests, and bombs.
Ends with status 1 where the service answered 5xx, left a request without an answer for longer than its stated timeout,
died, or grew beyond its bound. With ``--load``, other processes ask valid questions meanwhile: each answer must be,
byte for byte, the one that it was before.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread

import fuzz_bombs
import psutil
from fault_load import Reference, mix
from fuzz_bodies import CONTRACT, bodies, queries
from fuzz_contract import operations, written
from fuzz_wire import Ending, Wire
from hypothesis import HealthCheck, Phase, Verbosity, errors, given, seed, settings
from hypothesis import strategies as st
from running import Server, service

REQUESTS, CLIENTS, LOADERS, WORKERS, NICENESS = 100_000, 3, 2, 2, 10
SHARES = {"contract": 0.10, "bodies": 0.45, "queries": 0.30}  # the rest are bombs
HUGE_BODIES = 12
# Each of a worker's sixteen threads may hold a body of 4 MiB, what was parsed of it, and the answer.
MOST_GROWTH_MIB = 256
UNKNOWN_CODING = (
    501  # gunicorn's own word for a body in a coding that it does not know, which is no fault of the service
)
SAMPLE_SECONDS = 0.5
SHOWN = 20
Send = Callable[[bytes | Iterable[bytes], bool], None]


@dataclass
class Tally:
    """Results of one kind of request; ``faults`` are the requests that should have ended differently."""

    statuses: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_seconds: float = 0.0
    may_close: bool = False  # without an answer: so end requests that are none, and bodies beyond all bounds

    def add(self, sent: bytes | Iterable[bytes], ending: Ending) -> None:
        """Count how a request ended."""
        self.statuses["hung" if ending.hung else str(ending.status or "closed")] += 1
        self.slowest_seconds = max(self.slowest_seconds, ending.seconds)
        closed = ending.status is None and not self.may_close
        if ending.hung or closed or ((ending.status or 0) >= 500 and ending.status != UNKNOWN_CODING):
            request = sent[:600] if isinstance(sent, bytes) else b"(a stream)"
            self.faults.append(f"{ending.status} after {ending.seconds:.1f} s: {request!r} {ending.answer[-300:]!r}")

    def join(self, other: Tally) -> Tally:
        """Sum of both tallies."""
        slowest = max(self.slowest_seconds, other.slowest_seconds)
        return Tally(self.statuses + other.statuses, self.faults + other.faults, slowest)


def main() -> None:
    """Send everything, print the results, and exit with 1 after a violation."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--requests", type=int, default=REQUESTS)
    options.add_argument("--clients", type=int, default=CLIENTS)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--huge", type=int, default=HUGE_BODIES, help="bodies of 100 MB")
    options.add_argument("--load", type=int, default=0, help="valid questions that are asked meanwhile")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "service.log"
        with service(WORKERS, log, PLIMSOLL_LOG_LEVEL="error") as server:
            workers, watch = {each.pid for each in server.workers()}, Watch(server)
            began = time.monotonic()
            tallies = storm(server.port, asked.requests, asked.clients, asked.seed, asked.huge, asked.load)
            seconds = time.monotonic() - began
            growth = watch.stop()
            died = workers - {each.pid for each in server.workers()}
        unexpected = [line for line in log.read_text(errors="replace").splitlines() if "unexpected_error" in line]
    report(tallies, seconds, growth)
    wrong = verdict(tallies, unexpected, died, growth)
    print("\n".join(fault[:1500] for fault in wrong[:SHOWN]))
    print(f"{len(wrong)} faults")
    sys.exit(1 if wrong else 0)


def verdict(tallies: dict[str, Tally], unexpected: list[str], died: Collection[int], growth: float) -> list[str]:
    """All violations."""
    wrong = [fault for tally in tallies.values() for fault in tally.faults] + unexpected
    wrong += [f"worker {pid} died" for pid in died]
    return wrong + ([f"a worker grew by {growth:.0f} MiB"] if growth > MOST_GROWTH_MIB else [])


def storm(port: int, requests: int, clients: int, first_seed: int, huge: int, load: int) -> dict[str, Tally]:
    """Send all fast requests from that many processes, beside the load."""
    reference = Reference(mix())
    if load:
        reference.learn(port)
    work = [(port, share, first_seed + n, huge // clients) for n, share in enumerate(_shares(requests, clients))]
    beside = [(port, share, first_seed + n, reference) for n, share in enumerate(_shares(load, LOADERS)) if share]
    together: dict[str, Tally] = {}
    with get_context("spawn").Pool(clients + len(beside)) as pool:
        running = [pool.apply_async(loader, each) for each in beside]
        running += [pool.apply_async(client, each) for each in work]
        for each in running:
            for kind, tally in each.get().items():
                together[kind] = together.get(kind, Tally()).join(tally)
    return together


def _shares(requests: int, processes: int) -> list[int]:
    return [requests // processes + (number < requests % processes) for number in range(processes)]


def loader(port: int, requests: int, number: int, reference: Reference) -> dict[str, Tally]:
    """Send one process's share of the valid questions; an answer that is not the known one is a fault."""
    os.nice(NICENESS)
    tally, wire, chance = Tally(), Wire(port), random.Random(number)
    for _ in range(requests):
        asked = chance.choice(reference.requests)
        ending = wire.ask(asked)
        tally.add(asked, ending)
        if ending.status is not None and not reference.fits(asked, ending.answer):
            tally.faults.append(f"another answer than before: {asked[:300]!r} {ending.answer[:300]!r}")
    return {"load": tally}


def client(port: int, requests: int, number: int, huge: int) -> dict[str, Tally]:
    """Send one process's share."""
    os.nice(NICENESS)
    tallies = {kind: Tally(may_close=kind not in SHARES) for kind in (*SHARES, "bombs", "100 MB")}
    wire, chance = Wire(port), random.Random(number)

    def send(kind: str, made: bytes | Iterable[bytes], alone: bool = False) -> None:
        tallies[kind].add(made, wire.ask(made, alone=alone))

    counts = {kind: int(share * requests) for kind, share in SHARES.items()}
    everything = list(operations(CONTRACT).values())
    each = max(counts["contract"] // len(everything), 1)
    for strategy in chance.sample(everything, min(len(everything), counts["contract"])):
        drawn(strategy.map(written), each, number, partial(send, "contract"))
    drawn(bodies(), counts["bodies"], number, partial(send, "bodies"))
    drawn(queries(), counts["queries"], number, partial(send, "queries"))
    for _ in range(huge):
        send("100 MB", fuzz_bombs.huge(chance), alone=True)
    while sum(sum(tally.statuses.values()) for tally in tallies.values()) < requests:
        send("bombs", chance.choice(fuzz_bombs.SMALL)(chance), alone=True)
    return tallies


def drawn(strategy: st.SearchStrategy[bytes], count: int, number: int, send: Callable[[bytes], None]) -> None:
    """Send that many requests of a strategy, or as many different ones as it can make."""

    @seed(number)
    @settings(
        max_examples=max(count, 1),
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def each(made: bytes) -> None:
        send(made)

    try:
        each()
    except errors.Unsatisfiable:  # an operation of which nothing can be wrong
        return


class Watch:
    """Samples the memory of the workers until told to stop."""

    def __init__(self, server: Server) -> None:
        self._stop, self._server = Event(), server
        self._first = {each.pid: each.memory_info().rss for each in server.workers()}
        self._most = dict(self._first)
        self._thread = Thread(target=self._sample)
        self._thread.start()

    def stop(self) -> float:
        """Stop, and return the largest growth of a worker, in MiB."""
        self._stop.set()
        self._thread.join()
        return max(self._most[pid] - first for pid, first in self._first.items()) / 2**20

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            for worker in self._server.workers():
                try:
                    self._most[worker.pid] = max(self._most.get(worker.pid, 0), worker.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue


def report(tallies: dict[str, Tally], seconds: float, growth: float) -> None:
    """Table of the results."""
    total = sum(sum(tally.statuses.values()) for tally in tallies.values())
    print(f"{'requests':<10}{'number':>8}{'slowest s':>11}  statuses")
    for kind, tally in tallies.items():
        statuses = json.dumps(dict(sorted(tally.statuses.items())))
        print(f"{kind:<10}{sum(tally.statuses.values()):>8}{tally.slowest_seconds:>11.2f}  {statuses}")
    print(f"{total} requests in {seconds:.0f} s; no worker grew by more than {growth:.0f} MiB")


if __name__ == "__main__":
    main()
