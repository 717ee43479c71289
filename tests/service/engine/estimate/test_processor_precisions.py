"""Networks on processors: the gain of low precision, and published runs of Whisper."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.estimate.arithmetic import arithmetic, fitted_arithmetic
from plimsoll_service.engine.estimate.roofline import step_terms
from plimsoll_service.engine.workload import Query, Workload

ZEN_4, TILES, CASCADE_LAKE = "AMD EPYC 9R14", "Intel Xeon 6975P-C", "Intel Xeon Gold 6226R"  # 1, 2 and 1 threads a core


def seconds(model: str, processor: str, vcpus: float, **asked: object) -> float:
    """Seconds of one sample at a time."""
    job = job_of(Query(Workload("inference", model=model, **asked)))
    assert job.profile is not None
    on = machine(accelerator=None, count=0, vcpus=vcpus, processor=processor)
    with np.errstate(all="ignore"):
        one = step_terms(job, job.profile, on, fitted_arithmetic(job, job.profile, on)).step(np.ones(1))
    return float((one.seconds * one.at_once)[0])


@pytest.mark.parametrize(
    ("model", "precision", "milliseconds"),
    [("efficientnet-b4", "fp32", 119), ("efficientnet-b4", "int8", 68), ("mobilenet-v2", "fp32", 7.9),
     ("mobilenet-v2", "int8", 3.9), ("resnet50", "fp32", 79), ("resnet50", "int8", 23)],
)  # fmt: skip
def test_a_core_runs_images_as_fast_as_it_was_measured_to(model: str, precision: str, milliseconds: float) -> None:
    """ONNX Runtime 1.32, one thread on AMD EPYC (Zen 4): within a factor of 1.6."""
    expected = milliseconds / 1e3
    actual = seconds(model, ZEN_4, 1, precision=precision, framework="onnxruntime")

    assert expected / 1.6 < actual < expected * 1.6


@pytest.mark.parametrize("processor", ["AMD EPYC 7763", "Intel Xeon Platinum 8175M"])
@pytest.mark.parametrize(
    ("framework", "model", "gain"),
    [("openvino", "bert-large", 1.55), ("openvino", "resnet50", 1.95), ("onnxruntime", "bert-base", 1.15)],
)
def test_int8_gains_without_dot_products_as_published(processor: str, framework: str, model: str, gain: float) -> None:
    """OpenVINO 2021.4 on processors with AVX2; microsoft/onnxruntime issue 6695 (see ``PLAIN_BYTES``)."""
    single, byte = (seconds(model, processor, 16, precision=one, framework=framework) for one in ("fp32", "int8"))

    assert gain == pytest.approx(single / byte, rel=0.1)


@pytest.mark.parametrize(
    ("framework", "model", "milliseconds"),
    [("onnxruntime", "wide-and-deep", 1.04), ("onnxruntime", "dlrm", 0.21), ("onnxruntime", "ncf", 0.016),
     ("tensorflow", "wide-and-deep", 1.76), ("tensorflow", "dlrm", 0.81), ("tensorflow", "ncf", 0.20),
     ("pytorch", "wide-and-deep", 2.12), ("pytorch", "dlrm", 0.59), ("pytorch", "ncf", 0.08)],
)  # fmt: skip
def test_a_core_answers_a_row_as_fast_as_it_was_measured_to(framework: str, model: str, milliseconds: float) -> None:
    """One thread on AMD EPYC (Zen 4), whole networks: within a factor of 3.7, and never the milliseconds of threads."""
    actual = 1e3 * seconds(model, ZEN_4, 1, precision="fp32", framework=framework)

    assert milliseconds / 3.7 < actual < milliseconds * 3.7


@pytest.mark.parametrize("model", ["wide-and-deep", "dlrm", "ncf"])
def test_more_cores_wait_for_no_more_threads(model: str) -> None:
    """Operations on a row are started one after another, however many cores there are."""
    assert seconds(model, ZEN_4, 32, framework="tensorflow") < seconds(model, ZEN_4, 1, framework="tensorflow")


@pytest.mark.parametrize(("model", "most"), [("efficientnet-b4", 3.0), ("mobilenet-v2", 3.5), ("mobilenet-v1", 3.5)])
def test_tiles_of_matrices_do_nothing_for_depthwise_convolutions(model: str, most: float) -> None:
    """Published gains of INT8 over FP32 on a processor with tiles are 1.05 to 3.1 for such networks."""
    single, byte = (seconds(model, TILES, 2, precision=one, framework="onnxruntime") for one in ("fp32", "int8"))

    assert 1 < single / byte < most


@pytest.mark.parametrize(
    ("model", "gain"), [("bert-base", 2.13), ("roberta-base", 2.24), ("bert-large", 2.10), ("resnet50", 2.05)]
)
def test_tiles_gain_in_onnx_runtime_what_whole_networks_were_measured_to(model: str, gain: float) -> None:
    """Xeon 8480+, ONNX Runtime 1.15 (intel/neural-compressor @012522ef, validated_model_list.md, 2023-06-19)."""
    single, byte = (seconds(model, TILES, 8, precision=one, framework="onnxruntime") for one in ("fp32", "int8"))

    assert gain == pytest.approx(single / byte, rel=0.2)


def test_eight_bits_without_dot_products_are_no_slower_than_fp32() -> None:
    """They are computed as fp32 is."""
    single, byte = (
        seconds("bert-base", "Intel Xeon Platinum 8175M", 2, precision=one, framework="onnxruntime")
        for one in ("fp32", "int8")
    )
    assert byte <= single


@pytest.mark.parametrize(("model", "measured"), [("bert-base", 2.06), ("resnet50", 1.82), ("efficientnet-b4", 1.72)])
def test_dot_products_of_16_bits_are_about_twice_as_fast(model: str, measured: float) -> None:
    """PyTorch 2.13 on one thread of AMD EPYC (Zen 4), layers alike: 1.7 to 2.1."""
    single, half = (seconds(model, ZEN_4, 1, precision=one, framework="pytorch") for one in ("fp32", "bf16"))

    assert measured == pytest.approx(single / half, rel=0.6)


@pytest.mark.parametrize(
    ("framework", "precision", "whole"),
    [("faster-whisper", "int8", 124), ("faster-whisper", "fp32", 164), ("pytorch", "fp32", 631)],
)
def test_whisper_takes_the_time_of_its_published_runs(framework: str, precision: str, whole: float) -> None:
    """Seconds for 26 segments of speech with 5 beams over 8 threads, of which the process takes 0.28 on each."""
    expected = whole / 26 - 0.28
    actual = seconds("whisper-small", CASCADE_LAKE, 8, precision=precision, framework=framework)

    assert expected == pytest.approx(actual, rel=0.15)


def test_zen_4_computes_double_precision_in_two_halves() -> None:
    """Vectors of 512 bits make one product in a cycle: 16 FLOP; Zen 5 makes two."""
    older, newer = (
        float(arithmetic(machine(accelerator=None, count=0, vcpus=1, processor=name), "fp64").peak[0]) / clock
        for name, clock in ((ZEN_4, 3.7e9), ("AMD EPYC 9575F", 4.5e9))
    )
    assert (older, newer) == pytest.approx((16, 32))


@pytest.mark.parametrize(
    ("processor", "precision", "each_core"),
    [
        ("8375C", "fp32", 6.3),
        ("8375C", "int8", 21.2),
        ("8488C", "fp32", 8.5),
        ("8488C", "bf16", 21.7),
        ("8488C", "int8", 21.6),
    ],
)
def test_a_detector_on_processors_is_as_fast_as_published(processor: str, precision: str, each_core: float) -> None:
    """YOLOv8n in OpenVINO 2024.3 on two Xeon 8380 and 8480+, images a second of a core: within a factor of 1.5."""
    cores = 32.0
    work = {"precision": precision, "framework": "openvino", "tuning": "tuned"}
    rate = (
        1 / seconds("yolov8n", f"Intel Xeon Platinum {processor}", 2 * cores, **work) * cores / 4
    )  # teams of four cores

    assert each_core / 1.5 < rate / cores < each_core * 1.5


@pytest.mark.parametrize(("precision", "gain"), [("bf16", 6.7), ("int8", 14.1)])
def test_tiles_speed_a_detector_on_a_plain_network_up_as_much_as_published(precision: str, gain: float) -> None:
    """SSD-ResNet34 in OpenVINO 2024.3 on two Xeon 8480+, over FP32 (30.4 images/s): within a factor of 1.5."""
    work = {"framework": "openvino", "tuning": "tuned"}
    single, tiles = (
        seconds("ssd300", "Intel Xeon Platinum 8488C", 64.0, **work, precision=one) for one in ("fp32", precision)
    )

    assert gain / 1.5 < single / tiles < gain * 1.5
