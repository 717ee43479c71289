"""Plans whose devices would need a larger global batch than is sensible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.demand.global_batch import equal_micro_batches
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

MARKET = made_up(
    Box("eight", accelerator="H100-SXM", count=8, vcpus=192, memory_gib=2000, interconnect="nvlink",
        interconnect_gb_s=900, network_gbps=3200)
)  # fmt: skip
VIT = Workload("training", model="vit-base")
LIMIT = 4096


def answer(workload: Workload, most: int = 512) -> Answer:
    return ask(Query(workload, Constraints(max_nodes=most), "time", 20, "none"), MARKET)


def test_batches_shrink_so_that_the_global_batch_stays_sensible() -> None:
    """One machine keeps its batch; many share the limit among them, at the speed of the smaller batch."""
    found = {one.node_count: one for one in answer(VIT).recommendations}
    used = {nodes: one.sizing.batch_size.used for nodes, one in found.items() if one.sizing.batch_size}
    assert used[1] == 256
    assert used[4] == LIMIT / 32
    assert all(nodes * 8 * batch <= LIMIT for nodes, batch in used.items())


def test_more_devices_than_the_limit_keeps_busy_are_not_recommended() -> None:
    """They are counted under a name of their own, and no deadline is short of a machine that nobody would start."""
    found = answer(VIT)
    assert found.rejected["global_batch_size"] > 0
    assert max(one.node_count for one in found.recommendations) < 64


def test_a_stated_global_batch_is_followed_on_as_many_machines_as_asked() -> None:
    """A stated global batch is used unchanged, because its author may know more than the table."""
    found = answer(replace(VIT, global_batch_size=65_536), most=64)
    assert 64 == max(one.node_count for one in found.recommendations)


@pytest.mark.parametrize(("batch", "expected"), [(256, 2), (128, 4)])
def test_a_stated_batch_asks_for_no_larger_global_batch_than_is_sensible(batch: int, expected: int) -> None:
    """Machines of eight devices each take it as long as all of them together stay within the limit."""
    found = answer(replace(VIT, batch_size=batch), most=64)
    assert expected == max(one.node_count for one in found.recommendations)
    assert found.rejected["global_batch_size"] > 0


def test_devices_take_equal_parts_of_a_stated_global_batch() -> None:
    """Trainers refuse a batch that the number of devices does not divide: 3, 6 or 48 machines of 8 devices."""
    found = answer(replace(VIT, global_batch_size=512), most=64)
    assert {1, 2, 4, 8, 16, 32, 64} == {one.node_count for one in found.recommendations}
    assert found.rejected["global_batch_size"] > 0


@pytest.mark.parametrize(
    "workload",
    [
        replace(VIT, batch_size=64, global_batch_size=512),
        Workload("training", model="llama-3-8b", method="lora", tokens=1e9, batch_size=4, global_batch_size=32),
    ],
)
def test_a_stated_batch_of_each_device_bounds_the_devices_of_a_stated_step(workload: Workload) -> None:
    """Eight whole batches make up the step, so that no more than eight devices can share it."""
    found = answer(workload, most=4)
    assert {1} == {one.node_count for one in found.recommendations}
    assert found.rejected["global_batch_size"] > 0
    on, job = Hardware(cloud="aws", instance_type="eight", node_count=2), job_of(Query(workload))
    against = evaluate(job, MARKET, on, select(job, MARKET, own_machines((), MARKET))).why_not
    assert f"whole batches of {workload.batch_size} per device" in against[0].text


def test_micro_batches_chosen_unasked_make_up_whole_steps() -> None:
    """Seven sequences would fit; four of them come out even, and need several passes a step."""
    tuned = Workload("training", model="llama-3-8b", tokens=1e9, sequence_length=4096, global_batch_size=128)
    for one in answer(tuned, most=4).recommendations:
        assert one.sizing.batch_size is not None
        assert 128 / (8 * one.node_count) % one.sizing.batch_size.used == 0
    sizes = equal_micro_batches(96, np.array([1.0, 2.0, 8.0, 5.0]), np.array([7.0, 47.0, 0.0, 7.0]))
    assert [6.0, 24.0, 1.0, 7.0] == sizes.tolist()


def test_the_answer_says_how_large_a_step_is_and_how_many_there_are() -> None:
    """Samples of all devices of a run, steps to the end of the data, and the largest sensible batch."""
    data = Dataset(size_bytes=1e10, samples=1e6)
    one = answer(replace(VIT, dataset=data, epochs=3)).recommendations[-1]
    steps = one.estimate.training
    assert steps is not None
    assert LIMIT == steps.largest_sensible_global_batch_size
    assert one.sizing.batch_size is not None
    assert steps.global_batch_size == one.node_count * 8 * one.sizing.batch_size.used
    assert abs(steps.steps - 3e6 / steps.global_batch_size) <= 1


def test_language_models_share_the_limit_in_sequences() -> None:
    """128 sequences of 2,048 tokens for a model that is adapted."""
    tuned = Workload("training", model="llama-3-8b", method="lora", tokens=1e9, sequence_length=2048)
    found = answer(tuned)
    batches = [one.estimate.training.global_batch_size for one in found.recommendations if one.estimate.training]
    assert max(batches) <= 128
    assert found.rejected["global_batch_size"] > 0
    assert max(one.node_count for one in found.recommendations) <= 16


def test_other_work_has_no_steps() -> None:
    """Inference and tables have no global batch."""
    served = ask(Query(Workload("inference", model="vit-base")), MARKET).recommendations[0]
    assert served.estimate.training is None
