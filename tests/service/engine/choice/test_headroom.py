"""Room beside the load of a service: which choice has little of it, says so, or comes behind another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, made_up

from plimsoll_service.engine.answer import Answer, Recommendation
from plimsoll_service.engine.workload import Query, Workload

CHAT = Workload(
    "inference",
    model="llama-3.1-8b",
    framework="vllm",
    precision="int4",
    input_tokens=500,
    output_tokens=200,
    latency_ms=20_000,
    tpot_ms=120,
)
SMALL = Box(name="small", accelerator="L4", count=1, vcpus=16, memory_gib=64, sales=(Sale(1.0),))
LARGE = replace(SMALL, name="large", accelerator="L40S")


def answer(workload: Workload, *boxes: Box) -> Answer:
    """Answer with these machines alone."""
    return ask(Query(workload), made_up(*boxes))


def room_notes(one: Recommendation) -> list[str]:
    """What it says of its room."""
    return [note.text for note in one.warnings if note.rule == "headroom"]


def users_of(box: Box) -> int:
    """The most users of one such machine."""
    serving = answer(replace(CHAT, concurrency=1), box).recommendations[0].estimate.serving
    assert serving is not None
    assert serving.max_concurrency is not None
    return int(serving.max_concurrency)


def test_a_choice_without_room_says_so() -> None:
    most = users_of(SMALL)
    full, roomy = (answer(replace(CHAT, concurrency=users), SMALL).recommendations[0] for users in (most, most // 2))

    assert room_notes(full) == [f"the maximum concurrency is {most}; the requested concurrency is {most}"]
    assert room_notes(roomy) == []


def test_a_rate_at_the_low_end_of_what_is_served_says_so() -> None:
    found = answer(replace(CHAT, requests_per_second=0.1), SMALL).recommendations[0].estimate.capacity
    assert found is not None
    sure = found.low / 200
    full, roomy = (
        answer(replace(CHAT, requests_per_second=sure * share), SMALL).recommendations[0] for share in (0.98, 0.8)
    )

    assert 1 == full.node_count
    assert room_notes(full)[0].startswith("serves at least ")
    assert room_notes(roomy) == []


@pytest.mark.parametrize(
    ("dearer", "share", "first"), [(1.04, 1.0, "large"), (1.04, 0.8, "small"), (1.2, 1.0, "small")]
)
def test_an_option_with_room_comes_first_where_it_is_hardly_dearer(dearer: float, share: float, first: str) -> None:
    asked = replace(CHAT, concurrency=int(users_of(SMALL) * share))
    boxes = SMALL, replace(LARGE, sales=(Sale(dearer),))
    found = answer(asked, *boxes).recommendations

    assert first == found[0].instance_type
    assert bool(room_notes(found[0])) == (share == 1.0 and first == "small")
    assert ("headroom" in {note.rule for note in found[0].reasons}) == (first == "large")
