"""The use case over a catalog and prices that change while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, catalog_of
from tests.service.fitted import FITTED

from plimsoll_service import sizing
from plimsoll_service.engine.choice.market import Market, repriced
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.prices import Prices, bundled
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload
from plimsoll_service.prices.source import PriceBook
from plimsoll_service.sizing import Sizer

CATALOG = catalog_of(Box("one", (Sale(1.0),)), Box("two", (Sale(1.5),), vcpus=16))
QUERY = Query(Workload("training", model="resnet-50"))
ON = Hardware(cloud="aws", instance_type="one")


class ChangingPrices:
    """Prices in force that a test replaces: version ``n`` has ``n`` times the catalog's price."""

    def __init__(self) -> None:
        self._prepared: list[Callable[[Prices], None]] = []
        self.publish(1)

    def publish(self, number: int) -> None:
        prices = priced(number)
        for prepare in self._prepared:
            prepare(prices)
        self._book = PriceBook(CATALOG, prices)

    def current(self) -> PriceBook:
        return self._book

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        self._prepared.append(prepare)


def priced(number: int) -> Prices:
    """The catalog at that multiple of its prices."""
    offers = replace(CATALOG.offers, usd_per_hour=CATALOG.offers.usd_per_hour * number)
    return replace(bundled(CATALOG), version=f"v{number}", offers=offers)


def price_and_version(sizer: Sizer, prices: Prices | None = None) -> tuple[float, str]:
    answer = sizer.recommend(QUERY, prices)
    first = next(one for one in answer.recommendations if one.instance_type == "one")
    return first.price.usd_per_hour, answer.catalog.version


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Versions for which the catalog was priced again, one entry each time."""
    versions: list[str] = []

    def counted(market: Market, prices: Prices) -> Market:
        versions.append(prices.version)
        return repriced(market, prices)

    monkeypatch.setattr(sizing, "repriced", counted)
    return versions


def test_answers_carry_the_version_of_their_prices() -> None:
    """The next answer has the new snapshot and its version."""
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, FITTED, prices)
    assert (1.0, "v1") == price_and_version(sizer)
    prices.publish(3)
    assert (3.0, "v3") == price_and_version(sizer)


def test_no_question_waits_for_new_prices(joined: list[str]) -> None:
    """The catalog is priced again once, before new prices come into force, not at the first question."""
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, FITTED, prices)
    prices.publish(2)
    assert ["v2"] == joined
    for _ in range(3):
        sizer.recommend(QUERY)
        sizer.estimate(QUERY, ON)
        sizer.faults(QUERY)
    assert ["v2"] == joined


def test_other_prices_than_those_in_force_are_answered_by_their_own_version(joined: list[str]) -> None:
    """Answers at given prices have their own version, and do not change the prices in force."""
    sizer = Sizer(CATALOG, FITTED, ChangingPrices())
    assert (5.0, "v5") == price_and_version(sizer, priced(5))
    assert 5.0 == sizer.estimate(QUERY, ON, priced(5)).price.usd_per_hour
    assert [5.0] == [one.price.usd_per_hour for one in sizer.compare(QUERY, (ON,), priced(5)).machines]
    assert (1.0, "v1") == price_and_version(sizer)
    assert ["v5"] == joined


def test_threads_that_want_the_same_old_prices_share_one_join(joined: list[str]) -> None:
    """Twenty concurrent replays of one version price the catalog once."""
    sizer = Sizer(CATALOG, FITTED, ChangingPrices())
    started = threading.Barrier(4)

    def ask(_: int) -> tuple[float, str]:
        started.wait()
        return price_and_version(sizer, priced(7))

    with ThreadPoolExecutor(4) as pool:
        assert {(7.0, "v7")} == set(pool.map(ask, range(20)))
    assert ["v7"] == joined


def test_only_a_few_markets_are_kept(joined: list[str]) -> None:
    """Replays of many versions remove the oldest, but never the prices in force."""
    sizer = Sizer(CATALOG, FITTED, ChangingPrices())
    for number in range(2, 12):
        price_and_version(sizer, priced(number))
        price_and_version(sizer)
    price_and_version(sizer, priced(2))
    assert [*(f"v{number}" for number in range(2, 12)), "v2"] == joined


def test_sources_that_went_stale_are_another_version(joined: list[str]) -> None:
    """Prices that went stale are marked, under another version."""
    stale = replace(priced(1), version="v1+stale1", stale=~priced(1).stale)
    answer = Sizer(CATALOG, FITTED, ChangingPrices()).recommend(QUERY, stale)
    assert ("v1+stale1", True) == (answer.catalog.version, answer.recommendations[0].price.stale)
    assert ["v1+stale1"] == joined


def test_threads_never_mix_two_versions() -> None:
    """While prices change, each answer has the prices of exactly the version that it names."""
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, FITTED, prices)
    done = threading.Event()

    def publish() -> None:
        number = 1
        while not done.wait(0.002):
            number = number % 9 + 1
            prices.publish(number)

    writer = threading.Thread(target=publish)
    writer.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            seen = list(pool.map(lambda _: price_and_version(sizer), range(80)))
    finally:
        done.set()
        writer.join()
    assert {(float(version[1:]), version) for _, version in seen} == set(seen)
    assert len(set(seen)) > 1


def test_every_use_refuses_the_same_faults() -> None:
    """Recommendations, estimates and comparisons refuse a bad workload with the same faults."""
    sizer = Sizer(CATALOG, FITTED, ChangingPrices())
    bad = Query(Workload("training", model="resnt50", framework="pytorh"), Constraints(clouds=("asw",)))
    faults = sizer.faults(bad)
    assert ("/workload/model", "/workload/framework", "/constraints/clouds/0") == tuple(one.pointer for one in faults)
    for ask in (lambda: sizer.recommend(bad), lambda: sizer.estimate(bad, ON), lambda: sizer.compare(bad, (ON, ON))):
        with pytest.raises(Refused) as refused:
            ask()
        assert faults == refused.value.faults


def test_a_comparison_is_relative_to_the_first_that_fits() -> None:
    """The first machine that fits has all ratios at 1; one that does not fit has none."""
    sizer = Sizer(CATALOG, FITTED, ChangingPrices())
    small = Hardware(label="tiny", accelerator="V100-16GB", count=1, vcpus=2, memory_gib=0.5, usd_per_hour=0.1)
    table = sizer.compare(QUERY, (small, ON, Hardware(cloud="aws", instance_type="two")))
    tiny, one, two = table.machines
    assert ("tiny", False, None) == (tiny.label, tiny.fits, tiny.relative_performance)
    assert (1.0, 1.0, 1.0) == (one.relative_performance, one.relative_cost, one.performance_per_cost)
    assert two.relative_cost == pytest.approx(1.5, rel=0.01)
    assert two.performance_per_cost == pytest.approx(two.relative_performance / two.relative_cost, rel=1e-3)
