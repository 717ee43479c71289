"""Type checkers find the mistakes of a program, and none in the programs of the documentation."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MISTAKES = Path(__file__).parent / "mistakes.py"
PROGRAMS = ("README.md", "sdk/README.md", "docs/*.md")
EXAMPLES = ("airflow", "dagster")  # Kubeflow's components take bare dicts
# The frameworks of the examples, which are not installed here.
FRAMEWORKS = ("airflow.providers.cncf.kubernetes.operators.pod", "airflow.sdk.exceptions", "dagster", "dagster_k8s")
ANYTHING = "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
ENVIRONMENT = os.environ | {
    "MYPYPATH": str(ROOT / "sdk/src"),
    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    # No look at the package index for newer releases.
    "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
}


Lines = dict[str, set[int]]
Check = Callable[[Path, list[Path]], Lines]


def mypy(folder: Path, files: list[Path]) -> Lines:
    """Lines with errors in each file, by ``mypy --strict``."""
    options = ["--strict", "--no-error-summary", "--config-file", "", "--cache-dir", str(ROOT / ".mypy_cache/typed")]
    # The packages that answers can be turned into are not the programs' concern.
    options += ["--ignore-missing-imports", "--allow-untyped-decorators", "--allow-subclassing-any"]
    command = [sys.executable, "-m", "mypy", *options, "--output", "json", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert done.stderr == ""
    return _lines((each["file"], each["line"]) for each in found if each["severity"] == "error")


def pyright(folder: Path, files: list[Path]) -> Lines:
    """Lines with errors in each file, by pyright."""
    settings = {"include": [str(file) for file in files], "extraPaths": [str(ROOT / "sdk/src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT)
    found = json.loads(done.stdout)["generalDiagnostics"]
    wrong = [each for each in found if each["severity"] == "error"]
    return _lines((each["file"], each["range"]["start"]["line"] + 1) for each in wrong)


def _lines(errors: Iterable[tuple[str, int]]) -> Lines:
    lines: Lines = {}
    for file, line in errors:
        lines.setdefault(Path(file).name, set()).add(line)
    return lines


def copied(path: Path, folder: Path, name: str) -> Path:
    """A program in the checked folder."""
    return Path(shutil.copy(path, folder / name))


def programs(folder: Path) -> list[Path]:
    """Every Python block of the README, the SDK's README and the documents, each as a file."""
    blocks = [
        (folder / f"{path.parent.name}_{path.stem}_{number}.py".replace("-", "_"), block)
        for pattern in PROGRAMS
        for path in sorted(ROOT.glob(pattern))
        for number, block in enumerate(BLOCK.findall(path.read_text(encoding="utf-8")))
        if "plimsoll_service" not in block
    ]
    for file, block in blocks:
        file.write_text(block)
    return [file for file, _ in blocks]


def without_frameworks(folder: Path) -> None:
    """Stubs in place of the schedulers, whose types do not matter here."""
    for name in FRAMEWORKS:
        parts = name.split(".")
        for depth in range(1, len(parts) + 1):
            package = folder.joinpath(*parts[:depth])
            package.mkdir(exist_ok=True)
            (package / "__init__.pyi").write_text(ANYTHING)


@pytest.mark.parametrize("check", [mypy, pyright])
def test_twenty_mistakes_are_found_and_nothing_else(check: Check, tmp_path: Path) -> None:
    """Each mistake is an error at its line; the programs of documents and schedulers have none."""
    marked = [number for number, line in enumerate(MISTAKES.read_text().splitlines(), 1) if "# mistake" in line]
    shown = programs(tmp_path)
    without_frameworks(tmp_path)
    files = [copied(ROOT / "examples" / name / "train_resnet50.py", tmp_path, f"on_{name}.py") for name in EXAMPLES]
    files.append(copied(MISTAKES, tmp_path, MISTAKES.name))

    assert len(marked) == 20
    assert len(shown) > 5
    assert check(tmp_path, [*shown, *files]) == {MISTAKES.name: set(marked)}
