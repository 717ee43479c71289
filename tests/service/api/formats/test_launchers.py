"""Content of the launchers' documents: machines, GPUs, nodes, spot, regions and disks in each launcher's own words."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import yaml
from tests.service.api.conftest import ANSWER, RECOMMENDATION, SIZING
from tests.service.api.formats.answers import answer_of

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.machines import Machine, machines
from plimsoll_service.engine.answer import AcceleratorChoice, Answer
from plimsoll_service.engine.hardware import Catalog


def document(name: str, answer: Answer, catalog: Catalog) -> dict[str, Any]:
    """The parsed document of a format."""
    found: dict[str, Any] = yaml.safe_load(RECOMMENDATIONS[name].render(answer, catalog))
    return found


def pod(answer: Answer, catalog: Catalog) -> dict[str, Any]:
    """Specification of the pods of a manifest."""
    found: dict[str, Any] = document("kubernetes", answer, catalog)["spec"]["template"]["spec"]
    return found


@cache
def machines_by_name(catalog: Catalog) -> dict[tuple[str, str], Machine]:
    """The machines of the catalog."""
    return {(one.cloud, one.instance_type): one for one in machines(catalog)}


def machine(catalog: Catalog, cloud: str, instance_type: str) -> Machine:
    """A machine of the catalog."""
    return machines_by_name(catalog)[cloud, instance_type]


def answer(catalog: Catalog, cloud: str, instance_type: str, **changes: Any) -> Answer:
    """An answer with one machine of the catalog, on demand, with a volume of 300 GiB."""
    (one,) = answer_of(machine(catalog, cloud, instance_type)).recommendations
    return replace(ANSWER, recommendations=(replace(one, **changes),))


def spot(catalog: Catalog, cloud: str, instance_type: str) -> Answer:
    """The same with three of them, bought as spot."""
    return answer(catalog, cloud, instance_type, purchase="spot", node_count=3)


def test_karpenter_makes_as_many_as_recommended(catalog: Catalog) -> None:
    """The limits are those of all nodes together; the pod tolerates the taint."""
    pool = document("karpenter", spot(catalog, "aws", "g5.xlarge"), catalog)
    spec, template = pool["spec"], pool["spec"]["template"]["spec"]
    wanted = {one["key"]: one["values"] for one in template["requirements"]}

    assert wanted["node.kubernetes.io/instance-type"] == ["g5.xlarge"]
    assert (wanted["karpenter.sh/capacity-type"], wanted["kubernetes.io/arch"]) == (["spot"], ["amd64"])
    assert spec["limits"] == {"cpu": "12", "memory": "48Gi", "nvidia.com/gpu": "3"}
    assert template["taints"] == [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}]
    assert template["nodeClassRef"]["kind"] == "EC2NodeClass"


def test_karpenter_names_the_pool_as_kubernetes_allows(catalog: Catalog) -> None:
    """The name of the pool is in lower case, without underscores."""
    pool = document("karpenter", answer(catalog, "azure", "Standard_ND40rs_v2"), catalog)

    assert pool["metadata"]["name"] == "plimsoll-standard-nd40rs-v2"
    assert pool["spec"]["template"]["spec"]["nodeClassRef"]["kind"] == "AKSNodeClass"


def test_vertex_has_one_primary_replica_and_workers(catalog: Catalog) -> None:
    """GPUs have Vertex AI's names, also if they are built in; the scheduling states spot."""
    job = document("vertex", spot(catalog, "gcp", "a3-megagpu-8g"), catalog)
    pools = job["workerPoolSpecs"]

    assert [pool["replicaCount"] for pool in pools] == [1, 2]
    assert pools[0]["machineSpec"] == {
        "machineType": "a3-megagpu-8g",
        "acceleratorType": "NVIDIA_H100_MEGA_80GB",
        "acceleratorCount": 8,
    }
    assert pools[0]["diskSpec"] == {"bootDiskType": "pd-ssd", "bootDiskSizeGb": 300}
    assert job["scheduling"] == {"strategy": "SPOT"}


@pytest.mark.parametrize(
    ("instance_type", "expected"),
    [
        (
            "n1-standard-8+nvidia-tesla-v100x2",
            {"machineType": "n1-standard-8", "acceleratorType": "NVIDIA_TESLA_V100", "acceleratorCount": 2},
        ),
        ("v5litepod-8", {"machineType": "ct5lp-hightpu-8t", "tpuTopology": "2x4"}),
        ("v3-8", {"machineType": "cloud-tpu", "acceleratorType": "TPU_V3", "acceleratorCount": 8}),
        ("tpu7x-standard-4t", {"machineType": "tpu7x-standard-4t", "tpuTopology": "2x2x1"}),
        ("n2-standard-8", {"machineType": "n2-standard-8"}),
    ],
)
def test_vertex_names_machines_its_own_way(instance_type: str, expected: object, catalog: Catalog) -> None:
    """Attached GPUs are separate from the machine; slices of Cloud TPU are machines with a topology."""
    (pool,) = document("vertex", answer(catalog, "gcp", instance_type), catalog)["workerPoolSpecs"]

    assert pool["machineSpec"] == expected


