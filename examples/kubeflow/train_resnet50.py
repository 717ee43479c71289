"""A Kubeflow pipeline that sizes a training job, then runs it on the machine that Plimsoll recommends.

``python train_resnet50.py pipeline.yaml`` compiles it; every run sizes the job again.
"""

import sys
from typing import NamedTuple

from kfp import compiler, dsl, kubernetes

# Kubeflow ships only the functions' code: both images need kfp, and the first also the SDK and PyYAML.
SDK_IMAGE = "registry.example.com/plimsoll-sdk:0.1.0"
TRAINING_IMAGE = "registry.example.com/train-resnet50:1.4"
WORKLOAD = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90}
# One pod is one machine, the cluster's nodes are on Google Cloud, and its device plugin is NVIDIA's.
CONSTRAINTS = {"clouds": ["gcp"], "max_nodes": 1, "accelerators": ["L4", "A100-40GB", "H100-SXM"]}


@dsl.component(base_image=SDK_IMAGE, install_kfp_package=False)
def size(
    service: str, workload: dict, constraints: dict, budget_usd: float, deadline: str
) -> NamedTuple(
    "Machine",
    [
        ("instance_type", str),
        ("cost_usd", float),
        ("cpu", str),
        ("memory", str),
        ("accelerator", str),
        ("accelerator_count", str),
        ("node_selector", dict),
        ("tolerations", list),
    ],
):  # fmt: skip
    """Return the resources of a pod on the recommended machine; fail with the reason if no machine fits."""
    import collections
    import sys

    import yaml

    from plimsoll import Client

    limited = {**workload, "budget_usd": budget_usd, "deadline": deadline}
    with Client(service) as client:
        answer = client.recommend(limited, constraints=constraints)
        if answer.best is None:
            sys.exit(f"not started: {answer}")
        # With the version, both calls use the same prices and give the same machine.
        job = yaml.safe_load(
            client.recommend(limited, constraints=constraints, format="kubernetes", snapshot=answer.catalog.version)
        )
    pod = job["spec"]["template"]["spec"]
    resources = pod["containers"][0]["resources"]
    requests, devices = resources["requests"], resources["limits"]
    ((accelerator, count),) = devices.items()
    names = "instance_type cost_usd cpu memory accelerator accelerator_count node_selector tolerations"
    return collections.namedtuple("Machine", names)(
        answer.best.instance_type,
        answer.best.estimate.cost_usd.value,
        requests["cpu"],
        requests["memory"],
        accelerator,
        str(count),
        pod["nodeSelector"],
        pod["tolerations"],
    )


@dsl.component(base_image=TRAINING_IMAGE, install_kfp_package=False)
def train(instance_type: str, epochs: int):
    """Train, in an image of its own."""
    import logging

    logging.warning("training for %s epochs on %s", epochs, instance_type)


@dsl.pipeline(name="train-resnet50")
def train_resnet50(service: str, budget_usd: float = 200.0, deadline: str = "24h"):
    """Size the job, then train; if no machine meets both limits, nothing is trained."""
    machine = size(
        service=service, workload=WORKLOAD, constraints=CONSTRAINTS, budget_usd=budget_usd, deadline=deadline
    ).set_caching_options(enable_caching=False)  # prices change even if the question does not
    trained = train(instance_type=machine.outputs["instance_type"], epochs=WORKLOAD["epochs"])
    trained.set_cpu_request(machine.outputs["cpu"])
    trained.set_memory_request(machine.outputs["memory"])
    trained.set_accelerator_type(machine.outputs["accelerator"])
    trained.set_accelerator_limit(machine.outputs["accelerator_count"])
    kubernetes.add_node_selector_json(trained, machine.outputs["node_selector"])
    kubernetes.add_toleration_json(trained, machine.outputs["tolerations"])


if __name__ == "__main__":
    compiler.Compiler().compile(train_resnet50, sys.argv[1])
