"""S1: choosing a GPU instance on AWS as of 2022, each fact asked under the document's conditions."""

from __future__ import annotations

import pytest
from tests.documents.asking import (
    CLASSIFYING,
    IMAGENET,
    accelerator,
    cites,
    estimate,
    families,
    get,
    instance_type,
    names,
    notes,
    precisions,
    recommend,
    throughput,
)

# The GPU families of the document's date. Arm's G5g is asked for by its architecture (S1-06), not by price.
FAMILIES = ("p2", "p3", "p3dn", "p4d", "g3", "g3s", "g4dn", "g5", "g5g")
X86 = {"architectures": ["x86_64"]}
ONE_DEVICE = {"max_accelerators": 1, "max_nodes": 1}
WITH_TENSOR_CORES = {"fp32", "fp16", "int8"}
JPEG = IMAGENET | {"dataset": {"name": "imagenet-1k", "format": "jpeg"}}
BERT = {"task": "training", "model": "bert-large", "precision": "mixed", "sequence_length": 512, "epochs": 3}

NOT_A_CASE: dict[str, str] = {}


def without(*left_out: str) -> tuple[str, ...]:
    """The families of that date except these."""
    return tuple(family for family in FAMILIES if family not in left_out)


def shape(name: str) -> tuple[float, float, str, float, float, str | None]:
    """vCPUs, memory, device, number of devices, memory of one, and their connection."""
    one = instance_type(name)
    device = one["accelerator"]
    return (one["vcpus"], one["memory_gib"], device["name"], device["count"], device["memory_gib"], one["interconnect"])


def test_s1_01_the_whole_instance_is_chosen() -> None:
    """Too few processors to decode the data slow the device down, and the answer says so."""
    fast = {**JPEG, "model": "resnet18"}
    small, large = (estimate(fast, name) for name in ("g5.xlarge", "g5.4xlarge"))

    assert throughput(large) > 1.1 * throughput(small)
    assert "input_pipeline" == small["estimate"]["bottleneck"]
    assert cites(small, "input-pipeline", "S1-01")
    assert cites(small, "few-vcpus", "S1-01")


@pytest.mark.parametrize(
    ("family", "device", "least"), [("p2", "K80", 1 / 3), ("p3", "V100", 0.49), ("p4d", "A100", 0.49)]
)
def test_s1_02_p_families_have_fp64(family: str, device: str, least: float) -> None:
    """P families compute FP64 at a third or half the rate of FP32."""
    found = accelerator({"V100": "V100-16GB", "A100": "A100-40GB"}.get(device, device))

    assert least - 0.01 <= found["precisions"]["fp64"] / found["precisions"]["fp32"]
    assert found["power_w"] >= 150


@pytest.mark.parametrize("device", ["M60", "T4", "A10G"])
def test_s1_02_g_families_have_weak_fp64(device: str) -> None:
    """G families compute FP64 at a 32nd of the rate of FP32 or less."""
    peaks = accelerator(device)["precisions"]

    assert peaks["fp64"] / peaks["fp32"] < 1 / 30


def test_s1_02_the_larger_digit_is_newer() -> None:
    """Within a letter the devices' years grow with the generation."""
    letters = (("K80", "V100-16GB", "A100-40GB"), ("K520", "M60", "T4", "A10G"))

    for devices in letters:
        years = [accelerator(name)["year"] for name in devices]
        assert sorted(years) == years
        assert len(set(years)) == len(years)


def test_s1_03_fastest_several_gpus() -> None:
    """Large models, data sets and distributed training: p4d.24xlarge."""
    assert "p4d.24xlarge" == names(recommend(IMAGENET, FAMILIES, "time", max_nodes=1))[0]
    assert "p4d.24xlarge" == names(recommend(BERT, FAMILIES, "time", max_nodes=4))[0]


