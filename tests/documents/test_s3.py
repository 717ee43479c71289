"""S3: CPU, memory and disk of a GPU instance by phase of the work, measured on Alibaba Cloud's P100 machines (2017)."""

from __future__ import annotations

import re

import pytest
from tests.documents.asking import Json, get, post

from plimsoll_service.engine.units import GIB

P100 = {"cloud": "alibaba", "instance_type": "ecs.gn5-c4g1.xlarge"}  # 4 vCPUs, 30 GiB, one device
BARE_P100 = {"accelerator": "P100", "count": 1, "vcpus": 16, "memory_gib": 64}
BARE_H100 = {"accelerator": "H100-SXM", "count": 1, "vcpus": 64, "memory_gib": 256}
NETWORKS = ("alexnet", "googlenet", "resnet50", "vgg16")
CUSTOMARY_BATCH = {"alexnet": 256, "googlenet": 32, "resnet50": 32, "vgg16": 64}  # of the networks' own descriptions
IMAGES = 1_281_167
LMDB = {"name": "imagenet-1k", "format": "lmdb"}
RECORDIO = {"name": "imagenet-1k", "format": "recordio"}
TO_LMDB = {"task": "preprocessing", "dataset": {"name": "imagenet-1k", "format": "jpeg"}, "output_format": "lmdb"}
DISK_BOTTLENECKS = ("disk_throughput", "disk_iops")

NOT_A_CASE: dict[str, str] = {}


def caffe(task: str, model: str = "googlenet", **facts: object) -> Json:
    """Work of NVCaffe on ImageNet in LMDB; a network that is trained takes its description's batch."""
    batch = {"batch_size": CUSTOMARY_BATCH["vgg16"]} if model == "vgg16" else {}
    return {"task": task, "framework": "nvcaffe", "model": model, "dataset": LMDB, **batch, **facts}


def mxnet(model: str, task: str = "training", **facts: object) -> Json:
    """Work of MXNet: images in RecordIO, the language model on its customary words."""
    data = {"dataset": RECORDIO} if model != "lstm" else {"dataset": {"name": "PennTreeBank"}}
    return {"task": task, "framework": "mxnet", "model": model, **data, **facts}


def estimate(workload: Json, on: Json = P100) -> Json:
    """The answer for that machine, which fits."""
    found = post("/v1/estimates", {"workload": workload, "on": on})
    assert found["fits"], found["short"]
    return found


def rate(workload: Json, on: Json = P100) -> float:
    """Samples a second."""
    return float(estimate(workload, on)["estimate"]["throughput"]["value"])


def by_disk(workload: Json, on: Json = P100) -> dict[str, float]:
    """Samples a second on each class of disk that S3 measured."""
    return {kind: rate(workload | {"disk": {"type": kind}}, on) for kind in ("nvme", "ssd", "efficiency")}


def bottleneck(workload: Json, disk: str, on: Json = P100) -> str:
    """Bottleneck of the work on a class of disk."""
    return str(estimate(workload | {"disk": {"type": disk}}, on)["estimate"]["bottleneck"])


def sources(answer: Json) -> str:
    """The sources of all reasons of an answer."""
    return ", ".join(reason["source"] for reason in answer["reasons"])


def read(answer: Json) -> tuple[float, float]:
    """Samples and bytes of the data as understood."""
    dataset = answer["workload"]["dataset"]
    return dataset["samples"], float(dataset["size"].removesuffix("GB")) * 1e9


def cache(answer: Json) -> float:
    """GiB of the data that lie in page cache."""
    return float(answer["sizing"]["memory_gib"]["breakdown"].get("page_cache", 0.0))


@pytest.mark.parametrize(
    ("workload", "samples", "size"),
    [
        (caffe("training"), IMAGES, 240e9),
        (caffe("inference"), 50_000, 9.4e9),
        (mxnet("inception-v3"), IMAGES, 93e9),
        (mxnet("inception-v3", "inference"), 50_000, 3.7e9),
    ],
    ids=["lmdb-training", "lmdb-validation", "recordio-training", "recordio-validation"],
)
def test_s3_01_imagenet_has_the_stated_sizes(workload: Json, samples: float, size: float) -> None:
    """ImageNet's training and validation parts are as many images and bytes as S3 says, in both formats."""
    assert (samples, pytest.approx(size)) == read(estimate(workload))


def test_s3_01_the_penn_treebank_set_is_small() -> None:
    """PennTreeBank: about a million words of a vocabulary of 10,000, which the language model's size follows from."""
    sequences, size = read(estimate(mxnet("lstm", sequence_length=35)))
    lstm = next(model for model in get("/v1/models?limit=1000")["items"] if model["name"] == "lstm")
    tables, cells = 2 * 10_000 * 650, 2 * 8 * 650**2

    assert sequences * 35 == pytest.approx(1e6, rel=0.1)
    assert size < 10e6
    assert lstm["parameters"] == pytest.approx(tables + cells, rel=0.01)


