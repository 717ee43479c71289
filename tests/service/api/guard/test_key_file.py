"""The file of keys: what it keeps, how it is written, and what is wrong with a faulty one."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from plimsoll_service.api.guard.key_file import KeyFileError, change, read
from plimsoll_service.api.guard.keys import SHAPE, ApiKey, minted
from plimsoll_service.settings import Rate

TEXT, KEY = minted("pipeline", frozenset({"size", "read"}), rate=Rate(60, "minute"))


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
    """Who reads it can call nothing."""
    added(tmp_path / "keys", KEY)
    content = (tmp_path / "keys").read_text()

    assert TEXT not in content
    assert TEXT.split("_")[2] not in content
    assert hashlib.sha256(TEXT.encode()).hexdigest() in content


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Whatever the umask; an older file keeps the permissions by which the service reads it."""
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
        (line() + "\n" + line(), "line 2: id: stands on an earlier line, too"),
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
