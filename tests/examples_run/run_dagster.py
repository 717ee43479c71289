"""Run the Dagster example once, without the cluster, and print the result as JSON; needs dagster-k8s.

Called as ``run_dagster.py EXAMPLE CONFIG``: the definitions' file, and the configuration of ``training_pod`` as JSON.
"""

import json
import runpy
import sys
from typing import Any

import dagster as dg
from dagster_k8s.pipes import build_pod_body
from kubernetes.client import ApiClient


class NoCluster(dg.PipesClient):
    """Builds the pods that ``PipesK8sClient`` would start, and keeps them in ``pods``."""

    def __init__(self, pods: list[dict[str, Any]]) -> None:
        self._pods = pods

    def run(self, *, context: Any, base_pod_spec: dict[str, Any]) -> Any:
        """Keep the pod; the session has no messages."""
        pod = build_pod_body("train", None, None, {}, None, base_pod_spec)
        self._pods.append(ApiClient().sanitize_for_serialization(pod))
        with dg.open_pipes_session(context, dg.PipesEnvContextInjector(), dg.PipesTempFileMessageReader()) as session:
            pass
        return dg.PipesClientCompletedInvocation(session)


def main(example: str, config: str) -> None:
    """Materialize both assets, and print the success or the reason, the metadata and the pods."""
    pods: list[dict[str, Any]] = []
    assets = runpy.run_path(example)["definitions"].assets
    run = dg.materialize(
        assets,
        resources={"pods": NoCluster(pods)},
        run_config={"ops": {"training_pod": {"config": json.loads(config)}}},
        raise_on_error=False,
    )
    failures = [event.step_failure_data.user_failure_data for event in run.get_step_failure_events()]
    metadata = {
        name: value.value
        for event in run.asset_materializations_for_node("training_pod")
        for name, value in event.metadata.items()
    }
    said = [failure.description for failure in failures if failure]
    sys.stdout.write(json.dumps({"success": run.success, "failures": said, "metadata": metadata, "pods": pods}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
