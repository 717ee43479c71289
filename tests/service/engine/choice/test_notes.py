"""Notes say why a candidate looks as it does, what could be done better, and what to beware of."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log2

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.fitted import FITTED

from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Query, Workload

CONVERT = Workload("preprocessing", tuning="tuned", dataset=Dataset(samples=1e4, size_bytes=1e9, format="csv"))

TABLE = Workload("training", model="xgboost", features=100, trees=500, dataset=Dataset(samples=1e7, size_bytes=4e9))

READ = Workload("training", model="bert-base", epochs=3, dataset=Dataset(samples=67_000, size_bytes=1e7))

ADAPT = Workload("training", model="llama-3.2-1b", method="lora", tokens=1e6)


def reasons(workload: Workload, **machine: object) -> dict[str, str]:
    """Texts of the reasons for a machine by their rule."""
    one = ask(Query(workload), made_up(Box(**machine))).recommendations[0]
    return {note.rule: note.text for note in one.reasons}


@pytest.mark.parametrize(("vcpus", "text"), [(1, "1 vCPU does the work"), (2, "2 vCPUs do the work")])
def test_one_vcpu_is_no_plural(vcpus: int, text: str) -> None:
    """The verb agrees with the number of vCPUs."""
    assert text == reasons(CONVERT, accelerator=None, vcpus=vcpus)["all-vcpus"]


@pytest.mark.parametrize("workload", [TABLE, Workload("hpc", flops=1e17, precision="fp64")], ids=["table", "hpc"])
def test_vcpus_are_not_said_to_do_what_a_device_does(workload: Workload) -> None:
    """The vCPUs are said to do all work only on a machine without an accelerator."""
    assert "all-vcpus" not in reasons(workload, accelerator="H100-SXM", vcpus=16, memory_gib=200)
    assert "all-vcpus" in reasons(workload, accelerator=None, vcpus=16, memory_gib=200)


def test_little_data_in_the_page_cache_is_told_in_mebibytes() -> None:
    """Ten megabytes are not 0.0 GiB."""
    assert "10 MiB of free memory cache the data that have been read" == reasons(READ)["page-cache"]


def test_processors_that_read_slower_than_they_compute_feed_no_device() -> None:
    """A machine without accelerators is not said to have some that wait."""
    wide = Dataset(samples=1e8, size_bytes=4e10, format="csv")
    once = Workload("training", model="logistic-regression", epochs=1, features=5, dataset=wide)
    fast = {"local_disk_gb": 4000.0, "disk_mib_s": 20_000.0, "vcpus": 8, "memory_gib": 512}
    assert reasons(once, accelerator=None, **fast)["input-pipeline"].endswith("than the CPU can process")


@pytest.mark.parametrize(("device", "precision"), [("V100-16GB", "FP16"), ("A100-40GB", "BF16")])
def test_sixteen_bits_are_called_by_what_the_device_has(device: str, precision: str) -> None:
    """Without a stated precision, a device without bf16 computes in fp16, and the note says so."""
    found = reasons(ADAPT, accelerator=device)
    assert f"{precision} runs on the matrix units of this device" == found["mixed-precision"]


TRAIN = Workload("training", model="resnet-50", epochs=10, precision="mixed")

PACKED = Workload("inference", model="phi-4", quantization="gptq", requests_per_second=2)
CHAT = Workload("inference", model="llama-3-8b", requests_per_second=2)
SERVE = Workload("inference", model="resnet-50", precision="fp32")

OLD = replace(TRAIN, framework_version="2.4")  # of PyTorch: a release that still had wheels for Kepler

SCIENCE = Workload("hpc", flops=1e17, precision="fp64")


def noted(workload: Workload, **machine: object) -> dict[str, str]:
    """Texts of the notes on a machine, by rule."""
    query = Query(workload, Constraints(retired=True, regions=("us-east-1", "cn-hangzhou")))
    one = ask(query, made_up(Box(**machine))).recommendations[0]
    return {note.rule: note.text for note in (*one.reasons, *one.warnings)}


@pytest.mark.parametrize(
    ("workload", "machine", "rule", "text"),
    [
        (TRAIN, {}, "vendor-image", "AWS Deep Learning AMI"),
        (TRAIN, {}, "managed-training", "SageMaker"),
        (TRAIN, {}, "mixed-precision", "mixed precision runs on the matrix units"),
        (Workload("training", model="resnet-50", precision="fp32"), {}, "mixed-precision", "8 × the peak rate"),
        (
            SERVE,
            {"accelerator": "T4"},
            "reduced-precision-inference",
            "FP16 has 8 × and INT8 has 16 × the peak rate of FP32",
        ),
        (CHAT, {"accelerator": "H100-SXM"}, "reduced-precision-inference", "FP8 has 2 × the peak rate of BF16; state"),
        (PACKED, {"accelerator": "H100-SXM"}, "reduced-precision-inference", "in which 4-bit weights compute"),
        (SERVE, {"accelerator": "L4", "count": 0.5}, "fractional-device", "0.5 of a device"),
        (SERVE, {"architecture": "arm64"}, "arm-software", "Arm"),
        (OLD, {"accelerator": "K80"}, "superseded-for-learning", "Kepler"),
        (SCIENCE, {"accelerator": "T4"}, "fp64-devices", "1/32 of the FP32 rate"),
        (SCIENCE, {"accelerator": "V100-16GB"}, "fp64-devices", "50% of the FP32 rate"),
    ],
)
def test_advice_is_given_where_it_belongs(workload: Workload, machine: dict[str, object], rule: str, text: str) -> None:
    """Image, managed service, precision, share, architecture and generation each have a note."""
    assert text in noted(workload, **machine)[rule]


@pytest.mark.parametrize(("cloud", "expected"), [("hyperbolic", True), ("lambda", False)])
def test_a_marketplaces_listing_is_named(cloud: str, expected: bool) -> None:
    """Nobody knows how many of its hosts can be had at once, nor what links them."""
    found = ask(Query(TRAIN, Constraints(clouds=(cloud,))), bundled_market()).recommendations
    assert found
    assert {expected} == {"marketplace" in {note.rule for note in one.warnings} for one in found}


def test_several_listings_of_a_marketplace_count_as_unproven() -> None:
    """One may be had, as measured; of several nobody knows, of many less."""
    work = Workload(
        "inference", model="llama-3.1-8b", framework="vllm", input_tokens=1200, output_tokens=250, deadline_hours=24
    )
    one, several = (
        ask(
            Query(replace(work, requests=requests), Constraints(clouds=("hyperbolic",), accelerators=("H100",))),
            bundled_market(),
        ).recommendations
        for requests in (1e5, 5e6)
    )
    count = several[0].node_count
    premium = 1.25 * 1.25 ** max(log2(count / 2), 0.0)
    told = [[note.text for note in choice.reasons if note.rule == "unproven"] for choice in (one[0], several[0])]

    assert (1, []) == (one[0].node_count, told[0])
    assert count > 2
    assert [
        f"several listings of a marketplace may not be had at once; ranked at {premium:.5g} times its expected value"
    ] == told[1]


def test_the_less_proven_of_two_counts_for_what_it_lacks_beside_the_other() -> None:
    """Both rest on the formula alone; the hosts of a marketplace may leave beside that."""
    work = Workload("inference", model="dlrm-v2", framework="torchrec", requests_per_second=50_000, latency_ms=30.0)
    found = ask(Query(work, Constraints(clouds=("verda", "hyperbolic")), objective="cost"), bundled_market())
    first, second = (
        next(note.text for note in one.reasons if note.rule == "why-this-rank") for one in found.recommendations[:2]
    )

    assert "the other counts 1.25 times, because it is less proven" in first
    assert "this choice counts 1.25 times, because it is less proven" in second


def test_a_service_on_a_marketplace_must_save_a_fifth() -> None:
    """A job can be run again where a supplier takes the host back; users are there all day."""
    host = Box("host", (Sale(1.9),), cloud="hyperbolic", accelerator="H100-SXM", vcpus=32, memory_gib=180)
    rented = replace(host, name="rented", cloud="aws", sales=(Sale(2.2),))
    service = Workload("inference", model="llama-3.1-8b", framework="vllm", requests_per_second=2.0)
    batch = replace(service, requests_per_second=None, requests=1e6)
    first, second = ask(Query(service, objective="cost"), made_up(host, rented)).recommendations
    [told] = [note.text for note in second.reasons if note.rule == "unproven"]

    assert ["rented", "host"] == [first.instance_type, second.instance_type]
    assert "how long the hosts of a marketplace stay is not published; ranked at 1.25 times its expected value" == told
    cheap = replace(host, sales=(Sale(1.2),))
    assert "host" == ask(Query(service, objective="cost"), made_up(cheap, rented)).recommendations[0].instance_type
    assert "host" == ask(Query(batch, objective="cost"), made_up(host, rented)).recommendations[0].instance_type


@pytest.mark.parametrize(("most", "expected"), [(32, False), (128, True)])
def test_many_devices_at_once_are_to_be_reserved(most: int, expected: bool) -> None:
    """Sixty-four rented ones are seldom to be had unasked."""
    work = Workload("training", model="llama-3.3-70b", method="full", framework="megatron", tokens=2e10)
    limits = Constraints(clouds=("aws",), accelerators=("H100",), max_total_accelerators=most)
    first = ask(Query(work, limits, objective="time"), bundled_market()).recommendations[0]

    assert expected == ("many-devices" in {note.rule for note in first.warnings})


@pytest.mark.parametrize(
    ("workload", "machine", "rule"),
    [
        (Workload("training", model="resnet-50", tuning="tuned"), {}, "vendor-image"),
        (SERVE, {}, "managed-training"),
        (OLD, {"accelerator": "K80"}, "mixed-precision"),
        (
            Workload("inference", model="resnet-50", framework="tensorrt", precision="int8"),
            {"accelerator": "T4"},
            "reduced-precision-inference",
        ),
        (SERVE, {}, "fractional-device"),
        (SERVE, {}, "arm-software"),
        (SCIENCE, {"accelerator": "K80"}, "superseded-for-learning"),
        (Workload("hpc", flops=1e17, precision="fp32"), {"accelerator": "T4"}, "fp64-devices"),
        (SCIENCE, {"accelerator": None}, "fp64-devices"),
    ],
)
def test_advice_is_not_given_elsewhere(workload: Workload, machine: dict[str, object], rule: str) -> None:
    """Work to which a piece of advice does not apply gets no such advice."""
    assert rule not in noted(workload, **machine)


@pytest.mark.parametrize(("experiments", "rule"), [(1, "data-parallel"), (4, "independent-runs")])
def test_runs_side_by_side_are_not_one_run(experiments: int, rule: str) -> None:
    """Independent runs are said to exchange nothing."""
    workload = Workload("training", model="resnet-50", epochs=10, experiments=experiments)
    found = noted(workload, count=4, vcpus=32, memory_gib=244, interconnect="nvlink", interconnect_gb_s=300)

    assert rule in found
    assert {rule} == {"data-parallel", "independent-runs"} & set(found)


@pytest.mark.parametrize(
    ("release", "text"),
    [
        (None, "{now_low:.2f} to {now_high:.2f} of the estimate for a current "),
        ("0.7.3", "{low:.2f} to {high:.2f} of the est"),
    ],
)
def test_runs_of_just_that_model_and_device_are_named(release: str | None, text: str) -> None:
    """The published runs of DeepSeek-R1 on MI300X in early 2025 are named beside the estimate of that release."""
    asked = Workload("inference", model="deepseek-r1", framework="vllm", framework_version=release, precision="fp8")
    box = Box(accelerator="MI300X", count=8, memory_gib=2000, interconnect="fabric", interconnect_gb_s=896)
    [one] = ask(Query(asked, Constraints(max_nodes=1)), made_up(box)).recommendations
    [found] = [note.text for note in one.reasons if note.rule == "measured-runs" and "vLLM" in note.text]
    check = vars(FITTED.checks["deepseek-r1 8-bit vllm stock"]["MI300X"])
    runs = "33 runs in 8-bit with vLLM 0.7.3 (stock) on this accelerator reached "

    assert found.startswith(runs + text.format(**check))


SSD = Disk(type="ssd")


@pytest.mark.parametrize(("size", "advised"), [(5e7, False), (5e12, True)])
def test_a_faster_disk_is_no_advice_where_the_data_fit_in_memory(size: float, advised: bool) -> None:
    """Only their first reading waits for a disk."""
    data = Dataset(size_bytes=size, samples=size / 8_000, format="lmdb")
    found = noted(
        Workload("inference", model="mnist-cnn", dataset=data, disk=SSD, budget_usd=1e6), accelerator="V100-16GB"
    )
    assert advised == ("faster disk" in " ".join(found.values()))


CHAT = Workload(
    "inference", model="llama-3.1-8b", framework="vllm", concurrency=400, input_tokens=2000, output_tokens=200,
    tpot_ms=60, latency_ms=4000,
)  # fmt: skip


def warned(workload: Workload, constraints: Constraints, rule: str) -> list[str]:
    """Texts of the first choice's warnings of that rule."""
    first = ask(Query(workload, constraints, objective="cost"), bundled_market()).recommendations[0]
    return [note.text for note in first.warnings if note.rule == rule]


