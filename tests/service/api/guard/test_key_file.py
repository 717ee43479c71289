"""The file of keys: its content, how it is written, its faults, and its changes while the service runs."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.api.guard.key_file import LOOK_SECONDS, KeyFileError, WatchedKeys, change, read
from plimsoll_service.api.guard.keys import SHAPE, ApiKey, minted
from plimsoll_service.app import configure_logging
from plimsoll_service.settings import RateLimit

TEXT, KEY = minted("pipeline", frozenset({"size", "read"}), rate=RateLimit(60, "minute"))


def added(path: Path, key: ApiKey) -> None:
    """Put the key into the file."""
    change(path, lambda keys: {**keys, key.id: key})


def line(**changed: Any) -> str:
    """A line of the file, changed; a field of None is left out."""
    entry = {
        "id": KEY.id,
        "name": "pipeline",
        "scopes": ["read"],
        "sha256": KEY.sha256,
        "created": "2026-01-01T00:00:00Z",
    }
    return json.dumps({name: value for name, value in (entry | changed).items() if value is not None})


def test_a_key_has_256_random_bits_and_a_shape_that_scanners_know() -> None:
    """No two are alike."""
    texts = {minted("x", frozenset())[0] for _ in range(100)}

    assert len(texts) == 100
    assert all(SHAPE.fullmatch(text) and len(text.split("_")[2]) == 64 for text in texts)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Every field."""
    expiring = replace(KEY, expires=datetime.now(UTC).replace(microsecond=0) + timedelta(days=90))
    added(tmp_path / "keys", expiring)

    assert read(tmp_path / "keys") == {KEY.id: expiring}


def test_the_file_has_hashes_in_place_of_keys(tmp_path: Path) -> None:
    """A reader of the file cannot call any route."""
    added(tmp_path / "keys", KEY)
    content = (tmp_path / "keys").read_text()

    assert TEXT not in content
    assert TEXT.split("_")[2] not in content
    assert hashlib.sha256(TEXT.encode()).hexdigest() in content


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Only its owner can read a new file, whatever the umask; an existing file keeps its permissions."""
    path = tmp_path / "keys"
    before = os.umask(0)
    try:
        added(path, KEY)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    path.chmod(0o640)
    added(path, replace(KEY, name="other"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """And nothing beside it."""
    path = tmp_path / "keys"
    added(path, KEY)

    with pytest.raises(AttributeError):
        change(path, lambda _: {"x": None})
    assert read(path) == {KEY.id: KEY}
    assert list(tmp_path.iterdir()) == [path]


def test_writers_take_turns(tmp_path: Path) -> None:
    """None of several keys that are made at once is lost."""
    made = [minted("x", frozenset({"read"}))[1] for _ in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: added(tmp_path / "keys", key), made))

    assert set(read(tmp_path / "keys")) == {key.id for key in made}


def test_a_link_to_the_file_stays_one(tmp_path: Path) -> None:
    """The file that it leads to is replaced."""
    (tmp_path / "link").symlink_to(tmp_path / "keys")
    added(tmp_path / "link", KEY)

    assert (tmp_path / "link").is_symlink()
    assert read(tmp_path / "keys") == {KEY.id: KEY}


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "line 1: is no JSON object"),
        ("[]", "line 1"),
        (line(id="x"), "id"),
        (line(id=None), "id"),
        (line(scopes=["all"]), "scopes"),
        (line(scopes=[]), "scopes"),
        (line(sha256="x"), "sha256"),
        (line(created="yesterday"), "created"),
        (line(created="2026-01-01T00:00:00"), "created"),
        (line(expires="never"), "expires"),
        ("{}", "id: Missing data for required field, name: Missing data"),
        (line(expire="2026-01-01T00:00:00Z"), "expire"),
        (line(rate_limit="fast"), "rate_limit: takes a rate such as 600/minute"),
        (line(rate_limit=7), "rate_limit"),
        (line() + "\n" + line(), "line 2: id: is already on an earlier line"),
        (line(name="") + "\n\n" + line(sha256=KEY.sha256.upper()), "line 3: sha256"),
    ],
)
def test_a_faulty_line_is_named_and_not_quoted(tmp_path: Path, content: str, named: str) -> None:
    """By file, line and field; what stands there may be a key that was put in by mistake."""
    path = tmp_path / "keys"
    path.write_text(content)

    with pytest.raises(KeyFileError) as refused:
        read(path)
    assert str(path) in str(refused.value)
    assert named in str(refused.value)
    assert KEY.sha256 not in str(refused.value)


@pytest.mark.parametrize("content", [b"\xff", None])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    """Whether it is missing or is no text."""
    path = tmp_path / "keys"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(KeyFileError, match=str(path)):
        read(path)


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


def forked(watched: WatchedKeys, monkeypatch: pytest.MonkeyPatch) -> WatchedKeys:
    """The keys as a worker has them that is forked now."""
    monkeypatch.setattr(os, "getpid", lambda: watched._reader + 1)
    return watched


def test_a_worker_that_starts_with_a_broken_file_refuses_all(
    key_path: Path, issue: Issue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot know which keys were revoked since the server read them; a file that is mended is taken."""
    key_id = issue("read").split("_")[1]
    watched = WatchedKeys(key_path, clock)
    good = key_path.read_text()
    key_path.write_text("{")
    with capture_logs() as events:
        worker = forked(watched, monkeypatch)
        for _ in range(3):
            assert worker.current() is None
            clock.now += LOOK_SECONDS

    assert [("api_keys_unusable", True)] == [(event["event"], event["refuses_all"]) for event in events]
    assert REGISTRY.get_sample_value("plimsoll_api_keys_stale") == 1
    key_path.write_text(good)
    clock.now += LOOK_SECONDS
    assert key_id in (worker.current() or {})


def test_a_worker_that_starts_with_the_file_as_it_was_has_its_keys(
    key_path: Path, issue: Issue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read anew."""
    key_id = issue("read").split("_")[1]
    worker = forked(WatchedKeys(key_path, clock), monkeypatch)

    assert key_id in (worker.current() or {})


def test_while_no_keys_are_known_callers_are_told_to_come_again(
    guarded: Guarded, key_path: Path, issue: Issue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 401 would have them give their keys up."""
    key = issue("read")
    client = guarded(api_keys_path=key_path).test_client()
    monkeypatch.setattr(WatchedKeys, "current", lambda _: None)
    answer = client.get("/v1/rules", headers=bearer(key))

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert client.get("/healthz").status_code == 200


def test_what_changes_in_the_file_is_in_the_log(key_path: Path, issue: Issue, clock: Clock) -> None:
    """Ids alone: which keys came, and which were revoked."""
    first = issue("read").split("_")[1]
    watched = WatchedKeys(key_path, clock)
    change(key_path, lambda _: {})
    second = issue("read").split("_")[1]
    clock.now += LOOK_SECONDS
    with capture_logs() as events:
        watched.current()

    assert [([second], [first])] == [(event["added"], event["revoked"]) for event in events]


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