def test_s1_03_fastest_single_gpu() -> None:
    """p3.2xlarge, before any G instance."""
    assert ["p3", "g5"] == families(recommend(IMAGENET, FAMILIES, "time", **ONE_DEVICE))[:2]
    assert "p3.2xlarge" == names(recommend(IMAGENET, FAMILIES, "time", **ONE_DEVICE))[0]


@pytest.mark.parametrize("objective", ["performance_per_cost", "cost", "balanced"])
def test_s1_03_best_performance_per_cost_single_gpu(objective: str) -> None:
    """g5.xlarge where G4 is left out, and the next sizes up for more vCPUs and memory."""
    sizes = {4: "g5.xlarge", 8: "g5.2xlarge", 16: "g5.4xlarge", 32: "g5.8xlarge", 64: "g5.16xlarge"}

    for vcpus, name in sizes.items():
        asked = {**ONE_DEVICE, **X86, "min_vcpus": vcpus}
        assert name == names(recommend(IMAGENET, without("g4dn"), objective, **asked))[0]


@pytest.mark.parametrize("objective", ["performance_per_cost", "cost"])
def test_s1_03_best_performance_per_cost_several_gpus(objective: str) -> None:
    """p3.8xlarge and p3.16xlarge, of machines with NVLink other than P4."""
    asked = recommend(IMAGENET, without("p4d"), objective, interconnect="nvlink", max_nodes=1)

    assert ["p3.8xlarge", "p3.16xlarge"] == names(asked)[:2]


def test_s1_03_moderate_price_and_inference() -> None:
    """A steady load costs least on g4dn.xlarge."""
    steady = CLASSIFYING | {"requests_per_second": 50}

    assert "g4dn.xlarge" == names(recommend(steady, FAMILIES, "cost", max_accelerators=1, **X86))[0]


def test_s1_03_moderate_price_with_more_processors() -> None:
    """The next sizes of G4 give more vCPUs, where G3 (not for ML) and G5 (cheaper at 16xlarge) are left out."""
    steady = CLASSIFYING | {"requests_per_second": 50}
    sizes = {8: "g4dn.2xlarge", 16: "g4dn.4xlarge", 32: "g4dn.8xlarge", 64: "g4dn.16xlarge"}

    for vcpus, name in sizes.items():
        asked = {"max_accelerators": 1, **X86, "min_vcpus": vcpus}
        assert name == names(recommend(steady, without("g3", "g3s", "g5"), "cost", **asked))[0]


def test_s1_04_p4() -> None:
    """8 A100 of 40 GB, joined by NVLink 3, with every precision; 96 vCPUs, 1,152 GB, 400 Gbit/s."""
    device = accelerator("A100-40GB")

    assert (96, 1152, "A100-40GB", 8, 40, "nvlink") == shape("p4d.24xlarge")
    assert 400 == instance_type("p4d.24xlarge")["network_gbps"]
    assert ("Ampere", "NVLink3") == (device["generation"], device["interconnect"])
    assert WITH_TENSOR_CORES | {"fp64", "bf16", "tf32"} <= precisions("A100-40GB")


def test_s1_05_g5() -> None:
    """A10G of 24 GB with every precision; its larger sizes have no NVLink and are not for one distributed run."""
    together = estimate(IMAGENET, "g5.48xlarge", {"interconnect": "nvlink"})

    assert ("Ampere", 24) == (accelerator("A10G")["generation"], accelerator("A10G")["memory_gib"])
    assert WITH_TENSOR_CORES | {"fp64", "bf16", "tf32"} <= precisions("A10G")
    assert {"pcie"} == {instance_type(f"g5.{size}xlarge")["interconnect"] for size in (12, 24, 48)}
    assert cites(together, "no-nvlink", "S1-05")
    assert "nvlink-asked" in {reason["rule"] for reason in together["why_not"]}


