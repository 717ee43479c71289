"""The commands of the service and their exit status."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from plimsoll_service import cli
from plimsoll_service.catalog import snapshot

ROOT = Path(__file__).resolve().parents[2]


def test_serving_runs_gunicorn_with_its_configuration() -> None:
    """The configuration has the address, unless the command line states one."""
    plain, placed = cli.gunicorn_command(None, None), cli.gunicorn_command("0.0.0.0", 9000)

    assert Path(plain[plain.index("--config") + 1]).is_file()
    assert "--bind" not in plain
    assert placed[placed.index("--bind") + 1] == "0.0.0.0:9000"


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_serving_listens_on_ipv6(host: str) -> None:
    """An IPv6 address with or without brackets is kept apart from the port."""
    command = cli.gunicorn_command(host, None)

    assert command[command.index("--bind") + 1] == "[::1]:8080"


def test_serving_takes_none_of_what_other_commands_take() -> None:
    """Before gunicorn starts, neither the application nor its libraries are loaded."""
    program = "import sys; from plimsoll_service import cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert {"flask", "marshmallow", "numpy", "plimsoll_service.app", "redis"}.isdisjoint(loaded)


def test_serving_with_wrong_settings_is_a_wrong_call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong settings give status 2 before anything is started."""
    monkeypatch.setenv("PLIMSOLL_LOG_LEVEL", "loud")

    assert cli.main(["serve"]) == 2
    assert "PLIMSOLL_LOG_LEVEL" in capsys.readouterr().err


@pytest.mark.parametrize("variable", ["PLIMSOLL_CATALOG", "PLIMSOLL_TERMS", "PLIMSOLL_API_KEYS"])
def test_serving_without_a_file_that_is_named_is_refused(
    variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file gives status 1 and one line with its name, before anything is started."""
    monkeypatch.setenv(variable, "/nowhere")

    assert cli.main(["serve"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("plimsoll-service: /nowhere: ")
    assert said.count("\n") == 1


def test_serving_names_every_file_that_is_at_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All faulty files, such as catalog and keys, are named at once."""
    monkeypatch.setenv("PLIMSOLL_CATALOG", "/nowhere/catalog.npz")
    monkeypatch.setenv("PLIMSOLL_API_KEYS", "/nowhere/keys.jsonl")

    assert cli.main(["serve"]) == 1
    told = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
    assert told == ["/nowhere/catalog.npz", "/nowhere/keys.jsonl"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sail"],
        ["serve", "--port", "70000"],
        ["catalog"],
        ["catalog", "build", "/none", "out.npz"],
        ["openapi", "x"],
    ],
)
def test_a_wrong_call_exits_with_two(arguments: list[str]) -> None:
    """Unknown commands, and missing or invalid arguments, give status 2."""
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)

    assert stopped.value.code == 2


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is that of the installed distribution."""
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])

    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"plimsoll-service {metadata.version('plimsoll-service')}\n"


def test_calibrating_runs_what_stands_beside_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the top of a checkout the command becomes its calibration; elsewhere it is refused."""
    ran: list[list[str]] = []
    monkeypatch.setattr("os.execv", lambda _, command: ran.append(command))
    monkeypatch.chdir(ROOT)
    cli.main(["calibrate", "--check"])
    monkeypatch.chdir(ROOT / "docs")

    assert [[sys.executable, "-m", "calibration", "--check"]] == ran
    assert cli.main(["calibrate"]) == 1


def test_the_contract_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a path, the contract goes to standard output."""
    assert cli.main(["openapi"]) == 0
    assert "openapi: 3.1.0" in capsys.readouterr().out


def test_an_exported_catalog_builds_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A build from an export gives the same bytes and version, and rejects no row."""
    assert cli.main(["catalog", "export", str(tmp_path / "csv")]) == 0
    assert cli.main(["catalog", "build", str(tmp_path / "csv"), str(tmp_path / "own.npz")]) == 0

    said = capsys.readouterr().out
    assert (tmp_path / "own.npz").read_bytes() == snapshot.BUNDLED.read_bytes()
    assert snapshot.load().version in said
    assert "rejected" not in said


def test_a_catalog_that_cannot_be_built_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A catalog that cannot be built gives status 1 with the reason, and nothing is written."""
    assert cli.main(["catalog", "build", str(tmp_path), str(tmp_path / "own.npz")]) == 1
    assert capsys.readouterr().err.startswith("plimsoll-service: ")
    assert not (tmp_path / "own.npz").exists()
