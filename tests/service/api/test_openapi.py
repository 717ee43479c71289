"""The contract's texts and examples, and the pages that show it."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from flask.testing import FlaskClient
from openapi.document import document as written
from openapi.document import explain, meanings
from tests.service.api.conftest import FixedSizer

from plimsoll_service.api.data_files import EXAMPLES
from plimsoll_service.api.problems import KINDS
from plimsoll_service.app import contract


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The contract."""
    return written(contract())


def test_every_field_of_every_object_says_what_it_means(document: dict[str, Any]) -> None:
    """Every field has a description that is more than its own name."""
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        for field, known in schema.get("properties", {}).items():
            assert " " in known["description"], f"{name}.{field}"


def test_what_is_said_to_be_null_may_be(document: dict[str, Any]) -> None:
    """A field that is described as null may be null in every object."""
    for name, schema in document["components"]["schemas"].items():
        for field, known in schema.get("properties", {}).items():
            if "null" in known["description"]:
                assert '"null"' in json.dumps(known), f"{name}.{field}"


def test_every_meaning_is_of_a_field(document: dict[str, Any]) -> None:
    """Every description belongs to a field that exists."""
    fields = {
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field in schema.get("properties", {})
    }
    names = {field.partition(".")[2] for field in fields}

    assert set(meanings()) <= fields | names


def test_a_field_without_words_is_an_error() -> None:
    """A field without a description is an error."""
    with pytest.raises(KeyError):
        explain({"Thing": {"properties": {"no_such_field": {"type": "string"}}}})


def test_the_pages_run_what_comes_from_here_alone(client: FlaskClient) -> None:
    """Pages have nothing inline and nothing from another origin."""
    for path in ("/docs", "/problems/invalid-field"):
        page = client.get(path)
        policy = page.headers["Content-Security-Policy"]

        assert "unsafe" not in policy
        assert re.search(r"https?:|\*", policy) is None
        harmless = r" type=\"(?:module\" src=\"/|application/json\")"
        assert re.findall(rf"<script(?!{harmless})| style=|=\"(?:https?:)?//", page.text) == []
        assert [
            file for file in re.findall(r"\"(/portal/[^\"]+)", page.text) if client.get(file).status_code != 200
        ] == []


def test_the_page_of_a_problem_leads_to_all_others(client: FlaskClient) -> None:
    """The page of a problem lists each other problem with its title and advice."""
    for kind in KINDS.values():
        page = client.get(f"/problems/{kind.slug}").text

        assert f": {kind.title}</h1>" in page.replace("&#39;", "'")
        assert kind.advice in page.replace("&#39;", "'")
        assert all(f'href="/problems/{other.slug}"' in page for other in KINDS.values())


def test_the_page_is_sent_once(client: FlaskClient) -> None:
    """A client that already has the page gets 304."""
    first = client.get("/docs")

    again = client.get("/docs", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data) == (304, b"")


def test_each_sample_for_curl_is_answered(client: FlaskClient, document: dict[str, Any]) -> None:
    """Each curl sample is answered in a shell with the address; a version of the prices must be a stored one."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            curl, address, *options = shlex.split(operation["x-codeSamples"][0]["source"].replace("\\\n", ""))
            given = list(zip(options[::2], options[1::2], strict=True))
            headers = dict(text.split(": ") for flag, text in given if flag == "-H")
            body = next((text for flag, text in given if flag == "-d"), None)

            answer = client.open(
                address.removeprefix("$PLIMSOLL_URL"), method=method.upper(), headers=headers, data=body
            )

            assert curl == "curl"
            assert answer.status_code == (404 if "VERSION" in address else 200), path


def test_the_example_for_shells_asks_what_the_body_asks(client: FlaskClient, sizer: FixedSizer) -> None:
    """The query example and the body example are the same question."""
    client.get(
        "/v1/recommendations", query_string={name: as_text(value) for name, value in EXAMPLES["question"].items()}
    )
    client.post("/v1/recommendations", json=EXAMPLES["recommendation"])

    by_query, by_body = sizer.seen
    assert by_query == by_body


def test_the_example_of_a_problem_is_what_the_service_says(client: FlaskClient) -> None:
    """The example of a problem equals the service's answer, word for word."""
    assert client.post("/v1/recommendations", json=EXAMPLES["refused"]).json == EXAMPLES["refusal"]


def as_text(value: Any) -> str:
    """A value in the form of a query."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
