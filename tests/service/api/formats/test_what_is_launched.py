"""A document starts exactly the estimated machines, devices, disk, precision, parallelism and kind."""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.service.api.formats.answers import WORKLOADS, answered, sizer

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.format import launchable
from plimsoll_service.api.formats.launch import Launch, launch_of
from plimsoll_service.api.formats.machines import machine_type, tpu_machine
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Constraints, Hardware, Query

HERE = str(Path(__file__).resolve().parents[4])
# The arguments of each engine for its parallelism and its requests at once; its own documentation names them.
ARGUMENTS = {
    "vllm": ("--tensor-parallel-size", "--pipeline-parallel-size", "--max-num-seqs", "--data-parallel-size"),
    "sglang": ("--tp-size", "--pp-size", "--max-running-requests", "--dp-size"),
    "tensorrt-llm": ("--tp_size", "--pp_size", "--max_batch_size", ""),
}
# No package registry, address of this machine or folder of this checkout.
HOSTS = re.compile("|".join(map(re.escape, ("pypi.", "pythonhosted", "127.0.0.1", HERE))))


@dataclass(frozen=True)
class Started:
    """Content that a document starts: its kind, machines, their name, spot, disk, environment, command."""

    service: bool
    machines: int
    name: str | None
    spot: bool | None
    disk_gib: int | None
    environment: dict[str, str]
    command: str
    devices: int | None = None  # of all machines together


def skypilot(document: dict[str, Any]) -> Started:
    """Content of a SkyPilot task, with ``num_nodes`` for each of the replicas."""
    resources, service = document["resources"], document.get("service")
    return Started(
        service is not None,
        document["num_nodes"] * (service["replicas"] if service else 1),
        resources.get("instance_type"),
        resources["use_spot"],
        resources["disk_size"],
        document["envs"],
        document["run"],
    )


def dstack(document: dict[str, Any]) -> Started:
    """Content of a dstack document, in which each replica is a machine."""
    service = document["type"] == "service"
    gpu = document["resources"]["gpu"]
    machines = document["replicas" if service else "nodes"]
    return Started(
        service,
        machines,
        document["instance_types"][0].replace(" ", "_"),  # Nebius' platform and preset
        document["spot_policy"] == "spot",
        int(document["resources"]["disk"].removesuffix("GB..")),
        dict(line.split("=", 1) for line in document["env"]),
        "\n".join(document["commands"]),
        (gpu["count"] if gpu else 0) * machines,
    )


def kubernetes(document: dict[str, Any]) -> Started:
    """Content of the pods of a Deployment, of a Job, or of the groups of a LeaderWorkerSet."""
    spec = document["spec"]
    if document["kind"] == "LeaderWorkerSet":
        pods = spec["replicas"] * spec["leaderWorkerTemplate"]["size"]
        pod = spec["leaderWorkerTemplate"]["leaderTemplate"]["spec"]
    else:
        pods, pod = spec.get("replicas", spec.get("completions", 1)), spec["template"]["spec"]
        assert spec.get("parallelism") == spec.get("completions")
    (container,) = pod["containers"]
    requests = container["resources"]["requests"]
    return Started(
        document["kind"] in ("Deployment", "LeaderWorkerSet"),
        pods,
        pod["nodeSelector"]["node.kubernetes.io/instance-type"],
        any("spot" in f"{key}{value}".lower() for key, value in pod["nodeSelector"].items()),
        int(requests["ephemeral-storage"].removesuffix("Gi")),
        {each["name"]: each["value"] for each in container["env"]},
        container["command"][-1],
        sum(count for name, count in container["resources"]["limits"].items()) * pods,
    )


def sagemaker(document: dict[str, Any]) -> Started:
    """Content of a training job, or of an endpoint with its model."""
    if "CreateEndpoint" not in document:
        resources, environment = document["ResourceConfig"], document["Environment"]
        name, count, spot = "InstanceType", "InstanceCount", document["EnableManagedSpotTraining"]
    else:
        (resources,) = document["CreateEndpointConfig"]["ProductionVariants"]
        environment = document["CreateModel"]["PrimaryContainer"]["Environment"]
        name, count, spot = "InstanceType", "InitialInstanceCount", False
    disk = resources.get("VolumeSizeInGB")
    command = environment["COMMAND"]
    service = "CreateEndpoint" in document
    return Started(service, resources[count], resources[name].removeprefix("ml."), spot, disk, environment, command)


