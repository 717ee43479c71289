"""What answers say of themselves to browsers."""

from __future__ import annotations

import pytest
from tests.service.api.guard.conftest import Guarded
from tests.service.api.guard.test_access import FILLED, ROUTES

DATA = "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize("rule", sorted({rule for rule, method in ROUTES if method == "GET"}))
def test_no_answer_may_be_sniffed_or_leak_where_it_was_asked(guarded: Guarded, rule: str) -> None:
    """Each route's, once each."""
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
    """Nothing in it runs or is framed, and other sites cannot load it as if it were a picture."""
    headers = guarded().test_client().get(path).headers

    assert headers["Content-Security-Policy"] == DATA
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/embed", "/portal/main.js", "/portal/plimsoll-sizer.js", "/portal/portal.css"])
def test_other_sites_may_load_the_page(guarded: Guarded, path: str) -> None:
    """Those that isolate themselves, too; who may frame it is the page's own policy to say."""
    answer = guarded(frame_ancestors="https://portal.example").test_client().get(path)

    assert answer.status_code == 200
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "X-Frame-Options" not in answer.headers
    assert answer.headers.get("Content-Security-Policy", "") != DATA


def test_browsers_are_kept_to_tls_where_the_settings_say_so(guarded: Guarded) -> None:
    """For the time that they say."""
    answer = guarded(hsts_seconds=31536000).test_client().get("/")

    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
