"""Services by name in the file of profiles, and messages about calls."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result

Process = Callable[..., subprocess.CompletedProcess[str]]
Run = Callable[..., Result]


@pytest.fixture
def limited() -> Iterator[Any]:
    """A server that limits the first request of a client, and keeps the headers of each."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(dict(self.headers))
            body = b'{"items": [], "total": 0, "next": null}' if len(seen) > 1 else b"{}"
            self.send_response(200 if len(seen) > 1 else 429)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Keep the test's output clean."""

    seen: list[dict[str, str]] = []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    thread.join()
    server.server_close()


def profiles(folder: Path, text: str) -> dict[str, str]:
    """Environment of a user with this file."""
    file = folder / "plimsoll" / "config.toml"
    file.parent.mkdir()
    file.write_text(text)
    file.chmod(0o600)
    return {"XDG_CONFIG_HOME": str(folder)}


def test_a_profile_names_a_service(run: Run, service_url: str, tmp_path: Path) -> None:
    """A profile is chosen by the option, by the variable, or as the file's default without an address."""
    user = profiles(
        tmp_path,
        f'default_profile = "near"\n[profiles.near]\nurl = "{service_url}"\n[profiles.none]\nurl = "http://127.0.0.1:9"\n',
    )
    nowhere = {"PLIMSOLL_URL": "http://127.0.0.1:9"}

    by_option = run("models", "--profile", "near", "--limit", "1", **user, **nowhere)
    by_variable = run("models", "--limit", "1", PLIMSOLL_PROFILE="near", **user, **nowhere)
    by_default = run("models", "--limit", "1", **user, PLIMSOLL_URL="")
    by_address = run("models", "--limit", "1", "--url", service_url, PLIMSOLL_PROFILE="none", **user)

    assert [each.exit_code for each in (by_option, by_variable, by_default, by_address)] == [0] * 4


def test_the_key_of_a_profile_goes_to_its_service_alone(run: Run, limited: Any, tmp_path: Path) -> None:
    """A call to another address is sent without the profile's key."""
    url, seen = limited
    user = profiles(tmp_path, f'[profiles.work]\nurl = "{url}"\napi_key = "secret"\ntimeout = 5\n')

    run("models", "--profile", "work", **user)
    run("models", "--url", url, **user, PLIMSOLL_PROFILE="work")

    assert [headers.get("Authorization") for headers in seen] == ["Bearer secret", "Bearer secret", None]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no profile 'work'"),
        ("[profiles.wrok]", "did you mean 'wrok'"),
        ("[profiles.work]", "url expected"),
        ('[profiles.work]\nurl = "u"\napi_kye = "k"', "did you mean 'api_key'"),
        ('[profiles.work]\nurl = "u"\ntimeout = "5"', "timeout: a number expected"),
        ("[profiles.work", "is not TOML"),
    ],
)
def test_a_faulty_profile_says_why(run: Run, tmp_path: Path, text: str, said: str) -> None:
    """A faulty profile is refused with the file's name, before any call."""
    found = run("models", "--profile", "work", **profiles(tmp_path, text))

    assert found.exit_code == 2
    assert said in found.stderr
    assert "config.toml" in found.stderr


def test_a_rate_limit_is_said(process: Process, limited: Any) -> None:
    """The command says on standard error that it waits, and then writes the answer."""
    found = process("models", "-o", "json", "--url", limited[0])

    assert "429 Too Many Requests, again in" in found.stderr
    assert found.stdout.strip() == "[]"


def test_debug_writes_each_call(process: Process) -> None:
    """Debug output has each call's time and log id; an error has its place."""
    good = process("recommend", "--task", "training", "--debug")
    bad = process("recommend", "--task", "trainig", "--debug")

    assert "POST http://127.0.0.1" in good.stderr
    assert " ms, request " in good.stderr
    assert "Traceback" not in good.stderr
    assert "Traceback" in bad.stderr
    assert "did you mean 'training'" in bad.stderr


@pytest.mark.parametrize("command", ["recommend", "explain", "accelerators", "regions", "frameworks"])
def test_yaml_says_what_json_says(run: Run, command: str) -> None:
    """YAML has the same values as JSON."""
    asked = (command, *(("--task", "training") if command in ("recommend", "explain") else ()))

    as_yaml, as_json = (yaml.load(run(*asked, "-o", form).stdout, yaml.CSafeLoader) for form in ("yaml", "json"))

    assert as_yaml == as_json
    assert as_yaml
