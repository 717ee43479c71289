"""The synchronous client against the real application, in process: both sides of the contract at once."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plimsoll import Answer, Client, Constraints, Dataset, Hardware, NotFound, Query, Retry, ValidationError, Workload
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TRAINING = Workload("training", model="resnet50", dataset=Dataset(name="imagenet-1k"), epochs=90)
V100 = Hardware(cloud="aws", instance_type="p3.2xlarge")
LARGEST_PAGE = 1000  # the contract's
COLLECTIONS = ["instance_types", "accelerators", "models", "frameworks", "regions", "disks", "rules", "evidence"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client that calls the application directly."""
    with Client(
        "http://service", retry=Retry(attempts=1), transport=httpx.WSGITransport(app=create_app(Settings()))
    ) as client:
        yield client


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_example_is_answered(client: Client, example: Path) -> None:
    """The documents' examples get a best machine with an estimate and a price."""
    question = json.loads(example.read_text())

    best = client.recommend(question.pop("workload"), **question).best

    assert best is not None
    assert best.price is not None
    assert best.price.usd_per_hour > 0
    assert best.estimate.throughput.low <= best.estimate.throughput.value <= best.estimate.throughput.high


def test_a_typed_question_is_answered_as_the_plain_one(client: Client) -> None:
    """Dataclasses, dicts and names give the same answer."""
    plain: dict[str, Any] = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90}

    typed = client.recommend(TRAINING, constraints=Constraints(clouds=["aws"]), limit=2)

    assert typed == client.recommend(**plain, constraints={"clouds": ["aws"]}, limit=2)
    assert [machine.cloud for machine in typed.recommendations] == ["aws", "aws"]


def test_an_answer_lists_what_was_assumed(client: Client) -> None:
    """A question with only a task is answered, and each assumption has a reason."""
    found = client.recommend(task="training")

    assert found.best is not None
    assert found.assumptions
    assert all(assumption.why for assumption in found.assumptions)


def test_an_impossible_wish_is_an_empty_answer(client: Client) -> None:
    """``rejected`` counts the reasons why nothing qualifies."""
    found = client.recommend(TRAINING, constraints=Constraints(max_usd_per_hour=0.0001))

    assert found.best is None
    assert sum(found.rejected.values()) > 0


def test_a_format_is_text(client: Client) -> None:
    """A shell can read the answer's lines."""
    best = client.recommend(TRAINING).best
    assert best is not None

    assert f"INSTANCE_TYPE={best.instance_type}" in client.recommend(TRAINING, format="env").replace("'", "")


def test_every_fault_is_named_at_once(client: Client) -> None:
    """A refused question lists all its faults with their places."""
    with pytest.raises(ValidationError) as caught:
        client.recommend(task="training", batch_size=-1, dataset={"size": "much"})

    assert {fault.pointer for fault in caught.value.errors} == {"/workload/batch_size", "/workload/dataset/size"}


def test_one_bad_question_of_a_batch_fails_alone(client: Client) -> None:
    """A bad question of a batch does not affect its neighbour."""
    good, bad = client.recommend_batch([Query(TRAINING, limit=1), {"workload": {"task": "cooking"}}])

    assert isinstance(good, Answer)
    assert isinstance(bad, ValidationError)
    assert [fault.pointer for fault in bad.errors] == ["/workload/task"]


def test_given_hardware_is_estimated(client: Client) -> None:
    """A machine of the catalog has a price; bare hardware has none."""
    rented = client.estimate(TRAINING, V100)
    bare = client.estimate(TRAINING, {"accelerator": "V100-16GB", "count": 1, "vcpus": 8, "memory_gib": 61})

    assert (rented.fits, bare.fits, bare.price) == (True, True, None)
    assert rented.price is not None
    assert rented.price.usd_per_hour > 0


def test_hardware_too_small_says_what_is_short(client: Client) -> None:
    """Hardware that is too small gets an answer that names the resource."""
    result = client.estimate({"task": "inference", "model": "llama-3-70b", "precision": "bf16"}, on=V100)

    assert (result.fits, result.estimate) == (False, None)
    assert "accelerator_memory_gib" in [short.resource for short in result.short]