@pytest.mark.parametrize(("users", "replicas"), [(400, 2), (1, 1)])
def test_hits_of_a_prefix_cache_need_a_router_where_there_are_several_replicas(users: int, replicas: int) -> None:
    """One replica sees every request."""
    asked = replace(CHAT, concurrency=users, prefix_cache_hit_rate=0.5)
    found = warned(asked, Constraints(accelerators=("L40S",), clouds=("aws",)), "prefix-routing")
    assert (replicas > 1) == bool(found)
    assert [] == warned(replace(asked, prefix_cache_hit_rate=None), Constraints(), "prefix-routing")


@pytest.mark.parametrize(
    ("changes", "constraints", "expected"),
    [({}, {}, 1), ({"latency_ms": None}, {}, 0), ({}, {"regions": ("us-east-1",)}, 0)],
)
def test_a_latency_is_said_to_leave_out_the_network_to_users(
    changes: dict[str, object], constraints: dict[str, object], expected: int
) -> None:
    """The warning about the network to users appears if a latency is stated and no region is."""
    found = warned(replace(CHAT, **changes), Constraints(clouds=("aws",), **constraints), "users-elsewhere")
    assert expected == len(found)


@pytest.mark.parametrize(
    ("clouds", "purchase", "said"),
    [(("azure",), ("on_demand", "spot"), "azure"), (("azure", "aws"), ("spot", "on_demand"), "azure"),
     (("aws", "gcp"), ("on_demand", "spot"), None), (None, ("on_demand", "spot"), None), (("azure",), None, None)],
)  # fmt: skip
def test_a_named_cloud_without_spot_prices_is_said_with_the_first_choice_alone(
    clouds: tuple[str, ...] | None, purchase: tuple[str, ...] | None, said: str | None
) -> None:
    """Its spot capacity would otherwise look as if it had been compared."""
    found = ask(Query(READ, Constraints(clouds=clouds, purchase=purchase), limit=3), bundled_market()).recommendations
    texts = [[note.text for note in one.warnings if note.rule == "spot-price-unknown"] for one in found]

    assert (said is not None) == bool(texts[0])
    assert all(text.startswith(f"no spot price of {said} is known") for text in texts[0])
    assert not any(texts[1:])


