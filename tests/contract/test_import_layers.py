"""Who may import whom, and who may read the environment."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service" / "src" / "plimsoll_service"
ENVIRONMENT_READERS = {"settings.py", "gunicorn.conf.py"}
ENVIRONMENT_NAMES = {"environ", "environb", "getenv", "putenv"}


def reads_environment(source: str) -> bool:
    """Whether the code names the process's environment, as an attribute of os or imported from it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ENVIRONMENT_NAMES:
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            return any(name.name in ENVIRONMENT_NAMES for name in node.names)
    return False


def test_imports_follow_the_layers() -> None:
    """Every import keeps to the contracts in pyproject.toml."""
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    outcome = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)

    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_only_settings_read_the_environment() -> None:
    """The service's environment is read in its settings, and by gunicorn's own configuration."""
    readers = {
        path.relative_to(SERVICE).as_posix() for path in SERVICE.rglob("*.py") if reads_environment(path.read_text())
    }

    assert readers == ENVIRONMENT_READERS


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os\nos.environ['A']", True),
        ("import os as system\nsystem.getenv('A')", True),
        ("from os import environ", True),
        ("from os import path", False),
        ("import os\nos.getpid()", False),
    ],
)
def test_reading_the_environment_is_seen_in_each_spelling(source: str, expected: bool) -> None:
    """The check above recognises the ways to reach the environment."""
    assert reads_environment(source) is expected