def test_machines_are_compared(client: Client) -> None:
    """Machines are compared with the first that fits."""
    machines = client.compare(TRAINING, on=[V100, Hardware(label="mine", accelerator="T4", count=1)]).machines

    assert (machines[0].relative_performance, machines[1].label) == (1, "mine")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_collections_are_listed_to_the_end(client: Client, name: str) -> None:
    """An iterator yields every item once, on however many pages."""
    wanted = {"source": ["neuron"]} if name == "evidence" else {}  # three pages of a hundred
    items = list(getattr(client, name)(**wanted))

    assert items
    assert list(getattr(client, name)(**wanted, limit=min(LARGEST_PAGE, len(items) // 2 + 1))) == items


def test_prices_are_filtered(client: Client) -> None:
    """Prices of one machine in one region under one purchase option."""
    wanted = {"cloud": "aws", "region": "us-east-1", "instance_type": "p3.2xlarge", "purchase": "on_demand"}

    prices = list(client.prices(**wanted))

    assert [(price.region, price.instance_type) for price in prices] == [("us-east-1", "p3.2xlarge")]
    assert prices[0].usd_per_hour > 0


def test_an_answer_comes_again_by_its_version(client: Client) -> None:
    """With an answer's version, each question has the same answer and the same text."""
    answer = client.recommend(TRAINING)
    version = answer.catalog.version

    assert client.recommend(TRAINING, snapshot=version) == answer
    assert client.recommend(TRAINING, snapshot=version, format="csv") == client.recommend(TRAINING, format="csv")
    assert client.recommend_batch([Query(TRAINING)], snapshot=version) == client.recommend_batch([Query(TRAINING)])
    assert client.estimate(TRAINING, V100, snapshot=version) == client.estimate(TRAINING, V100)
    assert client.compare(TRAINING, [V100, V100], snapshot=version) == client.compare(TRAINING, [V100, V100])
    assert client.instance_type("aws", "p3.2xlarge", snapshot=version) == client.instance_type("aws", "p3.2xlarge")
    assert list(client.disks(cloud="aws", snapshot=version)) == list(client.disks(cloud="aws"))


def test_a_version_that_is_not_kept_is_not_found(client: Client) -> None:
    """The error names the kept versions."""
    version = client.recommend(TRAINING).catalog.version

    with pytest.raises(NotFound, match=version):
        client.recommend(TRAINING, snapshot="2020-01-01-00000000")
    with pytest.raises(NotFound, match=version):
        list(client.price_changes("2020-01-01-00000000"))


def test_kept_snapshots_are_listed(client: Client) -> None:
    """Without a store, only the bundled prices are listed, which do not differ from themselves."""
    (bundled,) = client.price_snapshots()

    assert (bundled.version, bundled.published_at) == (client.recommend(TRAINING).catalog.version, None)
    assert list(client.price_changes(bundled.version, min_percent=1)) == []


def test_one_thing_is_found_by_its_name(client: Client) -> None:
    """An instance type (with its offers) and a rule are the same as in their collections."""
    rule = next(client.rules())
    p3 = client.instance_type("aws", "p3.2xlarge")

    listed = [dataclasses.replace(item, raw={}) for item in client.instance_types(cloud="aws", family="p3")]
    assert dataclasses.replace(p3, raw={}, offers=()) in listed
    assert {offer.instance_type for offer in p3.offers} == {"p3.2xlarge"}
    assert client.rule(rule.id) == rule


def test_an_unknown_name_is_not_found(client: Client) -> None:
    """A name that the catalog lacks raises NotFound."""
    with pytest.raises(NotFound):
        client.instance_type("aws", "p3.17xlarge")


def test_the_service_is_alive_and_ready(client: Client) -> None:
    """The ready catalog is the one behind the answers."""
    ready = client.ready()

    assert client.health().status
    assert ready.catalog is not None
    assert ready.catalog.version == client.recommend(task="training").catalog.version
