"""Metrics of the prices in force."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from prometheus_client import REGISTRY
from tests.service.prices.tables import CATALOG

from plimsoll_service.metrics import show_age, show_version
from plimsoll_service.prices.live import LivePrices

NOON = datetime(2026, 10, 2, 12, tzinfo=UTC).timestamp()


def shown(name: str, **labels: str) -> float | None:
    """Current value of a metric."""
    return REGISTRY.get_sample_value(name, labels)


@pytest.mark.parametrize(
    ("as_of", "hours"),
    [("2026-10-02T10:00:00Z", 2.0), ("2026-10-02", 12.0), ("2026-10-02T13:00:00Z", 0.0)],
)
def test_prices_are_as_old_as_the_newest(as_of: str, hours: float) -> None:
    """A date alone is its midnight in UTC, and a slow clock gives no negative age."""
    show_age(as_of, NOON)

    assert shown("plimsoll_price_age_seconds") == hours * 3600


def test_a_process_counts_under_one_version() -> None:
    """A process counts only under the version that it has now."""
    show_version("first")
    show_version("second", before="first")

    assert [shown("plimsoll_price_snapshot_info", version=version) for version in ("first", "second")] == [0.0, 1.0]


def test_prices_that_nothing_follows_are_shown_as_well() -> None:
    """Prices without a follower are shown too, once the process is told to begin."""
    prices = LivePrices(CATALOG)
    prices.watch()

    assert shown("plimsoll_price_snapshot_info", version=prices.current().prices.version) == 1.0
