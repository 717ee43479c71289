"""A refresher in its own process: publishes one region's prices times a factor."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.service.prices.tables import CATALOG, current_of

from plimsoll_service.engine.hardware import PURCHASE_NAMES
from plimsoll_service.prices.feeds.feed import FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.refreshing.refresh import refresh
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.store import SnapshotStore


class Factor:
    """A feed with the catalog's on-demand prices of a region times a factor."""

    def __init__(self, cloud: str, region: str, factor: float) -> None:
        self.name, self._region, self._factor = cloud, region, factor

    def fetch(self, request: FeedRequest) -> Fetched:
        """All that is sold there."""
        prices = current_of(self.name, self._region, PURCHASE_NAMES[0], OWN)
        quotes = tuple(OfferQuote(*key, price * self._factor) for key, price in prices.items())
        return Fetched(f"{self.name} list", quotes, frozenset({(self.name, self._region, PURCHASE_NAMES[0])}))


OWN = join.table_of(CATALOG)


def main(url: str, cloud: str, region: str, factor: float) -> None:
    """Publish them in the Redis at this URL."""
    refresh(
        Factor(cloud, region, factor),
        FeedRequest(cloud),
        SnapshotStore(connect(url, use="refresher", timeout_seconds=5.0), "ns", 3),
        CATALOG,
        now=datetime.now(UTC),
        ttl=timedelta(hours=24),
        accept=False,
    )
