"""The commands of docs/pipelines.md run, and the page names every example."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "pipelines.md"
TEXT = DOCUMENT.read_text()
COMMANDS = re.findall(r"^sh examples/.*$", TEXT, re.MULTILINE)
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_answers(run: Any, command: str) -> None:
    """Each command answers, from another folder too."""
    here = re.sub(r"(?<= )((?:tests/)?examples/)", rf"{ROOT}/\1", command)

    done = run("sh", "-c", here)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_three_steps_run(service_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The three steps end with the placement of the recommended machine."""
    monkeypatch.setenv("PLIMSOLL_URL", service_url)
    (block,) = BLOCKS
    (tmp_path / "steps.py").write_text(block)

    names = runpy.run_path(str(tmp_path / "steps.py"))

    selector = names["placement"]["nodeSelector"]
    assert names["answer"].best.instance_type == selector["node.kubernetes.io/instance-type"]


def test_every_example_is_named() -> None:
    """The document names each file or folder of examples/, and each link leads to a file."""
    linked = re.findall(r"\]\(([^)#]+)\)", TEXT)
    missing = [entry.name for entry in (ROOT / "examples").iterdir() if f"../examples/{entry.name}" not in TEXT]

    assert missing == []
    assert [link for link in linked if not (DOCUMENT.parent / link).exists()] == []
