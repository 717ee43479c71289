"""Look up the same offer in many processes at once, and print the answer of each.

Called with the number of processes, Redis' URL and the provider's; begins when its standard input ends.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass

from plimsoll_service.app import configure_logging
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.build import live_quotes
from plimsoll_service.prices.feeds.feed import SPOT, FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.feeds.http import client, get_json
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.prices.source import PriceFilter
from plimsoll_service.settings import Settings

OFFER = PriceFilter("aws", "us-east-1", "g5.xlarge", SPOT)
PATH = "/quote"


@dataclass(frozen=True)
class QuotingFeed:
    """A provider that can be asked for spot prices alone."""

    url: str
    name: str = "loopback"
    quotes: frozenset[str] = frozenset((SPOT,))

    def fetch(self, request: FeedRequest) -> Fetched:
        """Return nothing."""
        return Fetched(self.name, (), frozenset())

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """Price that the provider quotes."""
        with client() as http:
            found = get_json(http, self.url + PATH, params={"type": instance_type, "region": region})
        return OfferQuote("aws", instance_type, region, purchase, found["usd"]) if found["usd"] else None


def main(processes: int, redis_url: str, provider_url: str) -> None:
    """Fork, wait for the start signal, ask, and print one line for each process."""
    configure_logging("info")  # whole lines beside those of the answers
    catalog = load()
    book = LivePrices(catalog).current()
    settings = Settings(redis_url=redis_url, live_prices=("aws",))
    lookups = Lookups(
        live_quotes(settings, catalog, {"aws": QuotingFeed(provider_url)})
    )  # before the fork, as gunicorn does
    children = []
    for _ in range(processes):
        child = os.fork()
        if child == 0:
            os.read(0, 1)  # nothing is ever written: all go on at once when it is closed
            began = time.monotonic()
            (record,) = lookups.lookup(book, OFFER).items
            line = json.dumps({"usd": record.usd_per_hour, "seconds": time.monotonic() - began})
            os.write(1, f"{line}\n".encode())
            os._exit(0)
        children.append(child)
    os.write(1, b"ready\n")
    for child in children:
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
