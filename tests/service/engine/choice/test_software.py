"""Machines that the software of a workload runs on."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.workload import Query, Workload

SOLVE = Workload("hpc", flops=1e17, precision="fp32")


@pytest.mark.parametrize("chip", ["Inferentia", "Inferentia2", "Trainium1", "Qualcomm-AI100"])
def test_chips_for_networks_do_not_simulate(chip: str) -> None:
    """Their compilers take networks alone, so that an hpc job never lands on one, whatever its peak."""
    answer = ask(Query(SOLVE), made_up(Box(accelerator=chip)))
    assert () == tuple(answer.recommendations)
    assert {"accelerators": 1} == dict(answer.rejected)


@pytest.mark.parametrize("chip", ["A100-40GB", "MI300X", None])
def test_graphics_processors_and_processors_do(chip: str | None) -> None:
    """What runs programs of any kind is not left out."""
    assert ask(Query(SOLVE), made_up(Box(accelerator=chip))).recommendations