@pytest.mark.parametrize(
    "instance_type",
    [
        "n1-standard-2+nvidia-tesla-t4x1",  # too small a machine
        "n1-standard-32+nvidia-tesla-t4x1",  # one T4 provides for 24 vCPUs
        "n1-standard-64+nvidia-tesla-p100x4",  # more memory than four P100 provide for
        "v5p-8",
        "n2d-standard-8",
    ],
)
def test_vertex_passes_over_what_it_does_not_list(instance_type: str, catalog: Catalog) -> None:
    """Machines that Compute Engine has and custom training lacks are skipped."""
    assert document("vertex", answer(catalog, "gcp", instance_type), catalog) == {}


def test_vertex_has_no_several_hosts_with_tpus(catalog: Catalog) -> None:
    """Several TPU hosts are skipped, because Vertex would join them into one slice with another topology."""
    assert document("vertex", answer(catalog, "gcp", "v6e-8", node_count=3), catalog) == {}


@pytest.mark.parametrize(
    ("instance_type", "disk"), [("n4-standard-8", "hyperdisk-balanced"), ("n2-standard-8", "pd-ssd")]
)
def test_vertex_boots_from_a_disk_that_the_machine_takes(instance_type: str, disk: str, catalog: Catalog) -> None:
    """N4 gets no Persistent Disk, because it takes none."""
    (pool,) = document("vertex", answer(catalog, "gcp", instance_type), catalog)["workerPoolSpecs"]

    assert pool["diskSpec"]["bootDiskType"] == disk


@pytest.mark.parametrize(
    ("instance_type", "labels"),
    [
        ("v6e-8", ("ct6e-standard-8t", "tpu-v6e-slice", "2x4")),
        ("ct5lp-hightpu-4t", ("ct5lp-hightpu-4t", "tpu-v5-lite-podslice", "2x2")),
        ("v5p-8", ("ct5p-hightpu-4t", "tpu-v5p-slice", "2x2x1")),
    ],
)
def test_kubernetes_selects_tpus_as_gke_labels_them(
    instance_type: str, labels: tuple[str, str, str], catalog: Catalog
) -> None:
    """A slice is selected by its host's machine type; GKE requires accelerator and topology."""
    selector = pod(answer(catalog, "gcp", instance_type), catalog)["nodeSelector"]

    keys = (
        "node.kubernetes.io/instance-type",
        *(f"cloud.google.com/gke-tpu-{it}" for it in ("accelerator", "topology")),
    )
    assert tuple(selector[key] for key in keys) == labels


def test_azureml_asks_for_instances_and_a_tier(catalog: Catalog) -> None:
    """Spot is a tier of the queue."""
    job = document("azureml", spot(catalog, "azure", "Standard_NC24ads_A100_v4"), catalog)

    assert job["resources"] == {"instance_type": "Standard_NC24ads_A100_v4", "instance_count": 3}
    assert job["queue_settings"] == {"job_tier": "spot"}


def test_dstack_asks_for_the_machine_alone(catalog: Catalog) -> None:
    """The lower bounds are the workload's needs, which the machine meets."""
    task = document("dstack", spot(catalog, "aws", "g5.xlarge"), catalog)

    assert (task["backends"], task["instance_types"]) == (["aws"], ["g5.xlarge"])
    assert task["regions"] == ["us-east-1", "us-west-2"]
    assert (task["nodes"], task["spot_policy"]) == (3, "spot")
    assert task["resources"] == {
        "cpu": {"arch": "x86", "count": "4.."},
        "memory": "12GB..",
        "gpu": {"vendor": "nvidia", "count": 1},
        "disk": "300GB..",
    }


@pytest.mark.parametrize(
    ("cloud", "instance_type", "gpu"),
    [
        ("gcp", "n1-standard-8+nvidia-tesla-v100x2", {"vendor": "nvidia", "name": "V100", "count": 2}),
        ("gcp", "v5litepod-8", {"vendor": "google", "name": "v5litepod-8", "count": 1}),
        ("aws", "m7i.large", 0),
    ],
)
def test_dstack_names_the_gpu_where_it_must(cloud: str, instance_type: str, gpu: object, catalog: Catalog) -> None:
    """Attached GPUs and TPUs are named; a machine without any says so."""
    task = document("dstack", answer(catalog, cloud, instance_type), catalog)

    assert task["resources"]["gpu"] == gpu


