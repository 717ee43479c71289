"""Versions that name the agreements: of the prices in force, kept and announced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import bundled

from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.prices import bundled as bundled_prices
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.pricing_agreements import PricesUnderAgreements
from plimsoll_service.prices.source import PriceBook, PriceFilter, UnknownSnapshot

VERSION = bundled().version
MARK = "+terms.0badcafe"


class Changing(LivePrices):
    """Prices that change on command."""

    def __init__(self) -> None:
        super().__init__(bundled())
        self.book = super().current()
        self.watched = 0

    def current(self) -> PriceBook:
        return self.book

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        self.prepare = prepare

    def change(self) -> None:
        prices = replace(bundled_prices(bundled()), version="2026-12-01-00000001")
        self.prepare(prices)
        self.book = PriceBook(bundled(), prices)

    def watch(self) -> None:
        self.watched += 1


@pytest.fixture
def source() -> Changing:
    return Changing()


@pytest.fixture
def marked(source: Changing) -> PricesUnderAgreements:
    return PricesUnderAgreements(source, "0badcafe")


def test_every_version_carries_the_mark(marked: PricesUnderAgreements) -> None:
    """Prices in force, kept and found by version have the mark, and the same columns."""
    assert VERSION + MARK == marked.current().prices.version
    assert [VERSION + MARK] == [one.version for one in marked.kept()]
    found = marked.at(VERSION + MARK).prices
    assert VERSION + MARK == found.version
    assert found.offers is marked.current().prices.offers


def test_new_prices_are_announced_and_served_with_it(source: Changing, marked: PricesUnderAgreements) -> None:
    """The same book answers until the prices change."""
    announced: list[str] = []
    marked.subscribe(lambda prices: announced.append(prices.version))
    before = marked.current()
    assert before is marked.current()
    source.change()
    assert ["2026-12-01-00000001" + MARK] == announced == [marked.current().prices.version]
    marked.watch()
    assert 1 == source.watched


OTHER = "other pricing agreements"


@pytest.mark.parametrize(
    ("version", "why"),
    [(VERSION, OTHER), (f"{VERSION}+terms.00000000", OTHER), (f"2020{MARK}", None)],
)
def test_other_terms_and_other_prices_are_unknown(marked: PricesUnderAgreements, version: str, why: str | None) -> None:
    """An unknown version is refused; for other agreements, the reason says so."""
    with pytest.raises(UnknownSnapshot) as unknown:
        marked.at(version)
    assert version == unknown.value.version
    assert (why is None) == (unknown.value.why is None)
    assert why is None or why in str(unknown.value.why)


def test_records_are_list_prices(marked: PricesUnderAgreements) -> None:
    """Lookups have the list prices, as without agreements."""
    wanted = PriceFilter("aws", "us-east-1", "p3.2xlarge", "on_demand")
    assert LivePrices(bundled()).current().lookup(wanted) == marked.current().lookup(wanted)