@pytest.mark.parametrize("task", ["training", "inference"])
@pytest.mark.parametrize("model", NETWORKS)
def test_s3_02_nvcaffe_runs_the_four_networks_on_p100(model: str, task: str) -> None:
    """AlexNet, GoogLeNet, ResNet-50 and VGG-16 run on NVCaffe, in fp32 as it comes, on the P100 machines."""
    found = estimate(caffe(task, model))

    assert "fp32" == found["workload"]["precision"]
    assert found["estimate"]["throughput"]["value"] > 0


def test_s3_02_mxnet_runs_inception_and_lstm_on_p100() -> None:
    """MXNet trains Inception-v3 and an LSTM; the machines of the disk tests carry P100 and NVMe of their own."""
    machine = get("/v1/instance-types/alibaba/ecs.gn5-c4g1.xlarge")

    assert rate(mxnet("inception-v3")) > 0
    assert rate(mxnet("lstm")) > 0
    assert "P100" == machine["accelerator"]["name"]
    assert "nvme" == machine["local_disk_type"]


@pytest.mark.parametrize("workload", [*(caffe("training", model) for model in NETWORKS), mxnet("inception-v3")],
                         ids=lambda one: str(one["model"]))  # fmt: skip
def test_s3_03_four_vcpus_feed_a_p100_in_training(workload: Json) -> None:
    """Prepared images: four vCPUs for each device are enough, and more do not make training faster."""
    found = estimate(workload)

    assert 4 == found["sizing"]["vcpus"]["required"]
    assert "input_pipeline" != found["estimate"]["bottleneck"]
    four, many = (rate(workload, BARE_P100 | {"vcpus": count}) for count in (4, 64))
    assert four == pytest.approx(many, rel=0.02)
    assert "S3-03" in sources(found)


def test_s3_03_a_faster_device_asks_for_more_vcpus() -> None:
    """The floor is the P100's: an H100 takes its images many times faster, and needs cores and memory to bring them."""
    slow, fast = (estimate(mxnet("inception-v3"), on)["sizing"] for on in (BARE_P100, BARE_H100))

    assert 4 == slow["vcpus"]["required"]
    assert fast["vcpus"]["required"] >= 8
    assert fast["memory_gib"]["required"] > slow["memory_gib"]["required"]


def test_s3_04_mxnet_reads_93_gb_within_5_gb() -> None:
    """MXNet streams its records: the process stays below 5 GB whatever the set's size."""
    found = estimate(mxnet("inception-v3"))

    assert found["sizing"]["memory_gib"]["required"] * GIB < 5e9
    assert "S3-04" in sources(found)


def test_s3_04_nvcaffe_grows_with_the_iterations_without_gaining_speed() -> None:
    """NVCaffe maps its database: ten times the iterations bring ten times the data into memory, and no speed."""
    thousand, ten_thousand = (
        estimate(caffe("training", batch_size=32, epochs=count * 32 / IMAGES), BARE_P100) for count in (1_000, 10_000)
    )

    assert cache(ten_thousand) > 5 * cache(thousand) > 0
    assert rate(caffe("training"), BARE_P100 | {"memory_gib": 480}) == pytest.approx(rate(caffe("training"), BARE_P100))


def test_s3_04_alexnet_takes_far_more_memory_than_the_others() -> None:
    """In as many iterations AlexNet, with the largest batch, reads several times what any other network reads."""
    grown = {
        model: cache(estimate(caffe("training", model) | {"batch_size": batch, "epochs": 1_000 * batch / IMAGES}))
        for model, batch in CUSTOMARY_BATCH.items()
    }

    assert grown["alexnet"] > 2 * max(size for model, size in grown.items() if model != "alexnet")


def test_s3_05_training_hardly_feels_the_disk() -> None:
    """GoogLeNet trains alike on NVMe and SSD volumes, and 1% slower on an efficiency disk."""
    on = by_disk(caffe("training"))

    assert on["nvme"] == pytest.approx(on["ssd"], rel=0.005)
    assert on["efficiency"] / on["ssd"] == pytest.approx(0.99, abs=0.005)
    assert "accelerator_compute" == bottleneck(caffe("training"), "efficiency")


def test_s3_05_a_faster_device_does_feel_it() -> None:
    """Insensitive at a P100's speed: a V100 of the same cloud, in half precision, waits for the efficiency disk."""
    v100 = {"cloud": "alibaba", "instance_type": "ecs.gn6v-c8g1.2xlarge"}
    work = caffe("training", precision="mixed")
    slow = estimate(work | {"disk": {"type": "efficiency"}}, v100)

    assert rate(work | {"disk": {"type": "ssd"}}, v100) > 1.1 * slow["estimate"]["throughput"]["value"]
    assert "disk_throughput" == slow["estimate"]["bottleneck"]
    assert "S3-05" in sources(slow)