@pytest.mark.parametrize(
    ("clouds", "purchase", "then"),
    [(("azure", "gcp"), ("spot",), "left out"), (("azure", "gcp"), ("on_demand", "spot"), "their other prices"),
     (("own", "gcp"), ("spot",), None)],
)  # fmt: skip
def test_what_becomes_of_a_cloud_without_spot_prices_is_said(
    clouds: tuple[str, ...], purchase: tuple[str, ...], then: str | None
) -> None:
    """Where spot alone is allowed, its machines are not compared at all."""
    first = ask(Query(READ, Constraints(clouds=clouds, purchase=purchase), limit=1), bundled_market())
    texts = [note.text for note in first.recommendations[0].warnings if note.rule == "spot-price-unknown"]

    assert [True] * (then is not None) == [str(then) in text for text in texts]
    assert (then == "left out") == any(one.field == "constraints.clouds" for one in first.assumptions)


def test_an_empty_answer_says_that_a_cloud_has_no_spot_prices() -> None:
    """Nothing is left of Azure where spot alone is allowed, and the reason is the catalog's."""
    answer = ask(Query(READ, Constraints(clouds=("azure",), purchase=("spot",))), bundled_market())
    [told] = [one for one in answer.assumptions if one.field == "constraints.clouds"]

    assert ((), []) == (answer.recommendations, told.value)
    assert told.why.startswith("the catalog has no spot price of azure")
    assert "up to 90% less" in told.why


