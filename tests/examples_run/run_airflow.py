"""Run the Airflow example once, without the cluster, and print the result as JSON; needs Airflow.

Called as ``run_airflow.py EXAMPLE CONF``: the DAG's file, and the run's parameters as JSON.
"""

import json
import runpy
import subprocess
import sys
from typing import Any

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from kubernetes.client import ApiClient


def main(example: str, conf: str) -> None:
    """Run the DAG and print the states of its tasks, and the pods that the cluster would have been asked for."""
    pods: list[dict[str, Any]] = []

    def keep(operator: KubernetesPodOperator, context: Any) -> None:
        pod = operator.build_pod_request_obj(dry_run=True)
        pods.append(ApiClient().sanitize_for_serialization(pod))

    KubernetesPodOperator.execute = keep
    subprocess.run([sys.executable, "-m", "airflow", "db", "migrate"], check=True, stdout=sys.stderr)
    dag = runpy.run_path(example)["train_resnet50"]()
    run = dag.test(run_conf=json.loads(conf))
    states = {each.task_id: str(each.state) for each in run.get_task_instances()}
    sys.stdout.write(json.dumps({"states": states, "pods": pods}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
