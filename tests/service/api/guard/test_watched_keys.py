"""Keys change while the service runs, and a file that breaks locks nobody out."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.api.guard.key_file import LOOK_SECONDS, KeyFileError, WatchedKeys, change
from plimsoll_service.app import configure_logging


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The clock of the looks."""
    configure_logging("info")
    return Clock()


def test_a_new_key_is_taken_and_a_revoked_one_refused(key_path: Path, issue: Issue, clock: Clock) -> None:
    """Within a second, without a restart."""
    watched = WatchedKeys(key_path, clock)
    key_id = issue("read").split("_")[1]
    assert key_id not in watched.current()

    clock.now += LOOK_SECONDS
    assert key_id in watched.current()
    change(key_path, lambda _: {})
    clock.now += LOOK_SECONDS
    assert key_id not in watched.current()


def test_the_file_is_looked_at_once_a_second_at_most(
    key_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask."""
    watched = WatchedKeys(key_path, clock)
    looks: list[Path] = []
    real = os.stat
    monkeypatch.setattr(os, "stat", lambda path, *more, **rest: (looks.append(path), real(path, *more, **rest))[1])
    for _ in range(1000):
        clock.now += LOOK_SECONDS / 1000
        watched.current()

    assert looks.count(key_path) == 1


@pytest.mark.parametrize("broken", ["{", None])
def test_a_broken_file_keeps_the_last_good_keys(key_path: Path, issue: Issue, clock: Clock, broken: str | None) -> None:
    """It is logged once and shown in the metrics; a file that is mended is taken."""
    key_id = issue("read").split("_")[1]
    watched = WatchedKeys(key_path, clock)
    good = key_path.read_text()
    key_path.unlink() if broken is None else key_path.write_text(broken)
    with capture_logs() as events:
        for _ in range(3):
            clock.now += LOOK_SECONDS
            assert key_id in watched.current()

    assert [(event["event"], event["log_level"]) for event in events] == [("api_keys_unusable", "error")]
    assert REGISTRY.get_sample_value("plimsoll_api_keys_stale") == 1
    key_path.write_text(good)
    clock.now += LOOK_SECONDS
    assert key_id in watched.current()
    assert REGISTRY.get_sample_value("plimsoll_api_keys_stale") == 0


def test_a_service_does_not_start_without_the_keys_it_is_told_of(tmp_path: Path, guarded: Guarded) -> None:
    """To start open would be worse, to start closed no better."""
    with pytest.raises(KeyFileError):
        guarded(api_keys_path=tmp_path / "none")


def test_the_running_application_follows(key_path: Path, issue: Issue, guarded: Guarded) -> None:
    """Through all layers, by the real clock: the key is taken within a few looks."""
    client = guarded(api_keys_path=key_path).test_client()
    key = issue("read")
    statuses = set()
    for _ in range(100):
        statuses.add(client.get("/v1/rules", headers=bearer(key)).status_code)
        if 200 in statuses:
            break
        time.sleep(LOOK_SECONDS / 20)

    assert 200 in statuses
