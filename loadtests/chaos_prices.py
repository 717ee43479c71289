"""Chaos test of prices: Redis, refreshes and workers are killed at random moments while clients ask.

Every answer is checked. It must come from one price snapshot, with the prices and dates of that snapshot's reading.
A request may fail once if the second try succeeds. The exit status is 1 after any other fault.
"""

from __future__ import annotations

import argparse
import json
import random
import ssl
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from subprocess import Popen
from threading import Event, Lock, Thread
from typing import Any

import httpx
from chaos_world import CLOUD, PriceList, Store, kill_a_worker, refresher, service
from workloads import variant

CLIENTS = 8
WORKERS = 2
REQUEST_SECONDS = 30.0
PAUSES = (0.5, 3.0)  # seconds between two blows
VICTIMS = ("redis", "worker", "refresher")
DOWN = (0.0, 2.0)  # seconds that Redis stays away
CLOCK_SLACK = 2.0  # dates are cut to the second, and stand for the end of a reading
EXAMPLE = "a_resnet50_imagenet"
WITHOUT_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading them takes longer than asking
LOOK_SECONDS = 0.1
FOLLOWED_SECONDS = 10.0  # by then every worker has prices that were published, or got them from the others


@dataclass
class Seen:
    """Counts of events; ``faults`` must stay empty."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    edition_of_version: dict[str, int] = field(default_factory=dict)
    first_published_at: float | None = None  # when prices of a refresh were seen first
    lock: Lock = field(default_factory=Lock)

    def count(self, what: str) -> None:
        """Count an event."""
        with self.lock:
            self.counts[what] += 1

    def fault(self, what: str) -> None:
        """Note a fault."""
        with self.lock:
            self.faults.append(what)

    def enough(self, events: dict[str, int]) -> bool:
        """Return whether each of these was counted that often."""
        with self.lock:
            return all(self.counts[event] >= times for event, times in events.items())

    def belongs(self, version: str, edition: int) -> bool:
        """Return whether a version's prices are always of the same edition."""
        with self.lock:
            if edition > 0 and version not in self.edition_of_version:
                self.counts["published snapshots answered from"] += 1
                self.first_published_at = self.first_published_at or time.monotonic()
            known = self.first_published_at
            if edition == 0 and known is not None and time.monotonic() > known + FOLLOWED_SECONDS:
                self.faults.append("a worker fell back to the bundled prices")
            return self.edition_of_version.setdefault(version, edition) == edition


