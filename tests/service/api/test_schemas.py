"""The schemas cover the whole vocabulary and nothing else, and give frozen values."""

from __future__ import annotations

from dataclasses import fields

import pytest

from plimsoll_service.api.data_files import EXAMPLES
from plimsoll_service.api.loading import load
from plimsoll_service.api.pricing_agreements import PricingAgreementsSchema
from plimsoll_service.api.schemas.constraints import CommitmentSchema, ConstraintsSchema, DiscountSchema, QuotaSchema
from plimsoll_service.api.schemas.hardware import OwnMachineSchema
from plimsoll_service.api.schemas.questions import (
    BatchRequestSchema,
    ComparisonRequestSchema,
    EstimateRequestSchema,
    RecommendationRequestSchema,
)
from plimsoll_service.api.schemas.strict import StrictSchema
from plimsoll_service.api.schemas.workload import CustomModelSchema, WorkloadSchema
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.workload import (
    Commitment,
    Constraints,
    CustomModel,
    Dataset,
    Discount,
    Hardware,
    Query,
    Quota,
    Terms,
    Workload,
)

REQUEST = RecommendationRequestSchema()


def faults(document: object, schema: StrictSchema = REQUEST) -> dict[str, str]:
    """Faults of a document by pointer."""
    with pytest.raises(Refused) as refused:
        load(schema, document)
    return {fault.pointer: fault.detail for fault in refused.value.faults}


@pytest.mark.parametrize(
    ("schema", "target"),
    [
        (WorkloadSchema(), Workload),
        (ConstraintsSchema(), Constraints),
        (CustomModelSchema(), CustomModel),
        (OwnMachineSchema(), Hardware),
        (DiscountSchema(), Discount),
        (QuotaSchema(), Quota),
        (CommitmentSchema(), Commitment),
        (PricingAgreementsSchema(), Terms),
    ],
)
def test_a_schema_has_every_field_of_its_value(schema: StrictSchema, target: type) -> None:
    """Each field of a value has a field in its schema, and the other way round."""
    loaded = {field.attribute or name for name, field in schema.fields.items()}

    assert {field.name for field in fields(target)} == loaded


def test_a_question_becomes_a_frozen_query() -> None:
    """Every level of a query is one of the engine's values."""
    query = load(
        REQUEST,
        {
            "workload": {
                "task": "training",
                "model": {"family": "cnn", "parameters": 25e6},
                "dataset": {"size": "240GB"},
                "image_size": [224, 192],
                "deadline": "48h",
                "batch_size": 256.0,
            },
            "constraints": {
                "clouds": ["aws"],
                "exclude": ["p3"],
                "own_machines": [{"accelerator": "T4", "max_nodes": 2}],
            },
            "objective": "cost",
        },
    )

    expected = Query(
        Workload(
            task="training",
            model=CustomModel(family="cnn", parameters=25e6),
            dataset=Dataset(size_bytes=240e9),
            image_size=(224, 192),
            deadline_hours=48.0,
            batch_size=256,
        ),
        Constraints(clouds=("aws",), exclude=("p3",), own_machines=(Hardware(accelerator="T4", max_nodes=2),)),
        objective="cost",
    )
    assert query == expected
    assert isinstance(query.workload.batch_size, int)


def test_every_fault_is_named_at_once() -> None:
    """Faults of all levels are reported together, each at its own pointer."""
    found = faults(
        {
            "workload": {"task": "trainin", "epoks": 3, "batch_size": True, "dataset": {"size": 5}, "tokens": "many"},
            "constraints": {"clouds": ["aws", 3], "discounts": [{"cloud": "aws"}], "max_nodes": 1.5},
            "limit": 101,
            "objektive": "cost",
        }
    )

    assert set(found) == {
        "/workload/task",
        "/workload/epoks",
        "/workload/batch_size",
        "/workload/dataset/size",
        "/workload/tokens",
        "/constraints/clouds/1",
        "/constraints/discounts/0/percent",
        "/constraints/max_nodes",
        "/limit",
        "/objektive",
    }


@pytest.mark.parametrize(
    ("document", "pointer", "word"),
    [
        ({"workload": {"task": "trainin"}}, "/workload/task", "'training'"),
        ({"workload": {"task": "hpc", "epoks": 1}}, "/workload/epoks", "'epochs'"),
        ({"workload": {"task": "hpc"}, "constrains": {}}, "/constrains", "'constraints'"),
        ({"task": "training"}, "/task", "'workload'"),
        ({"workload": {"task": "hpc", "clouds": []}}, "/workload/clouds", "'constraints'"),
        ({"workload": {"task": "hpc", "dataset": {"sise": 1}}}, "/workload/dataset/sise", "'size'"),
    ],
)
def test_a_misspelt_name_suggests_the_right_one(document: object, pointer: str, word: str) -> None:
    """A fault suggests the right name, or the object to which a field belongs."""
    assert word in faults(document)[pointer]


