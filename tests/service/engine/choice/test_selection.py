"""Every candidate is either feasible or counted once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.engine.catalogs import ask, bundled_market, thinned_market
from tests.service.engine.workloads import queries
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.candidates import ASKED_KINDS, NODE_COUNTS, ONE_WRITER
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import most_nodes
from plimsoll_service.engine.workload import Constraints, CustomModel, Query, Quota, Workload

STATED = (
    {},
    {"max_nodes": 3},
    {"clouds": ("aws",), "min_vcpus": 16},
    {"accelerators": ("V100", "A100", "T4")},
    {"quotas": (Quota("aws", 2), Quota("gcp", 0))},
    {"max_usd_per_hour": 2.0},
    {"regions": ("us-east-1",)},
)


@settings(max_examples=80, deadline=None)
@given(queries(), st.sampled_from(STATED), st.sampled_from((None, 3.0)))
def test_rejected_and_feasible_are_all_candidates(
    query: Query, stated: dict[str, object], deadline: float | None
) -> None:
    """Counts under all names together with the feasible candidates are types × node counts."""
    job = job_of(query)
    limits = {} if job.serves else {"deadline_hours": deadline}
    query = replace(
        query,
        workload=replace(query.workload, **limits),
        constraints=replace(query.constraints, **stated),
    )
    job, market = job_of(query), thinned_market()
    chosen = select(job, market, own_machines((), market))
    apart = job.kind == kind.PREPROCESSING and job.workload.output_format not in ONE_WRITER
    apart |= job.kind in kind.INFERENCE_KINDS and not job.serves
    apart |= job.kind in ASKED_KINDS and query.constraints.max_nodes is not None
    split = apart or job.kind in (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING)
    several = sum(count <= most_nodes(job) for count in NODE_COUNTS) if split else 1
    splits = market.machines.has_accelerator() | apart
    candidates = int(np.where(splits, several, 1).sum())
    feasible = len(np.unique(chosen.options.candidate[chosen.feasible]))
    assert candidates == feasible + sum(chosen.rejected.values())
    assert all(count > 0 for count in chosen.rejected.values())


def test_node_counts_are_nested() -> None:
    """A wider limit keeps every count of a narrower one, from a single machine on."""
    assert 1 == NODE_COUNTS[0]
    assert sorted(set(NODE_COUNTS)) == list(NODE_COUNTS)
    assert {2**power for power in range(10)} <= set(NODE_COUNTS)


def test_a_run_that_interruptions_never_let_end_is_rejected() -> None:
    """Ten hours between checkpoints at five interruptions an hour is no recommendation."""
    spot = Constraints(purchase=("spot",))
    hopeless = Workload(
        "training", model="resnet-50", interruptions_per_hour=5.0, checkpoint_interval_minutes=600.0, epochs=90.0
    )
    chosen = select(job_of(Query(hopeless, spot)), bundled_market(), own_machines((), bundled_market()))
    assert chosen.rejected["interruptions"] > 0


@pytest.mark.parametrize(
    ("model", "most"),
    [
        ("llama-3-8b", 0.9),
        ("mistral-7b", 0.9),
        ("llama-3-70b", 0.9),
        (CustomModel("decoder", parameters=7e9, layers=32, hidden_size=4096), 0.8),
    ],
)
@pytest.mark.parametrize("load", [{}, {"requests_per_second": 20.0}, {"concurrency": 200}])
def test_a_server_that_is_recommended_leaves_the_margin(
    model: str | CustomModel, most: float, load: dict[str, float]
) -> None:
    """It reserves no more of a device than other work may fill, flat out too."""
    served = Workload("inference", model=model, precision="bf16", input_tokens=500, output_tokens=200, **load)
    found = ask(Query(served, Constraints(min_accelerators=1), limit=50), bundled_market()).recommendations

    assert found
    for one in found:
        memory = one.sizing.accelerator_memory_gib
        assert memory.required <= most * memory.provided * (1 + 1e-4)  # as it is shown


@pytest.mark.parametrize("model", ["bert-base", "ncf", "xgboost"])
def test_a_question_that_no_machine_may_answer_is_answered(model: str) -> None:
    """Constraints that no machine meets leave nothing to estimate, whatever the batch: all are counted."""
    work = Workload(task="inference", model=model, batch_size=8, requests_per_second=10.0)
    answer = ask(Query(work, Constraints(instance_types=("g5.xlarge",), min_memory_gib=64.0)), bundled_market())
    assert not answer.recommendations
    assert answer.rejected


def test_weights_on_their_way_to_devices_need_no_margin() -> None:
    """Their files are mapped: 60.7 of 64 GiB pass through while 3 are the server's own."""
    work = Workload("inference", framework="vllm", model="gpt-oss-120b", concurrency=8, input_tokens=500)
    sized = Query(work, Constraints(instance_types=("g7e.2xlarge",)))
    [first, *_] = ask(sized, bundled_market()).recommendations

    assert first.sizing.memory_gib.required > 0.9 * first.sizing.memory_gib.provided
    assert first.sizing.memory_gib.breakdown["weights_loading"] > 60