@pytest.mark.parametrize(
    ("framework", "said"),
    [("tgi", "2025-12-11"), ("Text Generation Inference", "2026-03-21"), ("torchserve", "2025-08-07"),
     ("fastertransformer", "TensorRT-LLM"), ("vllm", None), ("pytorch", None)],
)  # fmt: skip
def test_software_that_nobody_maintains_is_named(framework: str, said: str | None) -> None:
    """Since when, and what its makers name instead; the sources stand in the rule."""
    asked = Workload("inference", model="llama-3.2-1b", framework=framework, concurrency=1)
    [one] = ask(Query(asked), made_up(Box(accelerator="L4", vcpus=8, memory_gib=60))).recommendations
    told = [note.text for note in one.warnings if note.rule == "unmaintained-software"]

    assert [said is not None] == [said in text for text in told] or not (said or told)


def test_formats_that_transformers_loads_through_another_library_are_named() -> None:
    """AutoAWQ ended in 2025-05; vLLM has kernels of its own (huggingface/transformers issue 38078)."""
    told = {
        framework: [
            note.rule
            for note in ask(
                Query(Workload("inference", model="llama-3.1-8b", framework=framework, quantization="awq")),
                made_up(Box(accelerator="A100-80GB", vcpus=16, memory_gib=200)),
            )
            .recommendations[0]
            .warnings
        ]
        for framework in ("huggingface", "vllm")
    }

    assert ("unmaintained-software" in told["huggingface"]) > ("unmaintained-software" in told["vllm"])


