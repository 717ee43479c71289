"""Run the consumers' own readers, each in its own environment, because their packages conflict."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).with_name("readers")
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
INSTALL_SECONDS = 120


def faults_by_script(name: str, documents: Sequence[str], folder: Path) -> list[str]:
    """Fault of each document, empty if the consumer reads it; skips if the consumer cannot be installed."""
    script = HERE / f"check_{name}.py"
    python = ("--python", sys.executable)
    _install([UV, "sync", "--quiet", *python, "--script", str(script)], name, folder)
    return _faults([UV, "run", "--quiet", *python, "--script", str(script)], list(documents), folder)


def faults_by_node(name: str, documents: Sequence[Any], folder: Path) -> list[str]:
    """The same for a consumer whose schema is an npm package."""
    shutil.copytree(HERE / name, folder, dirs_exist_ok=True)
    _install([shutil.which("npm"), "install", "--silent", "--no-audit", "--no-fund"], name, folder)
    return _faults([shutil.which("node"), "check.mjs"], list(documents), folder)


def _install(command: list[str | None], name: str, folder: Path) -> None:
    try:
        done = subprocess.run(_named(command), cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{name} cannot be installed here: {error}")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        pytest.skip(f"{name} cannot be installed here: {last}")


def _faults(command: list[str | None], documents: list[Any], folder: Path) -> list[str]:
    given, found = folder / "documents.json", folder / "faults.json"
    given.write_text(json.dumps(documents))
    subprocess.run([*_named(command), str(given), str(found)], cwd=folder, capture_output=True, text=True, check=True)
    faults: list[str] = json.loads(found.read_text())
    assert len(faults) == len(documents)
    return faults


def _named(command: list[str | None]) -> list[str]:
    if command[0] is None:
        raise FileNotFoundError("its installer is not there")
    return [word for word in command if word is not None]
