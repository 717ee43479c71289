"""Each launcher's own code accepts the documents that are written for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.model import ServiceModel
from botocore.session import get_session
from botocore.validate import ParamValidator
from tests.service.api.conftest import ANSWER
from tests.service.api.formats.answers import WORKLOADS, answer_of, answered, launchable
from tests.service.api.formats.consumers import faults_by_node, faults_by_script

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.machines import machine_of, machines
from plimsoll_service.engine.hardware import Catalog

LAUNCHERS = tuple(name for name, form in RECOMMENDATIONS.items() if form.consumer)


def documents(name: str, catalog: Catalog) -> list[str]:
    """A format's document for one machine of each family that its consumer launches."""
    form = RECOMMENDATIONS[name]
    assert form.consumer is not None
    found = [answer_of(machine, turn) for turn, machine in enumerate(launchable(form.consumer, catalog))]
    found += [answered(workload, name, catalog) for workload in WORKLOADS]
    # Several machines or spot may be what it has not for one of them.
    answers = [answer for answer in found if form.consumer.pick(answer, catalog).launch is not None]
    written = [form.render(answer, catalog) for answer in answers]
    return [text if isinstance(text, str) else text.decode() for text in written]


@pytest.fixture(scope="module")
def sagemaker() -> ServiceModel:
    """SageMaker's interface, as its client defines it."""
    return get_session().get_service_model("sagemaker")


# What the tools themselves have no machines of several nodes for.
WITHOUT_NODES: dict[str, dict[str, Any]] = {
    "skypilot": {
        "resources": {"cloud": "verda", "instance_type": "1V100.6V", "use_spot": False, "disk_size": 256},
    },
    "dstack": {"backends": ["verda"]},
}


@pytest.mark.parametrize("name", ["skypilot", "dstack", "azureml", "vertex", "ray"])
def test_its_own_parser_reads_it(name: str, catalog: Catalog, tmp_path: Path) -> None:
    """The parser reads a document of each family, on demand and spot, of one and several nodes; it refuses a wrong one.

    Where the tool lists what its clouds have, several nodes on a cloud without them are a fault.
    """
    written = documents(name, catalog)
    wrong = ['{"type": "task", "num_nodes": 1, "resources": {"cloud": "aws", "no_such_field": 1}, "no_such_field": 1}']
    if name in WITHOUT_NODES:
        several = RECOMMENDATIONS[name].render(answered("training on several machines", name, catalog), catalog)
        right = yaml.load(several, yaml.CSafeLoader)
        assert right.get("nodes", right.get("num_nodes")) > 1
        written.append(yaml.safe_dump(right))
        wrong.append(yaml.safe_dump(right | WITHOUT_NODES[name]))

    faults = faults_by_script(name, [*written, *wrong], tmp_path)
    found = faults[len(written) :]
    assert [""] * len(written) == faults[: len(written)]
    assert "" not in found
    assert [] == [fault for fault in found[1:] if "several nodes" not in fault and "MULTI_NODE" not in fault]


