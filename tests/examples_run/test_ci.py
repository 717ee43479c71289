"""The workflow of the cost gate, whose steps run as on GitHub's runner."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "ci"
WORKFLOW = yaml.safe_load((FOLDER / "machine-cost.yaml").read_text())
INSTALL = "Install the command"
# GitHub's own command, which the runner has: keeps the comment that it would post.
GH = '#!/bin/sh\ntest "$1 $2" = "pr comment" && cp "$5" comment.md\n'
PLANS = ["nightly-training", "serving"]
STORED = "nightly-training.answer.json"


@pytest.fixture
def run_steps(run: Any, tmp_path: Path) -> Callable[[], dict[str, Any]]:
    """Run the job's commands in a repository with the plan; return each result by name."""
    shutil.copy(FOLDER / "plan.yaml", tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    env = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PULL_REQUEST": "17",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    stored = run("plimsoll", "check", "plan.yaml", "--accept", env=env)
    assert stored.returncode == 0, stored.stderr

    def start() -> dict[str, Any]:
        done = {}
        for step in WORKFLOW["jobs"]["check"]["steps"]:
            if "run" in step and step["name"] != INSTALL:
                script = tmp_path / "step.sh"
                script.write_text(step["run"])
                # How the runner calls the shell of a step that names none.
                done[step["name"]] = run("bash", "-e", script, env=env)
        return done

    return start


def test_an_unchanged_plan_passes(run_steps: Callable[[], dict[str, Any]], tmp_path: Path) -> None:
    """An unchanged plan has no error annotation, and the comment names the machine of each plan."""
    gate, *reports = run_steps().values()

    assert [each.returncode for each in (gate, *reports)] == [0, 0, 0], [each.stderr for each in (gate, *reports)]
    assert "::error" not in gate.stdout
    text = (tmp_path / "comment.md").read_text()
    assert text == (tmp_path / "summary.md").read_text()
    assert [line.split(" ")[1] for line in text.splitlines() if line.endswith("| passed |")] == PLANS
    assert "**total** of 1 job |" in text


def test_a_dearer_plan_fails_with_the_reason(run_steps: Callable[[], dict[str, Any]], tmp_path: Path) -> None:
    """A cost of twice the stored answer is an error beside the plan's file and in the summary."""
    path = tmp_path / STORED
    answer = json.loads(path.read_text())
    answer["recommendations"][0]["estimate"]["cost_usd"]["value"] /= 2
    path.write_text(json.dumps(answer))

    gate, *reports = run_steps().values()

    assert gate.returncode == 1
    (error,) = [line for line in gate.stdout.splitlines() if line.startswith("::error")]
    assert error.startswith("::error file=plan.yaml,title=nightly-training")
    assert "+100.0" in error
    assert [each.returncode for each in reports] == [0, 0]
    assert "1 of 2 plans failed" in (tmp_path / "comment.md").read_text()
    assert "+100.0%" in (tmp_path / "comment.md").read_text()


def test_a_plan_over_its_limit_fails(run_steps: Callable[[], dict[str, Any]], tmp_path: Path) -> None:
    """A limit in the plan applies without a stored answer."""
    path = tmp_path / "plan.yaml"
    path.write_text(path.read_text().replace("max_cost: 150", "max_cost: 5"))

    gate, *_ = run_steps().values()

    assert gate.returncode == 1
    assert "more than 5" in gate.stdout


def test_what_is_installed_has_the_command() -> None:
    """The workflow installs an extra of the SDK, and that has the command."""
    project = tomllib.loads((ROOT / "sdk" / "pyproject.toml").read_text())["project"]
    (install,) = [step["run"] for step in WORKFLOW["jobs"]["check"]["steps"] if step.get("name") == INSTALL]

    assert install == "python -m pip install 'plimsoll-sdk[cli]'"
    assert "cli" in project["optional-dependencies"]
    assert "plimsoll" in project["scripts"]
