"""Forty hostile price lists: no price far off its kind comes into force, and no sound part of a list is lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from statistics import median

import pytest
from tests.service.prices.tables import CATALOG, NOW, Key, fetched, offers_in, quotes, scope

from plimsoll_service.prices.feeds.feed import FeedError, Fetched
from plimsoll_service.prices.refreshing.fetched import answer_of, key_of
from plimsoll_service.prices.refreshing.refresh import Outcome, Refused, outcome
from plimsoll_service.prices.snapshots import join

Prices = dict[Key, float]
OWN = join.table_of(CATALOG)
BUNDLED = offers_in(OWN, current=True)
BEFORE = offers_in(OWN)
TYPES = CATALOG.instance_types
ROW = {(TYPES.cloud[row], name): row for row, name in enumerate(TYPES.name)}
SOUND = 1.02  # what an honest list changes
FARTHEST = 5.0
NEAR = 0.6
CNY, JPY, INR, EUR = 7.25, 150.0, 83.0, 0.92


def accelerator(key: Key) -> str | None:
    """The accelerator of an offer."""
    code = int(TYPES.accelerator[ROW[key[0], key[1]]])
    return None if code < 0 else CATALOG.accelerators.name[code]


def family(key: Key) -> str | None:
    """The family of an offer's type."""
    return TYPES.family[ROW[key[0], key[1]]]


def unit(key: Key, price: float) -> float:
    """USD an hour per accelerator."""
    return price / float(TYPES.accelerator_count[ROW[key[0], key[1]]])


@cache
def usual() -> dict[tuple[str, str], float]:
    """The bundled median price per accelerator, by accelerator and purchase option."""
    found = defaultdict(list)
    for key, price in BUNDLED.items():
        if kind := accelerator(key):
            found[kind, key[3]].append(unit(key, price))
    return {kind: median(prices) for kind, prices in found.items()}


@cache
def honest(cloud: str, purchase: str = "on_demand") -> Prices:
    """Prices of an honest list of a cloud."""
    return {key: round(price * SOUND, 9) for key, price in BUNDLED.items() if key[0] == cloud and key[3] == purchase}


def some(cloud: str, of: Callable[[Key], bool], factor: float, purchase: str = "on_demand") -> tuple[Fetched, set[Key]]:
    """An honest list with some offers at a factor, and these."""
    prices = honest(cloud, purchase)
    wrong = {key for key in prices if of(key)}
    assert wrong
    return fetched({key: price * factor if key in wrong else price for key, price in prices.items()}), wrong


def has(kind: str) -> Callable[[Key], bool]:
    """Whether an offer has this accelerator."""
    return lambda key: accelerator(key) == kind


def accelerated(key: Key) -> bool:
    """Whether an offer has any accelerator."""
    return accelerator(key) is not None


def of_family(name: str) -> Callable[[Key], bool]:
    """Whether an offer is of this family."""
    return lambda key: family(key) == name


def within(region: str) -> Callable[[Key], bool]:
    """Whether an offer is in this region."""
    return lambda key: key[2] == region


@cache
def one_in(count: int) -> Callable[[Key], bool]:
    """Every n-th offer of any kind."""
    order = {key: place for place, key in enumerate(sorted(BUNDLED))}
    return lambda key: order[key] % count == 0


def shuffled(cloud: str, count: int) -> tuple[Fetched, set[Key]]:
    """A list in which every n-th price is that of another offer of the cloud."""
    prices = honest(cloud)
    wrong = sorted(key for key in prices if one_in(count)(key))
    dearest_first = sorted((prices[key] for key in wrong), reverse=True)
    cheapest_first = sorted(wrong, key=prices.__getitem__)
    return fetched({**prices, **dict(zip(cheapest_first, dearest_first, strict=True))}), set(wrong)


def doubled(cloud: str, count: int, factor: float) -> tuple[Fetched, set[Key]]:
    """A list in which every n-th offer appears twice, the second time at a factor."""
    prices = honest(cloud)
    wrong = {key for key in prices if one_in(count)(key)}
    again = quotes({key: prices[key] * factor for key in wrong})
    answer = fetched(prices)
    return replace(answer, offers=answer.offers + again), wrong if factor != 1 else set()


