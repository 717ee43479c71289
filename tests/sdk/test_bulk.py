"""``plimsoll bulk`` calls the service's engine, and names the missing package without it."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from plimsoll import bulk
from plimsoll.cli.commands.bulk import bulk as command
from plimsoll.errors import PlimsollError
from plimsoll_service.bulk.command import add_arguments

WITHOUT_SERVICE = """
import sys
sys.modules["plimsoll_service"] = None
from plimsoll import bulk
from plimsoll.errors import NotInstalled
try:
    bulk.main([])
except NotInstalled as error:
    print(error)
"""


def test_a_file_is_sized(tmp_path: Path) -> None:
    """The command is the service's own."""
    (tmp_path / "in.csv").write_text("task,model\ntraining,resnet50\n")

    assert bulk.main([str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), "--quiet", "--processes", "1"]) == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2


def test_it_is_a_command_of_plimsoll(tmp_path: Path) -> None:
    """The command line passes its options on and returns the exit status."""
    (tmp_path / "in.csv").write_text("task,model\ntraining,resnet50\ntraining,nope\n")
    call = [sys.executable, "-m", "plimsoll.cli", "bulk", str(tmp_path / "in.csv"), str(tmp_path / "out.csv")]

    done = subprocess.run([*call, "--quiet", "--processes", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "2 lines: 1 recommended" in done.stderr
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3


def test_its_options_are_those_of_the_service() -> None:
    """The options have the service's names and the usual help screen."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    theirs = {name for action in parser._actions for name in action.option_strings or (action.dest,)} - {"-h", "--help"}

    ours = {name for each in command.params for name in (each.opts if each.opts[0] != each.name else (each.name,))}

    assert ours == theirs
    assert "Files:" in CliRunner().invoke(command, ["--help"]).output


def test_a_missing_service_is_told() -> None:
    """Without the service's package, the SDK names the package to install."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_SERVICE], capture_output=True, text=True, check=True)

    assert "install plimsoll-service" in done.stdout


def test_importing_it_does_not_import_the_service() -> None:
    """Only a run needs the engine."""
    code = "import sys, plimsoll.bulk; print(any(name.startswith('plimsoll_service') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def test_its_errors_are_the_sdks() -> None:
    """The SDK's error class catches the errors of bulk, too."""
    with pytest.raises(SystemExit):
        bulk.main(["--help"])
    from plimsoll.errors import NotInstalled

    assert issubclass(NotInstalled, PlimsollError)