def test_kubernetes_schema_accepts_the_manifests(catalog: Catalog, tmp_path: Path) -> None:
    """Jobs and services are valid on every cloud, also on spot, and the object in Kueue's queue is valid."""
    form = RECOMMENDATIONS["kubernetes"]
    every_40th = list(machines(catalog))[::40]
    assert form.consumer is not None
    clouds = form.consumer.clouds
    answers = [answer_of(machine, turn) for turn, machine in enumerate(every_40th) if machine.cloud in clouds]
    answers += [answered(workload, "kubernetes", catalog) for workload in WORKLOADS]
    written = [str(form.render(answer, catalog)) for answer in answers]
    admitted = documents("kueue", catalog)
    written += [text.partition("\n---\n")[2] for text in admitted[:: len(admitted) // 30]]
    wrong = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job}\nspec: {template: {spec: {containers: 1}}}\n"

    *right, fault = faults_by_script("kubernetes", [*written, wrong], tmp_path)
    assert [""] * len(written) == right
    assert fault != ""


def test_a_kueue_flavor_has_the_fields_of_its_custom_resource(catalog: Catalog) -> None:
    """A ResourceFlavor has only labels of nodes, and no unknown field."""
    flavors = [yaml.load(text.partition("\n---\n")[0], yaml.CSafeLoader) for text in documents("kueue", catalog)]

    assert {tuple(flavor["spec"]) for flavor in flavors} == {("nodeLabels",)}
    assert max(len(flavor["spec"]["nodeLabels"]) for flavor in flavors) <= 8  # the most that it takes


def test_karpenter_schema_accepts_the_node_pool(catalog: Catalog, tmp_path: Path) -> None:
    """A NodePool is valid by the schema of its custom resource."""
    pools: list[Any] = [yaml.load(text, yaml.CSafeLoader) for text in documents("karpenter", catalog)]
    wrong = pools[0] | {"spec": {"template": {"spec": {"requirements": []}}}}

    *right, fault = faults_by_node("karpenter", [*pools, wrong], tmp_path)
    assert [""] * len(pools) == right
    assert fault != ""


def test_sagemaker_accepts_its_requests(catalog: Catalog, sagemaker: ServiceModel) -> None:
    """Requests are valid by the service's model, and the instance type is one of its names."""
    found = [json.loads(text) for text in documents("sagemaker", catalog)]
    requests = [
        (name, request)
        for document in found
        for name, request in (document.items() if "CreateEndpoint" in document else [("CreateTrainingJob", document)])
    ]
    shapes = {name: sagemaker.operation_model(name).input_shape for name, _ in requests}

    assert {"CreateTrainingJob", "CreateModel", "CreateEndpointConfig", "CreateEndpoint"} == set(shapes)
    assert {""} == {ParamValidator().validate(request, shapes[name]).generate_report() for name, request in requests}
    trained = {request["ResourceConfig"]["InstanceType"] for name, request in requests if name == "CreateTrainingJob"}
    assert trained <= set(sagemaker.shape_for("TrainingInstanceType").enum)


def test_aws_batch_accepts_its_requests(catalog: Catalog) -> None:
    """A job of one machine, of several, and an array are valid by the models of both services."""
    models = {name: get_session().get_service_model(name) for name in ("batch", "ec2")}
    faults = set()
    for text in documents("aws_batch", catalog):
        for name, request in json.loads(text).items():
            model = models["ec2" if name == "CreateLaunchTemplate" else "batch"]
            faults.add(ParamValidator().validate(request, model.operation_model(name).input_shape).generate_report())

    assert faults == {""}


def test_sagemaker_types_are_those_of_the_model(catalog: Catalog, sagemaker: ServiceModel) -> None:
    """The catalog's types that are offered to SageMaker are exactly those that it has."""
    known = {name.removeprefix("ml.") for name in sagemaker.shape_for("TrainingInstanceType").enum}
    consumer = RECOMMENDATIONS["sagemaker"].consumer
    on_aws = [machine for machine in machines(catalog) if machine.cloud == "aws"]

    assert consumer is not None
    assert {machine.instance_type for machine in on_aws} & known == {
        machine.instance_type for machine in on_aws if consumer.launches(machine)
    }


def test_sagemaker_serves_on_what_the_model_has(catalog: Catalog, sagemaker: ServiceModel) -> None:
    """The same holds for endpoints, which have other machines."""
    known = {name.removeprefix("ml.") for name in sagemaker.shape_for("ProductionVariantInstanceType").enum}
    consumer = RECOMMENDATIONS["sagemaker"].consumer
    on_aws = [machine for machine in machines(catalog) if machine.cloud == "aws"]

    assert consumer is not None
    assert {machine.instance_type for machine in on_aws} & known == {
        machine.instance_type for machine in on_aws if consumer.has(machine, service=True)
    }


@pytest.mark.parametrize("name", LAUNCHERS)
def test_what_it_cannot_launch_is_passed_over(name: str, catalog: Catalog) -> None:
    """The first recommendation that the consumer can launch is written, and the head names the others."""
    form = RECOMMENDATIONS[name]
    assert form.consumer is not None
    wanted = launchable(form.consumer, catalog)[0]
    unwanted = next(
        one for one in machines(catalog) if one.cloud not in form.consumer.clouds or not form.consumer.launches(one)
    )
    answer = answer_of(wanted)
    both = replace(answer, recommendations=(*answer_of(unwanted).recommendations, *answer.recommendations))

    alone, after = (str(form.render(each, catalog)) for each in (answer, both))
    assert "passed over" not in alone
    assert f"passed over: rank 1, 1 x {unwanted.instance_type}" in after
    assert wanted.instance_type.partition("+")[0] in after


def test_a_recommended_machine_is_the_catalogs(catalog: Catalog) -> None:
    """The facts about a machine are the same from the catalog and from an answer."""
    sample = list(machines(catalog))[::50]

    assert sample == [machine_of(answer_of(machine).recommendations[0], catalog) for machine in sample]
    assert ANSWER.recommendations[0].instance_type == machine_of(ANSWER.recommendations[0], catalog).instance_type
