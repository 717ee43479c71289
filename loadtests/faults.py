"""Faults of Redis, workers, disks and the catalog's file, one after the other, while clients ask.

The real service under gunicorn with two workers, a real Redis with published prices, and clients of every kind. Each
answer must be, byte for byte, what the same request was answered in peace with the same prices; only what a killed
worker had in hand may fail. Ends with status 1 where anything else happened.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copyfile

import fault_proxy
from chaos_world import PriceList, Store, kill_a_worker, refresher
from fault_disks import can_mount, disk, full, read_only
from fault_load import CLIENTS, Reference, Seen, load, mix
from fault_proxy import Proxy
from running import Server, service

from plimsoll_service.catalog.snapshot import BUNDLED

WORKERS = 2
SECONDS, REST_SECONDS = 6.0, 2.0  # how long something is broken; how long it is whole again under the same load
BLOW_SECONDS = 1.0
LOG = "service.log"
FOLLOWED_SECONDS = 5.0  # by then every worker has new prices
DISKS = {"last prices": "PLIMSOLL_LAST_PRICES", "metrics": "PROMETHEUS_MULTIPROC_DIR"}


@dataclass(frozen=True)
class World:
    """Parts of the installation that can be broken."""

    store: Store
    proxy: Proxy
    server: Server
    catalog: Path
    disks: dict[str, Path]


@dataclass(frozen=True)
class Fault:
    """A way to break something for a time; ``kills`` is the number of workers that die within a number of seconds."""

    name: str
    broken: Callable[[World, float], object]
    kills: Callable[[float], int] = lambda _: 0


def main() -> None:
    """Break everything, print the table, and exit with 1 if a client noticed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=SECONDS, help="how long each thing is broken")
    options.add_argument("--only", nargs="*", help="names of faults, or beginnings of them")
    asked = options.parse_args()
    chosen = [each for each in faults() if not asked.only or each.name.startswith(tuple(asked.only))]
    sys.exit(1 if run(chosen, asked.seconds) else 0)


