"""Machines with fewer vCPUs than the input of their devices needs."""

from __future__ import annotations

from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.workload import Constraints, Dataset, Query, Workload

IMAGES = Dataset(name="imagenet-1k", format="jpeg")


def warning(workload: Workload, vcpus: float) -> str:
    box = Box(accelerator="A100-80GB", count=4, vcpus=vcpus, memory_gib=500)
    found = ask(Query(workload, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
    [text] = [note.text for note in found.warnings if note.rule == "few-vcpus"]
    return text


def test_the_warning_says_how_much_speed_is_lost() -> None:
    """Two vCPUs cannot decode images for four A100; segments of speech take little decoding."""
    assert "lose 9" in warning(Workload("training", model="resnet50", dataset=IMAGES), 2)
    assert "lose 0%" in warning(Workload("training", model="whisper-large-v3"), 4)