def vertex(document: dict[str, Any]) -> Started:
    """Content of a custom job, or of a model with its endpoint."""
    if "workerPoolSpecs" in document:
        pools = document["workerPoolSpecs"]
        container, machine = pools[0]["containerSpec"], pools[0]["machineSpec"]
        count, disk = sum(pool["replicaCount"] for pool in pools), pools[0]["diskSpec"]["bootDiskSizeGb"]
        spot = document.get("scheduling", {}).get("strategy") == "SPOT"
    else:
        container = document["uploadModel"]["model"]["containerSpec"]
        resources = document["deployModel"]["deployedModel"]["dedicatedResources"]
        machine, count, disk, spot = resources["machineSpec"], resources["minReplicaCount"], None, resources["spot"]
        assert resources["minReplicaCount"] == resources["maxReplicaCount"]
    environment = {each["name"]: each["value"] for each in container["env"]}
    devices = machine.get("acceleratorCount", 0) * count if "tpuTopology" not in machine else None
    service = "deployModel" in document
    command = container["args"][-1]
    return Started(service, count, machine["machineType"], spot, disk, environment, command, devices)


def azureml(document: dict[str, Any]) -> Started:
    """Content of a command job, or of an online deployment."""
    if document.get("type") != "command":
        environment = document["environment_variables"]
        count, command = document["instance_count"], environment["COMMAND"]
        return Started(True, count, document["instance_type"], False, None, environment, command)
    resources = document["resources"]
    return Started(
        False,
        resources["instance_count"],
        resources["instance_type"],
        document["queue_settings"]["job_tier"] == "spot",
        None,
        document["environment_variables"],
        document["command"],
    )


def ray(document: dict[str, Any]) -> Started:
    """Content of a Ray cluster, whose head and workers are of one type and start a service."""
    ((name, kind),) = document["available_node_types"].items()
    assert document["head_node_type"] == name
    assert kind["min_workers"] == kind["max_workers"] == document["max_workers"]
    config = kind["node_config"]
    script = document["setup_commands"][-1]
    lines = re.findall(r"export (\w+)=(.*)", script)
    arm = config.get("azure_arm_parameters", {})
    volumes = config.get("BlockDeviceMappings", [{}])[0].get("Ebs", {}).get("VolumeSize")
    disks = config.get("disks", [{}])[0].get("initializeParams", {}).get("diskSizeGb")
    machines = document["max_workers"] + 1
    return Started(
        any("plimsoll.sh" in command for command in document["head_start_ray_commands"]),
        machines,
        config.get("InstanceType") or config.get("machineType") or arm.get("vmSize"),
        "spot" in json.dumps(config).lower(),
        volumes or disks,
        {name: value.strip("'") for name, value in lines},
        script,
        kind["resources"].get("GPU", 0) * machines,
    )


def slurm(text: str) -> Started:
    """Content of the options of ``sbatch`` and of the script after them."""
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    options = dict(re.findall(r"^#SBATCH --([\w-]+)(?:=(.*))?$", text, re.MULTILINE))
    machines = int(options["nodes"])
    return Started(
        text.partition("# ")[2].startswith("service"),
        machines,
        None,
        "requeue" in options,
        int(options["tmp"].removesuffix("M")) // 1024,
        {name: value.strip("'") for name, value in re.findall(r"^export (\w+)=(.*)$", text, re.MULTILINE)},
        text,
        int(options.get("gpus-per-node", 0)) * machines,
    )


def aws_batch(document: dict[str, Any]) -> Started:
    """Content of a job of one machine, of several, or of an array of jobs."""
    definition = document["RegisterJobDefinition"]
    nodes = definition.get("nodeProperties")
    container = nodes["nodeRangeProperties"][0]["container"] if nodes else definition["containerProperties"]
    array = document["SubmitJob"].get("arrayProperties", {}).get("size", 1)
    machines = nodes["numNodes"] if nodes else array
    environment = document["CreateComputeEnvironment"]["computeResources"]
    devices = {each["type"]: int(each["value"]) for each in container["resourceRequirements"]}.get("GPU", 0)
    (volume,) = document["CreateLaunchTemplate"]["LaunchTemplateData"]["BlockDeviceMappings"]
    return Started(
        False,
        machines,
        environment["instanceTypes"][0],
        environment["type"] == "SPOT",
        volume["Ebs"]["VolumeSize"],
        {each["name"]: each["value"] for each in container["environment"]},
        container["command"][-1],
        devices * machines,
    )


def kueue(text: str) -> Started:
    """Content of the pods of Kubernetes, each of which requests the nodes of the flavor."""
    flavor, queued = yaml.load_all(text, yaml.CSafeLoader)
    pods = [part["spec"] for part in _templates(queued["spec"])]
    assert queued["metadata"]["labels"] == {"kueue.x-k8s.io/queue-name": "plimsoll"}
    assert queued["spec"].get("suspend") == (True if queued["kind"] == "Job" else None)
    assert all(pod["nodeSelector"] == flavor["spec"]["nodeLabels"] for pod in pods)
    return kubernetes(queued)


