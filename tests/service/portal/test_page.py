"""The page's routes: their content, and the origins that may frame them."""

from __future__ import annotations

import gzip
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from plimsoll_service import portal
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ELEMENT = "/portal/plimsoll-sizer.js"
MOST_SCRIPT_BYTES = 150_000


@pytest.fixture
def client() -> FlaskClient:
    """A bare application with only the page."""
    app = Flask("page")
    app.register_blueprint(portal.blueprint)
    return app.test_client()


def directives(client: FlaskClient, path: str) -> dict[str, str]:
    """The content security policy of a page, by directive."""
    policy = client.get(path).headers["Content-Security-Policy"]
    return {name: value for name, _, value in (part.strip().partition(" ") for part in policy.split(";"))}


@pytest.mark.parametrize(("path", "expected"), [("/", "'none'"), ("/embed", "'self'")])
def test_framing_is_limited(client: FlaskClient, path: str, expected: str) -> None:
    """Nothing may frame the page; only its own origin may frame the embedded one."""
    assert directives(client, path)["frame-ancestors"] == expected


def test_framing_origins_are_configured(client: FlaskClient) -> None:
    """The settings name the origins that may frame the embedded page, and do not change ``/``."""
    client.application.config[portal.FRAME_ANCESTORS] = "https://portal.example"

    assert directives(client, "/embed")["frame-ancestors"] == "https://portal.example"
    assert directives(client, "/")["frame-ancestors"] == "'none'"


@pytest.mark.parametrize("path", ["/", "/embed"])
def test_policy_holds_for_what_is_served(client: FlaskClient, path: str) -> None:
    """The policy allows only the service's own files, and the page has nothing inline or from elsewhere."""
    body = client.get(path).text

    assert directives(client, path)["default-src"] == "'self'"
    assert re.findall(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|(?:src|href)=\"(?:https?:)?//", body) == []


def test_linked_files_exist(client: FlaskClient) -> None:
    """Every file that the page names is served with its type, and so is the script of the element."""
    linked = [*re.findall(r"(?:src|href)=\"(/portal/[^\"]+)\"", client.get("/").text), ELEMENT]

    statuses = {path: client.get(path).status_code for path in linked}

    assert {path for path, status in statuses.items() if status != 200} == set()
    assert {client.get(path).mimetype for path in linked if path.endswith(".js")} == {"text/javascript"}


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    """The whole application, which knows the catalog."""
    return create_app(Settings(log_level="critical")).test_client()


@pytest.mark.parametrize(
    "path", ["/machines/aws/g5.xlarge", "/accelerators/H100-SXM", "/accelerators/nvidia a100 80gb"]
)
def test_hardware_has_a_page(whole: FlaskClient, path: str) -> None:
    """A machine and an accelerator have a page in any known spelling, under the page's own policy."""
    answer = whole.get(path)

    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert answer.headers["Content-Security-Policy"] == whole.get("/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/machines/aws/g5.xlrge", "/machines/nowhere/g5.xlarge", "/accelerators/H1000"])
def test_unknown_hardware_is_not_found(whole: FlaskClient, path: str) -> None:
    """For an unknown name, people get a page that helps, and scripts get the problem."""
    answers = whole.get(path, headers=BROWSER), whole.get(path)

    assert [(answer.status_code, answer.mimetype) for answer in answers] == [
        (404, "text/html"),
        (404, "application/problem+json"),
    ]


@pytest.mark.parametrize("path", ["/portal/main.js", "/portal/portal.css"])
def test_files_are_sent_compressed(client: FlaskClient, path: str) -> None:
    """Clients that accept gzip get compressed files with a lasting name; others get the plain files."""
    plain, small = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip, br"})

    assert (small.headers["Content-Encoding"], "Content-Encoding" in plain.headers) == ("gzip", False)
    assert gzip.decompress(small.data) == plain.data
    assert small.headers["Vary"] == "Accept-Encoding"
    again = {"Accept-Encoding": "gzip", "If-None-Match": small.headers["ETag"]}
    assert client.get(path, headers=again).status_code == 304


@pytest.mark.parametrize("path", ["/v1/instance-types?limit=1000", "/v1/instance-types/aws/g5.xlarge", "/v1/rules"])
def test_large_lists_are_sent_compressed(whole: FlaskClient, path: str) -> None:
    """Clients that accept gzip get a large list in less than half of its bytes; its ETag stands for both forms."""
    plain, small = whole.get(path), whole.get(path, headers={"Accept-Encoding": "gzip"})

    assert (small.headers["Content-Encoding"], "Content-Encoding" in plain.headers) == ("gzip", False)
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data) / 2
    assert {small.headers["Vary"], plain.headers["Vary"]} == {"Accept, Accept-Encoding"}
    for tag in (small.headers["ETag"], plain.headers["ETag"]):
        for encoding in ("gzip", "identity"):
            assert whole.get(path, headers={"If-None-Match": tag, "Accept-Encoding": encoding}).status_code == 304


def test_small_answers_and_refusals_stay_as_they_are(whole: FlaskClient) -> None:
    """An answer that fits into two packets, a refusal, and an answer to a question are not compressed."""
    asked = {"Accept-Encoding": "gzip"}
    answers = [
        whole.get("/v1/prices/snapshots", headers=asked),
        whole.get("/v1/instance-types?limit=0", headers=asked),
        whole.get("/v1/recommendations?task=training&model=resnet50", headers=asked),
    ]

    assert [answer.status_code for answer in answers] == [200, 422, 200]
    assert ["Content-Encoding" in answer.headers for answer in answers] == [False] * 3


def test_scripts_are_small(client: FlaskClient) -> None:
    """The compressed scripts that a browser fetches stay below their size limit."""
    sizes = {path: len(gzip.compress(client.get(path).data)) for path in ("/portal/main.js", ELEMENT)}

    assert sum(sizes.values()) <= MOST_SCRIPT_BYTES, sizes
