"""Queries that share what they lead to get the answers that they would get alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plimsoll_service.api.schemas.questions import RecommendationRequestSchema
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.answer import CatalogStamp
from plimsoll_service.engine.choice import sharing
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.workload import Dataset, Hardware, Query, Workload

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("[a-f]_*.json"))
STAMP = CatalogStamp("1", "2026-01-01")


@pytest.fixture(scope="module")
def market() -> Market:
    """The bundled catalog."""
    return market_of(snapshot.load(None))


def query_of(path: Path) -> Query:
    """The example's query."""
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
def test_shared_answers_are_those_of_each_query_alone(path: Path, market: Market) -> None:
    """Whatever was asked before, the answer is the same value as that of ``recommend``, and so is its best."""
    shared = sharing.Sharing(market)
    asked = variants(query_of(path))

    alone = [recommend(query, market, STAMP) for query in asked]

    assert alone == [shared.answer(query, STAMP) for query in asked]
    assert [one.recommendations[:1] for one in alone] == [
        (best,) if (best := shared.best(query)) else () for query in asked
    ]
    assert any(one.recommendations for one in alone)
    assert not all(one.recommendations for one in alone), "no limit of these leaves nothing"


AMOUNTS: dict[str, list[dict[str, Any]]] = {
    "a_resnet50_imagenet": [
        {"dataset": Dataset(size_bytes=size, samples=samples, format=form), "epochs": epochs}
        for size, samples, form, epochs in (
            (1e9, 1e6, "jpeg", 1), (1e12, 1e3, "jpeg", 90), (5e7, 60.0, "jpeg", 3), (5e7, 6e4, "memory", 900)
        )
    ],
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
    ]


@pytest.mark.parametrize(("path", "plain"), kinds_of_work())
def test_other_amounts_of_the_same_work_get_their_own_answers(path: Path, plain: Workload, market: Market) -> None:
    """They share what was prepared, which must not hold anything of the amount that was asked first."""
    query = query_of(path)
    shared = sharing.Sharing(market)
    asked = [
        replace(query, workload=replace(plain, **amount), constraints=replace(query.constraints, purchase=purchase))
        for amount in AMOUNTS[path.stem]
        for purchase in (None, ("on_demand", "spot"))
    ]

    assert [recommend(one, market, STAMP) for one in asked] == [shared.answer(one, STAMP) for one in asked]


@pytest.mark.parametrize("path", EXAMPLES[:2], ids=lambda path: path.stem)
def test_as_many_experiments_as_asked_get_their_own_answers(path: Path, market: Market) -> None:
    """They share machines and volumes with a single run, but neither its share of the data nor its pace."""
    query = query_of(path)
    shared = sharing.Sharing(market)
    asked = [replace(query, workload=replace(query.workload, experiments=many)) for many in (None, 4, 2, 9, 1)]

    assert [recommend(one, market, STAMP) for one in asked] == [shared.answer(one, STAMP) for one in asked]


def test_limits_and_objective_share_and_constraints_do_not(market: Market) -> None:
    """Only what the estimates and offers do not depend on is left out of what is shared."""
    query = query_of(EXAMPLES[0])
    limited = replace(query, workload=replace(query.workload, deadline_hours=3.0, budget_usd=9.0), objective="cost")
    elsewhere = replace(query, constraints=replace(query.constraints, clouds=("gcp",)))
    more = replace(query, workload=replace(query.workload, epochs=91.0))

    keys = [sharing.shared_key(each) for each in (query, limited, elsewhere, more)]

    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_time_is_not_shared_with_other_objectives() -> None:
    """A service without a given load is estimated otherwise where time alone counts."""
    query = query_of(EXAMPLES[2])

    assert sharing.shared_key(replace(query, objective="time")) != sharing.shared_key(replace(query, objective="cost"))


def test_only_a_few_are_kept(market: Market, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked longest ago is forgotten, so that memory stays bounded."""
    monkeypatch.setattr(sharing, "MOST_KEPT", 2)
    shared = sharing.Sharing(market)
    query = query_of(EXAMPLES[5])

    for flops in (1e18, 2e18, 3e18, 1e18):
        asked = replace(query, workload=replace(query.workload, flops=flops))
        expected = recommend(asked, market, STAMP).recommendations[0]
        assert expected == shared.best(asked)

    assert len(shared._kept) == 2
