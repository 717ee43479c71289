"""The fast reading of sound documents gives the same values, and refuses every faulty document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from marshmallow import ValidationError

from plimsoll_service.api.loading import load
from plimsoll_service.api.schemas.constraints import CommitmentSchema
from plimsoll_service.api.schemas.questions import EstimateRequestSchema, RecommendationRequestSchema
from plimsoll_service.engine.faults import Refused

REQUEST = RecommendationRequestSchema()
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.json"))
TRAIN = {"task": "training", "model": "resnet50"}
COMMITTED = {"cloud": "aws", "kind": "reserved"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_read_to_the_same_value(path: Path):
    """Each example is read to the value that the schema loads."""
    document = json.loads(path.read_text())
    assert REQUEST.sound(document) == REQUEST.load(document)


@pytest.mark.parametrize(
    "document",
    [
        {"workload": {**TRAIN, "deadline": "2d", "dataset": {"size_gb": 3}, "disk": {"type": "ssd"}, "epochs": None}},
        {"workload": {"task": "training", "model": {"family": "cnn", "parameters": 1e7}}, "limit": 3.0},
        {"workload": TRAIN, "constraints": {"purchase": ["spot"], "commitments": [{**COMMITTED, "percent": 10}]}},
        {"workload": TRAIN, "constraints": None, "objective": "cost"},
    ],
)
def test_a_sound_document_is_read_to_the_same_value(document: dict[str, object]):
    """Durations, units, nested objects and lists are read alike; nulls count as missing."""
    assert REQUEST.sound(document) == REQUEST.load(document)


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"workload": None},
        {"workload": "training"},
        {"workload": {"model": "resnet50"}},
        {"workload": {**TRAIN, "epoch": None}},
        {"workload": {**TRAIN, "deadline_hours": 3}},
        {"workload": {**TRAIN, "epochs": -1}},
        {"workload": {**TRAIN, "dataset": {"size": "1GB", "size_gb": 1}}},
        {"workload": TRAIN, "constraints": {"commitments": [COMMITTED]}},
        {"workload": TRAIN, "constraints": {"commitments": [{**COMMITTED, "percent": 10, "usd_per_hour": 1}]}},
    ],
)
def test_a_faulty_document_is_not_sound(document: object):
    """Documents that ``load`` refuses are not sound: missing, unknown, malformed or contradictory fields."""
    with pytest.raises(ValidationError):
        REQUEST.sound(document)
    with pytest.raises(ValidationError):
        REQUEST.load(document)


def test_every_fault_of_an_unsound_document_is_told():
    """The fast reading stops at the first fault; the refusal names them all."""
    with pytest.raises(Refused) as refused:
        load(EstimateRequestSchema(), {"workload": {**TRAIN, "epochs": 0, "layers": 3}, "on": {"vcpus": "many"}})
    assert {"/workload/epochs", "/workload/layers", "/on/vcpus"} == {fault.pointer for fault in refused.value.faults}


def test_a_commitment_without_a_price_is_not_sound():
    """A commitment needs a price in one of two forms, which no single field can check."""
    with pytest.raises(ValidationError):
        CommitmentSchema().sound(dict(COMMITTED))
