"""The reference: what it says of the contract, and how it is served."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.conftest import FixedSizer

from plimsoll_service.api import examples, openapi
from plimsoll_service.api.meanings import explain, meanings
from plimsoll_service.api.reference import Reference, Route, reference_of
from plimsoll_service.api.schema_words import takes
from plimsoll_service.app import contract

MINIMAL = {"tags": [], "paths": {}, "components": {"schemas": {}}}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The contract."""
    return openapi.document(contract())


@pytest.fixture(scope="module")
def reference(document: dict[str, Any]) -> Reference:
    """The contract's reference."""
    return reference_of(document)


def route_of(reference: Reference, anchor: str) -> Route:
    """The route of that operation."""
    return next(route for section in reference.sections for route in section.routes if route.anchor == anchor)


def test_every_operation_is_in_the_reference_once(reference: Reference, document: dict[str, Any]) -> None:
    """Under its own anchor."""
    anchors = [route.anchor for section in reference.sections for route in section.routes]

    assert sorted(anchors) == sorted(
        operation["operationId"] for path in document["paths"].values() for operation in path.values()
    )


def test_parameters_are_parted_into_usual_and_further(reference: Reference) -> None:
    """The example's parameters stand first, the format by itself, all others apart."""
    route = route_of(reference, "recommend_by_query")

    assert {parameter.name: parameter.example for parameter in route.usual}["clouds"] == "aws,gcp"
    assert {parameter.name for parameter in route.usual} == set(examples.QUESTION)
    assert "concurrency" in {parameter.name for parameter in route.further}
    assert route.format
    assert (route.format.default, route.format.choices[0]) == ("json", "json")


def test_a_body_is_told_with_its_fields_and_example(reference: Reference) -> None:
    """Down to the fields of what lies in it."""
    body = route_of(reference, "recommend").body

    assert body
    workload = next(field for field in body.fields if field.name == "workload")
    assert (body.object, workload.object, workload.required) == ("RecommendationRequest", "Workload", True)
    assert "dataset" in {field.name for field in workload.parts if field.parts}
    assert '"task": "training"' in body.example


def test_answers_are_told_by_status_with_the_kind_of_problem(reference: Reference) -> None:
    """What is found has fields, what is refused a page that explains it."""
    answers = {answer.status: answer for answer in route_of(reference, "recommend").answers}

    assert "recommendations" in {field.name for field in answers["200"].fields}
    assert "text/csv" in answers["200"].media_types
    assert (answers["422"].problem, answers["200"].problem) == ("invalid-field", None)


@pytest.mark.parametrize(
    ("schemes", "key"),
    [
        ({}, None),
        ({"one": {"type": "http", "scheme": "bearer"}}, ("Authorization", "Bearer ")),
        (
            {"one": {"type": "http", "scheme": "bearer"}, "two": {"type": "apiKey", "in": "header", "name": "X-Key"}},
            ("X-Key", ""),
        ),
        ({"one": {"type": "apiKey", "in": "query", "name": "key"}}, None),
    ],
)
def test_the_key_goes_where_the_contract_says(schemes: dict[str, Any], key: tuple[str, str] | None) -> None:
    """Into a header of its own where there is one, since proxies may take Authorization; never into an address."""
    found = reference_of({**MINIMAL, "components": {"schemas": {}, "securitySchemes": schemes}}).key

    assert (found and (found.header, found.prefix)) == key


def test_every_field_of_every_object_says_what_it_means(document: dict[str, Any]) -> None:
    """In a sentence, not in its own name."""
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        for field, known in schema.get("properties", {}).items():
            assert " " in known["description"], f"{name}.{field}"


def test_what_is_said_to_be_null_may_be(document: dict[str, Any]) -> None:
    """Words that many objects share must be true of each."""
    for name, schema in document["components"]["schemas"].items():
        for field, known in schema.get("properties", {}).items():
            if "null" in known["description"]:
                assert "null" in takes(known), f"{name}.{field}"


def test_every_meaning_is_of_a_field(document: dict[str, Any]) -> None:
    """Words for what is gone go, too."""
    fields = {
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field in schema.get("properties", {})
    }
    names = {field.partition(".")[2] for field in fields}

    assert set(meanings()) <= fields | names


def test_a_field_without_words_is_an_error() -> None:
    """So that nobody adds one and leaves the reader without."""
    with pytest.raises(KeyError):
        explain({"Thing": {"properties": {"no_such_field": {"type": "string"}}}})


def test_the_page_has_a_form_for_every_operation(client: FlaskClient, reference: Reference) -> None:
    """With the method and path that it sends to, and readable without a script."""
    page = client.get("/docs").text

    for section in reference.sections:
        for route in section.routes:
            assert f'<article id="{route.anchor}"' in page
            assert f'data-method="{route.method}" data-path="{route.path}"' in page
    assert " style=" not in page
    assert re.findall(r"<script(?! type=\"module\" src=)", page) == []


def test_the_page_has_no_id_twice_and_no_dead_link(client: FlaskClient) -> None:
    """Links lead to what they name."""
    page = client.get("/docs").text
    ids = re.findall(r' id="([^"]+)"', page)

    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_the_page_is_sent_once(client: FlaskClient) -> None:
    """Who has it already is told so."""
    first = client.get("/docs")

    again = client.get("/docs", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data) == (304, b"")


def test_examples_of_parameters_are_answered(client: FlaskClient, document: dict[str, Any]) -> None:
    """Whoever presses Send first gets an answer."""
    asked = 0
    for path, operations in document["paths"].items():
        known = [known for known in operations.get("get", {}).get("parameters", ()) if "example" in known]
        places = {parameter["name"]: parameter["example"] for parameter in known if parameter["in"] == "path"}
        query = {parameter["name"]: as_text(parameter["example"]) for parameter in known if parameter["in"] == "query"}
        if known:
            asked += 1
            assert client.get(path.format(**places), query_string=query).status_code == 200, path

    assert asked


def test_the_example_for_shells_asks_what_the_body_asks(client: FlaskClient, sizer: FixedSizer) -> None:
    """The two ways of one question."""
    client.get("/v1/recommendations", query_string={name: as_text(value) for name, value in examples.QUESTION.items()})
    client.post("/v1/recommendations", json=examples.RECOMMENDATION)

    by_query, by_body = sizer.seen
    assert by_query == by_body


def test_the_example_of_a_problem_is_what_the_service_says(client: FlaskClient) -> None:
    """Word by word."""
    assert client.post("/v1/recommendations", json=examples.REFUSED).json == examples.REFUSAL


def as_text(value: Any) -> str:
    """A value as it stands in a query."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
