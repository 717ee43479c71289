"""An Airflow DAG that sizes a training job, then runs it in a pod on the machine that Plimsoll recommends.

Set ``PLIMSOLL_URL`` for the workers. Budget and deadline are parameters of a run.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import yaml
from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import Param, dag, task
from airflow.sdk.exceptions import AirflowFailException

from plimsoll import Client
from plimsoll.inputs import ConstraintsFields, WorkloadFields

IMAGE = "registry.example.com/train-resnet50:1.4"
# One pod is one machine, and the cluster's nodes are on AWS.
CONSTRAINTS: ConstraintsFields = {"clouds": ["aws"], "max_nodes": 1}
LIMITS = {"budget_usd": Param(150.0, type="number"), "deadline": Param("24h", type="string")}


@dag(schedule=None, start_date=datetime(2026, 1, 1, tzinfo=UTC), catchup=False, params=LIMITS)
def train_resnet50() -> None:
    """Size the job, then train."""

    # Retries help if the service does not answer; they do not help if no machine fits.
    @task(retries=2)
    def size(params: dict[str, Any]) -> dict[str, Any]:
        """Return the template of a pod on the recommended machine; fail with the reason if no machine fits."""
        workload: WorkloadFields = {
            "task": "training",
            "model": "resnet50",
            "dataset": {"name": "imagenet-1k"},
            "epochs": 90,
            "budget_usd": params["budget_usd"],
            "deadline": params["deadline"],
        }
        with Client() as client:
            answer = client.recommend(workload, constraints=CONSTRAINTS)
            if answer.best is None:
                raise AirflowFailException(f"not started: {answer}")
            # With the version, both calls use the same prices and give the same machine.
            job = yaml.safe_load(
                client.recommend(
                    workload, constraints=CONSTRAINTS, format="kubernetes", snapshot=answer.catalog.version
                )
            )
        logging.getLogger(__name__).info("recommended: %s", answer.best)
        pod = job["spec"]["template"]["spec"]
        (main,) = pod.pop("containers")
        container = {"name": "base", **{part: main[part] for part in ("resources", "volumeMounts", "env")}}
        return {"spec": {**pod, "containers": [container]}}

    KubernetesPodOperator(
        task_id="train",
        namespace="training",
        image=IMAGE,
        arguments=["--epochs", "90"],
        pod_template_dict=size(),  # the dict, after the task has run
    )


train_resnet50()