def test_s1_05_several_models_on_g5() -> None:
    """A model each on its GPU for inference needs no link: four GPUs serve four times what one does."""
    one, four = (throughput(estimate(CLASSIFYING, name)) for name in ("g5.4xlarge", "g5.12xlarge"))

    assert 4 == pytest.approx(four / one, rel=0.05)
    assert "no-nvlink" not in notes(estimate(CLASSIFYING, "g5.12xlarge"))


def test_s1_06_g5g() -> None:
    """T4G beside an Arm processor does what T4 does; which of them is the choice of an architecture."""
    arm, x86 = estimate(IMAGENET, "g5g.2xlarge"), estimate(IMAGENET, "g4dn.2xlarge")
    one = instance_type("g5g.2xlarge")

    assert ("arm64", "AWS Graviton2", "T4G") == (one["architecture"], one["cpu"], one["accelerator"]["name"])
    assert ("Turing", 16) == (accelerator("T4G")["generation"], accelerator("T4G")["memory_gib"])
    assert WITH_TENSOR_CORES <= precisions("T4G")
    assert not {"bf16", "tf32"} & precisions("T4G")
    assert throughput(x86) == pytest.approx(throughput(arm), rel=0.02)
    assert cites(arm, "arm-software", "S1-06")
    assert "arm-software" not in notes(x86)


@pytest.mark.parametrize(("architecture", "family"), [("arm64", "g5g"), ("x86_64", "g4dn")])
def test_s1_06_the_architecture_decides(architecture: str, family: str) -> None:
    """Of G4 and G5g the asked processor architecture takes one."""
    asked = recommend(CLASSIFYING, ("g4dn", "g5g"), architectures=[architecture])

    assert [family] == families(asked)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p3.2xlarge", (8, 61, "V100-16GB", 1, 16, None)),
        ("p3.8xlarge", (32, 244, "V100-16GB", 4, 16, "nvlink")),
        ("p3.16xlarge", (64, 488, "V100-16GB", 8, 16, "nvlink")),
        ("p3dn.24xlarge", (96, 768, "V100-32GB", 8, 32, "nvlink")),
    ],
)
def test_s1_07_p3(name: str, expected: tuple[object, ...]) -> None:
    """V100 of 16 GB, of 32 GB in p3dn, joined by NVLink 2, in the document's sizes."""
    assert expected == shape(name)
    assert ("Volta", "NVLink2") == tuple(accelerator(str(expected[2]))[key] for key in ("generation", "interconnect"))


def test_s1_07_p3_network() -> None:
    """Up to 10 Gbit/s on p3.2xlarge, 100 on p3dn.24xlarge."""
    assert [10, 100] == [instance_type(name)["network_gbps"] for name in ("p3.2xlarge", "p3dn.24xlarge")]


@pytest.mark.parametrize("precision", ["tf32", "bf16"])
def test_s1_07_p3_lacks_tf32_and_bf16(precision: str) -> None:
    """Precisions that V100 lacks run through FP32, at its speed, with a warning."""
    lacking, plain = (estimate(IMAGENET | {"precision": name}, "p3.2xlarge") for name in (precision, "fp32"))

    assert {"fp64", "fp32", "fp16"} <= precisions("V100-16GB")
    assert precision not in precisions("V100-16GB")
    assert cites(lacking, "emulated-precision", "S1-07")
    assert throughput(plain) == pytest.approx(throughput(lacking), rel=0.15)


def test_s1_08_more_than_16_gb() -> None:
    """More than 16 GB on one GPU leaves p3dn.24xlarge and p4d.24xlarge (and, since, G5) of the training families."""
    asked = recommend(IMAGENET, without("g5"), min_accelerator_memory_gib=17, max_nodes=1)

    assert {"p3dn.24xlarge", "p4d.24xlarge"} == set(names(asked))


