"""The commands in docs/command-line.md run as written, and its lists agree with the program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.check.plan import LIMITS
from plimsoll.cli.app import COMMANDS
from plimsoll.cli.commands.recommend import FORMATS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "command-line.md").read_text()
# What is shown as `shell` changes the reader's machine.
SCRIPTS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
FILES = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the page's files, and the program on the shell's path."""
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    program = tmp_path / "plimsoll"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m plimsoll.cli "$@"\n')
    program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_the_examples_run(script: str, folder: Path, environment: dict[str, str]) -> None:
    """Each line succeeds, in a shell that stops at the first failure."""
    variables = environment | {"PATH": f"{folder}:{environment['PATH']}"}

    done = subprocess.run(
        ["sh", "-eu"], input=script, env=variables, cwd=folder, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_page_names_every_command_limit_and_format() -> None:
    """The page names everything that the program has."""
    words = set(re.findall(r"[\w-]+", PAGE))

    assert {*COMMANDS, *LIMITS, *FORMATS} <= words
