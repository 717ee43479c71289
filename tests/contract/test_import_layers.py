"""Layers import only the layers below them, and only the settings read the environment."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service" / "src" / "plimsoll_service"
ENVIRONMENT_READERS = {"settings.py", "gunicorn.conf.py"}
ENVIRONMENT_NAMES = {"environ", "environb", "getenv", "putenv"}


def reads_environment(source: str) -> bool:
    """Whether the code names the process's environment, as an attribute of os or imported from it."""
    nodes = list(ast.walk(ast.parse(source)))
    imported = [name for node in nodes if isinstance(node, ast.Import) for name in node.names if name.name == "os"]
    modules = {name.asname or name.name for name in imported}
    named = {
        name.name for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "os" for name in node.names
    }
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }
    return bool((named | used) & ENVIRONMENT_NAMES)


def test_imports_follow_the_layers() -> None:
    """Every import keeps to the contracts in pyproject.toml."""
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    outcome = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)

    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def import_cycle(package: str) -> list[str]:
    """Return the modules of one import cycle, or nothing; imports within functions and for type checkers count too."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=False, cache_dir=None)
    try:
        TopologicalSorter(
            {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
        ).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle
    return []


@pytest.mark.parametrize("package", ["plimsoll", "plimsoll_service"])
def test_there_is_no_import_cycle(package: str) -> None:
    """There is no import cycle, so that each module can be read without its users."""
    assert import_cycle(package) == []


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
        ("from os import path\nfrom os import environ", True),
        ("request.environ['REQUEST_METHOD']", False),
        ("import os\nos.getpid()", False),
    ],
)
def test_reading_the_environment_is_seen_in_each_spelling(source: str, expected: bool) -> None:
    """The check above recognises each way to reach the environment."""
    assert reads_environment(source) is expected
