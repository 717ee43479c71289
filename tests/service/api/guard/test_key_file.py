"""The file of keys: its content, its writing, its faults, and its changes while the service runs."""

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

from plimsoll_service.api.guard.key_file import LOOK_SECONDS, KeyFileError, WatchedKeys, changing, read
from plimsoll_service.api.guard.keys import SHAPE, ApiKey, minted
from plimsoll_service.app import configure_logging
from plimsoll_service.settings import RateLimit

TEXT, KEY = minted("pipeline", frozenset({"size", "read"}), rate=RateLimit(60, "minute"))


def added(path: Path, key: ApiKey) -> None:
    """Put the key into the file."""
    with changing(path) as keys:
        keys[key.id] = key


def line(**changed: Any) -> str:
    """A changed line of the file; a field of None is left out."""
    entry = {
        "id": KEY.id,
        "name": "pipeline",
        "scopes": ["read"],
        "sha256": KEY.sha256,
        "created": "2026-01-01T00:00:00Z",
    }
    return json.dumps({name: value for name, value in (entry | changed).items() if value is not None})


def test_a_key_has_256_random_bits_and_a_shape_that_scanners_know() -> None:
    """A key has 256 random bits and a fixed form; no two are equal."""
    texts = {minted("x", frozenset())[0] for _ in range(100)}

    assert len(texts) == 100
    assert all(SHAPE.fullmatch(text) and len(text.split("_")[2]) == 64 for text in texts)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Every field that is written is read again."""
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
    """A failed write leaves the file as it was, and no other file beside it."""
    path = tmp_path / "keys"
    added(path, KEY)

    with pytest.raises(AttributeError), changing(path) as keys:
        keys["x"] = None
    assert read(path) == {KEY.id: KEY}
    assert list(tmp_path.iterdir()) == [path]


def test_writers_take_turns(tmp_path: Path) -> None:
    """Of several keys that are made at once, none is lost."""
    made = [minted("x", frozenset({"read"}))[1] for _ in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: added(tmp_path / "keys", key), made))

    assert set(read(tmp_path / "keys")) == {key.id for key in made}


def test_a_link_to_the_file_stays_one(tmp_path: Path) -> None:
    """A link to the file stays, and its target is replaced."""
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
    """A fault names file, line and field, but not the text, which may be a key."""
    path = tmp_path / "keys"
    path.write_text(content)

    with pytest.raises(KeyFileError) as refused:
        read(path)
    assert str(path) in str(refused.value)
    assert named in str(refused.value)
    assert KEY.sha256 not in str(refused.value)


@pytest.mark.parametrize("content", [b"\xff", None])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing or no text is named."""
    path = tmp_path / "keys"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(KeyFileError, match=str(path)):
        read(path)


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Clock of the file checks."""
    configure_logging("info")
    return Clock()


def test_a_new_key_is_taken_and_a_revoked_one_refused(key_path: Path, issue: Issue, clock: Clock) -> None:
    """A new key works and a revoked one is refused within a second, without a restart."""
    watched = WatchedKeys(key_path, clock)
    key_id = issue("read").split("_")[1]
    assert key_id not in watched.current()

    clock.now += LOOK_SECONDS
    assert key_id in watched.current()
    with changing(key_path) as keys:
        keys.clear()
    clock.now += LOOK_SECONDS
    assert key_id not in watched.current()


def test_the_file_is_looked_at_once_a_second_at_most(
    key_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is checked at most once a second, for any number of requests."""
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
    """A broken file keeps the last good keys, is logged once and counted; a corrected file is used."""
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
    """A worker that starts with a broken file refuses all keys until the file is corrected."""
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
    """A worker that starts with the unchanged file has its keys without reading it again."""
    key_id = issue("read").split("_")[1]
    worker = forked(WatchedKeys(key_path, clock), monkeypatch)

    assert key_id in (worker.current() or {})


def test_while_no_keys_are_known_callers_are_told_to_come_again(
    guarded: Guarded, key_path: Path, issue: Issue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the keys are unknown, callers get 503, because a 401 would make them discard their keys."""
    key = issue("read")
    client = guarded(api_keys_path=key_path).test_client()
    monkeypatch.setattr(WatchedKeys, "current", lambda _: None)
    answer = client.get("/v1/rules", headers=bearer(key))

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert client.get("/healthz").status_code == 200


def test_what_changes_in_the_file_is_in_the_log(key_path: Path, issue: Issue, clock: Clock) -> None:
    """The log names the ids of new, changed and revoked keys."""
    first = issue("read").split("_")[1]
    watched = WatchedKeys(key_path, clock)
    with changing(key_path) as keys:
        keys.clear()
    second = issue("read").split("_")[1]
    clock.now += LOOK_SECONDS
    with capture_logs() as events:
        watched.current()

    assert [([second], [first])] == [(event["added"], event["revoked"]) for event in events]


def test_a_service_does_not_start_without_the_keys_it_is_told_of(tmp_path: Path, guarded: Guarded) -> None:
    """A service does not start without its file of keys, neither open nor closed."""
    with pytest.raises(KeyFileError):
        guarded(api_keys_path=tmp_path / "none")


def test_the_running_application_follows(key_path: Path, issue: Issue, guarded: Guarded) -> None:
    """The running application uses a new key within a few checks, through all layers."""
    client = guarded(api_keys_path=key_path).test_client()
    key = issue("read")
    statuses = set()
    for _ in range(100):
        statuses.add(client.get("/v1/rules", headers=bearer(key)).status_code)
        if 200 in statuses:
            break
        time.sleep(LOOK_SECONDS / 20)

    assert 200 in statuses
