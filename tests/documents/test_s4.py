"""S4: the answers of 2021 to "I need ..., so I use ...", asked of the AWS families of that date."""

from __future__ import annotations

import pytest
from tests.documents.asking import (
    CLASSIFYING,
    IMAGENET,
    cites,
    estimate,
    families,
    instance_type,
    names,
    notes,
    recommend,
    throughput,
)

FAMILIES = ("p2", "p3", "p3dn", "p4d", "g3", "g3s", "g4dn", "inf1")
GPU_FAMILIES = FAMILIES[:-1]
# Where the document names the second best, the question leaves out what it calls too much for that need.
WITHOUT_P4 = tuple(family for family in FAMILIES if family != "p4d")
PROTOTYPE = IMAGENET | {"dataset": {"name": "cifar-10"}, "epochs": 5}
BERT = {"task": "training", "model": "bert-large", "precision": "mixed", "sequence_length": 512, "epochs": 3}
SCIENCE = {"task": "hpc", "precision": "fp64", "flops": 1e18}
SIZES = {4: "g4dn.xlarge", 8: "g4dn.2xlarge", 16: "g4dn.4xlarge", 32: "g4dn.8xlarge", 64: "g4dn.16xlarge"}

NOT_A_CASE: dict[str, str] = {}


@pytest.mark.parametrize("workload", [IMAGENET, BERT])
def test_s4_01_highest_performing(workload: dict[str, object]) -> None:
    """The fastest instance is p4d.24xlarge."""
    assert "p4d.24xlarge" == names(recommend(workload, FAMILIES, "time", max_nodes=1))[0]


def test_s4_02_high_performance_with_more_memory() -> None:
    """Without P4, more than 16 GB a GPU is p3dn.24xlarge."""
    asked = recommend(BERT, WITHOUT_P4, "balanced", max_nodes=1, min_accelerator_memory_gib=17)

    assert ["p3dn.24xlarge"] == names(asked)


def test_s4_02_high_performance_on_two_nodes() -> None:
    """Without P4, two nodes are fastest as p3dn.24xlarge, for about the cost of two p3.16xlarge at the same work."""
    found = recommend(IMAGENET, WITHOUT_P4, "time", max_nodes=2)["recommendations"]
    pairs = {one["instance_type"]: one for one in found if one["node_count"] == 2}

    assert ("p3dn.24xlarge", 2) == (found[0]["instance_type"], found[0]["node_count"])
    costs = [pairs[name]["estimate"]["cost_usd"]["value"] for name in ("p3dn.24xlarge", "p3.16xlarge")]
    assert costs[0] < 1.1 * costs[1]


@pytest.mark.parametrize("workload", [IMAGENET, BERT])
def test_s4_03_best_single_gpu_training(workload: dict[str, object]) -> None:
    """One GPU trains fastest on p3.2xlarge."""
    asked = recommend(workload, FAMILIES, "time", max_accelerators=1, max_nodes=1)

    assert "p3.2xlarge" == names(asked)[0]


@pytest.mark.parametrize("objective", ["cost", "balanced", "performance_per_cost"])
@pytest.mark.parametrize(("vcpus", "name"), SIZES.items())
def test_s4_04_developing_and_prototyping(objective: str, vcpus: int, name: str) -> None:
    """One GPU to try things on is g4dn.xlarge, or its next sizes for more vCPUs and memory."""
    one_gpu = {"max_accelerators": 1, "min_accelerators": 1, "max_nodes": 1, "min_vcpus": vcpus}

    assert name == names(recommend(PROTOTYPE, FAMILIES, objective, **one_gpu))[0]


@pytest.mark.parametrize("objective", ["cost", "performance_per_cost"])
@pytest.mark.parametrize("experiments", [1, 8])
def test_s4_05_several_gpus_on_one_node(objective: str, experiments: int) -> None:
    """Joined by NVLink, and without P4, one run or parallel experiments cost least on p3.8xlarge and p3.16xlarge."""
    runs = IMAGENET | {"experiments": experiments}
    asked = recommend(runs, WITHOUT_P4, objective, interconnect="nvlink", max_nodes=1)

    assert {"p3.8xlarge", "p3.16xlarge"} == set(names(asked)[:2])


@pytest.mark.parametrize("workload", [IMAGENET, BERT | {"epochs": 40}])
def test_s4_06_several_nodes(workload: dict[str, object]) -> None:
    """Distributed training over many nodes is fastest on p4d.24xlarge; three passes of BERT end on one in minutes."""
    best = recommend(workload, FAMILIES, "time", max_nodes=16)["recommendations"][0]

    assert "p4d.24xlarge" == best["instance_type"]
    assert best["node_count"] > 1