def missing(cloud: str, of: Callable[[Key], bool]) -> tuple[Fetched, set[Key]]:
    """A list that lacks some offers of the places that it covers."""
    prices = honest(cloud)
    return fetched({key: price for key, price in prices.items() if not of(key)}, covered=scope(prices)), set()


def new_places(cloud: str, factor: float) -> tuple[Fetched, set[Key]]:
    """Accelerators in a region that has not sold any so far, at a factor."""
    prices = honest(cloud)
    regions = sorted({key[2] for key in prices})
    wrong = {
        (cloud, key[1], region, key[3]): price * factor
        for key, price in prices.items()
        if accelerated(key)
        for region in regions
        if (cloud, key[1], region, key[3]) not in BUNDLED
    }
    return fetched({**wrong, **prices}), set(wrong)


LISTS: dict[str, Callable[[], tuple[Fetched, set[Key]]]] = {
    **{
        f"all accelerators of {cloud} at {factor}": lambda cloud=cloud, factor=factor: some(cloud, accelerated, factor)
        for cloud in ("gcp", "aws", "alibaba")
        for factor in (0.01, 0.1, 100)
    },
    **{
        f"everything of {cloud} at {factor}": lambda cloud=cloud, factor=factor: some(cloud, lambda _: True, factor)
        for cloud, factor in (("aws", 0.01), ("alibaba", CNY), ("gcp", 60), ("alibaba", 1 / 730), ("gcp", 1 / 3600))
    },
    "all accelerators of azure at 0.01": lambda: some("azure", accelerated, 0.01),
    "MI300X of azure for a cent": lambda: some("azure", has("MI300X"), 0.0001),
    "H100 of azure at 2": lambda: some("azure", has("H100-SXM"), 2),
    "H100 of gcp at 0.3": lambda: some("gcp", has("H100-SXM"), 0.3),
    "L4 of gcp at 5.5": lambda: some("gcp", has("L4"), 5.5),
    "T4 of aws on spot at 0.01": lambda: some("aws", has("T4"), 0.01, "spot"),
    "L4 of gcp on spot at 30": lambda: some("gcp", has("L4"), 30, "spot"),
    "one family of aws at 1 %": lambda: some("aws", of_family("m6i"), 0.01),
    "one family of aws at 300 %": lambda: some("aws", of_family("m6i"), 3),
    "one family of gcp at 1 %": lambda: some("gcp", of_family("n2-standard"), 0.01),
    "one region of aws in CNY": lambda: some("aws", within("ap-southeast-1"), CNY),
    "one region of alibaba in JPY": lambda: some("alibaba", within("ap-northeast-1"), JPY),
    "one region of gcp in INR": lambda: some("gcp", within("asia-south2"), INR),
    "one region of aws in EUR": lambda: some("aws", within("eu-south-1"), EUR),
    "one region of aws missing": lambda: missing("aws", within("us-west-1")),
    "one region of gcp missing": lambda: missing("gcp", within("us-central1")),
    "accelerators of azure missing": lambda: missing("azure", accelerated),
    "half of aws missing": lambda: missing("aws", one_in(2)),
    "some of aws by the month": lambda: some("aws", one_in(30), 730),
    "some of alibaba by the minute": lambda: some("alibaba", one_in(40), 1 / 60),
    "some of gcp by the second": lambda: some("gcp", one_in(40), 1 / 3600),
    "some of alibaba shuffled": lambda: shuffled("alibaba", 30),
    "G4 of gcp at 0.3": lambda: some("gcp", has("RTX-PRO-6000"), 0.3),
    "everything of aws on spot at 20": lambda: some("aws", lambda _: True, 20, "spot"),
    "some of gcp shuffled": lambda: shuffled("gcp", 30),
    "all of aws shuffled": lambda: shuffled("aws", 1),
    "some of aws twice": lambda: doubled("aws", 30, 0.01),
    "some of gcp twice, alike": lambda: doubled("gcp", 30, 1),
    "new places of azure for a cent": lambda: new_places("azure", 0.0001),
    "new places of aws at 40": lambda: new_places("aws", 40),
}


WRONG_IN_A_SMALL_PART = {
    "all accelerators of azure at 0.01",
    "MI300X of azure for a cent",
    "H100 of azure at 2",
    "one family of aws at 1 %",
    "accelerators of azure missing",
    "some of aws by the month",
    "some of aws twice",
    "new places of azure for a cent",
}


