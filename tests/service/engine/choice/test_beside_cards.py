"""Described machines whose cards hold too little of what llama.cpp serves."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.beside_cards import beside_cards
from plimsoll_service.engine.workload import Hardware, Query, Workload

DESKTOP: dict[str, Any] = {"cpu": "Intel Core i9-14900K", "vcpus": 32, "memory_gib": 96, "accelerator": "RTX-4090"}


def beside(model: str = "gpt-oss-120b", framework: str = "llama.cpp", **changed: Any) -> Any:
    job = job_of(Query(Workload("inference", framework=framework, model=model, concurrency=1)))
    return beside_cards(job, bundled_market(), Hardware(**DESKTOP | changed))


def test_what_a_card_cannot_hold_is_read_from_both_memories() -> None:
    """The processor serves, and reads and computes only what the card does not hold."""
    found = beside()
    assert found.on.accelerator is None
    assert found.faster > 1
    assert 0 < found.left < 1
    assert ["beside-cards"] == [note.rule for note in found.notes]


@pytest.mark.parametrize(("less", "more"), [("RTX-3060", "RTX-4090"), ("RTX-4090", "RTX-5090")])
def test_a_larger_card_leaves_less_to_the_host(less: str, more: str) -> None:
    """Twice the memory of a card holds more of the experts."""
    assert beside(accelerator=more).left < beside(accelerator=less).left


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "llama-3.1-8b"},
        {"framework": "vllm"},
        {"memory_gib": 32},
        {"memory_gib": None},
    ],
)
def test_other_machines_stay_as_they_are(asked: dict[str, Any]) -> None:
    """Cards that hold the model, other engines, hosts that hold too little, or of which nothing is stated."""
    found = beside(**asked)
    assert DESKTOP["accelerator"] == found.on.accelerator
    assert found.notes == ()
