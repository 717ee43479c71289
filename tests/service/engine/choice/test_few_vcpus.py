"""Machines with fewer vCPUs than the input of their devices needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, made_up

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
    assert "lose" not in warning(Workload("training", model="whisper-large-v3"), 4)


def test_a_few_missing_vcpus_are_not_worth_a_word() -> None:
    """Four devices usually get sixteen: fifteen do, fourteen are named."""
    speech = Workload("training", model="whisper-large-v3")
    assert warning(speech, 14)
    box = Box(accelerator="A100-80GB", count=4, vcpus=15, memory_gib=500)
    found = ask(Query(speech, Constraints(max_nodes=1)), made_up(box)).recommendations[0]
    assert "few-vcpus" not in {note.rule for note in found.warnings}


def test_fewer_than_half_of_the_vcpus_count_against_a_machine() -> None:
    """Of two machines that take the same time, the one with a quarter of the vCPUs must be half as cheap."""
    work = Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k", format="lmdb"), epochs=1)
    boxes = [
        Box(name=name, accelerator="T4", count=4, vcpus=vcpus, memory_gib=64, sales=(Sale(price),))
        for name, vcpus, price in (("starved", 4, 1.1), ("half", 8, 2.0))
    ]
    found = ask(Query(work, Constraints(max_nodes=1), objective="cost", group="none"), made_up(*boxes)).recommendations

    assert ["half", "starved"] == [one.instance_type for one in found]
    assert "starved" not in {note.rule for note in found[0].reasons}
    [reason] = [note.text for note in found[1].reasons if note.rule == "starved"]
    assert 1.99 < float(reason.removeprefix("ranked at ").split()[0]) <= 2  # times the share of the speed that is kept


def test_inference_gets_two_vcpus_for_each_device() -> None:
    """Four processes that decode sound on four vCPUs are less than anything that was measured."""
    work = Workload("inference", model="whisper-large-v3", requests_per_second=2.0)
    boxes = [
        Box(name=name, accelerator="T4", count=4, vcpus=vcpus, memory_gib=64, sales=(Sale(price),))
        for name, vcpus, price in (("starved", 4, 1.6), ("enough", 8, 1.8))
    ]
    found = ask(Query(work, Constraints(max_nodes=1), objective="cost", group="none"), made_up(*boxes)).recommendations

    assert ["enough", "starved"] == [one.instance_type for one in found]
    assert [False, True] == ["starved" in {note.rule for note in one.reasons} for one in found]


JPEG = Workload("training", model="alexnet", dataset=IMAGES, epochs=1)
TEXTS = Workload("training", model="bert-base", dataset=Dataset(size_bytes=2e11, samples=4e6, format="text"), epochs=1)


@pytest.mark.parametrize(
    ("work", "objective", "few", "many"),
    [
        (TEXTS, "cost", {"memory_gib": 8}, {"memory_gib": 64}),
        (JPEG, "cost", {"accelerator": "V100-16GB"}, {"accelerator": "H100-SXM"}),
        (JPEG, "time", {"network_gbps": 5}, {"network_gbps": 100}),
    ],
    ids=["devices", "device", "network"],
)
def test_what_cannot_be_fed_does_not_count_against_a_machine(
    work: Workload, objective: str, few: dict[str, Any], many: dict[str, Any]
) -> None:
    """Eight vCPUs decode as much for more, faster or better connected devices; they are no reason to take fewer."""
    box = Box(accelerator="H100-SXM", count=4, vcpus=8, memory_gib=61)
    market = made_up(*(replace(box, name=name, **some) for name, some in (("few", few), ("many", many))))
    found = ask(Query(work, objective=objective, group="none", limit=100), market).recommendations
    best = next(one for one in found if one.instance_type == "many")

    assert best.sizing.vcpus.provided < best.sizing.vcpus.required / 2
    assert "starved" not in {note.rule for one in found for note in one.reasons}
    # Several devices have a wider range.
    assert best.estimate.expected_cost_usd <= 1.01 * found[0].estimate.expected_cost_usd
    assert best.estimate.time_hours.high <= 1.05 * found[0].estimate.time_hours.high
