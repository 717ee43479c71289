"""Dagster assets: the pod for a training job on the recommended machine, and the model that is trained in it.

Set ``PLIMSOLL_URL`` and start it with ``dagster dev -f train_resnet50.py``.
"""

from typing import Any

import dagster as dg
import yaml
from dagster_k8s import PipesK8sClient

from plimsoll import Client
from plimsoll.inputs import ConstraintsFields, WorkloadFields

IMAGE = "registry.example.com/train-resnet50:1.4"
# One pod is one machine, and the cluster's nodes are on AWS.
CONSTRAINTS: ConstraintsFields = {"clouds": ["aws"], "max_nodes": 1}


class Training(dg.Config):
    """Budget and deadline of a run."""

    budget_usd: float = 150.0
    deadline: str = "24h"


@dg.asset
def training_pod(context: dg.AssetExecutionContext, config: Training) -> dg.Output[dict[str, Any]]:
    """Return the specification of a pod on the recommended machine; fail with the reason if no machine fits."""
    workload: WorkloadFields = {
        "task": "training",
        "model": "resnet50",
        "dataset": {"name": "imagenet-1k"},
        "epochs": 90,
        "budget_usd": config.budget_usd,
        "deadline": config.deadline,
    }
    with Client() as client:
        answer = client.recommend(workload, constraints=CONSTRAINTS)
        best = answer.best
        if best is None:
            raise dg.Failure(f"not started: {answer}", allow_retries=False)
        # With the version, both calls use the same prices and give the same machine.
        job = yaml.safe_load(
            client.recommend(workload, constraints=CONSTRAINTS, format="kubernetes", snapshot=answer.catalog.version)
        )
    context.log.info("recommended: %s", best)
    pod = job["spec"]["template"]["spec"]
    (main,) = pod.pop("containers")
    container = {"image": IMAGE, **{part: main[part] for part in ("resources", "volumeMounts", "env")}}
    return dg.Output(
        {**pod, "containers": [container]},
        metadata={
            "instance_type": best.instance_type,
            "cost_usd": best.estimate.cost_usd.value if best.estimate.cost_usd else None,
            "time_hours": best.estimate.time_hours.value if best.estimate.time_hours else None,
            "prices": answer.catalog.version,
            "why": dg.MetadataValue.md("\n".join(f"- {note.text}" for note in best.reasons)),
        },
    )


@dg.asset
def trained_model(
    context: dg.AssetExecutionContext, training_pod: dict[str, Any], pods: dg.ResourceParam[dg.PipesClient]
) -> dg.MaterializeResult[None]:
    """Train the model in that pod."""
    return pods.run(context=context, base_pod_spec=training_pod).get_materialize_result()


definitions = dg.Definitions(
    assets=[training_pod, trained_model],
    resources={"pods": PipesK8sClient(), "io_manager": dg.FilesystemIOManager()},
)