@pytest.mark.parametrize(
    ("instance_type", "accelerators"),
    [
        ("a3-megagpu-8g", {"H100-MEGA": 8}),
        ("a3-highgpu-8g", {"H100": 8}),
        ("g4-standard-96", {"RTXPRO6000": 2}),
        ("v5litepod-8", {"tpu-v5litepod-8": 1}),
    ],
)
def test_skypilot_knows_googles_accelerators_by_its_own_names(
    instance_type: str, accelerators: object, catalog: Catalog
) -> None:
    """GPUs are counted, a TPU slice is one; the slice has no instance type."""
    resources = document("skypilot", answer(catalog, "gcp", instance_type), catalog)["resources"]

    assert resources["accelerators"] == accelerators
    assert ("instance_type" in resources) == (not instance_type.startswith("v"))


def test_skypilot_mounts_a_local_disk(catalog: Catalog) -> None:
    """A local disk is part of the machine: no size is requested, and the work finds it."""
    local = replace(SIZING, disk=replace(SIZING.disk, type="nvme"))
    task = document("skypilot", answer(catalog, "aws", "g5.xlarge", sizing=local), catalog)

    assert task["resources"]["disk_size"] == 50
    assert 'mount "$1" /data' in task["setup"]
    assert task["envs"]["DATA_DIR"] == "/data"


def test_dstack_says_that_it_mounts_no_local_disk(catalog: Catalog) -> None:
    """Without a local disk, the data go on a root volume of the same size."""
    local = replace(SIZING, disk=replace(SIZING.disk, type="nvme"))
    given = answer(catalog, "aws", "g5.xlarge", sizing=local)

    assert document("dstack", given, catalog)["resources"]["disk"] == "300GB.."
    assert "# dstack does not mount local NVMe" in str(RECOMMENDATIONS["dstack"].render(given, catalog))


@pytest.mark.parametrize(
    ("cloud", "instance_type", "label", "tolerated"),
    [
        ("aws", "g5.xlarge", {"eks.amazonaws.com/capacityType": "SPOT"}, 1),
        ("gcp", "g2-standard-8", {"cloud.google.com/gke-spot": "true"}, 1),
        ("azure", "Standard_NC24ads_A100_v4", {"kubernetes.azure.com/scalesetpriority": "spot"}, 2),
    ],
)
def test_kubernetes_puts_a_spot_pod_on_spot_nodes(
    cloud: str, instance_type: str, label: dict[str, str], tolerated: int, catalog: Catalog
) -> None:
    """A spot pod has the provider's own label and tolerates its taint; one on demand has neither."""
    placed = pod(spot(catalog, cloud, instance_type), catalog)
    on_demand = pod(answer(catalog, cloud, instance_type), catalog)

    assert label.items() <= placed["nodeSelector"].items()
    assert len(placed["tolerations"]) == tolerated
    assert not label.keys() & on_demand["nodeSelector"].keys()


def test_kubernetes_selects_by_no_name_that_is_no_label(catalog: Catalog) -> None:
    """The free name of an own machine is no label; its GPU is still requested."""
    own = replace(RECOMMENDATION, cloud="own", region="own", instance_type="Anna's $(box)", label="Anna's $(box)")
    placement = pod(replace(ANSWER, recommendations=(own,)), catalog)

    assert placement["nodeSelector"] == {}
    assert placement["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": 1}


def test_a_machine_type_is_what_the_provider_takes(catalog: Catalog) -> None:
    """Attached GPUs and the size of a flexible shape are not part of a machine type."""
    flexible = answer(catalog, "oci", "VM.Standard.A1.Flex$_16ocpu_64gb")

    assert document("tfvars", flexible, catalog)["machine_type"] == "VM.Standard.A1.Flex"


def test_the_name_of_ones_own_machine_is_left_whole(catalog: Catalog) -> None:
    """The name of a user's own machine stays whole, even if it contains a suffix that the catalog adds to names."""
    own = replace(RECOMMENDATION, cloud="own", region="own", instance_type="rack+a100", label="rack+a100")

    assert document("tfvars", replace(ANSWER, recommendations=(own,)), catalog)["machine_type"] == "rack+a100"


def test_a_share_of_a_gpu_is_nothing_that_launchers_count(catalog: Catalog) -> None:
    """SkyPilot, dstack and Karpenter skip shares of a GPU, because they rent only whole ones."""
    share = replace(RECOMMENDATION, instance_type="g6f.large", accelerator=AcceleratorChoice("L4", 0.125, 3.0))
    answers = replace(ANSWER, recommendations=(share,))

    assert [document(name, answers, catalog) for name in ("skypilot", "dstack", "karpenter")] == [{}, {}, {}]


def test_vertex_is_json(catalog: Catalog) -> None:
    """The document is in the form of its REST interface."""
    text = RECOMMENDATIONS["vertex"].render(answer(catalog, "gcp", "g2-standard-8"), catalog)

    assert json.loads(text)["workerPoolSpecs"][0]["machineSpec"]["acceleratorType"] == "NVIDIA_L4"
