"""A replica over two machines, where one on each leaves little room for the cache."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import ask, bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Recommendation
from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.quantities import Serving
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

BOX = Hardware(label="box", accelerator="H200", count=8, usd_per_hour=40.0, max_nodes=6)
# Of the 1,128 GB of a box the weights take 1,030: a replica on each runs 7 requests.
CHAT = Workload("inference", model="kimi-k2", framework="vllm", input_tokens=8000, output_tokens=1000)
LAYOUTS = ((None, None), (8, 1), (8, 2))


def first(workload: Workload, **own: object) -> Recommendation | None:
    """The recommended own machines."""
    owned = Constraints(clouds=("own",), own_machines=(replace(BOX, **own),))
    return next(iter(ask(Query(workload, owned, "cost"), bundled_market()).recommendations), None)


def estimated(workload: Workload, nodes: int, tensor: int | None = None, pipeline: int | None = None) -> Evaluated:
    """Estimate of that many own machines, in that layout."""
    market = bundled_market()
    job = job_of(Query(workload, Constraints(own_machines=(BOX,)), "cost"))
    chosen = select(job, market, own_machines((BOX,), market))
    return evaluate(
        job, market, replace(BOX, node_count=nodes, tensor_parallel=tensor, pipeline_parallel=pipeline), chosen
    )


def serving(of: Recommendation | Evaluated | None) -> Serving:
    """Serving layout of the estimate."""
    assert of is not None
    assert of.estimate is not None
    assert of.estimate.serving is not None
    return of.estimate.serving


@pytest.mark.parametrize(
    ("users", "machines", "together"), [(7, 1, 1), (14, 2, 1), (40, 2, 2), (100, 2, 2), (190, 4, 2)]
)
def test_users_share_a_replica_over_two_machines_where_one_on_each_does_not_hold_them(
    users: int, machines: int, together: int
) -> None:
    """Users share a replica over two machines only if one on each machine, which is faster, cannot hold them."""
    offered = first(replace(CHAT, concurrency=users))

    assert offered is not None
    assert machines == offered.node_count
    assert together == serving(offered).nodes_per_replica
    assert users <= serving(offered).max_concurrency


@pytest.mark.parametrize(("rate", "machines", "together"), [(0.2, 1, 1), (0.5, 2, 1), (1.0, 2, 2), (3.0, 6, 2)])
def test_a_rate_takes_a_replica_over_two_machines_where_it_takes_fewer_so(
    rate: float, machines: int, together: int
) -> None:
    """Of machines that carry it with a replica on each there is no need of two together."""
    offered = first(replace(CHAT, requests_per_second=rate))

    assert offered is not None
    assert (machines, together) == (offered.node_count, serving(offered).nodes_per_replica)


def passes(one: Evaluated) -> bool:
    """Whether it meets every limit, and holds the load."""
    return (
        one.fits
        and False not in vars(one.meets).values()
        and "rate-at-low-end" not in [why.rule for why in one.why_not]
    )


LOADS = (
    {"concurrency": 14}, {"concurrency": 77}, {"concurrency": 200}, {"concurrency": 20, "spare_replicas": 1},
    {"requests_per_second": 0.7}, {"requests_per_second": 2.5}, {"requests_per_second": 1.0, "latency_ms": 2000.0},
)  # fmt: skip


@pytest.mark.parametrize("load", LOADS, ids=str)
def test_a_layout_of_which_an_estimate_says_that_it_passes_is_offered(load: dict[str, float]) -> None:
    """An offer has at most the machines of any stated layout that passes, and passes by its own estimate."""
    workload = replace(CHAT, **load)
    offered = first(workload)
    passing = [n for n in range(1, 7) if any(passes(estimated(workload, n, *layout)) for layout in LAYOUTS)]

    assert offered is not None
    assert passing
    assert offered.node_count <= min(passing)
    assert serving(offered).nodes_per_replica == serving(estimated(workload, offered.node_count)).nodes_per_replica


def test_without_a_load_given_machines_serve_what_they_can() -> None:
    """A recommendation is one machine then; two that are named hold a replica together, for it serves more."""
    alone, together = first(CHAT), estimated(CHAT, 2)
    assert alone is not None
    assert 1 == alone.node_count
    assert (2, 1) == (serving(together).nodes_per_replica, serving(estimated(CHAT, 2, 8, 1)).nodes_per_replica)
    assert serving(together).max_concurrency > serving(estimated(CHAT, 2, 8, 1)).max_concurrency


def test_machines_with_room_beside_the_weights_have_a_replica_each() -> None:
    """Of a model that takes a seventh of a machine's memory, two machines together would hold hardly more requests."""
    offered = first(replace(CHAT, model="llama-3.1-70b", concurrency=1000, kv_cache_precision="fp8", tpot_ms="none"))
    assert offered is not None
    assert offered.node_count > 1
    assert 1 == serving(offered).nodes_per_replica


def test_machines_without_links_have_a_replica_each() -> None:
    """Over machines whose devices share a bus nobody is sent unasked."""
    model = replace(CHAT, model="llama-3.1-70b", concurrency=40)
    offered = first(model, accelerator="L40S")
    assert offered is not None
    assert offered.node_count > 1
    assert 1 == serving(offered).nodes_per_replica


def test_a_day_has_the_layout_of_its_peak() -> None:
    """The quiet hours of a day also have whole replicas."""
    day = (0.0,) * 8 + (0.1,) * 8 + (1.0,) * 8
    schedule = serving(first(replace(CHAT, requests_per_second_by_hour=day))).schedule

    assert schedule is not None
    assert {(0, 0), (1, 2)} == {(hour.replicas, hour.node_count) for hour in schedule}


def test_a_job_takes_machines_together_where_they_do_more_in_an_hour() -> None:
    """Batch work on two machines: a replica over both runs many more requests at once."""
    batch = replace(CHAT, requests=20_000)
    apart, together = estimated(batch, 2, 8, 1).estimate, estimated(batch, 2).estimate
    assert apart is not None
    assert together is not None
    assert apart.time_hours is not None
    assert together.time_hours is not None
    assert together.time_hours.value < 0.6 * apart.time_hours.value