def main() -> None:
    """Run for the requested time, print what happened, and exit with 1 after a fault."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=300.0)
    options.add_argument("--clients", type=int, default=CLIENTS)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--pause", type=float, default=0.0, help="most seconds between two questions of a client")
    options.add_argument("--peaceful", action="store_true", help="refresh without killing anything")
    options.add_argument("--until", nargs="*", default=[], metavar="EVENT=TIMES", help="end once all these happened")
    asked = options.parse_args()
    until = {event: int(times) for event, _, times in (each.partition("=") for each in asked.until)}
    seen = run(asked.seconds, asked.clients, asked.seed, asked.pause, until, blows=not asked.peaceful)
    print(json.dumps(dict(sorted(seen.counts.items())), indent=2))
    print(f"{len(seen.edition_of_version)} price snapshots seen in answers, {len(seen.faults)} faults")
    for fault in seen.faults[:20]:
        print(f"  {fault}")
    raise SystemExit(1 if seen.faults else 0)


def run(
    seconds: float,
    clients: int,
    seed: int,
    pause: float = 0.0,
    until: dict[str, int] | None = None,
    *,
    blows: bool = True,
) -> Seen:
    """Run everything at once for that many seconds, or until these events happened that often; return the counts."""
    seen, stop, store, prices = Seen(), Event(), Store(), PriceList()
    blows_wanted = {event: times for event, times in (until or {}).items() if event.endswith("killed")}
    running: list[Popen[str]] = []
    with ExitStack() as world:
        log = Path(world.enter_context(tempfile.TemporaryDirectory())) / "service.log"
        world.callback(store.kill)
        world.callback(prices.close)
        store.start()
        url, master = world.enter_context(service(store.url, WORKERS, log))
        asking = [(url, prices, seen, stop, pause, seed + number) for number in range(clients)]
        threads = [Thread(target=ask_on, args=each) for each in asking]
        threads.append(Thread(target=refresh_on, args=(store, prices, seen, stop, running)))
        if blows:
            struck = (store, master, running, seen, stop, random.Random(seed), blows_wanted)
            threads.append(Thread(target=strike_on, args=struck))
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and seen.enough(until)):
            time.sleep(LOOK_SECONDS)
        stop.set()
        for thread in threads:
            thread.join()
        seen.counts["unexpected errors logged"] = log.read_text(encoding="utf-8").count("unexpected_error")
    seen.faults += idle(seen.counts)
    return seen


def idle(counts: Counter[str]) -> list[str]:
    """Required events that did not happen; without them the other checks prove nothing."""
    needed = ("refreshes published", "published snapshots answered from", "requests answered")
    return [f"no {each}" for each in needed if not counts[each]]


def refresh_on(store: Store, prices: PriceList, seen: Seen, stop: Event, running: list[Popen[str]]) -> None:
    """Refresh again and again."""
    while not stop.is_set():
        process = refresher(store.url, prices.url)
        running[:] = [process]
        version, reason = process.communicate()
        outcome = {0: "refreshes published", 1: "refreshes refused"}.get(process.returncode, "refreshes killed")
        seen.count(outcome)
        if process.returncode == 0 and not version.strip():
            seen.fault("a refresh named no version")
        if "Traceback" in reason:
            seen.fault(f"a refresh broke: {reason[-500:]}")


def strike_on(
    store: Store,
    master: int,
    running: list[Popen[str]],
    seen: Seen,
    stop: Event,
    chance: random.Random,
    wanted: dict[str, int],
) -> None:
    """Kill a random part again and again, or as often as wanted: each kind once in three kills, at any moment."""
    left: list[str] = []
    while not stop.wait(chance.uniform(*PAUSES)) and not (wanted and seen.enough(wanted)):
        left = left or chance.sample(VICTIMS, len(VICTIMS))
        match left.pop():
            case "redis":
                store.kill()
                time.sleep(chance.uniform(*DOWN))
                store.start()
                seen.count("Redis killed")
            case "worker":
                if kill_a_worker(master, chance):
                    seen.count("workers killed")
            case _:
                for process in running:
                    process.kill()


def ask_on(url: str, prices: PriceList, seen: Seen, stop: Event, pause: float, seed: int) -> None:
    """Ask for recommendations and prices in turn, and check each answer."""
    chance = random.Random(seed)
    places = list(prices.base)
    with httpx.Client(base_url=url, timeout=REQUEST_SECONDS, verify=WITHOUT_AUTHORITIES) as client:
        while not stop.wait(chance.uniform(0.0, pause)):
            if chance.random() < 0.5:
                workload = variant(EXAMPLE, chance.randrange(10_000))
                workload.setdefault("constraints", {})["clouds"] = [CLOUD]
                answer = ask(client, seen, "POST", "/v1/recommendations", json=workload)
                if answer is not None:
                    check_recommendations(answer, prices, seen)
            else:
                region, name = chance.choice(places)
                filters = {"cloud": CLOUD, "region": region, "instance_type": name, "purchase": "on_demand"}
                answer = ask(client, seen, "GET", "/v1/prices", params=filters)
                if answer is not None:
                    check_price(answer, prices, seen)


def ask(client: httpx.Client, seen: Seen, method: str, path: str, **options: Any) -> dict[str, Any] | None:
    """Return the answer of the first or the second try."""
    for attempt in ("requests answered", "requests answered at the second try"):
        with suppress(httpx.TransportError):
            response = client.request(method, path, **options)
            if response.status_code == httpx.codes.OK:
                seen.count(attempt)
                answer: dict[str, Any] = response.json()
                return answer
            if response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                seen.fault(f"{path} answers {response.status_code}: {response.text[:200]}")
                return None
    seen.fault(f"{path} fails twice")
    return None


def check_recommendations(answer: dict[str, Any], prices: PriceList, seen: Seen) -> None:
    """Check that all prices are of one edition, always the same one for a version, with the date of its reading."""
    listed = [*answer["recommendations"], *answer["frontier"]]
    if not listed:
        seen.fault("nothing recommended")
        return
    editions = {_edition(one, one["price"], prices, seen) for one in listed}
    if len(editions) != 1:
        seen.fault(f"prices of editions {editions} in one answer")
    version = answer["catalog"]["version"].partition("+")[0]
    if not seen.belongs(version, min(editions)):
        seen.fault(f"{version} is of edition {seen.edition_of_version[version]}, and shows {editions}")


def check_price(answer: dict[str, Any], prices: PriceList, seen: Seen) -> None:
    """Check that the price is the requested one, of some edition, with the date of its reading."""
    if len(answer["items"]) != 1:
        seen.fault(f"{len(answer['items'])} prices of one offer")
        return
    _edition(answer["items"][0], answer["items"][0], prices, seen)


def _edition(offer: dict[str, Any], price: dict[str, Any], prices: PriceList, seen: Seen) -> int:
    """Return the edition of a price that has the date of that edition."""
    try:
        edition = prices.edition_of(offer["region"], offer["instance_type"], price["usd_per_hour"])
    except ValueError as error:
        seen.fault(str(error))
        return -1
    if edition > 0:
        dated = datetime.fromisoformat(price["as_of"]).timestamp()
        read = prices.read_at[edition - 1]
        if not read - CLOCK_SLACK <= dated <= time.time() or dated - read > REQUEST_SECONDS:
            seen.fault(f"edition {edition}, read at {read}, is dated {price['as_of']}")
    return edition


if __name__ == "__main__":
    main()
