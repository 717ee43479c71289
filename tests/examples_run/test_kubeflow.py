"""The Kubeflow example, compiled and run on this machine by kfp itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from plimsoll import Client

pytestmark = pytest.mark.frameworks
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "kubeflow" / "train_resnet50.py"
DRIVER = Path(__file__).with_name("run_kubeflow.py")
QUESTION: dict[str, Any] = {
    "task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90,
    "budget_usd": 200, "deadline": "24h",
    "constraints": {"clouds": ["gcp"], "max_nodes": 1, "accelerators": ["L4", "A100-40GB", "H100-SXM"]},
}  # fmt: skip


@pytest.fixture
def run_pipeline(run: Any, environment: Callable[[str, str], Path], service_url: str) -> Callable[..., Any]:
    """Compile the pipeline, then run it with arguments."""
    python = environment("kubeflow", "kfp.kubernetes")
    # The components run under whatever `python` comes first.
    env = {"PATH": f"{python.parent}:/usr/bin:/bin"}

    def start(folder: Path, **arguments: Any) -> Any:
        return run(python, DRIVER, EXAMPLE, folder, json.dumps({"service": service_url, **arguments}), env=env)

    return start


def test_the_training_asks_for_the_recommended_machine(run_pipeline: Any, client: Client, tmp_path: Path) -> None:
    """The sizing component outputs the service's own answer, and the training runs on that machine."""
    job = yaml.safe_load(client.recommend(**QUESTION, format="kubernetes"))
    placement = job["spec"]["template"]["spec"]
    resources = placement["containers"][0]["resources"]
    best = client.recommend(**QUESTION).best
    assert best is not None
    assert best.estimate.cost_usd is not None

    done = run_pipeline(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"training for 90 epochs on {best.instance_type}" in done.stdout
    (output,) = tmp_path.glob("*/size/executor_output.json")
    expected = {
        "instance_type": best.instance_type,
        "cost_usd": best.estimate.cost_usd.value,
        "cpu": resources["requests"]["cpu"],
        "memory": resources["requests"]["memory"],
        "accelerator": "nvidia.com/gpu",
        "accelerator_count": str(resources["limits"]["nvidia.com/gpu"]),
        "node_selector": placement["nodeSelector"],
        "tolerations": placement["tolerations"],
    }
    actual = json.loads(output.read_text())["parameterValues"]
    assert expected == actual


def test_the_compiled_pipeline_takes_each_resource_from_the_sizing(run_pipeline: Any, tmp_path: Path) -> None:
    """The training's resources, selector and tolerations are outputs of ``size``."""
    run_pipeline(tmp_path)

    pipeline, platform = yaml.safe_load_all((tmp_path / "pipeline.yaml").read_text())
    container = pipeline["deploymentSpec"]["executors"]["exec-train"]["container"]
    assert container["resources"] == {
        "resourceCpuRequest": _input("cpu"),
        "resourceMemoryRequest": _input("memory"),
        "accelerator": {"resourceType": _input("accelerator"), "resourceCount": _input("accelerator_count")},
    }
    pod = platform["platforms"]["kubernetes"]["deploymentSpec"]["executors"]["exec-train"]
    assert pod == {
        "nodeSelector": {"nodeSelectorJson": _output("node_selector")},
        "tolerations": [{"tolerationJson": _output("tolerations")}],
    }


def test_a_budget_that_nothing_meets_stops_the_pipeline(run_pipeline: Any, tmp_path: Path) -> None:
    """The sizing fails with the limits to relax, and nothing is trained."""
    done = run_pipeline(tmp_path, budget_usd=1.0)

    assert "not started: no machine meets the constraints" in done.stdout
    assert "relax budget to" in done.stdout
    assert list(tmp_path.glob("*/train")) == []
    assert done.returncode == 1


def _input(output: str) -> str:
    """An output of ``size``, in kfp's form for a text."""
    return f"{{{{$.inputs.parameters['pipelinechannel--size-{output}']}}}}"


def _output(output: str) -> dict[str, Any]:
    """An output of ``size``, in kfp's form for a document."""
    return {"taskOutputParameter": {"outputParameterKey": output, "producerTask": "size"}}