def run(chosen: list[Fault], seconds: float) -> list[str]:
    """Cause each fault under load, print a line for it, and return what went wrong."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, world(Path(folder)) as (whole, reference):
        print(f"{'broken':<34}{'requests':>9}{'failed in hand':>15}{'wrong':>7}{'hung':>6}{'slowest ms':>12}")
        for number, fault in enumerate(chosen):
            with load(whole.server.port, reference, number * 100) as seen:
                fault.broken(whole, seconds)
                time.sleep(REST_SECONDS)
            told = f"{fault.name:<34}{seen.requests:>9}{seen.failed:>15}{len(seen.wrong):>7}{seen.hung:>6}"
            print(f"{told}{seen.slowest_seconds * 1000:>12.0f}", flush=True)
            wrong += _wrong(fault, seen, seconds)
            if whole.server.master.poll() is not None:
                wrong.append(f"{fault.name}: the service ended")
                break
        log = (Path(folder) / LOG).read_text(errors="replace")
    wrong += [line for line in log.splitlines() if "unexpected_error" in line]
    print("\n".join(fault[:800] for fault in wrong[:10]))
    print(f"{len(wrong)} faults")
    return wrong


def _wrong(fault: Fault, seen: Seen, seconds: float) -> list[str]:
    most = fault.kills(seconds) * CLIENTS  # each client has one request in hand when a worker dies
    lost = [f"{fault.name}: {seen.failed} requests failed"] if seen.failed > most else []
    hung = [f"{fault.name}: {seen.hung} requests hung"] if seen.hung else []
    idle = [] if seen.requests else [f"{fault.name}: nothing was asked"]
    return [f"{fault.name}: {each}" for each in seen.wrong] + lost + hung + idle


@contextmanager
def world(folder: Path) -> Iterator[tuple[World, Reference]]:
    """The installation without a fault, with published prices, and its answers at that time."""
    reference, catalog = Reference(mix()), folder / "catalog.npz"
    copyfile(BUNDLED, catalog)
    with ExitStack() as opened:
        store, prices = Store(), PriceList()
        opened.callback(store.kill)
        opened.callback(prices.close)
        store.start()
        proxy = Proxy(store.port)
        opened.callback(proxy.close)
        disks = {name: folder / name.replace(" ", "-") for name in DISKS} if can_mount() else {}
        for place in disks.values():
            opened.enter_context(disk(place))
        variables = {variable: str(disks[name]) for name, variable in DISKS.items() if name in disks}
        variables |= {
            "PLIMSOLL_REDIS_URL": proxy.url,
            "PLIMSOLL_CATALOG": str(catalog),
            "PLIMSOLL_LOG_LEVEL": "warning",
        }
        server = opened.enter_context(service(WORKERS, folder / LOG, **variables))
        reference.learn(server.port)
        refresh = refresher(store.url, prices.url)
        reason = refresh.communicate()[1]
        if refresh.returncode:
            raise RuntimeError(f"nothing was published: {reason}")
        time.sleep(FOLLOWED_SECONDS)
        bundled = reference.forget()  # whoever falls back to these prices is wrong
        reference.learn(server.port)
        if not reference.knows_other_than(bundled):
            raise RuntimeError("what was published is not answered from")
        yield World(store, proxy, server, catalog, disks), reference


def faults() -> list[Fault]:
    """All faults that this machine can cause; faults of disks need root."""
    found = [
        Fault("nothing", lambda _, seconds: time.sleep(seconds)),
        Fault("Redis killed and restarted", redis_killed),
        Fault("Redis paused", redis_paused),
        Fault("Redis full", redis_full),
        Fault("Redis slow", partial(redis_behind, mode=fault_proxy.SLOW)),
        Fault("Redis cut off in mid-answer", partial(redis_behind, mode=fault_proxy.CUT)),
        Fault("Redis silent", partial(redis_behind, mode=fault_proxy.SILENT)),
        Fault("workers killed", workers_killed, _blows),
        Fault("workers killed without Redis", workers_killed_without_redis, _blows),
        Fault("a worker paused", worker_paused),
        Fault("catalog's file cut short", catalog_cut),
        Fault("catalog's file replaced", catalog_replaced),
    ]
    if can_mount():
        for name in DISKS:
            found.append(Fault(f"{name}: disk full", partial(disk_broken, name=name, how=full), lambda _: 1))
            found.append(Fault(f"{name}: disk read-only", partial(disk_broken, name=name, how=read_only), lambda _: 1))
    else:
        print("disks are not broken: that takes the right to mount them")
    return found


def _blows(seconds: float) -> int:
    return int(seconds / BLOW_SECONDS) + 1


def redis_killed(whole: World, seconds: float) -> None:
    """Kill Redis for half of the time; it returns without its data."""
    whole.store.kill()
    time.sleep(seconds / 2)
    whole.store.start()
    time.sleep(seconds / 2)


def redis_paused(whole: World, seconds: float) -> None:
    """Pause Redis: it accepts connections, but answers no command until it continues."""
    whole.store.pause()
    time.sleep(seconds)
    whole.store.resume()


def redis_full(whole: World, seconds: float) -> None:
    """Fill Redis: it answers reads and refuses writes."""
    whole.store.fill(full=True)
    time.sleep(seconds)
    whole.store.fill(full=False)


def redis_behind(whole: World, seconds: float, mode: str) -> None:
    """Disturb the connection to Redis."""
    whole.proxy.mode = mode
    time.sleep(seconds)
    whole.proxy.mode = fault_proxy.PASS


def workers_killed(whole: World, seconds: float) -> None:
    """Kill the workers one after the other; gunicorn starts others."""
    chance, until = random.Random(0), time.monotonic() + seconds
    while time.monotonic() < until:
        kill_a_worker(whole.server.master.pid, chance)
        time.sleep(BLOW_SECONDS)


def workers_killed_without_redis(whole: World, seconds: float) -> None:
    """Kill the workers without Redis; the new ones have only the file of the last prices."""
    whole.store.kill()
    workers_killed(whole, seconds)
    whole.store.start()


def worker_paused(whole: World, seconds: float) -> None:
    """Pause a worker; its requests wait until it continues."""
    paused = whole.server.workers()[0].pid
    os.kill(paused, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(paused, signal.SIGCONT)


def catalog_cut(whole: World, seconds: float) -> None:
    """Truncate the catalog file that was read at the start, and start a worker."""
    content = whole.catalog.read_bytes()
    os.truncate(whole.catalog, len(content) // 2)
    time.sleep(seconds)
    whole.catalog.write_bytes(content)


def catalog_replaced(whole: World, seconds: float) -> None:
    """Replace the catalog file by another file."""
    content = whole.catalog.read_bytes()
    other = whole.catalog.with_suffix(".other")
    other.write_bytes(b"no catalog")
    other.replace(whole.catalog)
    time.sleep(seconds)
    whole.catalog.write_bytes(content)


def disk_broken(whole: World, seconds: float, name: str, how: Callable[[Path], object]) -> None:
    """Fill a disk or make it read-only, and kill a worker, so that the next one starts with that disk."""
    with how(whole.disks[name]):
        time.sleep(seconds / 2)
        kill_a_worker(whole.server.master.pid, random.Random(0))
        time.sleep(seconds / 2)


if __name__ == "__main__":
    main()
