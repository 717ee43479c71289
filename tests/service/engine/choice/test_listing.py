"""What was said of offers is said again."""

from __future__ import annotations

from dataclasses import replace

from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.listing import MOST_SAID, Memory
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.workload import Commitment, Constraints, Discount, Query, Workload

TRAIN = Workload("training", model="resnet-50", epochs=10)
TERMS = (
    Constraints(),
    Constraints(regions=("eu-west-1", "europe-west4", "westeurope")),
    Constraints(discounts=(Discount("aws", 20.0), Discount("gcp", 10.0))),
    Constraints(commitments=(Commitment("aws", "reserved", percent=40.0, max_nodes=2),)),
    Constraints(purchase=("on_demand", "spot")),
)


def test_a_thing_is_said_once() -> None:
    """What was said of a key is said of it again; another key has its own."""
    memory, told = Memory[str](), []
    said = [memory.of(key, lambda key=key: told.append(key) or f"{key}!") for key in ("a", "b", "a")]
    assert (said, told) == (["a!", "b!", "a!"], ["a", "b"])


def test_only_so_much_is_kept() -> None:
    """Where there are too many keys, the first is asked about again."""
    memory, told = Memory[int](), []
    for key in (*range(MOST_SAID + 1), 0):
        memory.of(key, lambda key=key: told.append(key) or key)
    assert told == [*range(MOST_SAID + 1), 0]


def test_answers_are_the_same_as_without_memory() -> None:
    """Place, price, provenance and other regions are those of the question's own regions and terms, in any order."""
    market, kept = bundled_market(), Kept()
    questions = [Query(replace(TRAIN, epochs=epochs), terms) for epochs in (10, 11) for terms in TERMS]
    for query in (*questions, *reversed(questions)):
        assert _answer(query, market, kept) == _answer(query, market, Kept())


def _answer(query: Query, market: Market, kept: Kept) -> Answer:
    return recommend(query, market, CatalogStamp("1", "2026-01-01"), kept)