@pytest.mark.parametrize("load", [{}, {"requests_per_second": 20}])
def test_s4_07_single_gpu_inference(load: dict[str, object]) -> None:
    """One device that serves is a G4, ported to nothing, even where Inf1 stands beside it."""
    asked = recommend(CLASSIFYING | load, FAMILIES, "balanced", max_accelerators=1)

    assert "g4dn.xlarge" == names(asked)[0]


@pytest.mark.parametrize(("vcpus", "name"), SIZES.items())
def test_s4_07_size_by_the_work_around_it(vcpus: int, name: str) -> None:
    """More vCPUs for what comes before and after the model take the next sizes of G4."""
    asked = recommend(CLASSIFYING, GPU_FAMILIES, "cost", max_accelerators=1, min_vcpus=vcpus)

    assert name == names(asked)[0]


def test_s4_08_most_gpu_memory() -> None:
    """Above 32 GB a GPU nothing is left but p4d.24xlarge, and a model that needs it finds it."""
    large = {"task": "training", "model": "llama-2-13b", "method": "lora", "tokens": 1e7}

    assert ["p4d.24xlarge"] == names(recommend(large, FAMILIES, max_nodes=1, min_accelerator_memory_gib=33))
    assert "p4d.24xlarge" == names(recommend(large, FAMILIES, max_nodes=1))[0]


def test_s4_09_tensor_cores_for_mixed_precision() -> None:
    """P4, P3 and G4 mix precisions on tensor cores; P2 and G3 run it as FP32 with a warning."""
    found = recommend(IMAGENET, GPU_FAMILIES, "cost", limit=100, max_nodes=1)["recommendations"]
    on_tensor_cores = [one for one in found if cites(one, "mixed-precision", "S4-09")]
    emulated = [one for one in found if "emulated-precision" in notes(one)]

    assert {"p4d", "p3", "p3dn", "g4dn"} == {one["instance_type"].partition(".")[0] for one in on_tensor_cores}
    assert {"p2", "g3", "g3s"} == {one["instance_type"].partition(".")[0] for one in emulated}


@pytest.mark.parametrize("objective", ["cost", "balanced", "performance_per_cost"])
def test_s4_10_fp64(objective: str) -> None:
    """FP64 work takes P4, then P3, then P2; G3 and G4 come after them with a warning."""
    found = recommend(SCIENCE, GPU_FAMILIES, objective, limit=40, min_accelerators=1)
    suited = [one for one in found["recommendations"] if "fp64-devices" in {note["rule"] for note in one["reasons"]}]

    assert ["p4d", "p3", "p3dn", "p2"] == [family for family in families(found) if family.startswith("p")]
    assert {"p4d", "p3", "p3dn", "p2"} == {one["instance_type"].partition(".")[0] for one in suited}
    assert all(cites(one, "fp64-devices", "S4-10") for one in found["recommendations"])


@pytest.mark.parametrize("load", [{}, {"requests_per_second": 100}])
@pytest.mark.parametrize("objective", ["cost", "balanced", "performance_per_cost"])
def test_s4_11_int8_inference(load: dict[str, object], objective: str) -> None:
    """One GPU serves INT8 for least on G4; P2 and G3 lack it."""
    workload = CLASSIFYING | {"precision": "int8"} | load
    asked = recommend(workload, GPU_FAMILIES, objective, max_accelerators=1, min_accelerators=1)

    assert "g4dn" == families(asked)[0]  # of any size: the host decodes the images
    assert not {"p2", "g3", "g3s"} & set(families(asked))


def test_s4_12_fp16_inference() -> None:
    """P4, P3 and G4 compute FP16; on P2 and G3 it is FP32 with a warning."""
    found = recommend(CLASSIFYING | {"precision": "fp16"}, GPU_FAMILIES, "cost", limit=100)["recommendations"]
    native = [one for one in found if one["accelerator"] and "emulated-precision" not in notes(one)]

    assert {"p4d", "p3", "p3dn", "g4dn"} == {one["instance_type"].partition(".")[0] for one in native}
    assert cites(estimate(CLASSIFYING | {"precision": "fp32"}, "g4dn.xlarge"), "reduced-precision-inference", "S4-12")


def test_s4_13_less_than_a_whole_gpu() -> None:
    """Elastic Inference is gone; today a G6f with an eighth of a device serves few requests for less than any GPU."""
    few = CLASSIFYING | {"requests_per_second": 5, "latency_ms": 500}
    share = recommend(few, objective="cost", accelerators=["L4", "T4", "A10G"])["recommendations"][0]

    assert "g6f.large" == share["instance_type"]
    assert (0.125, 3) == (share["accelerator"]["count"], share["accelerator"]["memory_gib"])
    assert cites(share, "fractional-device", "S4-13")
    assert share["price"]["usd_per_hour"] < 0.5 * instance_price("g4dn.xlarge")


