"""The Helm chart, rendered once per process by Helm's own library, and parts of the result."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
CHART = ROOT / "deploy/chart"
RENDER = Path(__file__).with_name("render_chart.py")
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv") or "uv"
INSTALL_SECONDS = 120
DEFAULTS = "defaults"
SHOWN = re.findall(r"```yaml\n(.*?)```", (CHART.parent / "README.md").read_text(), re.DOTALL)[0]
CASES: dict[str, Any] = {DEFAULTS: {}, "as shown": yaml.safe_load(SHOWN)} | {
    path.name.removesuffix("-values.yaml"): yaml.safe_load(path.read_text())
    for path in sorted((CHART / "ci").glob("*-values.yaml"))
}
Manifest = dict[str, Any]


@cache
def of_cases() -> dict[str, Any]:
    """Result of Helm and of Kubernetes' schemas for each set of values that the chart comes with."""
    return dict(zip(CASES, rendered(list(CASES.values())), strict=True))


def rendered(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same for any values; skips if Helm's library cannot be installed."""
    script = ["--quiet", "--python", sys.executable, "--script", str(RENDER)]
    try:
        done = subprocess.run([UV, "sync", *script], capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"Helm's library cannot be installed here: {error}")
    if done.returncode:
        pytest.skip(f"Helm's library cannot be installed here: {(done.stderr.strip().splitlines() or [''])[-1]}")
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.json", Path(folder) / "found.json"
        given.write_text(json.dumps(values))
        subprocess.run([UV, "run", *script, str(CHART), str(given), str(found)], check=True)
        answers: list[dict[str, Any]] = json.loads(found.read_text())
    return answers


def manifests(answers: dict[str, Any], case: str, kind: str) -> list[Manifest]:
    """A case's manifests of a kind."""
    return [each for each in answers[case]["manifests"] if each["kind"] == kind]


def pods(answers: dict[str, Any], case: str) -> list[Manifest]:
    """The pods that a case's manifests lead to: their `metadata` and `spec`."""
    return (
        [each["spec"]["template"] for each in manifests(answers, case, "Deployment")]
        + [each["spec"]["jobTemplate"]["spec"]["template"] for each in manifests(answers, case, "CronJob")]
        + manifests(answers, case, "Pod")
    )


def container(pod: Manifest) -> Manifest:
    """The container of a pod that runs the service's image; the proxy stands after it."""
    found: Manifest = pod["spec"]["containers"][0]
    return found


def environment(pod: Manifest) -> dict[str, Manifest]:
    """The variables of a pod's container by name."""
    return {each["name"]: each for each in container(pod).get("env", [])}