def test_s3_06_two_vcpus_and_a_gigabyte_train_on_penn_treebank() -> None:
    """The process that trains the LSTM on PennTreeBank stays within 1 GB (the system's own apart) on two vCPUs."""
    found = estimate(mxnet("lstm"))
    memory = found["sizing"]["memory_gib"]

    assert 2 == found["sizing"]["vcpus"]["required"]
    assert (memory["required"] - memory["breakdown"]["system"]) * GIB < 1e9
    assert "S3-06" in sources(found)


@pytest.mark.parametrize("workload", [mxnet("lstm"), {"task": "training", "model": "bilstm", "framework": "mxnet"}],
                         ids=["lstm", "bilstm"])  # fmt: skip
def test_s3_06_four_vcpus_and_30_gb_cover_training_on_text(workload: Json) -> None:
    """4 vCPUs, 30 GB and one P100 hold the training of recurrent networks on text."""
    sizing = estimate(workload)["sizing"]

    assert sizing["vcpus"]["required"] <= 4
    assert sizing["memory_gib"]["required"] <= 30


@pytest.mark.parametrize("model", NETWORKS)
def test_s3_07_two_vcpus_answer_on_a_p100(model: str) -> None:
    """Image classification needs two vCPUs a device, and more vCPUs make none of the networks faster."""
    found = estimate(caffe("inference", model))
    two, many = (rate(caffe("inference", model), BARE_P100 | {"vcpus": count}) for count in (2, 64))
    bound = 0.8 if model == "alexnet" else 0.99  # two are just enough for AlexNet

    assert 2 == found["sizing"]["vcpus"]["required"]
    assert two >= bound * many
    assert "S3-07" in sources(found)


def test_s3_07_the_validation_set_takes_7_gb_of_memory() -> None:
    """Of the 9.4 GB of LMDB about 7 GB come to lie in memory, within the 30 GB of the smallest P100 machine."""
    memory = estimate(caffe("inference"))["sizing"]["memory_gib"]

    assert memory["breakdown"]["page_cache"] * GIB == pytest.approx(7e9, rel=0.02)
    assert memory["required"] + memory["breakdown"]["page_cache"] < 30


def test_s3_04_memory_that_pays_goes_by_network_framework_and_data() -> None:
    """AlexNet reads faster than the disk delivers and wants all its data in memory; the others, and MXNet, do not."""
    work = {model: caffe("training", model) for model in NETWORKS} | {
        "mxnet": mxnet("inception-v3"),
        "text": mxnet("lstm"),
    }
    memory = {name: estimate(one)["sizing"]["memory_gib"] for name, one in work.items()}
    more = {name: one["recommended"] - one["required"] for name, one in memory.items()}

    assert more["alexnet"] * GIB == pytest.approx(240e9, rel=0.01)
    assert {0.0} == {extra for name, extra in more.items() if name != "alexnet"}
    assert memory["mxnet"]["recommended"] * GIB < 5e9


def test_s3_07_the_mapped_validation_set_is_recommended_memory() -> None:
    """It is page cache, which a smaller machine can do without."""
    memory = estimate(caffe("inference"))["sizing"]["memory_gib"]

    assert (memory["recommended"] - memory["required"]) * GIB == pytest.approx(7e9, rel=0.02)


def test_s3_07_a_faster_device_asks_for_more_vcpus() -> None:
    """The floor is the P100's: AlexNet on an H100 needs more than two vCPUs."""
    slow, fast = (estimate(caffe("inference", "alexnet"), on)["sizing"]["vcpus"] for on in (BARE_P100, BARE_H100))

    assert 2 == slow["required"]
    assert fast["required"] > 2


def test_s3_08_inference_wants_ssd_at_the_least() -> None:
    """GoogLeNet answers alike on NVMe and SSD volumes, 15% slower on an efficiency disk, which then limits."""
    on = by_disk(caffe("inference"))
    slow = estimate(caffe("inference", disk={"type": "efficiency"}))

    assert on["ssd"] == pytest.approx(on["nvme"], rel=0.02)
    assert on["efficiency"] / on["ssd"] == pytest.approx(0.85, abs=0.01)
    assert "disk_throughput" == slow["estimate"]["bottleneck"]
    assert "S3-08" in sources(slow)


@pytest.mark.parametrize(("cloud", "machine"), [("aws", "g5.2xlarge"), ("azure", "Standard_NC6s_v3"),
                                                ("alibaba", "ecs.gn6v-c8g1.2xlarge")])  # fmt: skip
