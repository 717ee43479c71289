"""The use case over a catalog and prices that change while it runs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, catalog_of

from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload
from plimsoll_service.prices.source import DEFAULT_LIMIT, PricePage, PriceSnapshot
from plimsoll_service.sizing import Sizer

CATALOG = catalog_of(Box("one", (Sale(1.0),)), Box("two", (Sale(1.5),), vcpus=16))
QUERY = Query(Workload("training", model="resnet-50"))
ON = Hardware(cloud="aws", instance_type="one")


class ChangingPrices:
    """Prices in force that a test replaces: version ``n`` asks ``n`` times the catalog's price."""

    def __init__(self) -> None:
        self.publish(1)

    def publish(self, number: int) -> None:
        offers = replace(CATALOG.offers, usd_per_hour=CATALOG.offers.usd_per_hour * number)
        self._snapshot = PriceSnapshot(f"v{number}", "2026-11-01", offers)

    def snapshot(self) -> PriceSnapshot:
        return self._snapshot

    def lookup(self, *_: str | None, offset: int = 0, limit: int = DEFAULT_LIMIT) -> PricePage:
        raise AssertionError("sizing looks at whole snapshots")


def price_and_version(sizer: Sizer) -> tuple[float, str]:
    answer = sizer.recommend(QUERY)
    first = next(one for one in answer.recommendations if one.instance_type == "one")
    return first.price.usd_per_hour, answer.catalog.version


def test_answers_carry_the_version_of_their_prices() -> None:
    """A new snapshot is in the next answer, with its own stamp."""
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, prices)
    assert (1.0, "v1") == price_and_version(sizer)
    prices.publish(3)
    assert (3.0, "v3") == price_and_version(sizer)


def test_the_catalog_is_joined_again_only_for_a_new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions under one version share one join."""
    joined = []
    real = Sizer._join

    def counted(self: Sizer):
        joined.append(self)
        return real(self)

    monkeypatch.setattr(Sizer, "_join", counted)
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, prices)
    for _ in range(3):
        sizer.recommend(QUERY)
    assert 1 == len(joined)
    prices.publish(2)
    sizer.recommend(QUERY)
    sizer.estimate(QUERY, ON)
    assert 2 == len(joined)


def test_threads_never_mix_two_versions() -> None:
    """While prices change, each answer has the prices of exactly the version that it names."""
    prices = ChangingPrices()
    sizer = Sizer(CATALOG, prices)
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
    """A bad workload is refused alike by recommendations, estimates and comparisons, with all of its faults."""
    sizer = Sizer(CATALOG, ChangingPrices())
    bad = Query(Workload("training", model="resnt50", framework="pytorh"), Constraints(clouds=("asw",)))
    faults = sizer.faults(bad)
    assert ("/workload/model", "/workload/framework", "/constraints/clouds/0") == tuple(one.pointer for one in faults)
    for ask in (lambda: sizer.recommend(bad), lambda: sizer.estimate(bad, ON), lambda: sizer.compare(bad, (ON, ON))):
        with pytest.raises(Refused) as refused:
            ask()
        assert faults == refused.value.faults


def test_a_comparison_is_relative_to_the_first_that_fits() -> None:
    """The first machine that fits has all ratios at 1; one that does not fit has none."""
    sizer = Sizer(CATALOG, ChangingPrices())
    small = Hardware(label="tiny", accelerator="V100-16GB", count=1, vcpus=2, memory_gib=0.5, usd_per_hour=0.1)
    table = sizer.compare(QUERY, (small, ON, Hardware(cloud="aws", instance_type="two")))
    tiny, one, two = table.machines
    assert ("tiny", False, None) == (tiny.label, tiny.fits, tiny.relative_performance)
    assert (1.0, 1.0, 1.0) == (one.relative_performance, one.relative_cost, one.performance_per_cost)
    assert two.relative_cost == pytest.approx(1.5, rel=0.01)
    assert two.performance_per_cost == pytest.approx(two.relative_performance / two.relative_cost, rel=1e-3)
