"""The synchronous client against the real application, in process: both sides of the contract at once."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plimsoll import (
    Answer,
    Client,
    Constraints,
    CustomModel,
    Dataset,
    Discount,
    Disk,
    Hardware,
    NotFound,
    Query,
    Quota,
    Retry,
    ValidationError,
    Workload,
    figures,
    models,
    resources,
)
from plimsoll_service.api.accelerators import AcceleratorItem
from plimsoll_service.api.disks import DiskItem
from plimsoll_service.api.frameworks import FrameworkItem
from plimsoll_service.api.instance_type_items import InstanceTypeItem
from plimsoll_service.api.models import ModelItem
from plimsoll_service.api.regions import RegionItem
from plimsoll_service.api.schemas.constraints import ConstraintsSchema, DiscountSchema, QuotaSchema
from plimsoll_service.api.schemas.hardware import OwnMachineSchema
from plimsoll_service.api.schemas.model import CustomModelSchema
from plimsoll_service.api.schemas.questions import RecommendationRequestSchema
from plimsoll_service.api.schemas.workload import DatasetSchema, DiskSchema, WorkloadSchema
from plimsoll_service.app import create_app
from plimsoll_service.engine import answer
from plimsoll_service.engine.rules import Rule as EngineRule
from plimsoll_service.prices.source import PriceRecord
from plimsoll_service.settings import Settings

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TRAINING = Workload("training", model="resnet50", dataset=Dataset(name="imagenet-1k"), epochs=90)
V100 = Hardware(cloud="aws", instance_type="p3.2xlarge")
LARGEST_PAGE = 1000  # the contract's
COLLECTIONS = ["instance_types", "accelerators", "models", "frameworks", "regions", "disks", "rules", "evidence"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client whose network is the application itself."""
    with Client(
        "http://service", retry=Retry(attempts=1), transport=httpx.WSGITransport(app=create_app(Settings()))
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Workload, WorkloadSchema),
        (Constraints, ConstraintsSchema),
        (Query, RecommendationRequestSchema),
        (Hardware, OwnMachineSchema),
        (CustomModel, CustomModelSchema),
        (Dataset, DatasetSchema),
        (Disk, DiskSchema),
        (Discount, DiscountSchema),
        (Quota, QuotaSchema),
    ],
)
def test_inputs_have_the_fields_that_the_service_takes(ours: Any, theirs: Any) -> None:
    """Every field of the contract can be said with the package's types, and no other."""
    assert {field.name for field in dataclasses.fields(ours)} == set(theirs().fields)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (models.Answer, answer.Answer),
        (models.Recommendation, answer.Recommendation),
        (models.FrontierPoint, answer.FrontierPoint),
        (models.Relax, answer.Relax),
        (models.HardwareEstimate, answer.HardwareEstimate),
        (models.Comparison, answer.Comparison),
        (models.ComparedMachine, answer.ComparedMachine),
        (figures.Estimate, answer.Estimate),
        (figures.Serving, answer.Serving),
        (figures.Spot, answer.Spot),
        (figures.Sizing, answer.Sizing),
        (figures.Need, answer.MemoryNeed),
        (figures.Need, answer.AcceleratorMemoryNeed),
        (figures.DiskSizing, answer.DiskSizing),
        (figures.Price, answer.Price),
        (figures.Meets, answer.Meets),
        (resources.InstanceType, InstanceTypeItem),
        (resources.Accelerator, AcceleratorItem),
        (resources.Model, ModelItem),
        (resources.Framework, FrameworkItem),
        (resources.Region, RegionItem),
        (resources.DiskProduct, DiskItem),
        (resources.OfferPrice, PriceRecord),
        (resources.Rule, EngineRule),
    ],
)
def test_results_have_the_fields_that_the_service_answers(ours: Any, theirs: Any) -> None:
    """Nothing that the service says is without its typed field."""
    assert {field.name for field in dataclasses.fields(theirs)} - {
        field.name for field in dataclasses.fields(ours)
    } == set()


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
    """Dataclasses, dicts and names are three ways to say the same."""
    plain = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90}

    typed = client.recommend(TRAINING, constraints=Constraints(clouds=["aws"]), limit=2)

    assert typed == client.recommend(**plain, constraints={"clouds": ["aws"]}, limit=2)
    assert [machine.cloud for machine in typed.recommendations] == ["aws", "aws"]


