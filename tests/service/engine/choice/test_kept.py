"""The values kept between questions change no answer, and their number is bounded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.api.schemas.questions import RecommendationRequestSchema
from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.workload import Commitment, Constraints, Dataset, Discount, Hardware, Query, Workload

TRAIN = Workload("training", model="resnet-50", epochs=10)
TERMS = (
    Constraints(),
    Constraints(regions=("eu-west-1", "europe-west4", "westeurope")),
    Constraints(discounts=(Discount("aws", 20.0), Discount("gcp", 10.0))),
    Constraints(commitments=(Commitment("aws", "reserved", percent=40.0, max_nodes=2),)),
    Constraints(purchase=("on_demand", "spot")),
)


def test_a_value_is_made_once() -> None:
    """A key returns its value again; another key or name has its own."""
    kept, made = Kept(), []
    asked = [("n", "a"), ("n", "b"), ("n", "a"), ("m", "a")]
    found = [kept.of(*one, lambda one=one: made.append(one) or one) for one in asked]
    assert (found, made) == (asked, [asked[0], asked[1], asked[3]])


def test_only_so_many_are_kept() -> None:
    """The value that was used the longest ago is dropped, and computed again."""
    kept, made = Kept(most=2), []
    for key in ("a", "b", "a", "c", "a", "b"):
        kept.of("n", key, lambda key=key: made.append(key) or key)
    assert made == ["a", "b", "c", "b"]


def test_answers_are_the_same_as_where_nothing_is_kept() -> None:
    """Place, price, provenance and other regions are those of the question's own regions and terms, in any order."""
    market, kept = bundled_market(), Kept()
    questions = [Query(replace(TRAIN, epochs=epochs), terms) for epochs in (10, 11) for terms in TERMS]
    for query in (*questions, *reversed(questions)):
        assert _answer(query, market, kept) == _answer(query, market, Kept())


def _answer(query: Query, market: Market, kept: Kept) -> Answer:
    return recommend(query, market, CatalogStamp("1", "2026-01-01"), kept)


EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("[a-f]_*.json"))


def query_of(path: Path) -> Query:
    """Query of the example."""
    found: Query = RecommendationRequestSchema().load(json.loads(path.read_text()))
    return found


def variants(query: Query) -> list[Query]:
    """The query under other limits, objectives and constraints."""
    serving = query.workload.task == "inference"
    limits = [
        replace(query, constraints=replace(query.constraints, max_usd_per_hour=usd)) for usd in (0.5, 4.0, 40.0, None)
    ]
    if not serving:
        limits += [
            replace(query, workload=replace(query.workload, deadline_hours=hours, budget_usd=usd))
            for hours in (0.001, 12.0, 500.0, None)
            for usd in (0.2, 60.0, None)
        ]
    objectives = [replace(query, objective=word) for word in ("cost", "time", "performance_per_cost", "balanced")]
    spot = replace(query, constraints=replace(query.constraints, purchase=("on_demand", "spot")))
    own = replace(query.constraints, own_machines=(Hardware(accelerator="A100", usd_per_hour=2.0), Hardware(vcpus=8.0)))
    return [
        *limits,
        *objectives,
        *(replace(one, constraints=own) for one in (query, limits[-2])),
        spot,
        replace(spot, constraints=replace(spot.constraints, clouds=("aws",))),
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_other_limits_get_the_answers_that_they_would_get_alone(path: Path) -> None:
    """Earlier questions do not change an answer."""
    market, kept = bundled_market(), Kept()
    asked = variants(query_of(path))

    alone = [_answer(query, market, Kept()) for query in asked]

    assert alone == [_answer(query, market, kept) for query in asked]
    assert any(one.recommendations for one in alone)
    assert not all(one.recommendations for one in alone), "no limit of these leaves nothing"


AMOUNTS: dict[str, list[dict[str, Any]]] = {
    "a_resnet50_imagenet": [
        {"dataset": Dataset(size_bytes=size, samples=samples, format=form), "epochs": epochs}
        for size, samples, form, epochs in (
            (1e9, 1e6, "jpeg", 1), (1e12, 1e3, "jpeg", 90), (5e7, 60.0, "jpeg", 3), (5e7, 6e4, "memory", 900)
        )
    ] + [{"dataset": Dataset(), "epochs": None}],
    "b_llama3_8b_lora": [{"tokens": tokens, "dataset": Dataset(size_bytes=1e9)} for tokens in (1e5, 1e9, 3e12)],
    "c_llama3_70b_serving": [{"requests_per_second": rate} for rate in (0.01, 4.0, 5000.0)],
    "d_imagenet_to_lmdb": [{"dataset": Dataset(size_bytes=size)} for size in (1e8, 1e11, 1e14)],
    "e_xgboost_100gb": [{"dataset": Dataset(samples=rows), "features": 100} for rows in (1e4, 1e8, 1e10)],
    "f_fp64_hpc": [{"flops": flops} for flops in (1e12, 1e20, 1e24)],
}  # fmt: skip


def kinds_of_work() -> list[tuple[Path, Workload]]:
    """The examples' workloads, and runs whose batch or number decides how devices share them."""
    examples = [(path, query_of(path).workload) for path in EXAMPLES]
    free = replace(examples[0][1], batch_size=None)
    return [
        *examples,
        (EXAMPLES[0], replace(free, global_batch_size=4096)),
        (EXAMPLES[0], replace(free, experiments=6)),
        (EXAMPLES[5], replace(examples[5][1], bytes=1e19)),
    ]


@pytest.mark.parametrize(("path", "plain"), kinds_of_work())
def test_other_amounts_of_the_same_work_get_their_own_answers(path: Path, plain: Workload) -> None:
    """Values kept for a kind of work hold nothing of the amount that was asked first."""
    query = query_of(path)
    market, kept = bundled_market(), Kept()
    asked = [
        replace(query, workload=replace(plain, **amount), constraints=replace(query.constraints, purchase=purchase))
        for amount in AMOUNTS[path.stem]
        for purchase in (None, ("on_demand", "spot"))
    ]

    assert [_answer(one, market, Kept()) for one in asked] == [_answer(one, market, kept) for one in asked]


@pytest.mark.parametrize("path", EXAMPLES[:2], ids=lambda path: path.stem)
def test_as_many_experiments_as_asked_get_their_own_answers(path: Path) -> None:
    """Neither the share of the data nor the rate is that of a single run."""
    query = query_of(path)
    market, kept = bundled_market(), Kept()
    asked = [replace(query, workload=replace(query.workload, experiments=many)) for many in (None, 4, 2, 9, 1)]

    assert [_answer(one, market, Kept()) for one in asked] == [_answer(one, market, kept) for one in asked]