def off_its_kind(key: Key, price: float) -> bool:
    """More than five times off the same offer's bundled price, or off its accelerator's if it has none."""
    own = BUNDLED.get(key)
    kind = accelerator(key)
    if own is not None and key[3] == "on_demand":
        return not 1 / FARTHEST <= price / own <= FARTHEST
    if (own is not None and abs(price / own - 1) <= NEAR) or kind is None:
        return False
    return not 1 / FARTHEST / 2 <= unit(key, price) / usual()[kind, key[3]] <= FARTHEST * 2


def taken(answer: Fetched, base=OWN) -> Outcome | None:
    """Outcome of a list; ``None`` if it is refused."""
    try:
        return outcome(base, answer_of(answer, CATALOG, NOW, timedelta(hours=24)), CATALOG, accept=False)
    except (Refused, FeedError):
        return None


def test_there_are_forty() -> None:
    """There are forty different lists."""
    assert len(LISTS) >= 40


@pytest.mark.parametrize("name", LISTS)
def test_no_hostile_list_gets_its_prices_into_force(name: str) -> None:
    """A price far off its kind keeps its last value; sound ones are published unless the whole list is refused.

    A fault in a small part of a list costs nothing of the rest, and is said.
    """
    answer, wrong = LISTS[name]()
    found = taken(answer)
    after = BEFORE if found is None else offers_in(found.table)
    stated = {key_of(quote): quote.usd_per_hour for quote in answer.offers}
    gone = BUNDLED.keys() - after.keys()

    assert [] == [(key, price) for key, price in after.items() if BEFORE.get(key) != price and off_its_kind(key, price)]
    assert set() == {key for key in gone if key in stated or (key[0], key[2], key[3]) not in answer.covered}
    if found is not None:
        assert {} == {key: price for key, price in stated.items() if key not in wrong and after.get(key) != price}
    if name in WRONG_IN_A_SMALL_PART:
        assert found is not None
        assert found.left
        assert {key: BUNDLED.get(key) for key in wrong} == {key: after.get(key) for key in wrong}


def test_small_steps_add_up_to_a_large_one() -> None:
    """Everything at 1.59 is within the limit of one list; the second time it is 2.5 times the accepted price."""
    once = {key: price * 1.59 for key, price in BUNDLED.items() if key[0] == "aws" and key[3] == "on_demand"}
    first = taken(fetched(once))

    assert first is not None
    assert taken(fetched({key: price * 1.59 for key, price in once.items()}), first.table) is None


def test_small_steps_of_one_accelerator_add_up() -> None:
    """Steps are counted for each accelerator, from the last accepted list."""
    prices, table, lowest = honest("gcp"), OWN, []
    for _ in range(4):
        prices = {key: price * 0.7 if accelerator(key) == "H100-SXM" else price for key, price in prices.items()}
        found = taken(fetched(prices), table)
        assert found is not None
        table = found.table
        after = offers_in(table)
        lowest.append(min(after[key] / BUNDLED[key] for key in prices if accelerator(key) == "H100-SXM"))

    assert min(lowest) >= 1 - NEAR


def test_an_accepted_list_is_what_the_next_is_measured_by() -> None:
    """The next refresh does not refuse a change that a person accepted."""
    answer = answer_of(fetched({key: price * 1.7 for key, price in honest("aws").items()}), CATALOG, NOW, timedelta(1))
    accepted = outcome(OWN, answer, CATALOG, accept=True)
    again = outcome(accepted.table, answer, CATALOG, accept=False)

    assert accepted.accepted
    assert () == again.left


def test_what_is_kept_because_no_list_names_it_is_lost_once() -> None:
    """Offers without a price in the list stay; once a list was accepted, the same list is no loss."""
    prices = honest("gcp")
    unnamed = frozenset(sorted(prices)[: len(prices) // 3])
    answer = fetched({key: price for key, price in prices.items() if key not in unnamed}, without=unnamed)
    listed = answer_of(replace(answer, covered=scope(prices)), CATALOG, NOW, timedelta(1))

    with pytest.raises(Refused, match="lost"):
        outcome(OWN, listed, CATALOG, accept=False)
    accepted = outcome(OWN, listed, CATALOG, accept=True)
    again = outcome(accepted.table, listed, CATALOG, accept=False)

    assert unnamed <= offers_in(again.table).keys()
    assert () == again.left