def test_s1_09_parallel_experiments_need_no_nvlink() -> None:
    """Eight independent runs take a GPU each of p3.16xlarge, and lose nothing on machines without NVLink."""
    runs = IMAGENET | {"experiments": 8}
    linked, apart = estimate(runs, "p3.16xlarge"), estimate(runs, "g4dn.metal")

    for several, single in ((linked, "p3.2xlarge"), (apart, "g4dn.2xlarge")):
        assert 8 == pytest.approx(throughput(several) / throughput(estimate(IMAGENET, single)), rel=0.03)
        assert cites(several, "independent-runs", "S1-09")
        assert "no-nvlink" not in notes(several)


def test_s1_09_one_distributed_run_needs_it() -> None:
    """One run over the same eight GPUs without NVLink is warned of, with NVLink not."""
    assert "no-nvlink" in notes(estimate(IMAGENET, "g4dn.metal"))
    assert "no-nvlink" not in notes(estimate(IMAGENET, "p3.16xlarge"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("g4dn.xlarge", (4, 16, "T4", 1, 16, None)),
        ("g4dn.2xlarge", (8, 32, "T4", 1, 16, None)),
        ("g4dn.4xlarge", (16, 64, "T4", 1, 16, None)),
        ("g4dn.8xlarge", (32, 128, "T4", 1, 16, None)),
        ("g4dn.16xlarge", (64, 256, "T4", 1, 16, None)),
        ("g4dn.12xlarge", (48, 192, "T4", 4, 16, "pcie")),
        ("g4dn.metal", (96, 384, "T4", 8, 16, "pcie")),
    ],
)
def test_s1_10_g4(name: str, expected: tuple[object, ...]) -> None:
    """T4 of 16 GB, several of them over PCIe alone, in the document's sizes."""
    assert expected == shape(name)


def test_s1_10_t4_has_the_lowest_power() -> None:
    """70 W against 300 W of A10G and 400 W of A100, with INT8 and INT4 (of INT1 the catalog has no figure)."""
    assert [70, 300, 400] == [accelerator(name)["power_w"] for name in ("T4", "A10G", "A100-40GB")]
    assert WITH_TENSOR_CORES | {"fp64", "int4"} <= precisions("T4")
    assert "Turing" == accelerator("T4")["generation"]


@pytest.mark.parametrize("objective", ["performance_per_cost", "cost", "balanced"])
def test_s1_10_best_inference_performance_per_cost(objective: str) -> None:
    """Of single GPUs G4 serves most for the money."""
    asked = recommend(CLASSIFYING, without("g5", "g5g"), objective, max_accelerators=1, min_accelerators=1)

    assert "g4dn.xlarge" == names(asked)[0]


def test_s1_10_several_gpus_train_on_p3() -> None:
    """One run over several GPUs: G4's are warned of, and asked for NVLink the answer is P3."""
    asked = recommend(IMAGENET, ("p3", "g4dn"), interconnect="nvlink", max_nodes=1)

    assert cites(estimate(IMAGENET, "g4dn.12xlarge"), "no-nvlink", "S1-10")
    assert ["p3"] == families(asked)


@pytest.mark.parametrize("precision", ["fp16", "int8"])
def test_s1_11_inference_rarely_needs_fp32(precision: str) -> None:
    """FP16 and INT8 raise the throughput of inference; an answer at FP32 advises them."""
    full, fewer = (estimate(CLASSIFYING | {"precision": name}, "g4dn.xlarge") for name in ("fp32", precision))

    assert throughput(fewer) > 1.5 * throughput(full)
    assert cites(full, "reduced-precision-inference", "S1-11")
    assert precision.upper() in notes(full)["reduced-precision-inference"]["text"]


def test_s1_11_a_loss_of_accuracy_is_never_chosen_for_the_user() -> None:
    """Without a stated precision, the service chooses one without loss of accuracy."""
    found = recommend(CLASSIFYING, FAMILIES)["workload"]["precision"]

    assert found not in ("int8", "fp8", "int4", "fp4")


