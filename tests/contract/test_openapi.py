"""The committed contract equals the code's own, is complete, and has valid examples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from openapi.document import text

from plimsoll_service.app import contract

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "openapi.yaml"
STATIC = {"/portal/{filename}"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The contract as it is committed."""
    found: dict[str, Any] = yaml.load(CONTRACT.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return found


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """All operations of the contract."""
    return [operation for path in document["paths"].values() for operation in path.values()]


def test_the_contract_is_what_the_code_says() -> None:
    """A difference means that `make openapi` was forgotten."""
    assert CONTRACT.read_text(encoding="utf-8") == text(contract())


def test_every_route_is_in_the_contract(document: dict[str, Any]) -> None:
    """Every route is in the contract, except the page's static files."""
    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule) for rule in contract().url_map.iter_rules()}

    assert routes - STATIC == set(document["paths"])


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    """Every reference leads to an existing schema."""
    named = set(re.findall(r"#/components/schemas/(\w+)", CONTRACT.read_text(encoding="utf-8")))

    assert named <= set(document["components"]["schemas"])


def test_operations_have_distinct_ids(document: dict[str, Any]) -> None:
    """Operations have distinct ids, because generated clients name their functions after them."""
    ids = [operation["operationId"] for operation in operations(document)]

    assert len(ids) == len(set(ids))


def test_every_answer_has_a_schema(document: dict[str, Any]) -> None:
    """Every answer has a schema for each media type; only a 304 has no content."""
    for operation in operations(document):
        for status, response in operation["responses"].items():
            assert ("content" in response) == (status != "304")
            for content in response.get("content", {}).values():
                assert content["schema"]


def test_what_has_a_validator_may_be_asked_for_with_it(document: dict[str, Any]) -> None:
    """Every answer under /v1 has a validator, except those to many questions at once."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            names = {parameter["name"] for parameter in operation.get("parameters", ())}
            validated = path.startswith("/v1/") and not path.endswith("/batch")
            assert ("If-None-Match" in names) == ("304" in operation["responses"]) == validated
            assert ("ETag" in operation["responses"]["200"].get("headers", {})) == validated


def test_examples_are_valid(document: dict[str, Any]) -> None:
    """Every example of a body fits the schema beside it."""
    bodies = [operation["requestBody"]["content"] for operation in operations(document) if "requestBody" in operation]
    examples = [(content["schema"], content["example"]) for body in bodies for content in body.values()]

    assert examples
    for schema, example in examples:
        jsonschema_rs.validate({**schema, "components": document["components"]}, example)


def test_unknown_figures_are_null_in_the_way_of_3_1(document: dict[str, Any]) -> None:
    """Unknown figures are null in arrays of types, not by the `nullable` of older versions."""
    assert document["components"]["schemas"]["PriceRecord"]["properties"]["as_of"]["type"] == ["string", "null"]
    assert "nullable" not in CONTRACT.read_text(encoding="utf-8")
