"""Named machines that pass by their own estimate are offered, or cheaper ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.choosing import selected
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.limits import LIMITS
from plimsoll_service.engine.choice.market import row_of
from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

CHAT = Workload("inference", model="llama-3-8b", input_tokens=512, output_tokens=256)
QUESTIONS = [
    replace(CHAT, concurrency=60),
    replace(CHAT, concurrency=300, tpot_ms=40.0),
    replace(CHAT, requests_per_second=12.0),
    replace(CHAT, requests_per_second=30.0, latency_ms=800.0),
    replace(CHAT, requests_per_second=5.0, end_to_end_ms=8000.0, input_tokens=4000),
    replace(CHAT, model="llama-3-70b", concurrency=100),
    replace(CHAT, model="llama-3-70b", requests_per_second=4.0, latency_ms=2000.0, input_tokens=3000),
    replace(CHAT, model="mixtral-8x7b", requests_per_second=8.0, tpot_ms=50.0),
]
TYPES = (
    ("aws", "g6.xlarge"), ("aws", "g5.12xlarge"), ("aws", "g6e.12xlarge"), ("aws", "g7e.12xlarge"),
    ("aws", "p4d.24xlarge"), ("aws", "p5.48xlarge"), ("gcp", "a3-highgpu-8g"), ("azure", "Standard_NC24ads_A100_v4"),
)  # fmt: skip


def passes(query: Query, on: Hardware) -> bool:
    """Whether an estimate says that these machines run the work and meet every limit."""
    job = job_of(query)
    named = named_hardware_of(job, bundled_market(), on)
    if named.estimates.outcome.obstacle[0]:
        return False
    met = (limit.met(job, named.estimates, named.options) for limit in LIMITS)
    return all(one is None or bool(one[0]) for one in met)


@pytest.mark.parametrize("workload", QUESTIONS)
def test_the_fewest_machines_that_pass_are_offered(workload: Workload) -> None:
    """Of each type as many machines as the recommendation has pass, and one less does not."""
    query = Query(workload, Constraints(max_nodes=64))
    chosen = selected(query)
    offered = chosen.options.candidate[chosen.feasible]
    walked = 0
    for cloud, name in TYPES:
        row = row_of(bundled_market(), cloud, name)
        mine = offered[chosen.options.priced.machine_row[chosen.feasible] == row]
        if not len(mine):
            assert not any(passes(query, Hardware(cloud, name, node_count=count)) for count in (1, 2, 4, 8)), name
            continue
        count = int(chosen.estimates.nodes[mine[0]])
        walked += 1
        assert passes(query, Hardware(cloud, name, node_count=count)), (name, count)
        assert count == 1 or not passes(query, Hardware(cloud, name, node_count=count - 1)), (name, count)

    assert walked