@pytest.mark.parametrize(("name", "count"), [("p2.xlarge", 1), ("p2.8xlarge", 8), ("p2.16xlarge", 16)])
def test_s1_12_p2(name: str, count: int) -> None:
    """A K80 board is two GPUs of 12 GB over PCIe, and P2 has 1, 8 or 16 of them."""
    one = instance_type(name)

    assert {"name": "K80", "count": count, "memory_gib": 12} == one["accelerator"]
    assert one["interconnect"] == ("pcie" if count > 1 else None)
    assert {"fp64", "fp32"} == precisions("K80") - {"fp64_tensor"}
    assert "Kepler" == accelerator("K80")["generation"]


def test_s1_12_p2_is_not_for_ml_any_more() -> None:
    """It is retired, recommended only where asked for, warned of in learning, and of use where FP64 is needed."""
    learning = estimate(IMAGENET, "p2.xlarge")
    science = estimate({"task": "hpc", "precision": "fp64", "flops": 1e17}, "p2.xlarge")

    assert instance_type("p2.xlarge")["retired"]
    assert cites(learning, "superseded-for-learning", "S1-12")
    assert "retired-types" in {reason["rule"] for reason in learning["why_not"]}
    assert "superseded-for-learning" not in notes(science)
    assert "p2" not in families(recommend(IMAGENET, limit=100))


@pytest.mark.parametrize(
    ("name", "count"), [("g3s.xlarge", 1), ("g3.4xlarge", 1), ("g3.8xlarge", 2), ("g3.16xlarge", 4)]
)
def test_s1_13_g3(name: str, count: int) -> None:
    """M60 of 8 GB over PCIe: one on g3s.xlarge and on g3.4xlarge, two and four on the larger ones."""
    assert {"name": "M60", "count": count, "memory_gib": 8} == instance_type(name)["accelerator"]
    assert instance_type(name)["retired"]
    assert not {"fp16", "tf32", "bf16", "int8"} & precisions("M60")
    assert "Maxwell" == accelerator("M60")["generation"]
    assert cites(estimate(IMAGENET, name), "superseded-for-learning", "S1-13")


def test_s1_14_order_of_choice_for_training() -> None:
    """P3 before G4 before P2 before G3, whose memory is too small unless activations are computed again."""
    needs_more_than_8_gb = IMAGENET | {"precision": "fp32", "batch_size": 80}
    candidates = ("p2", "p3", "g3", "g3s", "g4dn")
    asked = recommend(needs_more_than_8_gb, candidates, "time", **ONE_DEVICE)
    stored = needs_more_than_8_gb | {"activation_recomputation": "none"}
    kept = recommend(stored, candidates, "time", **ONE_DEVICE)

    order = [family.removesuffix("s") for family in families(asked)]  # g3 has the same device as g3s
    assert ["p3", "g4dn", "p2", "g3"] == order
    assert ["p3", "g4dn", "p2"] == families(kept)
    assert kept["rejected"]["accelerator_memory"] >= 1
    assert cites(estimate(IMAGENET, "p2.xlarge"), "superseded-for-learning", "S1-14")


@pytest.mark.parametrize("model", ["xgboost", "random-forest", "logistic-regression"])
def test_s1_15_classical_learning_on_processors(model: str) -> None:
    """CPU instances are the answer to classical learning."""
    found = recommend({"task": "training", "model": model})["recommendations"][0]

    assert found["accelerator"] is None


def test_s1_15_processors_serve_and_prototype() -> None:
    """CPU instances serve a trickle of requests for less than any GPU."""
    found = recommend(CLASSIFYING | {"requests_per_second": 2}, objective="cost")["recommendations"][0]

    assert found["accelerator"] is None


def test_s1_15_dl1_is_listed_and_not_estimated() -> None:
    """DL1 has 8 Gaudi; no peak rate of that chip was published, so it has no estimate, and the answer says so."""
    found = estimate(IMAGENET, "dl1.24xlarge")

    assert ("Gaudi", 8) == tuple(instance_type("dl1.24xlarge")["accelerator"][key] for key in ("name", "count"))
    assert not found["fits"]
    assert ["specification"] == [one["resource"] for one in found["short"]]
    assert "known-specification-only" in {reason["rule"] for reason in found["why_not"]}


