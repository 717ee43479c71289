"""The lookup of measurements: points that count for a question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plimsoll_service.engine.measured import Point, at_precision, cell_tuned, key_of, nearest_software, parsed
from plimsoll_service.engine.workload import Workload


def work_cell(model: str, workload: Workload) -> str:
    return cell_tuned(model, workload, workload.tuning)


POINT = Point("mixed", "V100-16GB", 1, 128, 2020.0, 800.0)


@pytest.mark.parametrize(
    "point", [POINT, replace(POINT, batch=None, year=None), replace(POINT, devices=8, year=2021.5)]
)
def test_points_are_written_and_read(point: Point) -> None:
    """A written point is read back."""
    assert {"work": {"V100-16GB": (point,)}} == parsed({"work": {key_of(point): point.rate}})


def test_the_cell_holds_what_must_be_the_same() -> None:
    """Another model, task, framework, tuning or size is other work; precision, batch and version are not."""
    asked = Workload("training", model="resnet50", framework="pytorch", tuning="stock", image_size=(224, 224))
    cell = work_cell("resnet50", asked)

    assert cell == work_cell("resnet50", replace(asked, batch_size=64, precision="fp32", framework_version="2.4"))
    others = [
        work_cell("resnet101", asked),
        work_cell("resnet50", replace(asked, task="inference")),
        work_cell("resnet50", replace(asked, framework="tensorflow")),
        work_cell("resnet50", replace(asked, tuning="tuned")),
        work_cell("resnet50", replace(asked, image_size=(256, 256))),
    ]
    assert cell not in others
    assert len(others) == len(set(others))


def test_the_precision_itself_comes_before_those_alike() -> None:
    """Mixed and bf16 stand for each other only where there is nothing nearer; fp32 stands for an emulated one alone."""
    brain, single = replace(POINT, precision="bf16"), replace(POINT, precision="fp32")

    assert [POINT] == at_precision([brain, POINT, single], "mixed", emulated=False)
    assert [brain] == at_precision([brain, single], "mixed", emulated=False)
    assert [single] == at_precision([brain, single], "mixed", emulated=True)
    assert [] == at_precision([brain], "tf32", emulated=False)


def test_the_nearest_software_stands_for_a_batch() -> None:
    """One point a batch, by batch; one that does not say its software is as near as can be."""
    early, late = replace(POINT, year=2018.0), replace(POINT, year=2024.0)
    larger, undated = replace(POINT, batch=256), replace(POINT, year=None)

    assert [late, larger] == nearest_software([larger, early, late], 2025.0)
    assert [early] == nearest_software([early, late], 2019.0)
    assert [undated] == nearest_software([undated, replace(POINT, year=2024.9)], 2025.0)
