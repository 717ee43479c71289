"""Versions that name the agreements: of the prices in force, kept and announced."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled
from tests.service.prices.published import snapshot, table

from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.source import PriceFilter, UnknownSnapshot

VERSION = bundled().version
MARK = "+terms.0badcafe"


@pytest.fixture
def marked() -> LivePrices:
    """Prices under agreements."""
    return LivePrices(bundled(), mark=MARK)


def test_every_version_carries_the_mark(marked: LivePrices) -> None:
    """Prices in force, kept and found by version have the mark, and the same columns."""
    assert VERSION + MARK == marked.current().prices.version
    assert [VERSION + MARK] == [one.version for one in marked.kept()]
    found = marked.at(VERSION + MARK).prices
    assert VERSION + MARK == found.version
    assert found.offers is marked.current().prices.offers


def test_new_prices_are_announced_and_served_with_it(marked: LivePrices) -> None:
    """The same book answers until the prices change."""
    announced: list[str] = []
    marked.subscribe(lambda prices: announced.append(prices.version))
    before = marked.current()
    assert before is marked.current()
    marked.adopt(snapshot(bundled(), table(bundled(), 2.0)))
    assert announced == [marked.current().prices.version] != [before.prices.version]
    assert [MARK] * 2 == [one.version[-len(MARK) :] for one in marked.kept()]


OTHER = "other pricing agreements"


@pytest.mark.parametrize(
    ("version", "why"),
    [(VERSION, OTHER), (f"{VERSION}+terms.00000000", OTHER), (f"2020{MARK}", None)],
)
def test_other_terms_and_other_prices_are_unknown(marked: LivePrices, version: str, why: str | None) -> None:
    """An unknown version is refused; for other agreements, the reason says so."""
    with pytest.raises(UnknownSnapshot) as unknown:
        marked.at(version)
    assert (why is None) == (unknown.value.why is None)
    assert why is None or why in str(unknown.value.why)


def test_records_are_list_prices(marked: LivePrices) -> None:
    """Lookups have the list prices, as without agreements."""
    wanted = PriceFilter("aws", "us-east-1", "p3.2xlarge", "on_demand")
    assert LivePrices(bundled()).current().lookup(wanted) == marked.current().lookup(wanted)