def test_an_answer_lists_what_was_assumed(client: Client) -> None:
    """The task alone is answered, and each assumption says why."""
    found = client.recommend(task="training")

    assert found.best is not None
    assert found.assumptions
    assert all(assumption.why for assumption in found.assumptions)


def test_an_impossible_wish_is_an_empty_answer(client: Client) -> None:
    """Where nothing qualifies, rejected counts why."""
    found = client.recommend(TRAINING, constraints=Constraints(max_usd_per_hour=0.0001))

    assert found.best is None
    assert sum(found.rejected.values()) > 0


def test_a_format_is_text(client: Client) -> None:
    """A shell can read the answer's lines."""
    best = client.recommend(TRAINING).best
    assert best is not None

    assert f"INSTANCE_TYPE={best.instance_type}" in client.recommend(TRAINING, format="env").replace("'", "")


def test_every_fault_is_named_at_once(client: Client) -> None:
    """A refused question tells all its faults with their places."""
    with pytest.raises(ValidationError) as caught:
        client.recommend(task="training", batch_size=-1, dataset={"size": "much"})

    assert {fault.pointer for fault in caught.value.errors} == {"/workload/batch_size", "/workload/dataset/size"}


def test_one_bad_question_of_a_batch_fails_alone(client: Client) -> None:
    """Its neighbour is answered."""
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
    """What does not fit is an answer that names the resource."""
    result = client.estimate({"task": "inference", "model": "llama-3-70b", "precision": "bf16"}, on=V100)

    assert (result.fits, result.estimate) == (False, None)
    assert "accelerator_memory_gib" in [short.resource for short in result.short]


def test_machines_are_compared(client: Client) -> None:
    """The first machine that fits is the measure of the others."""
    machines = client.compare(TRAINING, on=[V100, Hardware(label="mine", accelerator="T4", count=1)]).machines

    assert (machines[0].relative_performance, machines[1].label) == (1, "mine")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_collections_are_listed_to_the_end(client: Client, name: str) -> None:
    """An iterator yields every item once, on however many pages."""
    items = list(getattr(client, name)())

    assert items
    assert list(getattr(client, name)(limit=min(LARGEST_PAGE, len(items) // 2 + 1))) == items


def test_prices_are_filtered(client: Client) -> None:
    """Prices of one machine in one region under one purchase option."""
    wanted = {"cloud": "aws", "region": "us-east-1", "instance_type": "p3.2xlarge", "purchase": "on_demand"}

    prices = list(client.prices(**wanted))

    assert [(price.region, price.instance_type) for price in prices] == [("us-east-1", "p3.2xlarge")]
    assert prices[0].usd_per_hour > 0


def test_one_thing_is_found_by_its_name(client: Client) -> None:
    """An instance type and a rule, each as its collection lists it."""
    rule = next(client.rules())

    assert client.instance_type("aws", "p3.2xlarge") in list(client.instance_types(cloud="aws", family="p3"))
    assert client.rule(rule.id) == rule


def test_an_unknown_name_is_not_found(client: Client) -> None:
    """What the catalog lacks raises NotFound."""
    with pytest.raises(NotFound):
        client.instance_type("aws", "p3.17xlarge")


def test_the_service_is_alive_and_ready(client: Client) -> None:
    """The catalog that is ready is the one that answers rest on."""
    ready = client.ready()

    assert client.health().status
    assert ready.catalog is not None
    assert ready.catalog.version == client.recommend(task="training").catalog.version
