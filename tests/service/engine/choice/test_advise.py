"""Advice and caution beside a choice: each where it belongs, and nowhere else."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.workload import Constraints, Query, Workload

TRAIN = Workload("training", model="resnet-50", epochs=10, precision="mixed")
SERVE = Workload("inference", model="resnet-50", precision="fp32")
SCIENCE = Workload("hpc", flops=1e17, precision="fp64")


def noted(workload: Workload, **machine: object) -> dict[str, str]:
    """Texts of the notes on a machine by their rule."""
    query = Query(workload, Constraints(retired=True, regions=("us-east-1", "cn-hangzhou")))
    one = ask(query, made_up(Box(**machine))).recommendations[0]
    return {note.rule: note.text for note in (*one.reasons, *one.warnings)}


@pytest.mark.parametrize(
    ("workload", "machine", "rule", "text"),
    [
        (TRAIN, {}, "vendor-image", "AWS Deep Learning AMI"),
        (TRAIN, {}, "managed-training", "SageMaker"),
        (TRAIN, {}, "mixed-precision", "mixed runs on the matrix units"),
        (Workload("training", model="resnet-50", precision="fp32"), {}, "mixed-precision", "8 × the peak rate"),
        (SERVE, {"accelerator": "T4"}, "reduced-precision-inference", "fp16 8 ×, int8 16 ×"),
        (SERVE, {"accelerator": "L4", "count": 0.5}, "fractional-device", "0.5 of a device"),
        (SERVE, {"architecture": "arm64"}, "arm-software", "Arm"),
        (TRAIN, {"accelerator": "K80"}, "superseded-for-learning", "Kepler"),
        (SCIENCE, {"accelerator": "T4"}, "fp64-devices", "1/32"),
        (SCIENCE, {"accelerator": "V100-16GB"}, "fp64-devices", "0.5 of the rate"),
    ],
)
def test_advice_is_given_where_it_belongs(workload: Workload, machine: dict[str, object], rule: str, text: str) -> None:
    """Image, managed service, precision, share, architecture and generation each have a note."""
    assert text in noted(workload, **machine)[rule]


@pytest.mark.parametrize(
    ("workload", "machine", "rule"),
    [
        (Workload("training", model="resnet-50", tuning="tuned"), {}, "vendor-image"),
        (SERVE, {}, "managed-training"),
        (TRAIN, {"accelerator": "K80"}, "mixed-precision"),
        (
            Workload("inference", model="resnet-50", precision="int8"),
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
    """What is tuned, served, whole, x86 or learned nothing needs none of it."""
    assert rule not in noted(workload, **machine)


@pytest.mark.parametrize(("experiments", "rule"), [(1, "data-parallel"), (4, "independent-runs")])
def test_runs_side_by_side_are_not_one_run(experiments: int, rule: str) -> None:
    """Independent runs are said to exchange nothing."""
    workload = Workload("training", model="resnet-50", epochs=10, experiments=experiments)
    found = noted(workload, count=4, vcpus=32, memory_gib=244, interconnect="nvlink", interconnect_gb_s=300)

    assert rule in found
    assert {rule} == {"data-parallel", "independent-runs"} & set(found)