def test_images_that_hold_a_server_up_are_prepared_by_its_process() -> None:
    """More vCPUs would prepare them no sooner: the reasons name the process."""
    asked = Workload(
        "inference", model="qwen2.5-vl-7b", framework="vllm", input_tokens=3000, output_tokens=20, concurrency=64,
        tpot_ms="none",
    )  # fmt: skip
    one = ask(Query(asked), made_up(Box(accelerator="B200", vcpus=64, memory_gib=500))).recommendations[0]
    found = {note.rule: note.text for note in one.reasons}

    assert "input_pipeline" == one.estimate.bottleneck
    assert "limited by the preparation of images in the server's process" == found["serving-steps"]
    assert "whatever the vCPUs" in found["input-pipeline"]


def test_the_time_to_prepare_an_image_is_told_as_it_is_counted() -> None:
    """167 ms for 1920 x 1080, which are 2,691 tokens of Qwen2.5-VL (vllm-project/vllm issue 41267)."""
    asked = Workload("inference", model="qwen2.5-vl-7b", framework="vllm", input_tokens=2691, concurrency=1)
    answer = ask(Query(asked), made_up(Box(accelerator="H100-SXM", vcpus=64, memory_gib=500)))
    [told] = [one.why for one in answer.assumptions if one.field == "input_tokens"]
    found = re.search(r"prepares such an image in about (\d+) ms, which the estimate counts", told)

    assert found is not None
    assert int(found[1]) == pytest.approx(167, rel=0.05)
    assert answer.recommendations[0].estimate.serving.ttft_ms.value > int(found[1])