@pytest.mark.parametrize("value", [True, "3", [3], {}, 1e300, -1, 0])
def test_only_a_number_within_bounds_is_a_number(value: object) -> None:
    """Booleans, texts, lists and absurd figures are no numbers."""
    assert "/workload/epochs" in faults({"workload": {"task": "hpc", "epochs": value}})


def test_a_size_said_twice_is_refused() -> None:
    """Two sizes are refused, because the service does not guess which one is meant."""
    found = faults({"workload": {"task": "hpc", "dataset": {"size": "1GB", "size_gb": 1}}})

    assert set(found) == {"/workload/dataset/size", "/workload/dataset/size_gb"}


@pytest.mark.parametrize(
    ("price", "pointer"),
    [({}, "usd_per_hour"), ({"usd_per_hour": 1, "percent": 5}, "percent"), ({"percent": 100}, "percent")],
)
def test_a_commitment_has_one_price(price: dict[str, float], pointer: str) -> None:
    """A commitment has exactly one of USD an hour and a percentage, and is never free."""
    agreed = {"cloud": "aws", "kind": "reserved", **price}
    found = faults({"workload": {"task": "hpc"}, "constraints": {"commitments": [agreed]}})

    assert set(found) == {f"/constraints/commitments/0/{pointer}"}


def test_null_is_the_same_as_left_out() -> None:
    """A null counts as a missing field."""
    document = {"workload": {"task": "hpc", "model": None, "dataset": None}, "constraints": None, "limit": None}

    assert load(REQUEST, document) == load(REQUEST, {"workload": {"task": "hpc"}})


def test_a_pointer_escapes_what_would_part_it() -> None:
    """RFC 6901 writes a slash as ~1 and a tilde as ~0."""
    assert "/a~1b~0c" in faults({"workload": {"task": "hpc"}, "a/b~c": 1})


@pytest.mark.parametrize(
    ("schema", "term"),
    [
        (DiscountSchema(), {"cloud": "aws", "percent": 30, "families": []}),
        (QuotaSchema(), {"cloud": "aws", "max_nodes": 2, "families": []}),
        (CommitmentSchema(), {"cloud": "aws", "kind": "reserved", "percent": 30, "instance_types": [], "regions": []}),
    ],
)
def test_an_empty_list_narrows_no_term(schema: StrictSchema, term: dict[str, object]) -> None:
    """An empty list in an agreement counts as missing, so the agreement applies to all machines."""
    assert load(schema, term) == load(schema, {name: value for name, value in term.items() if value != []})


def test_very_many_unknown_fields_are_one_fault() -> None:
    """A document of another kind gets one fault with the accepted fields."""
    found = faults({"workload": {"task": "hpc"}, **{f"field{number}": 1 for number in range(1000)}})

    assert list(found) == [""]


def test_a_list_that_is_too_long_is_one_fault() -> None:
    """A million entries do not give a million faults."""
    assert faults({"workload": {"task": "hpc"}, "constraints": {"clouds": [1] * 2000}}) == {
        "/constraints/clouds": "must have 0 to 1000 entries"
    }


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        (REQUEST, EXAMPLES["recommendation"]),
        (BatchRequestSchema(), EXAMPLES["batch"]),
        (EstimateRequestSchema(), EXAMPLES["estimate"]),
        (ComparisonRequestSchema(), EXAMPLES["comparison"]),
        *((REQUEST, example) for example in EXAMPLES["batch"]["requests"]),
    ],
)
def test_the_contracts_examples_are_valid(schema: StrictSchema, example: object) -> None:
    """The contract's examples can be sent as they stand."""
    assert load(schema, example)


@pytest.mark.parametrize(
    ("workload", "pointer", "instead"),
    [
        ({"task": "training", "method": "DPO"}, "/workload/method", "two samples for each pair"),
        ({"task": "preprocessing", "dataset": {"format": "mp4"}}, "/workload/dataset/format", "frames as jpeg"),
        ({"task": "training", "dataset": {"hours": 100}}, "/workload/dataset/hours", "did you mean 'samples'"),
        ({"task": "training", "method": "magic"}, "/workload/method", "(one of full, lora, qlora)"),
    ],
)
def test_a_word_that_is_missed_names_what_to_state_instead(workload: dict, pointer: str, instead: str) -> None:
    """A field that people know by another name is refused with the name of the right field."""
    assert instead in faults({"workload": workload})[pointer]
