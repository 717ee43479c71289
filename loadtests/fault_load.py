"""Clients during faults: each answer is compared with the answer to the same request without a fault."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from fuzz_wire import Wire, request
from workloads import EXAMPLES, variant

VARIANTS = 8  # of each example, so that requests are repeated and differ
BATCH = 5
ON = ({"cloud": "aws", "instance_type": "p3.2xlarge"}, {"accelerator": "V100-16GB", "count": 1, "memory_gib": 61})
PLACES = (("us-east-1", "g5.xlarge"), ("us-east-1", "p3.2xlarge"), ("us-west-2", "g4dn.xlarge"))
PAGES = ("/v1/instance-types?accelerator=T4&limit=50", "/v1/accelerators", "/v1/models?limit=20", "/v1/rules?limit=50")
CLIENTS = 6
PAUSE_SECONDS = 0.02


@dataclass
class Seen:
    """Observations of the clients during one fault."""

    requests: int = 0
    failed: int = 0
    hung: int = 0
    wrong: list[str] = field(default_factory=list)
    slowest_seconds: float = 0.0
    lock: Lock = field(default_factory=Lock)


def mix() -> list[bytes]:
    """Requests of every kind; each has the same answer as long as the prices are the same."""
    bodies = [("/v1/recommendations", variant(example, n)) for example in EXAMPLES for n in range(VARIANTS)]
    bodies += [("/v1/estimates", EXAMPLES["a_resnet50_imagenet"] | {"on": on}) for on in ON]
    bodies += [("/v1/recommendations/batch", {"requests": list(EXAMPLES.values())[:BATCH]})]
    asked = [request("POST", path, json.dumps(body).encode()) for path, body in bodies]
    places = [f"/v1/prices?cloud=aws&region={region}&instance_type={name}" for region, name in PLACES]
    return asked + [request("GET", path) for path in (*places * 3, *PAGES)]


class Reference:
    """Answer to each request while nothing is broken, once for each state of the prices."""

    def __init__(self, requests: list[bytes]) -> None:
        self.requests = requests
        self._bodies: dict[bytes, set[bytes]] = {asked: set() for asked in requests}

    def learn(self, port: int) -> None:
        """Ask everything once; ``RuntimeError`` if a request is not answered."""
        wire = Wire(port)
        for asked in self.requests:
            ending = wire.ask(asked)
            if ending.status != 200:
                raise RuntimeError(f"{ending.status} in peace: {asked[:200]!r}: {ending.answer[:500]!r}")
            self._bodies[asked].add(ending.answer.partition(b"\r\n\r\n")[2])
        wire.close()

    def forget(self) -> dict[bytes, set[bytes]]:
        """Forget all answers, and return them."""
        known, self._bodies = self._bodies, {asked: set() for asked in self.requests}
        return known

    def knows_other_than(self, before: dict[bytes, set[bytes]]) -> bool:
        """Whether a request is answered differently than before."""
        return self._bodies != before

    def fits(self, asked: bytes, answer: bytes) -> bool:
        """Whether it is one of the known answers, byte for byte."""
        return answer.partition(b"\r\n\r\n")[2] in self._bodies[asked]


@contextmanager
def load(port: int, reference: Reference, seed: int) -> Iterator[Seen]:
    """Let clients ask while the block runs; their observations are complete at its end."""
    seen, stop = Seen(), Event()
    threads = [Thread(target=_ask_on, args=(port, reference, seen, stop, seed + n)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _ask_on(port: int, reference: Reference, seen: Seen, stop: Event, seed: int) -> None:
    chance, wire = random.Random(seed), Wire(port)
    while not stop.is_set():
        asked = chance.choice(reference.requests)
        ending = wire.ask(asked, again=False)
        right = ending.status == 200 and reference.fits(asked, ending.answer)
        with seen.lock:
            seen.requests += 1
            seen.hung += ending.hung
            seen.failed += ending.status is None and not ending.hung
            seen.slowest_seconds = max(seen.slowest_seconds, ending.seconds)
            if ending.status is not None and not right:
                seen.wrong.append(f"{asked[:120]!r}: {ending.answer[:300]!r}")
        time.sleep(PAUSE_SECONDS)
    wire.close()