@pytest.mark.parametrize("task", ["training", "inference"])
def test_s3_08_the_classes_keep_their_order_elsewhere(cloud: str, machine: str, task: str) -> None:
    """Each cloud has a peer of each class; a slower class is never faster, and costs inference and training alike."""
    on = {"cloud": cloud, "instance_type": machine}
    rates = [rate(caffe(task, disk={"type": kind}), on) for kind in ("ssd", "efficiency", "hdd")]
    products = [
        estimate(caffe(task, disk={"type": kind}), on)["sizing"]["disk"]["product"]
        for kind in ("ssd", "efficiency", "hdd")
    ]

    assert rates == sorted(rates, reverse=True)
    assert 3 == len(set(products))
    assert bottleneck(caffe(task), "hdd", on) in DISK_BOTTLENECKS


def test_s3_09_two_vcpus_and_30_gb_answer_on_text() -> None:
    """Inference on text is taken to need no more than its training: 2 vCPUs, 30 GB, one device."""
    found = estimate(mxnet("lstm", "inference"))

    assert 2 == found["sizing"]["vcpus"]["required"]
    assert found["sizing"]["memory_gib"]["required"] <= 30
    assert "S3-09" in sources(found)


def test_s3_10_preprocessing_is_bound_by_its_disk() -> None:
    """ImageNet into LMDB: NVMe 25% before SSD volumes, those 10% before efficiency disks, and the disk is named.

    By these figures the disk adds at least a quarter and a tenth to the rest of the time.
    """
    on = by_disk(TO_LMDB)
    slow, told = estimate(TO_LMDB | {"disk": {"type": "efficiency"}}), r"the disk adds (\d+)% of the time"

    assert on["nvme"] / on["ssd"] == pytest.approx(1.25, abs=0.04)
    assert on["ssd"] / on["efficiency"] == pytest.approx(1.10, abs=0.04)
    assert all(bottleneck(TO_LMDB, kind) in DISK_BOTTLENECKS for kind in ("ssd", "efficiency"))
    assert int(re.findall(told, str(slow["reasons"]))[0]) > 100 * (1 - 1 / (1.25 * 1.10))
    assert "S3-10" in sources(slow)


def test_s3_10_tools_on_every_core_reach_the_disks_own_limits() -> None:
    """Tuned tools use all cores of a large machine: then the classes differ by what their data sheets say they move."""
    large = {"cloud": "alibaba", "instance_type": "ecs.gn5-c28g1.7xlarge"}
    work = TO_LMDB | {"tuning": "tuned"}

    assert rate(work | {"disk": {"type": "ssd"}}, large) > 2 * rate(work | {"disk": {"type": "efficiency"}}, large)
    assert "disk_throughput" == bottleneck(work, "efficiency", large)


def test_s3_11_each_phase_leans_on_something_else() -> None:
    """Training is bound by the device, inference is lighter on vCPUs and feels the disk more, preprocessing most."""
    losses = {
        name: 1 - on["efficiency"] / on["nvme"]
        for name, on in (
            ("training", by_disk(caffe("training"))),
            ("inference", by_disk(caffe("inference"))),
            ("preprocessing", by_disk(TO_LMDB)),
        )
    }
    training, inference = (estimate(caffe(task)) for task in ("training", "inference"))

    assert losses["training"] < 0.02 < losses["inference"] < losses["preprocessing"]
    assert "accelerator_compute" == training["estimate"]["bottleneck"]
    assert inference["sizing"]["vcpus"]["required"] < training["sizing"]["vcpus"]["required"]


def test_s3_11_memory_follows_framework_network_and_data() -> None:
    """The same network takes more page cache under NVCaffe than under MXNet once, and more data take more of it."""
    once = {"epochs": 1}
    mapped, streamed = estimate(caffe("training", **once)), estimate(mxnet("googlenet", **once))
    part = estimate(caffe("training", epochs=0.05), BARE_P100)

    assert cache(mapped) > cache(streamed)
    assert cache(estimate(caffe("training", **once), BARE_P100)) > cache(part)


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        ("vcpus-per-accelerator", "S3-03"),
        ("host-memory", "S3-04"),
        ("disk-in-training", "S3-05"),
        ("vcpus-per-accelerator", "S3-06"),
        ("vcpus-per-inference-device", "S3-07"),
        ("disk-in-inference", "S3-08"),
        ("vcpus-per-inference-device", "S3-09"),
        ("preprocessing-io", "S3-10"),
        ("disk-in-training", "S3-11"),
    ],
)
def test_each_rule_names_its_fact(rule: str, fact: str) -> None:
    """The rule that a fact became says so."""
    assert fact in get(f"/v1/rules/{rule}")["source"]
