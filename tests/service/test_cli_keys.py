"""API keys from the command line: created, listed, replaced and revoked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from plimsoll_service import cli
from plimsoll_service.api.guard.key_file import read
from plimsoll_service.api.guard.keys import holder
from plimsoll_service.settings import RateLimit

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in the settings."""
    found = tmp_path / "keys.jsonl"
    monkeypatch.setenv("PLIMSOLL_API_KEYS", str(found))
    return found


def made(capsys: Captured, *options: str) -> str:
    """A new key, as it is printed."""
    assert cli.main(["keys", "create", "--name", "pipeline", *options]) == 0
    return capsys.readouterr().out.strip()


def test_a_key_is_printed_once_and_opens(path: Path, capsys: Captured) -> None:
    """Only the key goes to standard output, so that a script can store it."""
    text = made(capsys, "--scope", "size", "--rate-limit", "60/minute", "--expires", "90d")
    key = holder(read(path), text)

    assert key is not None
    assert (key.name, key.scopes, key.rate) == ("pipeline", {"size"}, RateLimit(60, "minute"))
    assert key.expires == key.created + timedelta(days=90)
    assert cli.main(["keys", "list"]) == 0
    listed = capsys.readouterr().out
    assert key.id in listed
    assert text.split("_")[2] not in listed
    assert key.sha256 not in listed


def test_without_scopes_a_key_asks_and_reads(path: Path, capsys: Captured) -> None:
    """Without scopes, a key may size and read, but not get metrics, and it does not expire."""
    text = made(capsys)
    key = holder(read(path), text)

    assert key is not None
    assert (key.scopes, key.expires, key.rate) == ({"size", "read"}, None, None)


def test_a_revoked_key_is_gone(path: Path, capsys: Captured) -> None:
    """Revoking a key removes only that key."""
    first, second = made(capsys), made(capsys)

    assert cli.main(["keys", "revoke", first.split("_")[1]]) == 0
    assert holder(read(path), first) is None
    assert holder(read(path), second) is not None


def test_a_rotated_key_lasts_through_its_time_of_grace(path: Path, capsys: Captured) -> None:
    """The old key stays valid during the grace time; the new one has its scopes and lifetime."""
    old = made(capsys, "--scope", "metrics", "--rate-limit", "5/second", "--expires", "30d")
    assert cli.main(["keys", "rotate", old.split("_")[1], "--grace", "2h"]) == 0
    new = capsys.readouterr().out.strip()
    kept, ending = holder(read(path), new), holder(read(path), old)

    assert kept is not None
    assert ending is not None
    assert (kept.scopes, kept.rate, kept.name) == (ending.scopes, ending.rate, ending.name)
    assert kept.expires == kept.created + timedelta(days=30)
    assert ending.expires is not None
    assert timedelta(hours=1, minutes=59) < ending.expires - datetime.now(UTC) <= timedelta(hours=2)


def test_rotating_does_not_lengthen_a_life(path: Path, capsys: Captured) -> None:
    """A key that expires within the grace time keeps its expiry."""
    old = made(capsys, "--expires", "10m")
    before = read(path)[old.split("_")[1]].expires
    cli.main(["keys", "rotate", old.split("_")[1]])

    assert read(path)[old.split("_")[1]].expires == before


@pytest.mark.parametrize("action", ["revoke", "rotate"])
def test_an_unknown_key_is_refused(path: Path, capsys: Captured, action: str) -> None:
    """An unknown key gives status 1, and the file stays."""
    made(capsys)
    before = path.read_text()

    assert cli.main(["keys", action, "0123456789ab"]) == 1
    assert "0123456789ab" in capsys.readouterr().err
    assert path.read_text() == before


def test_a_faulty_file_is_not_written_over(path: Path, capsys: Captured) -> None:
    """A faulty file gives status 1 and is not overwritten, because its keys would be lost."""
    path.write_text("{")

    assert cli.main(["keys", "create", "--name", "x"]) == 1
    assert cli.main(["keys", "list"]) == 1
    assert path.read_text() == "{"
    assert capsys.readouterr().out == ""


def test_without_a_file_the_call_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Without a file, the status is 2, and the message says how to name one."""
    monkeypatch.delenv("PLIMSOLL_API_KEYS")

    assert cli.main(["keys", "create", "--name", "x"]) == 2
    assert "--file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--name", ""],
        ["--name", "a\nb"],
        ["--name", "x" * 101],
        ["--name", "x", "--scope", "all"],
        ["--name", "x", "--expires", "soon"],
        ["--name", "x", "--expires", "0d"],
        ["--name", "x", "--rate-limit", "fast"],
        [],
    ],
)
def test_what_cannot_be_is_a_wrong_call(options: list[str], path: Path) -> None:
    """Invalid arguments give status 2, and no file is made."""
    with pytest.raises(SystemExit) as stopped:
        cli.main(["keys", "create", *options])

    assert stopped.value.code == 2
    assert not path.exists()
