"""Host memory of a machine: weights pass through it on their way to the devices."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.workload import Constraints, Query, Workload


def answer(workload: Workload, memory_gib: float, count: float = 1, most: int = 1) -> Answer:
    box = Box(accelerator="H100-SXM", count=count, vcpus=32, memory_gib=memory_gib, network_gbps=400)
    return ask(Query(workload, Constraints(max_nodes=most), limit=20, group="none"), made_up(box))


ADAPTED = Workload("training", model="llama-3-8b", method="lora", tokens=1e7)
QUANTISED = Workload("training", model="llama-3-70b", method="qlora", tokens=1e7)
SERVED = Workload("inference", model="llama-3-8b", concurrency=1)


@pytest.mark.parametrize(
    ("workload", "too_little", "enough"),
    [(ADAPTED, 7.5, 32), (QUANTISED, 4, 64), (SERVED, 7.5, 32)],
    ids=["16 bits", "4 bits", "served"],
)
def test_the_host_holds_the_weights_while_they_load(workload: Workload, too_little: float, enough: float) -> None:
    """16 GB of weights do not pass through 7.5 GB, nor those of 70 billion parameters in 4 bits through 4 GB."""
    assert {"memory"} == set(answer(workload, too_little).rejected)
    assert answer(workload, enough).recommendations


def test_loading_and_running_do_not_add_up() -> None:
    """The process is at its peak in one or the other: the parts sum up to it."""
    memory = answer(ADAPTED, 64).recommendations[0].sizing.memory_gib
    parts = {name: size for name, size in memory.breakdown.items() if name != "page_cache"}
    assert memory.required == pytest.approx(sum(parts.values()), rel=1e-3)
    assert memory.required == pytest.approx(parts["system"] + parts["framework"] + 8.03e9 * 2 / 2**30, rel=1e-2)


def test_a_machine_loads_its_share_of_a_model_that_is_spread_over_several() -> None:
    """Two machines hold half of the weights each."""
    whole = Workload("training", model="llama-3-70b", method="full", tokens=1e9)
    found = {one.node_count: one.sizing.memory_gib for one in answer(whole, 2000, 8, 8).recommendations}
    one, two = (found[nodes].required - 17 for nodes in (4, 8))
    assert one == pytest.approx(2 * two, rel=0.05)


@pytest.mark.parametrize("workload", [ADAPTED, SERVED], ids=["adapted", "served"])
@pytest.mark.parametrize(("memory_gib", "enough"), [(32, False), (64, True)])
def test_neurons_compiler_holds_the_weights_beside_the_loaded_ones(
    workload: Workload, memory_gib: float, enough: bool
) -> None:
    """Compiling a model of 8 billion parameters was killed on a machine of 32 GiB."""
    box = Box("trn1.2xlarge", family="trn1", accelerator="Trainium1", vcpus=8, memory_gib=memory_gib)
    work = replace(workload, framework="neuron", model="llama-3.1-8b")
    found = ask(Query(work, Constraints(max_nodes=1)), made_up(box))
    assert enough == bool(found.recommendations)
    assert enough or set(found.rejected) == {"memory"}
    assert "measured" not in {one.estimate.basis for one in found.recommendations}