def test_s1_15_trn1_in_place_of_p3dn_and_p4d() -> None:
    """Trn1 has up to 16 Trainium chips and trains for less than P3dn."""
    asked = recommend(BERT, ("trn1", "p3dn", "p4d"), "cost", max_nodes=1)

    assert ("Trainium1", 16) == tuple(instance_type("trn1.32xlarge")["accelerator"][key] for key in ("name", "count"))
    assert {"p4d", "trn1"} == set(families(asked)[:2])
    assert "p3dn" == families(asked)[-1]


@pytest.mark.parametrize(
    ("name", "device", "count", "workload"),
    [
        ("trn2.48xlarge", "Trainium2", 16, IMAGENET),
        ("trn2.48xlarge", "Trainium2", 16, BERT),
        ("inf2.48xlarge", "Inferentia2", 12, CLASSIFYING),
    ],
)
def test_s1_15_their_successors(name: str, device: str, count: int, workload: dict[str, object]) -> None:
    """Trn2 and Inf2 do the same work with newer chips."""
    found = instance_type(name)["accelerator"]

    assert (device, count) == (found["name"], found["count"])
    assert estimate(workload, name)["fits"]


def test_s1_15_inf1_serves_and_does_not_train() -> None:
    """Inf1 has up to 16 Inferentia chips for inference, and training on it is refused."""
    assert ("Inferentia", 16) == tuple(instance_type("inf1.24xlarge")["accelerator"][key] for key in ("name", "count"))
    assert estimate(CLASSIFYING, "inf1.24xlarge")["fits"]
    refused = estimate(IMAGENET, "inf1.24xlarge")
    assert not refused["fits"]
    assert "software-runs-on" in {reason["rule"] for reason in refused["why_not"]}


def test_s1_16_spot() -> None:
    """Spot is cheaper by up to nine tenths, takes longer by its interruptions, and asks for checkpoints."""
    asked = recommend(IMAGENET, ("g4dn", "p3"), "cost", group="none", purchase=["on_demand", "spot"], max_nodes=1)
    by_purchase = {(one["instance_type"], one["purchase"]): one for one in asked["recommendations"]}
    spot, on_demand = by_purchase["g4dn.xlarge", "spot"], by_purchase["g4dn.xlarge", "on_demand"]

    assert 0.1 <= spot["price"]["usd_per_hour"] / on_demand["price"]["usd_per_hour"] < 0.8
    assert spot["estimate"]["time_hours"]["value"] > on_demand["estimate"]["time_hours"]["value"]
    assert spot["estimate"]["spot"]["checkpoint_interval_minutes"] > 0
    assert cites(spot, "spot-checkpoints", "S1-16")


def test_s1_17_managed_training() -> None:
    """Training on AWS is told of SageMaker, which bills the run alone; no figure is given where no price is known."""
    found = recommend(IMAGENET, ("p3",))["recommendations"][0]
    note = notes(found)["managed-training"]

    assert cites(found, "managed-training", "S1-17")
    assert "SageMaker" in note["text"]
    assert "managed spot" in note["text"]
    assert "no price" in note["text"]
    assert "managed-training" not in notes(recommend(CLASSIFYING, ("g4dn",))["recommendations"][0])


@pytest.mark.parametrize("name", ["p3.2xlarge", "g4dn.xlarge", "g5.xlarge", "p4d.24xlarge"])
def test_s1_18_mixed_precision_uses_tensor_cores(name: str) -> None:
    """Training at FP32 is advised to mix precisions on P3, G4, G5 and P4, and is faster so."""
    full, mixed = (estimate(IMAGENET | {"precision": precision}, name) for precision in ("fp32", "mixed"))

    assert throughput(mixed) > 1.3 * throughput(full)
    assert cites(full, "mixed-precision", "S1-18")


