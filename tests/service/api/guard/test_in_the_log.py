"""Callers in the log: addresses and ids of keys."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.app import configure_logging


@pytest.fixture(autouse=True)
def audible() -> None:
    """Log requests, although structlog's configuration is shared."""
    configure_logging("info")


@pytest.mark.parametrize(("proxies", "client"), [(0, "192.0.2.1"), (1, "203.0.113.9")])
def test_a_line_has_the_callers_address(guarded: Guarded, proxies: int, client: str) -> None:
    """A log line has the caller's address, or the forwarded one behind a trusted proxy."""
    app = guarded(trusted_proxies=proxies)
    with capture_logs() as lines:
        app.test_client().get(
            "/v1/rules", headers={"X-Forwarded-For": "203.0.113.9"}, environ_base={"REMOTE_ADDR": "192.0.2.1"}
        )

    assert [client] == [line["client"] for line in lines if line["event"] == "request"]


def test_refusals_of_keys_have_the_keys_id(guarded: Guarded, key_path: Path, issue: Issue) -> None:
    """A refusal has the key's id, for a wrong secret and for an expired key, but never the secret."""
    wrong = issue("read")[:-1] + "x"
    expired = issue("read", expires=datetime(2020, 1, 1, tzinfo=UTC))
    forged = "plm_" + "0" * 12 + "_" + "1" * 64
    client = guarded(api_keys_path=key_path).test_client()
    with capture_logs() as lines:
        for key in (wrong, expired, forged):
            assert client.get("/v1/rules", headers=bearer(key)).status_code == 401

    said = [line.get("key") for line in lines if line["event"] == "request"]
    assert [None, expired.split("_")[1], "0" * 12] == said
    assert expired.split("_")[2] not in str(lines)