def test_runs_that_check_an_estimate_move_it() -> None:
    """Llama 3.1 405B on eight MI300X in vLLM: the middle of the 14 runs in /v1/evidence, in any precision."""
    check = FITTED.checks["llama-3.1-405b 8-bit vllm tuned"]["MI300X"]
    box = Box(accelerator="MI300X", count=8, memory_gib=2000, interconnect="fabric", interconnect_gb_s=896)
    [checked, other] = (
        ask(Query(Workload("inference", model="llama-3.1-405b", framework=name, precision="fp8", tuning="stock"),
                  Constraints(max_nodes=1)), made_up(box)).recommendations[0]
        for name in ("vllm", "sglang")
    )  # fmt: skip
    [found] = [note.text for note in checked.reasons if note.rule == "measured-runs"]
    rate = checked.estimate.throughput

    assert found.endswith(f"the estimate is {check.middle:.2f} times that figure: amd-instinct in /v1/evidence")
    assert rate.value < 0.85 * other.estimate.throughput.value
    assert rate.low <= rate.value * check.low / check.middle < rate.value * check.high / check.middle <= rate.high


@pytest.mark.parametrize(
    ("device", "text"),
    [
        ("H200", "FP64 runs on the matrix units at 100% of the FP32 rate"),
        ("P100-SXM2", "FP64 runs at 50% of the FP32 rate"),
        ("K80", "FP64 runs at 33% of the FP32 rate"),
    ],
)
def test_fp64_is_told_by_the_units_that_the_estimate_counts(device: str, text: str) -> None:
    """The rate of FP64 over that of FP32 is the ratio of both estimates."""
    rates = []
    for precision in ("fp64", "fp32"):
        one = ask(Query(Workload("hpc", flops=1e17, precision=precision)), made_up(Box(accelerator=device)))
        rates.append(one.recommendations[0].estimate.throughput.value)

    assert text == reasons(Workload("hpc", flops=1e17, precision="fp64"), accelerator=device)["fp64-devices"]
    assert rates[0] / rates[1] == pytest.approx(float(re.findall(r"(\d+)%", text)[0]) / 100, abs=0.01)


@pytest.mark.parametrize(
    ("framework", "model", "text"),
    [
        ("caffe", "alexnet", "use an image with cuDNN 7: Caffe does not build with a later one"),
        ("torch7", "resnet50", "use an image with CUDA 9: Torch7 does not build with a later one"),
        ("pytorch", "resnet50", "use an AWS Deep Learning AMI or Container with CUDA 12; "),
    ],
)
def test_an_image_suits_the_framework_too(framework: str, model: str, text: str) -> None:
    """A framework whose development ended does not run in a current image, whatever the device."""
    work = Workload("training", framework=framework, model=model, epochs=1, tuning="stock")

    assert reasons(work, accelerator="V100-16GB")["vendor-image"].startswith(text)


@pytest.mark.parametrize(
    ("device", "runtime"),
    [("TPU-v6e", "v2-alpha-tpuv6e"), ("TPU-v5p", "v2-alpha-tpuv5"), ("TPU-v4", "tpu-ubuntu2204-base")],
)
def test_a_tpu_starts_with_a_software_version_of_its_own(device: str, runtime: str) -> None:
    """Images for GPUs do not run there."""
    work = Workload("training", framework="jax", model="resnet50", epochs=1)
    found = reasons(work, accelerator=device, cloud="gcp", sales=(Sale(3.0, "us-central1"),))

    assert f"use TPU software version {runtime}: TPU machines have their own images" == found["vendor-image"]


def test_one_core_of_the_host_is_not_called_the_compute_of_its_cpus() -> None:
    """Whisper's segments are prepared by one process of faster-whisper: a machine of more vCPUs takes as long."""
    work = Workload("inference", framework="faster-whisper", model="whisper-large-v3", hours_of_audio=1000)
    small, large = (
        Box(f"{vcpus}", (Sale(1.0),), accelerator="V100-16GB", vcpus=vcpus, memory_gib=64) for vcpus in (6, 32)
    )
    answers = [ask(Query(work, objective="cost"), made_up(box)).recommendations[0] for box in (small, large)]
    first, second = (one.estimate.throughput.value for one in answers)

    assert first == pytest.approx(second, rel=0.01)
    assert all(any("more vCPUs do not shorten it" in note.text for note in one.reasons) for one in answers)