@pytest.mark.parametrize("name", ["g4dn.xlarge", "g5.xlarge"])
def test_s1_18_int8_inference(name: str) -> None:
    """Inference on G4 and G5 is advised to use INT8."""
    note = notes(estimate(CLASSIFYING | {"precision": "fp16"}, name))["reduced-precision-inference"]

    assert "S1-18" in note["source"]
    assert "INT8" in note["text"]


@pytest.mark.parametrize(
    ("cloud", "name", "image"),
    [
        ("aws", "g5.xlarge", "AWS Deep Learning AMI or Container"),
        ("gcp", "g2-standard-4", "Google Deep Learning VM Image"),
        ("azure", "Standard_NC4as_T4_v3", "Azure Machine Learning"),
        ("alibaba", "ecs.gn6i-c4g1.xlarge", "Platform for AI"),
    ],
)
@pytest.mark.parametrize("workload", [IMAGENET, CLASSIFYING])
def test_s1_19_vendor_images(workload: dict[str, object], cloud: str, name: str, image: str) -> None:
    """A bare installation is told of the image that its cloud tunes; who uses tuned software is not."""
    found = estimate(workload, {"cloud": cloud, "instance_type": name})

    assert cites(found, "vendor-image", "S1-19")
    assert image in notes(found)["vendor-image"]["text"]
    assert "vendor-image" not in notes(
        estimate(workload | {"tuning": "tuned"}, {"cloud": cloud, "instance_type": name})
    )


def test_s1_20_fp64_for_science() -> None:
    """FP64 work goes to A100, V100 and K80, in that order, before any G instance; those are warned of."""
    science = {"task": "hpc", "precision": "fp64", "flops": 1e18}
    asked = recommend(science, without("g5g"), "cost", limit=40, min_accelerators=1)
    found = asked["recommendations"]

    assert ["p4d", "p3", "p3dn", "p2"] == families(asked)[:4]
    assert all(cites(one, "fp64-devices", "S1-20") for one in found)
    warned = {one["instance_type"][0] for one in found if "fp64-devices" in [note["rule"] for note in one["warnings"]]}
    assert {"g"} == warned


def test_s1_21_one_table_of_instances_and_features() -> None:
    """The GPU instances of AWS with memory, precisions, processor vendor and interconnect, in two collections."""
    listed = get(f"/v1/instance-types?cloud=aws&limit=1000&family={','.join(FAMILIES)}")["items"]
    devices = {one["name"] for one in get("/v1/accelerators?limit=1000")["items"]}
    columns = {
        "vcpus",
        "memory_gib",
        "architecture",
        "cpu",
        "cpu_vendor",
        "accelerator",
        "interconnect",
        "network_gbps",
    }

    assert set(FAMILIES) == {one["family"] for one in listed}
    assert all(columns <= set(one) and one["cpu_vendor"] for one in listed)
    assert {one["accelerator"]["name"] for one in listed} <= devices
    assert {"p3": "Intel", "g5": "AMD", "g5g": "AWS"}.items() <= {
        one["family"]: one["cpu_vendor"] for one in listed
    }.items()
    assert all(
        "pcie" == one["interconnect"] for one in listed if one["family"] == "g5" and one["accelerator"]["count"] > 1
    )


def test_s1_22_pcie_is_markedly_slower_than_nvlink() -> None:
    """Four devices that exchange gradients over PCIe lose clearly more of their speed than four with NVLink."""

    def kept(device: str) -> float:
        one, four = (
            throughput(estimate(BERT, {"accelerator": device, "count": count, "vcpus": 32, "memory_gib": 244}))
            for count in (1, 4)
        )
        return four / (4 * one)

    assert kept("V100-PCIe") < 0.9 * kept("V100-16GB")
    pcie = estimate(BERT, {"accelerator": "V100-PCIe", "count": 4, "vcpus": 32, "memory_gib": 244})
    assert cites(pcie, "no-nvlink", "S1-22")
