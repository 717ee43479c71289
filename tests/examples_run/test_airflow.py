"""The Airflow example, run by Airflow itself up to the pod."""

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
EXAMPLE = ROOT / "examples" / "airflow" / "train_resnet50.py"
DRIVER = Path(__file__).with_name("run_airflow.py")
QUESTION: dict[str, Any] = {
    "task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90,
    "budget_usd": 150, "deadline": "24h", "constraints": {"clouds": ["aws"], "max_nodes": 1},
}  # fmt: skip


@pytest.fixture
def run_dag(run: Any, environment: Callable[[str, str], Path], tmp_path: Path) -> Callable[[dict[str, Any]], Any]:
    """Run the DAG with parameters; return its result and its output."""
    python = environment("airflow", "airflow.providers.cncf.kubernetes")
    settings = {
        "AIRFLOW_HOME": str(tmp_path),
        "AIRFLOW__CORE__DAGS_FOLDER": str(EXAMPLE.parent),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    }

    def start(parameters: dict[str, Any]) -> Any:
        done = run(python, DRIVER, EXAMPLE, json.dumps(parameters), env=settings)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1]), done.stdout + done.stderr

    return start


def test_the_pod_is_placed_on_the_recommended_machine(run_dag: Any, client: Client) -> None:
    """The operator's pod has the selector, resources and tolerations of the service's own answer."""
    wanted = yaml.safe_load(client.recommend(**QUESTION, format="kubernetes"))["spec"]["template"]["spec"]

    found, _ = run_dag({})

    assert found["states"] == {"size": "success", "train": "success"}
    (pod,) = found["pods"]
    (container,) = pod["spec"]["containers"]
    assert container["args"] == ["--epochs", "90"]
    actual = {
        "nodeSelector": pod["spec"]["nodeSelector"],
        "resources": {
            kind: {name: int(size) if size.isdecimal() else size for name, size in sizes.items()}
            for kind, sizes in container["resources"].items()
        },
        "tolerations": pod["spec"]["tolerations"],
    }
    (main,) = wanted["containers"]
    expected = {
        "nodeSelector": wanted["nodeSelector"],
        "resources": main["resources"],
        "tolerations": wanted["tolerations"],
    }
    assert expected == actual


def test_a_budget_that_nothing_meets_stops_the_run_at_once(run_dag: Any) -> None:
    """The task fails without a retry, its log says which limits to relax, and no pod is started."""
    found, log = run_dag({"budget_usd": 1})

    assert "not started: no machine meets the constraints" in log
    assert "relax budget to" in log
    assert found == {"states": {"size": "failed", "train": "upstream_failed"}, "pods": []}
