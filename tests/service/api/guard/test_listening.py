"""A service without keys is not opened to strangers by mistake."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll_service import cli
from plimsoll_service.api.guard.listening import refusal
from plimsoll_service.settings import Settings

ALL = ("0.0.0.0", 8080)
START_SECONDS = 60


@pytest.mark.parametrize(
    "address", [("127.0.0.1", 8080), ("127.8.0.1", 1), ("localhost", 8080), ("::1", 8080), ("[::1]", 80), "/run/a.sock"]
)
def test_this_machine_may_ask_without_keys(address: object) -> None:
    """Loopback in any spelling and Unix sockets need no keys."""
    assert refusal([address], Settings()) is None


@pytest.mark.parametrize(
    "address", [ALL, ("::", 80), ("[::]", 80), ("", 8080), ("192.0.2.1", 80), ("host.example", 1), 3]
)
def test_others_may_not(address: object) -> None:
    """Other addresses need keys or the operator's permission; unknown ones count as reachable."""
    assert "PLIMSOLL_API_KEYS" in (refusal([("127.0.0.1", 80), address], Settings()) or "")
    assert refusal([address], Settings(api_keys_path=Path("keys"))) is None
    assert refusal([address], Settings(open=True)) is None


def test_to_serve_to_all_without_keys_is_a_wrong_call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Serving to all without keys ends with status 2 and advice."""
    monkeypatch.delenv("PLIMSOLL_OPEN", raising=False)
    monkeypatch.delenv("PLIMSOLL_API_KEYS", raising=False)

    assert cli.main(["serve", "--host", "0.0.0.0"]) == 2
    assert "PLIMSOLL_OPEN=1" in capsys.readouterr().err


def test_to_serve_with_a_faulty_file_of_keys_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A faulty file of keys ends with status 1 before gunicorn starts."""
    (tmp_path / "keys").write_text("{}")
    monkeypatch.setenv("PLIMSOLL_API_KEYS", str(tmp_path / "keys"))

    assert cli.main(["serve", "--host", "0.0.0.0"]) == 1
    assert "line 1" in capsys.readouterr().err


def test_gunicorns_own_options_do_not_get_around_it() -> None:
    """The server ends before it listens, wherever the address was stated."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    environment["GUNICORN_CMD_ARGS"] = f"--bind 0.0.0.0:{port}"
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=START_SECONDS)

    assert ended.returncode == 1
    assert "PLIMSOLL_OPEN=1" in ended.stderr
    assert "Listening at" not in ended.stderr
