"""The headers of answers, and the scripts of other sites that may read the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.guard.conftest import Guarded, Issue, bearer
from tests.service.api.guard.test_access import FILLED, ROUTES

DATA = "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize("rule", sorted({rule for rule, method in ROUTES if method == "GET"}))
def test_no_answer_may_be_sniffed_or_leak_where_it_was_asked(guarded: Guarded, rule: str) -> None:
    """Each answer of a route has each header once."""
    path = rule
    for name, value in FILLED.items():
        path = path.replace(name, value)
    headers = guarded().test_client().get(path).headers

    assert headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert headers.get_all("Referrer-Policy") == ["no-referrer"]
    assert len(headers.get_all("Content-Security-Policy")) == len(set(headers.get_all("Content-Security-Policy"))) <= 1
    assert "Strict-Transport-Security" not in headers


@pytest.mark.parametrize("path", ["/v1/rules", "/v1/recommendations?task=training", "/nowhere", "/metrics", "/healthz"])
def test_data_is_no_page(guarded: Guarded, path: str) -> None:
    """Data run nothing, are not framed, and cannot be loaded by other sites as a picture."""
    headers = guarded().test_client().get(path).headers

    assert headers["Content-Security-Policy"] == DATA
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/embed", "/portal/main.js", "/portal/plimsoll-sizer.js", "/portal/portal.css"])
def test_other_sites_may_load_the_page(guarded: Guarded, path: str) -> None:
    """Even sites that isolate themselves may load the page; its own policy says who may frame it."""
    answer = guarded(frame_ancestors="https://portal.example").test_client().get(path)

    assert answer.status_code == 200
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "X-Frame-Options" not in answer.headers
    assert answer.headers.get("Content-Security-Policy", "") != DATA


def test_browsers_are_kept_to_tls_where_the_settings_say_so(guarded: Guarded) -> None:
    """Browsers use only TLS for the time in the settings."""
    answer = guarded(hsts_seconds=31536000).test_client().get("/")

    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


OURS, THEIRS = "https://portal.example", "https://evil.example"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def client(guarded: Guarded, key_path: Path) -> FlaskClient:
    """A client of an application with keys and two origins on its list."""
    return guarded(api_keys_path=key_path, cors_origins=(OURS, "http://localhost:3000")).test_client()


def preflight(client: FlaskClient, origin: str, asked: str = "authorization,content-type") -> Any:
    """Answer to a browser's preflight request."""
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": asked}
    return client.options("/v1/recommendations", headers=headers)


def test_a_preflight_is_answered_without_a_key(client: FlaskClient) -> None:
    """A preflight needs no key, because browsers send none with it."""
    answer = preflight(client, OURS)

    assert answer.status_code == 200
    assert answer.headers[ALLOWED] == OURS
    assert {"authorization", "content-type"} <= set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_other_origins_are_told_nothing(client: FlaskClient) -> None:
    """Other origins get nothing; a list of origins varies by origin, which caches are told."""
    assert ALLOWED not in preflight(client, THEIRS).headers
    assert ALLOWED not in preflight(client, f"{OURS}.evil.example").headers
    assert ALLOWED not in client.get("/v1/rules", headers={"Origin": THEIRS}).headers
    assert ALLOWED not in client.get("/v1/rules", headers={"Origin": "null"}).headers
    assert "Origin" in client.get("/v1/rules", headers={"Origin": OURS}).headers["Vary"]


def test_answers_and_refusals_can_be_read_by_the_origin(client: FlaskClient, issue: Issue) -> None:
    """An allowed origin can read answers, refusals and the headers about retries, but no cookies are used."""
    refusal = client.get("/v1/rules", headers={"Origin": OURS})
    assert (refusal.status_code, refusal.headers[ALLOWED]) == (401, OURS)
    assert "Retry-After" in refusal.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in refusal.headers


def test_only_the_interface_is_open_to_scripts(client: FlaskClient) -> None:
    """Scripts of other sites may read only /v1, not metrics or pages."""
    assert ALLOWED not in client.get("/metrics", headers={"Origin": OURS} | bearer("x")).headers
    assert ALLOWED not in client.get("/", headers={"Origin": OURS}).headers


def test_without_a_list_there_is_no_word_of_it(guarded: Guarded) -> None:
    """Without a list of origins, the answer has no such header."""
    assert ALLOWED not in guarded().test_client().get("/v1/rules", headers={"Origin": OURS}).headers
