"""The format `tfvars` in Terraform itself, with the example module, which needs no provider."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.service.api.conftest import ANSWER, NOTHING
from tests.service.api.formats.answers import answer_of

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.machines import machines
from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.hardware import Catalog

EXAMPLE = Path(__file__).resolve().parents[4] / "examples" / "terraform"
TERRAFORM = shutil.which("terraform")
pytestmark = pytest.mark.skipif(TERRAFORM is None, reason="terraform is not installed here")


def terraform(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Terraform without prompts and without a user's settings."""
    env = {"PATH": os.environ["PATH"], "TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"}
    return subprocess.run([str(TERRAFORM), *words], cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example module, initialised."""
    folder = tmp_path_factory.mktemp("terraform")
    for file in EXAMPLE.glob("*.tf"):
        shutil.copy(file, folder)
    done = terraform(folder, "init", "-input=false", "-backend=false")
    assert done.returncode == 0, done.stderr
    return folder


def applied(module: Path, answer: Answer, catalog: Catalog) -> subprocess.CompletedProcess[str]:
    """Outcome of applying the example module to an answer."""
    text = RECOMMENDATIONS["tfvars"].render(answer, catalog)
    assert isinstance(text, bytes)
    (module / "answer.tfvars.json").write_bytes(text)
    return terraform(module, "apply", "-auto-approve", "-input=false", "-no-color", "-var-file=answer.tfvars.json")


def test_the_example_module_is_valid(module: Path) -> None:
    """``terraform validate`` finds nothing."""
    done = terraform(module, "validate", "-json")

    assert json.loads(done.stdout)["diagnostics"] == []


@pytest.mark.parametrize("turn", range(3))
def test_an_answer_is_applied_without_a_warning(module: Path, catalog: Catalog, turn: int) -> None:
    """Every variable is declared with the right type and has the answer's value, also without an accelerator."""
    machine = [one for one in machines(catalog) if one.cloud == "aws"][turn * 300]
    answer = answer_of(machine, turn)
    (wanted,) = answer.recommendations

    done = applied(module, answer, catalog)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Warning" not in done.stdout
    outputs: dict[str, Any] = json.loads(terraform(module, "output", "-json").stdout)
    found = outputs["machines"]["value"]
    assert len(found) == wanted.node_count
    assert (found[0]["type"], found[0]["spot"]) == (wanted.instance_type, wanted.purchase == "spot")
    assert outputs["volume_gib"]["value"] == (0 if wanted.sizing.disk.type == "nvme" else 300)


def test_an_answer_without_a_recommendation_is_refused(module: Path, catalog: Catalog) -> None:
    """Terraform reports missing variables in place of planning a default machine."""
    done = applied(module, NOTHING, catalog)

    assert done.returncode != 0
    assert "No value for required variable" in done.stderr
    assert applied(module, ANSWER, catalog).returncode == 0


@pytest.mark.parametrize("folder", [".", "aws", "gcp"])
def test_the_examples_are_formatted_hcl(folder: str) -> None:
    """The examples are formatted, also those whose providers would have to be fetched."""
    done = terraform(EXAMPLE / folder, "fmt", "-check", "-diff")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
