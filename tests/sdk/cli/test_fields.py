"""The options and the service's names agree, field by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plimsoll.cli.commands import recommend
from plimsoll.cli.fields import FIELDS, PATHS, Field
from plimsoll.cli.listing import INSTANCE_TYPES, MODELS, PRICE_CHANGES, PRICES
from plimsoll.cli.machines import NAMES
from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.schemas.hardware import HardwareSchema

CONTRACT = yaml.load((Path(__file__).resolve().parents[3] / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
# What every collection takes, and the parameters that are arguments or options of their own here.
ELSEWHERE = {"limit", "cursor", "format", "snapshot", "from", "to"}


def parameters(path: str) -> dict[str, Any]:
    """The query parameters of a route, by name."""
    listed = CONTRACT["paths"][path]["get"]["parameters"]
    shared = CONTRACT.get("components", {}).get("parameters", {})
    found = (shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in listed)
    return {each["name"]: each["schema"] for each in found if each["in"] == "query"}


def words(schema: dict[str, Any]) -> list[str]:
    """Words that a parameter accepts, if they are few."""
    allowed: list[str] = schema.get("items", schema).get("enum", [])
    return allowed


def test_every_field_of_a_question_has_its_option() -> None:
    """The options are exactly the parameters of GET /v1/recommendations."""
    assert set(parameters("/v1/recommendations")) - {"snapshot", "format"} == set(FIELDS) == set(PATHS)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/instance-types", INSTANCE_TYPES),
        ("/v1/models", MODELS),
        ("/v1/prices", PRICES),
        ("/v1/prices/changes", PRICE_CHANGES),
    ],
)
def test_every_filter_has_its_option(path: str, fields: tuple[Field, ...]) -> None:
    """The options are exactly the filters of the route."""
    assert set(parameters(path)) - ELSEWHERE == {field.name for field in fields}


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/recommendations", FIELDS.values()),
        ("/v1/instance-types", INSTANCE_TYPES),
        ("/v1/models", MODELS),
        ("/v1/prices", PRICES),
        ("/v1/prices/changes", PRICE_CHANGES),
    ],
)
def test_completion_offers_the_words_of_the_contract(path: str, fields: Any) -> None:
    """An option offers the words that the contract lists for its parameter."""
    taken = {name: words(schema) for name, schema in parameters(path).items()}

    assert {field.name: taken[field.name] for field in fields if taken[field.name]} == {
        field.name: list(field.words) for field in fields if taken[field.name]
    }


def test_every_format_of_the_service_is_offered() -> None:
    """The help names the service's formats."""
    assert set(recommend.FORMATS) == {*RECOMMENDATIONS, "yaml"}


def test_a_machine_takes_the_names_of_the_contract() -> None:
    """NAME=VALUE accepts exactly the fields of given hardware."""
    assert set(NAMES) == set(HardwareSchema().fields) | {"label"}


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "2.4", "2.4"),
        ("number", "256", 256),
        ("number", "1e19", 1e19),
        ("number", "93 GiB", "93 GiB"),
        ("number", "1_000", "1_000"),
        ("number", "50M", "50M"),
        ("count", "50M", 50_000_000),
        ("count", "1.2b", 1_200_000_000),
        ("count", "2 T", 2_000_000_000_000),
        ("count", "1e9", 1e9),
        ("count", "3 GiB", "3 GiB"),
        ("count", "M", "M"),
        ("numbers", "224", 224),
        ("numbers", "480, 640", [480, 640]),
        ("texts", "aws, gcp", ["aws", "gcp"]),
    ],
)
def test_text_stands_for_the_value_of_its_kind(kind: Any, text: str, value: object) -> None:
    """Typed text becomes the value that JSON would have; any other text stays text."""
    assert value == Field("any", kind, "").value(text)
