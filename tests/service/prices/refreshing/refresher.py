"""A refresher of its own process: publishes one region's prices at a factor, and says what became of it.

Arguments: the URL of a Redis, a cloud, a region, a factor.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine.hardware import PURCHASE_NAMES
from plimsoll_service.prices.feeds.feed import FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.refreshing.refresh import refresh
from plimsoll_service.prices.snapshots.store import SnapshotStore


class Factor:
    """A feed that asks the catalog's on-demand prices of a region times a factor."""

    def __init__(self, cloud: str, region: str, factor: float) -> None:
        self.name, self._region, self._factor = cloud, region, factor

    def fetch(self, request: FeedRequest) -> Fetched:
        """All that is sold there."""
        offers, types, regions = CATALOG.offers, CATALOG.instance_types, CATALOG.regions
        rows = [
            row
            for row in range(len(offers))
            if offers.current[row]
            and offers.purchase[row] == 0
            and regions.name[offers.region[row]] == self._region
            and types.cloud[offers.instance_type[row]] == self.name
        ]
        quotes = tuple(
            OfferQuote(
                self.name,
                types.name[offers.instance_type[row]],
                self._region,
                PURCHASE_NAMES[0],
                float(offers.usd_per_hour[row]) * self._factor,
            )
            for row in rows
        )
        return Fetched(f"{self.name} list", quotes, frozenset({(self.name, self._region, PURCHASE_NAMES[0])}))


CATALOG = load()


def main(url: str, cloud: str, region: str, factor: float) -> str:
    """The version that was published."""
    done = refresh(
        Factor(cloud, region, factor),
        FeedRequest(cloud),
        SnapshotStore(connect(url, use="refresher", timeout_seconds=5.0), "ns", 3),
        CATALOG,
        now=datetime.now(UTC),
        ttl=timedelta(hours=24),
        accept=False,
    )
    return done.version


if __name__ == "__main__":
    sys.stdout.write(f"{main(*sys.argv[1:4], float(sys.argv[4]))}\n")