def test_s4_13_a_partition_of_a_device() -> None:
    """A partition of a data-center device is described by its fraction, and serves that part of the whole."""
    whole, part = (
        estimate(CLASSIFYING, {"accelerator": "A100-40GB", "count": count, "vcpus": 12, "memory_gib": 64})
        for count in (1, 0.25)
    )

    assert 0.15 < throughput(part) / throughput(whole) < 0.5
    assert cites(part, "fractional-device", "S4-13")


def instance_price(name: str) -> float:
    """The lowest list price of an AWS type, on demand, outside restricted regions."""
    price: float = estimate(CLASSIFYING, name)["price"]["usd_per_hour"]
    return price


@pytest.mark.parametrize("name", ["p4d.24xlarge", "p3.2xlarge", "p2.xlarge", "g3s.xlarge", "g4dn.xlarge"])
def test_s4_14_vendor_image(name: str) -> None:
    """On any GPU instance the advice is AWS's Deep Learning AMI or Container."""
    found = estimate(IMAGENET, name)

    assert cites(found, "vendor-image", "S4-14")
    assert "AWS Deep Learning AMI or Container" in notes(found)["vendor-image"]["text"]


def test_s4_15_save_money_by_spot() -> None:
    """Allowed spot is the cheapest, and the managed service with spot capacity is named."""
    asked = recommend(IMAGENET, ("p3dn", "p4d", "g4dn"), "cost", purchase=["on_demand", "spot"], max_nodes=1)
    best = asked["recommendations"][0]

    assert "spot" == best["purchase"]
    assert cites(best, "managed-training", "S4-15")
    assert "managed spot" in notes(best)["managed-training"]["text"]


def test_s4_15_save_money_by_a_share() -> None:
    """A share of a GPU costs less than the whole GPU for work that needs less than a whole one."""
    few = CLASSIFYING | {"requests_per_second": 5}
    asked = recommend(few, objective="cost", instance_families=["g6", "g6f"])

    assert "g6f" == families(asked)[0]
    assert cites(asked["recommendations"][0], "fractional-device", "S4-15")


def test_s4_16_inference_at_very_large_scale() -> None:
    """Twenty thousand requests a second cost least on Inf1."""
    asked = recommend(CLASSIFYING | {"requests_per_second": 20_000}, FAMILIES, "cost", max_nodes=100)

    assert "inf1" == families(asked)[0]


def test_s4_16_inference_at_small_scale() -> None:
    """Twenty a second are served by G4: what porting takes is not worth the difference in price."""
    asked = recommend(CLASSIFYING | {"requests_per_second": 20}, FAMILIES, "balanced")

    assert "g4dn.xlarge" == names(asked)[0]
    assert cites(asked["recommendations"][0], "objective-balanced", "S4-16")


def test_s4_17_graphics() -> None:
    """G4ad, with AMD's graphics devices, is in the catalog; this service sizes computation, for which it is refused."""
    device = instance_type("g4ad.xlarge")["accelerator"]["name"]
    refused = estimate(IMAGENET, "g4ad.xlarge")

    assert "V520" == device
    assert not refused["fits"]
    short = [(one["resource"], one["available"]) for one in refused["short"]]
    assert [("software", "PyTorch does not run on V520")] == short
    assert "software-runs-on" in {reason["rule"] for reason in refused["why_not"]}
    assert [] == names(recommend(IMAGENET, ("g4ad",)))


@pytest.mark.parametrize(
    ("family", "others"),
    [("p3", {"p3dn.24xlarge"}), ("g4dn", {"g4ad.xlarge"}), ("g5", {"g5g.xlarge"}), ("g3", {"g3s.xlarge"})],
)
def test_s4_18_a_family_is_its_whole_name(family: str, others: set[str]) -> None:
    """Letter, generation and attributes together name a family: asked for `p3` the answer holds no `p3dn`."""
    asked = set(names(recommend(CLASSIFYING, (family,), limit=100)))

    assert {family} == {name.partition(".")[0] for name in asked}
    assert not others & asked


def test_s4_18_attributes() -> None:
    """`d` is a local disk and `n` more network: p3dn has both, p3 neither; and the refusal cites the rule of names."""
    plain, attributed = instance_type("p3.16xlarge"), instance_type("p3dn.24xlarge")
    refused = estimate(CLASSIFYING, "p3dn.24xlarge", {"instance_families": ["p3"], "retired": True})

    assert (0, 1800) == (plain["local_disk_gb"], attributed["local_disk_gb"])
    assert attributed["network_gbps"] > plain["network_gbps"]
    assert "family-names" in {reason["rule"] for reason in refused["why_not"]}