def _templates(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Templates of the pods of an object."""
    several = spec.get("leaderWorkerTemplate")
    return [spec["template"]] if several is None else [several["leaderTemplate"], several["workerTemplate"]]


def runs_on(document: dict[str, Any]) -> Started:
    """Content of a job of a workflow, or of one for each machine of a matrix, with the parts of RunsOn's label."""
    (job,) = document["jobs"].values()
    label = dict(part.split("=", 1) for part in job["runs-on"].split("/"))
    machines = job.get("strategy", {}).get("matrix", {}).get("machine", [0])
    assert set(label) == {"runs-on", "family", "spot", "image", "volume", "region"}
    assert ("matrix.machine" in label["runs-on"]) == (len(machines) > 1)
    return Started(
        False,
        len(machines),
        label["family"],
        label["spot"] == "true",
        int(label["volume"].removesuffix("gb")),
        job["env"],
        job["steps"][-1]["run"],
    )


READ: dict[str, Callable[[Any], Started]] = {
    "skypilot": skypilot,
    "dstack": dstack,
    "kubernetes": kubernetes,
    "sagemaker": sagemaker,
    "vertex": vertex,
    "azureml": azureml,
    "ray": ray,
    "slurm": slurm,
    "aws_batch": aws_batch,
    "kueue": kueue,
    "runs_on": runs_on,
}
TEXTS = ("slurm", "kueue")  # no single document of YAML


def started(name: str, workload: str, catalog: Catalog, purchase: str = "on_demand") -> tuple[Started, Launch] | None:
    """Content that a format's document starts, and the estimate; nothing if the tool cannot launch the answer."""
    form, answer = RECOMMENDATIONS[name], answered(workload, name, catalog, purchase)
    written = form.render(answer, catalog)
    text = written if isinstance(written, str) else written.decode()
    assert not HOSTS.search(text), text
    consumer = form.consumer
    launch = (
        consumer.pick(answer, catalog).launch if consumer else launch_of(answer, answer.recommendations[0], catalog)
    )
    if launch is None:
        assert yaml.load(text, yaml.CSafeLoader) == {}
        return None
    return READ[name](text if name in TEXTS else yaml.load(text, yaml.CSafeLoader)), launch


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("name", READ)
def test_a_document_starts_what_was_estimated(name: str, workload: str, catalog: Catalog) -> None:
    """A document starts the estimated machines, number, kind, devices and disk."""
    found = started(name, workload, catalog)
    if found is None:
        services = [each for each, one in WORKLOADS.items() if one.task == "inference" and one.requests is None]
        elsewhere = ["divided requests"]  # on machines of other clouds
        lacking = {"azureml": ["replica of several machines", *elsewhere], "vertex": elsewhere, "aws_batch": services}
        lacking["runs_on"] = [*services, "training on several machines"]
        assert workload in lacking[name]
        return
    document, launch = found
    copies = launch.copies if name in ("kubernetes", "kueue") and launch.service else 1

    assert document.service == launch.service
    assert document.machines == launch.one.node_count * copies
    # SkyPilot names a flexible shape of OCI with its size, others without.
    flexible = name == "skypilot" and launch.one.cloud == "oci"
    asked = launch.one.instance_type if flexible else machine_type(launch.one.instance_type)
    slice_of = tpu_machine(launch.one.cloud, launch.one.instance_type)  # Vertex AI names the machine, not the slice
    assert document.name in (None, asked, slice_of and slice_of.machine_type)
    assert not document.spot
    if document.disk_gib is not None and not (
        launch.local_disk and name in ("skypilot", "ray", "sagemaker", "aws_batch")
    ):
        assert document.disk_gib >= launch.disk_gib // copies
    if document.devices is not None and name != "dstack":
        assert document.devices in (launch.devices * launch.one.node_count, _all(launch))


def _all(launch: Launch) -> int:
    each = launch.one.accelerator
    return math.ceil(each.count) * launch.one.node_count if each else 0


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("name", READ)
def test_a_document_says_how_it_is_run(name: str, workload: str, catalog: Catalog) -> None:
    """Precision, batch and parallelism are variables and the engine's own arguments."""
    found = started(name, workload, catalog)
    if found is None:
        return
    document, launch = found
    said = {key.upper(): value for key, value in launch.settings().items() if value is not None}

    assert {key: document.environment.get(key) for key in said} == {
        key: str(int(value)) if isinstance(value, float) else str(value) for key, value in said.items()
    }
    serving, batch = launch.one.estimate.serving, launch.one.sizing.batch_size
    if launch.framework in ARGUMENTS and serving and batch:
        tensor, pipeline, requests, copies = ARGUMENTS[launch.framework]
        divided = serving.attention_data_parallel or 1
        each = divided if launch.framework == "vllm" else 1  # its engines of one device count their own requests
        assert f"{tensor} {(serving.tensor_parallel or 1) // each} " in document.command
        assert f"{pipeline} {serving.pipeline_parallel}" in document.command
        assert f"{requests} {-(-batch.used // each)}" in document.command
        alone = name in ("kubernetes", "kueue") and launch.service
        assert ((launch.copies == 1 or alone) and divided == 1) == (not copies or copies not in document.command)
        assert divided == 1 or f"{copies} {divided} " in document.command


@pytest.mark.parametrize(
    "name", ["skypilot", "dstack", "kubernetes", "sagemaker", "vertex", "ray", "aws_batch", "runs_on"]
)
def test_what_was_priced_as_spot_is_bought_as_spot(name: str, catalog: Catalog) -> None:
    """A machine that is priced as spot is bought as spot, in the tool's own words."""
    found = started(name, "training", catalog, "spot")

    assert found is not None
    assert found[0].spot


@pytest.mark.parametrize("name", ["sagemaker", "azureml"])
def test_endpoints_that_are_not_on_spot_are_passed_over(name: str, catalog: Catalog) -> None:
    """Endpoints that are not on spot are skipped, so that nothing starts at another price."""
    assert started(name, "service", catalog, "spot") is None


def test_several_machines_find_each_other(catalog: Catalog) -> None:
    """Each machine knows its rank and the first machine, in each tool's own way."""
    own = {
        "skypilot": "$SKYPILOT_NODE_RANK",
        "dstack": "$DSTACK_NODE_RANK",
        "kubernetes": "$JOB_COMPLETION_INDEX",
        "sagemaker": "resourceconfig.json",
        "vertex": "CLUSTER_SPEC",
        "slurm": "SLURM_NODEID",
    }
    for name, place in own.items():
        found = started(name, "training on several machines", catalog)
        assert found is not None
        document, launch = found
        assert place in document.command, name
        assert f"torchrun --nnodes={launch.one.node_count} --nproc-per-node={launch.devices} " in document.command


def test_a_replica_of_several_machines_starts_once(catalog: Catalog) -> None:
    """A replica has tensor parallelism inside a machine and pipeline parallelism over machines."""
    for name, place in {"kubernetes": "$LWS_WORKER_INDEX", "skypilot": "$SKYPILOT_NODE_RANK"}.items():
        found = started(name, "replica of several machines", catalog)
        assert found is not None
        document, launch = found
        if launch.span > 1:
            assert place in document.command
            assert f"--nnodes {launch.span} --node-rank" in document.command
            assert document.machines == launch.span * launch.units


def test_env_and_tfvars_hold_the_command_and_the_price_of_all(catalog: Catalog) -> None:
    """``usd_per_hour`` is that of all machines, and the objective of the ranking is stated."""
    answer = answered("replicas", "tfvars", catalog)
    first = answer.recommendations[0]
    variables = json.loads(RECOMMENDATIONS["tfvars"].render(answer, catalog))

    assert first.node_count > 1
    assert variables["usd_per_hour"] == pytest.approx(first.price.usd_per_hour * first.node_count)
    assert variables["usd_per_hour_each"] == first.price.usd_per_hour
    assert (variables["kind"], variables["objective"]) == ("service", "cost")
    assert variables["command"].startswith('vllm serve "$MODEL"')
    assert "--quantization awq --kv-cache-dtype fp8" in variables["command"]


def test_slurm_is_for_ones_own_machines(catalog: Catalog) -> None:
    """Slurm uses only the request's own machines if there are any; the name of a machine runs nothing."""
    own = Hardware(label="rack $(touch ran)", accelerator="A100", count=8, vcpus=96, memory_gib=1000, usd_per_hour=9.0)
    query = Query(WORKLOADS["training"], Constraints(own_machines=(own,)))
    form = RECOMMENDATIONS["slurm"]
    answer = sizer(catalog).recommend(launchable(query, form, catalog))
    text = str(form.render(answer, catalog))

    assert {one.cloud for one in answer.recommendations} == {"own"}
    assert "#SBATCH --gpus-per-node=8\n" in text
    assert [line[0] for line in text.splitlines() if "touch" in line] == ["#"]


def test_alternatives_are_the_same_hardware(catalog: Catalog) -> None:
    """SkyPilot tries the alternatives in their order, after the recommended machine."""
    answer = answered("llama.cpp", "skypilot", catalog)
    form = RECOMMENDATIONS["skypilot"]
    assert form.consumer is not None
    launch = form.consumer.pick(answer, catalog).launch
    assert launch is not None
    first = launch.one
    ordered = yaml.safe_load(form.render(answer, catalog))["resources"]["ordered"]

    assert ordered[0]["instance_type"] == first.instance_type.partition("+")[0]  # the device is named beside it
    assert len(ordered) > 1
    assert all(each["region"] for each in ordered)
