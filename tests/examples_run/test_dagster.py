"""The Dagster example, materialized by Dagster itself up to the pod."""

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
EXAMPLE = ROOT / "examples" / "dagster" / "train_resnet50.py"
DRIVER = Path(__file__).with_name("run_dagster.py")
QUESTION: dict[str, Any] = {
    "task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90,
    "budget_usd": 150, "deadline": "24h", "constraints": {"clouds": ["aws"], "max_nodes": 1},
}  # fmt: skip


@pytest.fixture
def materialize(run: Any, environment: Callable[[str, str], Path]) -> Callable[[dict[str, Any]], Any]:
    """Materialize both assets under a configuration; return the result."""
    python = environment("dagster", "dagster_k8s")

    def start(config: dict[str, Any]) -> Any:
        done = run(python, DRIVER, EXAMPLE, json.dumps(config))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return start


def test_the_pod_is_placed_on_the_recommended_machine(materialize: Any, client: Client) -> None:
    """The pod has the selector, resources and tolerations of the service's own answer."""
    wanted = yaml.safe_load(client.recommend(**QUESTION, format="kubernetes"))["spec"]["template"]["spec"]

    (pod,) = materialize({})["pods"]

    (container,) = pod["spec"]["containers"]
    assert container["image"] == "registry.example.com/train-resnet50:1.4"
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


def test_the_asset_says_what_it_will_cost_and_why(materialize: Any, client: Client) -> None:
    """The asset's metadata has machine, cost, time, the version of the prices and the reasons."""
    answer = client.recommend(**QUESTION)
    best = answer.best
    assert best is not None
    assert best.estimate.cost_usd is not None
    assert best.estimate.time_hours is not None
    expected = {
        "instance_type": best.instance_type,
        "cost_usd": best.estimate.cost_usd.value,
        "time_hours": best.estimate.time_hours.value,
        "prices": answer.catalog.version,
        "why": "\n".join(f"- {note.text}" for note in best.reasons),
    }

    found = materialize({})

    assert found["success"]
    assert expected == {name: found["metadata"][name] for name in expected}


def test_a_budget_that_nothing_meets_stops_the_run(materialize: Any) -> None:
    """The asset fails with the limits to relax, and no pod is started."""
    found = materialize({"budget_usd": 1.0})

    (failure,) = found.pop("failures")
    assert failure.startswith("not started: no machine meets the constraints")
    assert "relax budget to" in failure
    assert found == {"success": False, "metadata": {}, "pods": []}
