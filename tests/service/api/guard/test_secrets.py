"""Keys and passwords reach no log, no answer and no text of an object."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.api.guard.key_file import read
from plimsoll_service.app import configure_logging, create_app
from plimsoll_service.settings import Settings

PASSWORD = "correct-horse-battery-staple"


def test_a_key_is_in_no_log_and_no_answer(
    guarded: Guarded, key_path: Path, issue: Issue, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key is in no log and no answer, if right, wrong, of another scope, over its limit, or in a failing request."""
    configure_logging("debug")
    right, other = issue("read"), issue("metrics")
    wrong = right[:-4] + "0000"
    app = guarded(api_keys_path=key_path)
    app.add_url_rule("/fails", "fails", lambda: 1 / 0)
    client = app.test_client()
    answers: list[Any] = []
    send: list[Callable[[str], dict[str, str]]] = [bearer, lambda key: {"X-API-Key": key}]
    for key in (right, other, wrong):
        for headers in send:
            answers += [client.get(path, headers=headers(key)) for path in ("/v1/rules", "/metrics", "/none", "/fails")]
            answers.append(client.post("/v1/recommendations", data=b"{", headers=headers(key)))
    said = capsys.readouterr()
    text = said.out + said.err + "".join(answer.text + str(answer.headers) for answer in answers)

    assert "request" in said.out
    assert [key for key in (right, other, wrong) if key in text or key.split("_")[2] in text] == []
    assert [kept.sha256 for kept in read(key_path).values() if kept.sha256 in text] == []


def test_a_key_in_a_path_is_in_no_log(guarded: Guarded, issue: Issue, capsys: pytest.CaptureFixture[str]) -> None:
    """A key in a path, where it does not belong, is not logged."""
    configure_logging("debug")
    key = issue("read")
    app = guarded()
    app.add_url_rule("/fails/<what>", "fails", lambda what: what / 0)
    client = app.test_client()
    statuses = [client.get(f"{path}/{key}").status_code for path in ("/v1", "/v1/models", "/fails")]
    said = capsys.readouterr().out

    assert statuses == [404, 404, 500]
    assert said.count(key.rpartition("_")[0]) == 4  # which key it is may be told: each request's line, and the failure
    assert key.rpartition("_")[2] not in said


@pytest.mark.parametrize(
    "url",
    [
        f"redis://:{PASSWORD}@127.0.0.1:1/0",
        f"redis+sentinel://:{PASSWORD}@127.0.0.1:1/main",
        f"redis+cluster://:{PASSWORD}@127.0.0.1:1",
        f"nonsense://:{PASSWORD}@127.0.0.1",
    ],
)
def test_the_password_of_redis_is_in_no_log_and_no_answer(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The password is in no log and no answer, for valid and faulty URLs and an unreachable Redis."""
    settings = Settings.from_environment(
        {"PLIMSOLL_REDIS_URL": url, "PLIMSOLL_LOG_LEVEL": "debug", "PLIMSOLL_RATE_LIMIT": "100/minute"}
    )
    client = create_app(settings).test_client()
    paths = ("/readyz", "/metrics", "/v1/prices?instance_type=p3.2xlarge", "/v1/rules")
    answers = "".join(client.get(path).text for path in paths)
    said = capsys.readouterr()

    assert "redis" in said.out
    assert PASSWORD not in said.out + said.err + answers


def test_settings_do_not_show_the_password() -> None:
    """Settings do not show the password, because their text may be logged."""
    assert PASSWORD not in repr(Settings(redis_url=f"redis://:{PASSWORD}@localhost"))
