"""Memory of a worker beyond the first that it does not share with the others, under load.

USS is what would be freed if the process ended; PSS also has its part of what is shared. The status is 1 where the
worker with the most takes more unshared memory than the project allows one beyond the first.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import Any

import psutil
from asking import Clients, distinct
from running import Server, service
from workloads import EXAMPLES

MEBIBYTE = 1 << 20
MOST_ALLOWED_MB = 40.0
MEGABYTE = 1_000_000
CLIENTS_A_WORKER = 4
DISTINCT = 5000


def main() -> int:
    """Print each process' memory before and after the load, and say whether a further worker is within the limit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--seconds", type=float, default=20.0, help="of load, up to 600")
    asked = options.parse_args()
    clients = asked.workers * CLIENTS_A_WORKER
    with service(asked.workers) as server, Clients(clients) as load:
        show("at the start", server)
        requests = distinct(tuple(EXAMPLES), range(DISTINCT))
        random.Random(0).shuffle(requests)  # so that each client asks for work of every kind
        done = load.ask(server.port, requests, min(asked.seconds, 600.0))
        unshared = show(f"after {done.answers} recommendations, {DISTINCT} of them different", server)
    further = max(unshared)  # connections are not shared out evenly: another worker may have had little to do
    print(f"a worker beyond the first adds {further:.1f} MB unshared; at most {MOST_ALLOWED_MB:.0f} MB are allowed")
    return int(further > MOST_ALLOWED_MB)


def show(when: str, server: Server) -> list[float]:
    """Print the memory of the master and each worker; the workers' unshared megabytes."""
    print(f"{when:<66}{'USS MB':>10}{'PSS MB':>10}{'RSS MB':>10}")
    memories = [(worker.pid, memory(worker)) for worker in server.workers()]
    for name, used in [("master", memory(server.master)), *((f"worker {pid}", used) for pid, used in memories)]:
        print(f"{name:<66}{used.uss / MEGABYTE:>10.1f}{used.pss / MEGABYTE:>10.1f}{used.rss / MEGABYTE:>10.1f}")
    return [used.uss / MEGABYTE for _, used in memories]


def memory(process: psutil.Process) -> Any:
    """The process' memory as the kernel accounts for it."""
    return process.memory_full_info()


if __name__ == "__main__":
    sys.exit(main())
